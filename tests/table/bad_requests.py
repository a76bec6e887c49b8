"""Every way to ask the table service for something that it must refuse, as one list of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from baloot.api.core.v1 import auction_pb2, play_pb2, ruleset_pb2
from baloot.api.table.v1 import events_pb2
from baloot.api.table.v1 import table_pb2 as pb
from baloot.codec.ruleset import OPTION_ENUMS
from baloot.core.auction import PASS, SUN
from baloot.core.cards import CARDS, Card
from baloot.core.errors import Reason
from baloot.core.play import CardMove, SawaMove
from baloot.core.seats import SEATS, Seat
from baloot.table.events import SECOND, Settings
from baloot.table.state import Phase
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tests.table.served import Metadata, acting, bearer, watching
from tests.table.trial import START, Trial


@dataclass
class Scene:
    """A table at some stage, and tokens that do not fit it."""

    trial: Trial
    left: str = ""
    """The token of a seat that was left."""
    foreign: str = ""
    """The token of a seat of another table."""
    used: UUID = field(default_factory=lambda: UUID(int=77, version=4))
    """A request id that a table, North's seat and the last action were made with."""

    async def asked(self) -> Seat:
        state = await self.trial.state()
        return next(open_.seat for open_ in state.questions if not open_.private)


async def scene(stage: str) -> Scene:
    """A table that is `open`, in the `auction`, in the `play`, `between` two rounds or `ended`."""
    made = Scene(Trial(seed=7, settings=Settings(round_pause=SECOND)))
    trial = made.trial
    other = Trial(seed=8, clock=trial.clock, store=trial.log)
    await other.fill()
    made.foreign = other.tokens[Seat.SOUTH]
    await trial.open()
    await trial.table.create(made.used, trial.settings)
    _, made.left = await trial.table.take_seat(trial.table_id, trial.id(), Seat.SOUTH, "Lina")
    await trial.table.leave_seat(trial.table_id, made.left, trial.id())
    for seat in SEATS[:3] if stage == "open" else SEATS:
        request_id = made.used if seat is Seat.NORTH else trial.id()
        _, trial.tokens[seat] = await trial.table.take_seat(trial.table_id, request_id, seat, "Omar")
    if stage != "open":
        await _on(made, stage)
    return made


async def _on(made: Scene, stage: str) -> None:
    trial = made.trial
    await trial.table.step(trial.table_id)
    await trial.act(await made.asked(), PASS, made.used)
    state = await trial.state()
    while stage in ("play", "between") and (not state.round or state.round.phase is not PHASES[stage]):
        state = await trial.play(1)
    if stage == "ended":
        await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.WEST], trial.id())


PHASES = {"play": Phase.PLAY, "between": Phase.SCORED}

Ask = Callable[[Scene], Message]
Who = Callable[[Scene], Metadata]


def nobody(_: Scene) -> Metadata:
    return ()


def south(made: Scene) -> Metadata:
    return bearer(_token(made))


def _token(made: Scene) -> str:
    return made.trial.tokens[Seat.SOUTH]


@dataclass(frozen=True)
class Case:
    """A request by somebody at a stage of the table, and the refusal it gets. `on_turn` is whoever is asked."""

    name: str
    rpc: str
    ask: Ask
    reason: Reason
    path: str = ""
    stage: str = "open"
    who: Who = nobody
    on_turn: bool | None = None

    def __str__(self) -> str:
        return f"{self.rpc}-{self.name}"


def create(**fields: Any) -> Ask:
    return lambda made: pb.CreateTableRequest(**{"request_id": str(made.trial.id()), **fields})


BAD_TIME = (Reason.FIELD_INVALID, "beacon_time")


def in_(seconds: int) -> Timestamp:
    """A moment by the clock of the scenes, which stands still."""
    return Timestamp(seconds=START // SECOND + seconds)


def rematch(made: Scene) -> pb.CreateTableRequest:
    table_id = str(made.trial.table_id)
    return pb.CreateTableRequest(request_id=str(made.trial.id()), rematch_of=table_id)


def take(**fields: Any) -> Ask:
    return lambda made: pb.TakeSeatRequest(**_about(made), **{"player_name": "Nora", **fields})


def leave(made: Scene) -> pb.LeaveSeatRequest:
    return pb.LeaveSeatRequest(**_about(made))


def get(made: Scene) -> pb.GetTableRequest:
    return pb.GetTableRequest(table_id=str(made.trial.table_id))


def watch(after: int | None = None) -> Ask:
    return lambda made: watching(made.trial, after)


def submit(**fields: Any) -> Ask:
    return lambda made: pb.SubmitActionRequest(**_about(made), **fields)


def act(action: Any, **more: Any) -> Ask:
    return lambda made: acting(made.trial, action, **more)


def _about(made: Scene) -> dict[str, Any]:
    return {"table_id": str(made.trial.table_id), "request_id": str(made.trial.id())}


PASSING = auction_pb2.Call(kind=auction_pb2.CALL_KIND_PASS)
GOOD: dict[str, Ask] = {
    "CreateTable": create(),
    "TakeSeat": take(),
    "LeaveSeat": leave,
    "SubmitAction": submit(call=PASSING),
    "GetOpenings": lambda made: pb.GetOpeningsRequest(table_id=str(made.trial.table_id)),
    "GiveBeacon": lambda made: pb.GiveBeaconRequest(**_about(made), value=bytes(32)),
    "ListMySeats": lambda _made: pb.ListMySeatsRequest(),
    "GetTable": get,
    "WatchTable": watch(),
}
"""A good request for each rpc."""
SEATED = ("LeaveSeat", "SubmitAction", "GetOpenings")
"""The rpcs that need a token of the table."""
ABOUT_A_TABLE = ("TakeSeat", *SEATED, "GiveBeacon", "GetTable", "WatchTable")
ID_FIELDS = [
    ("CreateTable", "request_id"),
    *((rpc, "table_id") for rpc in ABOUT_A_TABLE),
    *((rpc, "request_id") for rpc in ("TakeSeat", "LeaveSeat", "SubmitAction", "GiveBeacon")),
]

ID = "0190a5b2-7c1e-4d3f-8a2b-0123456789ab"
BAD_IDS = {
    "short": ID[:-1],
    "long": ID + "0",
    "bare": ID.replace("-", ""),
    "braces": "{" + ID + "}",
    "urn": "urn:uuid:" + ID,
    "hyphens elsewhere": "0190a5b27c1e4d3f8a2b01234567-8-9-a-b",
    "not hexadecimal": ID[:-1] + "g",
    "underscore": "0190a5b2-7c1e-4d3f-8a2b-012345_789ab",
    "other digits": "٠" + ID[1:],
    "space around": f" {ID[:-2]} ",
    "words": "drop table entry",
}


def ids() -> Iterator[Case]:
    for rpc, path in ID_FIELDS:
        who = south if rpc in SEATED else nobody
        yield Case(f"{path} unset", rpc, _with(rpc, path, ""), Reason.FIELD_REQUIRED, path, who=who)
        for name, bad in BAD_IDS.items():
            yield Case(f"{path} {name}", rpc, _with(rpc, path, bad), Reason.FIELD_INVALID, path, who=who)
    for name, bad in BAD_IDS.items():
        yield Case(
            f"rematch of {name}", "CreateTable", create(rematch_of=bad), Reason.FIELD_INVALID, "rematch_of"
        )
    yield Case("rematch of an unknown table", "CreateTable", create(rematch_of=ID), Reason.TABLE_UNKNOWN)
    for stage in ("open", "play", "ended"):
        yield Case(
            f"rematch while {stage}", "CreateTable", rematch, Reason.TABLE_NOT_FINISHED, "rematch_of", stage
        )
    for rpc in ABOUT_A_TABLE:
        yield Case("unknown table", rpc, _with(rpc, "table_id", ID), Reason.TABLE_UNKNOWN, who=south)


def _with(rpc: str, path: str, value: str | bytes) -> Ask:
    def ask(made: Scene) -> Message:
        request = GOOD[rpc](made)
        setattr(request, path, value)
        return request

    return ask


def names_and_seats() -> Iterator[Case]:
    for name in ("", "   "):
        yield Case(f"name {name!r}", "TakeSeat", take(player_name=name), Reason.FIELD_REQUIRED, "player_name")
    bad = (
        "x" * 41,
        "ن" * 41,
        "a\nb",
        "a\x00b",
        "a\x7fb",
        "a\u202eb",
        "a\u200bb",
        "a\u2028b",
        "a\ufeffb",
        "\u115f",
        "Nora\u3164",
        "\u2800\u2800",
        "a" + "\u0301" * 39,
        "x" * 60000,
    )
    for name in bad:
        case = Case(
            f"name {name[:5]!r}", "TakeSeat", take(player_name=name), Reason.FIELD_INVALID, "player_name"
        )
        yield case
    for seat in (5, -1, 2**31 - 1):
        yield Case(f"seat {seat}", "TakeSeat", take(seat=seat), Reason.FIELD_INVALID, "seat")


BAD_DURATIONS: dict[str, list[tuple[int, int]]] = {
    "action_timeout": [(0, 0), (0, 99_999_999), (600, 1000), (601, 0)],
    "round_pause": [(60, 1000), (61, 0)],
    "fill_timeout": [(0, 0), (0, 999_999_999), (86_400, 1000), (86_401, 0)],
    "spectator_delay": [(1800, 1000), (1801, 0)],
}
BAD_CONTROLS: dict[str, list[tuple[int, int]]] = {
    "call_time": BAD_DURATIONS["action_timeout"],
    "card_time": BAD_DURATIONS["action_timeout"],
    "bank": [(3600, 1000), (3601, 0)],
    "network_allowance": [(5, 1000), (6, 0)],
}
NEVER = [(-1, 0), (2**62, 0), (-(2**63), 0), (315_576_000_001, 0)]
BAD_NANOS = [-1, -500_000_000, 1_000_000_000, 2**31 - 1, -(2**31)]


def durations() -> Iterator[Case]:
    for path, bad in BAD_DURATIONS.items():
        for seconds, nanos in (*bad, *NEVER):
            ask = create(**{path: Duration(seconds=seconds, nanos=nanos)})
            yield Case(f"{path} {seconds} s {nanos} ns", "CreateTable", ask, Reason.FIELD_INVALID, path)
        for nanos in BAD_NANOS:
            ask = create(**{path: Duration(seconds=5, nanos=nanos)})
            yield Case(f"{path} {nanos} ns", "CreateTable", ask, Reason.FIELD_INVALID, f"{path}.nanos")


def controls() -> Iterator[Case]:
    for name, bad in BAD_CONTROLS.items():
        for seconds, nanos in (*bad, *NEVER):
            yield _control(f"{seconds} s {nanos} ns", name, **{name: Duration(seconds=seconds, nanos=nanos)})
        for nanos in BAD_NANOS:
            yield _control(f"{nanos} ns", f"{name}.nanos", **{name: Duration(seconds=3, nanos=nanos)})
    for short in ("call_time", "card_time"):
        times = {short: Duration(seconds=1), "network_allowance": Duration(seconds=1, nanos=1000)}
        yield _control(f"longer than {short}", "network_allowance", **times)
    long = Duration(seconds=2)
    short_answers = create(
        action_timeout=Duration(seconds=1), time_control=events_pb2.TimeControl(network_allowance=long)
    )
    path = "time_control.network_allowance"
    yield Case("allowance longer than an answer", "CreateTable", short_answers, Reason.FIELD_INVALID, path)
    both = create(action_timeout=long, time_control=events_pb2.TimeControl(call_time=long, card_time=long))
    yield Case("a time for nothing", "CreateTable", both, Reason.FIELD_INVALID, "action_timeout")


BAD_EVENTS = ("x" * 65, "cup 7", "cup/7", "cup\n", "كأس", "cup٧", "\x00")


def event_ids() -> Iterator[Case]:
    for name in BAD_EVENTS:
        ask = create(event_id=name)
        yield Case(f"event {name[:5]!r}", "CreateTable", ask, Reason.FIELD_INVALID, "event_id")


def _control(title: str, path: str, **times: Duration) -> Case:
    ask = create(time_control=events_pb2.TimeControl(**times))
    return Case(f"{path} {title}", "CreateTable", ask, Reason.FIELD_INVALID, f"time_control.{path}")


BAD_POLICIES: list[tuple[str, int]] = [
    ("bot_after", 41),
    ("bot_after", -1),
    ("forfeit_after", 1001),
    ("forfeit_after", -1),
    ("leaving", 4),
    ("leaving", -1),
]


def policies() -> Iterator[Case]:
    for field_, number in BAD_POLICIES:
        policy: dict[str, Any] = {field_: number}
        message, path = events_pb2.AbsencePolicy(**policy), f"absence.{field_}"
        yield Case(f"{path} {number}", "CreateTable", create(absence=message), Reason.FIELD_INVALID, path)
    yield Case(
        "nobody is away",
        "SubmitAction",
        submit(come_back=pb.ComeBack()),
        Reason.NOT_ABSENT,
        stage="auction",
        who=south,
    )


def deals() -> Iterator[Case]:
    for length in (1, 31, 33):
        bad = bytes(length)
        yield Case(f"seed of {length}", "TakeSeat", take(seed=bad), Reason.FIELD_INVALID, "seed")
        ask = submit(add_seed=pb.AddSeed(first_number=1, seed=bad))
        yield Case(f"seed of {length}", "SubmitAction", ask, Reason.FIELD_INVALID, "add_seed.seed", who=south)
        value = _with("GiveBeacon", "value", bad)
        yield Case(f"value of {length}", "GiveBeacon", value, Reason.FIELD_INVALID, "value")
    for name in ("x" * 201, "a\nb", "a\u202eb"):
        ask = create(beacon=name)
        yield Case(f"beacon {name[:5]!r}", "CreateTable", ask, Reason.FIELD_INVALID, "beacon")
    yield Case(
        "beacon of no time", "CreateTable", create(beacon="a drawing"), Reason.FIELD_REQUIRED, "beacon_time"
    )
    yield Case("time of no beacon", "CreateTable", create(beacon_time=in_(60)), *BAD_TIME)
    for seconds in (-1, 9, 86_401):
        ask = create(beacon="a drawing", beacon_time=in_(seconds))
        yield Case(f"beacon in {seconds} s", "CreateTable", ask, *BAD_TIME)
    for field_, number in (("nanos", -1), ("nanos", 10**9), ("seconds", -1), ("seconds", 2**63 - 1)):
        moment = Timestamp(**{field_: number})
        ask = create(beacon="a drawing", beacon_time=moment)
        path = f"beacon_time.{field_}"
        yield Case(f"{path} {number}", "CreateTable", ask, Reason.FIELD_INVALID, path)
    none = submit(add_seed=pb.AddSeed(first_number=1))
    yield Case("no seed", "SubmitAction", none, Reason.FIELD_REQUIRED, "add_seed.seed", who=south)
    early = submit(add_seed=pb.AddSeed(first_number=65, seed=bytes(32)))
    yield Case("seed too early", "SubmitAction", early, Reason.SEED_WINDOW, who=south)
    yield Case("no beacon named", "GiveBeacon", GOOD["GiveBeacon"], Reason.BEACON_WINDOW, stage="auction")
    yield Case("too late", "GiveBeacon", GOOD["GiveBeacon"], Reason.TABLE_ENDED, stage="ended")
    yield Case("nothing dealt", "GetOpenings", GOOD["GetOpenings"], Reason.ROUND_UNKNOWN, who=south)


def rulesets() -> Iterator[Case]:
    for name in ("", "Standard", "x" * 5000, "house\n"):
        ask = create(ruleset_name=name)
        yield Case(f"rules named {name[:9]!r}", "CreateTable", ask, Reason.RULESET_INVALID, "ruleset_name")
    for target in (0, -1, 1001):
        yield _rules(
            f"target {target}", Reason.RULESET_INVALID, "match_target", name="x", match_target=target
        )
    for name in ("standard", "Pagat ", "\uff53tandard"):
        yield _rules(f"as {name!a}", Reason.RULESET_INVALID, "name", name=name, match_target=100)
    for name in ("x" * 41, "a\nb", "a\u202eb", "\u3164"):
        yield _rules(f"called {name[:5]!r}", Reason.FIELD_INVALID, "name", name=name, match_target=100)
    yield _rules("nameless", Reason.FIELD_REQUIRED, "name", match_target=100)
    yield _rules("sawa cards", Reason.RULESET_INVALID, "sawa_max_cards", name="x", sawa_max_cards=9)
    for option in OPTION_ENUMS:
        for number in (99, -1):
            yield _rules(f"{option} {number}", Reason.FIELD_INVALID, option, name="x", **{option: number})
    newer = ruleset_pb2.Ruleset.FromString(
        ruleset_pb2.Ruleset(name="x").SerializeToString() + b"\xa0\x1f\x01"
    )
    yield Case(
        "rules of a newer version", "CreateTable", create(ruleset=newer), Reason.OPTION_UNSUPPORTED, "ruleset"
    )


def _rules(title: str, reason: Reason, option: str, **options: Any) -> Case:
    ask = create(ruleset=ruleset_pb2.Ruleset(**options))
    return Case(f"rules {title}", "CreateTable", ask, reason, f"ruleset.{option}")


CALLS: list[tuple[dict[str, Any], Reason, str]] = [
    ({}, Reason.FIELD_REQUIRED, "kind"),
    ({"kind": 99}, Reason.FIELD_INVALID, "kind"),
    ({"kind": -1}, Reason.FIELD_INVALID, "kind"),
    ({"kind": 7, "suit": 5}, Reason.FIELD_INVALID, "suit"),
    ({"kind": 7, "suit": -1}, Reason.FIELD_INVALID, "suit"),
    ({"kind": 8, "lock": 3}, Reason.FIELD_INVALID, "lock"),
    ({"kind": 8, "lock": -1}, Reason.FIELD_INVALID, "lock"),
    ({"kind": 1, "cut": 99}, Reason.FIELD_INVALID, "cut"),
    ({"kind": 1, "cut": -1}, Reason.FIELD_INVALID, "cut"),
]
CLAIMS: list[tuple[dict[str, Any], Reason, str]] = [
    ({}, Reason.FIELD_REQUIRED, "ground"),
    ({"ground": 99}, Reason.FIELD_INVALID, "ground"),
    ({"ground": -1}, Reason.FIELD_INVALID, "ground"),
    ({"ground": 1, "card": 33}, Reason.FIELD_INVALID, "card"),
    ({"ground": 1, "card": -1}, Reason.FIELD_INVALID, "card"),
    ({"ground": 1, "card": 1, "proof": 33}, Reason.FIELD_INVALID, "proof"),
    ({"ground": 1, "card": 1, "proof": -1}, Reason.FIELD_INVALID, "proof"),
]


def _project(kind: Any = None, *cards: Any) -> play_pb2.Project:
    return play_pb2.Project(kind=kind, cards=cards)


RUN = _project(1, 9, 10, 11)
CARDS_PLAYED: list[tuple[Any, list[play_pb2.Project], Reason, str]] = [
    (None, [], Reason.FIELD_REQUIRED, "card"),
    (33, [], Reason.FIELD_INVALID, "card"),
    (-1, [], Reason.FIELD_INVALID, "card"),
    (9, [RUN] * 9, Reason.FIELD_INVALID, "projects"),
    (9, [_project(None, 9, 10, 11)], Reason.FIELD_REQUIRED, "projects[0].kind"),
    (9, [_project(5, 9, 10, 11)], Reason.FIELD_INVALID, "projects[0].kind"),
    (9, [_project(1)], Reason.FIELD_REQUIRED, "projects[0].cards"),
    (9, [_project(1, *range(1, 7))], Reason.FIELD_INVALID, "projects[0].cards"),
    (9, [_project(1, 9, 9, 10)], Reason.FIELD_INVALID, "projects[0].cards"),
    (9, [_project(1, 9, 33)], Reason.FIELD_INVALID, "projects[0].cards[1]"),
    (9, [_project(1, 0, 9)], Reason.FIELD_REQUIRED, "projects[0].cards[0]"),
    (9, [RUN, _project(-1, 9, 10)], Reason.FIELD_INVALID, "projects[1].kind"),
]


def actions() -> Iterator[Case]:
    yield Case("nothing", "SubmitAction", submit(), Reason.FIELD_REQUIRED, "action", "play", south)
    for n, (fields, reason, path) in enumerate(CALLS):
        ask = submit(call=auction_pb2.Call(**fields))
        yield Case(f"call {n}", "SubmitAction", ask, reason, f"call.{path}", "auction", south)
    for n, (fields, reason, path) in enumerate(CLAIMS):
        ask = submit(qaid=play_pb2.ClaimQaid(**fields))
        yield Case(f"qaid {n}", "SubmitAction", ask, reason, f"qaid.{path}", "play", south)
    for n, (card, projects, reason, path) in enumerate(CARDS_PLAYED):
        ask = submit(card=play_pb2.PlayCard(card=card, projects=projects))
        yield Case(f"card {n}", "SubmitAction", ask, reason, f"card.{path}", "play", south)
        if projects:
            ask = submit(card=play_pb2.PlayCard(card=card, shown=projects))
            where = path.replace("projects", "card.shown")
            yield Case(f"shown {n}", "SubmitAction", ask, reason, where, "play", south)
    for number in (-1, -(2**31)):
        ask = submit(call=PASSING, expected_sequence=number)
        yield Case(
            f"expected {number}", "SubmitAction", ask, Reason.FIELD_INVALID, "expected_sequence", who=south
        )
        yield Case(f"after {number}", "WatchTable", watch(number), Reason.FIELD_INVALID, "after_sequence")


BAD_AUTHORIZATIONS = {
    "empty": "",
    "no scheme": "x" * 43,
    "no token": "Bearer",
    "blank token": "Bearer  ",
    "other scheme": "Basic " + "x" * 43,
    "too long": "Bearer " + "x" * 300,
    "unknown token": "Bearer " + "x" * 43,
    "two tokens": "Bearer a, Bearer b",
}


def strangers() -> Iterator[Case]:
    for rpc in SEATED:
        yield Case("no token", rpc, GOOD[rpc], Reason.TOKEN_REQUIRED, stage="auction")
    yield Case("no token", "ListMySeats", GOOD["ListMySeats"], Reason.TOKEN_REQUIRED)
    yield _stranger("ListMySeats", "another scheme", authorized("Basic " + "x" * 43))
    for rpc in (*SEATED, "GetTable", "WatchTable"):
        for name, value in BAD_AUTHORIZATIONS.items():
            yield _stranger(rpc, name, authorized(value))
        yield _stranger(rpc, "token of another table", lambda made: bearer(made.foreign))
        yield _stranger(rpc, "token of a left seat", lambda made: bearer(made.left))
        yield _stranger(rpc, "another scheme", lambda made: (("authorization", f"Digest {_token(made)}"),))
        yield _stranger(rpc, "half a token", lambda made: bearer(_token(made)[:-1]))


def authorized(value: str) -> Who:
    return lambda _: (("authorization", value),)


def _stranger(rpc: str, name: str, who: Who) -> Case:
    return Case(name, rpc, GOOD[rpc], Reason.TOKEN_INVALID, stage="auction", who=who)


def untimely() -> Iterator[Case]:
    yield Case("seat taken", "TakeSeat", take(seat=1), Reason.SEAT_TAKEN)
    for stage in ("auction", "play", "ended"):
        yield Case(f"during {stage}", "TakeSeat", take(), Reason.TABLE_NOT_OPEN, stage=stage)
    yield Case("after the end", "LeaveSeat", leave, Reason.TABLE_ENDED, stage="ended", who=south)
    for n, action in enumerate((PASS, CardMove(Card.C7S), SawaMove())):
        for stage, reason in _TOO_EARLY_OR_LATE.items():
            yield Case(f"action {n} while {stage}", "SubmitAction", act(action), reason, "", stage, south)
        stage = "play" if n else "auction"
        yield _turn(f"action {n} out of turn", act(action), Reason.NOT_YOUR_TURN, stage, on_turn=False)
    for n, action in enumerate((CardMove(Card.C7S), SawaMove())):
        yield _turn(f"play {n} in the auction", act(action), Reason.WRONG_PHASE, "auction")
    yield _turn("call in the play", act(PASS), Reason.WRONG_PHASE, "play")
    yield _turn("claim too early", act(SawaMove()), Reason.SAWA_WINDOW, "play")


_TOO_EARLY_OR_LATE = {
    "open": Reason.TABLE_NOT_PLAYING,
    "between": Reason.NOT_YOUR_TURN,
    "ended": Reason.TABLE_ENDED,
}


def _turn(name: str, ask: Ask, reason: Reason, stage: str, path: str = "", *, on_turn: bool = True) -> Case:
    return Case(name, "SubmitAction", ask, reason, path, stage, on_turn=on_turn)


def sequences() -> Iterator[Case]:
    path = "expected_sequence"
    for number in (0, 1, 6):
        yield _turn(f"stale {number}", act(PASS, expected=number), Reason.SEQUENCE_STALE, "auction", path)
    for number in (10_000, 2**31 - 1):
        ask = act(PASS, expected=number)
        yield _turn(f"ahead {number}", ask, Reason.SEQUENCE_AHEAD, "auction", path)
        yield Case(f"ahead {number}", "WatchTable", watch(number), Reason.SEQUENCE_AHEAD, "after_sequence")


def reused() -> Iterator[Case]:
    def ask_with(ask: Ask) -> Ask:
        def used(made: Scene) -> Message:
            request = ask(made)
            request.request_id = str(made.used)  # type: ignore[attr-defined]
            return request

        return used

    ask = ask_with(create())
    yield Case("id of another table", "CreateTable", ask, Reason.REQUEST_ID_REUSED, "request_id")
    case = Case("id of another seat", "TakeSeat", ask_with(take()), Reason.REQUEST_ID_REUSED, "request_id")
    yield case
    yield replace(case, name="id of another name", ask=ask_with(take(seat=3, player_name="Omar2")))
    yield replace(case, name="late, id of another", stage="play")
    given = ask_with(GOOD["GiveBeacon"])
    yield Case("id of a seat", "GiveBeacon", given, Reason.REQUEST_ID_REUSED, "request_id")
    for n, action in enumerate((SUN, CardMove(CARDS[3]), SawaMove())):
        yield Case(
            f"id of another action {n}", "SubmitAction", ask_with(act(action)), Reason.REQUEST_ID_REUSED,
            "request_id", "auction", first,
        )  # fmt: skip
    yield Case(
        "id of an action",
        "LeaveSeat",
        ask_with(leave),
        Reason.REQUEST_ID_REUSED,
        "request_id",
        "auction",
        first,
    )


def first(made: Scene) -> Metadata:
    """The seat that made the first call, with the id `used`."""
    live = made.trial.table.tables[made.trial.table_id]
    assert live.state is not None
    assert live.state.round is not None
    return bearer(made.trial.tokens[live.state.round.calls[0].seat])


CASES: list[Case] = [
    case
    for group in (
        ids,
        names_and_seats,
        durations,
        controls,
        event_ids,
        deals,
        policies,
        rulesets,
        actions,
        strangers,
        untimely,
        sequences,
        reused,
    )
    for case in group()
]
