"""The documents say what the code says. (That their links resolve is tested with the layout.)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from baloot.api.identity.v1 import identity_pb2
from baloot.api.play.v1 import play_pb2
from baloot.api.ruleset.v1 import ruleset_pb2
from baloot.api.scoring.v1 import scoring_pb2
from baloot.api.table.v1 import events_pb2, table_pb2
from baloot.app.terminal.terms import TERMS
from baloot.codec.auction import MAX_CALLS
from baloot.codec.play import MAX_MOVES
from baloot.core import auction, cards, contract, deal, projects, ruleset, score, seats
from baloot.core.cards import CARDS, Rank, Suit
from baloot.core.deal import Deck
from baloot.core.errors import Reason
from baloot.core.ruleset import OPTIONS, STANDARD
from baloot.core.seats import Position, Seat
from baloot.dealing.rules import byte_stream, commitment, permutation, shuffle
from baloot.kit.errors import STATUS_CODES
from baloot.kit.info import RESUME_WINDOW
from baloot.kit.quotas import COUNTS, PUBLIC, RATES, spelled
from baloot.kit.serving import MAX_MESSAGE_BYTES
from baloot.rulesets import codec as rulesets_codec
from baloot.rulesets.local import LocalRulesets
from baloot.table import requests
from baloot.table.events import SECOND, Settings
from google.protobuf import json_format
from google.rpc import error_details_pb2

ROOT = Path(__file__).resolve().parents[2]
RULES, GLOSSARY, DEALS, API = (
    (ROOT / f"{name}.md").read_text(encoding="utf-8") for name in ("RULES", "GLOSSARY", "DEALS", "API")
)


def table_rows(markdown: str) -> Iterator[list[str]]:
    """The cells of every row of every table."""
    for line in markdown.splitlines():
        if line.startswith("| ") and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip("|").split(" |")]


def blocks(markdown: str, language: str) -> Iterator[tuple[str, str]]:
    """What stands after the language, and the text, of every block of code in a language."""
    yield from re.findall(rf"^```{language} ?(.*?)\n(.*?)^```", markdown, re.DOTALL | re.MULTILINE)


# The rules.

NUMBER = r"[0-9]\.[0-9]+"
MORE = rf"(?:(?:, | to | and ){NUMBER})*"
CITED = re.compile(rf"(?:\brules?,? (?:sections? )?{NUMBER}|(?<=[a-z] )\(2\.[0-9]+){MORE}\b")
HEADINGS = set(re.findall(rf"^### ({NUMBER}) ", RULES, flags=re.MULTILINE))


def sources() -> Iterator[Path]:
    for folder, pattern in (
        ("services", "*.py"),
        ("shared", "*.py"),
        ("protos", "*.proto"),
        ("tests", "*.py"),
    ):
        yield from (file for file in (ROOT / folder).rglob(pattern) if "_pb2" not in file.name)


def cited_in(text: str) -> Iterator[str]:
    """The rule numbers that a text cites, ranges spelled out."""
    for found in CITED.finditer(text):
        yield from re.findall(NUMBER, found[0])
        for first, last in re.findall(rf"({NUMBER}) to ({NUMBER})", found[0]):
            chapter, start = first.split(".")
            yield from (f"{chapter}.{n}" for n in range(int(start), int(last.split(".")[1]) + 1))
    yield from re.findall(r'"(2\.[0-9]+)"', text)


def test_citations_are_found() -> None:
    text = 'of play (rules, sections 2.17 to 2.19 and 2.34)\n # as said (2.5, 2.6). wait(2.75) = (2.76, 1)\n (rules 2.8)\n "2.26"'
    assert set(cited_in(text)) == {"2.17", "2.18", "2.19", "2.34", "2.5", "2.6", "2.8", "2.26"}


def test_every_rule_that_is_cited_is_a_heading() -> None:
    cited = {
        number: file.relative_to(ROOT).as_posix()
        for file in sources()
        if file != Path(__file__)
        for number in cited_in(file.read_text(encoding="utf-8"))
    }
    assert {f"2.{n}" for n in range(4, 33)} <= set(cited)
    assert {number: file for number, file in cited.items() if number not in HEADINGS} == {}


def test_the_rules_are_numbered_in_order_and_once() -> None:
    numbers = [
        tuple(map(int, n.split("."))) for n in re.findall(rf"^### ({NUMBER}) ", RULES, flags=re.MULTILINE)
    ]
    assert numbers == sorted(set(numbers))
    assert [minor for major, minor in numbers if major == 2] == list(range(1, 37))


def value_name(value: Any) -> str:
    return value.name.lower() if isinstance(value, Enum) else str(value).lower()


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_told_with_its_values(name: str) -> None:
    told = re.search(rf"^- `{name}`: \*\*`([a-z0-9_]+)`\*\*(.*)$", RULES, flags=re.MULTILINE)
    assert told is not None
    assert told[1] == value_name(getattr(STANDARD, name))
    kind = OPTIONS[name]
    if issubclass(kind, Enum):
        others = {value_name(value) for value in kind} - {told[1]}
        assert set(re.findall(r"`([a-z0-9_]+)`", told[2])) == others


def test_the_table_of_options_is_complete_and_right() -> None:
    rows = {row[0].strip("`"): row for row in table_rows(RULES.split("## 3. Options")[1].split("## 4.")[0])}
    stated = {name: rows[name][1].strip("`") for name in rows if name != "option"}
    assert stated == {name: value_name(getattr(STANDARD, name)) for name in OPTIONS}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_stands_in_a_section_that_the_proto_names(name: str) -> None:
    proto = (ROOT / "protos/baloot/api/core/v1/ruleset.proto").read_text(encoding="utf-8")
    comment = re.search(rf"  // {name} (?:is|are)[^;]*?\(rules ([^)]*)\)[^;]*?\b{name} = ", proto)
    section = RULES[: RULES.index(f"\n- `{name}`:")].rpartition("\n### ")[2].split()[0]
    in_table = next(row[2] for row in table_rows(RULES) if row[0] == f"`{name}`")
    assert section in in_table.split(", ")
    assert comment is not None or name.endswith("_by")
    if comment is not None:
        assert comment[1] == in_table


def test_the_constants_are_those_of_the_code() -> None:
    told = {row[0]: (row[1], row[2]) for row in table_rows(RULES) if len(row) == 3}
    for rank in (Rank.JACK, Rank.NINE, Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN):
        card = CARDS[rank]
        assert told[str(rank)] == (str(cards.TRUMP_POINTS[card]), str(cards.PLAIN_POINTS[card]))
    orders = {row[0]: row[1] for row in table_rows(RULES) if len(row) == 2}
    spades = CARDS[:8]
    for title, strength in (
        ("in tricks, trump suit", cards.TRUMP_STRENGTH),
        ("in tricks, other suits and Sun", cards.PLAIN_STRENGTH),
    ):
        highest_first = sorted(spades, key=lambda card: -strength[card])
        assert orders[title] == " ".join(str(card.rank) for card in highest_first)


@pytest.mark.parametrize(
    "label", sorted(set(re.findall(r"^\| ([A-Z]+-[0-9]+) \|", RULES, flags=re.MULTILINE)))
)
def test_every_worked_example_is_a_test(label: str) -> None:
    tests = (file.read_text(encoding="utf-8") for file in (ROOT / "tests" / "rules").rglob("test_*.py"))
    assert any(re.search(rf"\b{label}\b", text) for text in tests)


# The words.

SHOWN = [
    *Suit,
    *contract.Mode,
    *contract.Bidding,
    *projects.ProjectKind,
    *(level for level in contract.Level if level is not contract.Level.SINGLE),
    *(call for call in auction.CallKind if call is not auction.CallKind.CONFIRM),
    *(rank for rank in Rank if rank >= Rank.JACK),
    score.RoundResult.KHOSARA,
    score.RoundResult.KABOOT,
]


@pytest.mark.parametrize("value", SHOWN, ids=lambda value: f"{type(value).__name__}.{value.name}")
def test_a_word_has_one_spelling(value: Enum) -> None:
    """The terminal shows what the glossary spells."""
    arabic = {row[1] for row in table_rows(GLOSSARY) if len(row) == 4}
    assert TERMS[type(value)][value].arabic in arabic


def test_no_word_is_explained_twice() -> None:
    words = [row[0] for row in table_rows(GLOSSARY) if row[0] != "word"]
    assert len(words) == len(set(words))


CORE = (auction, cards, contract, deal, projects, ruleset, score, seats)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([A-Z]\w+\.[A-Z_]+)`", GLOSSARY))))
def test_names_in_the_glossary_exist(name: str) -> None:
    kind, _, member = name.partition(".")
    assert any(hasattr(getattr(module, kind, None), member) for module in CORE)


# The deals.

VECTORS = [
    dict(re.findall(r"^([a-z][a-z0-9 ]{9}) (.+)$", re.sub(r"\n {11}", " ", text), flags=re.MULTILINE))
    for _, text in blocks(DEALS, "text")
    if text.startswith("seed  ")
]


def field(vector: dict[str, str], name: str) -> str:
    return vector[f"{name:10}"]


def octets(vector: dict[str, str], name: str) -> bytes:
    text = field(vector, name)
    return b"" if text == "none" else bytes.fromhex(text)


def arguments(vector: dict[str, str]) -> tuple[bytes, bytes, int, int, tuple[bytes, ...], bytes]:
    seeds = tuple(octets(vector, str(seat)) for seat in Seat)
    number, redeal = int(field(vector, "number")), int(field(vector, "redeal"))
    return octets(vector, "seed"), octets(vector, "match"), number, redeal, seeds, octets(vector, "beacon")


def test_there_are_three_vectors() -> None:
    assert len(VECTORS) == 3
    assert arguments(VECTORS[0])[4] == (bytes(32),) * 4


@pytest.mark.parametrize("vector", VECTORS, ids=["V1", "V2", "V3"])
def test_the_vectors_are_what_the_code_computes(vector: dict[str, str]) -> None:
    seed, match, number, redeal, seeds, beacon = arguments(vector)
    shuffled = shuffle(seed, match, number, redeal, seeds, beacon)
    assert field(vector, "commitment") == commitment(match, number, redeal, seed).hex()
    assert field(vector, "hand key") == shuffled.hand_key.hex()
    assert field(vector, "deck") == " ".join(map(str, shuffled.deck.cards))
    assert field(vector, "salt 0") == shuffled.salts[0].hex()
    assert field(vector, "leaf 0") == shuffled.leaves[0].hex()
    assert field(vector, "root") == shuffled.deck_root.hex()
    drawn: list[int] = []

    def counted() -> Iterator[int]:
        for byte in byte_stream(shuffled.hand_key):
            drawn.append(byte)
            yield byte

    permutation(counted())
    assert int(field(vector, "bytes read")) == len(drawn)


@pytest.mark.parametrize("vector", VECTORS, ids=["V1", "V2", "V3"])
def test_the_program_that_checks_a_deal_checks_the_vectors(vector: dict[str, str]) -> None:
    ((_, program),) = blocks(DEALS, "python")
    names: dict[str, Any] = {}
    exec(program, names)
    found_commitment, deck, root = names["check"](*arguments(vector))
    assert found_commitment == field(vector, "commitment")
    assert " ".join(deck) == field(vector, "deck")
    assert root == field(vector, "root")


def positions(cell: str) -> range:
    first, _, last = cell.partition(" to ")
    return range(int(first), int(last or first) + 1)


def test_the_positions_are_those_of_a_deck() -> None:
    """Each place gets the cards at the positions that the tables give it."""
    deck, dealer = Deck(CARDS), Seat.WEST
    first: dict[Position, set[int]] = {place: set() for place in Position}
    for row in table_rows(DEALS):
        if len(row) == 2 and row[1].endswith("packet"):
            first[Position[row[1][:2]]] |= set(positions(row[0]))
    for place, held in first.items():
        assert set(deck.first_hands(dealer)[place.seat(dealer)]) == held
    rows = [row for row in table_rows(DEALS) if len(row) == 5 and row[0] in Position.__members__]
    assert [row[0] for row in rows] == [place.name for place in Position]
    for row in rows:
        taker = Position[row[0]]
        full = deck.full_hands(dealer, taker.seat(dealer))
        for place in Position:
            taken = {*first[place], *positions(row[place]), *([20] if place is taker else [])}
            assert set(full[place.seat(dealer)]) == taken


# The API.


def test_every_reason_is_told_with_its_status() -> None:
    told = {
        reason: code
        for row in table_rows(API.split("## Errors")[1].split("## Limits")[0])
        if row[0].startswith("`")
        for code in [row[0].strip("`")]
        for reason in re.findall(r"`([A-Z_]+)`", row[1])
    }
    assert told == {reason.name: STATUS_CODES[reason].name for reason in Reason}


MESSAGES = (identity_pb2, table_pb2, events_pb2, play_pb2, scoring_pb2, ruleset_pb2, error_details_pb2)
EXAMPLES = list(blocks(API, "json"))


@pytest.mark.parametrize(
    ("name", "text"), EXAMPLES, ids=[f"{n}-{name}" for n, (name, _) in enumerate(EXAMPLES)]
)
def test_every_example_is_the_message_that_it_says(name: str, text: str) -> None:
    message = next(getattr(module, name) for module in MESSAGES if hasattr(module, name))()
    json_format.Parse(text, message)
    assert message.ByteSize() > 0


async def test_the_examples_of_rule_sets_are_what_the_service_says() -> None:
    texts = dict(EXAMPLES)
    asked = json_format.Parse(texts["MakeRulesetRequest"], ruleset_pb2.MakeRulesetRequest())
    made = await LocalRulesets().make_ruleset(*rulesets_codec.decode_make_ruleset(asked))
    assert (made.match_target, made.kaboot_hokum, made.kawesh) == (100, 44, False)
    told = rulesets_codec.encode_told(await LocalRulesets().get_ruleset("pagat"))
    assert json_format.Parse(texts["OptionText"], ruleset_pb2.OptionText()) in told.options


def test_the_hash_of_a_rule_set_is_that_of_the_code() -> None:
    """No example names another rule set than the standard one."""
    told = [found for _, text in EXAMPLES for found in re.findall(r'"rulesetHash": "(.*?)"', text)]
    assert told
    assert set(told) == {STANDARD.hash}


def test_every_event_has_its_place_in_the_table() -> None:
    told = {
        row[0].strip("`") for row in table_rows(API.split("## Views and entries")[1].split("## Watching")[0])
    }
    assert told - {"event"} == {f.name for f in events_pb2.TableEvent.DESCRIPTOR.fields}


def test_the_limits_are_those_of_the_code() -> None:
    told = {row[0]: row[1] for row in table_rows(API.split("\n## Limits\n")[1].split("## A worked")[0])}
    assert told["a request"] == f"{MAX_MESSAGE_BYTES} bytes"
    assert told["calls in an auction's record"] == str(MAX_CALLS)
    assert told["moves in a play's record"] == str(MAX_MOVES)
    assert told["names of players and rule sets"] == f"{requests.MAX_NAME} printable characters"
    assert told["entries behind and still resumed one by one"] == str(RESUME_WINDOW)
    for name in (*RATES, *COUNTS):
        assert told[f"`{name}`"] == f"`{spelled(getattr(PUBLIC, name))}`"
    for name, (least, most) in requests._BOUNDS.items():
        unset = getattr(Settings(), name)
        assert told[f"`{name}`"] == f"{least / SECOND:g} s to {most / SECOND:g} s, unset {unset / SECOND:g} s"
