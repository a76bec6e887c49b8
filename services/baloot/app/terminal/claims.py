"""Claiming a Qaid, in three questions: which card broke a duty, which duty, and which card proves it (rules 2.33)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from baloot.api.core.v1.play_pb2 import ClaimQaid, Qaid
from baloot.api.table.v1.table_pb2 import RoundView, TableView
from baloot.app.terminal.cards import card_text
from baloot.app.terminal.language import Language
from baloot.app.terminal.menu import Choice, Menu
from baloot.app.terminal.names import player_names
from baloot.app.terminal.terms import Word, comma, say
from baloot.bots.claiming import Suspect, suspects
from baloot.codec.enums import CARD, QAID_GROUND, SEAT
from baloot.core.cards import Card
from baloot.core.play import QaidGround
from baloot.core.seats import Seat, from_seat
from rich.text import Text

CANCEL_KEY = "0"


def claim_menu(view: TableView, claim: ClaimQaid, language: Language) -> Menu | None:
    """The next question about a claim; None when no open card can prove it. The actions are the claim with one answer more.

    No claim at all is the one without a card.
    """
    provable = [suspect for suspect in suspects(view) if suspect.proofs]
    if not claim.card:
        return _menu(say(Word.WHICH_CARD, language), _card_choices(view, provable, language), language)
    suspect = next((one for one in provable if CARD.encode(one.card) == claim.card), None)
    if suspect is None:
        return None
    places = _places(view.round)
    if not claim.ground:
        name = player_names(view, language)[places[suspect.card].seat]
        return _menu(say(Word.WHICH_DUTY, language, name), _duty_choices(suspect, language), language)
    proofs = suspect.proofs.get(QAID_GROUND.value_of[claim.ground], ())
    return _menu(say(Word.WHICH_PROOF, language), _proof_choices(places, claim, proofs, language), language)


def why_wrong(view: TableView, qaid: Qaid, language: Language) -> str:
    """Why a claim about a card was wrong, as far as the cards tell that lie open."""
    card, proof = CARD.value_of[qaid.claim.card], CARD.value_of[qaid.claim.proof]
    ground, led = QAID_GROUND.value_of[qaid.claim.ground], _places(view.round)[card].led
    if ground is QaidGround.REVOKE and led is not None and led.suit is card.suit:
        return say(Word.FOLLOWED, language, card_text(card, language).plain)
    proofs = _seen_by_all(view, qaid, card).proofs.get(ground, ())
    if not proofs:
        return say(Word.NOT_SHOWN, language, card_text(card, language).plain)
    if proof not in proofs:
        return say(Word.NO_PROOF, language, card_text(proof, language).plain)
    return say(Word.EXCUSED, language)


def _seen_by_all(view: TableView, qaid: Qaid, card: Card) -> Suspect:
    """The card that was claimed, as it looks to the claimer's side without a look into any hand."""
    public = TableView()
    public.CopyFrom(view)
    public.viewer = qaid.claimer
    public.round.ClearField("hand")
    return next(suspect for suspect in suspects(public) if suspect.card is card)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a card of this round lies: who played it, in which trick, and what was led to him; None for a lead."""

    seat: Seat
    trick: int
    led: Card | None


_Answer = tuple[Text, ClaimQaid]


def _menu(title: str, answers: Sequence[_Answer], language: Language) -> Menu | None:
    if not answers:
        return None
    choices = [Choice(str(number), text, claim) for number, (text, claim) in enumerate(answers, 1)]
    nothing = Text(say(Word.NOTHING, language))
    return Menu(title, (*choices, Choice(CANCEL_KEY, nothing, ClaimQaid())), nothing)


def _places(table: RoundView) -> dict[Card, _Place]:
    """All cards of the round, in order."""
    tricks = [
        (SEAT.value_of[trick.leader], [CARD.value_of[card] for card in trick.cards]) for trick in table.tricks
    ]
    if table.trick:
        lying = [CARD.value_of[one.card] for one in table.trick]
        tricks.append((SEAT.value_of[table.trick[0].seat], lying))
    return {
        card: _Place(seat, number, None if card is cards[0] else cards[0])
        for number, (leader, cards) in enumerate(tricks, 1)
        for seat, card in zip(from_seat(leader), cards, strict=False)
    }


def _placed_text(card: Card, place: _Place, language: Language, name: str = "") -> Text:
    """A card with its trick and what was led: K♠ Fahad (trick 2, J♠ led)."""
    led = (
        say(Word.WAS_LED, language)
        if place.led is None
        else say(Word.LED_TO, language, card_text(place.led, language).plain)
    )
    trick = say(Word.IN_TRICK, language, place.trick)
    where = f"{name} ({trick}{comma(language)}{led})"
    return card_text(card, language).append(f" {where.strip()}", "not bold default")


def _card_choices(view: TableView, provable: Sequence[Suspect], language: Language) -> list[_Answer]:
    names, places = player_names(view, language), _places(view.round)
    return [
        (
            _placed_text(one.card, places[one.card], language, names[places[one.card].seat]),
            ClaimQaid(card=CARD.encode(one.card)),
        )
        for one in provable
    ]


def _duty_choices(suspect: Suspect, language: Language) -> list[_Answer]:
    return [
        (
            Text(say(ground, language)),
            ClaimQaid(card=CARD.encode(suspect.card), ground=QAID_GROUND.encode(ground)),
        )
        for ground in suspect.proofs
    ]


def _proof_choices(
    places: Mapping[Card, _Place], claim: ClaimQaid, proofs: Sequence[Card], language: Language
) -> list[_Answer]:
    return [
        (
            _placed_text(proof, places[proof], language),
            ClaimQaid(card=claim.card, ground=claim.ground, proof=CARD.encode(proof)),
        )
        for proof in proofs
    ]
