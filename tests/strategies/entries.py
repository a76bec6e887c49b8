"""Entries of a log: plain ones for tests of stores, and one of any kind for tests of how they are written."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from uuid import UUID

from baloot.bidding import rules as bidding
from baloot.core.auction import AuctionRecord, Call, CallKind, CutChoice, SeatCall
from baloot.core.cards import CARDS, SUITS, Hand
from baloot.core.deal import DealEnd, Dealt, Deck, SealedBlock, SealedSeed
from baloot.core.play import CardMove, Qaid, QaidGround, QaidMove, Trick
from baloot.core.projects import SeatProject
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import SEATS, TEAMS
from baloot.play import rules as play
from baloot.scoring.rules import score_round
from baloot.table import events as ev
from baloot.table.events import (
    SECOND,
    BeaconGiven,
    DealsCommitted,
    Entry,
    Event,
    Micros,
    OpenQuestion,
    Presence,
    PresenceChanged,
    SeatClock,
    SeedAdded,
    SeedsRevealed,
    Settings,
    TimeControl,
    TimeUsed,
)
from baloot.table.policy import AbsencePolicy, ForfeitReason, LeavePolicy
from hypothesis import strategies as st

from tests.strategies import auction, score
from tests.strategies.cards import dealt as hands_of
from tests.strategies.cards import randoms
from tests.strategies.play import any_moment

START: Micros = 1_790_000_000 * SECOND


def table_id(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)


def plain_entry(table: UUID, sequence: int, rng: Random, deadline: Micros | None = None) -> Entry:
    """The entry of some call, different in every respect from any other."""
    return Entry(
        table,
        sequence,
        START + rng.randrange(10**12),
        rng.choice([None, *SEATS]),
        table_id(rng),
        rng.randbytes(16),
        (ev.CallMade(rng.choice(SEATS), Call(rng.choice(list(CallKind)))),),
        (),
        deadline,
        rng.random() < 0.5,
    )


def _call(rng: Random) -> Call:
    return Call(rng.choice(list(CallKind)), rng.choice([None, *SUITS]), rng.choice([None, True, False]))


def _project(rng: Random) -> SeatProject:
    return SeatProject(rng.choice(SEATS), score.project(rng, rng.choice(list(score.POINTS))))


def _settings(rng: Random) -> Settings:
    ruleset: Ruleset = STANDARD
    if rng.random() < 0.5:
        ruleset = STANDARD.with_options(name="evening", match_target=rng.randrange(50, 300))
    action, pause, fill = (rng.randrange(1, 10**10) for _ in range(3))
    before = rng.choice([None, table_id(rng)])
    control = rng.choice([None, TimeControl(*(rng.randrange(10**10) for _ in range(4)))])
    leaving = rng.choice(list(LeavePolicy))
    policy = AbsencePolicy(rng.randrange(41), leaving, rng.randrange(1001), rng.random() < 0.5)
    absence = rng.choice([None, policy])
    watched = rng.choice([0, rng.randrange(10**10)]), rng.choice(["", "cup-2027:a_1.b"])
    beacon = rng.choice([("", None), ("a public drawing", None), ("number 1,204", rng.randrange(10**15))])
    return Settings(
        ruleset, action, pause, fill, before, rng.choice([None, *TEAMS]), control, absence, *watched, *beacon
    )


def _dealt(rng: Random) -> Event:
    deck = Deck(tuple(rng.sample(CARDS, len(CARDS))))
    commitment = rng.randbytes(32)
    dealt = Dealt(rng.randrange(1, 99), deck, commitment, rng.randbytes(32))
    cut = rng.choice([None, *CutChoice])
    return ev.RoundDealt(rng.choice(SEATS), dealt, SealedSeed(commitment, rng.randbytes(60)), cut)


def _qaid(rng: Random) -> Event:
    claim = QaidMove(rng.choice(list(QaidGround)), rng.choice([None, *CARDS]), rng.choice([None, *CARDS]))
    return ev.QaidClaimed(Qaid(rng.choice(SEATS), claim, rng.random() < 0.5))


def _void(rng: Random) -> Event:
    if rng.random() < 0.5:
        return ev.DealVoid(DealEnd.THROWN_IN)
    return ev.DealVoid(DealEnd.KAWESH, rng.choice(SEATS), hands_of(rng, 5))


def _card(rng: Random) -> Event:
    projects = tuple(_project(rng).project for _ in range(rng.randrange(3)))
    shown = tuple(_project(rng).project for _ in range(rng.randrange(2)))
    move = CardMove(rng.choice(CARDS), projects, rng.random() < 0.5, rng.random() < 0.5, shown)
    return ev.CardPlayed(rng.choice(SEATS), move, rng.random() < 0.5)


def _trick(rng: Random) -> Event:
    a, b, c, d = rng.sample(CARDS, 4)
    return ev.TrickWon(Trick(rng.choice(SEATS), (a, b, c, d), rng.choice(SEATS), rng.randrange(60)))


def _sawa(rng: Random) -> Event:
    held = rng.random() < 0.5
    if not held:
        return ev.SawaClaimed(rng.choice(SEATS), held)
    return ev.SawaClaimed(rng.choice(SEATS), held, tuple(rng.sample(CARDS, 3)), rng.choice((None, *SEATS)))


def _committed(rng: Random) -> Event:
    count = rng.randrange(1, 65)
    return DealsCommitted(
        SealedBlock(rng.randrange(1, 99), rng.randbytes(32 * count), rng.randbytes(60 * count))
    )


EVENTS: dict[type[Event], Callable[[Random], Event]] = {
    ev.TableCreated: lambda rng: ev.TableCreated(_settings(rng)),
    ev.SeatTaken: lambda rng: ev.SeatTaken(
        rng.choice(SEATS),
        rng.choice(["", "نورة", "x" * 40]),
        rng.randbytes(32),
        rng.choice(["", "a-1", "ن" * 64]),
        rng.choice([b"", rng.randbytes(32)]),
    ),
    DealsCommitted: _committed,
    SeedAdded: lambda rng: SeedAdded(rng.choice(SEATS), rng.randrange(1, 99), rng.randbytes(32)),
    BeaconGiven: lambda rng: BeaconGiven(rng.randbytes(32)),
    SeedsRevealed: lambda rng: SeedsRevealed(
        rng.randrange(1, 99), tuple(rng.randbytes(32) for _ in range(rng.randrange(1, 4)))
    ),
    ev.SeatLeft: lambda rng: ev.SeatLeft(rng.choice(SEATS)),
    ev.BotSeated: lambda rng: ev.BotSeated(rng.choice(SEATS)),
    ev.PlayerReturned: lambda rng: ev.PlayerReturned(rng.choice(SEATS)),
    ev.MatchForfeited: lambda rng: ev.MatchForfeited(rng.choice(TEAMS), rng.choice(list(ForfeitReason))),
    PresenceChanged: lambda rng: PresenceChanged(
        rng.choice(SEATS), rng.choice(list(Presence)), rng.randbytes(16)
    ),
    ev.MatchStarted: lambda _: ev.MatchStarted(),
    ev.RoundOpened: lambda rng: ev.RoundOpened(
        rng.randrange(1, 99), rng.choice(SEATS), SealedSeed(rng.randbytes(32), rng.randbytes(60))
    ),
    ev.RoundDealt: _dealt,
    ev.HandsCompleted: lambda rng: ev.HandsCompleted(hands_of(rng)),
    ev.AskedAgain: lambda rng: ev.AskedAgain(rng.choice(SEATS)),
    ev.ClockExtended: lambda _: ev.ClockExtended(),
    ev.RoundAccepted: lambda rng: ev.RoundAccepted(rng.choice(SEATS)),
    ev.QaidClaimed: _qaid,
    ev.CallMade: lambda rng: ev.CallMade(rng.choice(SEATS), _call(rng)),
    ev.AnswerGiven: lambda rng: ev.AnswerGiven(rng.choice(SEATS), _call(rng)),
    ev.AnswersOpened: lambda rng: ev.AnswersOpened(tuple(SeatCall(seat, _call(rng)) for seat in SEATS)),
    ev.Bought: lambda rng: ev.Bought(score.contract(rng)),
    ev.DealVoid: _void,
    ev.PlayStarted: lambda rng: ev.PlayStarted(score.contract(rng), rng.choice(SEATS), hands_of(rng)),
    ev.CardPlayed: _card,
    ev.TrickWon: _trick,
    ev.ProjectsDecided: lambda rng: ev.ProjectsDecided(rng.choice(TEAMS)),
    ev.ProjectsShown: lambda rng: ev.ProjectsShown(tuple(_project(rng) for _ in range(rng.randrange(1, 4)))),
    ev.SawaClaimed: _sawa,
    ev.RoundScored: lambda rng: ev.RoundScored(score_round(score.round_record(rng))),
    ev.MatchEnded: lambda rng: ev.MatchEnded(rng.choice(TEAMS), (rng.randrange(300), rng.randrange(300))),
    ev.TableAbandoned: lambda rng: ev.TableAbandoned(rng.choice(list(ev.AbandonReason))),
}
"""How to make one event of each kind."""


def questions(rng: Random) -> tuple[OpenQuestion, ...]:
    """The questions of some moment of an auction or of the play, or none."""
    asked_at = rng.randrange(1, 999)
    if rng.random() < 0.5:
        asked = play.asked(any_moment(rng))
        return () if asked is None else (OpenQuestion(asked_at, asked, _clock(rng)),)
    cards = rng.sample(CARDS, 21)
    record = AuctionRecord(
        rng.choice(SEATS), cards[20], tuple(Hand.of(cards[5 * n : 5 * n + 5]) for n in range(4))
    )
    moment = bidding.fold(auction.random_record(record, rng, rng.randrange(8)))
    return tuple(
        OpenQuestion(asked_at, asked, None if asked.optional else _clock(rng))
        for asked in bidding.asked(moment)
    )


def _clock(rng: Random) -> SeatClock | None:
    own_until = START + rng.randrange(10**12)
    return rng.choice([None, SeatClock(own_until, own_until + rng.randrange(10**9))])


def _time_used(rng: Random) -> tuple[TimeUsed, ...]:
    seats = rng.sample(SEATS, rng.randrange(3))
    return tuple(TimeUsed(seat, rng.randrange(10**9), rng.randrange(10**9)) for seat in seats)


def any_entry(rng: Random) -> Entry:
    """Any entry that can be written: each kind of event at most once, in any order, and none that share a secret."""
    kinds = rng.sample(list(EVENTS), rng.randrange(1, 5))
    for one, other in ((ev.RoundOpened, ev.RoundDealt), (ev.HandsCompleted, ev.PlayStarted)):
        if one in kinds and other in kinds:
            kinds.remove(one)
    return Entry(
        table_id(rng),
        rng.randrange(1, 999),
        START + rng.randrange(10**12),
        rng.choice([None, *SEATS]),
        table_id(rng),
        rng.randbytes(16),
        tuple(EVENTS[kind](rng) for kind in kinds),
        questions(rng),
        rng.choice([None, START + rng.randrange(10**12)]),
        rng.random() < 0.5,
        rng.choice([None, START + rng.randrange(10**12)]),
        _time_used(rng),
    )


def entries() -> st.SearchStrategy[Entry]:
    return randoms().map(any_entry)
