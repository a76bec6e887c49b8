"""What must hold of a match when it is over, whatever happened on the way. Every check returns what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from baloot.api.core.v1.cards_pb2 import Card as CardNumber
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_FINISHED,
    ROUND_END_KAWESH,
    ROUND_END_SCORED,
    ROUND_END_THROWN_IN,
    GetMatchResponse,
    MatchSeat,
    MatchSummary,
    RoundEnd,
    RoundHistory,
)
from baloot.app.rules import local_rules
from baloot.codec.cards import encode_points
from baloot.codec.contract import encode_contract
from baloot.codec.enums import CARD, SEAT, TEAM
from baloot.codec.play import encode_seat_project
from baloot.codec.score import encode_round_score
from baloot.core.auction import PASS, Call
from baloot.core.cards import Card
from baloot.core.play import Move, SawaMove
from baloot.core.seats import TEAMS, Seat
from baloot.table import events as ev
from baloot.table.codec import encode_entry, encode_table, encode_time
from baloot.table.decide import act
from baloot.table.events import Entry, Event, PresenceChanged, SeedsRevealed, Status
from baloot.table.evolve import evolve, fold
from baloot.table.state import TableState
from baloot.table.views import see, see_entry
from google.protobuf.message import Message

from tests.e2e.players import Match, Witness, as_bytes

RULES = local_rules(bytes(32))


async def broken(entries: Sequence[Entry], match: Match, status: Status = Status.FINISHED) -> list[str]:
    """Everything that is wrong with a match that has ended with this status, by its log."""
    problems = [
        *broken_log(entries, status),
        *broken_promises(entries, match.acknowledged()),
        *broken_scores(entries),
        *broken_presence(entries),
        *await broken_rules(entries),
    ]
    for witness in match.witnesses:
        problems += [*broken_witness(entries, witness), *broken_secrecy(entries, witness)]
    return problems


def broken_log(entries: Sequence[Entry], status: Status) -> Iterator[str]:
    """Numbered without gaps, no request done twice, and ended as it should."""
    if [entry.sequence for entry in entries] != list(range(1, len(entries) + 1)):
        yield "the log has gaps"
    twice = [key for key, count in Counter(entry.request_id for entry in entries).items() if count > 1]
    if twice:
        yield f"requests were done twice: {twice}"
    state = fold(entries)
    if state is None or state.status is not status:
        yield f"the match is {state.status if state else None}"
    if any(entry.by_default for entry in entries):
        yield "the table had to act for a seat"


def broken_promises(entries: Sequence[Entry], acknowledged: Mapping[UUID, int]) -> Iterator[str]:
    """Every request that was acknowledged is the entry that it was said to be."""
    kept = {entry.request_id: entry.sequence for entry in entries}
    for request_id, sequence in acknowledged.items():
        if kept.get(request_id) != sequence:
            yield f"{request_id} was acknowledged as {sequence}, and is {kept.get(request_id)}"


def broken_presence(entries: Sequence[Entry]) -> Iterator[str]:
    """Who comes and goes changes no question, no clock and no deadline."""
    for before, entry in pairwise(entries):
        if not any(isinstance(event, PresenceChanged) for event in entry.events):
            continue
        same = (entry.questions, entry.deadline) == (before.questions, before.deadline)
        if not same or entry.actor is not None or entry.by_default or entry.time_used:
            yield f"entry {entry.sequence} tells who is connected and changes the game"


def broken_scores(entries: Sequence[Entry]) -> Iterator[str]:
    """The lines of a sheet add up to what a team writes, and that to its total, up to the end of the match."""
    totals = (0, 0)
    for event in events_of(entries, ev.RoundScored):
        score = event.score
        lines = tuple(sum(line.game_points for line in score.lines if line.team is team) for team in TEAMS)
        if lines != score.game_points:
            yield f"the lines of a sheet sum to {lines}, not to {score.game_points}"
        totals = totals[0] + score.game_points[0], totals[1] + score.game_points[1]
        if totals != score.totals:
            yield f"the sheets sum to {totals}, not to {score.totals}"
    ends = list(events_of(entries, ev.MatchEnded))
    (created,) = events_of(entries, ev.TableCreated)
    target = created.settings.ruleset.match_target
    if len(ends) > 1:
        yield "the match ended twice"
    if ends and (ends[0].totals != totals or totals[ends[0].winner] < max(target, *totals)):
        yield f"the match ended at {totals} with {ends}"


async def broken_rules(entries: Sequence[Entry]) -> list[str]:
    """Deciding every action once more, in this process, gives the facts and questions of the log.

    What seeds are revealed besides is for the verifiers to judge.
    """
    problems: list[str] = []
    state: TableState | None = None
    for entry in entries:
        action = action_of(entry)
        if state is not None and action is not None and entry.actor is not None:
            decision = await act(RULES, state, entry.actor, action)
            asked = tuple(open_.question for open_ in entry.questions)
            facts = tuple(event for event in entry.events if not isinstance(event, SeedsRevealed))
            if (decision.events, decision.questions) != (facts, asked):
                problems.append(f"entry {entry.sequence} is not what the rules say")
        state = evolve(state, entry)
    return problems


def action_of(entry: Entry) -> Call | Move | None:
    """What its seat did, if it is an action; cutting the deck is not, since it takes the key of the deals."""
    match entry.events[0]:
        case ev.CallMade(_, call) | ev.AnswerGiven(_, call):
            return call
        case ev.CardPlayed(_, move, _):
            return move
        case ev.SawaClaimed():
            return SawaMove()
        case ev.QaidClaimed(qaid):
            return qaid.claim
        case ev.RoundAccepted():
            return PASS
    return None


def broken_witness(entries: Sequence[Entry], witness: Witness) -> Iterator[str]:
    """It was told every entry as its viewer may see it, in order, once, and held the right view all the time."""
    viewer = SEAT.decode_optional(witness.viewer, "seat")
    expected = [encode_entry(see_entry(entry, viewer)) for entry in entries]
    if witness.told != expected:
        yield f"viewer {viewer} was told {[entry.sequence for entry in witness.told]} of {len(entries)}"
    state: TableState | None = None
    for entry in entries:
        state = evolve(state, entry)
        if witness.views.get(entry.sequence) != as_bytes(encode_table(see(state, viewer))):
            yield f"viewer {viewer} had another view after entry {entry.sequence}"
            return


def broken_secrecy(entries: Sequence[Entry], witness: Witness) -> Iterator[str]:
    """Nobody is told a card before it lies open, but those in its own hand; nor a seed, nor what tokens are known by."""
    viewer = SEAT.decode_optional(witness.viewer, "seat")
    open_cards: set[Card] = set()
    own: set[Card] = set()
    for entry, told in zip(entries, witness.told, strict=False):
        for event in entry.events:
            if isinstance(event, ev.RoundDealt):
                open_cards = {event.deck.up_card}
            own = hand_after(event, viewer, own)
            open_cards |= laid_open(event)
        hidden = set(cards_in(told)) - open_cards - own
        if hidden:
            yield f"viewer {viewer} was told {sorted(hidden)} in entry {entry.sequence}"
    everything = b"".join(entry.SerializeToString() for entry in witness.told)
    if any(secret in everything for secret in secrets_in(entries)):
        yield f"viewer {viewer} was told a secret"


def hand_after(event: Event, viewer: Seat | None, before: set[Card]) -> set[Card]:
    """The cards that the viewer was dealt in this round so far."""
    if viewer is None:
        return set()
    if isinstance(event, ev.RoundDealt):
        return set(event.deck.first_hands(event.dealer)[viewer])
    return set(event.hands[viewer]) if isinstance(event, ev.PlayStarted | ev.HandsCompleted) else before


def secrets_in(entries: Sequence[Entry]) -> Iterator[bytes]:
    """The sealed seeds, the hashes of the tokens, and the ids of processes."""
    for event in events_of(entries, ev.RoundDealt):
        yield event.sealed_seed.sealed
    for event in events_of(entries, ev.SeatTaken):
        yield event.token_hash
    for event in events_of(entries, PresenceChanged):
        yield event.owner


def laid_open(event: Event) -> set[Card]:
    """The cards that everybody sees from this event on."""
    match event:
        case ev.CardPlayed(_, move, _):
            return {move.card}
        case ev.ProjectsShown(projects):
            return {card for owned in projects for card in owned.project.cards}
        case ev.DealVoid(_, _, hands):
            return {card for hand in hands for card in hand}
        case ev.SawaClaimed(cards=cards):
            return set(cards)
    return set()


def cards_in(message: Message) -> Iterator[Card]:
    """Every card that a message names, wherever."""
    for field, value in message.ListFields():
        values: Iterable[Any] = value if field.is_repeated else (value,)
        if field.message_type is not None:
            for inner in values:
                yield from cards_in(inner)
        elif field.enum_type is not None and field.enum_type.full_name == CardNumber.DESCRIPTOR.full_name:
            yield from (CARD.decode(number, field.name) for number in values)


def broken_history(entries: Sequence[Entry], told: GetMatchResponse) -> Iterator[str]:
    """History tells the match and every round of it exactly as the log does."""
    state = fold(entries)
    assert state is not None
    rounds = list(rounds_in(entries))
    if len(told.rounds) != len(rounds):
        yield f"history tells {len(told.rounds)} rounds of {len(rounds)}"
    for said, round_ in zip(told.rounds, rounds, strict=False):
        if said != round_:
            yield f"history tells round {round_.number} otherwise: {differing(said, round_)}"
    started = next(entry.at for entry in entries if isinstance(entry.events[-1], ev.MatchStarted))
    expected = MatchSummary(
        match_id=str(state.table_id),
        status=MATCH_STATUS_FINISHED,
        ruleset_name=state.settings.ruleset.name,
        ruleset_hash=state.settings.ruleset.hash,
        seats=[
            MatchSeat(seat=SEAT.encode(seat), player_name=player.name if player else "")
            for seat, player in zip(Seat, state.seats, strict=True)
        ],
        scores=encode_points(state.scores),
        winner=TEAM.encode_optional(state.winner),
        rounds=len(rounds),
        start_time=encode_time(started),
        end_time=encode_time(entries[-1].at),
    )
    if told.match != expected:
        yield f"history tells another match: {told.match}"


def differing(one: Message, other: Message) -> dict[str, tuple[str, str]]:
    """The fields in which two messages of a kind differ, as they print."""
    names = [field.name for field in one.DESCRIPTOR.fields]
    pairs = {name: (str(getattr(one, name)), str(getattr(other, name))) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def rounds_in(entries: Sequence[Entry]) -> Iterator[RoundHistory]:
    """The finished rounds of a log, as history should tell them."""
    round_ = RoundHistory()
    for entry in entries:
        for event in entry.events:
            match event:
                case ev.RoundDealt(dealer, dealt, _):
                    round_ = RoundHistory(number=dealt.number, dealer=SEAT.encode(dealer))
                case ev.PlayStarted(contract, _, _):
                    round_.contract.CopyFrom(encode_contract(contract))
                case ev.ProjectsShown(projects):
                    round_.projects.extend(encode_seat_project(owned) for owned in projects)
                case ev.RoundScored(score):
                    round_.score.CopyFrom(encode_round_score(score))
                    yield ended(round_, ROUND_END_SCORED, entry)
                case ev.DealVoid(_, None, _):
                    yield ended(round_, ROUND_END_THROWN_IN, entry)
                case ev.DealVoid(_, Seat() as kawesh, _):
                    round_.kawesh = SEAT.encode(kawesh)
                    yield ended(round_, ROUND_END_KAWESH, entry)


def ended(round_: RoundHistory, end: RoundEnd.ValueType, entry: Entry) -> RoundHistory:
    round_.end = end
    round_.end_time.CopyFrom(encode_time(entry.at))
    return round_


def events_of(entries: Sequence[Entry], kind: type[Any]) -> Iterator[Any]:
    return (event for entry in entries for event in entry.events if isinstance(event, kind))
