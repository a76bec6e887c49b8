"""What is said with a card: Akka, projects, Baloot, what is shown (rules 2.20 to 2.25)."""

from __future__ import annotations

from dataclasses import replace

from baloot.core.errors import Reason
from baloot.core.play import CardMove
from baloot.core.projects import Declaration, SeatProject
from baloot.core.ruleset import Akka, BalootSaying
from baloot.core.seats import Seat
from baloot.play.baloot import sayable
from baloot.play.legality import akka_cards, plain_cards
from baloot.play.projects import declarations, require_declarable
from baloot.play.refusals import refusal, spelled_cards, spelled_projects
from baloot.play.showing import showable
from baloot.play.state import Play, Said

_NO_AKKA = "there is no Akka in this rule set"
_UNCHECKED_AKKA = "Akka is said in Hokum, leading a card of a plain suit that is no Ace"
_OWNERS_SHOW = (
    "announced projects are shown with one's second card by the side with the best one, "
    "and by the other side until its third cards if nothing was shown"
)


def akka_mask(play: Play, seat: Seat) -> int:
    """The cards that this seat on turn may say Akka with: only leads, and true ones where that is checked (2.20)."""
    on = play.start.on
    akka = play.start.record.ruleset.akka
    if play.trick or akka is Akka.OFF:
        return 0
    if akka is Akka.MANUAL_UNCHECKED:
        return plain_cards(on, play.hands[seat])
    return akka_cards(on, play.hands[seat], play.unplayed)


def baloot_mask(play: Play, seat: Seat) -> int:
    """The card that this seat on turn may say Baloot with, where it has to be said (2.25)."""
    return sayable(play.start, play.said, play.hands, seat)


def declarable(play: Play, seat: Seat) -> tuple[Declaration, ...]:
    """What this seat on turn may announce: only with its first card (2.22)."""
    if play.tricks:
        return ()
    record = play.start.record
    limit = record.ruleset.max_projects_per_player
    return declarations(play.hands[seat], record.contract.mode, limit, play.start.order)


def spoken(play: Play, seat: Seat, move: CardMove) -> CardMove:
    """The move with what the server says for its player: a true Akka, the best declaration.

    Raises Refusal when something may not be said with a card that may be played.
    """
    if play.start.prompts:
        move = _prompted(play, seat, move)
    if move.projects:
        _require_declaration(play, seat, move.projects)
    if move.akka:
        _require_akka(play, seat, move)
    if move.shown:
        _require_showable(play, seat, move.shown)
    if move.baloot:
        _require_baloot(play, seat, move)
    return move


_AKKA_SENTENCES = {Akka.OFF: _NO_AKKA, Akka.MANUAL_UNCHECKED: _UNCHECKED_AKKA}


def _prompted(play: Play, seat: Seat, move: CardMove) -> CardMove:
    ruleset = play.start.record.ruleset
    if ruleset.project_auto and not move.projects and (ways := declarable(play, seat)):
        move = replace(move, projects=ways[0])
    if ruleset.akka is Akka.AUTO and akka_mask(play, seat) >> move.card & 1:
        move = replace(move, akka=True)
    return move


def _require_akka(play: Play, seat: Seat, move: CardMove) -> None:
    leads = akka_mask(play, seat)
    if not leads >> move.card & 1:
        sentence = _AKKA_SENTENCES.get(play.start.record.ruleset.akka)
        raise refusal(Reason.AKKA_NOT_ALLOWED, sentence, legal=spelled_cards(leads))


def _require_declaration(play: Play, seat: Seat, declaration: Declaration) -> None:
    if play.tricks:
        raise refusal(Reason.PROJECT_WINDOW)
    record = play.start.record
    limit = record.ruleset.max_projects_per_player
    require_declarable(declaration, play.hands[seat], record.contract.mode, limit)


def _require_showable(play: Play, seat: Seat, shown: Declaration) -> None:
    start = play.start
    open_ = showable(start, play.said, play.hands, seat)
    if len(set(shown)) != len(shown) or any(project not in open_ for project in shown):
        sentence = _OWNERS_SHOW if start.owners_show else None
        raise refusal(Reason.PROJECT_SHOW, sentence, legal=spelled_projects(open_))


def _require_baloot(play: Play, seat: Seat, move: CardMove) -> None:
    start = play.start
    if start.record.ruleset.baloot is BalootSaying.AUTO:
        raise refusal(Reason.BALOOT_AUTOMATIC)
    said = with_said(play.said, seat, move)
    card = sayable(start, said, play.hands, seat)
    if not card >> move.card & 1:
        raise refusal(Reason.BALOOT_NOT_ALLOWED, legal=spelled_cards(card & play.legal))


def with_said(said: Said, seat: Seat, move: CardMove) -> Said:
    """What is said so far, with the projects that a move announces and shows."""
    if not move.projects and not move.shown:
        return said
    announced, counting, baloot, refused, sawa, shown, qaid = said
    announced = (*announced, *[SeatProject(seat, project) for project in move.projects])
    shown = (*shown, *[SeatProject(seat, project) for project in move.shown])
    return Said(announced, counting, baloot, refused, sawa, shown, qaid)
