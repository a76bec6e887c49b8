"""A Sawa that holds lays open what it ends: its cards, the counted projects not shown yet, and a Baloot that it brings."""

from __future__ import annotations

from dataclasses import replace

from baloot.app.rules import local_rules
from baloot.core.auction import CONFIRM, HOKUM, PASS, SUN
from baloot.core.cards import CARDS, Card, Hand
from baloot.core.deal import Deck
from baloot.core.play import CardMove, PlayAsked, SawaMove
from baloot.core.projects import Declaration
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table.events import Entry
from baloot.table.state import TableState

from tests.table.deal_laws import facts
from tests.table.test_views import FixedDealing
from tests.table.trial import KEY, Trial


def stacked(east: str, up_card: str) -> Deck:
    """South deals; East, who speaks and leads first, gets these cards of which the last is dealt after the auction."""
    own = [Card.parse(word) for word in east.split()]
    up = Card.parse(up_card)
    rest = [card for card in CARDS if card not in own and card is not up]
    cards: list[Card | None] = [None] * 32
    cards[0], cards[1], cards[2], cards[12], cards[13] = own[:5]
    cards[20] = up
    for place, card in zip((21, 22), own[5:], strict=True):
        cards[place] = card
    left = iter(rest)
    return Deck(tuple(card if card is not None else next(left) for card in cards))


async def table_of(deck: Deck) -> Trial:
    trial = Trial(rules=replace(local_rules(KEY), dealing=FixedDealing(deck)))
    await trial.deal()
    return trial


async def auction(trial: Trial, *buying: str) -> TableState:
    """East buys; everybody else passes whatever is asked."""
    said = {"sun": SUN, "hokum": HOKUM, "confirm": CONFIRM}
    wanted = [said[word] for word in buying]
    state = await trial.state()
    while state.round is not None and state.round.play is None:
        open_ = next(open_ for open_ in state.questions if not open_.private)
        call = PASS
        if open_.seat is Seat.EAST and wanted:
            call = wanted.pop(0)
        await trial.act(open_.seat, call)
        state = await trial.state()
    return state


async def first_trick(trial: Trial, lead: str, *, announcing: bool) -> Declaration:
    """East leads a card, announcing its best projects or none; the others play what they would by default."""
    declared: Declaration = ()
    for _ in SEATS:
        question = (await trial.state()).questions[0].question
        assert isinstance(question, PlayAsked)
        if question.seat is Seat.EAST:
            declared = question.declarations[0] if announcing else ()
            await trial.act(Seat.EAST, CardMove(Card.parse(lead), declared))
        else:
            await trial.act(question.seat, question.default)
    return declared


async def claimed(trial: Trial) -> Entry:
    return await trial.act(Seat.EAST, SawaMove())


async def test_projects_that_were_not_shown_yet_are_laid_open_with_the_claim() -> None:
    trial = await table_of(stacked("AS KS QS JS AH AD AC", "10S"))
    state = await auction(trial, "sun")
    assert state.round is not None
    assert state.round.hands[Seat.EAST] == Hand.parse("AS KS QS JS AH AD AC 10S")
    declared = await first_trick(trial, "AH", announcing=True)
    entry = await claimed(trial)
    shown = [event for event in entry.events if isinstance(event, ev.ProjectsShown)]
    assert [[owned.project for owned in event.projects] for event in shown] == [list(declared)]
    assert isinstance(facts(entry)[-1], ev.RoundScored)


async def test_the_claimers_cards_are_told_in_the_order_that_wins() -> None:
    trial = await table_of(stacked("JS 9S AS KS QS AH AD", "10S"))
    await auction(trial, "hokum", "confirm")
    await first_trick(trial, "AH", announcing=False)
    claim = (await claimed(trial)).events[0]
    assert isinstance(claim, ev.SawaClaimed)
    assert " ".join(map(str, claim.cards)) == "JS 9S AS 10S KS QS AD"


async def test_a_baloot_that_the_claim_brings_is_told_with_it() -> None:
    trial = await table_of(stacked("JS 9S AS KS QS AH AD", "10S"))
    state = await auction(trial, "hokum", "confirm")
    assert state.round is not None
    await first_trick(trial, "AH", announcing=False)
    state = await trial.state()
    assert state.questions[0].seat is Seat.EAST
    entry = await claimed(trial)
    claim = entry.events[0]
    assert isinstance(claim, ev.SawaClaimed)
    assert claim.held
    assert claim.baloot is Seat.EAST
    state = await trial.state()
    assert state.round is not None
    assert state.round.baloot == (Seat.EAST,)
