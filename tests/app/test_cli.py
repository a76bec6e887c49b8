"""The command line: what can be typed, and how what is wrong is said."""

from __future__ import annotations

import logging
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
import structlog
from baloot.app.cli import app
from baloot.kit.quotas import COUNTS, PUBLIC, RATES, spelled
from typer.testing import CliRunner

COMMANDS = (
    "up",
    "run",
    "demo",
    "play",
    "serve",
    "rules",
    "accounts",
    "keys",
    "migrate",
    "history",
    "explain",
    "looks",
    "proof",
    "verify",
    "audit",
    "monitor",
    "log",
    "notation",
    "export",
    "import",
    "health",
    "info",
    "version",
)
RULES = ("list", "show", "diff")
SERVICES = ("dealing", "bidding", "play", "scoring", "table", "history", "identity")
ACCOUNTS = ("add", "password", "roles", "disable", "enable")
KEYS = ("create", "list", "revoke", "rotate")
NOTATION = ("check", "json", "text")
MONITOR = ("deals",)
HISTORY = ("matches", "match", "replay", "stats", "share", "shares", "withdraw", "rebuild")
GROUPS = {
    "serve": SERVICES,
    "rules": RULES,
    "accounts": ACCOUNTS,
    "keys": KEYS,
    "notation": NOTATION,
    "history": HISTORY,
    "monitor": MONITOR,
}
LIMITS = ["BALOOT_LIMIT", "BALOOT_TRUSTED_PROXY", "BALOOT_EXEMPT"]
ACCESS = ["BALOOT_ISSUER", "BALOOT_AUDIENCE", "BALOOT_GUESTS"]
NOWHERE = "127.0.0.1:1"
MATCH = str(UUID(int=1))


def baloot(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command as people do, with nothing typed and in no terminal."""
    return subprocess.run(
        [sys.executable, "-c", "from baloot.app.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=90,
        env={"PATH": "/usr/bin:/bin", "COLUMNS": "80", **environment},
        check=False,
    )


def help_of(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--help"], env={"COLUMNS": "80"})
    assert result.exit_code == 0
    return result.output


def test_help_lists_every_command_and_service() -> None:
    told = help_of()
    assert all(re.search(rf"^  {command} +\w", told, re.MULTILINE) for command in COMMANDS)
    for group, names in GROUPS.items():
        told = help_of(group)
        assert all(re.search(rf"^  {name} +\w", told, re.MULTILINE) for name in names)


@pytest.mark.parametrize(
    "arguments",
    [[name] for name in COMMANDS if name not in GROUPS]
    + [[group, name] for group, names in GROUPS.items() for name in names],
)
def test_every_option_has_a_help_text(arguments: list[str]) -> None:
    told = re.split(r"\n(?:Arguments|Options):", help_of(*arguments), maxsplit=1)[1]
    options = re.split(r"\n  (?=--|\[?[a-z])", told)[1:]
    for option in options:
        words = re.sub(r"^--[\w-]+( / --[\w-]+)?|<\w+>|\[[^\]]*\]", "", option).split()
        assert len(words) >= 3, option


@pytest.mark.parametrize(
    ("command", "variables"),
    [
        (["up"], ["BALOOT_DATA", "BALOOT_LISTEN", "BALOOT_REFLECTION", *LIMITS, *ACCESS]),
        (["run"], ["BALOOT_DATA", "BALOOT_LISTEN", "BALOOT_REFLECTION"]),
        (["serve", "dealing"], ["BALOOT_DEALING_KEY_FILE", "BALOOT_LISTEN"]),
        (["serve", "table"], ["BALOOT_DATABASE", "BALOOT_LISTEN", *LIMITS, *ACCESS]),
        (["serve", "history"], ["BALOOT_DATABASE", "BALOOT_LISTEN", *LIMITS, *ACCESS]),
        (["serve", "scoring"], [*LIMITS, *ACCESS]),
        (
            ["serve", "identity"],
            ["BALOOT_DATABASE", "BALOOT_IDENTITY_KEY_FILE", "BALOOT_ISSUER_NAME", *LIMITS],
        ),
        (["accounts", "add"], ["BALOOT_DATABASE", "BALOOT_DATA"]),
        (["keys", "rotate"], ["BALOOT_DATABASE", "BALOOT_DATA", "BALOOT_IDENTITY_KEY_FILE"]),
        (["migrate"], ["BALOOT_DATABASE"]),
        (["log"], ["BALOOT_DATABASE"]),
        (["export"], ["BALOOT_DATABASE", "BALOOT_DATA"]),
    ],
)
def test_options_can_come_from_the_environment(command: list[str], variables: list[str]) -> None:
    told = help_of(*command)
    assert all(variable in told for variable in variables)


def test_the_help_tells_the_limits_that_there_are() -> None:
    told = " ".join(help_of("up").split())
    for name in (*RATES, *COUNTS):
        assert f"{name} ({spelled(getattr(PUBLIC, name))})" in told


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert CliRunner().invoke(app, ["version"]).output == f"{version('baloot-services')}\n"


WRONG = {
    "health of nobody": (["health", NOWHERE], f"no server can be reached at {NOWHERE}"),
    "info of nobody": (["info", "nonsense"], "no server can be reached at nonsense"),
    "info of an empty address": (["info", ""], "the address of the server is empty"),
    "history of an empty address": (["history", "--connect", " "], "the address of the server is empty"),
    "a key file that is none": (
        ["serve", "dealing", "--dealing-key-file", "/etc/hostname"],
        "must hold 32 bytes",
    ),
    "dealing without a key": (["serve", "dealing"], "--dealing-key-file"),
    "identity without a key": (["serve", "identity", "--database", "postgresql://x"], "--identity-key-file"),
    "no address": (["serve", "bidding", "--listen", "here"], "cannot listen on here"),
    "an address that is not ours": (["serve", "play", "--listen", "192.0.2.1:7003"], "cannot listen on"),
    "half the rules": (
        ["serve", "table", "--database", "postgresql://x", "--rules", "play=a:1"],
        "for dealing, bidding, scoring too",
    ),
    "wrong rules": (
        ["serve", "table", "--database", "postgresql://x", "--rules", "poker=a:1"],
        "NAME=ADDRESS",
    ),
    "a table without a server": (["play", "--table", "x"], "--connect"),
    "rules for a table that has its own": (
        ["play", "--table", "x", "--connect", NOWHERE, "--rules", "pagat"],
        "has its own",
    ),
    "a clock for a table that has its own": (
        ["play", "--table", "x", "--connect", NOWHERE, "--bank", "60"],
        "has its own",
    ),
    "no database": (["migrate", "--database", "postgresql://nobody@127.0.0.1:1/x"], "cannot be migrated"),
    "an address of no database": (["migrate", "--database", "nonsense"], "cannot be migrated"),
    "a log of no database": (["log", "x", "--data", "/nonexistent"], "no database runs"),
    "a log of a database that is away": (
        ["log", str(UUID(int=1)), "--database", "postgresql://nobody:secret@127.0.0.1:1/x"],
        "no database answers at 127.0.0.1:1: start one with `baloot up` or `make run`, or name",
    ),
    "a status that is none": (["history", "--status", "lost"], "playing, finished, abandoned"),
    "an outcome that is none": (["history", "matches", "--outcome", "drawn"], "choose one of won, lost"),
    "a seat that is none": (["history", "replay", "x", "1", "--seat", "up"], "south, east, north, west"),
    "a seat beside all hands": (["history", "replay", "x", "1", "--seat", "east", "--open"], "leave --seat"),
    "a match from nobody": (
        ["history", MATCH, "--connect", NOWHERE],
        "no server can be reached at 127.0.0.1:1",
    ),
    "a match from nobody, named before": (["history", "--connect", NOWHERE, MATCH], "reached at 127.0.0.1:1"),
    "history of no database": (["history", "rebuild", "--data", "/nonexistent"], "no database runs"),
    "history of a database that is away": (
        ["history", "rebuild", "--database", "postgresql://nobody@127.0.0.1:1/x"],
        "the database cannot be reached now",
    ),
    "a link without a token file": (
        ["history", "shares", "--token-file", "/nowhere", "--connect", NOWHERE],
        "/nowhere cannot be read",
    ),
    "an explanation from nobody": (["explain", MATCH, "--connect", NOWHERE], "no server can be reached"),
    "a rule set that is none": (["rules", "show", "poker"], "no rule set has this name"),
    "no other rule set": (["rules", "diff", "pagat", "poker"], "no rule set has this name"),
    "a limit that is none": (["up", "--limit", "poker=1"], "--limit poker=1: write NAME=CALLS/s+BURST"),
    "a limit of another kind": (["serve", "scoring", "--limit", "commands=5"], "commands=5: write"),
    "a proxy that is nowhere": (
        ["up", "--trusted-proxy", "everybody"],
        "--trusted-proxy 'everybody' does not appear to be",
    ),
    "an exempt network that is none": (
        ["serve", "play", "--exempt", "10.0.0.1/8"],
        "--exempt 10.0.0.1/8 has host bits set",
    ),
    "an exempt address that is none": (["up", "--exempt", "999.1.1.1"], "--exempt '999.1.1.1' does not"),
    "an issuer without keys": (["up", "--issuer", "https://a"], "write ISSUER=JWKS"),
    "keys that are not there": (["up", "--issuer", "a=/nowhere.json"], "/nowhere.json cannot be read"),
    "keys that are none": (["up", "--issuer", "a=pyproject.toml"], "is not JSON"),
    "keys by mail": (
        ["serve", "play", "--issuer", "a=ftp://b/c"],
        "ftp://b/c: a JWKS is a file, or at an http",
    ),
    "no audience": (["up", "--audience", " "], "--audience is empty"),
    "guests who are admins": (
        ["up", "--guests", "player,admin"],
        "'admin' is none of player, spectator, bot",
    ),
    "a log level that is none": (["serve", "bidding"], "no log level"),
}


NO_ID = [
    ["history", "nope"],
    ["history", "match", "nope"],
    ["history", "replay", "nope", "1"],
    ["history", "share", "nope"],
    ["explain", "nope"],
    ["proof", "nope"],
    ["looks", "nope"],
    ["export", "nope", "--connect", NOWHERE],
    ["export", "nope", "--database", "postgresql://nobody@127.0.0.1:1/x"],
    ["log", "nope", "--database", "postgresql://nobody@127.0.0.1:1/x"],
    ["audit", "nope", "--database", "postgresql://nobody@127.0.0.1:1/x"],
]
JUDGING = {"proof", "audit"}
"""The commands of these that end with 2, so that nobody takes a mistyped id for a verdict."""

NO_FILE = [
    (["verify", "nope"], 2, "there is no file nope, and that is not the id of a match"),
    (["notation", "check", "/nope"], 2, "there is no file /nope"),
    (["notation", "json", "/nope"], 1, "there is no file /nope"),
    (["notation", "text", "/nope"], 1, "there is no file /nope"),
    (["notation", "check", "/"], 2, "the file / cannot be read: Is a directory"),
]

ASKING = [
    *([name] for name in ("play", "explain", "proof", "verify", "looks", "export", "import", "history")),
    *(["history", name] for name in HISTORY if name != "rebuild"),
]


@pytest.mark.parametrize("command", ASKING, ids=" ".join)
def test_every_command_that_asks_a_server_can_show_a_token(command: list[str]) -> None:
    told = help_of(*command)
    assert "--connect" in told
    assert "--token-file" in told
    assert "BALOOT_TOKEN_FILE" in told


@pytest.mark.usefixtures("logging_restored")
def test_an_export_reads_the_database_unless_a_server_is_typed() -> None:
    """What is exported should not hang on a variable that was set for other commands."""
    assert "whatever BALOOT_CONNECT says" in " ".join(help_of("export").split())
    result = CliRunner().invoke(
        app, ["export", MATCH, "--data", "/nonexistent"], env={"BALOOT_CONNECT": NOWHERE}
    )
    assert "no database runs on /nonexistent" in result.stderr


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """A command sets up logging for its process; here that is the tests' own."""
    before, handlers = structlog.get_config(), logging.root.handlers
    yield
    structlog.configure(**before)
    logging.root.handlers = handlers


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_line(case: str) -> None:
    arguments, why = WRONG[case]
    level = "loud" if "log level" in case else "warning"
    result = CliRunner().invoke(app, arguments, env={"BALOOT_LOG": level})
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 1
    assert why in result.stderr
    assert result.stderr.startswith("baloot: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("command", NO_ID, ids=" ".join)
def test_what_is_no_id_is_said_alike_everywhere(command: list[str]) -> None:
    result = CliRunner().invoke(app, command, env={"BALOOT_LOG": "warning"})
    assert result.exit_code == (2 if command[0] in JUDGING else 1)
    what = "table" if command[0] in ("log", "looks") else "match"
    told = f"nope is not the id of a {what}: that is a UUID, as `baloot history` lists them"
    assert (result.stdout, result.stderr) == ("", f"baloot: {told}\n")


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize(("command", "code", "told"), NO_FILE)
def test_a_file_that_cannot_be_read_is_named(command: list[str], code: int, told: str) -> None:
    result = CliRunner().invoke(app, command, env={"BALOOT_LOG": "warning"})
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", f"baloot: {told}\n")


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("command", [["audit"], ["monitor", "deals"]])
@pytest.mark.parametrize("since", ["2026-01-31", "2026-01-31T20:15", "2026-01-31T20:15:30"])
def test_what_cannot_be_judged_is_no_verdict(command: list[str], since: str) -> None:
    result = CliRunner().invoke(app, [*command, "--data", "/nonexistent", "--since", since])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("baloot: no database runs on /nonexistent")


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize(
    "arguments",
    [["--language", "ar", "diff", "pagat", "jawaker"], ["diff", "--language", "ar", "pagat", "jawaker"]],
)
def test_the_language_of_the_rules_may_stand_before_what_is_asked_of_them(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["rules", *arguments], env={"BALOOT_LOG": "warning", "COLUMNS": "80"})
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split() == ["باغات", "جواكر"]


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize(
    ("before", "command", "code", "told"),
    [
        (["--status", "lost"], ["matches"], 1, "--status lost: choose one of playing, finished, abandoned"),
        (["--connect", NOWHERE], ["stats", "x"], 1, f"no server can be reached at {NOWHERE}"),
        (["--token-file", "/nowhere"], ["stats", "x"], 1, "/nowhere cannot be read"),
        (["--connect", NOWHERE], ["rebuild"], 2, "No such option: --connect"),
        (["--player", "Noura"], ["x"], 2, "No such option: --player"),
    ],
)
def test_options_before_a_command_of_history_are_for_it(
    before: list[str], command: list[str], code: int, told: str
) -> None:
    result = CliRunner().invoke(app, ["history", *before, *command], env={"BALOOT_LOG": "warning"})
    assert result.exit_code == code
    assert told in result.stderr


def test_what_takes_a_moment_is_said_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "baloot.app.playing", None)
    monkeypatch.delattr("baloot.app.playing", raising=False)
    result = CliRunner().invoke(app, ["play"])
    assert isinstance(result.exception, ImportError)
    assert result.stderr == "starting a server ...\n"


def test_a_process_that_fails_says_why_and_no_more() -> None:
    result = baloot("health", NOWHERE)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"baloot: no server can be reached at {NOWHERE}\n"


def test_an_unknown_option_is_a_usage_error() -> None:
    result = baloot("up", "--port", "7010")
    assert result.returncode == 2
    assert "No such option" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_service_stops_in_order_when_it_is_told_to(number: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "out"
    with log.open("w") as out:
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from baloot.app.cli import main; main()",
                "serve",
                "scoring",
                "--listen",
                "127.0.0.1:0",
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        until = time.monotonic() + 60
        while "baloot scoring is at 127.0.0.1:" not in log.read_text() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
    assert "Traceback" not in log.read_text()


def test_demo_shows_a_whole_match_and_ends() -> None:
    result = baloot("demo", NO_COLOR="1")
    assert result.returncode == 0, result.stderr
    assert "win the match" in result.stdout.splitlines()[-1]
    assert "score sheet" in result.stdout
    assert "\x1b" not in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
