"""How well bots play: measured over whole matches with fixed deals. `pytest -s` prints the figures."""

from __future__ import annotations

import pytest
from baloot.bots.choosing import choose
from baloot.core.contract import Mode
from baloot.core.score import RoundResult
from baloot.core.seats import Team

from tests.bots.matches import Tally, play_match, random_player

MATCHES = 16


@pytest.fixture(scope="module")
def among_bots() -> Tally:
    """Matches of four bots."""
    tally = Tally()
    for seed in range(MATCHES):
        play_match(seed, [choose] * 4, tally)
    print(f"\n{tally}")
    return tally


def test_bots_beat_random_players_in_nine_of_ten_matches_on_either_side() -> None:
    tally, won = Tally(), 0
    for seed in range(MATCHES):
        bots = Team(seed % 2)
        players = [choose if n % 2 == bots else random_player(seed * 4 + n) for n in range(4)]
        won += play_match(seed, players, tally) is bots
    print(f"\nagainst random players: {won} of {MATCHES}\n{tally}")
    assert won >= 0.9 * MATCHES
    assert tally.defaulted == 0, "only legal choices"


def test_bots_choose_only_what_is_legal(among_bots: Tally) -> None:
    assert among_bots.wins.total() == MATCHES
    assert among_bots.defaulted == 0


def test_bots_buy_and_fail_about_as_often_as_people(among_bots: Tally) -> None:
    """People fail in 22 % of rounds (Sun 29 %, Hokum 16 %) and throw in 31 % of deals; kaboot comes in 11 %."""
    deals = among_bots.deals.total()
    assert 0.10 <= among_bots.share(RoundResult.KHOSARA) <= 0.32
    assert 0.01 <= among_bots.share(RoundResult.KABOOT) <= 0.20
    assert 0.02 <= among_bots.deals["thrown in"] / deals <= 0.45
    assert among_bots.raised / among_bots.rounds <= 0.15
    for mode in Mode:
        assert among_bots.deals[mode.name.lower()] / deals >= 0.15, "both modes are played"


def test_the_same_deals_give_the_same_match() -> None:
    first, again = Tally(), Tally()
    for tally in (first, again):
        play_match(7, [choose] * 4, tally)
    assert first == again
