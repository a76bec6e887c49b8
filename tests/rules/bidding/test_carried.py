"""What an auction carries besides its record: the phase, and the trump that is not named yet (rules 2.9, 2.14)."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import Auction, asked
from hypothesis import given

from tests.rules.bidding.told import said
from tests.strategies.auction import auctions


@given(auctions())
def test_the_phase_is_the_kind_of_what_is_waited_for(auction: Auction) -> None:
    kinds = {question.kind for question in asked(auction) if question.seat in auction.waiting}
    assert kinds == ({auction.phase} if auction.phase is not None else set())


@pytest.mark.parametrize(("raises", "phase"), [("", "DOUBLE"), (" S2:double-open S1:three", "FOUR")])
def test_each_raise_has_a_phase_of_its_own(raises: str, phase: str) -> None:
    auction = said("KH", f"S1:hokum S2:pass S3:pass S4:pass S1:confirm{raises}")
    assert auction.phase is not None
    assert auction.phase.name == phase


def test_a_hokum_of_the_second_bidding_has_no_trump_until_it_is_named() -> None:
    passes = " ".join(f"{place}:pass" for place in ("S1", "S2", "S3", "S4"))
    auction = said("KH", f"{passes} S1:hokum S2:pass S3:pass S4:pass")
    assert auction.held is not None
    assert auction.held.trump is None
