"""What each viewer sees: nothing hidden, nothing missing, and the same by following as by asking."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

import pytest
from baloot.api.core.v1 import cards_pb2
from baloot.api.table.v1 import table_pb2
from baloot.app.rules import local_rules
from baloot.client import follow
from baloot.codec.cards import decode_cards
from baloot.core.auction import KAWESH, Asked
from baloot.core.cards import CARDS, Card
from baloot.core.deal import Dealt, Deck, SealedSeed
from baloot.core.seats import SEATS, Seat
from baloot.dealing.local import LocalDealing
from baloot.table import events as ev
from baloot.table.codec import encode_entry, encode_table
from baloot.table.encoding import entry_bytes
from baloot.table.events import Entry, Settings
from baloot.table.evolve import evolve
from baloot.table.live import LiveTable
from baloot.table.state import Phase, TableState
from baloot.table.views import Viewer, is_public, project, see, see_entry
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from tests.table.timed import CALL, SETTINGS
from tests.table.trial import KEY, Trial

VIEWERS: tuple[Viewer, ...] = (None, *SEATS)
CARD: EnumDescriptor = cards_pb2.Card.DESCRIPTOR


@pytest.fixture(scope="module", params=range(4))
def log(request: pytest.FixtureRequest) -> list[Entry]:
    """The log of a whole match of random players."""

    async def played() -> list[Entry]:
        trial = Trial(seed=request.param, settings=SETTINGS if request.param % 2 else Settings(round_pause=0))
        state = await trial.deal()
        while not state.status.ended:
            trial.clock.pass_(trial.random.randrange(2 * CALL))
            state = await trial.play(1)
        return await trial.entries()

    return asyncio.run(played())


def states(log: list[Entry]) -> Iterator[tuple[Entry, TableState]]:
    state = None
    for entry in log:
        state = evolve(state, entry)
        yield entry, state


@pytest.mark.parametrize("viewer", VIEWERS)
def test_following_the_entries_gives_the_view(log: list[Entry], viewer: Viewer) -> None:
    view = None
    for entry, state in states(log):
        asked = encode_table(see(state, viewer))
        if view is None:
            view = table_pb2.TableView()
            view.CopyFrom(asked)
        else:
            follow.apply(view, encode_entry(see_entry(entry, viewer)))
        assert view == asked, f"after entry {entry.sequence}: {entry.events}"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_card_is_sent_that_the_viewer_may_not_know(log: list[Entry], viewer: Viewer) -> None:
    for entry, state in states(log):
        known = may_know(state, viewer)
        for message in (encode_entry(see_entry(entry, viewer)), encode_table(see(state, viewer))):
            hidden = cards_in(message) - known
            assert not hidden, f"entry {entry.sequence} shows {[str(card) for card in hidden]}"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_shared_bytes_are_the_entry(log: list[Entry], viewer: Viewer) -> None:
    live = LiveTable(log[0].table_id)
    for entry in log:
        live.accept((entry,))
        sent = entry_bytes(live, entry, viewer)
        assert type(encode_entry(see_entry(entry, viewer))).FromString(sent) == encode_entry(
            see_entry(entry, viewer)
        )


def test_every_viewer_gets_every_number(log: list[Entry]) -> None:
    for viewer in VIEWERS:
        numbers = [encode_entry(see_entry(entry, viewer)).sequence for entry in log]
        assert numbers == list(range(1, len(log) + 1))


def test_an_unknown_event_shows_nothing() -> None:
    class Novelty:
        pass

    assert project(Novelty(), None) is None  # type: ignore[arg-type]


def test_secrets_print_as_blocks(log: list[Entry]) -> None:
    deals = [event for entry in log for event in entry.events if isinstance(event, ev.RoundDealt)]
    for dealt in deals:
        shown = repr(dealt)
        assert "██" in shown
        assert not any(f"Card.{card.name}" in shown for card in CARDS)
    for _, state in states(log):
        shown = f"{state.questions!r} {state.round!r}"
        assert "Card." not in shown
        assert "legal" not in shown


def may_know(state: TableState, viewer: Viewer) -> set[Card]:
    """The cards that a viewer may know at this moment, worked out from the rules of the table alone."""
    round_ = state.round
    if round_ is None:
        return set()
    known = {round_.auction.up_card}
    known |= {card for trick in round_.tricks for card in trick.cards}
    known |= {lying.move.card for lying in round_.trick}
    known |= {card for owned in round_.shown for card in owned.project.cards}
    known |= {card for hand in round_.open_hands for card in hand}
    known |= {card for claim in round_.sawa for card in claim.cards}
    if viewer is not None:
        known |= set(round_.hands[viewer])
    return known


def cards_in(message: Message) -> set[Card]:
    """Every card anywhere in a message."""
    found: set[Card] = set()
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.enum_type is CARD:
            found |= set(decode_cards(list(values), "card"))
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in values:
                found |= cards_in(inner)
    return found


class FixedDealing(LocalDealing):
    """South deals a deck of the test's choice; what would be drawn by lot is zero."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(KEY)
        self._deck = deck

    async def choose_dealer(self, *_: object) -> Seat:
        return Seat.SOUTH

    async def commit_deals(self, _match_id: UUID, _first_number: int, count: int) -> list[SealedSeed]:
        return [SealedSeed(bytes(32), bytes(60))] * count

    async def reveal(self, *_: object) -> bytes:
        return bytes(32)

    async def deal(self, _match_id: UUID, number: int, *_: object) -> Dealt:
        return Dealt(number, self._deck, bytes(32), bytes(32))


@pytest.mark.parametrize("seed", range(40))
async def test_what_a_seat_cannot_know_changes_nothing_that_it_gets(seed: int) -> None:
    """Two deals that differ only in the hidden first hands of others send a seat the same bytes in the auction."""
    shuffled = random.Random(seed)
    cards = shuffled.sample(CARDS, 32)
    watcher = shuffled.choice(SEATS)
    one = await auction(cards, seed)
    other = await auction(swapped(cards, watcher, shuffled), seed)
    assert one[0].round != other[0].round
    for viewer in (watcher, None):
        assert sent_to(one, viewer) == sent_to(other, viewer)


def swapped(cards: list[Card], keeper: Seat, shuffled: random.Random) -> list[Card]:
    """The same deck, with the first five cards of the three seats that are not the keeper shuffled among them."""
    own = Deck(tuple(cards)).first_hands(Seat.SOUTH)[keeper]
    places = [place for place in range(20) if cards[place] not in own]
    moved = shuffled.sample([cards[place] for place in places], len(places))
    changed = list(cards)
    for place, card in zip(places, moved, strict=True):
        changed[place] = card
    return changed


async def auction(cards: list[Card], seed: int) -> list[TableState]:
    """The states of a table from the deal to the end of the auction; equal seeds make equal calls."""
    dealing = FixedDealing(Deck(tuple(cards)))
    trial = Trial(seed=seed, rules=replace(local_rules(KEY), dealing=dealing))
    seen = [await trial.deal()]
    while (round_ := seen[-1].round) is not None and round_.phase is Phase.AUCTION:
        open_ = next(open_ for open_ in seen[-1].questions if not open_.private)
        assert isinstance(open_.question, Asked)
        calls = [call for call in open_.question.legal if call != KAWESH]
        await trial.act(open_.seat, trial.random.choice(calls))
        seen.append(await trial.state())
    return seen


def sent_to(states_: list[TableState], viewer: Viewer) -> list[bytes]:
    views = [encode_table(see(state, viewer)) for state in states_]
    return [view.SerializeToString(deterministic=True) for view in views]


@pytest.mark.parametrize("viewer", SEATS)
def test_what_is_called_public_looks_the_same_to_all(log: list[Entry], viewer: Viewer) -> None:
    for entry in log:
        if is_public(entry):
            assert see_entry(entry, viewer).events == see_entry(entry, None).events
