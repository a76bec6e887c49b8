"""The examples of the rules as a judge in API.md are answered as it says: over gRPC, by `buf curl` and in Python."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from baloot.api.play.v1 import play_pb2, play_pb2_grpc
from baloot.api.scoring.v1 import scoring_pb2, scoring_pb2_grpc
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import ServerSettings, start
from baloot.play import server as play
from baloot.play.local import LocalPlay
from baloot.scoring import server as scoring
from baloot.scoring.local import LocalScoring
from google.protobuf import json_format

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = "127.0.0.1:7010"
JUDGE = (ROOT / "API.md").read_text(encoding="utf-8").split("## The rules as a judge")[1].split("\n## ")[0]


def blocks(language: str) -> list[tuple[str, str]]:
    return re.findall(rf"^```{language} ?(\w*)\n(.*?)^```", JUDGE, re.DOTALL | re.MULTILINE)


def exchanges() -> Iterator[tuple[str, Any, Any]]:
    """The rpc, the request and the answer of each example."""
    told = blocks("json")
    for (asked, request), (answered, answer) in zip(told[::2], told[1::2], strict=True):
        rpc = asked.removesuffix("Request")
        assert answered == f"{rpc}Response"
        yield rpc, json.loads(request), json.loads(answer)


EXCHANGES = list(exchanges())


def without_defaults(value: Any) -> Any:
    """JSON without what is left out in the document: the record that comes back, and empty messages."""
    if isinstance(value, dict):
        kept = {key: without_defaults(part) for key, part in value.items() if key != "record"}
        return {key: part for key, part in kept.items() if part not in ({}, None)}
    return [without_defaults(part) for part in value] if isinstance(value, list) else value


@pytest.fixture
async def address() -> AsyncIterator[str]:
    """Where a judge is served."""
    services = [play.service(LocalPlay()), scoring.service(LocalScoring())]
    server = await start(services, ServerSettings("127.0.0.1:0", grace=0.2))
    try:
        yield server.address
    finally:
        await server.stop()


async def output_of(*command: str) -> str:
    """What a command prints, run with the programs of this environment."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    return out.decode()


def test_every_way_to_ask_the_judge_has_its_example() -> None:
    assert [rpc for rpc, _, _ in EXCHANGES] == ["GetPlay", "MakeMove", *["ScoreRound"] * 3]
    assert (len(blocks("sh")), len(blocks("python"))) == (1, 1)


@pytest.mark.parametrize(
    ("rpc", "request_", "answer"), EXCHANGES, ids=[f"{n}-{e[0]}" for n, e in enumerate(EXCHANGES)]
)
async def test_an_example_is_answered_as_it_says(rpc: str, request_: Any, answer: Any, address: str) -> None:
    of_play = hasattr(play_pb2, f"{rpc}Request")
    messages = play_pb2 if of_play else scoring_pb2
    message = json_format.ParseDict(request_, getattr(messages, f"{rpc}Request")())
    async with open_channel(address) as channel:
        stub: Any = _stub(channel, of_play=of_play)
        answered = json_format.MessageToDict(await getattr(stub, rpc)(message))
    assert without_defaults(answered) == without_defaults(answer)


async def test_a_refused_card_of_the_example_is_told_as_it_says(address: str) -> None:
    _, request, answer = EXCHANGES[0]
    question = answer["step"]["question"]
    assert "the `rule` `2.19` and the `legal` card `9H`" in JUDGE
    async with open_channel(address) as channel:
        for refused in question["refused"]:
            move = {"seat": question["seat"], "card": {"card": refused["card"]}}
            asked = json_format.ParseDict({**request, "move": move}, play_pb2.MakeMoveRequest())
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await play_pb2_grpc.PlayServiceStub(channel).MakeMove(asked)
            told = from_rpc_error(caught.value)
            assert f"ERROR_REASON_{told.reason.name}" == refused["reason"]
            assert told.metadata == {"rule": "2.19", "legal": "9H"}


def _stub(channel: grpc.aio.Channel, *, of_play: bool) -> object:
    if of_play:
        return play_pb2_grpc.PlayServiceStub(channel)
    return scoring_pb2_grpc.ScoringServiceStub(channel)


async def test_the_command_for_buf_curl_works(address: str) -> None:
    ((_, command),) = blocks("sh")
    words = shlex.split(command.replace("\\\n", " ").replace(DOCUMENTED, address))
    score = json.loads(await output_of(*words))["score"]
    assert score["gamePoints"] == {"southNorth": 15, "eastWest": 11}
    assert score["lines"][1]["english"] == "The defenders' 55 abnat make 11 (rule 2.26)."


async def test_an_example_works_with_buf_curl_too(address: str) -> None:
    rpc, request, answer = EXCHANGES[0]
    url = f"http://{address}/baloot.api.play.v1.PlayService/{rpc}"
    options = ("--schema", ".", "--protocol", "grpc", "--http2-prior-knowledge")
    out = await output_of("buf", "curl", *options, "--data", json.dumps(request), url)
    assert without_defaults(json.loads(out)) == without_defaults(answer)


async def test_the_program_in_python_works(address: str) -> None:
    ((_, program),) = blocks("python")
    out = await output_of(sys.executable, "-c", program.replace(DOCUMENTED, address))
    assert out.splitlines() == [
        "The rest of 26 beside 11: 15 (rule 2.26).",
        "الباقي من 26 بعد 11: 15 (قاعدة 2.26).",
        "The defenders' 55 abnat make 11 (rule 2.26).",
        "أبناط الخصم 55 تصير 11 (قاعدة 2.26).",
    ]
