"""Tampering with what binds a deal before it is dealt: commitments, seeds of the seats, the beacon and the dealer."""

from __future__ import annotations

from typing import Any

from baloot.api.table.v1 import events_pb2 as wire

from tests.verifier.forging import (
    BEGINNINGS,
    Codes,
    Forgery,
    begun,
    flipped,
    need,
)

# The order of commitments.


def commitment_after_seeds(forged: Forgery) -> Codes:
    """The operator commits only when he knows what the seats add."""
    place, event = forged.one("deals_committed")
    first = event.deals_committed.first_number
    added = [
        at
        for at, each in forged.events("seat_taken", "seed_added")
        if (first == 1 and each.seat_taken.seed)
        or (each.seed_added.seed and each.seed_added.first_number == first)
    ]
    need(added)
    committed = forged.drop(place, event)
    forged.insert(max(added) + 1, committed)
    return {"SEED_EARLY"}


def commitment_after_deal(forged: Forgery) -> Codes:
    place, event = forged.one("deals_committed")
    first = event.deals_committed.first_number
    begins = [at for at, each in forged.events(*BEGINNINGS) if begun(each) == first]
    need(begins)
    committed = forged.drop(place, event)
    for at, each in forged.events("seat_taken", "seed_added"):
        each.seat_taken.seed = b"" if each.WhichOneof("event") == "seat_taken" else each.seat_taken.seed
        if each.WhichOneof("event") == "seed_added":
            forged.drop(at, each)
    forged.insert(begins[0] + 1, committed)
    return {"COMMITMENT_MISSING", "BEACON_EARLY"}


def commitments_exchanged(forged: Forgery) -> Codes:
    """The deals come in another order than they were committed to."""
    commitments = forged.events("deals_committed")[0][1].deals_committed.commitments
    last = min(len(commitments), len(forged.deals()))
    one = forged.rng.randrange(last)
    other = forged.rng.choice([n for n in range(len(commitments)) if n != one])
    commitments[one], commitments[other] = commitments[other], commitments[one]
    return {"COMMITMENT_WRONG"}


def committed_again(forged: Forgery) -> Codes:
    """Another commitment is made to a deal that has begun."""
    place, event = forged.one(*BEGINNINGS)
    again = wire.DealsCommitted(first_number=begun(event), commitments=[forged.rng.randbytes(32)])
    forged.insert(place + 1, wire.TableEvent(deals_committed=again))
    return {"COMMITMENT_LATE"}


def block_moved(forged: Forgery) -> Codes:
    _, event = forged.one("deals_committed")
    event.deals_committed.first_number += forged.rng.choice((-1, 1, 64))
    return {"BLOCK_WRONG", "COMMITMENT_LATE"}


# Seeds of the seats.


def seats_seed(forged: Forgery) -> tuple[int, wire.TableEvent, Any]:
    """A seed that a seat added and that went into a deal."""
    used = {seed for block in forged.log.blocks for seed in block.values()}
    fit = [
        (place, event, getattr(event, str(event.WhichOneof("event"))))
        for place, event in forged.events("seat_taken", "seed_added")
    ]
    fit = [each for each in fit if each[2].seed in used]
    need(fit)
    return forged.rng.choice(fit)


def seat_seed_changed(forged: Forgery) -> Codes:
    """The operator puts another seed in the place of a seat's; the player may have noted his."""
    _, _, added = seats_seed(forged)
    noted = added.seed
    added.seed = forged.rng.choice((flipped(noted, forged.rng), bytes(32)))
    if forged.rng.random() < 0.5:
        forged.seeds.append((added.seat, noted.hex()))
        return {"OWN_SEED_MISSING"}
    return {"ROOT_WRONG", "LOT_WRONG"}


def seat_seed_left_out(forged: Forgery) -> Codes:
    """A whole honest log, but not with the seed that the player sent."""
    seat = forged.rng.randrange(1, 5)
    forged.seeds.append((seat, forged.rng.randbytes(32).hex()))
    return {"OWN_SEED_MISSING"}


def seat_seed_twice(forged: Forgery) -> Codes:
    place, _, added = seats_seed(forged)
    first = getattr(added, "first_number", 1)
    more = wire.SeedAdded(seat=added.seat, first_number=first, seed=forged.rng.randbytes(32))
    forged.insert(place + 1, wire.TableEvent(seed_added=more))
    return {"SEED_TWICE"}


def seat_seed_late(forged: Forgery) -> Codes:
    """A seat that is in league with the operator adds its seed when the deck is known."""
    place, event = forged.one(*BEGINNINGS)
    need(begun(event) <= 64)
    seat = forged.rng.randrange(1, 5)
    late = wire.SeedAdded(seat=seat, first_number=1, seed=forged.rng.randbytes(32))  # type: ignore[arg-type]
    forged.insert(place + 1, wire.TableEvent(seed_added=late))
    return {"SEED_LATE"}


def seat_seed_short(forged: Forgery) -> Codes:
    _, _, added = seats_seed(forged)
    added.seed = added.seed[: forged.rng.randrange(1, 32)]
    return {"SEED_UNFIT"}


def seat_seed_taken_back(forged: Forgery) -> Codes:
    """A seed that stands in the log goes into no deal: its seat is left later, as if no match had begun."""
    for place, event in forged.events("match_started"):
        forged.drop(place, event)
    seat = forged.rng.randrange(1, 5)
    left = wire.TableEvent(seat_left=wire.SeatLeft(seat=seat))  # type: ignore[arg-type]
    forged.insert(forged.rng.choice(forged.deals())[1], left)
    return {"DEAL_EARLY"}


# The beacon.


def beacon_changed(forged: Forgery) -> Codes:
    _, event = forged.one("beacon_given")
    event.beacon_given.value = flipped(event.beacon_given.value, forged.rng)
    return {"ROOT_WRONG"}


def beacon_left_out(forged: Forgery) -> Codes:
    place, event = forged.one("beacon_given")
    given = forged.drop(place, event)
    if forged.rng.random() < 0.5:
        forged.insert(forged.rng.choice(forged.deals())[1], given)
    return {"BEACON_MISSING"}


def seed_after_beacon(forged: Forgery) -> Codes:
    """A seat that is in league with the operator adds its seed when the beacon is known."""
    place, _ = forged.one("beacon_given")
    seat = forged.rng.choice((3, 4))
    late = wire.SeedAdded(seat=seat, first_number=1, seed=forged.rng.randbytes(32))  # type: ignore[arg-type]
    forged.insert(place + 1, wire.TableEvent(seed_added=late))
    return {"SEED_LATE"}


def beacon_twice(forged: Forgery) -> Codes:
    value = forged.rng.randbytes(32)
    forged.insert(forged.deals()[0][0], wire.TableEvent(beacon_given=wire.BeaconGiven(value=value)))
    return {"BEACON_UNEXPECTED"}


# The dealer.


def dealer_changed(forged: Forgery) -> Codes:
    """One deal has another dealer."""
    first, after = forged.rng.choice(forged.deals()[1:])
    set_dealers(forged, 1, range(first, after))
    return {"DEALER_WRONG"}


def lot_changed(forged: Forgery) -> Codes:
    """Another seat deals first, and all others after it."""
    set_dealers(forged, forged.rng.choice((1, 2, 3)), range(len(forged.rows)))
    return {"LOT_WRONG"}


def set_dealers(forged: Forgery, by: int, places: range) -> None:
    for place, event in forged.events(*BEGINNINGS):
        if place in places:
            begins = getattr(event, str(event.WhichOneof("event")))
            begins.dealer = 1 + (begins.dealer - 1 + by) % 4
