"""What a person is told when a move is refused. No sentence names a card that is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from baloot.core.cards import cards_of
from baloot.core.errors import Reason, Refusal, forbidden
from baloot.core.projects import Project

_SENTENCES = {
    Reason.WRONG_PHASE: "the round is over",
    Reason.NOT_YOUR_TURN: "it is not your turn",
    Reason.CARD_NOT_HELD: "you do not hold this card",
    Reason.MUST_FOLLOW: "you hold the suit that was led and must follow it",
    Reason.MUST_TRUMP: "you cannot follow and must play a trump",
    Reason.MUST_OVER_TRUMP: "a trump is winning that you must beat",
    Reason.LOCKED_LEAD: "the round is locked: no trump is led while another card is held",
    Reason.PROJECT_WINDOW: "projects are announced with one's first card",
    Reason.PROJECT_NOT_HELD: "you may announce only projects that you hold",
    Reason.PROJECT_OVERLAP: "a card may belong to one project only",
    Reason.PROJECT_SHOW: "projects are shown by the table, with the second card of the side whose projects count",
    Reason.AKKA_NOT_ALLOWED: "Akka is said in Hokum, leading the highest unplayed card of a plain suit that is no Ace",
    Reason.BALOOT_AUTOMATIC: "a Baloot is credited by itself and need not be said",
    Reason.BALOOT_NOT_ALLOWED: "Baloot is said with the second of one's own king and queen of trumps, "
    "and not when a project has taken one of them",
    Reason.SAWA_WINDOW: "Sawa is claimed on lead, after the first trick and before playing a card",
    Reason.SAWA_REPEATED: "your Sawa was refused before, and only one claim a round is heard",
    Reason.QAID_OFF: "illegal cards are refused here, so there is nothing to claim",
    Reason.QAID_WINDOW: "a claim names a card that an opponent played in this round, and one that proves it",
}


def refusal(
    reason: Reason,
    sentence: str | None = None,
    *,
    legal: str = "",
    facts: Mapping[str, str] | None = None,
) -> Refusal:
    """The refusal for a reason, with its usual sentence unless a better one is given.

    `legal` is what the seat on turn could have played or said instead; for any other seat it stays empty.
    """
    return forbidden(reason, sentence or _SENTENCES[reason], legal=legal, facts=facts)


def spelled_cards(cards: int) -> str:
    """Cards, given as bits, in their notation: `10S JH`."""
    return " ".join(map(str, cards_of(cards)))


def spelled_projects(projects: Iterable[Project]) -> str:
    """Projects with their cards, separated by commas: `sira JS QS KS,hundred 10S 10H 10D 10C`."""
    return ",".join(" ".join((one.kind.name.lower(), *map(str, one.cards))) for one in projects)
