"""Telling a table as it happens, so that a person can follow it line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baloot.api.table.v1 import events_pb2 as ev
from baloot.api.table.v1.table_pb2 import TableView
from baloot.app.terminal.cards import card_text, cards_text, hand_text
from baloot.app.terminal.claims import why_wrong
from baloot.app.terminal.language import Language
from baloot.app.terminal.names import (
    bidding_of,
    bought_text,
    call_text,
    contract_text,
    player_names,
    project_text,
    read_contract,
)
from baloot.app.terminal.sheet import Row, match_sheet, round_sheet
from baloot.app.terminal.table import draw_table, open_hand_lines, score_text, trick_lines
from baloot.app.terminal.terms import Word, comma, say
from baloot.client.deals import Misfit
from baloot.client.watching import Update
from baloot.codec.enums import CARD, CUT_CHOICE, PROJECT_KIND, QAID_GROUND, SEAT, TEAM
from baloot.core.cards import Card
from baloot.core.contract import Contract
from baloot.table.codec import FORFEIT_REASON
from rich.console import Console
from rich.text import Text

_MISFITS = {misfit: Word[f"MISFIT_{misfit.name}"] for misfit in Misfit}

CONTINUED = "     "
LATE_MARK = "⌛"
"""Beside what the table did for a seat that did not answer in time."""


class Narrator:
    """Prints every call and card of one table when it comes; calls and the cards of a trick share a line.

    `rows` are the rounds that were scored while it was told.
    """

    def __init__(self, console: Console, language: Language = Language.ENGLISH) -> None:
        self._console = console
        self._language = language
        self._column = 0
        self._after_trick: list[Text] = []
        self._contract: Contract | None = None
        self._view = TableView()
        self._gone: set[int] = set()
        """Whose connection is lost."""
        self.rows: list[Row] = []
        self._tellers: dict[str, Callable[[Any], None]] = {
            "seat_taken": self._seat_taken,
            "seat_left": self._seat_left,
            "bot_seated": self._bot_seated,
            "player_returned": self._player_returned,
            "presence_changed": self._presence_changed,
            "match_ended": self._match_ended,
            "match_forfeited": self._forfeited,
            "table_abandoned": self._abandoned,
            "dealt": self._dealt,
            "call_made": self._call_made,
            "answers_opened": self._answers_opened,
            "bought": self._bought,
            "deal_void": self._deal_void,
            "play_started": self._play_started,
            "card_played": self._card_played,
            "trick_won": self._trick_won,
            "projects_decided": self._projects_decided,
            "projects_shown": self._projects_shown,
            "sawa_claimed": self._sawa_claimed,
            "hands_completed": self._hands_completed,
            "qaid_claimed": self._qaid_claimed,
            "round_scored": self._round_scored,
        }

    def tell(self, update: Update) -> None:
        """Tells one update. A view that came whole is drawn."""
        self._view = update.view
        if update.entry is None:
            self._catch_up()
            return
        for event in update.entry.events:
            kind = event.WhichOneof("event")
            if kind in self._tellers:
                self._tellers[kind](getattr(event, kind))
        for fault in update.faults:
            self.print(self._say(_MISFITS[fault.misfit], fault.number), style="bold white on red")
        if update.entry.by_default and self._column:
            self._append(Text(f" {LATE_MARK}", "dim"))

    def end_line(self) -> None:
        """Ends the line that calls and cards share, before something else is printed."""
        if self._column:
            self._console.print()
            self._column = 0

    def print(self, *what: Any, style: str | None = None, soft_wrap: bool = False) -> None:
        """Prints something on lines of its own; with `soft_wrap` a line stays one, so that it can be copied."""
        self.end_line()
        self._console.print(*what, style=style, highlight=False, soft_wrap=soft_wrap)

    def show_match(self) -> None:
        """Prints the score sheet of the match so far."""
        self.print(match_sheet(self.rows, self._language))
        self.print(score_text(self._view, self._language))

    def show_table(self) -> None:
        """Draws the table as it is."""
        self.print(draw_table(self._view, self._language))

    def show_tricks(self) -> None:
        """Prints the finished tricks of the round."""
        for line in trick_lines(self._view, self._language):
            self.print(line)

    def _catch_up(self) -> None:
        self._gone = {seat.seat for seat in self._view.seats if seat.presence == ev.PRESENCE_AWAY}
        table = self._view.round
        self._contract = read_contract(table.contract) if table.HasField("contract") else None
        if self._view.HasField("round"):
            self.show_table()

    def _say(self, what: Word, *places: object) -> str:
        return say(what, self._language, *places)

    def _name(self, seat: int) -> str:
        return player_names(self._view, self._language)[SEAT.value_of[seat]]

    def _up_card(self) -> Card | None:
        return CARD.value_of.get(self._view.round.up_card)

    def _piece(self, text: Text, opening: str = "  ", between: str = " · ") -> None:
        """Adds to the line that is open, or opens one; goes on below when there is no room."""
        start = Text(between, "dim") if self._column else Text(opening)
        if self._column + start.cell_len + text.cell_len > self._console.width:
            self.end_line()
            start = Text(CONTINUED)
        self._append(start.append_text(text))

    def _append(self, text: Text) -> None:
        self._console.print(text, end="", highlight=False, soft_wrap=True)
        self._column += text.cell_len

    # The table.

    def _seat_taken(self, event: ev.SeatTaken) -> None:
        self.print(f"{say(SEAT.value_of[event.seat], self._language)}: {self._name(event.seat)}", style="dim")

    def _seat_left(self, event: ev.SeatLeft) -> None:
        self.print(self._say(Word.LEAVES, self._name(event.seat)), style="dim")

    def _bot_seated(self, event: ev.BotSeated) -> None:
        mine = event.seat == self._view.viewer
        told = Word.BOT_PLAYS_FOR_YOU if mine else Word.BOT_PLAYS
        self.print(self._say(told, self._name(event.seat)), style="bold yellow" if mine else "dim")

    def _player_returned(self, event: ev.PlayerReturned) -> None:
        self.print(self._say(Word.RETURNED, self._name(event.seat)), style="dim")

    def _forfeited(self, event: ev.MatchForfeited) -> None:
        why = say(FORFEIT_REASON.value_of[event.reason], self._language)
        self.print(self._say(Word.FORFEITED, say(TEAM.value_of[event.loser], self._language), why))
        winner = say(TEAM.value_of[event.winner], self._language)
        self.print(self._say(Word.WINS_MATCH, winner), style="bold green")

    def _presence_changed(self, event: ev.PresenceChanged) -> None:
        word = self._news_of(event.seat, event.presence)
        if word is not None:
            self.print(f"  {self._say(word, self._name(event.seat))}", style="dim")

    def _news_of(self, seat: int, presence: ev.Presence.ValueType) -> Word | None:
        """What to say of another player: who comes for the first time is no news, and the viewer knows of himself."""
        if presence == ev.PRESENCE_AWAY:
            self._gone.add(seat)
            return None if seat == self._view.viewer else Word.CONNECTION_LOST
        if seat not in self._gone:
            return None
        self._gone.discard(seat)
        return None if seat == self._view.viewer else Word.CONNECTION_BACK

    def _match_ended(self, event: ev.MatchEnded) -> None:
        self.show_match()
        winner = say(TEAM.value_of[event.winner], self._language)
        self.print(self._say(Word.WINS_MATCH, winner), style="bold green")

    def _abandoned(self, _: ev.TableAbandoned) -> None:
        self.print(self._say(Word.ABANDONED), style="bold red")

    # The auction.

    def _dealt(self, event: ev.Dealt) -> None:
        self._contract = None
        self.print()
        head = Text(f"{self._say(Word.ROUND)} {event.number}", "bold")
        head.append(f" · {self._say(Word.DEALS, self._name(event.dealer))} · {self._say(Word.UP_CARD)} ")
        self.print(head.append_text(card_text(CARD.value_of[event.up_card], self._language)))
        if event.cut:
            cut = say(CUT_CHOICE.value_of[event.cut], self._language)
            self.print(f"  {self._say(Word.DECK_CUT, cut)}", style="dim")
        self._own_hand(event.hand)

    def _own_hand(self, numbers: Any) -> None:
        if numbers:
            trump = self._contract.trump if self._contract else None
            hand = hand_text([CARD.value_of[number] for number in numbers], trump, self._language)
            self.print(Text(f"  {self._say(Word.HAND)}: ").append_text(hand))

    def _call(self, seat: int, call: Any) -> None:
        bidding = bidding_of(self._view.round.calls)
        said = call_text(call, self._up_card(), bidding, self._language)
        self._piece(Text(f"{self._name(seat)} ").append_text(said))

    def _call_made(self, event: ev.CallMade) -> None:
        self._call(event.seat, event.call)

    def _answers_opened(self, event: ev.AnswersOpened) -> None:
        for answer in event.answers:
            self._call(answer.seat, answer.call)

    def _bought(self, event: ev.Bought) -> None:
        contract = read_contract(event.contract)
        what = bought_text(contract, self._language)
        self.print(Text(f"  {self._say(Word.BUYS, self._name(event.contract.buyer), what.plain)}", "bold"))

    def _deal_void(self, event: ev.DealVoid) -> None:
        if event.kawesh:
            self.print(f"  {self._say(Word.KAWESH_SHOWN, self._name(event.kawesh))}", style="italic")
            names = player_names(self._view, self._language)
            for line in open_hand_lines(event.hands, names, self._language):
                self.print(Text("    ").append_text(line))
        else:
            self.print(f"  {self._say(Word.THROWN_IN)}", style="italic")

    # The play.

    def _play_started(self, event: ev.PlayStarted) -> None:
        self.end_line()
        self._contract = contract = read_contract(event.contract)
        if contract.raises:
            names = player_names(self._view, self._language)
            self.print(Text("  ").append_text(contract_text(contract, names, self._language)))
        self._own_hand(event.hand)

    def _card_played(self, event: ev.CardPlayed) -> None:
        table = self._view.round
        number = len(table.tricks) + bool(table.trick)
        text = Text(f"{self._name(event.seat)} ").append_text(
            card_text(CARD.value_of[event.card], self._language)
        )
        for project in event.projects:
            kind = say(PROJECT_KIND.value_of[project.kind], self._language)
            text.append(f" {kind}!", "italic")
        for said, word in ((event.akka, Word.AKKA), (event.baloot, Word.BALOOT)):
            if said:
                text.append(f" {self._say(word)}!", "italic")
        self._piece(text, f" {number}  ")

    def _trick_won(self, event: ev.TrickWon) -> None:
        result = f"→ {self._name(event.trick.winner)} {event.trick.card_points}"
        self._piece(Text(result, "bold"), between=" ")
        self.end_line()
        for text in self._after_trick:
            self.print(text)
        self._after_trick.clear()

    def _projects_decided(self, event: ev.ProjectsDecided) -> None:
        team = say(TEAM.value_of[event.team], self._language)
        self.print(f"    {self._say(Word.PROJECTS)}: {self._say(Word.COUNTS, team)}", style="italic")

    def _projects_shown(self, event: ev.ProjectsShown) -> None:
        for shown in event.projects:
            text = Text(f"    {self._name(shown.seat)}: ")
            self._after_trick.append(text.append_text(project_text(shown.project, self._language)))

    def _sawa_claimed(self, event: ev.SawaClaimed) -> None:
        word = Word.SAWA_HELD if event.held else Word.SAWA_REFUSED
        text = Text(f"  {self._say(word, self._name(event.seat))} ", "italic")
        cards = [CARD.value_of[number] for number in event.cards]
        self.print(text.append_text(cards_text(cards, self._language)))

    def _hands_completed(self, event: ev.HandsCompleted) -> None:
        self._own_hand(event.hand)

    def _qaid_claimed(self, event: ev.QaidClaimed) -> None:
        claim = event.qaid.claim
        ground = say(QAID_GROUND.value_of[claim.ground], self._language)
        word = Word.QAID_RIGHT if event.qaid.right else Word.QAID_WRONG
        text = Text(f"  {self._say(word, self._name(event.qaid.claimer), ground)}", "italic")
        if claim.card:
            card, proof = (
                card_text(CARD.value_of[number], self._language) for number in (claim.card, claim.proof)
            )
            proved = f"{comma(self._language)}{self._say(Word.PROOF)} "
            text.append(" ").append_text(card).append(proved).append_text(proof)
        self.print(text)
        if claim.card and not event.qaid.right:
            self.print(f"    {why_wrong(self._view, event.qaid, self._language)}", style="italic")

    def _round_scored(self, event: ev.RoundScored) -> None:
        contract = read_contract(self._view.round.contract)
        self.rows.append((self._view.round.number, contract, event.score))
        self.print(round_sheet(event.score, contract, self._language))
