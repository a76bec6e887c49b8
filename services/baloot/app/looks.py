"""The command `looks`: who has looked at a table with all hands open."""

from __future__ import annotations

from pathlib import Path

from baloot.api.table.v1.referee_pb2 import ListLooksRequest, Look
from baloot.api.table.v1.referee_pb2_grpc import RefereeServiceStub
from baloot.app.errors import SetupError
from baloot.app.reaching import reached
from baloot.app.terminal.console import open_console
from baloot.client.credentials import Credentials
from baloot.client.retrying import Pace, until_known
from baloot.kit import calling
from baloot.table.codec import decode_time, readable


async def show_looks(address: str, table_id: str, token_file: Path | None) -> None:
    """Prints the looks at a table, the first one first. Raises Refusal and SetupError."""
    metadata = await Credentials(None if token_file is None else token_in(token_file)).metadata()
    request = ListLooksRequest(table_id=table_id)
    async with reached(address) as channel:
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


def token_in(file: Path) -> str:
    """The access token in a file. Raises SetupError when there is none."""
    try:
        token = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise SetupError(f"The token file {file} cannot be read: {error}") from error
    if not token or not token.isprintable():
        raise SetupError(f"The token file {file} must hold an access token and nothing else.")
    return token
