"""A whole table at a glance: who sits where, what lies on the table, and what the viewer holds."""

from __future__ import annotations

from collections.abc import Sequence

from baloot.api.core.v1 import cards_pb2, play_pb2
from baloot.api.table.v1.table_pb2 import RoundView, TableView
from baloot.app.terminal.cards import card_text, hand_text
from baloot.app.terminal.language import Language
from baloot.app.terminal.names import (
    bidding_of,
    call_text,
    contract_text,
    player_names,
    project_text,
    read_contract,
)
from baloot.app.terminal.terms import Word, comma, say
from baloot.codec.enums import CARD, SEAT, TEAM
from baloot.core.seats import SEATS, TEAMS, Seat, from_seat
from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

DEALER_MARK = "◆"
ASKED_MARK = "…"
WIDTH = 72


def draw_table(view: TableView, language: Language = Language.ENGLISH) -> RenderableType:
    """The table as the viewer sees it, from below: the viewer's own seat, or South, is nearest."""
    lines: list[RenderableType] = [_cross(view, language)]
    lines += [line for line in _lines(view, language) if line.plain]
    title = f"{say(Word.ROUND, language)} {view.round.number}" if view.HasField("round") else ""
    return Panel(
        Group(*lines), title=title, subtitle=score_text(view, language), width=WIDTH, box=box.ROUNDED
    )


def score_text(view: TableView, language: Language) -> Text:
    """The match so far: South-North 31 · 47 East-West · to 152."""
    ours, theirs = (say(team, language) for team in TEAMS)
    target = view.settings.ruleset.match_target
    points = f"{ours} {view.scores.south_north} · {view.scores.east_west} {theirs}"
    return Text(f"{points} · {say(Word.TO, language, target)}", "bold")


def _cross(view: TableView, language: Language) -> RenderableType:
    viewer = SEAT.value_of.get(view.viewer, Seat.SOUTH)
    below, right, above, left = from_seat(viewer)
    cards = _on_table(view.round, language)
    labels = {seat: _label(view, seat, language) for seat in SEATS}
    grid = Table.grid(expand=True)
    for _ in range(3):
        grid.add_column(justify="center", ratio=1)
    grid.add_row("", labels[above], "")
    grid.add_row("", cards[above], "")
    grid.add_row(labels[left], "", labels[right])
    grid.add_row(cards[left], "", cards[right])
    grid.add_row("", cards[below], "")
    grid.add_row("", labels[below], "")
    return grid


def _on_table(table: RoundView, language: Language) -> dict[Seat, Text]:
    cards = {seat: Text("·", "dim") for seat in SEATS}
    for lying in table.trick:
        card = card_text(CARD.value_of[lying.card], language)
        if lying.akka:
            card.append(f" {say(Word.AKKA, language)}", "italic")
        cards[SEAT.value_of[lying.seat]] = card
    return cards


def _label(view: TableView, seat: Seat, language: Language) -> Text:
    """A player's name with the marks of the dealer and of whoever is asked."""
    number = SEAT.encode(seat)
    label = Text(player_names(view, language)[seat], "bold" if view.viewer == number else "")
    if view.viewer == number:
        label.append(f" ({say(Word.YOU, language)})")
    if view.round.dealer == number:
        label.append(f" {DEALER_MARK}", "cyan")
    if any(asked.seat == number for asked in view.asked):
        label.append(f" {ASKED_MARK}", "blink bold")
    return label


def _lines(view: TableView, language: Language) -> list[Text]:
    if not view.HasField("round"):
        return []
    return [
        _auction_line(view, language),
        _projects_line(view, language),
        _tricks_line(view.round, language),
        _hand_line(view.round, language),
        *open_hand_lines(view.round.open_hands, player_names(view, language), language),
    ]


def _auction_line(view: TableView, language: Language) -> Text:
    """The contract, or the calls so far and the up card while there is none; nothing while the deck is cut."""
    table, names = view.round, player_names(view, language)
    if table.HasField("contract"):
        return _titled(Word.CONTRACT, contract_text(read_contract(table.contract), names, language), language)
    up_card = CARD.value_of.get(table.up_card)
    if up_card is None:
        return Text()
    line = Text(f"{say(Word.UP_CARD, language)}: ").append_text(card_text(up_card, language))
    for place, said in enumerate(table.calls):
        bidding = bidding_of(table.calls[: place + 1])
        call = call_text(said.call, up_card, bidding, language)
        line.append(f" · {names[SEAT.value_of[said.seat]]} ").append_text(call)
    return line


def _projects_line(view: TableView, language: Language) -> Text:
    table, names = view.round, player_names(view, language)
    said = [
        Text(f"{names[SEAT.value_of[announced.seat]]} ").append_text(project_text(project, language))
        for announced in table.announced
        for project in announced.projects
    ]
    said += [Text(f"{names[SEAT.value_of[seat]]} {say(Word.BALOOT, language)}") for seat in table.baloot]
    if not said:
        return Text()
    line = _titled(Word.PROJECTS, Text(comma(language)).join(said), language)
    if table.projects_team:
        line.append(f" ({say(Word.COUNTS, language, say(TEAM.value_of[table.projects_team], language))})")
    return line


def _tricks_line(table: RoundView, language: Language) -> Text:
    if not table.tricks:
        return Text()
    won = [0, 0]
    for trick in table.tricks:
        won[SEAT.value_of[trick.winner].team] += 1
    text = " · ".join(f"{say(team, language)} {won[team]}" for team in TEAMS)
    return _titled(Word.TRICKS, Text(text), language)


def trick_lines(view: TableView, language: Language) -> list[Text]:
    """The finished tricks of the round: who played what, the leader first, and who took it."""
    names = player_names(view, language)
    return [_trick_line(number, trick, names, language) for number, trick in enumerate(view.round.tricks, 1)]


def _trick_line(number: int, trick: play_pb2.Trick, names: dict[Seat, str], language: Language) -> Text:
    seats = from_seat(SEAT.value_of[trick.leader])
    cards = [
        Text(f"{names[seat]} ").append_text(card_text(CARD.value_of[card], language))
        for seat, card in zip(seats, trick.cards, strict=False)
    ]
    taker = names[SEAT.value_of[trick.winner]]
    return Text(f" {number}  ").append_text(Text(" · ").join(cards)).append(f" → {taker}", "bold")


def _hand_line(table: RoundView, language: Language) -> Text:
    if not table.hand:
        return Text()
    trump = read_contract(table.contract).trump if table.HasField("contract") else None
    hand = hand_text([CARD.value_of[number] for number in table.hand], trump, language)
    return _titled(Word.HAND, hand, language)


def open_hand_lines(
    hands: Sequence[cards_pb2.Hand], names: dict[Seat, str], language: Language
) -> list[Text]:
    """The hands that a Kawesh lays open (rules 2.12), each with its owner; those that stay hidden are left out."""
    shown = zip(SEATS, hands, strict=False)
    return [
        Text(f"{names[seat]}: ").append_text(
            hand_text([CARD.value_of[card] for card in hand.cards], None, language)
        )
        for seat, hand in shown
        if hand.cards
    ]


def _titled(title: Word, text: Text, language: Language) -> Text:
    return Text(f"{say(title, language)}: ").append_text(text)
