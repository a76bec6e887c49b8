"""What a bot claims, and what it leaves alone because hidden cards could excuse it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from random import Random

import pytest
from baloot.api.core.v1.play_pb2 import PlayCard
from baloot.bots.bot import play_seat
from baloot.bots.choosing import choose, default_of
from baloot.bots.claiming import proven, suspects_in
from baloot.codec.ruleset import encode_ruleset
from baloot.core.cards import CARDS
from baloot.core.play import Qaid, QaidGround, QaidMove
from baloot.core.ruleset import (
    Akka,
    PartnerWinningExemption,
)
from baloot.core.seats import SEATS, Seat, Team
from baloot.play import rules
from baloot.play.state import Play
from baloot.table import events as ev
from hypothesis import given, settings

from tests.bots.matches import LENIENT, LocalTable, Player, SeededDealing, SeededRules, careless
from tests.bots.served import served
from tests.bots.sights import sight_in
from tests.rules.play import naive
from tests.rules.play.retold import duty_at, retold
from tests.rules.play.rounds import after, to_the_end
from tests.rules.play.test_qaid import claim, lenient, lenient_start
from tests.strategies.cards import randoms
from tests.strategies.play import moments

SOUTH, EAST = Seat.SOUTH, Seat.EAST
REVOKE = ("sun", {1: "JS 7C", 2: "KS 8D AC", 3: "7S 8C", 4: "8S 9C"})
ALL_SPADES = ("hokum H", {1: "KS AS 10S QS JS 9S 7C", 2: "8H KC AD", 3: "7S 8C", 4: "8S 9C"})
SOME_SPADES = ("hokum H", {1: "KS 7C", 2: "8H KC AD KD QD JD 10D 9D", 3: "7S 8C", 4: "8S 9C"})
LOW_TRUMP = ("hokum H", {1: "KH 7C", 2: "AH 8H AC", 3: "7S 8C", 4: "8S 9C"})
OVER_RUFF = ("hokum H", {1: "AS KS 10S 7C", 2: "QH 8C", 3: "9H 7H KC 10C", 4: "QS JS 9S 8S 7S 9C"})
NO_SPADES = ("hokum H", {1: "AS 7C", 2: "QH 8C", 3: "9H 7H KD", 4: "KS QS JS 10S 9S 8S 7S"})
AKKA = ("hokum H", {1: "10S 7C", 2: "8S 8C", 3: "9H KD", 4: "AS 9C"})
LOCKED = ("hokum H locked", {1: "JH 7C", 2: "7H 8C", 3: "8H 9C", 4: "9H 10C"})

PROVEN = [
    # name, contract and hands of S1 to S4, cards played, who looks, the claim
    ("a revoke", REVOKE, "JS 8D 7S 8S 7C KS", SOUTH, "revoke 8D KS"),
    ("by the partner too", REVOKE, "JS 8D 7S 8S 7C KS", Seat.NORTH, "revoke 8D KS"),
    ("not by the offender", REVOKE, "JS 8D 7S 8S 7C KS", EAST, None),
    ("nor by his partner", REVOKE, "JS 8D 7S 8S 7C KS", Seat.WEST, None),
    ("not before the proof lies open", REVOKE, "JS 8D 7S 8S 7C", SOUTH, None),
    ("no trump from a hand that must be void", ALL_SPADES, "KS KC 7S 8S 7C 8H", SOUTH, "no_trump KC 8H"),
    ("not from one that may hold the suit", SOME_SPADES, "KS KC 7S 8S 7C 8H", SOUTH, None),
    ("a low trump instead of a higher", LOW_TRUMP, "KH 8H 7S 8S 7C AH", SOUTH, "no_over_trump 8H AH"),
    ("off suit on a trump lead", LOW_TRUMP, "KH AC 7S 8S 7C AH", SOUTH, "revoke AC AH"),
    ("not over a ruff while he may hold the suit", OVER_RUFF, "AS QH 7H 8S 8C 9H", EAST, None),
    ("a lower trump under a ruff", NO_SPADES, "AS QH 7H 8S 8C 9H", Seat.WEST, "no_over_trump 7H 9H"),
    ("a plain card under a ruff", NO_SPADES, "AS QH KD 8S 8C 9H", Seat.WEST, "no_trump KD 9H"),
    ("a false Akka, by a card of whomever", AKKA, "10S! 8S KD AS", EAST, "false_akka 10S AS"),
    ("not before the higher card lies open", AKKA, "10S! 8S KD", Seat.WEST, None),
    ("no Akka was said", AKKA, "10S 8S KD AS", EAST, None),
    ("a trump led in a locked round", LOCKED, "JH 7H 8H 9H 7C", EAST, "locked_lead JH 7C"),
    ("not before a plain card lies open", LOCKED, "JH 7H 8H 9H", EAST, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("position", "played", "seat", "wanted"), [row[1:] for row in PROVEN], ids=[row[0] for row in PROVEN]
)
def test_only_what_open_cards_prove_is_claimed(
    position: tuple[str, dict[int, str]], played: str, seat: Seat, wanted: str | None
) -> None:
    play = after(lenient(*position, akka=Akka.MANUAL_UNCHECKED), played)
    found = proven(sight_in(play, seat), play.record.ruleset)
    assert found == (None if wanted is None else claim(wanted))


def test_of_a_hand_that_is_known_whole_nothing_is_hidden() -> None:
    play = after(lenient(*SOME_SPADES, akka=Akka.MANUAL_UNCHECKED), "KS KC 7S 8S 7C 8H")
    sight = sight_in(play, SOUTH)
    seen = replace(sight, known=(0, play.hands[EAST], 0, 0))
    assert proven(seen, play.record.ruleset) == claim("no_trump KC 8H")


PARTNER_RUFFED = (
    "hokum H",
    {1: "AS KS QS JS 10S 9S 8S 7C", 2: "QH KC", 3: "7S 8C", 4: "KD 7H AH"},
)


@pytest.mark.parametrize(
    ("ruff", "wanted"),
    [
        pytest.param("AH", "no_trump KD AH", id="he held a higher trump than his partner's"),
        pytest.param("7H", None, id="he may have held lower ones only, and was free"),
    ],
)
def test_under_a_partners_ruff_only_a_higher_trump_proves_a_duty(ruff: str, wanted: str | None) -> None:
    start = lenient(*PARTNER_RUFFED, partner_winning_exemption=PartnerWinningExemption.NONE)
    play = after(start, f"AS QH 7S KD KC 8C {ruff}")
    found = proven(sight_in(play, SOUTH), play.record.ruleset)
    assert found == (None if wanted is None else claim(wanted))


def test_what_only_a_hidden_card_makes_an_offence_can_be_proved_too() -> None:
    start = lenient(*PARTNER_RUFFED, partner_winning_exemption=PartnerWinningExemption.NONE)
    play = after(start, "AS QH 7S KD KC 8C 7H")
    assert claim("no_trump KD 7H") in suspected(play, SOUTH)
    assert claim("no_trump KD 7H") not in suspected(play, EAST)


AT_THE_END = [
    ("no trump", SOME_SPADES, "KS KC 7S 8S 7C 8H", SOUTH),
    ("a low trump under a ruff", OVER_RUFF, "AS QH 7H 8S 8C 9H", EAST),
]


@pytest.mark.parametrize(
    ("position", "played", "seat"), [row[1:] for row in AT_THE_END], ids=[row[0] for row in AT_THE_END]
)
def test_what_hidden_cards_could_excuse_is_claimed_in_the_review(
    position: tuple[str, dict[int, str]], played: str, seat: Seat
) -> None:
    play = to_the_end(after(lenient(*position), played))
    found = proven(sight_in(play, seat), play.record.ruleset)
    assert found is not None
    assert is_right(play, seat, found)


def is_right(play: Play, seat: Seat, made: QaidMove) -> bool:
    return rules.claim_qaid(play, seat, made).said.qaid == Qaid(seat, made, right=True)


@settings(max_examples=60)
@given(randoms())
def test_what_is_claimed_is_always_right(rng: Random) -> None:
    for play in moments(rng, lenient_start(rng)):
        if play.said.sawa is not None or play.said.qaid is not None:
            continue
        for seat in SEATS:
            found = proven(sight_in(play, seat), play.record.ruleset)
            assert found is None or is_right(play, seat, found), (seat, found)


@settings(max_examples=30)
@given(randoms())
def test_what_is_right_is_among_what_can_be_proved(rng: Random) -> None:
    """Whatever is hidden; and once nothing is, all that can be proved is right."""
    played = [play for play in moments(rng, lenient_start(rng), sawa=0) if play.said.qaid is None]
    for play in (rng.choice(played), played[-1]):
        seat = rng.choice(SEATS)
        found = suspected(play, seat)
        right = {made for made in every_claim(play, seat) if is_right(play, seat, made)}
        assert right <= found
        assert right == found or len(play.tricks) < 8


def suspected(play: Play, seat: Seat) -> set[QaidMove]:
    return {
        QaidMove(ground, one.card, proof)
        for one in suspects_in(sight_in(play, seat), play.record.ruleset)
        for ground, proofs in one.proofs.items()
        for proof in proofs
    }


def every_claim(play: Play, seat: Seat) -> Iterator[QaidMove]:
    """All claims against an opponent's card with any card that lies open."""
    told = retold(play.record, [False] * len(play.said.refused))
    cards = [one.move.card for one in told.played]
    for one in told.played:
        if one.seat.team is not seat.team:
            for ground in set(QaidGround) - {QaidGround.WRONG_SAWA}:
                yield from (QaidMove(ground, one.move.card, proof) for proof in cards)


@settings(max_examples=60)
@given(randoms())
def test_when_all_cards_lie_open_no_offence_is_missed(rng: Random) -> None:
    play = [play for play in moments(rng, lenient_start(rng), sawa=0) if play.said.qaid is None][-1]
    if len(play.tricks) < 8:
        return
    guilty = offenders(play)
    for seat in SEATS:
        found = proven(sight_in(play, seat), play.record.ruleset)
        assert (found is not None) is any(other.team is not seat.team for other in guilty)


def offenders(play: Play) -> set[Seat]:
    """Who broke a duty or said a false Akka, as the rules tell it once more."""
    told = retold(play.record, [False] * len(play.said.refused))
    guilty = {one.seat for one in told.played if one.move.card not in duty_at(told, one)[0]}
    out = set(CARDS)
    for one in told.played:
        out.remove(one.move.card)
        higher = any(
            card.suit is one.move.card.suit and naive.beats(card, one.move.card, None) for card in out
        )
        if one.move.akka and higher:
            guilty.add(one.seat)
    return guilty


# At a table.


def match(seed: int, players: Sequence[Player]) -> list[ev.Event]:
    """What happens in a match in which everybody answers for himself."""
    table = LocalTable(SeededRules(SeededDealing(Random(seed))), ruleset=LENIENT)
    while table.state.winner is None:
        assert table.step(players), "a choice was refused"
    return [event for entry in table.entries for event in entry.events]


def claims(events: list[ev.Event]) -> list[Qaid]:
    return [event.qaid for event in events if isinstance(event, ev.QaidClaimed)]


def test_among_bots_nothing_is_ever_claimed() -> None:
    events = [event for seed in range(3) for event in match(seed, [choose] * 4)]
    assert claims(events) == []
    assert any(isinstance(event, ev.CardPlayed) and event.baloot for event in events)
    assert any(isinstance(event, ev.ProjectsShown) for event in events)


@pytest.mark.parametrize("seed", range(3))
def test_bots_catch_careless_players_and_are_always_right(seed: int) -> None:
    sloppy = careless(choose, seed)
    made = claims(match(seed, [choose, sloppy, choose, sloppy]))
    assert len(made) >= 3
    assert all(qaid.right for qaid in made)
    assert Team.SOUTH_NORTH in {qaid.claimer.team for qaid in made}


async def test_a_bot_that_is_not_asked_claims_as_well() -> None:
    """The careless one plays last in a round and ever: whoever claims then is asked for no card."""
    async with served(seed=3) as tables:
        table = await tables.create_table(rules=encode_ruleset(LENIENT), round_pause=0)
        seats = [await table.take_seat(name) for name in ("Noura", "Fahad", "Salem")]
        person = await table.take_seat("Huda")
        bots = [asyncio.create_task(play_seat(seat)) for seat in seats]
        asked: list[bool] = []
        async with asyncio.timeout(60), aclosing(person.watch()) as updates:
            answered, waiting = 0, set[int]()
            async for update in updates:
                view, entry = update.view, update.entry
                for event in entry.events if entry else ():
                    if event.HasField("qaid_claimed"):
                        assert event.qaid_claimed.qaid.right
                        asked.append(event.qaid_claimed.qaid.claimer in waiting)
                waiting = {one.seat for one in view.asked}
                if False in asked:
                    break
                if view.question.asked_at > answered:
                    answered = view.question.asked_at
                    refused = view.question.play.refused
                    await person.submit(
                        PlayCard(card=refused[0].card) if refused else default_of(view.question)
                    )
        await person.leave_seat()
        await asyncio.gather(*bots)
    assert False in asked
