"""A round told once more from its moves: which cards were legal, what counts, and who won what, slow and plain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from baloot.core.cards import Card, Rank, Suit, card_points
from baloot.core.play import CardMove, PlayOutcome, PlayRecord, Qaid, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import (
    BalootBlock,
    BalootSaying,
    FirstLeader,
    HundredOrder,
    ProjectShow,
    ProjectTie,
    SawaPenalty,
)
from baloot.core.seats import SEATS, Seat, Team

from tests.rules.play import naive


@dataclass
class Played:
    """A card that was played: by whom, onto what, from which hand, and what was said with it."""

    seat: Seat
    move: CardMove
    trick: list[Card]
    hand: set[Card]
    akka: bool
    unplayed: set[Card]


@dataclass
class Told:
    """A round as its moves tell it."""

    record: PlayRecord
    hands: list[set[Card]] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    turn: Seat = Seat.SOUTH
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0])
    announced: list[SeatProject] = field(default_factory=list)
    shown: list[SeatProject] = field(default_factory=list)
    baloot: list[Seat] = field(default_factory=list)
    refused: list[Seat] = field(default_factory=list)
    sawa: Seat | None = None
    qaid: Qaid | None = None

    @property
    def trump(self) -> Suit | None:
        return self.record.contract.trump

    @property
    def royals(self) -> set[Card]:
        if self.trump is None:
            return set()
        return {Card.of(self.trump, Rank.KING), Card.of(self.trump, Rank.QUEEN)}

    @property
    def table(self) -> list[Card]:
        return [one.move.card for one in self.played[len(self.played) // 4 * 4 :]]

    def count(self, seat: Seat) -> int:
        return sum(one.seat is seat for one in self.played)

    def copied(self) -> Told:
        """The same so far, to see what would follow."""
        return replace(
            self,
            hands=[set(hand) for hand in self.hands],
            played=list(self.played),
            tricks=list(self.tricks),
            points=list(self.points),
            announced=list(self.announced),
            shown=list(self.shown),
            baloot=list(self.baloot),
        )


def begun(record: PlayRecord) -> Told:
    """The story before its first card."""
    told = Told(record, [set(hand) for hand in record.hands])
    buyer_leads = record.ruleset.first_leader is FirstLeader.BUYER
    told.turn = record.contract.buyer if buyer_leads else record.dealer.next
    return told


def tell(told: Told, made: SeatMove, *, held: bool) -> None:
    """The story goes on with one move; `held` tells of a claim of the rest whether it did."""
    if isinstance(made.move, CardMove):
        assert made.seat is told.turn
        play_card(told, made.move)
    elif isinstance(made.move, SawaMove):
        assert made.seat is told.turn
        claim_sawa(told, made.seat, held=held)
    else:
        told.qaid = Qaid(made.seat, made.move, right=is_right(told, made.move))
        end_early(told)


def retold(record: PlayRecord, sawas: list[bool]) -> Told:
    """The whole story; `sawas` tells of each claim of the rest whether it held."""
    told, claims = begun(record), list(sawas)
    for made in record.moves:
        tell(told, made, held=isinstance(made.move, SawaMove) and claims.pop(0))
    return told


def play_card(told: Told, move: CardMove) -> None:
    seat, trick = told.turn, told.table
    lead = told.played[len(told.played) - len(trick)].move if trick else None
    unplayed = set().union(*told.hands)
    akka = lead is not None and lead.akka
    told.played.append(Played(seat, move, trick, set(told.hands[seat]), akka, unplayed))
    told.hands[seat].remove(move.card)
    told.announced += [SeatProject(seat, project) for project in move.projects]
    told.shown += [SeatProject(seat, project) for project in move.shown]
    if move.card in told.royals and told.royals <= set(told.record.hands[seat]) - told.hands[seat]:
        second_royal(told, seat, said=move.baloot)
    told.turn = seat.next
    if len(trick) == 3:
        finish_trick(told, [*trick, move.card])


def finish_trick(told: Told, trick: list[Card]) -> None:
    best = naive.winning(trick, told.trump)
    told.turn = told.played[-4:][trick.index(best)].seat
    told.tricks[told.turn.team] += 1
    told.points[told.turn.team] += sum(card_points(card, told.trump) for card in trick)
    if len(told.played) == 32:
        told.points[told.turn.team] += 10


def claim_sawa(told: Told, seat: Seat, *, held: bool) -> None:
    if held:
        told.sawa = seat
        told.tricks[seat.team] += 8 - sum(told.tricks)
        told.points[seat.team] += (130 if told.trump is None else 162) - sum(told.points)
        end_early(told)
        return
    told.refused.append(seat)
    if told.record.ruleset.sawa_penalty is SawaPenalty.QAID:
        told.qaid = Qaid(seat, QaidMove(QaidGround.WRONG_SAWA), right=False)
        end_early(told)


def outcome(told: Told) -> PlayOutcome:
    return PlayOutcome(
        (told.tricks[0], told.tricks[1]),
        (told.points[0], told.points[1]),
        tuple(counted(told)),
        tuple(told.baloot),
        told.sawa,
        told.qaid,
    )


# Projects.


def rank(told: Told, one: SeatProject) -> tuple[int, ...]:
    """What projects are compared by, the seat included."""
    ruleset, project = told.record.ruleset, one.project
    run = len({card.suit for card in project.cards}) == 1
    better_sort = run if ruleset.hundred_order is HundredOrder.RUN_FIRST else not run
    tie = ruleset.project_tie is ProjectTie.TRUMP_FIRST and run and project.cards[0].suit is told.trump
    place = (one.seat - told.record.dealer - 1) % 4
    return project.kind, better_sort, project.cards[-1].rank, tie, -place


def best_team(told: Told) -> Team | None:
    ranked = sorted(told.announced, key=lambda one: rank(told, one))
    return ranked[-1].seat.team if ranked else None


def windows(told: Told) -> list[SeatProject]:
    """The announced projects that are shown, or whose owners have a card left to show them with."""
    best = best_team(told)
    shown_by_best = any(one.seat.team is best for one in told.shown)

    def open_(one: SeatProject) -> bool:
        if one.seat.team is best:
            return told.count(one.seat) <= 1
        return told.count(one.seat) <= 2 and not shown_by_best

    return [one for one in told.announced if one in told.shown or open_(one)]


def counted(told: Told) -> list[SeatProject]:
    """What counts if the round ends now."""
    best = best_team(told)
    manual = told.record.ruleset.project_show is ProjectShow.MANUAL_SECOND_TRICK
    among = windows(told) if manual else told.announced
    return [one for one in among if one.seat.team is best] or (among if manual else [])


def showable(told: Told, seat: Seat) -> set[Project]:
    """What a seat on turn may show."""
    if told.record.ruleset.project_show is ProjectShow.AUTO or len(told.played) < 4:
        return set()
    counts = counted(told)
    if seat.team is not best_team(told) and any(one.seat.team is not seat.team for one in counts):
        return set()
    return {one.project for one in windows(told) if one.seat is seat and one not in told.shown}


# Baloot.


def second_royal(told: Told, seat: Seat, *, said: bool) -> None:
    saying = told.record.ruleset.baloot
    in_run = any(told.royals <= set(one.project.cards) and one.seat is seat for one in seen(told))
    credited = said or saying is BalootSaying.AUTO or (saying is BalootSaying.MANUAL and in_run)
    if credited and not blocked(told):
        told.baloot.append(seat)


def seen(told: Told) -> list[SeatProject]:
    """The projects that lie open."""
    if told.record.ruleset.project_show is ProjectShow.MANUAL_SECOND_TRICK:
        return told.shown
    return [one for one in counted(told) if told.count(one.seat) >= 2]


def blocked(told: Told) -> bool:
    block = told.record.ruleset.baloot_block
    if block is BalootBlock.SCORED_HUNDRED:
        manual = told.record.ruleset.project_show is ProjectShow.MANUAL_SECOND_TRICK
        projects = windows(told) if manual else counted(told)
    else:
        projects = told.announced
    return any(blocks(told, one.project) for one in projects)


def blocks(told: Told, project: Project) -> bool:
    inside = len(told.royals & set(project.cards))
    hundred = project.kind is ProjectKind.HUNDRED
    match told.record.ruleset.baloot_block:
        case BalootBlock.DECLARED_HUNDRED | BalootBlock.SCORED_HUNDRED:
            return hundred and inside > 0
        case BalootBlock.FOUR_KIND_ONLY:
            return inside > 0 and len({card.suit for card in project.cards}) == 4
        case BalootBlock.HUNDRED_OR_SPLIT:
            return (hundred and inside == 2) or inside == 1
        case BalootBlock.ANY_DECLARED:
            return inside > 0


def end_early(told: Told) -> None:
    """A Baloot of which a card is still held is credited."""
    for seat in SEATS:
        if told.royals and told.royals <= set(told.record.hands[seat]) and told.royals & told.hands[seat]:
            told.baloot += [] if blocked(told) else [seat]


# Claims.


def is_right(told: Told, claim: QaidMove) -> bool:
    at = next(n for n, one in enumerate(told.played) if one.move.card is claim.card)
    one, later = told.played[at], told.played[at + 1 :]
    own = {after.move.card for after in later if after.seat is one.seat}
    card, proof = one.move.card, claim.proof
    assert proof is not None
    if claim.ground is QaidGround.FALSE_AKKA:
        everybody = {after.move.card for after in later}
        higher = proof.suit is card.suit and naive.beats(proof, card, told.trump)
        return one.move.akka and higher and proof in everybody
    if proof not in own:
        return False
    if claim.ground is QaidGround.REVOKE:
        return bool(one.trick) and card.suit is not one.trick[0].suit and proof.suit is one.trick[0].suit
    allowed, why = duty_at(told, one)
    if card in allowed or proof not in allowed:
        return False
    if claim.ground is QaidGround.NO_TRUMP:
        void = bool(one.trick) and all(held.suit is not one.trick[0].suit for held in one.hand)
        return void and card.suit is not told.trump
    return why == {QaidGround.NO_OVER_TRUMP: "beat", QaidGround.LOCKED_LEAD: "locked"}[claim.ground]


def duty_at(told: Told, one: Played) -> tuple[set[Card], str]:
    return naive.duty(
        sorted(one.hand),
        one.trick,
        told.trump,
        locked=told.record.contract.locked,
        akka=one.akka,
        ruleset=told.record.ruleset,
    )
