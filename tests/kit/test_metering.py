"""Who may call how often: limits of seats and addresses, by a clock that is told the time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.kit import metering
from baloot.kit.buckets import NANOS, Rate
from baloot.kit.metering import STREAM_WAIT, Meter, Visit
from baloot.kit.peers import places
from baloot.kit.quotas import Charge, Quotas

QUOTAS = Quotas(
    commands=Rate(1, 1, 2),
    watches=Rate(1, 60, 1),
    opens=Rate(1, 1, 3),
    calls=Rate(1, 1, 4),
    streams=3,
    all_streams=6,
)


class Call:
    """All that is asked of a context."""

    def __init__(self, peer: str, authorization: str | None) -> None:
        self._peer = peer
        self._metadata = () if authorization is None else (("authorization", authorization),)

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


class World:
    """A meter and its clock, in seconds."""

    def __init__(self, quotas: Quotas = QUOTAS) -> None:
        self.now = 0.0
        self.meter = Meter(quotas, lambda: round(self.now * NANOS))

    def call(
        self, charge: Charge, *, at: str = "192.0.2.1", token: str | None = None, streaming: bool = False
    ) -> Visit | None:
        """A call from an address, with a token. Raises Refusal."""
        authorization = None if token is None else f"Bearer {token}"
        context: Any = Call(f"ipv4:{at}:4711", authorization)
        visit = self.meter.visit(context, charge, streaming=streaming)
        metering.begin(visit)
        return visit

    def let_in(self, charge: Charge, attempts: int = 20, **caller: Any) -> int:
        """How many of so many calls at once are let in."""
        return attempts - sum(self.refused(charge, **caller) is not None for _ in range(attempts))

    def refused(self, charge: Charge, **caller: Any) -> Refusal | None:
        try:
            self.call(charge, **caller)
        except Refusal as refusal:
            return refusal
        return None

    def vouch(self, token: str, at: str = "192.0.2.9") -> None:
        """A service finds a token good, in a call from elsewhere."""
        self.call(Charge.OPEN, at=at)
        metering.vouch(token)


@pytest.mark.parametrize(
    ("charge", "count"), [(Charge.CALL, 4), (Charge.OPEN, 3), (Charge.COMMAND, 4), (Charge.WATCH, 4)]
)
def test_an_address_has_a_limit_for_each_kind_of_call(charge: Charge, count: int) -> None:
    world = World()
    assert world.let_in(charge) == count
    assert world.let_in(charge, at="192.0.2.2") == count
    world.now = 2
    assert world.let_in(charge) == 2


def test_a_refusal_names_the_limit_and_the_time_to_wait() -> None:
    world = World()
    world.let_in(Charge.OPEN)
    world.now = 0.25
    refusal = world.refused(Charge.OPEN)
    assert refusal is not None
    assert (refusal.reason, refusal.metadata) == (Reason.RATE_LIMITED, {"limit": "opens"})
    assert refusal.retry_after == round(0.75 * NANOS)
    assert refusal.message == "too many calls; wait 0.750 seconds"


# Seats.


def test_a_seat_has_limits_of_its_own_once_its_token_is_known_to_be_good() -> None:
    world = World()
    world.vouch("good")
    assert world.let_in(Charge.CALL) == 4
    assert world.let_in(Charge.COMMAND, token="good") == 2
    assert world.let_in(Charge.WATCH, token="good") == 1
    assert world.let_in(Charge.COMMAND, token="good", at="192.0.2.2") == 0


def test_a_token_that_is_not_known_is_paid_for_by_its_address() -> None:
    world = World()
    assert [world.let_in(Charge.COMMAND, 1, token=f"made up {n}") for n in range(8)] == [1] * 4 + [0] * 4
    assert world.let_in(Charge.CALL) == 0
    assert not world.meter._good


@pytest.mark.parametrize("authorization", ["bearer good", "BEARER good", "Bearer  good", "Bearer good  "])
def test_a_token_is_the_same_however_it_is_sent(authorization: str) -> None:
    world = World()
    world.vouch("good")
    assert world.let_in(Charge.COMMAND, token="good") == 2
    context: Any = Call("ipv4:192.0.2.1:4711", authorization)
    with pytest.raises(Refusal) as refused:
        world.meter.visit(context, Charge.COMMAND, streaming=False)
    assert refused.value.metadata == {"limit": "commands"}


@pytest.mark.parametrize("authorization", ["Basic abc", "good", "Bearer ", "Bearer " + "x" * 200])
def test_what_is_no_token_is_paid_for_by_the_address(authorization: str) -> None:
    context: Any = Call("ipv4:192.0.2.1:4711", authorization)
    visit = World().meter.visit(context, Charge.COMMAND, streaming=False)
    assert visit is not None
    assert visit.holder == "192.0.2.1"


@pytest.mark.parametrize("charge", [Charge.CALL, Charge.OPEN])
def test_where_tokens_are_not_looked_at_a_good_one_gives_nothing(charge: Charge) -> None:
    world = World()
    world.vouch("good")
    world.let_in(charge)
    assert world.let_in(charge, token="good") == 0


def test_a_token_that_is_void_gives_nothing_more() -> None:
    world = World()
    world.vouch("good")
    world.call(Charge.COMMAND, token="good")
    metering.void("good")
    assert world.let_in(Charge.CALL) == 4
    assert world.let_in(Charge.COMMAND, token="good") == 0


def test_so_many_good_tokens_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "TOKENS", 3)
    world = World(replace(QUOTAS, opens=None))
    for n in range(10):
        world.vouch(f"good-{n}")
    assert len(world.meter._good) == 3
    assert world.let_in(Charge.CALL) == 4
    assert [world.let_in(Charge.COMMAND, token=f"good-{n}") for n in (6, 7, 8, 9)] == [0, 2, 2, 2]


# Streams.


def test_an_address_may_have_so_many_streams_open() -> None:
    world = World(replace(QUOTAS, calls=None))
    visits = [world.call(Charge.WATCH, streaming=True) for _ in range(3)]
    refusal = world.refused(Charge.WATCH, streaming=True)
    assert refusal is not None
    assert (refusal.reason, refusal.metadata) == (Reason.TOO_MANY_STREAMS, {"limit": "streams"})
    assert refusal.retry_after == STREAM_WAIT
    for visit in visits:
        assert visit is not None
        visit.end()
        visit.end()
    assert (world.meter.streams, world.meter._streams) == (0, {})
    assert world.let_in(Charge.WATCH, streaming=True) == 3


def test_all_together_may_have_so_many_streams_open() -> None:
    world = World()
    assert sum(world.let_in(Charge.WATCH, at=f"192.0.2.{n}", streaming=True) for n in range(9)) == 6
    refusal = world.refused(Charge.WATCH, at="192.0.2.99", streaming=True)
    assert refusal is not None
    assert refusal.metadata == {"limit": "all_streams"}


def test_a_seat_may_open_streams_whatever_its_address_does() -> None:
    """As many as its rate lets it: the table ends those that are not its newest."""
    world = World(replace(QUOTAS, watches=None))
    world.vouch("good")
    assert world.let_in(Charge.WATCH, streaming=True) == 3
    assert world.let_in(Charge.WATCH, token="good", streaming=True) == 3
    refusal = world.refused(Charge.WATCH, token="good", streaming=True)
    assert refusal is not None
    assert refusal.metadata == {"limit": "all_streams"}


def test_a_stream_becomes_the_seats_when_its_token_is_found_good() -> None:
    world = World()
    visit = world.call(Charge.WATCH, token="good", streaming=True)
    assert visit is not None
    assert set(world.meter._streams) == {"192.0.2.1"}
    metering.vouch("good")
    assert set(world.meter._streams) == {visit.holder} != {"192.0.2.1"}
    visit.end()
    assert (world.meter.streams, world.meter._streams) == (0, {})


def test_a_stream_that_is_refused_for_its_rate_is_not_counted() -> None:
    world = World()
    world.let_in(Charge.CALL)
    assert world.let_in(Charge.WATCH, streaming=True) == 0
    assert (world.meter.streams, world.meter._streams) == (0, {})


# Nobody is limited.


def test_without_limits_there_are_none() -> None:
    world = World(Quotas(tables=1))
    assert world.let_in(Charge.WATCH, 1000, streaming=True) == 1000


def test_who_is_exempt_is_not_counted() -> None:
    world = World(replace(QUOTAS, exempt=places(["192.0.2.0/25"])))
    assert world.let_in(Charge.CALL) == 20
    assert metering.address() is None
    metering.vouch("good")
    metering.void("good")
    assert world.let_in(Charge.CALL, at="192.0.2.200") == 4
    assert metering.address() == "192.0.2.200"
