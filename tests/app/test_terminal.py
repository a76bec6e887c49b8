"""What the terminal shows and reads."""

from __future__ import annotations

import asyncio
import io
import os
import re
from collections.abc import AsyncIterator
from enum import Enum
from pathlib import Path
from random import Random

import pytest
from baloot.api.core.v1.auction_pb2 import (
    CALL_KIND_CUT,
    CALL_KIND_PASS,
    CUT_CHOICE_GO_ON,
    QUESTION_KIND_CUT,
    QUESTION_KIND_SECOND,
    Call,
    CallQuestion,
    SeatCall,
)
from baloot.api.core.v1.cards_pb2 import CARD_8D, CARD_KS
from baloot.api.core.v1.play_pb2 import (
    PROJECT_KIND_SIRA,
    QAID_GROUND_REVOKE,
    ClaimQaid,
    ClaimSawa,
    PlayCard,
    PlayQuestion,
    Project,
    Qaid,
)
from baloot.api.core.v1.seats_pb2 import SEAT_EAST, SEAT_SOUTH, SEAT_WEST
from baloot.api.core.v1.seats_pb2 import Seat as SeatNumber
from baloot.api.history.v1.history_pb2 import MATCH_STATUS_PLAYING, MatchSeat, MatchSummary
from baloot.api.table.v1.events_pb2 import (
    PRESENCE_AWAY,
    PRESENCE_HERE,
    Presence,
    PresenceChanged,
    QaidClaimed,
    Question,
    SeatTaken,
    TableEntry,
    TableEvent,
)
from baloot.api.table.v1.table_pb2 import RoundView, SeatView, TableView
from baloot.app import reaching, reports
from baloot.app.reaching import Asked
from baloot.app.terminal.cards import hand_text, sorted_hand
from baloot.app.terminal.language import Language
from baloot.app.terminal.menu import (
    Menu,
    declaration_menu,
    menu_of,
    menu_text,
    refusal_text,
    showing_menu,
)
from baloot.app.terminal.names import MAX_NAME, shortened
from baloot.app.terminal.narrator import LATE_MARK, Narrator
from baloot.app.terminal.sheet import explained
from baloot.app.terminal.table import draw_table
from baloot.app.terminal.terms import TERMS, Word, say
from baloot.app.terminal.typed import TypedLines
from baloot.client.history import HistoryClient
from baloot.client.watching import Update
from baloot.core.auction import CallKind, CutChoice, QuestionKind
from baloot.core.cards import Hand, Rank, Suit
from baloot.core.contract import Bidding, Level, Mode
from baloot.core.errors import Reason, forbidden
from baloot.core.play import QaidGround
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, RoundResult, ScoreLine
from baloot.core.seats import Seat, Team
from baloot.kit.channels import open_channel
from baloot.play import rules
from baloot.scoring import texts

from tests.app import scenes
from tests.app.snapshots import SHOWN, file_of
from tests.strategies import play as plays

ARABIC_LETTER = re.compile("[\u0620-\u064a]")
SHOWN_ENUMS: tuple[type[Enum], ...] = (
    Suit, Rank, Seat, Team, Mode, Bidding, Level, CallKind, QuestionKind, CutChoice, QaidGround, ProjectKind, RoundResult, LineKind,
)  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_it_looks_as_it_did(name: str) -> None:
    """`python -m tests.app.snapshots` writes what it looks like now: look at the difference before committing it."""
    shown = SHOWN[name]()
    assert f"{shown}\n" == file_of(name).read_text(encoding="utf-8")
    assert all(len(line) <= 80 for line in shown.splitlines())


@pytest.mark.parametrize("kind", SHOWN_ENUMS)
def test_every_value_of_the_game_has_its_word_in_both_languages(kind: type[Enum]) -> None:
    assert set(TERMS[kind]) == set(kind)
    for value in kind:
        assert say(value, Language.ENGLISH)
        arabic = say(value, Language.ARABIC)
        assert ARABIC_LETTER.search(arabic) or arabic.isdecimal()


@pytest.mark.parametrize("kind", [Suit, Rank, Mode, Bidding, ProjectKind, CallKind])
def test_the_arabic_words_are_those_of_the_glossary(kind: type[Enum]) -> None:
    glossary = (Path(__file__).parents[2] / "GLOSSARY.md").read_text(encoding="utf-8")
    for value in set(kind) - {CallKind.CONFIRM}:
        assert say(value, Language.ARABIC) in glossary


def test_every_sentence_has_the_same_places_in_both_languages() -> None:
    for word in Word:
        assert word.value.english.count("{}") == word.value.arabic.count("{}")
        assert ARABIC_LETTER.search(word.value.arabic)


def test_every_reason_for_which_a_card_may_not_be_played_has_a_word() -> None:
    random = Random(5)
    reasons: set[Reason] = set()
    for _ in range(60):
        for play in plays.moments(random):
            question = rules.asked(play)
            reasons |= {refused.reason for refused in question.refused} if question else set()
    assert len(reasons) >= 3
    assert reasons <= set(TERMS[Reason])


def test_a_line_is_explained_by_its_own_sentence_in_the_language() -> None:
    line = ScoreLine(Team.EAST_WEST, LineKind.KABOOT, "2.30", 44, (), "All eight tricks.", "الأكلات كلها.")
    assert explained(line, Language.ENGLISH) == "All eight tricks."
    assert explained(line, Language.ARABIC) == "الأكلات كلها."


@pytest.mark.parametrize("kind", LineKind)
def test_a_line_without_a_sentence_tells_what_it_is_about(kind: LineKind) -> None:
    line = ScoreLine(Team.EAST_WEST, kind, "2.26", 5)
    assert [explained(line, language) for language in Language] == [
        say(kind, language) for language in Language
    ]


@pytest.mark.parametrize(
    ("kind", "words"),
    [(Seat, texts.SEATS), (Mode, texts.MODES), (Level, texts.LEVELS), (ProjectKind, texts.PROJECTS)],
)
def test_sheets_and_tables_call_things_alike(kind: type[Enum], words: dict[Enum, tuple[str, str]]) -> None:
    assert {value: tuple(word) for value, word in words.items()} == {
        value: tuple(TERMS[kind][value]) for value in kind
    }


SILENT = {
    "table_created", "match_started", "answer_given", "round_opened", "asked_again", "round_accepted", "clock_extended",
    "deals_committed", "seed_added", "beacon_given", "seeds_revealed",
}  # fmt: skip
"""Events that say nothing to a person, or nothing yet."""


def test_every_kind_of_event_is_told_or_known_to_say_nothing() -> None:
    told = set(Narrator(scenes.console()[0])._tellers)
    assert told | SILENT == {field.name for field in TableEvent.DESCRIPTOR.fields}
    assert not told & SILENT


@pytest.mark.parametrize(
    ("told", "seats", "expected"),
    [
        ([PRESENCE_HERE], [SEAT_EAST], ""),
        ([PRESENCE_AWAY], [SEAT_EAST], "  Fahad lost the connection\n"),
        ([PRESENCE_AWAY, PRESENCE_HERE], [SEAT_EAST] * 2, "  Fahad lost the connection\n  Fahad is back\n"),
        ([PRESENCE_HERE, PRESENCE_HERE], [SEAT_EAST] * 2, ""),
        ([PRESENCE_AWAY, PRESENCE_HERE], [SEAT_EAST, SEAT_WEST], "  Fahad lost the connection\n"),
        ([PRESENCE_AWAY, PRESENCE_HERE], [SEAT_SOUTH] * 2, ""),
    ],
)
def test_a_connection_that_is_lost_is_told_and_when_it_is_back(
    told: list[Presence.ValueType], seats: list[SeatNumber.ValueType], expected: str
) -> None:
    """Of others only; and who was never gone is not back."""
    changes = [PresenceChanged(seat=s, presence=p) for s, p in zip(seats, told, strict=True)]
    events = [TableEvent(presence_changed=change) for change in changes]
    assert _told([Update(scenes.play(), TableEntry(events=events))]) == expected


def test_a_claimed_violation_is_told_with_its_cards() -> None:
    claim = ClaimQaid(card=CARD_8D, proof=CARD_KS, ground=QAID_GROUND_REVOKE)
    qaid = Qaid(claimer=SEAT_SOUTH, claim=claim, right=True)
    event = TableEvent(qaid_claimed=QaidClaimed(qaid=qaid))
    told = _told([Update(scenes.play(), TableEntry(events=[event]))])
    assert told == "  Noura claims a violation (did not follow): right 8♦, proof K♠\n"


def test_a_hand_is_sorted_trumps_first_and_strongest_first() -> None:
    hand = Hand.parse("7S AS 9H JH AH 10D 8C")
    assert " ".join(map(str, sorted_hand(hand, Suit.HEARTS))) == "JH 9H AH AS 7S 10D 8C"
    assert " ".join(map(str, sorted_hand(hand, None))) == "AS 7S AH JH 9H 10D 8C"


def test_suits_are_told_apart_by_colour_and_without_it() -> None:
    console, out = scenes.console(colour=True)
    console.print(hand_text(Hand.parse("AS AH"), None))
    assert "\x1b[1;31mA♥" in out.getvalue()
    console, out = scenes.console()
    console.print(hand_text(Hand.parse("AS AH"), None))
    assert out.getvalue() == "A♠   A♥\n"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Noura", "Noura"),
        ("a" * 40, "a" * (MAX_NAME - 1) + "…"),
        ("\x1b[31mred\x07", "[31mred"),
        ("نورة", "نورة"),
    ],
)
def test_names_are_cut_and_cannot_command_the_terminal(name: str, shown: str) -> None:
    assert shortened(name) == shown


def test_markup_in_a_name_is_text() -> None:
    view = TableView(seats=[SeatView(seat=SEAT_SOUTH, taken=True, player_name="[red]x[/]")])
    assert "[red]x[/]" in scenes.drawn(draw_table(view))


def _keys(menu: Menu) -> list[str]:
    return [choice.key for choice in menu.choices if choice.key]


def test_legal_cards_are_numbered_and_the_others_do_nothing() -> None:
    view = scenes.play()
    menu = menu_of(view.question, view.round, Language.ENGLISH)
    legal = [choice.card for choice in view.question.play.legal]
    chosen = [menu.chosen(str(number + 1)) for number in range(len(legal))]
    assert _keys(menu)[: len(legal)] == [str(number + 1) for number in range(len(legal))]
    assert {action.card for action in chosen if isinstance(action, PlayCard)} == set(legal)
    assert menu.chosen(str(len(legal) + 1)) is None
    assert menu.chosen("") is None


def test_sawa_is_a_key_where_it_may_be_claimed() -> None:
    view = scenes.lead()
    menu = menu_of(view.question, view.round, Language.ENGLISH)
    assert menu.chosen(" W ") == ClaimSawa()


def test_akka_is_said_with_the_cards_number_and_a() -> None:
    view = TableView()
    view.CopyFrom(scenes.lead())
    view.question.play.legal[0].akka = True
    menu = menu_of(view.question, view.round, Language.ENGLISH)
    card = view.question.play.legal[0].card
    assert menu.chosen("1a") == PlayCard(card=card, akka=True)
    assert menu.chosen("1") == PlayCard(card=card)


def test_baloot_is_said_with_the_cards_number_and_b_where_it_must_be() -> None:
    view = TableView()
    view.CopyFrom(scenes.lead())
    view.question.play.legal[0].baloot = True
    menu = menu_of(view.question, view.round, Language.ENGLISH)
    card = view.question.play.legal[0].card
    assert menu.chosen("1b") == PlayCard(card=card, baloot=True)
    assert menu.chosen("1") == PlayCard(card=card)


def test_cards_against_a_duty_have_numbers_where_they_are_accepted() -> None:
    view = scenes.at_risk()
    strict = menu_of(view.question, view.round, Language.ENGLISH)
    lenient = menu_of(view.question, view.round, Language.ENGLISH, lenient=True)
    legal, refused = view.question.play.legal, view.question.play.refused
    numbers = [str(len(legal) + n) for n in range(1, len(refused) + 1)]
    assert [strict.chosen(number) for number in numbers] == [None] * len(numbers)
    chosen = [lenient.chosen(number) for number in numbers]
    assert {action.card for action in chosen if isinstance(action, PlayCard)} == {one.card for one in refused}


def test_what_owners_show_is_chosen_before_the_card() -> None:
    view = scenes.showing()
    question = view.question.play
    menu = showing_menu(question, Language.ENGLISH)
    assert menu is not None
    assert menu.chosen("1") == PlayCard(shown=question.showable)
    assert menu.chosen("0") == PlayCard()
    sira = Project(kind=PROJECT_KIND_SIRA, cards=[CARD_KS])
    two = PlayQuestion(showable=[question.showable[0], sira])
    menu = showing_menu(two, Language.ENGLISH)
    assert menu is not None
    shown = [list(choice.action.shown) for choice in menu.choices if isinstance(choice.action, PlayCard)]
    assert shown == [[question.showable[0], sira], [question.showable[0]], [sira], []]


def test_projects_are_chosen_before_the_card() -> None:
    view = scenes.declaring()
    menu = declaration_menu(view.question.play, Language.ENGLISH)
    assert menu is not None
    assert menu.chosen("1") == PlayCard(projects=view.question.play.declarations[0].projects)
    assert menu.chosen("0") == PlayCard()


def test_a_menu_breaks_between_its_choices() -> None:
    view = scenes.play()
    menu = menu_of(view.question, view.round, Language.ENGLISH)
    lines = menu_text(menu, 20).plain.split("\n")
    assert len(lines) > 1
    assert all(line.startswith("[") or "(" in line for line in lines)


def _told(update_list: list[Update], *, colour: bool = False) -> str:
    console, out = scenes.console(colour=colour)
    narrator = Narrator(console)
    for update in update_list:
        narrator.tell(update)
    narrator.end_line()
    return out.getvalue()


@pytest.mark.parametrize("viewer", [None, *Seat])
def test_a_whole_match_is_told_in_lines_that_fit(viewer: Seat | None) -> None:
    told = scenes.stripped(_told(list(scenes.match(2, viewer))))
    assert all(len(line) <= 80 for line in told.splitlines())
    assert "win the match" in told
    assert told.count("Round ") >= told.count("abnat  ") >= 4


def test_without_colour_there_are_no_codes_and_with_it_there_are() -> None:
    some = list(scenes.match(1))[:60]
    assert "\x1b" not in _told(some)
    assert "\x1b[" in _told(some, colour=True)


def test_what_the_table_did_for_a_seat_is_marked() -> None:
    played = next(update for update in scenes.match(1) if update.entry and len(update.view.round.trick) == 2)
    assert LATE_MARK not in _told([played])
    assert played.entry is not None
    played.entry.by_default = True
    assert LATE_MARK in _told([played])
    played.entry.by_default = False


def test_a_view_that_comes_whole_is_drawn() -> None:
    assert "contract: sun" in _told([Update(scenes.play(), None)])


async def test_typed_lines_come_one_by_one_and_end() -> None:
    lines = TypedLines(io.StringIO("1\n 2 \n\n3"))
    assert [await lines.next() for _ in range(5)] == ["1", " 2 ", "", "3", None]


async def test_waiting_for_a_typed_line_keeps_nobody_from_working() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as source, os.fdopen(writing, "w") as keyboard:
        line = asyncio.ensure_future(TypedLines(source).next())
        await asyncio.sleep(0.01)
        assert not line.done()
        keyboard.write("5\n")
        keyboard.flush()
        async with asyncio.timeout(5):
            assert await line == "5"
        keyboard.close()


HOSTILE_NAME = "[/red] :bomb:"
"""What the terminal's library would read as marks of its own."""


def test_a_name_is_shown_as_it_is() -> None:
    last = scenes.match(1)[-1].view
    view = TableView()
    view.CopyFrom(last)
    view.seats[0].player_name = HOSTILE_NAME
    assert HOSTILE_NAME in scenes.drawn(draw_table(view, Language.ENGLISH))
    entry = TableEntry(events=[TableEvent(seat_taken=SeatTaken(seat=SEAT_SOUTH))])
    to, out = scenes.console()
    Narrator(to, Language.ENGLISH).tell(Update(view, entry))
    assert HOSTILE_NAME in out.getvalue()


async def test_a_name_is_listed_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def matches(*_: object, **__: object) -> AsyncIterator[MatchSummary]:
        seats = [MatchSeat(seat=SEAT_SOUTH, player_name=HOSTILE_NAME)]
        yield MatchSummary(match_id="m", status=MATCH_STATUS_PLAYING, seats=seats)

    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(HistoryClient, "matches_of", matches)
    monkeypatch.setattr(reaching, "reached", lambda asked: open_channel(asked.address))
    await reports.list_matches(Asked("127.0.0.1:1"), "", None)
    assert HOSTILE_NAME in capsys.readouterr().out


# Refusals.


@pytest.mark.parametrize(
    ("legal", "language", "shown"),
    [
        ("7H 10S", Language.ENGLISH, "; allowed: 7♥ 10♠"),
        ("pass,hokum,double locked", Language.ENGLISH, "; allowed: pass, hokum ♦, double locked"),
        ("sira JS QS KS", Language.ENGLISH, "; allowed: sira JS QS KS"),
        ("pass,sun", Language.ARABIC, "؛ المسموح: بس، صن"),
        ("", Language.ENGLISH, ""),
    ],
)
def test_a_refusal_shows_what_was_allowed(legal: str, language: Language, shown: str) -> None:
    refusal = forbidden(Reason.MUST_FOLLOW, "follow suit", legal=legal)
    text = refusal_text(refusal, None, RoundView(up_card=CARD_8D), language)
    assert text.plain == f"follow suit (rule 2.19){shown}"


def test_before_the_second_bidding_has_any_call_a_hokum_of_it_names_no_suit() -> None:
    asked = Question(call=CallQuestion(kind=QUESTION_KIND_SECOND))
    passed = [SeatCall(seat=SEAT_SOUTH, call=Call(kind=CALL_KIND_PASS))] * 4
    refusal = forbidden(Reason.CALL_NOT_OFFERED, "not now", rule="2.9", legal="pass,hokum,sun")
    table = RoundView(up_card=CARD_8D, calls=passed)
    text = refusal_text(refusal, asked, table, Language.ENGLISH)
    assert text.plain.endswith("allowed: pass, hokum, sun")


def test_whoever_cuts_gets_a_menu_though_no_card_is_up() -> None:
    cut = Call(kind=CALL_KIND_CUT, cut=CUT_CHOICE_GO_ON)
    asked = CallQuestion(kind=QUESTION_KIND_CUT, legal=[cut], default_call=cut)
    menu = menu_of(Question(call=asked), RoundView(), Language.ENGLISH)
    assert [choice.action for choice in menu.choices] == [cut]
    refusal = forbidden(Reason.CUT_REQUIRED, "cut", legal="cut go_on")
    assert menu.default.plain in refusal_text(refusal, None, RoundView(), Language.ENGLISH).plain
