"""The example files: good ones are read and written as they are, bad ones are refused where they are bad."""

from __future__ import annotations

from pathlib import Path

import pytest
from baloot.core.catalogue import NAMES
from baloot.history.checked import disagreement
from baloot.notation import NotationError, parse, text

from tests.notation.matches import EACH, GAMES

FILES = Path(__file__).parent / "files"
GOLDEN = sorted(GAMES.glob("*.baloot"))

BAD = [
    ("buyer", 24, 1, "expected `by` and the seat of the buyer, and nothing more stands here"),
    (
        "call",
        22,
        83,
        "expected a call with its seat (such as S:pass, E:hokum, E:confirm-H or N:double-open), not W:doubles-open",
    ),
    (
        "call-without-seat",
        22,
        35,
        "expected a call with its seat (such as S:pass, E:hokum, E:confirm-H or N:double-open), not pass",
    ),
    (
        "card",
        25,
        12,
        "expected a card (7 8 9 10 J Q K A, then S H D C, such as 10H), sawa, qaid= or a seat (S, E, N or W) with a colon, not 11C",
    ),
    ("card-in-two-hands", 18, 3, "QS is in two hands"),
    ("card-twice", 18, 12, "7S is in this hand twice"),
    ("date", 5, 7, "expected a date such as 2026-11-30"),
    ("deal-number", 39, 6, "deals are numbered upwards, and the last was 1"),
    ("dealer", 15, 8, "expected the dealer's seat (S, E, N or W), not X"),
    ("end", 34, 5, "expected one of scored, thrown_in, kawesh, not finished"),
    (
        "hand-short",
        18,
        6,
        "a hand is five cards, or five cards, + and three more, or eight cards; south has 4 + 3",
    ),
    ("hash", 12, 2, "these options do not make the rule set with this hash"),
    ("line-input", 37, 26, "expected a name, = and a whole number (such as card_points=91), not seat:1"),
    ("line-without-score", 36, 3, "this line belongs to a sheet, and the deal has no score"),
    ("match-id", 2, 8, "expected the id of a match, a UUID"),
    ("no-head", 1, 1, 'a match begins with [Baloot "1"] at the start of a line'),
    ("no-leader", 25, 3, "expected a seat (S, E, N or W) with a colon, for who leads (such as S:), not JC"),
    ("no-up-card", 15, 1, "this deal has no up card: write up and the card"),
    ("option", 11, 9, "there is no option 'match_goal' (write option=value)"),
    (
        "option-value",
        11,
        9,
        "option kawesh cannot be 'sometimes'; it can be true, false (write option=value)",
    ),
    (
        "project",
        25,
        19,
        "expected +akka, +baloot, or a project (such as sira=9H-10H-JH) with + where it is announced and ! where it is shown, not +sira=8H-9H-",
    ),
    ("said-before-a-card", 29, 11, "+akka is said with a card, and none stands before it"),
    ("score-figure", 35, 50, "expected two numbers, of south-north and of east-west, not totals"),
    ("score-lacks", 36, 3, "expected totals and two numbers, and nothing more stands here"),
    ("section-twice", 35, 1, "end stands in this deal twice"),
    ("seed", 38, 6, "expected 64 hexadecimal digits, not 00ff"),
    ("string-open", 4, 7, "this value lacks its closing quotation mark"),
    ("tag-open", 5, 1, "expected the ] that closes the tag, not ["),
    ("tag-twice", 4, 2, "the tag Event stands here twice"),
    (
        "tag-unknown",
        4,
        2,
        "there is no tag Place; there are: Baloot, Match, Event, Site, Date, South, East, North, West, SouthAccount, EastAccount, NorthAccount, WestAccount, Rules, RulesHash, Option, Winner, Forfeit, Abandoned, LogChain",
    ),
    ("three-hands", 18, 3, "the four hands are written alike: all with five cards, or all with eight"),
    (
        "verdict",
        34,
        9,
        "expected a seat (S, E, N or W), a colon and a claim (such as revoke/7S/8S: the ground, the card, the proof), not E:revoke/7S",
    ),
    ("version", 1, 9, "this is version 2 of the notation, and only version 1 is known"),
    ("word", 34, 12, "now does not belong here"),
]
"""Each file in `files/bad`, the line and the column of what is wrong, and what is said of it."""


def told(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "line", "column", "message"), BAD, ids=[row[0] for row in BAD])
def test_a_bad_file_is_refused_where_it_is_bad(name: str, line: int, column: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(told(FILES / "bad" / f"{name}.baloot"))
    error = caught.value
    assert (error.line, error.column, error.message) == (line, column, message)


def test_every_bad_file_is_in_the_table() -> None:
    assert {file.stem for file in (FILES / "bad").iterdir()} == {row[0] for row in BAD}


def test_the_example_is_canonical_and_by_the_rules() -> None:
    (example,) = parse(told(FILES / "example.baloot"))
    assert text(example) == told(FILES / "example.baloot")
    assert disagreement(example) is None


def test_what_is_typed_by_hand_is_read() -> None:
    typed = parse(told(FILES / "typed.baloot"))
    assert text(*typed) == told(FILES / "typed-canonical.baloot")
    assert parse(told(FILES / "typed-canonical.baloot")) == typed


def test_a_file_may_begin_with_a_mark_of_its_encoding_and_end_its_lines_as_elsewhere() -> None:
    plain = told(FILES / "example.baloot")
    assert parse("\ufeff" + plain.replace("\n", "\r\n")) == parse(plain)


def test_a_file_without_a_match_is_empty() -> None:
    assert parse("\n# nothing was played\n\n") == ()


# The golden matches.


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_match_is_replayed_and_written_as_it_is(file: Path) -> None:
    (golden,) = parse(told(file))
    assert disagreement(golden) is None
    assert golden.winner is not None
    assert text(golden) == told(file)


def test_the_golden_matches_hold_what_there_is() -> None:
    assert len(GOLDEN) == EACH * len(NAMES)
    whole = "".join(map(told, GOLDEN))
    rare = (
        "end scored", "end thrown_in", "end kawesh", "deck top_up", " sawa", "proof ", "qaid=", " right", " wrong",
        ":double", ":three", ":four", ":gahwa", "-open", "-locked", ":ashkal", ":qablak", "taker ",
        "bidding second", "+akka", "+baloot", "+sira=", "+fifty=", "+hundred=", "!sira=", "credited ",
        "score made", "score khosara", "score kaboot", "score qaid", "score gahwa",
    )  # fmt: skip
    assert [word for word in rare if word not in whole] == []
