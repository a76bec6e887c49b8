"""Tampering with when a beacon was public, and with what its source tells."""

from __future__ import annotations

from tests.verifier.forging import Codes, Forgery, flipped, need


def given_early(forged: Forgery) -> Codes:
    """The beacon is given before anybody can have known it."""
    place, _ = forged.one("beacon_given")
    need(forged.log.timed)
    forged.rows[place].at = forged.log.beacon_time - forged.rng.randrange(1, 1_000_000)
    return {"BEACON_BEFORE_TIME"}


def seed_when_public(forged: Forgery) -> Codes:
    """A seat that is in league with the operator adds its seed when anybody may know the beacon."""
    places = [place for place, event in forged.events("seat_taken") if event.seat_taken.seed]
    need(forged.log.timed)
    forged.rows[forged.rng.choice(places)].at = forged.log.beacon_time + forged.rng.randrange(1_000_000)
    return {"SEED_AFTER_TIME"}


def not_of_its_source(forged: Forgery) -> Codes:
    """The operator gives a value of his own, and somebody looks it up."""
    need(forged.log.beacon)
    forged.beacon = flipped(forged.log.beacon, forged.rng).hex()
    return {"BEACON_WRONG"}


def named_nowhere(forged: Forgery) -> Codes:
    """The operator told of a beacon, and opened a table without one."""
    need(not forged.log.beacon)
    forged.beacon = forged.rng.randbytes(32).hex()
    return {"BEACON_ABSENT"}
