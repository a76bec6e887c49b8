"""Claiming a Qaid, in three questions: which card broke a duty, which duty, and which card proves it (rules 2.33)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from baloot.api.core.v1.play_pb2 import ClaimQaid
from baloot.api.core.v1.ruleset_pb2 import ILLEGAL_PLAY_ALLOW_WITH_QAID
from baloot.api.table.v1.table_pb2 import RoundView, TableView
from baloot.app.terminal.cards import card_text
from baloot.app.terminal.menu import Choice, Menu
from baloot.app.terminal.names import player_names, read_contract
from baloot.app.terminal.terms import Language, Word, say
from baloot.codec.enums import CARD, QAID_GROUND, SEAT
from baloot.core.cards import Card
from baloot.core.contract import Contract
from baloot.core.play import QaidGround
from baloot.core.seats import Seat, from_seat
from rich.text import Text

CANCEL_KEY = "0"


def is_lenient(view: TableView) -> bool:
    """Whether cards against a duty are accepted at this table, and may be claimed."""
    return view.settings.ruleset.illegal_play == ILLEGAL_PLAY_ALLOW_WITH_QAID


def claim_menu(view: TableView, claim: ClaimQaid, language: Language) -> Menu | None:
    """The next question about a claim; None when nothing fits. The actions are the claim with one answer more.

    No claim at all is the one without a card.
    """
    played = _played(view.round)
    if not claim.card:
        return _menu(say(Word.WHICH_CARD, language), _card_choices(view, played, language), language)
    accused = next((one for one in played if CARD.encode(one.card) == claim.card), None)
    if accused is None:
        return None
    if not claim.ground:
        name = player_names(view, language)[accused.seat]
        duties = _duty_choices(view.round, accused, language)
        return _menu(say(Word.WHICH_DUTY, language, name), duties, language)
    proofs = _proof_choices(played, accused, claim, language)
    return _menu(say(Word.WHICH_PROOF, language), proofs, language)


@dataclass(frozen=True, slots=True)
class _Played:
    """A card of this round: whose it was, and what it followed; None for a lead."""

    seat: Seat
    card: Card
    led: Card | None


_Answer = tuple[Text, ClaimQaid]


def _menu(title: str, answers: Sequence[_Answer], language: Language) -> Menu | None:
    if not answers:
        return None
    choices = [Choice(str(number), text, claim) for number, (text, claim) in enumerate(answers, 1)]
    nothing = Text(say(Word.NOTHING, language))
    return Menu(title, (*choices, Choice(CANCEL_KEY, nothing, ClaimQaid())), nothing)


def _played(table: RoundView) -> list[_Played]:
    """All cards of the round, in order."""
    tricks = [
        (SEAT.value_of[trick.leader], [CARD.value_of[card] for card in trick.cards]) for trick in table.tricks
    ]
    if table.trick:
        lying = [CARD.value_of[one.card] for one in table.trick]
        tricks.append((SEAT.value_of[table.trick[0].seat], lying))
    return [
        _Played(seat, card, cards[0] if place else None)
        for leader, cards in tricks
        for place, (seat, card) in enumerate(zip(from_seat(leader), cards, strict=False))
    ]


def _card_choices(view: TableView, played: list[_Played], language: Language) -> list[_Answer]:
    """The opponents' cards that a duty could forbid, the latest first."""
    own, names = SEAT.value_of[view.viewer], player_names(view, language)
    return [
        (
            card_text(one.card, language).append(f" {names[one.seat]}", "not bold default"),
            ClaimQaid(card=CARD.encode(one.card)),
        )
        for one in reversed(played)
        if one.seat.team is not own.team and _grounds(view.round, one)
    ]


def _duty_choices(table: RoundView, accused: _Played, language: Language) -> list[_Answer]:
    return [
        (
            Text(say(ground, language)),
            ClaimQaid(card=CARD.encode(accused.card), ground=QAID_GROUND.encode(ground)),
        )
        for ground in _grounds(table, accused)
    ]


def _grounds(table: RoundView, one: _Played) -> list[QaidGround]:
    """The duties that a card could break by what everybody sees."""
    contract = read_contract(table.contract)
    akka = CARD.encode(one.card) in table.akka
    return [ground for ground, fits in _FITS.items() if fits(contract, one, akka)]


def _off_suit(one: _Played) -> bool:
    return one.led is not None and one.card.suit is not one.led.suit


_FITS: dict[QaidGround, Callable[[Contract, _Played, bool], bool]] = {
    QaidGround.REVOKE: lambda _, one, __: _off_suit(one),
    QaidGround.NO_TRUMP: lambda bought, one, _: (
        bought.trump is not None and _off_suit(one) and one.card.suit is not bought.trump
    ),
    QaidGround.NO_OVER_TRUMP: lambda bought, one, _: (
        one.led is not None and bought.trump is not None and (_off_suit(one) or one.led.suit is bought.trump)
    ),
    QaidGround.LOCKED_LEAD: lambda bought, one, _: (
        one.led is None and bought.locked and one.card.suit is bought.trump
    ),
    QaidGround.FALSE_AKKA: lambda _, __, akka: akka,
}


def _proof_choices(
    played: list[_Played], accused: _Played, claim: ClaimQaid, language: Language
) -> list[_Answer]:
    """What the offender has played since; a false Akka is proved by anybody's card of its suit."""
    false_akka = claim.ground == QAID_GROUND.encode(QaidGround.FALSE_AKKA)
    since = played[played.index(accused) + 1 :]
    fitting = [
        one.card
        for one in since
        if (one.card.suit is accused.card.suit if false_akka else one.seat is accused.seat)
    ]
    return [(card_text(card, language), _with_proof(claim, card)) for card in fitting]


def _with_proof(claim: ClaimQaid, proof: Card) -> ClaimQaid:
    return ClaimQaid(card=claim.card, ground=claim.ground, proof=CARD.encode(proof))
