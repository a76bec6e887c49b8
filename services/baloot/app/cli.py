# ruff: noqa: PLC0415, FBT002 - a command imports what it needs, so that the small ones start at once; flags are bools
"""The `baloot` command: what can be typed, and what each option means. The work is done in the modules beside it."""

from __future__ import annotations

from asyncio import Event
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from baloot.app import cli_audit, cli_history, cli_identity, cli_monitor, cli_notation, cli_verify
from baloot.app.options import (
    ANSWER_SECONDS,
    AUDIENCE,
    GUESTS,
    HERE,
    INSIDE,
    Address,
    Audience,
    Connect,
    Data,
    Database,
    DealingKey,
    Exempt,
    Guests,
    Issuer,
    LanguageName,
    Limit,
    Listen,
    Reflection,
    RunningDatabase,
    Trusted,
    Words,
    access,
    dealt,
    judging,
    public,
)

if TYPE_CHECKING:
    from baloot.app.terminal.terms import Language
    from baloot.kit.serving import ServerSettings

app = typer.Typer(
    help="A backend for the Saudi card game Baloot: run it, play on it, look into it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
serve = typer.Typer(help="Run one service alone, until Ctrl-C.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(serve, name="serve")
rules = typer.Typer(
    help="The rule sets by which Baloot is played.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(rules, name="rules")
serve.command("identity")(cli_identity.serve_identity)
app.command("audit")(cli_audit.audit)
app.add_typer(cli_history.history, name="history")
app.add_typer(cli_identity.accounts, name="accounts")
app.add_typer(cli_identity.keys, name="keys")
app.add_typer(cli_monitor.monitor, name="monitor")
app.add_typer(cli_notation.notation, name="notation")
app.command()(cli_notation.export)
app.command("import")(cli_notation.import_matches)
app.command("proof")(cli_verify.proof)
app.command("verify")(cli_verify.verify)


@app.command()
def up(
    data: Data = None,
    listen: Listen = HERE,
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = GUESTS,
) -> None:
    """Run everything in one process, database included."""
    from baloot.app import serving

    folder = _folder(data)
    settings = public(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection)
    _run(lambda stop: serving.up(folder, settings, stop))


@app.command()
def run(
    data: Data = None,
    listen: Listen = HERE,
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = GUESTS,
    think: Annotated[
        float, typer.Option(help="Seconds that a bot takes for an answer.", min=0, max=60)
    ] = 0.7,
    language: Words = LanguageName.en,
) -> None:
    """Run everything and show a match between bots."""
    words = _language(language)
    _say_starting(words)
    from baloot.app import showing

    folder = _folder(data)
    settings = public(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection)
    _run(lambda stop: showing.run(folder, settings, stop, think=think, language=words), "warning")


@app.command()
def demo(language: Words = LanguageName.en) -> None:
    """Show one match between bots, as fast as it goes."""
    words = _language(language)
    _say_starting(words)
    from baloot.app import showing

    _run(lambda stop: showing.demo(stop, language=words), "warning")


@app.command()
def play(
    connect: Annotated[
        str | None,
        typer.Option(
            help="The server to play on. Unset: one that is started for this match alone.",
            envvar="BALOOT_CONNECT",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            help="The id of an open table to sit down at. Unset: a new table with three bots.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the others see you called.", envvar="BALOOT_NAME")] = "You",
    rules: Annotated[
        str | None,
        typer.Option(
            help="The rule set of a new table, as `rules list` names it. Unset: standard.", show_default=False
        ),
    ] = None,
    call_time: Annotated[
        float, typer.Option(help="Seconds that a new table gives for each call.", min=0.1, max=600)
    ] = ANSWER_SECONDS,
    card_time: Annotated[
        float, typer.Option(help="Seconds that a new table gives for each card.", min=0.1, max=600)
    ] = ANSWER_SECONDS,
    bank: Annotated[
        float,
        typer.Option(
            help="Seconds that each player of a new table has besides, for the whole match.", min=0, max=3600
        ),
    ] = 0,
    language: Words = LanguageName.en,
) -> None:
    """Take a seat at a table in this terminal."""
    own_times = (call_time, card_time, bank)
    if table is not None and connect is None:
        _fail("--table needs --connect: the server that the table is on")
    if table is not None and rules is not None:
        _fail("--rules is for a new table: the one named with --table has its own")
    if table is not None and own_times != (ANSWER_SECONDS, ANSWER_SECONDS, 0):
        _fail(
            "--call-time, --card-time and --bank are for a new table: the one named with --table has its own"
        )
    words = _language(language)
    if connect is None:
        _say_starting(words)
    from baloot.app import playing

    seat = playing.Place(connect, table, name, rules or "standard", words, *own_times)
    _run(lambda stop: playing.play(stop, seat), "warning")


@serve.command()
def dealing(
    listen: Listen = "127.0.0.1:7001",
    dealing_key_file: Annotated[
        Path | None,
        typer.Option(
            help="The file of the key that seals the seeds of deals: 32 bytes, made when missing. "
            "All replicas of dealing share one.",
            envvar="BALOOT_DEALING_KEY_FILE",
            show_default=False,
        ),
    ] = None,
    reflection: Reflection = False,
) -> None:
    """The dealing service: shuffles that can be verified."""
    _serve_rules("dealing", dealt(listen, reflection=reflection), dealing_key_file)


@serve.command()
def bidding(
    listen: Listen = "127.0.0.1:7002",
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = INSIDE,
) -> None:
    """The bidding service: what may be said while buying."""
    _serve_rules(
        "bidding",
        judging(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection),
        None,
    )


@serve.command("play")
def serve_play(
    listen: Listen = "127.0.0.1:7003",
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = INSIDE,
) -> None:
    """The play service: which card may be played."""
    _serve_rules(
        "play",
        judging(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection),
        None,
    )


@serve.command()
def scoring(
    listen: Listen = "127.0.0.1:7004",
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = INSIDE,
) -> None:
    """The scoring service: what a round is worth."""
    _serve_rules(
        "scoring",
        judging(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection),
        None,
    )


@serve.command("table")
def serve_table(
    database: Database,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            help="Where a rule service is, as NAME=ADDRESS; once for each of dealing, bidding, play, scoring.",
            envvar="BALOOT_RULES",
            show_default=False,
        ),
    ] = None,
    listen: Listen = HERE,
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = GUESTS,
) -> None:
    """The table service: players, turns and the log."""
    from baloot.app import serving
    from baloot.app.errors import SetupError

    try:
        addresses = serving.rule_addresses(rules or [])
    except SetupError as error:
        _fail(str(error))
    settings = public(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection)
    _run(lambda stop: serving.serve(serving.table_service(database, addresses, settings), "table", stop))


@serve.command("history")
def serve_history(
    database: Database,
    dealing: Annotated[
        str | None,
        typer.Option(
            help="Where the dealing service is, which gives the keys that open hands. Unset: no replays and no exports.",
            envvar="BALOOT_DEALING",
            show_default=False,
        ),
    ] = None,
    listen: Listen = "127.0.0.1:7020",
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
    issuer: Issuer = None,
    audience: Audience = AUDIENCE,
    guests: Guests = GUESTS,
) -> None:
    """The history service: what was played."""
    from baloot.app import serving

    settings = public(listen, limit, trusted, exempt, access(issuer, audience, guests), reflection=reflection)
    service = serving.history_service(database, dealing, settings)
    _run(lambda stop: serving.serve(service, "history", stop))


@rules.callback()
def rules_language(context: typer.Context, language: Words = LanguageName.en) -> None:
    """The rule sets by which Baloot is played."""
    context.default_map = {name: {"language": language} for name in ("list", "show", "diff")}


@rules.command("list")
def list_rules(language: Words = LanguageName.en) -> None:
    """List the rule sets that are known by name."""
    from baloot.app import rulebook

    _run(lambda _: rulebook.list_rulesets(_language(language)), "warning")


@rules.command("show")
def show_rules(
    name: Annotated[str, typer.Argument(help="The name of a rule set, as `rules list` tells it.")],
    language: Words = LanguageName.en,
) -> None:
    """Show every option of a rule set and what it means."""
    from baloot.app import rulebook

    _run(lambda _: rulebook.show_ruleset(name, _language(language)), "warning")


@rules.command("diff")
def diff_rules(
    first: Annotated[str, typer.Argument(help="The name of a rule set.")],
    second: Annotated[str, typer.Argument(help="The name of another one.")],
    language: Words = LanguageName.en,
) -> None:
    """Show where two rule sets differ, side by side."""
    from baloot.app import rulebook

    _run(lambda _: rulebook.show_differences(first, second, _language(language)), "warning")


@app.command()
def migrate(database: Database) -> None:
    """Bring a database to the tables that this version needs."""
    from baloot.app import serving

    _run(lambda _: serving.migrate(database), "warning")


@app.command()
def explain(
    match: Annotated[str, typer.Argument(help="The id of a match, as `history` lists it.")],
    number: Annotated[
        int | None,
        typer.Option("--round", help="Explain only the round with this number.", show_default=False, min=1),
    ] = None,
    connect: Connect = HERE,
    language: Words = LanguageName.en,
) -> None:
    """Explain every figure of a match that was played."""
    from baloot.app import reports

    _run(lambda _: reports.explain_match(connect, match, number, _language(language)), "warning")


@app.command()
def looks(
    table: Annotated[str, typer.Argument(help="The id of the table.")],
    token_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the access token of an organiser, a referee or an admin.",
            envvar="BALOOT_TOKEN_FILE",
            show_default=False,
        ),
    ] = None,
    connect: Connect = HERE,
) -> None:
    """List who has looked at a table with all hands open."""
    from baloot.app.looks import show_looks

    _run(lambda _: show_looks(connect, table, token_file), "warning")


@app.command()
def log(
    table: Annotated[str, typer.Argument(help="The id of the table.")],
    database: RunningDatabase = None,
    data: Data = None,
    dealing_key_file: DealingKey = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Show the hands of a round that is still played, too.")
    ] = False,
) -> None:
    """Print the log of a table in plain words."""
    from baloot.app import logbook
    from baloot.app.stored import find_logs

    async def show(_: Event) -> None:
        await logbook.show_log(find_logs(database, data, dealing_key_file), table, secrets=secrets)

    _run(show, "warning")


@app.command()
def health(
    address: Address = HERE,
    service: Annotated[str, typer.Option(help="The full name of one service. Unset: the whole server.")] = "",
) -> None:
    """Ask a server whether it is ready: exit code 0 if so."""
    from baloot.app import probes

    _run(lambda _: probes.health(address, service), "error")


@app.command()
def info(address: Address = HERE) -> None:
    """Ask a server what it is."""
    from baloot.app import probes

    _run(lambda _: probes.info(address), "error")


@app.command()
def version() -> None:
    """Print the version."""
    from importlib.metadata import version as version_of

    print(version_of("baloot-services"))


def _serve_rules(name: str, settings: ServerSettings, key_file: Path | None) -> None:
    from baloot.app import serving

    _run(lambda stop: serving.serve(serving.rule_service(name, settings, key_file), name, stop))


def _run(command: Callable[[Event], Coroutine[Any, Any, int | None]], log_level: str = "info") -> None:
    from baloot.app.commands import run as run_command

    raise typer.Exit(run_command(command, log_level=log_level))


def _fail(message: str) -> NoReturn:
    from baloot.app.commands import FAILED, complain

    complain(message)
    raise typer.Exit(FAILED)


def _say_starting(language: Language) -> None:
    """Says what is going on before everything is imported and started, which takes seconds."""
    from baloot.app.terminal.terms import Word, say

    typer.echo(f"{say(Word.STARTING, language)} ...", err=True)


def _folder(data: Path | None) -> Path:
    from baloot.app.embedded import default_data

    return data or default_data()


def _language(name: LanguageName) -> Language:
    from baloot.app.terminal.terms import Language

    return Language(name.value)


def main() -> None:
    """What the `baloot` script runs."""
    app()
