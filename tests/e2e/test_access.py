"""The options for access, on processes as an operator starts them."""

from __future__ import annotations

import json
from pathlib import Path

import grpc
import pytest
from baloot.api.dealing.v1.dealing_pb2 import DealRequest
from baloot.api.dealing.v1.dealing_pb2_grpc import DealingServiceStub
from baloot.api.info.v1.info_pb2 import GetServerInfoRequest
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.api.scoring.v1.scoring_pb2 import ScoreRoundRequest
from baloot.api.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from baloot.app.issuers import told_access
from baloot.core.errors import Reason
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error

from tests.e2e.platforms import running
from tests.e2e.servers import ServerProcess
from tests.kit.issuing import Issuing, bearer
from tests.kit.test_keysets import web


async def refused(channel: grpc.aio.Channel, token: str | None) -> Reason:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await ScoringServiceStub(channel).ScoreRound(ScoreRoundRequest(), metadata=bearer(token))
    return from_rpc_error(error.value).reason


@pytest.mark.parametrize("place", ["file", "url"])
async def test_an_issuer_an_audience_and_no_guests(tmp_path: Path, place: str) -> None:
    issuing, keys = Issuing(), tmp_path / "jwks.json"
    keys.write_text(json.dumps(issuing.jwks()))
    with web({"/jwks?all=1": (200, keys.read_bytes(), {})}) as address:
        where = str(keys) if place == "file" else f"{address}/jwks?all=1"
        environment = {
            "BALOOT_ISSUER": f"https://other.example={keys} {issuing.issuer}={where}",
            "BALOOT_AUDIENCE": "cups",
            "BALOOT_GUESTS": "none",
        }
        process = ServerProcess(tmp_path, "serve", "scoring", environment=environment)
        with running(process):
            async with open_channel(process.address) as channel:
                assert (await InfoServiceStub(channel).GetServerInfo(GetServerInfoRequest())).version
                assert await refused(channel, None) is Reason.TOKEN_REQUIRED
                assert await refused(channel, issuing.token()) is Reason.TOKEN_INVALID
                assert await refused(channel, issuing.token(aud="cups")) is Reason.FIELD_REQUIRED


async def test_dealing_takes_whoever_reaches_it_for_a_table(tmp_path: Path) -> None:
    process = ServerProcess(tmp_path, "serve", "dealing", "--dealing-key-file", str(tmp_path / "key"))
    with running(process):
        async with open_channel(process.address) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await DealingServiceStub(channel).Deal(DealRequest())
    assert from_rpc_error(error.value).reason is Reason.FIELD_REQUIRED


def test_a_file_without_a_usable_key_is_found_out_at_once(tmp_path: Path) -> None:
    keys = tmp_path / "jwks.json"
    keys.write_text('{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "k"}]}')
    with pytest.raises(ValueError, match=r"jwks\.json has no public key for EdDSA or ES256"):
        told_access([f"a={keys}"], "baloot", "none")
    keys.write_text("{}")
    with pytest.raises(ValueError, match="list of keys"):
        told_access([f"a={keys}"], "baloot", "none")


async def test_unless_it_is_said_a_rule_service_answers_guests(tmp_path: Path) -> None:
    process = ServerProcess(tmp_path, "serve", "scoring")
    with running(process):
        async with open_channel(process.address) as channel:
            assert await refused(channel, None) is Reason.FIELD_REQUIRED
            assert await refused(channel, Issuing().token()) is Reason.TOKEN_INVALID
