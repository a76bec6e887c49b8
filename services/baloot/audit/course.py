"""What happens at a table, entry by entry: whether it could happen then, and what had to follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from baloot.audit.deals import Deals
from baloot.audit.journal import Journal
from baloot.audit.payload import (
    Added,
    Beacon,
    Committed,
    event_bytes,
    events_of,
    token_of,
)
from baloot.audit.records import Audited, Code, Row
from baloot.audit.rounds import RoundJudge
from baloot.audit.seating import Seating
from baloot.core.auction import Call, CutChoice
from baloot.core.deal import DealEnd
from baloot.core.play import Move, SawaMove
from baloot.core.ruleset import (
    Cut,
    FirstDealer,
    UnnamedSuit,
)
from baloot.core.seats import SEATS, Position, Seat
from baloot.dealing.rules import next_dealer
from baloot.table import events as ev
from baloot.table.events import AbandonReason, PresenceChanged, Status

Open = Callable[[int, bytes], bytes]
"""Opens the sealed secret half of an entry, told by its number. May raise CannotOpen."""


class Astray(Exception):
    """The entry cannot have come next, so nothing can be said of what follows in its round."""

    def __init__(self, code: Code, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.detail = detail


class Course:
    """Follows one match. Each step gives the events that its entry must hold, as bytes, or raises Astray or Refusal."""

    def __init__(self, match: UUID, audited: Audited, journal: Journal, open_: Open | None) -> None:
        self._match = match
        self._audited = audited
        self._journal = journal
        self._open = open_
        self._deals = Deals(match.bytes, journal.wrong)
        self._table: Seating | None = None
        self._round: RoundJudge | None = None
        self._pending: Seat | None = None
        """The dealer of a round whose deck is cut."""
        self._scores = (0, 0)
        self._last: tuple[Seat, DealEnd] | None = None
        self._lost = False
        """Whether the round went astray, so that nothing of it can be judged any more."""
        self._lost_dealer = False
        self._requests: list[bytes] = []
        """The requests that were carried out, each behind the holder who sent it."""
        self._says_more = True
        """Whether more may be said with a card than everybody hears."""
        self._deals_over = 0
        """The number of the last deal whose seed must be revealed in the entry that is looked at; 0 for none."""
        self._commitments_due = 0
        """The first deal that must be committed to in the entry that is looked at; 0 for none."""

    def _note_request(self, scope: bytes, row: Row) -> None:
        self._requests.append(scope + row.request_id)

    def _act(self, row: Row, seat: Seat) -> None:
        """The entry must be told as done by this seat."""
        if row.actor != seat or row.by_default:
            self._journal.wrong(Code.ACTOR, f"{seat} acts, and the entry is told otherwise")

    def _own(self, row: Row) -> None:
        """The entry must be told as a step of the table itself."""
        if row.actor is not None or row.by_default:
            self._journal.wrong(Code.ACTOR, "the table acts, and the entry is told otherwise")

    def seat_taken(self, row: Row, table: Seating, fact: ev.SeatTaken) -> list[bytes]:
        self._act(row, fact.seat)
        if table.status is not Status.OPEN or table.holders[fact.seat] is not None:
            raise Astray(Code.ORDER, f"the seat {fact.seat} is taken, and was not free")
        event, holder = events_of(row.payload)[0], token_of(row.payload)
        table.holders[fact.seat] = holder
        self._deals.seat_taken(fact.seat, fact.seat_seed)
        if row.holder != holder:
            self._journal.wrong(Code.COLUMN, "the holder is not the one in the entry")
        if None in table.holders:
            return [event]
        table.status = Status.PLAYING
        return [event, event_bytes(ev.MatchStarted())]

    def seat_left(self, row: Row, table: Seating, fact: ev.SeatLeft) -> list[bytes]:
        self._act(row, fact.seat)
        if table.holders[fact.seat] is None:
            raise Astray(Code.ORDER, f"the seat {fact.seat} is left, and was free")
        if table.status is Status.OPEN:
            self._check_left(row, table, fact.seat)
            return [event_bytes(fact)]
        outcome = table.left(fact.seat)
        self._ended_here(table)
        return [event_bytes(fact), *map(event_bytes, outcome.events)]

    def _check_left(self, row: Row, table: Seating, seat: Seat) -> None:
        self._note_request(table.holders[seat] or b"", row)
        table.holders[seat] = None
        self._deals.seat_left(seat)

    def given_up(self, row: Row, table: Seating, fact: ev.TableAbandoned | ev.MatchForfeited) -> list[bytes]:
        self._own(row)
        idle = isinstance(fact, ev.TableAbandoned) and fact.reason is AbandonReason.IDLE
        if table.status is Status.OPEN and not idle:
            outcomes = table.never_filled()
            outcome = next((one for one in outcomes if one.events == (fact,)), outcomes[0])
            table.status = outcome.ends or table.status
            return [event_bytes(event) for event in outcome.events]
        waits = self._round is None and fact == _NO_BEACON
        if not waits and not (idle and table.idle):
            raise Astray(Code.ORDER, "the match is given up without a reason")
        table.status = Status.ABANDONED
        self._ended_here(table)
        return [event_bytes(fact)]

    def _ended_here(self, table: Seating) -> None:
        if table.status.ended:
            self._deals_over = self._deals.last

    def stands(self, row: Row, table: Seating, fact: Any) -> list[bytes]:
        """What changes nothing in the game."""
        self._own(row)
        if isinstance(fact, ev.ClockExtended) and not (
            self._live or self._pending is not None or self._waits_for_beacon(table)
        ):
            raise Astray(Code.ORDER, "the clocks are extended, and nobody is asked")
        if isinstance(fact, ev.AskedAgain) and not (
            self._live and table.settings.ruleset.unnamed_suit is UnnamedSuit.REPROMPT
        ):
            raise Astray(Code.ORDER, f"{fact.seat} is asked again, and was not asked")
        return [event_bytes(fact)]

    def _waits_for_beacon(self, table: Seating) -> bool:
        return bool(table.settings.beacon) and not self._deals.beacon

    @property
    def _live(self) -> bool:
        return self._round is not None and self._round.end is None

    # Deals.

    def committed(self, row: Row, _table: Seating, fact: Committed) -> list[bytes]:
        self._own(row)
        self._deals.commit(fact, due=self._deals.committed <= self._deals.last)
        return events_of(row.payload)[:1]

    def added(self, row: Row, _table: Seating, fact: Added) -> list[bytes]:
        self._act(row, fact.seat)
        self._deals.add(fact)
        return events_of(row.payload)[:1]

    def beacon(self, row: Row, table: Seating, fact: Beacon) -> list[bytes]:
        if not table.settings.beacon or table.status is not Status.PLAYING:
            raise Astray(Code.ORDER, "a beacon is given, and nobody waits for one")
        self._deals.give_beacon(fact)
        return events_of(row.payload)[:1]

    def opened(self, row: Row, table: Seating, fact: ev.RoundOpened) -> list[bytes]:
        self._own(row)
        self._begin(table, fact.dealer, fact.number)
        if table.settings.ruleset.cut is not Cut.PRIVILEGES:
            raise Astray(Code.ORDER, "a deck is cut, and the rule set has no such cut")
        self._deals.open(fact.number, fact.dealer, fact.sealed_seed.commitment)
        self._pending = fact.dealer
        return [event_bytes(fact)]

    def _begin(self, table: Seating, dealer: Seat, number: int) -> None:
        """A round may begin now, and this seat deals."""
        if table.status is not Status.PLAYING or (self._live and not self._lost) or self._pending is not None:
            raise Astray(Code.ORDER, "a round begins in the middle of another one")
        if self._waits_for_beacon(table):
            self._journal.wrong(Code.SEED, "a deal begins without the beacon of the table")
        self._deals_over = number - 1
        self._round, self._lost = None, False
        if self._lost_dealer:
            self._lost_dealer = False
            return
        self._check_dealer(table, dealer)

    def _check_dealer(self, table: Seating, dealer: Seat) -> None:
        ruleset, lost = table.settings.ruleset, table.settings.lost_before
        if self._last is not None:
            wanted: Sequence[Seat] = (next_dealer(*self._last, ruleset),)
        else:
            losing = ruleset.first_dealer is FirstDealer.LOSING_TEAM and lost is not None
            wanted = lost.seats if losing and lost is not None else SEATS
        if dealer not in wanted:
            named = " or ".join(map(str, wanted))
            self._journal.wrong(Code.DEALER, f"{dealer} deals, and {named} had to")

    def dealt(self, row: Row, table: Seating, fact: ev.RoundDealt) -> list[bytes]:
        number, missed = fact.dealt.number, False
        if fact.cut is None:
            self._own(row)
            self._begin(table, fact.dealer, number)
            if table.settings.ruleset.cut is Cut.PRIVILEGES:
                raise Astray(Code.ORDER, "the deck is dealt, and had to be cut first")
            self._deals.open(number, fact.dealer, fact.dealt.commitment)
        else:
            missed = self._cut(row, table, fact)
        self._deals.deal(fact.dealt)
        self._commitments_due = self._deals.due_after(number)
        self._round = RoundJudge(fact.dealer, fact.deck, self._scores, table.settings.ruleset)
        return [event_bytes(fact), *(self._missing(table, Position.S3.seat(fact.dealer)) if missed else ())]

    def _cut(self, row: Row, table: Seating, fact: ev.RoundDealt) -> bool:
        """The deck is cut and dealt; returns whether the cutter missed its turn."""
        if self._pending is None:
            raise Astray(Code.ORDER, "the deck is cut, and no round was opened")
        if fact.dealer is not self._pending:
            self._journal.wrong(Code.DEALER, f"{fact.dealer} deals, and {self._pending} had to")
        self._seat_acts(row, table, Position.S3.seat(self._pending))
        if row.by_default and fact.cut is not CutChoice.GO_ON:
            self._journal.wrong(Code.DEFAULT, "a deck that nobody cuts is dealt as it lies")
        if fact.cut is CutChoice.RESHUFFLE:
            self._deals.open(fact.dealt.number, self._pending, fact.dealt.commitment)
            self._deals_over = fact.dealt.number - 1
        self._pending = None
        return row.actor is None

    # The round.

    def _seat_acts(self, row: Row, table: Seating, seat: Seat) -> None:
        """The seat acts, or something is done for it: by default, or by the bot that plays for it."""
        if row.actor is None:
            if not row.by_default and seat not in table.bots:
                self._journal.wrong(Code.ACTOR, f"nobody acts for {seat}, and no bot plays for it")
            if row.by_default and table.idle:
                self._journal.wrong(Code.ORDER, "the table had to be given up, since nobody acts")
        elif row.actor != seat or row.by_default or seat in table.bots:
            self._journal.wrong(Code.ACTOR, f"{seat} acts, and the entry is told otherwise")

    def _missing(self, table: Seating, seat: Seat) -> list[bytes]:
        """What comes of it that a seat has missed its turn."""
        return [event_bytes(event) for event in table.missed(seat).events]

    def _stepped(self, row: Row, table: Seating, seat: Seat, events: list[bytes]) -> list[bytes]:
        """What a step of the round brings about besides."""
        judged = self._round
        assert judged is not None
        if judged.end is not None:
            self._round_over(table, judged)
        if row.actor is None and not table.status.ended:
            events = [*events, *self._missing(table, seat)]
            self._ended_here(table)
        return events

    def _round_over(self, table: Seating, judged: RoundJudge) -> None:
        assert judged.end is not None
        self._last = judged.dealer, judged.end
        self._audited.rounds += 1
        if judged.score is not None:
            self._deals_over = self._deals.last
            self._scores = judged.score.totals
            if judged.score.winner is not None:
                table.status = Status.FINISHED
            if not judged.adds_up():
                self._journal.wrong(Code.POINTS, "cards or sheet of the round do not add up")
        self._journal.round_over()

    def _playing(self) -> RoundJudge:
        if self._round is None or self._round.end is not None:
            raise Astray(Code.ORDER, "no round is played")
        return self._round

    def called(self, row: Row, table: Seating, fact: ev.CallMade | ev.AnswerGiven) -> list[bytes]:
        judged = self._playing()
        self._seat_acts(row, table, fact.seat)
        call: Call | None = None if row.by_default else fact.call
        return self._stepped(row, table, fact.seat, judged.call(fact.seat, call))

    def card(self, row: Row, table: Seating, fact: ev.CardPlayed) -> list[bytes]:
        judged = self._round
        if judged is None or judged.end is not None:
            raise Astray(Code.ORDER, "no round is played")
        seat = fact.seat
        if row.actor != seat or row.by_default or table.bots:
            self._seat_acts(row, table, seat)
        events = judged.move(seat, None if row.by_default else fact.move)
        if row.actor is None or judged.end is not None:
            return self._stepped(row, table, seat, events)
        return events

    def claimed(self, row: Row, table: Seating, fact: ev.SawaClaimed | ev.QaidClaimed) -> list[bytes]:
        judged = self._playing()
        seat = fact.seat if isinstance(fact, ev.SawaClaimed) else fact.qaid.claimer
        move: Move = SawaMove() if isinstance(fact, ev.SawaClaimed) else fact.qaid.claim
        self._seat_acts(row, table, seat)
        return self._stepped(row, table, seat, judged.move(seat, None if row.by_default else move))

    def accepted(self, row: Row, table: Seating, fact: ev.RoundAccepted) -> list[bytes]:
        judged = self._playing()
        self._seat_acts(row, table, fact.seat)
        return self._stepped(row, table, fact.seat, judged.accept(fact.seat))


_NO_BEACON = next((ev.TableAbandoned(reason) for reason in AbandonReason if reason.name == "NO_BEACON"), None)

HANDLE: dict[type, Callable[[Course, Row, Seating, Any], list[bytes]]] = {
    ev.SeatTaken: Course.seat_taken,
    ev.SeatLeft: Course.seat_left,
    ev.TableAbandoned: Course.given_up,
    ev.MatchForfeited: Course.given_up,
    ev.ClockExtended: Course.stands,
    ev.AskedAgain: Course.stands,
    PresenceChanged: Course.stands,
    Committed: Course.committed,
    Added: Course.added,
    Beacon: Course.beacon,
    ev.RoundOpened: Course.opened,
    ev.RoundDealt: Course.dealt,
    ev.CallMade: Course.called,
    ev.AnswerGiven: Course.called,
    ev.CardPlayed: Course.card,
    ev.SawaClaimed: Course.claimed,
    ev.QaidClaimed: Course.claimed,
    ev.RoundAccepted: Course.accepted,
}
"""What judges an entry, by its first event."""
