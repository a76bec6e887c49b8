"""A match is verified from its text alone: commitments, seeds, what seats added, the beacon, roots and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from baloot.core.catalogue import NAMES
from baloot.core.deal import NO_SEAT_SEEDS, DealEnd
from baloot.core.transcript import DealProof, DealTranscript, Transcript
from baloot.dealing.rules import commitment, shuffle
from baloot.history.checked import disagreement
from baloot.history.transcripts import transcript
from baloot.notation import parse, text
from baloot.table import events as ev
from baloot.table.events import SeedsRevealed

from tests.notation.matches import EACH, log, match


def read(rules: str, seed: int) -> Transcript:
    """A match as its text tells it."""
    (told,) = parse(text(match(rules, seed)))
    return told


@pytest.mark.parametrize("seed", range(EACH))
@pytest.mark.parametrize("rules", NAMES)
def test_the_text_of_a_match_verifies_its_deals(rules: str, seed: int) -> None:
    told = read(rules, seed)
    assert told.match is not None
    for deal in told.deals:
        proof, place = deal.proof, (told.match.bytes, deal.number, 0)
        assert proof.seed is not None
        assert commitment(*place, proof.seed) == proof.commitment
        shuffled = shuffle(proof.seed, *place, proof.seat_seeds or NO_SEAT_SEEDS, proof.beacon or b"")
        assert shuffled.deck_root == proof.deck_root
    assert [bool(deal.proof.seat_seeds) for deal in told.deals] == [bool(seed)] * len(told.deals)
    assert [bool(deal.proof.beacon) for deal in told.deals] == [seed == EACH - 1] * len(told.deals)
    assert told.log_chain == log(rules, seed)[-1].chain != b""


Change = Callable[[DealProof], DealProof]
ONES = bytes([1]) * 32
DAMAGES: dict[str, tuple[Change, str]] = {
    "commitment": (lambda proof: replace(proof, commitment=ONES), "is not the one that was committed to"),
    "seed": (lambda proof: replace(proof, seed=ONES), "is not the one that was committed to"),
    "root": (lambda proof: replace(proof, deck_root=ONES), "the root is not that of the deck"),
    "a seat's seed": (lambda proof: replace(proof, seat_seeds=(ONES, *proof.seat_seeds[1:])), "the root is not"),
    "seats left out": (lambda proof: replace(proof, seat_seeds=()), "the root is not"),
    "beacon": (lambda proof: replace(proof, beacon=None), "the root is not"),
    "another seed alone": (lambda _: DealProof(seed=ONES), "and the seeds give"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_what_does_not_belong_to_the_seed_is_found(name: str) -> None:
    change, why = DAMAGES[name]
    told = read("standard", EACH - 1)
    wrong = with_last(told, replace(told.deals[-1], proof=change(told.deals[-1].proof)))
    found = disagreement(wrong)
    assert found is not None
    assert found.deal == told.deals[-1].number
    assert why in found.message


def with_last(told: Transcript, deal: DealTranscript) -> Transcript:
    return replace(told, deals=(*told.deals[:-1], deal))


def bare(deal: DealTranscript) -> DealTranscript:
    """A deal of which only its cards are told."""
    return replace(
        deal, calls=(), moves=(), shown=(), credited=(), sawa_proof=(), qaid=None, score=None, end=None
    )


def test_cards_that_the_seed_does_not_give_are_found() -> None:
    """Nothing but the seed can tell that they are others: the deal is cut off before the first call."""
    told = replace(read("standard", EACH - 1), winner=None)
    deal = bare(told.deals[0])
    south, east, *others = deal.hands
    for wrong, why in (
        (replace(deal, hands=(east, south, *others), first=()), "the hand of south is not the one"),
        (replace(deal, hands=(), first=(deal.first[1], deal.first[0], *deal.first[2:])), "the first cards of south"),
        (replace(deal, hands=(), first=(), up_card=next(iter(south))), "the up card is"),
    ):  # fmt: skip
        assert disagreement(replace(told, deals=(deal,))) is None
        found = disagreement(replace(told, deals=(wrong,)))
        assert found is not None
        assert why in found.message


def test_without_a_seed_nothing_is_verified() -> None:
    told = read("standard", EACH - 1)
    blank = replace(told.deals[-1].proof, seed=None, commitment=ONES)
    assert disagreement(with_last(told, replace(told.deals[-1], proof=blank))) is None


def test_a_cut_deck_is_verified_in_the_order_in_which_it_was_dealt() -> None:
    cuts = {deal.cut for rules in NAMES for seed in range(EACH) for deal in match(rules, seed).deals}
    assert len(cuts) > 2


def test_the_hands_of_a_deal_that_was_not_played_out_are_told_once_the_next_one_begins() -> None:
    void = 0
    for rules in NAMES:
        entries = log(rules, 1)
        for n, entry in enumerate(entries):
            if any(isinstance(event, ev.DealVoid) for event in entry.events):
                void += 1
                assert_hidden_until_the_next(entries, n)
    assert void


def assert_hidden_until_the_next(entries: Sequence[ev.Entry], at: int) -> None:
    hidden = transcript(entries[: at + 1]).deals[-1]
    assert hidden.end in (DealEnd.THROWN_IN, DealEnd.KAWESH)
    assert (hidden.first, hidden.hands, hidden.proof.seed) == ((), (), None)
    begun = next(
        n for n in range(at + 1, len(entries)) if any(isinstance(e, SeedsRevealed) for e in entries[n].events)
    )
    told = transcript(entries[: begun + 1]).deals[-1]
    assert told.number == hidden.number
    assert told.first
    assert told.proof.seed
