"""Tampering with cards, and with the order of the deck, of cards and of deals."""

from __future__ import annotations

from typing import Any

from baloot.api.core.v1.cards_pb2 import Card
from baloot.api.table.v1 import events_pb2 as wire
from baloot.dealing import rules

from tests.verifier.forging import (
    Codes,
    Forgery,
    another,
    dealt_in,
    need,
)


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


def cut_unknown(forged: Forgery) -> Codes:
    """A cut that no rule knows, and that leaves the deck as it is."""
    _, event = forged.one("dealt")
    need(event.dealt.cut)
    event.dealt.cut = forged.rng.choice((8, 99))  # type: ignore[assignment]
    return {"CUT_WRONG"}
