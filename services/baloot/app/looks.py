"""The command `looks`: who has looked at a table with all hands open."""

from __future__ import annotations

from baloot.api.table.v1.referee_pb2 import ListLooksRequest, Look
from baloot.api.table.v1.referee_pb2_grpc import RefereeServiceStub
from baloot.app.named import table_named
from baloot.app.reaching import Asked, reached
from baloot.app.terminal.console import open_console
from baloot.client.retrying import Pace, until_known
from baloot.kit import calling
from baloot.table.codec import decode_time, readable


async def show_looks(asked: Asked, table: str) -> None:
    """Prints the looks at a table, the first one first. Raises Refusal and SetupError."""
    metadata = await asked.credentials().metadata()
    request = ListLooksRequest(table_id=str(table_named(table)))
    async with reached(asked) as channel:
        listing = RefereeServiceStub(channel).ListLooks
        answer = await until_known(lambda: calling.call(listing, request, metadata=metadata), Pace())
    console = open_console()
    for look in answer.looks:
        console.print(line_of(look), highlight=False, soft_wrap=True)
    if not answer.looks:
        console.print("nobody has looked at this table")


def line_of(look: Look) -> str:
    """A look in one line; the reason is the referee's own words."""
    how = "watched from" if look.watched else "saw"
    return f"{readable(decode_time(look.time))}  {look.player_id} {how} entry {look.sequence}: {look.reason}"
