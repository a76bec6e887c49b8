"""What a viewer sees of the deals of a table: no deck, no seed before it is revealed, and of the cards only its own."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.auction import CutChoice
from baloot.core.cards import Card
from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table.views.viewer import Viewer, Views, whole


@dataclass(frozen=True, slots=True)
class SeenDealsCommitted:
    """Deals that are committed to, without their seeds. `commitments` are 32 bytes of each."""

    first_number: int
    commitments: bytes


@dataclass(frozen=True, slots=True)
class SeenRoundOpened:
    """A round that is opened and not dealt yet, without its seed."""

    number: int
    dealer: Seat
    commitment: bytes


@dataclass(frozen=True, slots=True)
class SeenRoundDealt:
    """A deal with the viewer's own first cards only."""

    number: int
    dealer: Seat
    up_card: Card
    hand: tuple[Card, ...]
    commitment: bytes
    deck_root: bytes
    cut: CutChoice | None


SeenDealEvent = (
    SeenDealsCommitted | ev.SeedAdded | ev.BeaconGiven | ev.SeedsRevealed | SeenRoundOpened | SeenRoundDealt
)


def _deals_committed(event: ev.DealsCommitted, _viewer: Viewer) -> SeenDealsCommitted:
    return SeenDealsCommitted(event.block.first_number, event.block.commitments)


def _round_opened(event: ev.RoundOpened, _viewer: Viewer) -> SeenRoundOpened:
    return SeenRoundOpened(event.number, event.dealer, event.sealed_seed.commitment)


def _round_dealt(event: ev.RoundDealt, viewer: Viewer) -> SeenRoundDealt:
    dealt, deck = event.dealt, event.deck
    hand = () if viewer is None else tuple(deck.first_hands(event.dealer)[viewer])
    return SeenRoundDealt(
        dealt.number, event.dealer, deck.up_card, hand, dealt.commitment, dealt.deck_root, event.cut
    )


VIEWS: Views = {
    ev.DealsCommitted: _deals_committed,
    ev.SeedAdded: whole,
    ev.BeaconGiven: whole,
    ev.SeedsRevealed: whole,
    ev.RoundOpened: _round_opened,
    ev.RoundDealt: _round_dealt,
}
