"""The history service's requests and answers on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from uuid import UUID

from baloot.api.history.v1 import history_pb2 as pb
from baloot.codec.cards import decode_points, encode_points
from baloot.codec.contract import decode_contract, encode_contract
from baloot.codec.enums import PROJECT_KIND, SEAT, TEAM, EnumCodec
from baloot.codec.fields import decode_each, invalid, missing
from baloot.codec.play import decode_seat_project, encode_seat_project
from baloot.codec.score import decode_round_score, encode_round_score
from baloot.core.deal import DealEnd
from baloot.core.seats import SEATS, Seat
from baloot.history.figures import HeadToHead, Partners, Record, Statistics
from baloot.history.postgres import MAX_PAGE_SIZE, PAGE_SIZE
from baloot.history.proofs import MAX_PROOF_PAGE_SIZE, PROOF_PAGE_SIZE, Proof
from baloot.history.records import Match, MatchFilter, MatchStatus, MatchSummary, Outcome, Page, RoundHistory
from baloot.history.replays import Eyes
from baloot.history.shares import Made, Share, Wanted
from baloot.history.tokens import LATEST
from baloot.kit import checks
from baloot.table.codec import FORFEIT_REASON, decode_duration, decode_time, encode_time
from baloot.table.events import SECOND, Micros
from baloot.table.store import RawEntry
from google.protobuf.timestamp_pb2 import Timestamp

MATCH_STATUS = EnumCodec(MatchStatus, pb.MatchStatus)
ROUND_END = EnumCodec(DealEnd, pb.RoundEnd)
OUTCOME = EnumCodec(Outcome, pb.Outcome)

_MAX_ROUNDS = 10_000
_MAX_PROJECTS = 8
_MAX_SEQUENCE = (1 << 31) - 1
_DAY: Micros = 86_400 * SECOND
_SHORTEST, _LASTS, _LONGEST = 60 * SECOND, 30 * _DAY, 366 * _DAY
"""For how long a link is good at least, unless it is said, and at most."""

# ListMatches.


def encode_list_matches(chosen: MatchFilter, size: int, token: str) -> pb.ListMatchesRequest:
    return pb.ListMatchesRequest(
        page_size=size,
        page_token=token,
        status=MATCH_STATUS.encode_optional(chosen.status),
        outcome=OUTCOME.encode_optional(chosen.outcome),
        started_after=_encode_moment(chosen.started_after),
        started_before=_encode_moment(chosen.started_before),
        **{name: getattr(chosen, name) for name in _TEXTS},
    )


def decode_list_matches(request: pb.ListMatchesRequest) -> tuple[MatchFilter, int, str]:
    """Raises Refusal with the path of the field that cannot be read."""
    chosen = MatchFilter(
        status=MATCH_STATUS.decode_optional(request.status, "status"),
        outcome=OUTCOME.decode_optional(request.outcome, "outcome"),
        started_after=_decode_moment(request, "started_after"),
        started_before=_decode_moment(request, "started_before"),
        **{name: getattr(request, name) for name in _TEXTS},
    )
    return chosen, _size(request), request.page_token


_TEXTS = ("player_name", "player_id", "partner_id", "opponent_id", "ruleset_name", "event_id")


def _size(request: pb.ListMatchesRequest | pb.GetPartnersRequest) -> int:
    return request.page_size if request.HasField("page_size") else PAGE_SIZE


def _encode_moment(moment: Micros | None) -> Timestamp | None:
    return None if moment is None else encode_time(moment)


def _decode_moment(request: pb.ListMatchesRequest, path: str) -> Micros | None:
    if not request.HasField(path):  # type: ignore[arg-type]  # one of the two that are asked for
        return None
    moment = decode_time(getattr(request, path))
    if not 0 <= moment <= LATEST:
        raise invalid(path, "must be between the years 1970 and 9999")
    return moment


def encode_page(page: Page) -> pb.ListMatchesResponse:
    return pb.ListMatchesResponse(
        matches=[_encode_summary(match) for match in page.matches], next_page_token=page.next_token
    )


def decode_page(response: pb.ListMatchesResponse) -> Page:
    matches = decode_each(_decode_summary, response.matches, "matches", most=MAX_PAGE_SIZE)
    return Page(matches, response.next_page_token)


# GetMatch.


def encode_get_match(match_id: UUID) -> pb.GetMatchRequest:
    return pb.GetMatchRequest(match_id=str(match_id))


def decode_get_match(request: pb.GetMatchRequest) -> UUID:
    """Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    return checks.uuid(request.match_id, "match_id")


def encode_match(match: Match) -> pb.GetMatchResponse:
    return pb.GetMatchResponse(
        match=_encode_summary(match.summary), rounds=[_encode_round(round_) for round_ in match.rounds]
    )


def decode_match(response: pb.GetMatchResponse) -> Match:
    rounds = decode_each(_decode_round, response.rounds, "rounds", most=_MAX_ROUNDS)
    return Match(_decode_summary(response.match, "match"), rounds)


# Players.


def encode_head_to_head(told: HeadToHead) -> pb.GetHeadToHeadResponse:
    return pb.GetHeadToHeadResponse(
        as_opponents=_encode_record(told.as_opponents), as_partners=_encode_record(told.as_partners)
    )


def decode_get_partners(request: pb.GetPartnersRequest) -> tuple[str, int, str]:
    return request.player_id, _size(request), request.page_token


def encode_partners(page: Partners) -> pb.GetPartnersResponse:
    partners = [
        pb.Partner(player_id=one.player_id, player_name=one.player_name, record=_encode_record(one.record))
        for one in page.partners
    ]
    return pb.GetPartnersResponse(partners=partners, next_page_token=page.next_token)


def encode_statistics(told: Statistics) -> pb.GetPlayerStatisticsResponse:
    return pb.GetPlayerStatisticsResponse(
        record=_encode_record(told.record),
        bought=told.bought,
        bought_won=told.bought_won,
        khosara=told.khosara,
        bought_sun=told.bought_sun,
        bought_hokum=told.bought_hokum,
        raises=told.raises,
        projects=[
            pb.ProjectCount(kind=PROJECT_KIND.encode(kind), count=count) for kind, count in told.projects
        ],
    )


def _encode_record(record: Record) -> pb.Record:
    return pb.Record(
        matches=record.matches,
        wins=record.wins,
        rounds=record.rounds,
        points=record.points,
        points_against=record.points_against,
        kaboots=record.kaboots,
        kaboots_against=record.kaboots_against,
        average_margin=record.average_margin,
        last_match_id="" if record.last_match is None else str(record.last_match),
        last_start_time=_encode_moment(record.last_started_at),
    )


# Replays and links.


def decode_get_replay(request: pb.GetReplayRequest) -> tuple[UUID, int, Eyes, int]:
    """Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    match_id = checks.uuid(request.match_id, "match_id")
    if not request.number:
        raise missing("number")
    return match_id, decode_number(request.number), _decode_eyes(request), decode_up_to(request)


def decode_number(number: int) -> int:
    """The number of a deal, or 0 for none. Raises Refusal FIELD_INVALID."""
    return checks.number(number, "number", least=0, most=_MAX_ROUNDS)


def decode_up_to(request: pb.GetReplayRequest | pb.GetSharedRequest) -> int:
    """Raises Refusal FIELD_INVALID."""
    return checks.number(request.up_to_sequence, "up_to_sequence", least=0, most=2**31 - 1)


def _decode_eyes(request: pb.GetReplayRequest | pb.CreateShareRequest) -> Eyes:
    seat = SEAT.decode_optional(request.viewer, "viewer")
    if seat is not None and request.open:
        raise invalid("viewer", "must be unset beside `open`")
    return Eyes(seat, request.open)


def decode_create_share(request: pb.CreateShareRequest) -> tuple[Wanted, UUID]:
    """Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    request_id = checks.uuid(request.request_id, "request_id")
    match_id = checks.uuid(request.match_id, "match_id")
    wanted = Wanted(match_id, decode_number(request.number), _decode_eyes(request), _decode_lasts(request))
    return wanted, request_id


def _decode_lasts(request: pb.CreateShareRequest) -> Micros:
    lasts = decode_duration(request.expires_in) if request.HasField("expires_in") else _LASTS
    if not _SHORTEST <= lasts <= _LONGEST:
        raise invalid("expires_in", "must be 1 minute to 366 days")
    return lasts


def encode_made(made: Made) -> pb.CreateShareResponse:
    return pb.CreateShareResponse(token=made.token, share=encode_share(made.share))


def encode_shares(shares: Iterable[Share]) -> pb.ListSharesResponse:
    return pb.ListSharesResponse(shares=map(encode_share, shares))


def encode_share(share: Share) -> pb.Share:
    return pb.Share(
        share_id=str(share.share_id),
        match_id=str(share.match_id),
        number=share.number,
        viewer=SEAT.encode_optional(share.eyes.seat),
        open=share.eyes.open,
        create_time=encode_time(share.created_at),
        expire_time=encode_time(share.expires_at),
    )


def encode_shared(share: Share, match: Match) -> pb.GetSharedResponse:
    """What a link leads to, without the replay."""
    rounds = [round_ for round_ in match.rounds if share.number in (0, round_.number)]
    return pb.GetSharedResponse(
        share=encode_share(share),
        match=_encode_summary(match.summary),
        rounds=map(_encode_round, rounds),
    )


# Their parts.


def _encode_summary(match: MatchSummary) -> pb.MatchSummary:
    return pb.MatchSummary(
        match_id=str(match.match_id),
        status=MATCH_STATUS.encode(match.status),
        ruleset_name=match.ruleset_name,
        ruleset_hash=match.ruleset_hash,
        seats=[
            pb.MatchSeat(seat=SEAT.encode(seat), player_name=name, player_id=player_id)
            for seat, name, player_id in zip(SEATS, match.players, match.player_ids, strict=True)
        ],
        scores=encode_points(match.scores),
        winner=TEAM.encode_optional(match.winner),
        rounds=match.rounds,
        start_time=encode_time(match.started_at),
        end_time=None if match.ended_at is None else encode_time(match.ended_at),
        forfeit_reason=FORFEIT_REASON.encode_optional(match.forfeit),
        event_id=match.event_id,
        rematch_of="" if match.rematch_of is None else str(match.rematch_of),
        imported=match.imported,
    )


def _decode_summary(message: pb.MatchSummary, path: str) -> MatchSummary:
    seats = _decode_seats(message, path)
    return MatchSummary(
        match_id=checks.uuid(message.match_id, f"{path}.match_id"),
        status=MATCH_STATUS.decode(message.status, f"{path}.status"),
        ruleset_name=message.ruleset_name,
        ruleset_hash=message.ruleset_hash,
        players=_four(seats[seat].player_name for seat in SEATS),
        started_at=decode_time(message.start_time),
        scores=decode_points(message.scores),
        rounds=message.rounds,
        winner=TEAM.decode_optional(message.winner, f"{path}.winner"),
        ended_at=decode_time(message.end_time) if message.HasField("end_time") else None,
        forfeit=FORFEIT_REASON.decode_optional(message.forfeit_reason, f"{path}.forfeit_reason"),
        player_ids=_four(seats[seat].player_id for seat in SEATS),
        event_id=message.event_id,
        rematch_of=checks.uuid(message.rematch_of, f"{path}.rematch_of") if message.rematch_of else None,
        imported=message.imported,
    )


def _decode_seats(message: pb.MatchSummary, path: str) -> dict[Seat, pb.MatchSeat]:
    seats = {SEAT.decode(seat.seat, f"{path}.seats[{n}].seat"): seat for n, seat in enumerate(message.seats)}
    if len(seats) != len(SEATS):
        raise invalid(f"{path}.seats", "must be the four seats")
    return seats


def _four(texts: Iterable[str]) -> tuple[str, str, str, str]:
    south, east, north, west = texts
    return south, east, north, west


def _encode_round(round_: RoundHistory) -> pb.RoundHistory:
    return pb.RoundHistory(
        number=round_.number,
        dealer=SEAT.encode(round_.dealer),
        end=ROUND_END.encode(round_.end),
        contract=None if round_.contract is None else encode_contract(round_.contract),
        projects=[encode_seat_project(owned) for owned in round_.projects],
        score=None if round_.score is None else encode_round_score(round_.score),
        kawesh=SEAT.encode_optional(round_.kawesh),
        end_time=encode_time(round_.ended_at),
    )


def _decode_round(message: pb.RoundHistory, path: str) -> RoundHistory:
    has = message.HasField
    return RoundHistory(
        number=message.number,
        dealer=SEAT.decode(message.dealer, f"{path}.dealer"),
        end=ROUND_END.decode(message.end, f"{path}.end"),
        ended_at=decode_time(message.end_time),
        contract=decode_contract(message.contract, f"{path}.contract") if has("contract") else None,
        projects=decode_each(decode_seat_project, message.projects, f"{path}.projects", most=_MAX_PROJECTS),
        score=decode_round_score(message.score, f"{path}.score") if has("score") else None,
        kawesh=SEAT.decode_optional(message.kawesh, f"{path}.kawesh"),
    )


# GetProof.


def encode_get_proof(match_id: UUID, after: int, size: int) -> pb.GetProofRequest:
    return pb.GetProofRequest(match_id=str(match_id), after_sequence=after, page_size=size)


def decode_get_proof(request: pb.GetProofRequest) -> tuple[UUID, int, int]:
    """Raises Refusal with the path of the field that cannot be read."""
    after = checks.number(request.after_sequence, "after_sequence", least=0, most=_MAX_SEQUENCE)
    size = request.page_size if request.HasField("page_size") else PROOF_PAGE_SIZE
    checks.number(size, "page_size", least=1, most=MAX_PROOF_PAGE_SIZE)
    return checks.uuid(request.match_id, "match_id"), after, size


def encode_proof(proof: Proof) -> pb.GetProofResponse:
    return pb.GetProofResponse(entries=map(_encode_raw, proof.entries), complete=proof.complete)


def _encode_raw(entry: RawEntry) -> pb.LogEntry:
    return pb.LogEntry(
        sequence=entry.sequence,
        accepted_micros=entry.at,
        actor=SEAT.encode_optional(entry.actor),
        by_default=entry.by_default,
        payload=entry.payload,
        secret_hash=sha256(entry.secret).digest(),
        chain=entry.chain,
    )
