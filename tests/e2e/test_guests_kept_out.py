"""The commands on a platform that lets no guests in: each says how a token is given, and asks as the account whose it is."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from baloot.client.identity import IdentityClient
from baloot.client.table import TableClient
from baloot.kit.channels import open_channel
from baloot.notation import text

from tests.e2e.platforms import Platform, together
from tests.notation.matches import match

UNKNOWN = "00000000-0000-4000-8000-000000000007"
ASKING: list[list[str]] = [
    ["history"],
    ["history", "matches"],
    ["history", UNKNOWN],
    ["history", "match", UNKNOWN],
    ["history", "replay", UNKNOWN, "1"],
    ["history", "stats", UNKNOWN],
    ["history", "share", UNKNOWN],
    ["history", "shares"],
    ["history", "withdraw", UNKNOWN],
    ["explain", UNKNOWN],
    ["proof", UNKNOWN],
    ["verify", UNKNOWN],
    ["looks", UNKNOWN],
    ["export", UNKNOWN],
    ["import", "one.baloot"],
    ["play"],
]
HINT = "this needs an access token: --token-file or BALOOT_TOKEN_FILE names the file of one"


@dataclass
class Signed:
    """A platform, and somebody with an account."""

    platform: Platform
    identity: IdentityClient
    folder: Path
    token: Path

    async def baloot(
        self, *typed: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command as people do, of whom nobody types anything."""
        command = [str(Path(sys.executable).parent / "baloot"), *typed, "--connect", self.platform.table]
        return await asyncio.to_thread(
            subprocess.run,
            command,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
            timeout=60,
            env={"PATH": "/usr/bin:/bin", "COLUMNS": "80", **(environment or {})},
            check=False,
        )


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with together("--guests", "none") as platform:
        yield platform


@pytest.fixture
async def signed(platform: Platform, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Signed]:
    (tmp_path / "one.baloot").write_text(text(match("standard", 1)), encoding="utf-8")
    async with open_channel(platform.identity) as channel:
        identity = IdentityClient(channel)
        await identity.sign_up(f"Noura {abs(hash(request.node.name)) % 10**9}", "correct horse")
        token = tmp_path / "my token"
        token.write_text(await identity.access_token(), encoding="ascii")
        yield Signed(platform, identity, tmp_path, token)


@pytest.mark.parametrize("command", ASKING, ids=" ".join)
async def test_without_a_token_it_is_said_how_one_is_given(signed: Signed, command: list[str]) -> None:
    done = await signed.baloot(*command)
    assert done.returncode in (1, 2)
    assert done.stderr == f"baloot: {HINT}\n"


@pytest.mark.parametrize("command", ASKING, ids=" ".join)
async def test_with_a_token_the_account_is_answered(signed: Signed, command: list[str]) -> None:
    done = await signed.baloot(*command, environment={"BALOOT_TOKEN_FILE": str(signed.token)})
    assert "access token" not in done.stderr
    typed = await signed.baloot(*command, "--token-file", str(signed.token))
    assert (typed.returncode, typed.stdout, typed.stderr) == (done.returncode, done.stdout, done.stderr)


async def test_a_token_that_is_not_good_is_named(signed: Signed) -> None:
    signed.token.write_text("a.b.c", encoding="ascii")
    done = await signed.baloot("history", "--token-file", str(signed.token))
    assert done.returncode == 1
    assert done.stderr.startswith("baloot: the access token is not good here: ")
    assert done.stderr.endswith(": --token-file or BALOOT_TOKEN_FILE names the file of another\n")


async def test_bots_cannot_sit_down_where_no_guests_may(signed: Signed) -> None:
    done = await signed.baloot("play", "--token-file", str(signed.token))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("baloot: bots play as guests, and this server lets none in")


async def test_an_account_sits_down_and_goes_on_with_its_seat(signed: Signed) -> None:
    """What it is told in the end can be typed as it is, and asks as the same account."""
    async with TableClient(signed.platform.table, access=signed.identity.access_token) as tables:
        table = await tables.create_table()
        await table.take_seat("Noura")
        typed = ["play", "--table", table.table_id, "--token-file", str(signed.token)]
        done = await signed.baloot(*typed)
        taken = [seat.taken for seat in (await table.view()).seats]
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()[-1]
    assert told.startswith(f"to check the deals: baloot verify {table.table_id} --connect ")
    assert told.endswith(f"--token-file '{signed.token}'")
    assert taken == [False] * 4, "the seat that it went on with is the one that it left"
