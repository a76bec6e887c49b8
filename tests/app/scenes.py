"""Tables in known states, for what is drawn and told: played by seeded random players, so bots may change freely."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from baloot.api.core.v1 import cards_pb2
from baloot.api.core.v1.auction_pb2 import QUESTION_KIND_CUT
from baloot.api.core.v1.seats_pb2 import SEAT_EAST
from baloot.api.table.v1.table_pb2 import (
    ROUND_PHASE_PLAY,
    ROUND_PHASE_REVIEW,
    ROUND_PHASE_SCORED,
    ROUND_PHASE_VOID,
    TableView,
)
from baloot.client.watching import Update
from baloot.codec.cards import encode_cards
from baloot.core.cards import Hand
from baloot.core.catalogue import RULESETS
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import Seat
from baloot.table.codec import encode_entry
from baloot.table.views import see_entry
from rich.console import Console, RenderableType

from tests.bots.matches import LENIENT, LocalTable, SeededDealing, SeededRules, careless, random_player

NAMES = ("Noura", "Fahad", "Salem", "Huda")


def console(*, width: int = 80, colour: bool = False) -> tuple[Console, io.StringIO]:
    """A console that writes to a text, by itself as plain as a file's."""
    out = io.StringIO()
    to = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        markup=False,
        emoji=False,
    )
    return to, out


def drawn(what: RenderableType, *, width: int = 80) -> str:
    """What is printed, without the blanks at the ends of lines."""
    to, out = console(width=width)
    to.print(what)
    return stripped(out.getvalue())


def stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def updates(seed: int, viewer: Seat | None, ruleset: Ruleset = STANDARD) -> Iterator[Update]:
    """A whole match as one viewer follows it; each update has its own view. Where they may, players are careless."""
    table = LocalTable(SeededRules(SeededDealing(Random(seed))), NAMES, ruleset)
    players = [careless(random_player(seed * 4 + n), seed) for n in range(4)]
    told = 0
    while True:
        for entry in table.entries[told:]:
            view = table.view(viewer, entry.sequence)
            yield Update(view, encode_entry(see_entry(entry, viewer)))
        told = len(table.entries)
        if table.state.winner is not None:
            return
        table.step(players)


@cache
def match(seed: int, viewer: Seat | None = Seat.SOUTH, ruleset: Ruleset = STANDARD) -> tuple[Update, ...]:
    return tuple(updates(seed, viewer, ruleset))


def first(fits: Callable[[TableView], bool], seed: int = 1, ruleset: Ruleset = STANDARD) -> TableView:
    """The first view of South's in a match that fits."""
    return next(update.view for update in match(seed, Seat.SOUTH, ruleset) if fits(update.view))


def at_risk() -> TableView:
    """South may play cards against a duty."""
    return first(lambda view: len(view.question.play.refused) > 1, ruleset=LENIENT)


def showing() -> TableView:
    """South may show a project."""
    return first(lambda view: len(view.question.play.showable) > 0, ruleset=LENIENT)


def review() -> TableView:
    """The cards are played, and South may claim something."""
    return first(lambda view: view.round.phase == ROUND_PHASE_REVIEW, ruleset=LENIENT)


def cutting() -> TableView:
    """South cuts the deck, and no card is dealt yet."""
    return first(lambda view: view.question.call.kind == QUESTION_KIND_CUT, ruleset=RULESETS["wikipedia"])


def kawesh() -> TableView:
    """East has shown a worthless hand in a call, so that nobody else's lies open."""
    view = TableView()
    view.CopyFrom(auction())
    view.round.phase = ROUND_PHASE_VOID
    view.round.kawesh = SEAT_EAST
    shown = encode_cards(tuple(Hand.parse("7S 8S 9H 7D 8C")))
    view.round.open_hands.extend(
        [cards_pb2.Hand(), cards_pb2.Hand(cards=shown), cards_pb2.Hand(), cards_pb2.Hand()]
    )
    view.ClearField("question")
    view.ClearField("asked")
    return view


def auction() -> TableView:
    """South is asked to buy, and somebody has spoken."""
    return first(lambda view: view.question.HasField("call") and len(view.round.calls) > 0)


def play() -> TableView:
    """South is asked for a card in the third trick, with cards on the table and some that may not be played."""
    return first(
        lambda view: (
            len(view.round.tricks) == 2 and len(view.round.trick) >= 2 and len(view.question.play.refused) > 0
        )
    )


def lead() -> TableView:
    """South leads after the first trick, so that Sawa may be claimed."""
    return first(lambda view: view.round.phase == ROUND_PHASE_PLAY and view.question.play.sawa)


def declaring() -> TableView:
    """South has a project to announce."""
    return first(lambda view: len(view.question.play.declarations) > 0)


def scored() -> TableView:
    """A round is scored."""
    return first(lambda view: view.round.phase == ROUND_PHASE_SCORED)
