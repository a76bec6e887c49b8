"""The history service over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import (
    HistoryServiceServicer,
    add_HistoryServiceServicer_to_server,
)
from baloot.codec.fields import missing
from baloot.core.errors import Reason, Refusal
from baloot.history import codec
from baloot.history.encoding import replay_response, shared_response
from baloot.history.postgres import PostgresHistory
from baloot.history.proofs import Log, proof
from baloot.history.public_log import PublicLog
from baloot.history.replays import Replay, Replays
from baloot.history.shares import Share, Shares
from baloot.kit import access, checks
from baloot.kit.quotas import Charge
from baloot.kit.serving import Service
from baloot.table.store import Store

NAME = pb.DESCRIPTOR.services_by_name["HistoryService"].full_name
CHARGES = dict.fromkeys(("GetProof", "GetReplay", "GetShared"), Charge.REPLAY)
"""What reads the log of a match, which takes a hundred times as long as a row."""


class HistoryServicer(HistoryServiceServicer):
    """Decodes, asks the database, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, history: PostgresHistory, log: Log, replays: Replays, shares: Shares) -> None:
        self._history = history
        self._log = log
        self._replays = replays
        self._shares = shares

    async def ListMatches(self, request: pb.ListMatchesRequest, _context: Any) -> pb.ListMatchesResponse:
        return codec.encode_page(await self._history.list_matches(*codec.decode_list_matches(request)))

    async def GetMatch(self, request: pb.GetMatchRequest, _context: Any) -> pb.GetMatchResponse:
        return codec.encode_match(await self._history.get_match(codec.decode_get_match(request)))

    async def GetProof(self, request: pb.GetProofRequest, _context: Any) -> pb.GetProofResponse:
        match_id, after, limit = codec.decode_get_proof(request)
        return codec.encode_proof(await proof(self._history, self._log, match_id, after, limit))

    async def GetHeadToHead(
        self, request: pb.GetHeadToHeadRequest, _context: Any
    ) -> pb.GetHeadToHeadResponse:
        told = await self._history.head_to_head(request.player_id, request.other_player_id)
        return codec.encode_head_to_head(told)

    async def GetPartners(self, request: pb.GetPartnersRequest, _context: Any) -> pb.GetPartnersResponse:
        return codec.encode_partners(await self._history.partners(*codec.decode_get_partners(request)))

    async def GetPlayerStatistics(
        self, request: pb.GetPlayerStatisticsRequest, _context: Any
    ) -> pb.GetPlayerStatisticsResponse:
        return codec.encode_statistics(await self._history.statistics(request.player_id))

    async def GetReplay(  # type: ignore[override]  # encoded already
        self, request: pb.GetReplayRequest, _context: Any
    ) -> bytes:
        return replay_response(await self._replays.replay(*codec.decode_get_replay(request)))

    async def CreateShare(self, request: pb.CreateShareRequest, _context: Any) -> pb.CreateShareResponse:
        player_id = account()
        return codec.encode_made(await self._shares.create(player_id, *codec.decode_create_share(request)))

    async def GetShared(  # type: ignore[override]  # encoded already
        self, request: pb.GetSharedRequest, _context: Any
    ) -> bytes:
        if not request.token:
            raise missing("token")
        number, up_to = codec.decode_number(request.number), codec.decode_up_to(request)
        share = await self._shares.follow(request.token)
        replay = await self._shared_replay(share, number, up_to)
        match = await self._history.get_match(share.match_id)
        return shared_response(codec.encode_shared(share, match), replay)

    async def WithdrawShare(
        self, request: pb.WithdrawShareRequest, _context: Any
    ) -> pb.WithdrawShareResponse:
        player_id = account()
        await self._shares.withdraw(checks.uuid(request.share_id, "share_id"), player_id)
        return pb.WithdrawShareResponse()

    async def ListShares(self, _request: pb.ListSharesRequest, _context: Any) -> pb.ListSharesResponse:
        return codec.encode_shares(await self._shares.of(account()))

    async def _shared_replay(self, share: Share, number: int, up_to: int) -> Replay | None:
        if share.number and number not in (0, share.number):
            raise Refusal(
                Reason.ROUND_UNKNOWN, f"this link opens the round {share.number} alone", field="number"
            )
        wanted = number or share.number
        return await self._replays.replay(share.match_id, wanted, share.eyes, up_to) if wanted else None


def account() -> str:
    """The caller's account. Raises Refusal TOKEN_REQUIRED for guests."""
    player_id = access.caller().player_id
    if player_id is None:
        raise access.token_required()
    return player_id


def service(history: PostgresHistory, store: Store) -> Service:
    """What `baloot.kit.serving.start` serves, with the tables' logs in `store`."""
    replays = Replays(PublicLog(store), history)
    servicer = HistoryServicer(history, store, replays, Shares(history, store))
    return Service(NAME, servicer, add_HistoryServiceServicer_to_server, CHARGES)
