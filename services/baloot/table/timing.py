"""The clocks of a table, reckoned: what an answer took, whose clock runs until when, and when the table acts by itself.

A question gives its seat a time of its own, from the moment at which it is asked. What the seat takes beyond it is taken
from its bank. Several seats may be asked at once; each has its own clock. All of it follows from the table as it was and
from moments that come in as arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from baloot.core.auction import Asked, QuestionKind
from baloot.core.play import PlayAsked
from baloot.core.seats import Seat
from baloot.table.absence import thinks
from baloot.table.events import SECOND, Micros, OpenQuestion, SeatClock, TimeControl, TimeUsed
from baloot.table.state import TableState

ALLOWANCE: Micros = SECOND // 2
"""The network allowance of a table that is opened without one, if no own time is shorter."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happens to a table.

    `now` is when it is decided. `received` is when the server got the action of a seat, before it waited for anything;
    None for what is none. `resumed` is when the last outage ended: no clock ran before.
    """

    now: Micros
    received: Micros | None = None
    resumed: Micros = 0

    @property
    def counts(self) -> Micros:
        """The moment by which the time used is reckoned."""
        return self.now if self.received is None else min(self.received, self.now)


def usual(own_time: Micros) -> TimeControl:
    """The time control of a table that is opened with nothing but the time for an answer."""
    return TimeControl(own_time, own_time, 0, usual_allowance(own_time))


def usual_allowance(own_time: Micros) -> Micros:
    """The network allowance where none is chosen, for the shortest own time."""
    return min(ALLOWANCE, own_time)


def time_used(
    state: TableState, asked: tuple[Asked | PlayAsked, ...], answered: Seat | None, moment: Moment
) -> tuple[TimeUsed, ...]:
    """What the seats took whose questions are settled when `asked` are open from now on.

    `answered` is the seat whose question was answered, by itself or for it. A question that falls away because of
    another seat's action counts until then: its clock has run as well. Nothing where there are no banks, or for a seat
    for which a bot plays.
    """
    if not state.settings.control.bank:
        return ()
    return tuple(
        _used(state, open_, moment)
        for open_ in state.questions
        if open_.clock is not None
        and open_.seat not in state.bots
        and not any(_runs_on(open_, question, answered) for question in asked)
    )


def banks_after(banks: tuple[Micros, ...], used: Iterable[TimeUsed]) -> tuple[Micros, ...]:
    """What is left in the banks of all seats."""
    left = list(banks)
    for one in used:
        left[one.seat] = one.bank
    return tuple(left)


def clock_of(
    state: TableState,
    question: Asked | PlayAsked,
    answered: Seat | None,
    banks: tuple[Micros, ...],
    bots: tuple[Seat, ...],
    now: Micros,
) -> SeatClock | None:
    """The clock of a question that is open from now on: the one that runs for it, or a new one.

    For a seat of `bots`, those for which a bot plays from now on, it is the bot's time to think. None for an offer that
    nobody waits for, and for a question that goes on from before there were time controls.
    """
    if isinstance(question, Asked) and question.optional:
        return None
    standing = state.question_to(question.seat)
    if standing is not None and _runs_on(standing, question, answered):
        return standing.clock
    if question.seat in bots:
        own = state.settings.control.own_time(_kind(question))
        acts = now + thinks(state.table_id, state.sequence + 1, question.seat, own)
        return SeatClock(acts, acts)
    return fresh(state.settings.control, _kind(question), banks[question.seat], now)


def fresh(control: TimeControl, kind: QuestionKind, bank: Micros, now: Micros) -> SeatClock:
    """A clock that starts now."""
    own_until = now + control.own_time(kind)
    return SeatClock(own_until, own_until + bank)


def acts_at(
    state: TableState, questions: tuple[OpenQuestion, ...], bots: tuple[Seat, ...] = ()
) -> Micros | None:
    """When the table acts if none of these questions is answered: after the first deadline and the network allowance.

    A bot of the seats `bots` needs no allowance. The deadline that stands goes on for a question without a clock. None
    when nobody is asked.
    """
    moments = [
        state.deadline if open_.clock is None else _acts_for(state, open_.seat, open_.clock, bots)
        for open_ in questions
        if not open_.private
    ]
    return min((moment for moment in moments if moment is not None), default=None)


def _acts_for(state: TableState, seat: Seat, clock: SeatClock, bots: tuple[Seat, ...]) -> Micros:
    return clock.deadline if seat in bots else clock.deadline + state.settings.control.network_allowance


def first_out(state: TableState) -> OpenQuestion | None:
    """The question for which the table acts first, if nobody answers it; None when nobody is asked."""
    waiting = [open_ for open_ in state.questions if not open_.private]
    return min(
        waiting,
        key=lambda open_: _acts_for(state, open_.seat, open_.clock, state.bots) if open_.clock else 0,
        default=None,
    )


def told_deadline(questions: tuple[OpenQuestion, ...], deadline: Micros | None) -> Micros | None:
    """The deadline that viewers are told: the first one of a seat that is asked, without the network allowance."""
    clocks = [open_.clock.deadline for open_ in questions if open_.clock is not None]
    return min(clocks, default=deadline)


def was_interrupted(state: TableState, resumed: Micros) -> bool:
    """Whether a clock that runs began before the last outage ended, so that its player lost time to it."""
    control = state.settings.control
    return any(
        open_.clock is not None
        and open_.seat not in state.bots
        and open_.clock.own_until - control.own_time(open_.kind) < resumed
        for open_ in state.questions
    )


def _used(state: TableState, open_: OpenQuestion, moment: Moment) -> TimeUsed:
    assert open_.clock is not None
    control, bank = state.settings.control, state.banks[open_.seat]
    own = control.own_time(open_.kind)
    began = max(open_.clock.own_until - own, moment.resumed)
    used = min(max(moment.counts - began, 0), own + bank)
    return TimeUsed(open_.seat, used, bank - max(used - own, 0))


def _runs_on(standing: OpenQuestion, question: Asked | PlayAsked, answered: Seat | None) -> bool:
    """Whether a question is the one that its seat has been asked before: while others answer theirs, its clock runs on."""
    return (
        standing.seat is question.seat and standing.seat is not answered and standing.kind is _kind(question)
    )


def _kind(question: Asked | PlayAsked) -> QuestionKind:
    return question.kind if isinstance(question, Asked) else QuestionKind.PLAY
