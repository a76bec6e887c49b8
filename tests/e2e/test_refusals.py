"""A refusal is the same whether the rule services are asked in the same process or over the network.

Both wirings stand over one database here, so that they can be asked about the same table.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass

import grpc.aio
import pytest
from baloot.api.core.v1 import auction_pb2 as auction
from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.cards_pb2 import SUIT_SPADES
from baloot.api.core.v1.play_pb2 import PROJECT_KIND_SIRA, ClaimSawa, PlayCard, Project
from baloot.api.core.v1.seats_pb2 import SEAT_SOUTH
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.codec.enums import REASON
from baloot.core.errors import RULES, Reason
from baloot.kit.channels import open_channel

from tests.e2e.platforms import Platform, apart, together
from tests.e2e.refusing import Asking, Sat, Views, new_id, not_held, others, refusal, sit

PASS = Call(kind=auction.CALL_KIND_PASS)
SUN = Call(kind=auction.CALL_KIND_SUN)
OF_RULES = {*RULES, Reason.CALL_NOT_OFFERED}
Cases = Mapping[str, tuple[Asking, Reason]]


@dataclass(frozen=True, slots=True)
class Both:
    """A channel to each wiring."""

    together: grpc.aio.Channel
    apart: grpc.aio.Channel

    async def broken(self, cases: Cases) -> dict[str, object]:
        """The cases that are answered otherwise than they should be, or not alike."""
        problems: dict[str, object] = {}
        for name, (asking, reason) in cases.items():
            one, other = await refusal(self.together, asking), await refusal(self.apart, asking)
            if (
                one is None
                or one != other
                or one.reason is not reason
                or not one.message
                or bool(dict(one.metadata).get("rule")) is not (reason in OF_RULES)
            ):
                problems[name] = (reason, one, other)
        return problems


@pytest.fixture(scope="module")
def platforms() -> Iterator[tuple[Platform, Platform]]:
    with together() as one, apart(one.database, key=one.key) as other:
        yield one, other


@pytest.fixture
async def both(platforms: tuple[Platform, Platform]) -> AsyncIterator[Both]:
    one, other = platforms
    async with open_channel(one.table) as first, open_channel(other.table) as second:
        yield Both(first, second)


async def test_before_the_match(both: Both) -> None:
    table = await sit(both.together, seats=1)
    south = table.tokens[SEAT_SOUTH]
    before = await table.view(SEAT_SOUTH)
    assert await both.broken(open_table(table, south)) == {}
    assert await table.view(SEAT_SOUTH) == before


def open_table(table: Sat, south: str) -> Cases:
    unknown = new_id()
    return {
        "act": (table.acting(SEAT_SOUTH, PASS), Reason.TABLE_NOT_PLAYING),
        "no action": (table.acting(SEAT_SOUTH, None), Reason.FIELD_REQUIRED),
        "no table": (table.acting(SEAT_SOUTH, PASS, table_id=""), Reason.FIELD_REQUIRED),
        "no such table": (table.acting(SEAT_SOUTH, PASS, table_id=unknown), Reason.TABLE_UNKNOWN),
        "no uuid": (table.acting(SEAT_SOUTH, PASS, table_id="table 1"), Reason.FIELD_INVALID),
        "no request id": (table.acting(SEAT_SOUTH, PASS, request_id=""), Reason.FIELD_REQUIRED),
        "no card": (table.acting(SEAT_SOUTH, PlayCard()), Reason.FIELD_REQUIRED),
        "a number before 0": (table.acting(SEAT_SOUTH, PASS, expected_sequence=-1), Reason.FIELD_INVALID),
        "no token": (Asking("LeaveSeat", leaving(table)), Reason.TOKEN_REQUIRED),
        "another token": (Asking("GetTable", getting(table), "Bearer another"), Reason.TOKEN_INVALID),
        "no bearer": (Asking("GetTable", getting(table), south), Reason.TOKEN_INVALID),
        "a seat that is taken": (Asking("TakeSeat", taking(table, seat=SEAT_SOUTH)), Reason.SEAT_TAKEN),
        "no name": (Asking("TakeSeat", taking(table, player_name="")), Reason.FIELD_REQUIRED),
        "a long name": (Asking("TakeSeat", taking(table, player_name="x" * 41)), Reason.FIELD_INVALID),
        "no such rules": (
            Asking("CreateTable", pb.CreateTableRequest(request_id=new_id(), ruleset_name="poker")),
            Reason.RULESET_INVALID,
        ),
        "watch what is to come": (
            Asking("WatchTable", pb.WatchTableRequest(table_id=table.table_id, after_sequence=99)),
            Reason.SEQUENCE_AHEAD,
        ),
    }


async def test_in_the_auction(both: Both) -> None:
    table = await sit(both.together)
    asked = await table.asked()
    assert await both.broken(first_bidding(table, asked)) == {}
    assert (await table.view(asked.viewer)).sequence == asked.sequence


def first_bidding(table: Sat, asked: pb.TableView) -> Cases:
    seat = asked.viewer
    other = others(seat)[1]

    def call(
        kind: auction.CallKind.ValueType, lock: auction.Lock.ValueType = auction.LOCK_UNSPECIFIED
    ) -> Asking:
        return table.acting(seat, Call(kind=kind, lock=lock))

    return {
        "not asked": (table.acting(other, PASS), Reason.NOT_YOUR_TURN),
        "no call": (call(auction.CALL_KIND_UNSPECIFIED), Reason.FIELD_REQUIRED),
        "an unknown call": (call(77), Reason.FIELD_INVALID),  # type: ignore[arg-type] # that is the case
        "double": (call(auction.CALL_KIND_DOUBLE), Reason.WRONG_PHASE),
        "qablak": (call(auction.CALL_KIND_QABLAK), Reason.CALL_NOT_OFFERED),
        "confirm": (call(auction.CALL_KIND_CONFIRM), Reason.CALL_NOT_OFFERED),
        "ashkal by the first": (call(auction.CALL_KIND_ASHKAL), Reason.ASHKAL_SEAT),
        "a suit": (
            table.acting(seat, Call(kind=auction.CALL_KIND_HOKUM, suit=SUIT_SPADES)),
            Reason.SUIT_NOT_ALLOWED,
        ),
        "a lock": (call(auction.CALL_KIND_SUN, lock=auction.LOCK_OPEN), Reason.LOCK_NOT_ALLOWED),
        "a card": (table.acting(seat, PlayCard(card=asked.round.hand[0])), Reason.WRONG_PHASE),
        "sawa": (table.acting(seat, ClaimSawa()), Reason.WRONG_PHASE),
        "too late": (table.acting(seat, PASS, expected_sequence=0), Reason.SEQUENCE_STALE),
        "too early": (table.acting(seat, PASS, expected_sequence=99), Reason.SEQUENCE_AHEAD),
        "a seat": (Asking("TakeSeat", taking(table)), Reason.TABLE_NOT_OPEN),
    }


async def test_in_the_play(both: Both) -> None:
    table = await sit(both.together)
    seen: set[Reason] = set()
    asked = await bought(table)
    assert await both.broken(first_card(table, asked, await table.views())) == {}
    assert (await table.view(asked.viewer)).sequence == asked.sequence
    while asked.round.phase == pb.ROUND_PHASE_PLAY and len(asked.round.tricks) < 6:
        cases = forbidden_cards(table, asked)
        seen |= {reason for _, reason in cases.values()}
        assert await both.broken(cases) == {}
        await table.do(asked.viewer, PlayCard(card=asked.question.play.legal[0].card))
        asked = await table.asked()
    assert Reason.MUST_FOLLOW in seen, "no card was ever forbidden"


async def bought(table: Sat) -> pb.TableView:
    """Goes on until somebody is to lead the first trick."""
    while (asked := await table.asked()).round.phase != pb.ROUND_PHASE_PLAY:
        legal = asked.question.call.legal
        await table.do(asked.viewer, SUN if SUN in legal else PASS if PASS in legal else legal[0])
    return asked


def first_card(table: Sat, asked: pb.TableView, views: Views) -> Cases:
    seat = asked.viewer
    left = others(seat)[0]
    card = asked.round.hand[0]
    sira = Project(kind=PROJECT_KIND_SIRA, cards=[*views[left].round.hand[:3]])
    reused = table.acting(seat, PASS, request_id=new_id())
    return {
        "not asked": (
            table.acting(left, PlayCard(card=views[left].round.hand[0])),
            Reason.NOT_YOUR_TURN,
        ),
        "somebody's card": (
            table.acting(seat, PlayCard(card=not_held(views, seat))),
            Reason.CARD_NOT_HELD,
        ),
        "a call": (reused, Reason.WRONG_PHASE),
        "the same call": (reused, Reason.WRONG_PHASE),
        "somebody's project": (
            table.acting(seat, PlayCard(card=card, projects=[sira])),
            Reason.PROJECT_NOT_HELD,
        ),
        "a project of nothing": (
            table.acting(seat, PlayCard(card=card, projects=[Project(kind=PROJECT_KIND_SIRA)])),
            Reason.FIELD_REQUIRED,
        ),
        "akka in sun": (table.acting(seat, PlayCard(card=card, akka=True)), Reason.AKKA_NOT_ALLOWED),
        "baloot": (table.acting(seat, PlayCard(card=card, baloot=True)), Reason.BALOOT_AUTOMATIC),
    }


def forbidden_cards(table: Sat, asked: pb.TableView) -> Cases:
    """Each card of the hand that may not be played now, with the reason that the question gives."""
    return {
        f"card {forbidden.card} in trick {len(asked.round.tricks) + 1}": (
            table.acting(asked.viewer, PlayCard(card=forbidden.card)),
            REASON.decode(forbidden.reason, "reason"),
        )
        for forbidden in asked.question.play.refused
    }


async def test_a_request_id_is_for_one_thing(both: Both) -> None:
    table = await sit(both.together)
    asked = await table.asked()
    done = table.acting(asked.viewer, asked.question.call.default_call)
    await TableServiceStub(both.together).SubmitAction(done.request, metadata=done.metadata)
    again = table.acting(asked.viewer, SUN, request_id=done.request.request_id)
    assert await both.broken({"something else": (again, Reason.REQUEST_ID_REUSED)}) == {}


async def test_after_the_end(both: Both) -> None:
    table = await sit(both.together)
    asked = await table.asked()
    bearer = table.bearer(asked.viewer)
    await TableServiceStub(both.together).LeaveSeat(leaving(table), metadata=(("authorization", bearer),))
    cases = {
        "act": (table.acting(asked.viewer, PASS), Reason.TABLE_ENDED),
        "leave": (Asking("LeaveSeat", leaving(table), bearer), Reason.TABLE_ENDED),
        "come": (Asking("TakeSeat", taking(table)), Reason.TABLE_NOT_OPEN),
    }
    assert await both.broken(cases) == {}


def getting(table: Sat) -> pb.GetTableRequest:
    return pb.GetTableRequest(table_id=table.table_id)


def leaving(table: Sat) -> pb.LeaveSeatRequest:
    return pb.LeaveSeatRequest(table_id=table.table_id, request_id=new_id())


def taking(table: Sat, **fields: str | int) -> pb.TakeSeatRequest:
    given = {"table_id": table.table_id, "request_id": new_id(), "player_name": "Noura", **fields}
    return pb.TakeSeatRequest(**given)  # type: ignore[arg-type] # fields of several types
