"""A match judged again from its log: what was done is taken from the entries, all that followed must come out the same.

The log is read once, entry by entry; the rules carry their state from one to the next. What the rules give is compared
with the stored events as bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from baloot.audit.course import HANDLE, Astray, Course
from baloot.audit.deals import Lot
from baloot.audit.payload import (
    CARD_BYTES,
    EVENT,
    SILENT_CARDS,
    Added,
    Beacon,
    Committed,
    Fact,
    committed_of,
    created_bytes,
    differences,
    event_bytes,
    events_of,
    fact_of,
    hides,
    holds_hands,
    is_call,
    is_committed,
    is_revealed,
    name_of,
    revealed_of,
)
from baloot.audit.records import Code, Row, Unchecked
from baloot.audit.rounds import silent_card
from baloot.audit.seating import Seating
from baloot.core.cards import CARDS_IN_DECK
from baloot.core.errors import Refusal
from baloot.core.playable import require_playable
from baloot.core.ruleset import BalootSaying, ProjectShow
from baloot.table import events as ev
from baloot.table import identity
from baloot.table.events import PresenceChanged, Status
from baloot.table.payload import Unreadable
from baloot.table.sealing import is_sealed


class Sealed(Exception):
    """What is needed is sealed, and the key is not at hand."""


class Judge(Course):
    """Judges the entries of one match, given in their order."""

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
                detail = (
                    f"{refusal.reason.name}, rule {refusal.rule}" if refusal.rule else refusal.reason.name
                )
                self._go_astray(row, Code.ILLEGAL, "what was done is against the rules", detail)
            except Exception as error:  # noqa: BLE001 - damage has any form, and none of it may end an audit
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
        if not isinstance(fact, Added):  # which an app may send by itself
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
        all_here = table.all_here
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
            if not all_here:
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
        handle = HANDLE.get(type(fact))
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
        if self._commitments_due:
            first, self._commitments_due = self._commitments_due, 0
            self._journal.wrong(Code.COMMITMENT, f"deals {first} and on have to be committed to, and are not")
        if self._round is not None and self._round.hands is not None:
            if not holds_hands(self._secret(row), self._round.hands):
                self._journal.wrong(Code.HANDS, "the eight cards of the seats are not those of the deck")
            self._round.hands = None

    def _revealing(self, stored: list[bytes], expected: list[bytes]) -> list[bytes]:
        """Takes commitments and seeds, which end an entry, from its events and checks them."""
        *rest, last = stored
        revealed = last if is_revealed(last) else None
        if revealed is None:
            rest = stored
        if len(rest) > 1 and len(rest) > len(expected) and is_committed(rest[-1]):
            opening = self._deals.last == 0
            self._deals.commit(committed_of(rest.pop()), due=opening or bool(self._commitments_due))
            self._commitments_due = 0
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
        """Takes from an entry that cannot be judged how the round, or the match, ends by it, and the seeds it tells."""
        try:
            for event in events_of(row.payload):
                name = name_of(event)
                if name in _ENDINGS:
                    self._skip_to_end(fact_of(event, b""))
                elif name == "deals_committed":
                    self._deals.commit(committed_of(event))
                elif name == "seeds_revealed":
                    self._reveal(event)
        except Unreadable:
            return

    def _skip_to_end(self, fact: Fact) -> None:
        table = self._table
        assert table is not None
        if isinstance(fact, ev.RoundScored):
            self._scores = fact.score.totals
        if isinstance(fact, ev.MatchEnded | ev.MatchForfeited | ev.TableAbandoned):
            table.status = Status.ABANDONED if isinstance(fact, ev.TableAbandoned) else Status.FINISHED
        self._journal.round_over()
        self._lost_dealer = True
        self._round = self._pending = None

    def _create(self, row: Row) -> None:
        events = events_of(row.payload)
        fact = fact_of(events[0] if events else b"", b"")
        if not isinstance(fact, ev.TableCreated):
            raise Astray(Code.ORDER, "the log does not begin with the opening of the table")
        require_playable(fact.settings.ruleset)
        table = self._table = Seating(self._match, fact.settings)
        ruleset = fact.settings.ruleset
        self._says_more = (
            ruleset.baloot is not BalootSaying.AUTO or ruleset.project_show is ProjectShow.MANUAL_SECOND_TRICK
        )
        self._compare(row, [created_bytes(fact)], events)
        self._note_request(identity.ANYBODY, row)
        if row.actor is not None or row.by_default:
            self._journal.wrong(Code.ACTOR, "a table is opened by nobody at it")
        if row.status != table.status.value:
            self._journal.wrong(Code.COLUMN, f"the status is {row.status} and should be {table.status.value}")


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
