"""Nothing is lost: whole matches under every rule set survive the text and the JSON, and damage is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from random import Random

import pytest
from baloot.core.cards import CARDS
from baloot.core.catalogue import NAMES
from baloot.core.play import CardMove, Qaid, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.projects import Project, ProjectKind
from baloot.core.seats import SEATS, Seat, Team
from baloot.core.transcript import DealProof, NamedPlayer, Transcript
from baloot.notation import NotationError, ShapeError, from_json, parse, read, text, to_json
from hypothesis import given
from hypothesis import strategies as st

from tests.notation.matches import match
from tests.rules.whole.dealt import own_rules
from tests.strategies.cards import randoms

SEEDS = range(3)
DAMAGED = 150
"""Damaged texts of each rule set."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", NAMES)
def test_a_match_survives_the_text(rules: str, seed: int) -> None:
    written = text(match(rules, seed))
    assert parse(written) == (match(rules, seed),)
    assert text(*parse(written)) == written


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", NAMES)
def test_a_match_survives_json(rules: str, seed: int) -> None:
    assert from_json(json.loads(json.dumps(to_json(match(rules, seed))))) == match(rules, seed)


def test_many_matches_are_read_one_after_the_other() -> None:
    many = [match(rules, seed) for rules in NAMES for seed in SEEDS]
    lines = text(*many).splitlines()
    began: list[int] = []

    def fed() -> Iterator[str]:
        for number, line in enumerate(lines):
            began.append(number)
            yield line

    reading = read(fed())
    first = next(reading)
    assert first == many[0]
    assert len(began) < 2 * len(text(first).splitlines())
    assert [first, *reading] == many


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
octets = st.binary(min_size=32, max_size=32)
proofs = st.builds(
    DealProof,
    st.none() | octets,
    st.none() | octets,
    st.none() | octets,
    st.just(()) | st.tuples(octets, octets, octets, octets),
    st.none() | octets,
)
heads = st.builds(
    Transcript,
    match=st.none() | st.uuids(),
    event=names,
    site=names,
    date=st.none() | st.dates(min_value=date(1000, 1, 1)),
    players=st.tuples(*[st.builds(NamedPlayer, names, names)] * 4),
    ruleset=randoms().map(own_rules).flatmap(lambda rules: names.map(lambda name: replace(rules, name=name))),
    winner=st.none() | st.sampled_from(Team),
    forfeit=st.sampled_from(["", "left", "no_show"]),
    abandoned=st.sampled_from(["", "idle"]),
    log_chain=st.none() | octets,
)


@given(heads, proofs)
def test_any_head_and_any_proof_survive(head: Transcript, proof: DealProof) -> None:
    deals = tuple(replace(deal, proof=proof) for deal in match("standard").deals)
    whole = replace(head, deals=deals)
    assert parse(text(whole)) == (whole,)
    assert from_json(json.loads(json.dumps(to_json(whole)))) == whole


SIRA = Project(ProjectKind.SIRA, CARDS[:3])
MOVES = [
    *(CardMove(card, projects, akka, baloot, shown)
      for card, projects, akka, baloot, shown in [
          (SIRA.cards[0], (), False, False, ()),
          (SIRA.cards[1], (SIRA,), True, False, ()),
          (SIRA.cards[2], (SIRA, SIRA), False, True, (SIRA,)),
      ]),
    SawaMove(),
    QaidMove(QaidGround.FALSE_AKKA, SIRA.cards[0], SIRA.cards[1]),
    QaidMove(QaidGround.WRONG_SAWA),
]  # fmt: skip
moves = st.lists(st.builds(SeatMove, st.sampled_from(SEATS), st.sampled_from(MOVES)), max_size=12)


@given(moves)
def test_any_moves_survive_in_any_order_of_seats(made: list[SeatMove]) -> None:
    deal = replace(match("standard").deals[0], moves=tuple(made))
    whole = replace(match("standard"), deals=(deal,))
    assert parse(text(whole)) == (whole,)
    assert from_json(to_json(whole)) == whole


def test_what_cannot_be_seen_is_escaped() -> None:
    written = text(Transcript(event="a\u202eb\u0007 نورة"))
    assert '[Event "a\\u202eb\\u0007 نورة"]' in written.splitlines()


def test_json_with_a_field_too_much_is_refused() -> None:
    whole = to_json(match("standard"))
    whole["deals"][0]["play"][0]["note"] = "good"
    with pytest.raises(ShapeError, match=r"deals\[0\]\.play\[0\]\.note: there is no such field"):
        from_json(whole)


def test_a_wrong_sawa_is_judged_without_a_card() -> None:
    qaid = Qaid(Seat.EAST, QaidMove(QaidGround.WRONG_SAWA), right=False)
    whole = replace(match("standard"), deals=(replace(match("standard").deals[0], qaid=qaid),))
    assert parse(text(whole)) == (whole,)
    assert from_json(to_json(whole)) == whole


# Damage.

SIGNS = '"[]#:+!=-/ \n\t\\7aZ♥é\x00\ud800'


def damaged(rng: Random, whole: str) -> str:
    """The text with one to three signs put in, taken out or changed."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(whole))
        put = rng.choice(SIGNS) if rng.random() < 0.7 else ""
        whole = whole[:at] + put + whole[at + rng.randint(0, 1) :]
    return whole


@pytest.mark.parametrize("rules", NAMES)
def test_damage_is_read_or_refused_with_its_place(rules: str) -> None:
    refused = 0
    for number in range(DAMAGED):
        broken = damaged(Random(f"{rules} {number}"), text(match(rules, number % 3)))
        try:
            again = parse(broken)
        except NotationError as error:
            refused += 1
            require_inside(broken, error)
        else:
            assert parse(text(*again)) == again
    assert refused > DAMAGED // 2


def require_inside(whole: str, error: NotationError) -> None:
    lines = whole.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert error.message.isprintable()


pieces = st.sampled_from([*SIGNS, "[Baloot ", "deal ", "1 ", "hands ", "S:", "AS ", "play "])


@given(st.lists(pieces, max_size=40).map("".join))
def test_any_text_is_read_or_refused(rest: str) -> None:
    whole = f'[Baloot "1"]{rest}'
    try:
        parse(whole)
    except NotationError as error:
        require_inside(whole, error)


def test_damaged_json_is_refused_with_its_path() -> None:
    whole = json.dumps(to_json(match("federation", 2)))
    refused = 0
    for number in range(3 * DAMAGED):
        rng = Random(number)
        value = spoiled(rng, json.loads(whole))
        try:
            again = from_json(value)
        except ShapeError:
            refused += 1
        else:
            assert from_json(to_json(again)) == again
    assert refused > DAMAGED


def spoiled(rng: Random, value: object) -> object:
    """The value with something in it replaced."""
    if not value or not isinstance(value, dict | list) or rng.random() < 0.05:
        return rng.choice([None, 7, -1, "", "x y", "AS", [], {}, ["S:"], {"a": 1}, True, 1.5])
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    value[key] = spoiled(rng, value[key])
    return value


def test_an_endless_line_of_quotes_takes_no_time() -> None:
    whole = '[Baloot "1"]\n' + '\\"' * 500_000
    with pytest.raises(NotationError):
        parse(whole)


def test_a_match_that_has_no_end_is_refused() -> None:
    lines = ['[Baloot "1"]', *["# and so on"] * 500_000]
    with pytest.raises(NotationError, match="longer than"):
        list(read(lines))
