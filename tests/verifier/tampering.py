"""What a cheat may do with a log: each kind of tampering, with the reasons by which it must be refused.

Unless a kind says otherwise, whoever tampers is the operator himself: he binds the log anew, so that its chain holds and
only the deals can tell.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from baloot.api.core.v1.cards_pb2 import Card
from baloot.api.table.v1 import events_pb2 as wire
from baloot.dealing import rules

from tests.verifier.honest import SHAPES, HonestLog, Row, honest, proof_of

Codes = set[str]
CHAIN: Codes = {"CHAIN_WRONG", "ENTRY_MISSING"}
BEGINNINGS = ("dealt", "round_opened")


@cache
def written(shape: str, number: int) -> HonestLog:
    """An honest log, which nobody may change: tampering takes copies."""
    return honest(shape, number)


@dataclass
class Forgery:
    """A log in the hands of a cheat."""

    log: HonestLog
    rng: random.Random
    rows: list[Row] = field(default_factory=list)
    pins: list[tuple[int, str]] = field(default_factory=list)
    seeds: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [row.copy() for row in self.log.rows]

    def events(self, *names: str) -> list[tuple[int, wire.TableEvent]]:
        """The events of these kinds, each with the place of its row."""
        return [
            (place, event)
            for place, row in enumerate(self.rows)
            for event in row.entry.events
            if event.WhichOneof("event") in names
        ]

    def one(self, *names: str) -> tuple[int, wire.TableEvent]:
        """Any of them. Raises Unfit where there is none."""
        found = self.events(*names)
        if not found:
            raise Unfit
        return self.rng.choice(found)

    def drop(self, place: int, event: wire.TableEvent) -> wire.TableEvent:
        """Takes an event out of its row, which stays."""
        events = self.rows[place].entry.events
        kept = wire.TableEvent()
        kept.CopyFrom(event)
        events.remove(event)
        return kept

    def insert(self, place: int, *events: wire.TableEvent) -> None:
        """Writes an entry of its own before a place."""
        row = self.rows[place - 1].copy()
        del row.entry.events[:]
        row.entry.events.extend(events)
        self.rows.insert(place, row)

    def deals(self) -> list[tuple[int, int]]:
        """The rows of each deal, those of a cut included: the first, and the one after the last."""
        starts = [place for place, event in self.events(*BEGINNINGS) if not is_cut(event)]
        return list(zip(starts, [*starts[1:], len(self.rows) - 1], strict=True))

    def proof(self) -> dict[str, Any]:
        return proof_of(self.log.match, self.rows)


class Unfit(Exception):
    """A log in which there is nothing to tamper with in this way."""


def need(holds: object) -> None:
    if not holds:
        raise Unfit


def is_cut(event: wire.TableEvent) -> bool:
    return event.WhichOneof("event") == "dealt" and bool(event.dealt.cut)


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def another(card: Card.ValueType, rng: random.Random) -> Card.ValueType:
    return rng.choice([other for other in Card.values() if other not in (0, card)])


# Cards.


def card_played(forged: Forgery) -> Codes:
    """Another card is played, and lies in the trick as well."""
    place, event = forged.one("card_played")
    card = event.card_played.card
    event.card_played.card = another(card, forged.rng)
    trick = next((won for at, won in forged.events("trick_won") if at >= place), None)
    if trick is not None and card in trick.trick_won.trick.cards:
        lying = trick.trick_won.trick.cards
        lying[list(lying).index(card)] = event.card_played.card
    return {"CARD_WRONG", "CARD_TWICE"}


def card_of_another(forged: Forgery) -> Codes:
    _, event = forged.one("card_played")
    event.card_played.seat = 1 + event.card_played.seat % 4  # type: ignore[assignment]
    return {"CARD_WRONG"}


def up_card(forged: Forgery) -> Codes:
    _, event = forged.one("dealt")
    event.dealt.up_card = another(event.dealt.up_card, forged.rng)
    return {"UP_CARD_WRONG"}


def shown_project(forged: Forgery) -> Codes:
    _, event = forged.one("projects_shown")
    shown = event.projects_shown.projects[0]
    if forged.rng.random() < 0.5:
        shown.seat = 1 + shown.seat % 4  # type: ignore[assignment]
    else:
        shown.project.cards[0] = stranger(forged, event)
    return {"PROJECT_WRONG"}


def stranger(forged: Forgery, event: wire.TableEvent) -> Card.ValueType:
    """A card that another seat played in the same trick as the projects were shown."""
    shown = event.projects_shown.projects[0]
    after = [card for _, card in forged.events("card_played", "projects_shown")]
    at = next(n for n, each in enumerate(after) if each is event or each == event)
    follower = next(each.card_played for each in after[at:] if each.WhichOneof("event") == "card_played")
    need(follower.seat != shown.seat)
    return follower.card


def opened_hand(forged: Forgery) -> Codes:
    _, event = forged.one("deal_void")
    need(event.deal_void.hands)
    hand = next(hand for hand in event.deal_void.hands if hand.cards)
    hand.cards[0] = another(hand.cards[0], forged.rng)
    return {"HAND_WRONG"}


def sawa_cards(forged: Forgery) -> Codes:
    _, event = forged.one("sawa_claimed")
    cards = event.sawa_claimed.cards
    if forged.rng.random() < 0.5:
        cards[0] = another(cards[0], forged.rng)
    else:
        del cards[0]
    return {"SAWA_WRONG"}


def trick_cards(forged: Forgery) -> Codes:
    _, event = forged.one("trick_won")
    trick = event.trick_won.trick
    if forged.rng.random() < 0.5:
        trick.leader = 1 + trick.leader % 4  # type: ignore[assignment]
    else:
        trick.cards[0] = another(trick.cards[0], forged.rng)
    return {"TRICK_WRONG"}


# The order of the deck, of cards and of deals.


def two_cards_exchanged(forged: Forgery) -> Codes:
    """Two cards of the deck change places, in all that is seen of them, and the root is made of that deck."""
    log, (first, after) = forged.log, forged.rng.choice(forged.deals())
    event = dealt_in(forged, first, after)
    number = event.dealt.number
    shuffled = log.shuffled(number)
    one, other = forged.rng.sample(range(32), 2)
    swapped = list(shuffled.deck.cards)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    event.dealt.deck_root = root_of(log.match, number, shuffled, swapped)
    names = {
        int(shuffled.deck.cards[one]) + 1: swapped[one] + 1,
        int(shuffled.deck.cards[other]) + 1: swapped[other] + 1,
    }
    for row in forged.rows[first:after]:
        for each in row.entry.events:
            rename_cards(each, names)
    return {"ROOT_WRONG"}


def dealt_in(forged: Forgery, first: int, after: int) -> wire.TableEvent:
    return next(event for place, event in forged.events("dealt") if first <= place < after)


def root_of(match: bytes, number: int, shuffled: rules.Shuffle, cards: list[Any]) -> bytes:
    place = rules._place(match, number, 0)
    leaves = tuple(rules._leaf(place, n, card, shuffled.salts[n]) for n, card in enumerate(cards))
    return rules._levels(leaves)[-1][0]


def rename_cards(event: wire.TableEvent, names: dict[int, int]) -> None:
    """Writes other cards in the place of some."""
    kind = event.WhichOneof("event")
    holders: list[Any] = {
        "trick_won": lambda: [event.trick_won.trick.cards],
        "sawa_claimed": lambda: [event.sawa_claimed.cards],
        "deal_void": lambda: [hand.cards for hand in event.deal_void.hands],
        "projects_shown": lambda: [shown.project.cards for shown in event.projects_shown.projects],
    }.get(str(kind), list)()
    for cards in holders:
        cards[:] = [names.get(card, card) for card in cards]
    if kind == "card_played":
        event.card_played.card = names.get(event.card_played.card, event.card_played.card)  # type: ignore[assignment]
    if kind == "dealt":
        event.dealt.up_card = names.get(event.dealt.up_card, event.dealt.up_card)  # type: ignore[assignment]


def plays_exchanged(forged: Forgery) -> Codes:
    """Two cards of a trick are played in the other order, and lie in the trick as before."""
    place, _ = forged.one("trick_won")
    rows = forged.rows
    rows[place - 3], rows[place - 2] = rows[place - 2], rows[place - 3]
    return {"TRICK_WRONG"}


def deals_exchanged(forged: Forgery) -> Codes:
    deals = forged.deals()
    n = forged.rng.randrange(len(deals) - 1)
    (start, middle), (_, end) = deals[n], deals[n + 1]
    forged.rows[start:end] = forged.rows[middle:end] + forged.rows[start:middle]
    return {"NUMBER_WRONG", "EVENT_MISPLACED"}


# Seeds and roots.


def seed_changed(forged: Forgery) -> Codes:
    _, event = forged.one("seeds_revealed")
    seeds = event.seeds_revealed.seeds
    n = forged.rng.randrange(len(seeds))
    seeds[n] = flipped(seeds[n], forged.rng)
    return {"SEED_WRONG"}


def seed_drawn_anew(forged: Forgery) -> Codes:
    """A seed that suits better, with its own commitment in the deal."""
    _, event = forged.one("dealt")
    number, seed = event.dealt.number, forged.rng.randbytes(32)
    event.dealt.commitment = rules.commitment(forged.log.match, number, 0, seed)
    for _, opened in forged.events("round_opened"):
        if opened.round_opened.number == number:
            opened.round_opened.commitment = event.dealt.commitment
    set_seed(forged, number, seed)
    return {"COMMITMENT_WRONG"}


def set_seed(forged: Forgery, number: int, seed: bytes) -> None:
    for _, event in forged.events("seeds_revealed"):
        n = number - event.seeds_revealed.first_number
        if 0 <= n < len(event.seeds_revealed.seeds):
            event.seeds_revealed.seeds[n] = seed


def last_seed_untold(forged: Forgery) -> Codes:
    """The seed of the last deal is kept, and with it the deck."""
    place, event = forged.events("seeds_revealed")[-1]
    if forged.rng.random() < 0.5:
        del event.seeds_revealed.seeds[-1]
    else:
        forged.drop(place, event)
    return {"REVEAL_MISSING"}


def seeds_of_others(forged: Forgery) -> Codes:
    """Seeds are told for other deals than they belong to."""
    _, event = forged.one("seeds_revealed")
    event.seeds_revealed.first_number += forged.rng.choice((-1, 1))
    return {"REVEAL_WRONG"}


def root_changed(forged: Forgery) -> Codes:
    _, event = forged.one("dealt")
    root = event.dealt.deck_root
    event.dealt.deck_root = forged.rng.choice((flipped(root, forged.rng), b"", forged.rng.randbytes(32)))
    return {"ROOT_WRONG"}


# Deals that were void.


def a_void(forged: Forgery) -> tuple[int, int, int]:
    """A deal that was void and is not the last: its rows and its number."""
    deals = forged.deals()
    voids = {place for place, _ in forged.events("deal_void")}
    fit = [(*rows, n) for n, rows in enumerate(deals[:-1]) if any(place in voids for place in range(*rows))]
    need(fit)
    first, after, _ = forged.rng.choice(fit)
    return first, after, dealt_in(forged, first, after).dealt.number


def void_left_out(forged: Forgery) -> Codes:
    first, after, _ = a_void(forged)
    cut_out(forged, first, after)
    return {"NUMBER_WRONG", "REVEAL_WRONG"}


def cut_out(forged: Forgery, first: int, after: int) -> None:
    """Takes rows out, but for commitments and seeds of other deals in them, which go into the entry before."""
    due = forged.events("deals_committed", "seeds_revealed")
    kept = [event for place, event in due if first <= place < after]
    forged.rows[first - 1].entry.events.extend(kept)
    del forged.rows[first:after]


def void_renumbered(forged: Forgery) -> Codes:
    """The void is left out, and all that follows is one less; the commitments stay or move up as well."""
    first, after, number = a_void(forged)
    need(not forged.log.cuts)
    cut_out(forged, first, after)
    if forged.rng.random() < 0.5:
        first_block = forged.events("deals_committed")[0][1].deals_committed
        need(number <= len(first_block.commitments))
        del first_block.commitments[number - 1]
        first_block.commitments.append(bytes(32))
    for place, event in forged.events(*BEGINNINGS):
        if place >= first:
            getattr(event, str(event.WhichOneof("event"))).number -= 1
    drop_seed(forged, number, renumber=True)
    return {"COMMITMENT_WRONG", "SEED_WRONG", "DEALER_WRONG"}


def drop_seed(forged: Forgery, number: int, *, renumber: bool) -> None:
    for place, event in forged.events("seeds_revealed"):
        revealed = event.seeds_revealed
        n = number - revealed.first_number
        if 0 <= n < len(revealed.seeds):
            del revealed.seeds[n]
        elif n < 0 and renumber:
            revealed.first_number -= 1
        if not revealed.seeds:
            forged.drop(place, event)


def void_unrevealed(forged: Forgery) -> Codes:
    drop_seed(forged, a_void(forged)[2], renumber=False)
    return {"REVEAL_MISSING", "REVEAL_WRONG"}


def void_untold(forged: Forgery) -> Codes:
    first, after, _ = a_void(forged)
    place, event = next(each for each in forged.events("deal_void") if first <= each[0] < after)
    forged.drop(place, event)
    return {"DEAL_UNFINISHED"}


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


def begun(event: wire.TableEvent) -> int:
    return event.dealt.number or event.round_opened.number


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
    "card": (card_played, card_of_another, up_card, shown_project, opened_hand, sawa_cards, trick_cards),
    "order": (two_cards_exchanged, plays_exchanged, deals_exchanged),
    "seed": (seed_changed, seed_drawn_anew, last_seed_untold, seeds_of_others),
    "root": (root_changed,),
    "void": (void_left_out, void_renumbered, void_unrevealed, void_untold),
    "commitment": (
        commitment_after_seeds,
        commitment_after_deal,
        commitments_exchanged,
        block_moved,
        committed_again,
    ),
    "seat seed": (seat_seed_changed, seat_seed_left_out, seat_seed_twice, seat_seed_late, seat_seed_short),
    "beacon": (beacon_changed, beacon_left_out, beacon_twice),
    "dealer": (dealer_changed, lot_changed),
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
    codes: Codes


def tampered(number: int) -> Tampered:
    """The tampering of a number: kinds and ways by turns, the rest by lot, always the same for the same number."""
    rng = random.Random(number)
    kind = list(KINDS)[number % len(KINDS)]
    way = KINDS[kind][number // len(KINDS) % len(KINDS[kind])]
    while True:
        shape = rng.choice(list(SHAPES))
        forged = Forgery(written(shape, rng.randrange(4)), rng)
        try:
            if kind == "chain" and rng.random() < 0.8:
                proof, codes = chained(forged)
                return Tampered(kind, "chained", proof, [], [], codes)
            codes = way(forged)
        except Unfit:
            continue
        proof = forged.proof()
        if kind not in ("chain", "pin") and rng.random() < 0.25 and leave_chain(forged, proof):
            codes = CHAIN
        return Tampered(kind, way.__name__, proof, forged.pins, forged.seeds, codes)


def leave_chain(forged: Forgery, proof: dict[str, Any]) -> bool:
    """Gives the entries the chain of the honest log, as where somebody else tampers; False if nothing was changed."""
    known = forged.log.proof()
    differs = known != proof
    for entry, before in zip(proof["entries"], known["entries"], strict=False):
        entry["chain"] = before["chain"]
    return differs


def all_tampered(count: int) -> Iterator[Tampered]:
    return map(tampered, range(count))
