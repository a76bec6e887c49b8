"""The play on the wire: moves, the record, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from baloot.api.core.v1 import play_pb2 as pb
from baloot.codec.cards import (
    decode_cards,
    decode_four_hands,
    decode_points,
    decode_seats,
    encode_cards,
    encode_hand,
    encode_points,
    encode_seats,
)
from baloot.codec.contract import decode_contract, encode_contract
from baloot.codec.enums import CARD, PROJECT_KIND, QAID_GROUND, REASON, SEAT, TEAM
from baloot.codec.fields import decode_each, invalid, missing
from baloot.codec.ruleset import decode_ruleset_of, encode_ruleset
from baloot.core.cards import Card
from baloot.core.play import (
    CardChoice,
    CardMove,
    CardRefused,
    Move,
    PlayAsked,
    PlayOutcome,
    PlayRecord,
    PlayStep,
    Qaid,
    QaidMove,
    SawaMove,
    SeatMove,
    Trick,
)
from baloot.core.projects import Declaration, Project, SeatProject
from baloot.core.seats import Seat

MAX_MOVES = 37
"""The most moves in a record: 32 cards, one Sawa of each seat and a Qaid."""
_MAX_PROJECTS = 8
_MAX_PROJECT_CARDS = 5
_MAX_DECLARATIONS = 4096


def encode_project(project: Project) -> pb.Project:
    return pb.Project(kind=PROJECT_KIND.encode(project.kind), cards=encode_cards(project.cards))


def decode_project(message: pb.Project, path: str) -> Project:
    """The cards may come in any order. Raises Refusal when there are none."""
    if not message.cards:
        raise missing(f"{path}.cards")
    return decode_announced(message, path)


def decode_announced(message: pb.Project, path: str) -> Project:
    """A project of which the cards may be unset, as the others hear of it until it is shown."""
    cards = decode_cards(message.cards, f"{path}.cards", most=_MAX_PROJECT_CARDS)
    return Project(PROJECT_KIND.decode(message.kind, f"{path}.kind"), tuple(sorted(cards)))


def encode_declaration(declaration: Declaration) -> pb.Declaration:
    return pb.Declaration(projects=[encode_project(project) for project in declaration])


def decode_declaration(message: pb.Declaration, path: str) -> Declaration:
    return decode_each(decode_project, message.projects, f"{path}.projects", most=_MAX_PROJECTS)


def encode_seat_project(owned: SeatProject) -> pb.SeatProject:
    return pb.SeatProject(seat=SEAT.encode(owned.seat), project=encode_project(owned.project))


def decode_seat_project(message: pb.SeatProject, path: str) -> SeatProject:
    return SeatProject(
        SEAT.decode(message.seat, f"{path}.seat"), decode_project(message.project, f"{path}.project")
    )


def encode_card_move(move: CardMove) -> pb.PlayCard:
    return pb.PlayCard(
        card=CARD.encode(move.card),
        projects=[encode_project(project) for project in move.projects],
        akka=move.akka,
        baloot=move.baloot,
        shown=[encode_project(project) for project in move.shown],
    )


def decode_card_move(message: pb.PlayCard, path: str) -> CardMove:
    projects = message.projects
    return CardMove(
        CARD.decode(message.card, f"{path}.card"),
        decode_each(decode_project, projects, f"{path}.projects", most=_MAX_PROJECTS) if projects else (),
        message.akka,
        message.baloot,
        decode_each(decode_project, message.shown, f"{path}.shown", most=_MAX_PROJECTS)
        if message.shown
        else (),
    )


def encode_qaid_move(claim: QaidMove) -> pb.ClaimQaid:
    return pb.ClaimQaid(
        card=CARD.encode_optional(claim.card),
        proof=CARD.encode_optional(claim.proof),
        ground=QAID_GROUND.encode(claim.ground),
    )


def decode_qaid_move(message: pb.ClaimQaid, path: str) -> QaidMove:
    return QaidMove(
        QAID_GROUND.decode(message.ground, f"{path}.ground"),
        CARD.decode_optional(message.card, f"{path}.card"),
        CARD.decode_optional(message.proof, f"{path}.proof"),
    )


def encode_qaid(qaid: Qaid) -> pb.Qaid:
    return pb.Qaid(claimer=SEAT.encode(qaid.claimer), claim=encode_qaid_move(qaid.claim), right=qaid.right)


def decode_qaid(message: pb.Qaid, path: str) -> Qaid:
    return Qaid(
        SEAT.decode(message.claimer, f"{path}.claimer"),
        decode_qaid_move(message.claim, f"{path}.claim"),
        message.right,
    )


def encode_seat_move(made: SeatMove) -> pb.SeatMove:
    seat = SEAT.encode(made.seat)
    if isinstance(made.move, CardMove):
        return pb.SeatMove(seat=seat, card=encode_card_move(made.move))
    if isinstance(made.move, QaidMove):
        return pb.SeatMove(seat=seat, qaid=encode_qaid_move(made.move))
    return pb.SeatMove(seat=seat, sawa=pb.ClaimSawa())


def decode_seat_move(message: pb.SeatMove, path: str) -> SeatMove:
    return SeatMove(SEAT.decode(message.seat, f"{path}.seat"), _decode_move(message, path))


def _decode_move(message: pb.SeatMove, path: str) -> Move:
    match message.WhichOneof("move"):
        case "card":
            return decode_card_move(message.card, f"{path}.card")
        case "sawa":
            return SawaMove()
        case "qaid":
            return decode_qaid_move(message.qaid, f"{path}.qaid")
        case _:
            raise missing(f"{path}.move")


def encode_play_record(record: PlayRecord) -> pb.PlayRecord:
    return pb.PlayRecord(
        contract=encode_contract(record.contract),
        dealer=SEAT.encode(record.dealer),
        hands=[encode_hand(hand) for hand in record.hands],
        moves=[encode_seat_move(made) for made in record.moves],
        ruleset=encode_ruleset(record.ruleset),
    )


def decode_play_record(message: pb.PlayRecord, path: str) -> PlayRecord:
    return PlayRecord(
        contract=decode_contract(message.contract, f"{path}.contract"),
        dealer=SEAT.decode(message.dealer, f"{path}.dealer"),
        hands=decode_four_hands(message.hands, f"{path}.hands"),
        moves=decode_each(decode_seat_move, message.moves, f"{path}.moves", most=MAX_MOVES),
        ruleset=decode_ruleset_of(message, path),
    )


def encode_trick(trick: Trick) -> pb.Trick:
    return pb.Trick(
        leader=SEAT.encode(trick.leader),
        cards=encode_cards(trick.cards),
        winner=SEAT.encode(trick.winner),
        card_points=trick.points,
    )


def decode_trick(message: pb.Trick, path: str) -> Trick:
    cards = decode_cards(message.cards, f"{path}.cards")
    if len(cards) != 4:
        raise invalid(f"{path}.cards", f"holds {len(cards)} cards, and a trick has four")
    return Trick(
        leader=SEAT.decode(message.leader, f"{path}.leader"),
        cards=(cards[0], cards[1], cards[2], cards[3]),
        winner=SEAT.decode(message.winner, f"{path}.winner"),
        points=message.card_points,
    )


def encode_play_asked(asked: PlayAsked) -> pb.PlayQuestion:
    return pb.PlayQuestion.FromString(play_asked_bytes(asked))


def play_asked_bytes(asked: PlayAsked) -> bytes:
    """An encoded `PlayQuestion`. One is made for every card, of few parts that come again and again."""
    return b"".join(
        (
            _all_but_cards(asked.seat, asked.declarations, asked.default, asked.showable, sawa=asked.sawa),
            *map(_one_choice, asked.legal),
            *map(_one_refused, asked.refused),
        )
    )


# A message with some fields and one with others, put together, are encoded as a message with all of them.


@lru_cache(maxsize=1024)
def _all_but_cards(
    seat: Seat, declarations: tuple[Declaration, ...], default: CardMove, showable: Declaration, *, sawa: bool
) -> bytes:
    return pb.PlayQuestion(
        seat=SEAT.encode(seat),
        declarations=[encode_declaration(declaration) for declaration in declarations],
        sawa=sawa,
        default_move=encode_card_move(default),
        showable=[encode_project(project) for project in showable],
    ).SerializeToString()


@cache
def _one_choice(one: CardChoice) -> bytes:
    choice = pb.CardChoice(card=CARD.encode(one.card), akka=one.akka, baloot=one.baloot)
    return pb.PlayQuestion(legal=[choice]).SerializeToString()


@cache
def _one_refused(one: CardRefused) -> bytes:
    refused = pb.CardRefused(card=CARD.encode(one.card), reason=REASON.encode(one.reason))
    return pb.PlayQuestion(refused=[refused]).SerializeToString()


def decode_play_asked(message: pb.PlayQuestion, path: str) -> PlayAsked:
    return PlayAsked(
        seat=SEAT.decode(message.seat, f"{path}.seat"),
        legal=decode_each(_decode_choice, message.legal, f"{path}.legal", most=len(Card)),
        refused=decode_each(_decode_refused, message.refused, f"{path}.refused", most=len(Card)),
        declarations=decode_each(
            decode_declaration, message.declarations, f"{path}.declarations", most=_MAX_DECLARATIONS
        ),
        sawa=message.sawa,
        default=decode_card_move(message.default_move, f"{path}.default_move"),
        showable=decode_each(decode_project, message.showable, f"{path}.showable", most=_MAX_PROJECTS),
    )


def _decode_choice(message: pb.CardChoice, path: str) -> CardChoice:
    return CardChoice(CARD.decode(message.card, f"{path}.card"), message.akka, message.baloot)


def _decode_refused(message: pb.CardRefused, path: str) -> CardRefused:
    return CardRefused(
        CARD.decode(message.card, f"{path}.card"), REASON.decode(message.reason, f"{path}.reason")
    )


def encode_play_outcome(outcome: PlayOutcome) -> pb.PlayOutcome:
    return pb.PlayOutcome(
        tricks=encode_points(outcome.tricks),
        card_points=encode_points(outcome.card_points),
        projects=[encode_seat_project(owned) for owned in outcome.projects],
        baloot=encode_seats(outcome.baloot),
        sawa=SEAT.encode_optional(outcome.sawa),
        qaid=None if outcome.qaid is None else encode_qaid(outcome.qaid),
    )


def decode_play_outcome(message: pb.PlayOutcome, path: str) -> PlayOutcome:
    return PlayOutcome(
        tricks=decode_points(message.tricks),
        card_points=decode_points(message.card_points),
        projects=decode_each(_decode_counted, message.projects, f"{path}.projects", most=_MAX_PROJECTS),
        baloot=decode_seats(message.baloot, f"{path}.baloot"),
        sawa=SEAT.decode_optional(message.sawa, f"{path}.sawa"),
        qaid=decode_qaid(message.qaid, f"{path}.qaid") if message.HasField("qaid") else None,
    )


def encode_play_step(step: PlayStep) -> pb.PlayStep:
    return pb.PlayStep(
        record=encode_play_record(step.record),
        question=None if step.asked is None else encode_play_asked(step.asked),
        outcome=None if step.outcome is None else encode_play_outcome(step.outcome),
        trick=None if step.trick is None else encode_trick(step.trick),
        projects_team=TEAM.encode_optional(step.projects_team),
        shown=[encode_seat_project(owned) for owned in step.shown],
        baloot=step.baloot,
        sawa=step.sawa,
        proof=encode_cards(step.proof),
    )


def decode_play_step(message: pb.PlayStep, path: str) -> PlayStep:
    has = message.HasField
    return PlayStep(
        record=decode_play_record(message.record, f"{path}.record"),
        asked=decode_play_asked(message.question, f"{path}.question") if has("question") else None,
        outcome=decode_play_outcome(message.outcome, f"{path}.outcome") if has("outcome") else None,
        trick=decode_trick(message.trick, f"{path}.trick") if has("trick") else None,
        projects_team=TEAM.decode_optional(message.projects_team, f"{path}.projects_team"),
        shown=_decode_seat_projects(message.shown, f"{path}.shown"),
        baloot=message.baloot,
        sawa=message.sawa if has("sawa") else None,
        proof=decode_cards(message.proof, f"{path}.proof") if message.proof else (),
    )


def _decode_counted(message: pb.SeatProject, path: str) -> SeatProject:
    """A counted project, which somebody who keeps the score may know without its cards."""
    return SeatProject(
        SEAT.decode(message.seat, f"{path}.seat"), decode_announced(message.project, f"{path}.project")
    )


def _decode_seat_projects(messages: Sequence[pb.SeatProject], path: str) -> tuple[SeatProject, ...]:
    return decode_each(decode_seat_project, messages, path, most=_MAX_PROJECTS)
