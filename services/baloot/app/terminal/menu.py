"""What a person is asked, as numbered choices; and what was typed, as one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.play_pb2 import ClaimQaid, ClaimSawa, PlayCard, PlayQuestion, Project
from baloot.api.table.v1.events_pb2 import Question
from baloot.api.table.v1.table_pb2 import RoundView
from baloot.app.terminal.cards import card_text, cards_text, hand_text, sorted_hand
from baloot.app.terminal.language import Language
from baloot.app.terminal.names import (
    bidding_of,
    call_text,
    own_call_text,
    project_text,
    read_contract,
)
from baloot.app.terminal.terms import Word, comma, say, semicolon
from baloot.codec.enums import CARD, QUESTION_KIND, REASON
from baloot.core import auction
from baloot.core.auction import QuestionKind
from baloot.core.cards import Card, Suit
from baloot.core.contract import Bidding
from baloot.core.errors import RULES, Reason, Refusal
from rich.text import Text

AKKA_KEY = "a"
BALOOT_KEY = "b"
SAWA_KEY = "w"
CLAIM_KEY = "c"

Action = Call | PlayCard | ClaimSawa | ClaimQaid


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu: the key to type, what it says, and what it does.

    A greyed one does nothing; a key without an action opens another menu.
    """

    key: str
    text: Text
    action: Action | None


@dataclass(frozen=True, slots=True)
class Menu:
    """A question with its choices. `default` is what happens when nobody answers in time.

    Where `by_name` is set, a card can be typed by its name: also one that is no choice, for the refusal tells why.
    """

    title: str
    choices: tuple[Choice, ...]
    default: Text
    by_name: bool = False

    def chosen(self, typed: str) -> Action | None:
        """The action of a typed key or card; None for anything else."""
        wanted = typed.strip().lower()
        for choice in self.choices:
            if choice.key == wanted:
                return choice.action
        return _named_card(wanted) if self.by_name else None


def _named_card(typed: str) -> PlayCard | None:
    try:
        return PlayCard(card=CARD.encode(Card.parse(typed)))
    except ValueError:
        return None


def menu_of(question: Question, table: RoundView, language: Language, *, lenient: bool = False) -> Menu:
    """The menu for an open question. Where the rules are lenient, cards against a duty are choices too."""
    if question.WhichOneof("question") == "play":
        return _play_menu(question.play, table, language, lenient=lenient)
    kind = QUESTION_KIND.value_of[question.call.kind]
    texts = [_call(call, table, kind, language) for call in question.call.legal]
    choices = tuple(
        Choice(str(number), text, call)
        for number, (text, call) in enumerate(zip(texts, question.call.legal, strict=True), 1)
    )
    default = _call(question.call.default_call, table, kind, language)
    claim = _claim_choices(language) if kind is QuestionKind.QAID else ()
    return Menu(say(kind, language), (*choices, *claim), default)


def _claim_choices(language: Language) -> tuple[Choice, ...]:
    return (Choice(CLAIM_KEY, Text(say(Word.CLAIM, language)), None),)


def _call(call: Call, table: RoundView, kind: QuestionKind, language: Language) -> Text:
    return call_text(call, CARD.value_of.get(table.up_card), _bidding(kind, table), language)


def _bidding(kind: QuestionKind | None, table: RoundView) -> Bidding:
    """Which bidding a question belongs to: the calls alone do not tell before the second one has any."""
    return Bidding.SECOND if kind is QuestionKind.SECOND else bidding_of(table.calls)


def _play_menu(question: PlayQuestion, table: RoundView, language: Language, *, lenient: bool) -> Menu:
    """The cards that may be played are numbered as one holds them; the others are greyed, by the reason."""
    trump = read_contract(table.contract).trump
    legal = {CARD.value_of[choice.card]: choice for choice in question.legal}
    cards = [_card_choice(number, card, language) for number, card in enumerate(sorted_hand(legal, trump), 1)]
    choices = [*cards]
    for card, choice in zip(sorted_hand(legal, trump), cards, strict=True):
        if legal[card].akka:
            choices.append(_saying(choice, AKKA_KEY, Word.AKKA, PlayCard(akka=True), language))
        if legal[card].baloot:
            choices.append(_saying(choice, BALOOT_KEY, Word.BALOOT, PlayCard(baloot=True), language))
    if question.sawa:
        choices.append(Choice(SAWA_KEY, Text(say(Word.SAWA, language)), ClaimSawa()))
    default = card_text(CARD.value_of[question.default_move.card], language)
    if lenient:
        choices += [*_at_risk(question, trump, language), *_claim_choices(language)]
    else:
        choices += _greyed(question, trump, language)
    return Menu(say(QuestionKind.PLAY, language), tuple(choices), default, by_name=True)


def _card_choice(number: int, card: Card, language: Language) -> Choice:
    return Choice(str(number), card_text(card, language), PlayCard(card=CARD.encode(card)))


def _saying(choice: Choice, key: str, word: Word, said: PlayCard, language: Language) -> Choice:
    """A card with what is said with it."""
    assert isinstance(choice.action, PlayCard)
    text = choice.text.copy().append(f" {say(word, language)}", "italic")
    said.MergeFrom(choice.action)
    return Choice(f"{choice.key}{key}", text, said)


def _at_risk(question: PlayQuestion, trump: Suit | None, language: Language) -> list[Choice]:
    """The cards against a duty, which may be played and claimed: numbered after the others."""
    reasons = {CARD.value_of[refused.card]: REASON.value_of[refused.reason] for refused in question.refused}
    choices = []
    for number, card in enumerate(sorted_hand(reasons, trump), len(question.legal) + 1):
        choice = _card_choice(number, card, language)
        choice.text.append(_because(reasons[card], language))
        choice.text.stylize("not bold dim")
        choices.append(choice)
    return choices


def _because(reason: Reason, language: Language) -> str:
    """Why a card may not be played, with the number of the rule."""
    return f" ({say(reason, language)}{comma(language)}{RULES[reason]})"


def _greyed(question: PlayQuestion, trump: Suit | None, language: Language) -> list[Choice]:
    """The cards that may not be played now, together where the reason is the same."""
    by_reason: dict[int, list[Card]] = {}
    for refused in question.refused:
        by_reason.setdefault(refused.reason, []).append(CARD.value_of[refused.card])
    greyed = []
    for reason, cards in by_reason.items():
        text = hand_text(cards, trump, language)
        text.append(_because(REASON.value_of[reason], language))
        text.stylize("not bold dim")
        greyed.append(Choice("", text, None))
    return greyed


MOST_DECLARATIONS = 8


def declaration_menu(question: PlayQuestion, language: Language) -> Menu | None:
    """What may be announced with the first card, the best first; None when there is nothing.

    The actions are cards still to be chosen, which hold the projects only.
    """
    if not question.declarations:
        return None
    best = list(question.declarations)[:MOST_DECLARATIONS]
    ways = [(declaration.projects, PlayCard(projects=declaration.projects)) for declaration in best]
    return _project_menu(Word.ANNOUNCE, ways, language)


def showing_menu(question: PlayQuestion, language: Language) -> Menu | None:
    """What may be shown with a card where owners show their projects, the most first; None when there is nothing.

    The actions are cards still to be chosen, which hold what is shown only.
    """
    open_ = list(question.showable)
    if not open_:
        return None
    sets = [chosen for size in range(len(open_), 0, -1) for chosen in combinations(open_, size)]
    return _project_menu(
        Word.SHOW, [(chosen, PlayCard(shown=chosen)) for chosen in sets[:MOST_DECLARATIONS]], language
    )


def _project_menu(
    title: Word, ways: Sequence[tuple[Sequence[Project], PlayCard]], language: Language
) -> Menu:
    choices = [
        Choice(str(number), _declared(projects, language), action)
        for number, (projects, action) in enumerate(ways, 1)
    ]
    nothing = Choice("0", Text(say(Word.NOTHING, language)), PlayCard())
    return Menu(say(title, language), (*choices, nothing), nothing.text)


def _declared(projects: Sequence[Project], language: Language) -> Text:
    return Text(" + ").join(project_text(project, language) for project in projects)


def menu_text(menu: Menu, width: int = 80) -> Text:
    """A menu on as few lines as it needs: [1] pass  [2] hokum ♥  [3] sun."""
    text, column = Text(), 0
    for choice in menu.choices:
        piece = Text(f"[{choice.key}] " if choice.key else "", "bold cyan").append_text(choice.text)
        if column:
            fits = column + 2 + piece.cell_len <= width
            text.append("  " if fits else "\n")
            column = column + 2 if fits else 0
        text.append_text(piece)
        column += piece.cell_len
    return text


def refusal_text(refusal: Refusal, question: Question | None, table: RoundView, language: Language) -> Text:
    """Why an answer was refused, with what would have been legal as a person reads it."""
    text = Text(refusal.message, "red")
    if refusal.legal:
        text.append(f"{semicolon(language)}{say(Word.LEGAL, language)}: ").append_text(
            _legal_text(refusal.legal, question, table, language)
        )
    return text


def _legal_text(legal: str, question: Question | None, table: RoundView, language: Language) -> Text:
    """Cards with their signs, calls in words; projects as they are spelled."""
    try:
        return cards_text(map(Card.parse, legal.split()), language)
    except ValueError:
        kind = QUESTION_KIND.value_of.get(question.call.kind) if question else None
        bidding = _bidding(kind, table)
        return Text(comma(language)).join(
            _said_text(one, table, bidding, language) for one in legal.split(",")
        )


def _said_text(spelled: str, table: RoundView, bidding: Bidding, language: Language) -> Text:
    try:
        call = auction.Call.parse(spelled)
    except ValueError:
        return Text(spelled)
    return own_call_text(call, CARD.value_of.get(table.up_card), bidding, language)
