"""The history service's requests and answers on the wire."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

from baloot.api.history.v1 import history_pb2 as pb
from baloot.codec.cards import decode_points, encode_points
from baloot.codec.contract import decode_contract, encode_contract
from baloot.codec.enums import SEAT, TEAM, EnumCodec
from baloot.codec.fields import decode_each, invalid
from baloot.codec.play import decode_seat_project, encode_seat_project
from baloot.codec.score import decode_round_score, encode_round_score
from baloot.core.deal import DealEnd
from baloot.core.seats import SEATS
from baloot.history.postgres import MAX_PAGE_SIZE, PAGE_SIZE
from baloot.history.proofs import MAX_PROOF_PAGE_SIZE, PROOF_PAGE_SIZE, Proof
from baloot.history.records import Match, MatchFilter, MatchStatus, MatchSummary, Page, RoundHistory
from baloot.kit import checks
from baloot.table.codec import FORFEIT_REASON, decode_time, encode_time
from baloot.table.store import RawEntry

MATCH_STATUS = EnumCodec(MatchStatus, pb.MatchStatus)
ROUND_END = EnumCodec(DealEnd, pb.RoundEnd)

_MAX_ROUNDS = 10_000
_MAX_PROJECTS = 8
_MAX_SEQUENCE = (1 << 31) - 1

# ListMatches.


def encode_list_matches(chosen: MatchFilter, size: int, token: str) -> pb.ListMatchesRequest:
    return pb.ListMatchesRequest(
        page_size=size,
        page_token=token,
        status=MATCH_STATUS.encode_optional(chosen.status),
        player_name=chosen.player_name,
    )


def decode_list_matches(request: pb.ListMatchesRequest) -> tuple[MatchFilter, int, str]:
    """Raises Refusal with the path of the field that cannot be read."""
    chosen = MatchFilter(MATCH_STATUS.decode_optional(request.status, "status"), request.player_name)
    size = request.page_size if request.HasField("page_size") else PAGE_SIZE
    return chosen, size, request.page_token


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


# Their parts.


def _encode_summary(match: MatchSummary) -> pb.MatchSummary:
    return pb.MatchSummary(
        match_id=str(match.match_id),
        status=MATCH_STATUS.encode(match.status),
        ruleset_name=match.ruleset_name,
        ruleset_hash=match.ruleset_hash,
        seats=[
            pb.MatchSeat(seat=SEAT.encode(seat), player_name=name)
            for seat, name in zip(SEATS, match.players, strict=True)
        ],
        scores=encode_points(match.scores),
        winner=TEAM.encode_optional(match.winner),
        rounds=match.rounds,
        start_time=encode_time(match.started_at),
        end_time=None if match.ended_at is None else encode_time(match.ended_at),
        forfeit_reason=FORFEIT_REASON.encode_optional(match.forfeit),
    )


def _decode_summary(message: pb.MatchSummary, path: str) -> MatchSummary:
    return MatchSummary(
        match_id=checks.uuid(message.match_id, f"{path}.match_id"),
        status=MATCH_STATUS.decode(message.status, f"{path}.status"),
        ruleset_name=message.ruleset_name,
        ruleset_hash=message.ruleset_hash,
        players=_decode_players(message, path),
        started_at=decode_time(message.start_time),
        scores=decode_points(message.scores),
        rounds=message.rounds,
        winner=TEAM.decode_optional(message.winner, f"{path}.winner"),
        ended_at=decode_time(message.end_time) if message.HasField("end_time") else None,
        forfeit=FORFEIT_REASON.decode_optional(message.forfeit_reason, f"{path}.forfeit_reason"),
    )


def _decode_players(message: pb.MatchSummary, path: str) -> tuple[str, str, str, str]:
    names = {
        SEAT.decode(seat.seat, f"{path}.seats[{n}].seat"): seat.player_name
        for n, seat in enumerate(message.seats)
    }
    if len(names) != len(SEATS):
        raise invalid(f"{path}.seats", "must be the four seats")
    south, east, north, west = (names[seat] for seat in SEATS)
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
