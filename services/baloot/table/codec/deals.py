"""What is seen of the deals of a table, on the wire."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.api.table.v1 import table_pb2
from baloot.codec.cards import encode_cards
from baloot.codec.deal import HASH_BYTES, encode_opening
from baloot.codec.enums import CARD, CUT_CHOICE, SEAT
from baloot.table import events as ev
from baloot.table.codec.encoders import Encoders
from baloot.table.openings import Openings
from baloot.table.views.deals import SeenDealsCommitted, SeenRoundDealt, SeenRoundOpened


def _deals_committed(event: SeenDealsCommitted) -> pb.DealsCommitted:
    packed = event.commitments
    each = [packed[at : at + HASH_BYTES] for at in range(0, len(packed), HASH_BYTES)]
    return pb.DealsCommitted(first_number=event.first_number, commitments=each)


def _seed_added(event: ev.SeedAdded) -> pb.SeedAdded:
    return pb.SeedAdded(seat=SEAT.encode(event.seat), first_number=event.first_number, seed=event.seat_seed)


def _beacon_given(event: ev.BeaconGiven) -> pb.BeaconGiven:
    return pb.BeaconGiven(value=event.value)


def _seeds_revealed(event: ev.SeedsRevealed) -> pb.SeedsRevealed:
    return pb.SeedsRevealed(first_number=event.first_number, seeds=event.seeds)


def _round_opened(event: SeenRoundOpened) -> pb.RoundOpened:
    return pb.RoundOpened(number=event.number, dealer=SEAT.encode(event.dealer), commitment=event.commitment)


def _round_dealt(event: SeenRoundDealt) -> pb.Dealt:
    return pb.Dealt(
        number=event.number,
        dealer=SEAT.encode(event.dealer),
        up_card=CARD.encode(event.up_card),
        hand=encode_cards(event.hand),
        commitment=event.commitment,
        deck_root=event.deck_root,
        cut=CUT_CHOICE.encode_optional(event.cut),
    )


ENCODERS: Encoders = {
    SeenDealsCommitted: ("deals_committed", _deals_committed),
    ev.SeedAdded: ("seed_added", _seed_added),
    ev.BeaconGiven: ("beacon_given", _beacon_given),
    ev.SeedsRevealed: ("seeds_revealed", _seeds_revealed),
    SeenRoundOpened: ("round_opened", _round_opened),
    SeenRoundDealt: ("dealt", _round_dealt),
}


def encode_openings(openings: Openings) -> table_pb2.GetOpeningsResponse:
    """Proofs of cards."""
    return table_pb2.GetOpeningsResponse(
        number=openings.number, openings=[encode_opening(opening) for opening in openings.openings]
    )
