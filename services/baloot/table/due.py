"""What a table does by itself: the next deal, the default action of a seat that does not answer, a bot's for one away.

Asks the rule services and the bots; writes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from baloot.client.retrying import UNKNOWN_OUTCOME
from baloot.core.auction import Asked, QuestionKind
from baloot.core.errors import Refusal
from baloot.core.ruleset import UnnamedSuit
from baloot.core.seats import Seat
from baloot.table import absence, timing
from baloot.table import events as ev
from baloot.table.dealing import AddSeed, next_deal, waits_for_beacon
from baloot.table.decide import Action, ComeBack, answer, decided
from baloot.table.decision import Decision, same_again
from baloot.table.events import Micros, OpenQuestion, Status
from baloot.table.rules import Rules
from baloot.table.state import TableState

ByBot = Callable[[TableState, Seat], Awaitable[Action | None]]
"""What a bot does for a seat that is asked; None if it fails."""


async def due(
    rules: Rules, state: TableState, by_bot: ByBot, now: Micros, resumed: Micros = 0
) -> Decision | None:
    """What the table does by itself when its deadline has passed, or an outage has ended; None when it has ended.

    `resumed` is when the last outage ended.
    """
    if state.status.ended:
        return None
    if state.status is Status.OPEN:
        return decided(absence.never_filled(state, late=_was_away(state, now)))
    waiting = timing.first_out(state)
    if waiting is None:
        return _without_beacon(state, now) if waits_for_beacon(state) else await next_deal(rules, state)
    is_bot = waiting.seat in state.bots  # which loses nothing by being late
    if (_was_away(state, now) and not is_bot) or timing.was_interrupted(state, resumed):
        return replace(same_again(state, ev.ClockExtended()), restarts=True)
    if state.defaults_in_row >= ev.IDLE_AFTER_DEFAULTS:
        return Decision((ev.TableAbandoned(ev.AbandonReason.IDLE),), ends=Status.ABANDONED)
    if is_bot:
        return _missed(state, waiting.seat, await _played_by(by_bot, rules, state, waiting))
    if _asks_again(state, waiting):
        return replace(same_again(state, ev.AskedAgain(waiting.seat)), answered=waiting.seat)
    taken = await answer(rules, state, waiting.seat, waiting.question.default)
    return _missed(state, waiting.seat, replace(taken, by_default=True))


def _without_beacon(state: TableState, now: Micros) -> Decision:
    """What comes of it that a beacon was not given in time; nobody could give it while the table itself was away."""
    if _was_away(state, now):
        return Decision((ev.ClockExtended(),), wait=state.settings.fill_timeout)
    return Decision((ev.TableAbandoned(ev.AbandonReason.NO_BEACON),), ends=Status.ABANDONED)


async def _played_by(by_bot: ByBot, rules: Rules, state: TableState, waiting: OpenQuestion) -> Decision:
    """What a bot does for a seat; if it fails, or does what it may not, what the table would do."""
    action = await by_bot(state, waiting.seat)
    if action is not None and not isinstance(action, ComeBack | AddSeed):
        try:
            return await answer(rules, state, waiting.seat, action)
        except Refusal as refusal:
            if refusal.reason in UNKNOWN_OUTCOME:
                raise
    return await answer(rules, state, waiting.seat, waiting.question.default)


def _missed(state: TableState, seat: Seat, taken: Decision) -> Decision:
    """What a turn that a seat has missed brings about besides."""
    taken = replace(taken, answered=seat)
    if taken.ends is not None:
        return taken
    outcome = absence.after_missing(state, seat)
    questions = () if outcome.ends else taken.questions
    return replace(taken, events=(*taken.events, *outcome.events), questions=questions, ends=outcome.ends)


def _asks_again(state: TableState, waiting: OpenQuestion) -> bool:
    """Whether a buyer who has not named his suit in time is asked once more (2.9)."""
    round_ = state.round
    return (
        waiting.kind is QuestionKind.CONFIRM
        and state.settings.ruleset.unnamed_suit is UnnamedSuit.REPROMPT
        and isinstance(waiting.question, Asked)
        and any(call.suit is not None for call in waiting.question.legal)
        and round_ is not None
        and not round_.asked_again
    )


def _was_away(state: TableState, now: Micros) -> bool:
    """Whether the deadline passed long ago: then it was us who were away, and no seat shall lose a turn to that."""
    return state.deadline is not None and now - state.deadline > ev.LATE and not state.extended
