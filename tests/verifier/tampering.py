"""What a cheat may do with a log: each kind of tampering, with the reasons by which it must be refused.

Unless a kind says otherwise, whoever tampers is the operator himself: he binds the log anew, so that its chain holds and
only the deals can tell.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.verifier import cheating_beacons as beacons
from tests.verifier import cheating_cards as cards
from tests.verifier import cheating_deals as deals
from tests.verifier import cheating_seats as seats
from tests.verifier.forging import (
    CHAIN,
    Codes,
    Forgery,
    Unfit,
    flipped,
    written,
)
from tests.verifier.honest import SHAPES

# What players noted, and the chain.


def pinned(forged: Forgery) -> Codes:
    """A log that was written anew as a whole, after a player had noted a value of the other."""
    entries = forged.log.proof()["entries"]
    place = forged.rng.randrange(len(entries))
    noted = forged.rng.randrange(place, len(entries))
    forged.pins = [(noted + 1, entries[noted]["chain"])]
    row = forged.rows[place]
    row.at, row.actor = row.at + 1, forged.rng.randrange(5)
    return {"PIN_WRONG"}


def pinned_behind_the_end(forged: Forgery) -> Codes:
    forged.pins = [(len(forged.rows) + forged.rng.randrange(1, 9), forged.rng.randbytes(32).hex())]
    return {"PIN_WRONG"}


TRIES = 1_000
"""How many logs are tried, since not each can be tampered with in every way."""
Unbound = Callable[[list[dict[str, Any]], int, random.Random], None]
"""Changes the entries of a proof at a place, and leaves the chain as it is."""


def chained(forged: Forgery) -> tuple[dict[str, Any], Codes]:
    """Somebody changes the file and cannot bind it anew."""
    proof = json.loads(json.dumps(forged.proof()))
    entries, rng = proof["entries"], forged.rng
    rng.choice(UNBOUND)(entries, rng.randrange(len(entries) - 2), rng)
    return proof, CHAIN


def _payload_taken(entries: list[dict[str, Any]], place: int, _rng: random.Random) -> None:
    entries[place]["payload"] = entries[place + 1]["payload"]
    entries[place]["at"] += 1


def _moment(entries: list[dict[str, Any]], place: int, rng: random.Random) -> None:
    entries[place]["at"] += rng.choice((-1, 1, 1 << 40))


def _actor(entries: list[dict[str, Any]], place: int, _rng: random.Random) -> None:
    entries[place]["actor"] = (entries[place]["actor"] + 1) % 5


def _default(entries: list[dict[str, Any]], place: int, _rng: random.Random) -> None:
    entries[place]["by_default"] = not entries[place]["by_default"]


def _hash(name: str) -> Unbound:
    def change(entries: list[dict[str, Any]], place: int, rng: random.Random) -> None:
        entries[place][name] = flipped(bytes.fromhex(entries[place][name]), rng).hex()

    return change


def _chain_lost(entries: list[dict[str, Any]], place: int, _rng: random.Random) -> None:
    entries[place + 1]["chain"] = ""


def _removed(entries: list[dict[str, Any]], place: int, rng: random.Random) -> None:
    del entries[place]
    if rng.random() < 0.5:
        _number(entries)


def _exchanged(entries: list[dict[str, Any]], place: int, rng: random.Random) -> None:
    entries[place], entries[place + 1] = entries[place + 1], entries[place]
    if rng.random() < 0.5:
        _number(entries)


def _repeated(entries: list[dict[str, Any]], place: int, rng: random.Random) -> None:
    entries.insert(place, dict(entries[place]))
    if rng.random() < 0.5:
        _number(entries)


def _number(entries: list[dict[str, Any]]) -> None:
    for number, entry in enumerate(entries, 1):
        entry["n"] = number


UNBOUND: tuple[Unbound, ...] = (
    _payload_taken, _moment, _actor, _default, _hash("secret"), _hash("chain"), _chain_lost, _removed, _exchanged, _repeated
)  # fmt: skip


def cut_short(forged: Forgery) -> Codes:
    """The end is left out, and the rest said to be all."""
    del forged.rows[forged.rng.randrange(1, len(forged.rows)) :]
    return {"END_MISSING"}


KINDS: dict[str, tuple[Callable[[Forgery], Codes], ...]] = {
    "card": (
        cards.card_played,
        cards.card_of_another,
        cards.up_card,
        cards.shown_project,
        cards.opened_hand,
        cards.sawa_cards,
        cards.trick_cards,
    ),
    "order": (cards.two_cards_exchanged, cards.plays_exchanged, cards.deals_exchanged, cards.cut_unknown),
    "seed": (deals.seed_changed, deals.seed_drawn_anew, deals.last_seed_untold, deals.seeds_of_others),
    "root": (deals.root_changed,),
    "void": (
        deals.void_left_out,
        deals.void_renumbered,
        deals.void_unrevealed,
        deals.void_untold,
        deals.void_after_contract,
        deals.kawesh_unshown,
    ),
    "commitment": (
        seats.commitment_after_seeds,
        seats.commitment_after_deal,
        seats.commitments_exchanged,
        seats.block_moved,
        seats.committed_again,
    ),
    "seat seed": (
        seats.seat_seed_changed,
        seats.seat_seed_left_out,
        seats.seat_seed_twice,
        seats.seat_seed_late,
        seats.seat_seed_short,
        seats.seat_seed_taken_back,
    ),
    "beacon": (
        seats.beacon_changed,
        seats.beacon_left_out,
        seats.beacon_twice,
        seats.seed_after_beacon,
        beacons.given_early,
        beacons.seed_when_public,
        beacons.not_of_its_source,
        beacons.named_nowhere,
    ),
    "dealer": (seats.dealer_changed, seats.lot_changed),
    "pin": (pinned, pinned_behind_the_end),
    "chain": (cut_short,),
}
"""The kinds of tampering, each in its ways. Most of `chain`, and a quarter of the others, leave the chain as it was."""


@dataclass(frozen=True, slots=True)
class Tampered:
    """A proof that must be refused, and why."""

    kind: str
    way: str
    proof: dict[str, Any]
    pins: list[tuple[int, str]]
    seeds: list[tuple[int, str]]
    beacon: str
    codes: Codes


def tampered(number: int) -> Tampered:
    """The tampering of a number: kinds and ways by turns, the rest by lot, always the same for the same number.

    Raises Unfit when no log can be found to tamper with.
    """
    rng = random.Random(number)
    kind = list(KINDS)[number % len(KINDS)]
    way = KINDS[kind][number // len(KINDS) % len(KINDS[kind])]
    for _ in range(TRIES):
        shape = rng.choice(list(SHAPES))
        forged = Forgery(written(shape, rng.randrange(4)), rng)
        try:
            if kind == "chain" and rng.random() < 0.8:
                proof, codes = chained(forged)
                return Tampered(kind, "chained", proof, [], [], "", codes)
            codes = way(forged)
        except Unfit:
            continue
        proof = forged.proof()
        if kind not in ("chain", "pin") and rng.random() < 0.25 and leave_chain(forged, proof):
            codes = CHAIN
        return Tampered(kind, way.__name__, proof, forged.pins, forged.seeds, forged.beacon, codes)
    raise Unfit(number)


def leave_chain(forged: Forgery, proof: dict[str, Any]) -> bool:
    """Gives the entries the chain of the honest log, as where somebody else tampers; False if nothing was changed."""
    known = forged.log.proof()
    differs = known != proof
    for entry, before in zip(proof["entries"], known["entries"], strict=False):
        entry["chain"] = before["chain"]
    return differs
