"""The rules of play once more, written from their text for cards in lists, slow and plain: what tests compare with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise

from baloot.core.cards import SUITS, Card, Rank, Suit, card_points
from baloot.core.contract import Mode
from baloot.core.projects import Project, ProjectKind
from baloot.core.ruleset import STANDARD, Akka, PartnerWinningExemption, Ruleset

TRUMP_ORDER = ["7", "8", "Q", "K", "10", "A", "9", "J"]
PLAIN_ORDER = ["7", "8", "9", "J", "Q", "K", "10", "A"]


def strength(card: Card, trump: Suit | None) -> int:
    """The place of a card in its suit, from the weakest on."""
    return (TRUMP_ORDER if card.suit is trump else PLAIN_ORDER).index(str(card.rank))


def beats(new: Card, old: Card, trump: Suit | None) -> bool:
    """Whether a card takes the lead in a trick from the one that is winning."""
    if new.suit is old.suit:
        return strength(new, trump) > strength(old, trump)
    return new.suit is trump


def winning(trick: Sequence[Card], trump: Suit | None) -> Card:
    best = trick[0]
    for card in trick[1:]:
        if beats(card, best, trump):
            best = card
    return best


def legal(
    hand: Sequence[Card],
    trick: Sequence[Card],
    trump: Suit | None,
    *,
    locked: bool = False,
    akka: bool = False,
    ruleset: Ruleset = STANDARD,
) -> set[Card]:
    """What a hand may play, straight from rules 2.15 and 2.19 with their options."""
    return duty(hand, trick, trump, locked=locked, akka=akka, ruleset=ruleset)[0]


def duty(
    hand: Sequence[Card],
    trick: Sequence[Card],
    trump: Suit | None,
    *,
    locked: bool = False,
    akka: bool = False,
    ruleset: Ruleset = STANDARD,
) -> tuple[set[Card], str]:
    """What a hand may play, and why not the rest: `locked`, `follow`, `trump`, `beat` or, for nothing, `free`."""
    held = set(hand)
    plain = {card for card in hand if card.suit is not trump}
    if not trick:
        return (plain, "locked") if locked and ruleset.locked_lead and plain else (held, "free")
    best = winning(trick, trump)
    partner_wins = len(trick) >= 2 and best is trick[-2]
    same = {card for card in hand if card.suit is trick[0].suit}
    trumps = held - plain if ruleset.must_trump else set()
    higher = {card for card in trumps if beats(card, best, trump)}
    must_beat = not partner_wins or ruleset.overtrump_partner
    if same:
        return (higher, "beat") if trick[0].suit is trump and higher and must_beat else (same, "follow")
    if not trumps or (partner_wins and exempt(trick, ruleset, akka=akka)):
        return held, "free"
    if best.suit is not trump or not ruleset.over_ruff:
        return trumps, "trump"
    if higher:
        return (higher, "beat") if must_beat else (trumps, "trump")
    return (trumps, "trump") if ruleset.undertrump_obligation else (held, "free")


def exempt(trick: Sequence[Card], ruleset: Ruleset, *, akka: bool) -> bool:
    """Whether a partner who is winning frees from trumping."""
    if ruleset.partner_winning_exemption is PartnerWinningExemption.FOURTH_OR_AKKA:
        return len(trick) == 3 or akka or trick[0].rank is Rank.ACE
    return ruleset.partner_winning_exemption is PartnerWinningExemption.ANY_POSITION


def cheapest(cards: Iterable[Card], trump: Suit | None) -> Card:
    """What is played for a seat that does not answer, of the cards that it may play."""

    def price(card: Card) -> tuple[int, ...]:
        return card_points(card, trump), card.suit is trump, strength(card, trump), card.suit

    return min(cards, key=price)


def akka(hand: Iterable[Card], unplayed: Collection[Card], trump: Suit | None, ruleset: Ruleset) -> set[Card]:
    """The cards that Akka may be said with by who leads one of them (2.20); his own are among the unplayed."""
    if trump is None or ruleset.akka is Akka.OFF:
        return set()
    plain = {card for card in hand if card.suit is not trump and card.rank is not Rank.ACE}
    if ruleset.akka is Akka.MANUAL_UNCHECKED:
        return plain
    return {
        card for card in plain if not any(c.suit is card.suit and beats(c, card, trump) for c in unplayed)
    }


KINDS = {3: ProjectKind.SIRA, 4: ProjectKind.FIFTY, 5: ProjectKind.HUNDRED}


def project(chosen: tuple[Card, ...], mode: Mode) -> Project | None:
    """What some cards, in order of card numbers, are together; None when they are nothing."""
    ranks = [card.rank for card in chosen]
    if len({card.suit for card in chosen}) == 1 and len(chosen) in KINDS:
        in_a_row = all(after == before + 1 for before, after in pairwise(ranks))
        return Project(KINDS[len(chosen)], chosen) if in_a_row else None
    if len(chosen) == 4 and len(set(ranks)) == 1 and ranks[0] >= Rank.TEN:
        four_hundred = ranks[0] is Rank.ACE and mode is Mode.SUN
        return Project(ProjectKind.FOUR_HUNDRED if four_hundred else ProjectKind.HUNDRED, chosen)
    return None


def projects(hand: Iterable[Card], mode: Mode) -> set[Project]:
    """Every subset of a hand that is a project: what is more than one suit and more than one rank is none."""
    ordered = sorted(hand)
    alike = [[card for card in ordered if card.suit is suit] for suit in SUITS]
    alike += [[card for card in ordered if card.rank is rank] for rank in Rank]
    subsets = (chosen for cards in alike for size in (3, 4, 5) for chosen in combinations(cards, size))
    return {found for chosen in subsets if (found := project(chosen, mode)) is not None}


def declarations(hand: Iterable[Card], mode: Mode, limit: int) -> set[frozenset[Project]]:
    """Every set of projects, up to a limit, that share no card."""
    found = projects(hand, mode)
    chosen = (frozenset(some) for size in range(1, min(limit, 2) + 1) for some in combinations(found, size))
    return {
        some
        for some in chosen
        if len({c for one in some for c in one.cards}) == sum(len(one.cards) for one in some)
    }


def sawa(
    hands: Sequence[list[Card]],
    claimer: int,
    trump: Suit | None,
    *,
    locked: bool = False,
    ruleset: Ruleset = STANDARD,
) -> bool:
    """Whether some fixed order of the claimer's cards wins every trick against all legal cards of the others."""

    def orders(done: list[Card], left: frozenset[Card]) -> bool:
        if not left:
            return wins_all(hands, claimer, done, trump, ruleset=ruleset)
        leads = legal(list(left), [], trump, locked=locked, ruleset=ruleset)
        return any(orders([*done, card], left - {card}) for card in leads)

    return orders([], frozenset(hands[claimer]))


def wins_all(
    hands: Sequence[list[Card]],
    claimer: int,
    leads: Sequence[Card],
    trump: Suit | None,
    *,
    ruleset: Ruleset = STANDARD,
) -> bool:
    """Whether these cards, led one after the other, win every trick against all legal cards of the others."""
    order = [(claimer + n) % 4 for n in range(4)]

    @cache
    def survives(cards: tuple[frozenset[Card], ...], rest: tuple[Card, ...]) -> bool:
        return not rest or follows(cards, [rest[0]], rest)

    def follows(cards: tuple[frozenset[Card], ...], trick: list[Card], rest: tuple[Card, ...]) -> bool:
        """Whether all continuations of a trick leave the claimer its winner, and so all tricks after it."""
        if winning(trick, trump) is not trick[0]:
            return False
        if len(trick) == 4:
            return survives(cards, rest[1:])
        seat = len(trick) - 1
        return all(
            follows((*cards[:seat], cards[seat] - {card}, *cards[seat + 1 :]), [*trick, card], rest)
            for card in legal(list(cards[seat]), trick, trump, ruleset=ruleset)
        )

    return survives(tuple(frozenset(hands[seat]) for seat in order[1:]), tuple(leads))
