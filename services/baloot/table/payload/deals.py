"""How the deals of a table are written in the log: sealed seeds and decks hidden."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.deal import decode_dealt, decode_hash, encode_dealt
from baloot.codec.enums import CUT_CHOICE, SEAT
from baloot.codec.fields import invalid
from baloot.core.deal import Dealt, Deck, SealedBlock, SealedSeed
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.payload.halves import Hiders, Readers


def _hide_deals_committed(event: ev.DealsCommitted, _payload: log.Entry, secret: log.Secret) -> None:
    secret.sealed_seeds = event.block.sealed


def _deals_committed(
    message: wire.DealsCommitted, _payload: log.Entry, secret: log.Secret
) -> ev.DealsCommitted:
    commitments = b"".join(decode_hash(value, "commitments") for value in message.commitments)
    try:
        return ev.DealsCommitted(SealedBlock(message.first_number, commitments, secret.sealed_seeds))
    except ValueError as error:
        raise invalid("sealed_seeds", str(error)) from error


def _seed_added(message: wire.SeedAdded, *_: object) -> ev.SeedAdded:
    seat, seat_seed = SEAT.decode(message.seat, "seat"), decode_hash(message.seed, "seed")
    return ev.SeedAdded(seat, message.first_number, seat_seed)


def _beacon_given(message: wire.BeaconGiven, *_: object) -> ev.BeaconGiven:
    return ev.BeaconGiven(decode_hash(message.value, "value"))


def _seeds_revealed(message: wire.SeedsRevealed, *_: object) -> ev.SeedsRevealed:
    seeds = tuple(decode_hash(seed, "seeds") for seed in message.seeds)
    return ev.SeedsRevealed(message.first_number, seeds)


def _hide_round_opened(event: ev.RoundOpened, _payload: log.Entry, secret: log.Secret) -> None:
    secret.sealed_seed = event.sealed_seed.sealed


def _round_opened(message: wire.RoundOpened, _payload: log.Entry, secret: log.Secret) -> ev.RoundOpened:
    sealed_seed = SealedSeed(message.commitment, secret.sealed_seed)
    return ev.RoundOpened(message.number, SEAT.decode(message.dealer, "dealer"), sealed_seed)


def _hide_round_dealt(event: ev.RoundDealt, _payload: log.Entry, secret: log.Secret) -> None:
    if event.sealed_seed.commitment != event.dealt.commitment:
        raise ValueError("a deal has the commitment of its seed")
    secret.deal.CopyFrom(encode_dealt(event.dealt))
    secret.sealed_seed = event.sealed_seed.sealed


def _round_dealt(message: wire.Dealt, _payload: log.Entry, secret: log.Secret) -> ev.RoundDealt:
    return _deal(message, decode_dealt(secret.deal, "deal"), secret.sealed_seed)


def _open_round_dealt(message: wire.Dealt, *_: object) -> ev.RoundDealt:
    return _deal(message, Dealt(message.number, Deck(()), message.commitment, message.deck_root), b"")


def _deal(message: wire.Dealt, dealt: Dealt, sealed: bytes) -> ev.RoundDealt:
    dealer = SEAT.decode(message.dealer, "dealer")
    cut = CUT_CHOICE.decode_optional(message.cut, "cut")
    return ev.RoundDealt(dealer, dealt, SealedSeed(dealt.commitment, sealed), cut)


HIDERS: Hiders = {
    ev.DealsCommitted: ("block", _hide_deals_committed),
    ev.RoundOpened: ("seed", _hide_round_opened),
    ev.RoundDealt: ("seed", _hide_round_dealt),
}

READERS: Readers = {
    "deals_committed": _deals_committed,
    "seed_added": _seed_added,
    "beacon_given": _beacon_given,
    "seeds_revealed": _seeds_revealed,
    "round_opened": _round_opened,
    "dealt": _round_dealt,
}

OPEN_READERS: Readers = {"dealt": _open_round_dealt}
