"""A match judged again from its log: what was done is taken from the entries, all that followed must come out the same.

The log is read once, entry by entry; the rules carry their state from one to the next. What the rules give is compared
with the stored events as bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from baloot.audit.deals import Deals, Lot
from baloot.audit.journal import Journal
from baloot.audit.payload import (
    CARD_BYTES,
    EVENT,
    SILENT_CARDS,
    Added,
    Beacon,
    Committed,
    Fact,
    committed_of,
    differences,
    event_bytes,
    events_of,
    fact_of,
    hands_of,
    hides,
    is_call,
    is_committed,
    is_revealed,
    name_of,
    revealed_of,
    seat_seed_of,
    token_of,
)
from baloot.audit.records import Audited, Code, Row, Unchecked
from baloot.audit.rounds import RoundJudge, silent_card
from baloot.audit.seating import Seating
from baloot.core.auction import Call, CutChoice
from baloot.core.cards import CARDS_IN_DECK
from baloot.core.deal import DealEnd
from baloot.core.errors import Refusal
from baloot.core.play import CardMove, Move, SawaMove
from baloot.core.ruleset import Cut, FirstDealer, IllegalPlay, ProjectShow, UnnamedSuit, require_playable
from baloot.core.ruleset import Akka, BalootSaying
from baloot.core.seats import SEATS, Position, Seat
from baloot.dealing.rules import next_dealer
from baloot.table import events as ev
from baloot.table import identity
from baloot.table.events import AbandonReason, Status
from baloot.table.payload import Unreadable
from baloot.table.presence import PresenceChanged
from baloot.table.sealing import is_sealed

Open = Callable[[int, bytes], bytes]
"""Opens the sealed secret half of an entry, told by its number. May raise CannotOpen."""


class Astray(Exception):
    """The entry cannot have come next, so nothing can be said of what follows in its round."""

    def __init__(self, code: Code, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.detail = detail


class Sealed(Exception):
    """What is needed is sealed, and the key is not at hand."""


class Judge:
    """Judges the entries of one match, given in their order."""

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

    def judge(self, rows: Sequence[Row]) -> None:
        """Judges all entries. Whatever is in them, it says what is wrong and goes on where it can."""
        at = 0
        while (at := self._silent_cards(rows, at)) < len(rows):
            row = rows[at]
            at += 1
            self._journal.sequence = row.sequence
            try:
                self._take(row)
            except Sealed:
                self._audited.could_not(Unchecked.SEALED)
                return
            except Astray as wrong:
                self._go_astray(row, wrong.code, str(wrong), wrong.detail)
            except Refusal as refusal:
                detail = f"{refusal.reason.name}, rule {refusal.rule}" if refusal.rule else refusal.reason.name
                self._go_astray(row, Code.ILLEGAL, "what was done is against the rules", detail)
            except Exception as error:  # damage has any form, and none of it may end an audit
                self._go_astray(row, Code.UNREADABLE, "the entry is not what this version writes", str(error))
            if self._table is None:
                return
        self._end()

    def _end(self) -> None:
        if len(set(self._requests)) != len(self._requests):
            twice = next(key for key in self._requests if self._requests.count(key) > 1)
            self._journal.at(0, Code.REQUEST, f"the request {twice[-16:].hex()} was carried out twice")
        if (unrevealed := self._deals.seeds_unrevealed) > 0:
            self._audited.unchecked[Unchecked.SEEDS] = unrevealed
        if self._deals.last and not self._deals.lot_checked:
            self._audited.could_not(Unchecked.LOT)

    # One entry.

    def _take(self, row: Row) -> None:
        table = self._table
        if table is None:
            self._create(row)
            return
        if table.over:
            raise Astray(Code.ORDER, "the table had ended")
        events = events_of(row.payload)
        fact = self._fact(row, events[0] if events else b"")
        if self._lost and not self._begins(fact):
            self._skip(row)
            return
        expected = self._turn(row, table, fact, events)
        self._compare(row, expected, events)
        table.acted(row)
        if row.status != table.status.value:
            self._journal.wrong(Code.COLUMN, f"the status is {row.status} and should be {table.status.value}")
        self._check_request(row, table, fact)

    def _silent_cards(self, rows: Sequence[Row], at: int) -> int:
        """Judges cards of players who say nothing with them, from a row on; returns the first row that is something else.

        Most entries are such cards, so they have a short way. What is unusual or wrong about one is left to the long way.
        """
        table, judged = self._table, self._round
        if table is None or judged is None or table.bots or self._lost or (state := judged.play) is None:
            return at
        holders, requests, known = table.holders, self._requests, SILENT_CARDS.get
        for row in rows[at : at + CARDS_IN_DECK]:
            payload = row.payload
            card = known(payload[:CARD_BYTES])
            if card is None or row.actor != card.seat or row.by_default or row.status != _PLAYING:
                break
            if self._says_more and hides(self._secret(row)):
                break
            after, trick = silent_card(state, card.seat, card.move)
            if after is None or not _is_rest(payload, CARD_BYTES, trick):
                break
            state, at = after, at + 1
            requests.append((holders[card.seat] or b"") + row.request_id)
            table.acted(row)
        judged.play = state
        return at

    def _fact(self, row: Row, event: bytes) -> Fact:
        if is_call(event):  # it hides nothing, and opening takes time
            return fact_of(event, b"")
        known = SILENT_CARDS.get(event)
        secret = self._secret(row)
        return known if known is not None and not hides(secret) else fact_of(event, secret)

    def _secret(self, row: Row) -> bytes:
        if not is_sealed(row.secret):
            return row.secret
        if self._open is None:
            raise Sealed
        return self._open(row.sequence, row.secret)

    def _begins(self, fact: Fact) -> bool:
        return isinstance(fact, ev.RoundOpened) or (isinstance(fact, ev.RoundDealt) and fact.cut is None)

    def _turn(self, row: Row, table: Seating, fact: Fact, events: list[bytes]) -> list[bytes]:
        """The events that the entry must hold."""
        if isinstance(fact, ev.PlayerReturned):
            self._act(row, fact.seat)
            if fact.seat not in table.bots:
                raise Astray(Code.ORDER, f"{fact.seat} is back, and was not away")
            table.follow((fact,))
            if len(events) == 1:
                return [event_bytes(fact)]
            further = self._fact(row, events[1])
            return [event_bytes(fact), *self._turn(row, table, further, events[1:])]
        handle = _HANDLE.get(type(fact))
        if handle is None:
            raise Astray(Code.ORDER, f"no entry begins with {type(fact).__name__}")
        expected: list[bytes] = handle(self, row, table, fact)
        return expected

    def _compare(self, row: Row, expected: list[bytes], events: list[bytes]) -> None:
        """Says where the stored events are others than those expected, but for seeds that only the log knows."""
        if events != expected:
            self._compare_each(row, expected, self._revealing(events, expected))
        else:
            self._reveal(None)
        if self._round is not None and self._round.hands is not None:
            if hands_of(self._secret(row)) != self._round.hands:
                self._journal.wrong(Code.HANDS, "the eight cards of the seats are not those of the deck")
            self._round.hands = None

    def _revealing(self, stored: list[bytes], expected: list[bytes]) -> list[bytes]:
        """Takes commitments and seeds, which end an entry, from its events and checks them."""
        *rest, last = stored
        revealed = last if is_revealed(last) else None
        if revealed is None:
            rest = stored
        if len(rest) > 1 and len(rest) > len(expected) and is_committed(rest[-1]):
            self._deals.commit(committed_of(rest.pop()))
        self._reveal(revealed)
        return rest

    def _reveal(self, revealed: bytes | None) -> None:
        table = self._table
        assert table is not None
        due = self._deals_over
        if revealed is None and not due:
            return
        told = None if revealed is None else revealed_of(revealed)
        self._deals.reveal(told, due, Lot(table.settings.ruleset, table.settings.lost_before))
        self._deals_over = 0

    _deals_over = 0
    """The number of the last deal whose seed must be revealed in the entry that is looked at; 0 for none."""

    def _compare_each(self, row: Row, expected: list[bytes], stored: list[bytes]) -> None:
        for place in range(max(len(expected), len(stored))):
            wanted = expected[place] if place < len(expected) else b""
            there = stored[place] if place < len(stored) else b""
            if wanted != there and not self._is_old_sheet(there):
                self._tell_difference(row, place, wanted, there)
                return

    def _is_old_sheet(self, event: bytes) -> bool:
        """Whether an event is the right sheet, from before sheets had sentences."""
        judged = self._round
        return judged is not None and judged.score is not None and event == judged.plain_sheet()

    def _tell_difference(self, row: Row, place: int, wanted: bytes, there: bytes) -> None:
        name = name_of(wanted or there)
        code = _CODES.get(name, Code.EVENT)
        if not wanted:
            self._journal.wrong(code, f"{name} is told, and did not follow")
        elif not there or name_of(there) != name:
            self._journal.wrong(code, f"{name} had to follow, and is not told")
        elif place == 0 and row.by_default:
            self._journal.wrong(Code.DEFAULT, f"{name} is not the default action", differences(wanted, there))
        else:
            self._journal.wrong(code, f"{name} is not what follows", differences(wanted, there))

    def _check_request(self, row: Row, table: Seating, fact: Fact) -> None:
        """No request twice, and the table's own steps under the id that all processes derive for them."""
        if isinstance(fact, ev.SeatTaken):
            self._note_request(identity.ANYBODY, row)
        elif row.actor is None:
            self._check_own(row, fact)
        elif (holder := table.holders[row.actor]) is not None:
            self._note_request(holder, row)

    def _note_request(self, scope: bytes, row: Row) -> None:
        self._requests.append(scope + row.request_id)

    def _check_own(self, row: Row, fact: Fact) -> None:
        if isinstance(fact, Beacon | Added | Committed):
            return
        wanted = identity.own_step(self._match, row.sequence)
        if isinstance(fact, PresenceChanged):
            wanted = identity.presence_step(self._match, row.sequence, fact.owner)
        if row.request_id != wanted.bytes:
            self._journal.wrong(Code.COLUMN, "the request id is not that of the table's own step")

    # Going astray.

    def _go_astray(self, row: Row, code: Code, sentence: str, detail: str) -> None:
        self._journal.wrong(code, sentence, detail)
        if self._table is None or self._table.status.ended:
            return
        self._lost = True
        self._skip(row)

    def _skip(self, row: Row) -> None:
        """Takes from an entry that cannot be judged how the round, or the match, ends by it."""
        table = self._table
        assert table is not None
        try:
            facts = [fact_of(event, b"") for event in events_of(row.payload) if name_of(event) in _ENDINGS]
        except Unreadable:
            return
        for fact in facts:
            if isinstance(fact, ev.RoundScored):
                self._scores = fact.score.totals
            if isinstance(fact, ev.MatchEnded | ev.MatchForfeited | ev.TableAbandoned):
                table.status = Status.ABANDONED if isinstance(fact, ev.TableAbandoned) else Status.FINISHED
            self._journal.round_over()
            self._lost_dealer = True
            self._round = self._pending = None

    # The table.

    def _create(self, row: Row) -> None:
        events = events_of(row.payload)
        fact = self._fact(row, events[0] if events else b"")
        if not isinstance(fact, ev.TableCreated):
            raise Astray(Code.ORDER, "the log does not begin with the opening of the table")
        require_playable(fact.settings.ruleset)
        table = self._table = Seating(self._match, fact.settings)
        ruleset = fact.settings.ruleset
        self._says_more = (
            ruleset.baloot is not BalootSaying.AUTO or ruleset.project_show is ProjectShow.MANUAL_SECOND_TRICK
        )
        self._compare(row, [event_bytes(fact)], events)
        self._note_request(identity.ANYBODY, row)
        if row.actor is not None or row.by_default:
            self._journal.wrong(Code.ACTOR, "a table is opened by nobody at it")
        if row.status != table.status.value:
            self._journal.wrong(Code.COLUMN, f"the status is {row.status} and should be {table.status.value}")

    def _act(self, row: Row, seat: Seat) -> None:
        """The entry must be told as done by this seat."""
        if row.actor != seat or row.by_default:
            self._journal.wrong(Code.ACTOR, f"{seat} acts, and the entry is told otherwise")

    def _own(self, row: Row) -> None:
        """The entry must be told as a step of the table itself."""
        if row.actor is not None or row.by_default:
            self._journal.wrong(Code.ACTOR, "the table acts, and the entry is told otherwise")

    def _seat_taken(self, row: Row, table: Seating, fact: ev.SeatTaken) -> list[bytes]:
        self._act(row, fact.seat)
        if table.status is not Status.OPEN or table.holders[fact.seat] is not None:
            raise Astray(Code.ORDER, f"the seat {fact.seat} is taken, and was not free")
        event = events_of(row.payload)[0]
        table.holders[fact.seat] = fact.token_hash
        self._deals.seat_taken(fact.seat, seat_seed_of(event))
        if row.holder != token_of(row.payload):
            self._journal.wrong(Code.COLUMN, "the holder is not the one in the entry")
        if None in table.holders:
            return [event]
        table.status = Status.PLAYING
        return [event, event_bytes(ev.MatchStarted())]

    def _seat_left(self, row: Row, table: Seating, fact: ev.SeatLeft) -> list[bytes]:
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

    def _given_up(self, row: Row, table: Seating, fact: ev.TableAbandoned | ev.MatchForfeited) -> list[bytes]:
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

    def _stands(self, row: Row, table: Seating, fact: Any) -> list[bytes]:
        """What changes nothing in the game."""
        self._own(row)
        if isinstance(fact, ev.ClockExtended) and not (self._live or self._pending is not None):
            raise Astray(Code.ORDER, "the clocks are extended, and nobody is asked")
        if isinstance(fact, ev.AskedAgain) and not (
            self._live and table.settings.ruleset.unnamed_suit is UnnamedSuit.REPROMPT
        ):
            raise Astray(Code.ORDER, f"{fact.seat} is asked again, and was not asked")
        return [event_bytes(fact)]

    @property
    def _live(self) -> bool:
        return self._round is not None and self._round.end is None

    # Deals.

    def _committed(self, row: Row, _table: Seating, fact: Committed) -> list[bytes]:
        self._own(row)
        self._deals.commit(fact)
        return events_of(row.payload)[:1]

    def _added(self, row: Row, _table: Seating, fact: Added) -> list[bytes]:
        self._act(row, fact.seat)
        self._deals.add(fact)
        return events_of(row.payload)[:1]

    def _beacon(self, row: Row, _table: Seating, fact: Beacon) -> list[bytes]:
        self._deals.give_beacon(fact)
        return events_of(row.payload)[:1]

    def _opened(self, row: Row, table: Seating, fact: ev.RoundOpened) -> list[bytes]:
        self._own(row)
        self._begin(table, fact.dealer, fact.number)
        if table.settings.ruleset.cut is not Cut.PRIVILEGES:
            raise Astray(Code.ORDER, "a deck is cut, and the rule set has no such cut")
        self._deals.open(fact.number, fact.dealer, fact.seed.commitment)
        self._pending = fact.dealer
        return [event_bytes(fact)]

    def _begin(self, table: Seating, dealer: Seat, number: int) -> None:
        """A round may begin now, and this seat deals."""
        if table.status is not Status.PLAYING or (self._live and not self._lost) or self._pending is not None:
            raise Astray(Code.ORDER, "a round begins in the middle of another one")
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

    def _dealt(self, row: Row, table: Seating, fact: ev.RoundDealt) -> list[bytes]:
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

    def _called(self, row: Row, table: Seating, fact: ev.CallMade | ev.AnswerGiven) -> list[bytes]:
        judged = self._playing()
        self._seat_acts(row, table, fact.seat)
        call: Call | None = None if row.by_default else fact.call
        return self._stepped(row, table, fact.seat, judged.call(fact.seat, call))

    def _card(self, row: Row, table: Seating, fact: ev.CardPlayed) -> list[bytes]:
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

    def _claimed(self, row: Row, table: Seating, fact: ev.SawaClaimed | ev.QaidClaimed) -> list[bytes]:
        judged = self._playing()
        seat = fact.seat if isinstance(fact, ev.SawaClaimed) else fact.qaid.claimer
        move: Move = SawaMove() if isinstance(fact, ev.SawaClaimed) else fact.qaid.claim
        self._seat_acts(row, table, seat)
        return self._stepped(row, table, seat, judged.move(seat, None if row.by_default else move))

    def _accepted(self, row: Row, table: Seating, fact: ev.RoundAccepted) -> list[bytes]:
        judged = self._playing()
        self._seat_acts(row, table, fact.seat)
        return self._stepped(row, table, fact.seat, judged.accept(fact.seat))


_NO_BEACON = next(
    (ev.TableAbandoned(reason) for reason in AbandonReason if reason.name == "NO_BEACON"), None
)

_PLAYING = Status.PLAYING.value


def _is_rest(payload: bytes, at: int, events: bytes) -> bool:
    """Whether these are all further events of an entry from a place on."""
    size = at + len(events)
    return payload.startswith(events, at) and payload[size : size + 1] != EVENT


_ENDINGS = ("round_scored", "deal_void", "match_ended", "match_forfeited", "table_abandoned")
_CODES = {
    "round_scored": Code.SHEET,
    "match_ended": Code.WINNER,
    "match_forfeited": Code.WINNER,
    "dealt": Code.HANDS,
    "seeds_revealed": Code.SEED,
    "deals_committed": Code.COMMITMENT,
}
"""The code of an event that is not what follows; EVENT for all others."""

_HANDLE: dict[type, Callable[[Judge, Row, Seating, Any], list[bytes]]] = {
    ev.SeatTaken: Judge._seat_taken,
    ev.SeatLeft: Judge._seat_left,
    ev.TableAbandoned: Judge._given_up,
    ev.MatchForfeited: Judge._given_up,
    ev.ClockExtended: Judge._stands,
    ev.AskedAgain: Judge._stands,
    PresenceChanged: Judge._stands,
    Committed: Judge._committed,
    Added: Judge._added,
    Beacon: Judge._beacon,
    ev.RoundOpened: Judge._opened,
    ev.RoundDealt: Judge._dealt,
    ev.CallMade: Judge._called,
    ev.AnswerGiven: Judge._called,
    ev.CardPlayed: Judge._card,
    ev.SawaClaimed: Judge._claimed,
    ev.QaidClaimed: Judge._claimed,
    ev.RoundAccepted: Judge._accepted,
}
"""What judges an entry, by its first event."""
