"""Which cards may be played: the rows of the rules, and a slow second opinion about everything else."""

from __future__ import annotations

from random import Random

import pytest
from baloot.core.cards import CARDS, Card, Hand, Suit, cards_of, mask_of
from baloot.core.catalogue import RULESETS
from baloot.core.errors import Reason
from baloot.core.ruleset import STANDARD
from baloot.core.ruleset import PartnerWinningExemption as Exemption
from baloot.core.seats import Seat
from baloot.play import rules
from baloot.play.legality import akka_cards, default_card, duty, refusal_reason, winning_place
from hypothesis import given

from tests.rules.play import naive
from tests.rules.play.rounds import after, cards, contract, rules_with, started, terms_of
from tests.strategies.cards import randoms
from tests.strategies.play import play_ruleset

ROWS = [
    # id, contract, trick (! with Akka), hand, legal
    ("LM-2", "sun", "10S 7S", "KH 9D 7C 8C", "KH 9D 7C 8C"),
    ("LM-3", "sun", "KS 10S", "AS 7S KH", "AS 7S"),
    ("LM-5", "hokum H", "", "JH 9H AS 7C", "JH 9H AS 7C"),
    ("LM-6", "hokum H locked", "", "JH 9H AS 7C", "AS 7C"),
    ("LM-8", "hokum H locked", "AS", "JH 8H KC", "JH 8H"),
    ("LM-9", "hokum H", "KS", "AS 7S JH", "AS 7S"),
    ("LM-11", "hokum H", "KH", "AH 8H QH KC", "AH"),
    ("LM-12", "hokum H", "AH", "QH 8H KC", "QH 8H"),
    ("LM-14", "hokum H", "QH", "10H KH 7C", "10H KH"),
    ("LM-15", "hokum H", "QH", "7H 8H AS", "7H 8H"),
    ("LM-17", "hokum H", "KH AH", "9H 7H QH AS", "9H"),
    ("LM-18", "hokum H", "KH QH AH", "9H 7H AS", "9H"),
    ("LM-20", "hokum H", "JH", "AS KC 7D", "AS KC 7D"),
    ("LM-21", "hokum H", "AS", "9H 7H KC", "9H 7H"),
    ("LM-23", "hokum H", "AS 7S", "9H 7H KC", "9H 7H KC"),
    ("LM-24", "hokum H", "10S 7S", "9H 7H KC", "9H 7H"),
    ("LM-26", "hokum H", "AS QH", "9H 7H KC", "9H"),
    ("LM-27", "hokum H", "AS QH", "8H 7H KC", "8H 7H KC"),
    ("LM-29", "hokum H", "10S! AH", "JH 7H KC", "JH"),
    ("LM-30", "hokum H", "7S AS 8S", "9H 7H KC", "9H 7H KC"),
    ("LM-32", "hokum H", "KS 7S AS", "9H 7H KC", "9H 7H"),
    ("LM-33", "hokum H", "7S AS AH", "9H 7H KC", "9H"),
    ("LM-35", "hokum H", "7S AS AH", "QH 7H", "QH 7H"),
    ("LM-36", "hokum H", "AS KS 7S", "8H KC QC", "8H"),
    ("LM-38", "hokum H", "KC! 9H", "KH 7D 8S", "KH 7D 8S"),
    ("LM-39", "hokum H", "KS 7S", "JH 9H", "JH 9H"),
    ("LM-41", "sun", "JS", "KS 8D AD", "KS"),
    ("LM-42", "hokum H locked", "", "JH 9H 10H KH AS 7S 8C 9C", "AS 7S 8C 9C"),
    # Beside them: every duty and every exemption once more, each just inside or outside of its border.
    ("locked with trumps only", "hokum H locked", "", "JH 9H 7H", "JH 9H 7H"),
    ("locked does not touch following a trump", "hokum H locked", "KH", "AH 8H KC", "AH"),
    ("locked does not touch over-trumping", "hokum H locked", "AS QH", "9H 7H KC", "9H"),
    ("partner's led trump need not be beaten", "hokum H", "AH 7H", "JH 8H KC", "JH 8H"),
    ("nor in fourth hand", "hokum H", "7H AH KH", "JH QH KC", "JH QH"),
    ("an opponent's trump that beat partner's", "hokum H", "KH AH", "9H 8H", "9H"),
    ("a plain lead need not be beaten in Hokum", "hokum H", "KS", "AS 7S", "AS 7S"),
    ("nor when an opponent has trumped it", "hokum H", "KS 7H", "AS 7S JH", "AS 7S"),
    ("a led trump, off suit, with plain cards only", "hokum H", "7H JH", "AS KS", "AS KS"),
    ("second hand has no winning partner", "hokum H", "7S", "8H KC", "8H"),
    ("Akka frees third hand", "hokum H", "10S! 7S", "9H 7H KC", "9H 7H KC"),
    ("Akka does not free an opponent", "hokum H", "10S!", "9H 7H KC", "9H 7H"),
    ("Akka does not free from following", "hokum H", "10S! 7S", "8S 7H KC", "8S"),
    ("a partner's Ace that an opponent trumped", "hokum H", "AS 8H", "9H 7H KC", "9H"),
    ("third hand, an opponent's Ace is winning", "hokum H", "KS AS", "9H KC", "9H"),
    ("third hand without trumps is free", "hokum H", "10S 7S", "KC 7D", "KC 7D"),
    ("fourth hand, partner's trump is winning", "hokum H", "7S 8H 9S", "9H 7H KC", "9H 7H KC"),
    ("fourth hand cannot over-trump", "hokum H", "7S AS 9H", "AH 7H KC", "AH 7H KC"),
    ("fourth hand, an opponent's Ace of the led suit", "hokum H", "AS 8S 7S", "9H KC", "9H"),
    ("the rank of trumps, 9 over Ace", "hokum H", "AS AH", "9H 10H KC", "9H"),
    ("another trump suit", "hokum C", "AS", "9H 7C KC", "7C KC"),
    ("in Sun nobody trumps", "sun", "AS", "JH KC", "JH KC"),
    ("in Sun a suit is followed, high or low", "sun", "7H JH AH", "10H 8H KC", "10H 8H"),
]


def table(text: str) -> tuple[tuple[Card, ...], bool]:
    return cards(text.replace("!", "")), "!" in text


@pytest.mark.parametrize(("name", "bought", "trick", "hand", "legal"), ROWS, ids=[row[0] for row in ROWS])
def test_a_row_of_the_rules(name: str, bought: str, trick: str, hand: str, legal: str) -> None:
    on = terms_of(bought)
    (played, akka), held = table(trick), Hand.parse(hand)
    allowed, _ = duty(on, held.mask, played, winning_place(on, played), akka=akka)
    assert set(cards_of(allowed)) == set(cards(legal))


@pytest.mark.parametrize(("name", "bought", "trick", "hand", "legal"), ROWS, ids=[row[0] for row in ROWS])
def test_the_second_opinion_agrees_with_the_rows(
    name: str, bought: str, trick: str, hand: str, legal: str
) -> None:
    on = contract(bought)
    played, akka = table(trick)
    assert naive.legal(cards(hand), played, on.trump, locked=on.locked, akka=akka) == set(cards(legal))


NO_DUTY: dict[str, object] = {"must_trump": False}
NEVER_FREED: dict[str, object] = {"partner_winning_exemption": Exemption.NONE}
ALWAYS_FREED: dict[str, object] = {"partner_winning_exemption": Exemption.ANY_POSITION}
UNDER: dict[str, object] = {"undertrump_obligation": True}
ANY_RUFF: dict[str, object] = {"over_ruff": False}
BEAT_PARTNER: dict[str, object] = {"overtrump_partner": True}
OPTIONS: list[tuple[str, dict[str, object], str, str, str, str]] = [
    # id, options, contract, trick (! with Akka), hand, legal
    ("LM-8", NO_DUTY, "hokum H locked", "AS", "JH 8H KC", "JH 8H KC"),
    ("LM-9", NO_DUTY, "hokum H", "KS", "AS 7S JH", "AS 7S"),
    ("LM-11", NO_DUTY, "hokum H", "KH", "AH 8H QH KC", "AH 8H QH"),
    ("LM-14", NO_DUTY, "hokum H", "QH", "10H KH 7C", "10H KH"),
    ("LM-17", NO_DUTY, "hokum H", "KH AH", "9H 7H QH AS", "9H 7H QH"),
    ("LM-21", NO_DUTY, "hokum H", "AS", "9H 7H KC", "9H 7H KC"),
    ("LM-26", NO_DUTY, "hokum H", "AS QH", "9H 7H KC", "9H 7H KC"),
    ("no duty, whatever else is asked for", NO_DUTY | NEVER_FREED | UNDER | BEAT_PARTNER, "hokum H", "AS QH", "9H KC", "9H KC"),
    ("LM-6", {"locked_lead": False}, "hokum H locked", "", "JH 9H AS 7C", "JH 9H AS 7C"),
    ("LM-23", NEVER_FREED, "hokum H", "AS 7S", "9H 7H KC", "9H 7H"),
    ("LM-30", NEVER_FREED, "hokum H", "7S AS 8S", "9H 7H KC", "9H 7H"),
    ("Akka frees nobody", NEVER_FREED, "hokum H", "10S! 7S", "9H 7H KC", "9H 7H"),
    ("LM-24", ALWAYS_FREED, "hokum H", "10S 7S", "9H 7H KC", "9H 7H KC"),
    ("freed by a partner's ruff", ALWAYS_FREED, "hokum H", "7S 8H 9S", "9H 7H KC", "9H 7H KC"),
    ("not freed by an opponent", ALWAYS_FREED, "hokum H", "10S AS", "9H 7H KC", "9H 7H"),
    ("LM-27", UNDER, "hokum H", "AS QH", "8H 7H KC", "8H 7H"),
    ("LM-38", UNDER, "hokum H", "KC! 9H", "KH 7D 8S", "KH"),
    ("an under-trump only if none is higher", UNDER, "hokum H", "AS QH", "9H 7H KC", "9H"),
    ("a freed hand need not under-trump", UNDER, "hokum H", "AS 7S", "9H KC", "9H KC"),
    ("LM-26", ANY_RUFF | UNDER, "hokum H", "AS QH", "9H 7H KC", "9H 7H"),
    ("LM-29", ANY_RUFF | UNDER, "hokum H", "10S! AH", "JH 7H KC", "JH 7H"),
    ("LM-33", ANY_RUFF | UNDER, "hokum H", "7S AS AH", "9H 7H KC", "9H 7H"),
    ("LM-27", ANY_RUFF, "hokum H", "AS QH", "8H 7H KC", "8H 7H"),
    ("LM-11", ANY_RUFF, "hokum H", "KH", "AH 8H QH KC", "AH"),
    ("the partner's led trump", BEAT_PARTNER, "hokum H", "QH 8H", "JH 7H KC", "JH"),
    ("if it can be beaten", BEAT_PARTNER, "hokum H", "JH 8H", "9H 7H KC", "9H 7H"),
    ("the trump he beat another with", BEAT_PARTNER, "hokum H", "8H QH 7H", "JH KC", "JH"),
    ("LM-23", BEAT_PARTNER, "hokum H", "AS 7S", "9H 7H KC", "9H 7H KC"),
    ("the partner's ruff, any trump", NEVER_FREED, "hokum H", "7S 8H 9S", "9H 7H KC", "9H 7H"),
    ("with lower trumps only one is free", NEVER_FREED, "hokum H", "7S 8H 9S", "7H KC", "7H KC"),
    ("unless one under-trumps", NEVER_FREED | UNDER, "hokum H", "7S 8H 9S", "7H KC", "7H"),
    ("or any trump will do", NEVER_FREED | ANY_RUFF, "hokum H", "7S 8H 9S", "7H KC", "7H"),
    ("a higher one over the partner", NEVER_FREED | BEAT_PARTNER, "hokum H", "7S 8H 9S", "9H 7H KC", "9H"),
    ("any trump over the partner", NEVER_FREED | BEAT_PARTNER | ANY_RUFF, "hokum H", "7S 8H 9S", "9H 7H KC", "9H 7H"),
    ("in Sun no option matters", NEVER_FREED | UNDER | BEAT_PARTNER, "sun", "AS 7S", "9H 7H KC", "9H 7H KC"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "options", "bought", "trick", "hand", "legal"),
    OPTIONS,
    ids=[f"{row[0]} {' '.join(row[1])}" for row in OPTIONS],
)
def test_a_row_under_other_rules(
    name: str, options: dict[str, object], bought: str, trick: str, hand: str, legal: str
) -> None:
    ruleset = rules_with(**options)
    on, (played, akka), held = terms_of(bought, ruleset), table(trick), Hand.parse(hand)
    allowed, _ = duty(on, held.mask, played, winning_place(on, played), akka=akka)
    assert set(cards_of(allowed)) == set(cards(legal))
    locked = contract(bought).locked
    assert naive.legal(cards(hand), played, on.trump, locked=locked, akka=akka, ruleset=ruleset) == set(
        cards(legal)
    )


SETS = [
    # id, rule set, contract, trick (! with Akka), hand, legal
    ("LM-8", "gamerules", "hokum H locked", "AS", "JH 8H KC", "JH 8H KC"),
    ("LM-11", "gamerules", "hokum H", "KH", "AH 8H QH KC", "AH 8H QH"),
    ("LM-14", "gamerules", "hokum H", "QH", "10H KH 7C", "10H KH"),
    ("LM-21", "gamerules", "hokum H", "AS", "9H 7H KC", "9H 7H KC"),
    ("LM-26", "gamerules", "hokum H", "AS QH", "9H 7H KC", "9H 7H KC"),
    ("LM-23", "wikipedia", "hokum H", "AS 7S", "9H 7H KC", "9H 7H"),
    ("LM-24", "wikipedia", "hokum H", "10S 7S", "9H 7H KC", "9H 7H"),
    ("LM-26", "wikipedia", "hokum H", "AS QH", "9H 7H KC", "9H 7H"),
    ("LM-27", "wikipedia", "hokum H", "AS QH", "8H 7H KC", "8H 7H"),
    ("LM-29", "wikipedia", "hokum H", "10S AH", "JH 7H KC", "JH 7H"),
    ("LM-30", "wikipedia", "hokum H", "7S AS 8S", "9H 7H KC", "9H 7H"),
    ("LM-33", "wikipedia", "hokum H", "7S AS AH", "9H 7H KC", "9H 7H"),
    ("LM-38", "wikipedia", "hokum H", "KC 9H", "KH 7D 8S", "KH"),
    ("a higher trump over the partner's lead", "wikipedia", "hokum H", "QH 8H", "JH 7H KC", "JH"),
    *[(row[0], name, *row[1:]) for name in ("kammelna", "pagat", "federation", "jawaker") for row in ROWS],
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "bought", "trick", "hand", "legal"),
    [row[1:] for row in SETS],
    ids=[f"{row[0]} {row[1]}" for row in SETS],
)
def test_a_row_under_a_rule_set_that_ships(name: str, bought: str, trick: str, hand: str, legal: str) -> None:
    on, (played, akka) = terms_of(bought, RULESETS[name]), table(trick)
    allowed, _ = duty(on, Hand.parse(hand).mask, played, winning_place(on, played), akka=akka)
    assert set(cards_of(allowed)) == set(cards(legal))


REASONS = [
    ("sun", "KS 10S", "AS 7S KH", "KH", Reason.MUST_FOLLOW),
    ("sun", "KS 10S", "AS 7S KH", "8S", Reason.CARD_NOT_HELD),
    ("sun", "", "AS 7S KH", "8S", Reason.CARD_NOT_HELD),
    ("hokum H locked", "", "JH 9H AS 7C", "JH", Reason.LOCKED_LEAD),
    ("hokum H", "KS", "AS 7S JH", "JH", Reason.MUST_FOLLOW),
    ("hokum H", "KH", "AH 8H QH KC", "8H", Reason.MUST_OVER_TRUMP),
    ("hokum H", "KH", "AH 8H QH KC", "KC", Reason.MUST_FOLLOW),
    ("hokum H", "AH", "QH 8H KC", "KC", Reason.MUST_FOLLOW),
    ("hokum H", "AS", "9H 7H KC", "KC", Reason.MUST_TRUMP),
    ("hokum H", "10S 7S", "9H 7H KC", "KC", Reason.MUST_TRUMP),
    ("hokum H", "AS QH", "9H 7H KC", "7H", Reason.MUST_OVER_TRUMP),
    ("hokum H", "AS QH", "9H 7H KC", "KC", Reason.MUST_OVER_TRUMP),
    ("hokum H", "KS 7S AS", "9H 7H KC", "KC", Reason.MUST_TRUMP),
    ("hokum H", "AS QH", "8H 7H KC", "JH", Reason.CARD_NOT_HELD),
    ("hokum H", "AS 7S", "9H 7H KC", "KC", None),
]


@pytest.mark.parametrize(("bought", "trick", "hand", "card", "why"), REASONS)
def test_a_card_is_refused_for_the_duty_it_breaks(
    bought: str, trick: str, hand: str, card: str, why: Reason | None
) -> None:
    on, played = terms_of(bought), cards(trick)
    held = Hand.parse(hand).mask
    assert refusal_reason(on, held, played, winning_place(on, played), Card.parse(card)) is why


WHY = {
    "locked": Reason.LOCKED_LEAD,
    "follow": Reason.MUST_FOLLOW,
    "trump": Reason.MUST_TRUMP,
    "beat": Reason.MUST_OVER_TRUMP,
}


@given(randoms())
def test_a_slow_reading_of_the_text_agrees_about_any_hand_and_trick(rng: Random) -> None:
    bought = rng.choice(["sun", "hokum H", "hokum H", "hokum S locked"])
    ruleset = rng.choice([STANDARD, play_ruleset(rng)])
    deck = rng.sample(CARDS, rng.randint(4, 12))
    played, hand = deck[:3][: rng.randint(0, 3)], deck[3:]
    akka = bool(played) and rng.random() < 0.3
    on, trick = terms_of(bought, ruleset), tuple(played)
    best = winning_place(on, trick)
    allowed, _ = duty(on, mask_of(hand), trick, best, akka=akka)
    locked = contract(bought).locked
    expected, why = naive.duty(hand, trick, on.trump, locked=locked, akka=akka, ruleset=ruleset)
    assert set(cards_of(allowed)) == expected
    assert expected
    for card in CARDS:
        refused = refusal_reason(on, mask_of(hand), trick, best, card, akka=akka)
        assert (refused is None) is (card in expected)
        assert (refused is Reason.CARD_NOT_HELD) is (card not in hand)
        if card in hand and card not in expected:
            revoked = bool(trick) and card.suit is not trick[0].suit and why in ("follow", "beat")
            follows = any(held.suit is trick[0].suit for held in hand) if trick else False
            assert refused is (Reason.MUST_FOLLOW if revoked and follows else WHY[why])


WINNERS = [
    ("hokum H", "KH AH 9H 7H", 2),
    ("hokum H", "AS 7H KS 10S", 1),
    ("sun", "7S AH AD 8S", 3),
    ("hokum H", "QS 10S AS 7S", 2),
    ("sun", "QS 10S KS 7S", 1),
    ("sun", "10S 9S 8S 7S", 0),
    ("hokum S", "JC KD QD AD", 0),
    ("hokum H", "7S 7H 8H AS", 2),
    ("hokum H", "AS 9H JH AH", 2),
    ("sun", "JH 9H 8H AD", 0),
]


@pytest.mark.parametrize(("bought", "trick", "place"), WINNERS)
def test_the_highest_trump_wins_else_the_highest_of_the_led_suit(bought: str, trick: str, place: int) -> None:
    assert winning_place(terms_of(bought), cards(trick)) == place


# Akka (2.20).

AKKA = [
    ("the ten is the highest once the Ace is gone", "hokum H", "10S KS 7H", "10S KS 7H 8S", "10S"),
    ("not the King while its own ten is unplayed", "hokum H", "KS 10S", "KS 10S", "10S"),
    ("not while another holds the Ace", "hokum H", "10S", "10S AS", ""),
    ("not an Ace", "hokum H", "AS 10S", "AS 10S KS", ""),
    ("not a trump", "hokum H", "JH", "JH 7S", ""),
    ("not in Sun", "sun", "10S", "10S 7S", ""),
    ("a seven can be the highest", "hokum H", "7S 8C", "7S 8C", "7S 8C"),
    ("a queen is above a jack and a nine", "hokum H", "QS JD", "QS JS 9S JD 9D 8D", "QS JD"),
]


@pytest.mark.parametrize(
    ("name", "bought", "hand", "unplayed", "expected"), AKKA, ids=[row[0] for row in AKKA]
)
def test_akka_is_for_the_highest_unplayed_plain_card(
    name: str, bought: str, hand: str, unplayed: str, expected: str
) -> None:
    found = akka_cards(terms_of(bought), Hand.parse(hand).mask, Hand.parse(unplayed).mask)
    assert set(cards_of(found)) == set(cards(expected))


# The default card.

DEFAULTS = [
    ("fewest card points first", "sun", "AS 10H JD", "JD"),
    ("then the lowest in a trick", "sun", "9S 8H 7D", "7D"),
    ("plain cards before trumps", "hokum H", "7H 9S", "9S"),
    ("a trump nine is dear, a plain nine is not", "hokum H", "9H 9S AS", "9S"),
    ("among trumps the lowest", "hokum H", "8H 7H KS", "7H"),
    ("a plain jack before a trump queen", "hokum H", "QH JS", "JS"),
    ("points before plain and trump", "hokum H", "8H JS", "8H"),
    ("then spades, hearts, diamonds, clubs", "sun", "7C 7D 7H", "7H"),
    ("a plain Queen before a trump Queen", "hokum H", "QH QC", "QC"),
]


@pytest.mark.parametrize(
    ("name", "bought", "allowed", "expected"), DEFAULTS, ids=[row[0] for row in DEFAULTS]
)
def test_the_default_card(name: str, bought: str, allowed: str, expected: str) -> None:
    assert default_card(terms_of(bought), Hand.parse(allowed).mask) is Card.parse(expected)


def test_the_default_card_is_legal_and_silent() -> None:
    play = after(started("hokum H", {1: "AS", 2: "8H AH KC KS QS JS 10S 9S"}), "AS")
    assert rules.default_move(play) == rules.SILENT[Card.parse("9S")]
    assert rules.legal_cards(play, Seat.EAST) == cards("9S 10S JS QS KS")


def test_trumps_are_a_suit_of_their_own_in_the_points() -> None:
    assert {
        suit: sum(terms_of(f"hokum {Suit.HEARTS}").points[card] for card in CARDS if card.suit is suit)
        for suit in Suit
    } == {Suit.SPADES: 30, Suit.HEARTS: 62, Suit.DIAMONDS: 30, Suit.CLUBS: 30}
