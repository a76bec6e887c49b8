"""The commands `accounts` and `keys` on a real database: what they change, and what they say when they cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.core.errors import Reason, Refusal

from tests.identity.served import Served

NAMELESS = "postgresql://nobody@127.0.0.1:1/x"


@pytest.fixture
def password_file(tmp_path: Path) -> Path:
    file = tmp_path / "password"
    file.write_text("correct horse\n")
    return file


def baloot(*arguments: str | Path, database: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from baloot.app.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=90,
        env={"PATH": "/usr/bin:/bin", "BALOOT_DATABASE": database},
        check=False,
    )


async def test_accounts_and_keys_of_the_commands_are_those_of_the_service(
    served: Served, migrated_url: str, password_file: Path
) -> None:
    def run(*arguments: str | Path) -> str:
        done = baloot(*arguments, database=migrated_url)
        assert done.returncode == 0, done.stderr
        assert "correct horse" not in done.stdout + done.stderr
        return done.stdout.strip()

    account_id = run("accounts", "add", "Noura", "--role", "bot", "--password-file", password_file)
    assert run("accounts", "roles", "noura", "organiser", "player") == "organiser player"
    signed_in = await served.ask("SignIn", pb.SignInRequest(name="Noura", password="correct horse"))
    claims = await served.claims(signed_in.tokens.access_token)
    assert (claims["sub"], claims["roles"]) == (account_id, ["organiser", "player"])

    other = password_file.with_name("other")
    other.write_text("another horse\n")
    assert run("accounts", "password", "noura", "--password-file", other) == "Noura has a new password"
    with pytest.raises(Refusal) as refusal:
        await served.refresh(signed_in.tokens.refresh_token)
    assert refusal.value.reason is Reason.REFRESH_INVALID
    assert await served.ask("SignIn", pb.SignInRequest(name="Noura", password="another horse"))

    key = run(
        "keys", "create", "Noura", "--label", "b o t", "--scope", "play", "--rate", "5/s+10", "--days", "3"
    )
    asked = pb.ExchangeApiKeyRequest(api_key=key)
    claims = await served.claims((await served.ask("ExchangeApiKey", asked)).access_token)
    assert (claims["roles"], claims["scope"], claims["rate"]) == (["player", "spectator"], "play", "5/s+10")
    listed = run("keys", "list", "NOURA")
    assert listed.startswith(claims["key"])
    assert listed.endswith("b o t")
    assert key.split("_", 2)[2] not in listed
    assert run("accounts", "password", "noura", "--keep-keys", "--password-file", other)
    assert await served.ask("ExchangeApiKey", asked)
    assert run("accounts", "password", "noura", "--password-file", other)
    with pytest.raises(Refusal) as refusal:
        await served.ask("ExchangeApiKey", asked)
    assert refusal.value.reason is Reason.KEY_INVALID

    run("keys", "create", "Noura", "--label", "b o t", "--scope", "play")
    last, first = (line.split()[0] for line in run("keys", "list", "Noura").splitlines())
    assert (first, last != first) == (claims["key"], True)
    assert run("keys", "revoke", last) == "b o t is revoked"
    assert "  revoked " in run("keys", "list")
    assert run("accounts", "disable", "Noura") == "Noura is disabled"
    assert (await served.identity.accounts.account(UUID(account_id))).disabled


WRONG = {
    "a role that is none": (["accounts", "roles", "Noura", "poker"], "poker is no role: choose among admin,"),
    "nobody": (["accounts", "roles", "Nobody"], "no account has the name Nobody"),
    "a key of nobody": (["keys", "create", "Nobody", "--label", "x", "--scope", "play"], "no account has"),
    "a scope that is none": (
        ["keys", "create", "Noura", "--label", "x", "--scope", "y"],
        "scopes[0] is none of",
    ),
    "a rate that is none": (
        ["keys", "create", "Noura", "--label", "x", "--scope", "play", "--rate", "y"],
        "rate must be CALLS/s+BURST",
    ),
    "an id that is none": (["keys", "revoke", "x"], "key_id is not an id"),
    "a key that is none": (["keys", "revoke", "0" * 32], "there is no API key"),
    "no installation's key": (["keys", "rotate"], "service's key with --identity-key-file"),
    "a key file that is not there": (
        ["keys", "rotate", "--identity-key-file", "/nowhere/key"],
        "there is no key file /nowhere/key",
    ),
    "nobody to type": (["accounts", "add", "Noura"], "name a file with --password-file"),
    "no password file": (["accounts", "add", "Noura", "--password-file", "/nowhere"], "cannot be read"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_line(migrated_url: str, case: str) -> None:
    arguments, why = WRONG[case]
    done = baloot(*arguments, database=migrated_url)
    assert (done.returncode, done.stdout) == (1, "")
    assert why in done.stderr
    assert done.stderr.startswith("baloot: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("database", "why"),
    [(NAMELESS, "the database cannot be reached"), ("", "no database runs on /nowhere")],
)
def test_a_database_that_is_away_is_said_in_one_line(database: str, why: str) -> None:
    done = baloot("keys", "list", "--data", "/nowhere", *(["--database", database] if database else []))
    assert (done.returncode, done.stdout) == (1, "")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_database_without_tables_is_to_be_migrated(database_url: str) -> None:
    done = baloot("accounts", "roles", "Noura", database=database_url)
    assert (done.returncode, done.stdout) == (1, "")
    assert "run `baloot migrate`" in done.stderr
