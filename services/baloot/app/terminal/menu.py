"""What a person is asked, as numbered choices; and what was typed, as one of them."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.play_pb2 import CardChoice, ClaimSawa, Declaration, PlayCard, PlayQuestion
from baloot.api.table.v1.events_pb2 import Question
from baloot.api.table.v1.table_pb2 import RoundView
from baloot.app.terminal.cards import card_text, cards_text, hand_text, sorted_hand
from baloot.app.terminal.names import (
    bidding_of,
    call_text,
    own_call_text,
    project_text,
    read_contract,
)
from baloot.app.terminal.terms import Language, Word, say
from baloot.codec.enums import CARD, QUESTION_KIND, REASON
from baloot.core import auction
from baloot.core.auction import QuestionKind
from baloot.core.cards import Card, Suit
from baloot.core.contract import Bidding
from baloot.core.errors import Refusal
from rich.text import Text

AKKA_KEY = "a"
SAWA_KEY = "w"

Action = Call | PlayCard | ClaimSawa


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu: the key to type, what it says, and what it does. A greyed one does nothing."""

    key: str
    text: Text
    action: Action | None


@dataclass(frozen=True, slots=True)
class Menu:
    """A question with its choices. `default` is what happens when nobody answers in time."""

    title: str
    choices: tuple[Choice, ...]
    default: Text

    def chosen(self, typed: str) -> Action | None:
        """The action of a typed key; None for anything else."""
        wanted = typed.strip().lower()
        return next((choice.action for choice in self.choices if choice.key == wanted), None)


def menu_of(question: Question, table: RoundView, language: Language) -> Menu:
    """The menu for an open question."""
    if question.WhichOneof("question") == "play":
        return _play_menu(question.play, table, language)
    kind = QUESTION_KIND.value_of[question.call.kind]
    texts = [_call(call, table, kind, language) for call in question.call.legal]
    choices = tuple(
        Choice(str(number), text, call)
        for number, (text, call) in enumerate(zip(texts, question.call.legal, strict=True), 1)
    )
    default = _call(question.call.default_call, table, kind, language)
    return Menu(say(kind, language), choices, default)


def _call(call: Call, table: RoundView, kind: QuestionKind, language: Language) -> Text:
    bidding = Bidding.SECOND if kind is QuestionKind.SECOND else bidding_of(table.calls)
    return call_text(call, CARD.value_of.get(table.up_card), bidding, language)


def _play_menu(question: PlayQuestion, table: RoundView, language: Language) -> Menu:
    """The cards that may be played are numbered as one holds them; the others are greyed, by the reason."""
    trump = read_contract(table.contract).trump
    legal = {CARD.value_of[choice.card]: choice for choice in question.legal}
    choices = [
        Choice(str(number), card_text(card, language), _move(question, legal[card]))
        for number, card in enumerate(sorted_hand(legal, trump), 1)
    ]
    choices += [
        _akka_choice(choice, language)
        for choice in choices
        if isinstance(choice.action, PlayCard) and legal[CARD.value_of[choice.action.card]].akka
    ]
    if question.sawa:
        choices.append(Choice(SAWA_KEY, Text(say(Word.SAWA, language)), ClaimSawa()))
    default = card_text(CARD.value_of[question.default_move.card], language)
    greyed = _greyed(question, trump, language)
    return Menu(say(QuestionKind.PLAY, language), (*choices, *greyed), default)


def _move(question: PlayQuestion, choice: CardChoice) -> PlayCard:
    """A card; what a rule set wants said or shown with it goes without asking."""
    return PlayCard(card=choice.card, baloot=choice.baloot, shown=question.showable)


def _greyed(question: PlayQuestion, trump: Suit | None, language: Language) -> list[Choice]:
    """The cards that may not be played now, together where the reason is the same."""
    by_reason: dict[int, list[Card]] = {}
    for refused in question.refused:
        by_reason.setdefault(refused.reason, []).append(CARD.value_of[refused.card])
    greyed = []
    for reason, cards in by_reason.items():
        text = hand_text(cards, trump, language)
        text.append(f" ({say(REASON.value_of[reason], language)})")
        text.stylize("not bold dim")
        greyed.append(Choice("", text, None))
    return greyed


def _akka_choice(choice: Choice, language: Language) -> Choice:
    assert isinstance(choice.action, PlayCard)
    text = choice.text.copy().append(f" {say(Word.AKKA, language)}", "italic")
    action = PlayCard(akka=True)
    action.MergeFrom(choice.action)
    return Choice(f"{choice.key}{AKKA_KEY}", text, action)


MOST_DECLARATIONS = 8


def declaration_menu(question: PlayQuestion, language: Language) -> Menu | None:
    """What may be announced with the first card, the best first; None when there is nothing.

    The actions are cards still to be chosen, which hold the projects only.
    """
    if not question.declarations:
        return None
    best = list(question.declarations)[:MOST_DECLARATIONS]
    choices = [
        Choice(str(number), _declared(declaration, language), PlayCard(projects=declaration.projects))
        for number, declaration in enumerate(best, 1)
    ]
    nothing = Choice("0", Text(say(Word.NOTHING, language)), PlayCard())
    return Menu(say(Word.ANNOUNCE, language), (*choices, nothing), Text(say(Word.NOTHING, language)))


def _declared(declaration: Declaration, language: Language) -> Text:
    return Text(" + ").join(project_text(project, language) for project in declaration.projects)


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


def refusal_text(refusal: Refusal, table: RoundView, language: Language) -> Text:
    """Why something was refused, with what would have been legal as a person reads it."""
    text = Text(refusal.message, "red")
    if refusal.legal:
        text.append(f"; {say(Word.LEGAL, language)}: ").append_text(
            _legal_text(refusal.legal, table, language)
        )
    return text


def _legal_text(legal: str, table: RoundView, language: Language) -> Text:
    """Cards with their signs, calls in words; projects as they are spelled."""
    try:
        return cards_text(map(Card.parse, legal.split()), language)
    except ValueError:
        return Text(", ").join(_said_text(one, table, language) for one in legal.split(","))


def _said_text(spelled: str, table: RoundView, language: Language) -> Text:
    try:
        call = auction.Call.parse(spelled)
    except ValueError:
        return Text(spelled)
    return own_call_text(call, CARD.value_of.get(table.up_card), bidding_of(table.calls), language)
