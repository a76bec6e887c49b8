"""What `baloot proof` and `baloot verify` do, with a history service that really speaks gRPC."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from baloot.api.history.v1.history_pb2 import (
    GetMatchResponse,
    GetProofRequest,
    GetProofResponse,
    ListMatchesResponse,
    LogEntry,
)
from baloot.api.history.v1.history_pb2_grpc import (
    HistoryServiceServicer,
    add_HistoryServiceServicer_to_server,
)
from baloot.client.history import HistoryClient
from baloot.client.proof import proof_file, written
from baloot.core.errors import Reason, Refusal
from baloot.history import server as history_server
from baloot.kit.channels import open_channel
from baloot.kit.serving import ServerSettings, Service, start
from baloot.verifier.verify import TITLES

from tests.verifier.both import FOLDER, SCRIPT
from tests.verifier.honest import HonestLog, honest
from tests.verifier.tampering import tampered

NOWHERE = "127.0.0.1:1"


class Told(HistoryServiceServicer):
    """Tells the proofs it was given, some entries at a time."""

    def __init__(self) -> None:
        self.proofs: dict[str, dict[str, Any]] = {}
        self.refusals: dict[str, Refusal] = {}
        self.most = 100
        self.asked = 0

    def tell(self, proof: dict[str, Any]) -> str:
        """The id of the match, as it is typed."""
        match_id = str(UUID(proof["match"]))
        self.proofs[match_id] = proof
        return match_id

    async def ListMatches(self, _request: Any, _context: Any) -> ListMatchesResponse:  # noqa: N802 - as the proto has it
        raise Refusal(Reason.INTERNAL, "only proofs are told here")

    async def GetMatch(self, _request: Any, _context: Any) -> GetMatchResponse:  # noqa: N802 - as the proto has it
        raise Refusal(Reason.INTERNAL, "only proofs are told here")

    async def GetProof(self, request: GetProofRequest, _context: Any) -> GetProofResponse:  # noqa: N802 - as the proto has it
        self.asked += 1
        if request.match_id in self.refusals:
            raise self.refusals[request.match_id]
        if request.match_id not in self.proofs:
            raise Refusal(Reason.MATCH_UNKNOWN, "there is no such match", field="match_id")
        proof = self.proofs[request.match_id]
        after = request.after_sequence
        entries = proof["entries"][after : after + min(self.most, request.page_size)]
        complete = proof["complete"] and after + len(entries) == len(proof["entries"])
        return GetProofResponse(entries=map(message_of, entries), complete=complete)


def message_of(entry: dict[str, Any]) -> LogEntry:
    return LogEntry(
        sequence=entry["n"],
        accepted_micros=entry["at"],
        actor=entry["actor"],
        by_default=entry["by_default"],
        payload=b64decode(entry["payload"]),
        secret_hash=bytes.fromhex(entry["secret"]),
        chain=bytes.fromhex(entry["chain"]),
    )


@pytest.fixture
def told() -> Told:
    return Told()  # type: ignore[abstract]  # the other rpcs are unimplemented


@pytest.fixture
async def address(told: Told) -> AsyncIterator[str]:
    service = Service(history_server.NAME, told, add_HistoryServiceServicer_to_server)
    server = await start([service], ServerSettings("127.0.0.1:0", grace=0.1))
    try:
        yield server.address
    finally:
        await server.stop()


class Done(NamedTuple):
    """What a command left behind."""

    exit_code: int
    stdout: str
    stderr: str


async def baloot(*arguments: str) -> Done:
    """Runs the command as people do, in a process of its own."""
    command = [sys.executable, "-c", "from baloot.app.cli import main; main()", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "COLUMNS": "200"}
    done = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, timeout=60, env=environment, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


async def test_a_proof_is_fetched_page_by_page_and_is_the_same(
    told: Told, address: str, tmp_path: Path
) -> None:
    proof = honest("plain").proof()
    match_id, file = told.tell(proof), tmp_path / "proof.json"
    done = await baloot("proof", match_id, "--out", str(file), "--connect", address)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "100 entries fetched" in done.stderr
    assert json.loads(file.read_text(encoding="utf-8")) == proof
    printed = await baloot("proof", match_id, "--connect", address)
    assert printed.stdout == file.read_text(encoding="utf-8") == written(proof)


async def test_the_client_stops_where_no_more_may_be_told(told: Told, address: str) -> None:
    written_ = HonestLog("on")
    written_.open()
    written_.deal("played")
    proof = written_.proof(complete=False)
    match_id = told.tell(proof)
    async with open_channel(address) as channel:
        pages = [page async for page in HistoryClient(channel).proof(match_id, page_size=7)]
    assert not any(page.complete for page in pages)
    assert told.asked == len(pages)
    entries = [entry for page in pages for entry in page.entries]
    assert proof_file(UUID(match_id), entries, complete=False) == proof


async def test_a_match_is_verified_with_what_was_noted(told: Told, address: str) -> None:
    match = honest("kawesh")
    proof = match.proof()
    noted = ["--pin", f"9:{proof['entries'][8]['chain']}", "--seed", f"west={match.blocks[0][4].hex()}"]
    done = await baloot("verify", told.tell(proof), "--connect", address, *noted)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == TITLES["verified"]
    assert "1 chain values that were noted" in done.stdout
    assert "The seed that West sent went into deals 1 to 5." in done.stdout


async def test_a_beacon_is_compared_with_what_was_looked_up(told: Told, address: str) -> None:
    match = honest("beacon")
    asked = ("verify", told.tell(match.proof()), "--connect", address, "--beacon")
    done = await baloot(*asked, match.beacon.hex())
    assert (done.exit_code, "The beacon is the value that was looked up." in done.stdout) == (0, True)
    assert (await baloot(*asked, "0" * 64)).exit_code == 1
    assert (await baloot(*asked, "00")).exit_code == 2


async def test_a_match_that_was_tampered_with_is_refused(told: Told, address: str) -> None:
    case = tampered(3)  # a root
    done = await baloot("verify", told.tell(case.proof), "--connect", address, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["code"] in case.codes


@pytest.mark.parametrize(
    "noted", [["--pin", f"9:{'0' * 64}"], ["--seed", f"north={'0' * 64}"]], ids=["pin", "seed"]
)
async def test_what_was_noted_otherwise_is_refused(told: Told, address: str, noted: list[str]) -> None:
    done = await baloot("verify", told.tell(honest("plain").proof()), "--connect", address, *noted, "--quiet")
    assert done == (1, "", "")


async def test_a_file_is_verified_without_a_server(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(written(honest("long").proof()), encoding="utf-8")
    done = await baloot("verify", str(file), "--connect", NOWHERE)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, TITLES["verified"])
    file.write_text("no proof", encoding="utf-8")
    assert (await baloot("verify", str(file))).exit_code == 2


async def test_what_is_not_provable_has_an_exit_code_of_its_own(told: Told, address: str) -> None:
    empty = HonestLog("empty")
    empty.open()
    empty.end()
    assert (await baloot("verify", told.tell(empty.proof()), "--connect", address)).exit_code == 3


async def test_what_cannot_be_fetched_is_no_refusal(address: str, tmp_path: Path) -> None:
    """Nobody should take a server that is away, or a mistyped id, for a match that was rigged."""
    unknown, nowhere = str(UUID(int=7)), str(tmp_path / "nowhere.json")
    expected = [
        (["verify", unknown, "--connect", address], "there is no such match"),
        (["verify", unknown, "--connect", NOWHERE], f"no server can be reached at {NOWHERE}"),
        (["verify", nowhere], "nowhere.json"),
        (["proof", unknown, "--connect", address], "there is no such match"),
        (["proof", "x", "--connect", address], "x is not the id of a match"),
        (["proof", unknown, "--connect", NOWHERE], f"no server can be reached at {NOWHERE}"),
        (["verify"], "name a match or a proof file, or --script, or --page"),
        (["verify", "x", "--script"], "name a match or a proof file, or --script, or --page"),
        (["verify", "x", "--pin", "7"], "a pin is a sequence number"),
        (["verify", "x", "--seed", "7"], "a seed is SOUTH, EAST, NORTH or WEST"),
    ]
    for arguments, said in expected:
        done = await baloot(*arguments)
        assert (done.exit_code, done.stdout) == (2, ""), arguments
        assert said in " ".join(done.stderr.replace("│", " ").split()), done.stderr


@pytest.mark.parametrize("command", ["proof", "verify"])
async def test_a_match_without_a_log_is_told_as_the_server_says(
    told: Told, address: str, command: str
) -> None:
    imported, why = str(UUID(int=8)), "this match was brought as text: it has no log"
    told.refusals[imported] = Refusal(Reason.MATCH_UNKNOWN, why, field="match_id")
    assert await baloot(command, imported, "--connect", address) == (2, "", f"baloot: {why}\n")


async def test_the_script_and_the_page_are_handed_out(tmp_path: Path) -> None:
    script = await baloot("verify", "--script")
    assert script.stdout == SCRIPT.read_text(encoding="utf-8")
    folder = tmp_path / "a" / "page"
    done = await baloot("verify", "--page", str(folder))
    assert done.exit_code == 0
    assert str(folder / "verify.html") in done.stdout
    handed = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert handed == {name: (FOLDER / name).read_bytes() for name in ("verify.html", "verify.js", "page.js")}
