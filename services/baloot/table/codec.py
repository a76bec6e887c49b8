"""A table on the wire: what a viewer sees, as messages. Only the types that `views` lets out can be encoded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from baloot.api.core.v1 import play_pb2
from baloot.api.table.v1 import events_pb2 as pb
from baloot.api.table.v1 import table_pb2
from baloot.codec.auction import encode_asked, encode_call, encode_seat_call
from baloot.codec.cards import encode_cards, encode_hand, encode_points, encode_seats
from baloot.codec.contract import encode_contract
from baloot.codec.enums import CARD, CUT_CHOICE, PROJECT_KIND, QUESTION_KIND, SEAT, TEAM, EnumCodec
from baloot.codec.play import encode_play_asked, encode_qaid, encode_seat_project, encode_trick
from baloot.codec.ruleset import encode_ruleset
from baloot.codec.score import encode_round_score
from baloot.core.auction import Asked, QuestionKind
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table import views
from baloot.table.deal_codec import DEAL_EVENTS
from baloot.table.events import SECOND, Micros, OpenQuestion, Settings, Status, TimeControl, TimeUsed
from baloot.table.policy import AbsencePolicy, ForfeitReason, LeavePolicy
from baloot.table.presence import Presence
from baloot.table.state import Phase
from baloot.table.timing import told_deadline
from baloot.table.views import Seen, SeenEntry, SeenProject, SeenRound, SeenTable
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

STATUS = {status: table_pb2.TableStatus.Value(f"TABLE_STATUS_{status.name}") for status in Status}
PHASE = {phase: table_pb2.RoundPhase.Value(f"ROUND_PHASE_{phase.name}") for phase in Phase}
ABANDON_REASON = {
    reason: pb.AbandonReason.Value(f"ABANDON_REASON_{reason.name}") for reason in ev.AbandonReason
}
PRESENCE = {presence: pb.Presence.Value(f"PRESENCE_{presence.name}") for presence in Presence}

FORFEIT_REASON = EnumCodec(ForfeitReason, pb.ForfeitReason)
LEAVE_POLICY = EnumCodec(LeavePolicy, pb.LeavePolicy)


def encode_time(moment: Micros) -> Timestamp:
    return Timestamp(seconds=moment // SECOND, nanos=moment % SECOND * 1000)


def encode_duration(length: Micros) -> Duration:
    return Duration(seconds=length // SECOND, nanos=length % SECOND * 1000)


def encode_settings(settings: Settings) -> pb.TableSettings:
    return pb.TableSettings(
        ruleset=encode_ruleset(settings.ruleset),
        ruleset_hash=settings.ruleset.hash,
        action_timeout=encode_duration(settings.action_timeout),
        round_pause=encode_duration(settings.round_pause),
        fill_timeout=encode_duration(settings.fill_timeout),
        rematch_of="" if settings.rematch_of is None else str(settings.rematch_of),
        lost_before=TEAM.encode_optional(settings.lost_before),
        time_control=None if settings.time_control is None else encode_control(settings.time_control),
        absence=None if settings.absence is None else encode_absence(settings.absence),
        spectator_delay=encode_duration(settings.spectator_delay) if settings.spectator_delay else None,
        event_id=settings.event_id,
        beacon=settings.beacon,
        beacon_time=None if settings.beacon_time is None else encode_time(settings.beacon_time),
    )


def encode_absence(policy: AbsencePolicy) -> pb.AbsencePolicy:
    return pb.AbsencePolicy(
        bot_after=policy.bot_after,
        leaving=LEAVE_POLICY.encode(policy.leaving),
        forfeit_after=policy.forfeit_after,
        walkover=policy.walkover,
    )


def decode_absence(message: pb.AbsencePolicy) -> AbsencePolicy:
    """What happens when a player is away, as the settings of a table tell it. Raises Refusal FIELD_INVALID."""
    leaving = LEAVE_POLICY.decode_optional(message.leaving, "absence.leaving") or LeavePolicy.ABANDON
    return AbsencePolicy(message.bot_after, leaving, message.forfeit_after, message.walkover)


def encode_control(control: TimeControl) -> pb.TimeControl:
    return pb.TimeControl(
        call_time=encode_duration(control.call_time),
        card_time=encode_duration(control.card_time),
        bank=encode_duration(control.bank) if control.bank else None,
        network_allowance=encode_duration(control.network_allowance),
    )


def decode_control(message: pb.TimeControl) -> TimeControl:
    """The time control of a table as its settings tell it."""
    times = (message.call_time, message.card_time, message.bank, message.network_allowance)
    return TimeControl(*map(decode_duration, times))


def encode_event(event: Seen) -> pb.TableEvent:
    """One fact, as the viewer sees it."""
    name, encode = _EVENTS[type(event)]
    return pb.TableEvent(**{name: encode(event)})


def encode_entry(seen: SeenEntry) -> pb.TableEntry:
    """One entry, as the viewer sees it."""
    entry = seen.entry
    return pb.TableEntry(
        sequence=entry.sequence,
        time=encode_time(entry.at),
        actor=SEAT.encode_optional(entry.actor),
        by_default=entry.by_default,
        events=[encode_event(event) for event in seen.events],
        asked=[encode_public(open_) for open_ in seen.asked],
        deadline=_moment(told_deadline(entry.questions, entry.deadline)),
        question=None if seen.question is None else encode_question(seen.question),
        received=_moment(entry.received),
        time_used=[encode_used(used) for used in entry.time_used],
    )


def encode_public(open_: OpenQuestion) -> pb.Asked:
    """That somebody is asked something, and until when."""
    asked = encode_who(open_.seat, open_.kind)
    if open_.clock is not None:
        asked.own_until.CopyFrom(encode_time(open_.clock.own_until))
        asked.deadline.CopyFrom(encode_time(open_.clock.deadline))
    return asked


def encode_who(seat: Seat, kind: QuestionKind) -> pb.Asked:
    """That somebody is asked something, without a clock."""
    return pb.Asked(seat=SEAT.encode(seat), kind=QUESTION_KIND.encode(kind))


def encode_used(used: TimeUsed) -> pb.TimeUsed:
    return pb.TimeUsed(
        seat=SEAT.encode(used.seat),
        used=encode_duration(used.used),
        bank=encode_duration(used.bank),
    )


def encode_banks(settings: Settings, banks: tuple[Micros, ...]) -> list[Duration]:
    """What the seats have in their banks; none where the table has none."""
    return [encode_duration(bank) for bank in banks] if settings.control.bank else []


def _moment(moment: Micros | None) -> Timestamp | None:
    return None if moment is None else encode_time(moment)


def encode_question(open_: OpenQuestion) -> pb.Question:
    """A question with everything it offers: for its own seat only."""
    question = open_.question
    if isinstance(question, Asked):
        return pb.Question(asked_at=open_.asked_at, call=encode_asked(question))
    return pb.Question(asked_at=open_.asked_at, play=encode_play_asked(question))


def encode_table(seen: SeenTable) -> table_pb2.TableView:
    """A whole table, as the viewer sees it."""
    return table_pb2.TableView(
        table_id=str(seen.table_id),
        sequence=seen.sequence,
        status=STATUS[seen.status],
        settings=encode_settings(seen.settings),
        seats=_seats(seen),
        viewer=SEAT.encode_optional(seen.viewer),
        scores=encode_points(seen.scores),
        round=None if seen.round is None else _round(seen.round),
        asked=[encode_public(open_) for open_ in seen.asked],
        deadline=_moment(seen.deadline),
        question=None if seen.question is None else encode_question(seen.question),
        winner=TEAM.encode_optional(seen.winner),
        abandon_reason=ABANDON_REASON[seen.abandoned] if seen.abandoned else pb.ABANDON_REASON_UNSPECIFIED,
        forfeit_reason=FORFEIT_REASON.encode_optional(seen.forfeited),
        committed=seen.committed,
        beacon=seen.beacon,
    )


def _seats(seen: SeenTable) -> list[table_pb2.SeatView]:
    banks: list[Duration | None] = [*encode_banks(seen.settings, seen.banks)] or [None] * len(SEATS)
    return [
        table_pb2.SeatView(
            seat=SEAT.encode(seat),
            taken=name is not None,
            player_name=name or "",
            bank=bank,
            bot_plays=seat in seen.bots,
            missed=seen.missed[seat],
            presence=PRESENCE[presence] if presence else pb.PRESENCE_UNSPECIFIED,
            player_id=player_id,
            seed=seed,
        )
        for seat, name, bank, presence, player_id, seed in zip(
            SEATS, seen.names, banks, seen.presence, seen.player_ids, seen.seeds, strict=True
        )
    ]


def _round(seen: SeenRound | views.SeenPending) -> table_pb2.RoundView:
    if isinstance(seen, views.SeenPending):
        return table_pb2.RoundView(
            number=seen.opening.number,
            phase=PHASE[Phase.CUT],
            dealer=SEAT.encode(seen.opening.dealer),
            commitment=seen.opening.commitment,
            seed=seen.seed,
        )
    return table_pb2.RoundView(
        number=seen.number,
        phase=PHASE[seen.phase],
        dealer=SEAT.encode(seen.dealer),
        up_card=CARD.encode(seen.up_card),
        hand=encode_cards(seen.hand),
        calls=[encode_seat_call(call) for call in seen.calls],
        answered=encode_seats(seen.answered),
        own_answer=None if seen.own_answer is None else encode_call(seen.own_answer),
        contract=None if seen.contract is None else encode_contract(seen.contract),
        tricks=[encode_trick(trick) for trick in seen.tricks],
        trick=[
            table_pb2.PlayedCard(seat=SEAT.encode(card.seat), card=CARD.encode(card.card), akka=card.akka)
            for card in seen.trick
        ],
        announced=[
            table_pb2.AnnouncedProjects(seat=SEAT.encode(seat), projects=_projects(projects))
            for seat, projects in seen.announced
        ],
        projects_team=TEAM.encode_optional(seen.projects_team),
        shown=[encode_seat_project(project) for project in seen.shown],
        baloot=encode_seats(seen.baloot),
        sawa=[_sawa(claim) for claim in seen.sawa],
        score=None if seen.score is None else encode_round_score(seen.score),
        open_hands=[encode_hand(hand) for hand in seen.open_hands],
        kawesh=SEAT.encode_optional(seen.kawesh),
        commitment=seen.commitment,
        deck_root=seen.deck_root,
        cut=CUT_CHOICE.encode_optional(seen.cut),
        accepted=encode_seats(seen.accepted),
        qaid=None if seen.qaid is None else encode_qaid(seen.qaid),
        akka=encode_cards(seen.akka),
        seed=seen.seed,
    )


def _projects(projects: tuple[SeenProject, ...]) -> list[play_pb2.Project]:
    return [
        play_pb2.Project(kind=PROJECT_KIND.encode(project.kind), cards=encode_cards(project.cards))
        for project in projects
    ]


def _seat_taken(event: views.SeenSeatTaken) -> pb.SeatTaken:
    return pb.SeatTaken(
        seat=SEAT.encode(event.seat),
        player_name=event.player_name,
        player_id=event.player_id,
        seed=event.seed,
    )


def _presence(event: views.SeenPresence) -> pb.PresenceChanged:
    return pb.PresenceChanged(seat=SEAT.encode(event.seat), presence=PRESENCE[event.presence])


def _dealt(event: views.SeenDeal) -> pb.Dealt:
    return pb.Dealt(
        number=event.number,
        dealer=SEAT.encode(event.dealer),
        up_card=CARD.encode(event.up_card),
        hand=encode_cards(event.hand),
        commitment=event.commitment,
        deck_root=event.deck_root,
        cut=CUT_CHOICE.encode_optional(event.cut),
    )


def _opened(event: views.SeenOpening) -> pb.RoundOpened:
    return pb.RoundOpened(number=event.number, dealer=SEAT.encode(event.dealer), commitment=event.commitment)


def _call_made(event: ev.CallMade) -> pb.CallMade:
    return pb.CallMade(seat=SEAT.encode(event.seat), call=encode_call(event.call))


def _answer(event: views.SeenAnswer) -> pb.AnswerGiven:
    return pb.AnswerGiven(
        seat=SEAT.encode(event.seat), call=None if event.call is None else encode_call(event.call)
    )


def _answers_opened(event: ev.AnswersOpened) -> pb.AnswersOpened:
    return pb.AnswersOpened(answers=[encode_seat_call(answer) for answer in event.answers])


def _void(event: ev.DealVoid) -> pb.DealVoid:
    return pb.DealVoid(
        kawesh=SEAT.encode_optional(event.kawesh), hands=[encode_hand(hand) for hand in event.hands]
    )


def _play_started(event: views.SeenPlayStarted) -> pb.PlayStarted:
    return pb.PlayStarted(
        contract=encode_contract(event.contract),
        leader=SEAT.encode(event.leader),
        hand=encode_cards(event.hand),
    )


def _card(event: views.SeenCard) -> pb.CardPlayed:
    return pb.CardPlayed(
        seat=SEAT.encode(event.seat),
        card=CARD.encode(event.card),
        projects=_projects(event.projects),
        akka=event.akka,
        baloot=event.baloot,
    )


def _sawa(event: ev.SawaClaimed) -> pb.SawaClaimed:
    return pb.SawaClaimed(
        seat=SEAT.encode(event.seat),
        held=event.held,
        cards=encode_cards(event.cards),
        baloot=SEAT.encode_optional(event.baloot),
    )


def _match_ended(event: ev.MatchEnded) -> pb.MatchEnded:
    return pb.MatchEnded(winner=TEAM.encode(event.winner), totals=encode_points(event.totals))


def _forfeited(event: ev.MatchForfeited) -> pb.MatchForfeited:
    return pb.MatchForfeited(
        loser=TEAM.encode(event.loser),
        winner=TEAM.encode(event.winner),
        reason=FORFEIT_REASON.encode(event.reason),
    )


_EVENTS: dict[type[Seen], tuple[str, Callable[[Any], Any]]] = {
    ev.TableCreated: (
        "table_created",
        lambda event: pb.TableCreated(settings=encode_settings(event.settings)),
    ),
    views.SeenSeatTaken: ("seat_taken", _seat_taken),
    ev.SeatLeft: ("seat_left", lambda event: pb.SeatLeft(seat=SEAT.encode(event.seat))),
    ev.BotSeated: ("bot_seated", lambda event: pb.BotSeated(seat=SEAT.encode(event.seat))),
    ev.PlayerReturned: ("player_returned", lambda event: pb.PlayerReturned(seat=SEAT.encode(event.seat))),
    ev.MatchForfeited: ("match_forfeited", _forfeited),
    views.SeenPresence: ("presence_changed", _presence),
    ev.MatchStarted: ("match_started", lambda _event: pb.MatchStarted()),
    views.SeenOpening: ("round_opened", _opened),
    views.SeenDeal: ("dealt", _dealt),
    ev.CallMade: ("call_made", _call_made),
    views.SeenAnswer: ("answer_given", _answer),
    ev.AnswersOpened: ("answers_opened", _answers_opened),
    ev.Bought: ("bought", lambda event: pb.Bought(contract=encode_contract(event.contract))),
    ev.DealVoid: ("deal_void", _void),
    views.SeenHands: (
        "hands_completed",
        lambda event: pb.HandsCompleted(hand=encode_cards(event.hand)),
    ),
    ev.AskedAgain: ("asked_again", lambda event: pb.AskedAgain(seat=SEAT.encode(event.seat))),
    views.SeenPlayStarted: ("play_started", _play_started),
    views.SeenCard: ("card_played", _card),
    ev.TrickWon: ("trick_won", lambda event: pb.TrickWon(trick=encode_trick(event.trick))),
    ev.ProjectsDecided: ("projects_decided", lambda event: pb.ProjectsDecided(team=TEAM.encode(event.team))),
    ev.ProjectsShown: (
        "projects_shown",
        lambda event: pb.ProjectsShown(projects=[encode_seat_project(owned) for owned in event.projects]),
    ),
    ev.SawaClaimed: ("sawa_claimed", _sawa),
    ev.ClockExtended: ("clock_extended", lambda _event: pb.ClockExtended()),
    ev.RoundAccepted: ("round_accepted", lambda event: pb.RoundAccepted(seat=SEAT.encode(event.seat))),
    ev.QaidClaimed: ("qaid_claimed", lambda event: pb.QaidClaimed(qaid=encode_qaid(event.qaid))),
    ev.RoundScored: ("round_scored", lambda event: pb.RoundScored(score=encode_round_score(event.score))),
    ev.MatchEnded: ("match_ended", _match_ended),
    ev.TableAbandoned: (
        "table_abandoned",
        lambda event: pb.TableAbandoned(reason=ABANDON_REASON[event.reason]),
    ),
    **DEAL_EVENTS,
}
"""For each thing that can be seen, its field in a `TableEvent` and how it is written there."""


def decode_time(moment: Timestamp) -> Micros:
    return moment.seconds * SECOND + moment.nanos // 1000


def decode_duration(length: Duration) -> Micros:
    return length.seconds * SECOND + length.nanos // 1000


def readable(moment: Micros) -> str:
    """A moment for people: `2026-01-31 20:15:00.123`."""
    return datetime.fromtimestamp(moment / SECOND, tz=UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
