"""Tampering with seeds, roots, and deals that were void."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as wire
from baloot.dealing import rules

from tests.verifier.forging import (
    BEGINNINGS,
    Codes,
    Forgery,
    dealt_in,
    flipped,
    need,
)

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


def void_after_contract(forged: Forgery) -> Codes:
    """A round that was bought, and may be lost, is called void, before its play or after it."""
    place, event = forged.one("round_scored")
    void = wire.TableEvent(deal_void=wire.DealVoid())
    forged.drop(place, event)
    forged.rows[place].entry.events.insert(0, void)
    first = next(first for first, after in forged.deals() if first <= place < after)
    bought = next(at for at, _ in forged.events("bought") if at > first)
    if forged.rng.random() < 0.5:
        del forged.rows[bought + 1 : place]
        forged.drop(bought, forged.rows[bought].entry.events[1])
        keep_last_void(forged, bought + 1, void)
    return {"VOID_WRONG"}


def keep_last_void(forged: Forgery, place: int, void: wire.TableEvent) -> None:
    """Leaves nothing of an entry that scored a round but its void and what it reveals."""
    events = [
        each for each in forged.rows[place].entry.events if each.WhichOneof("event") == "seeds_revealed"
    ]
    del forged.rows[place].entry.events[:]
    forged.rows[place].entry.events.extend([void, *events])


def kawesh_unshown(forged: Forgery) -> Codes:
    """A deal that suits nobody of the operator's is ended by a Kawesh that nobody sees."""
    _, event = forged.one("deal_void")
    void = event.deal_void
    need(void.kawesh)
    if forged.rng.random() < 0.5:
        del void.hands[forged.rng.randrange(void.kawesh) :]
    else:
        del void.hands[void.kawesh - 1].cards[:]
    return {"KAWESH_UNSHOWN"}
