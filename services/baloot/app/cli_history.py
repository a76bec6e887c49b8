# ruff: noqa: PLC0415, FBT002 - as in the module of the commands
"""The commands of `history`: what can be typed, and what each option means."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from baloot.app.options import HERE, Connect, Data, LanguageName, RunningDatabase, TokenFile, Words
from typer.core import TyperGroup

if TYPE_CHECKING:
    from baloot.app.terminal.terms import Language


class MatchOrCommand(TyperGroup):
    """What is no command is the id of a match. Options that stand before a command are meant for it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = not args or args[0] in self.commands
        name, command, rest = super().resolve_command(ctx, args if known else ["match", *args])
        taken = {param.name for param in command.params} if command else set()
        before = [
            word
            for option in ("connect", "language")
            if option in taken and _was_typed(ctx, option)
            for word in (f"--{option}", str(ctx.params[option]))
        ]
        return name, command, [*before, *rest]


def _was_typed(ctx: Any, option: str) -> bool:
    source = ctx.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


history = typer.Typer(
    cls=MatchOrCommand,
    help="What was played: matches, players, replays and links.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

Match = Annotated[str, typer.Argument(help="The id of a match, as `history` lists it.")]
Player = Annotated[str, typer.Option("--player", help="List only matches of the player with this name.")]
Status = Annotated[
    str | None,
    typer.Option(help="List only matches that are playing, finished or abandoned.", show_default=False),
]
Count = Annotated[int, typer.Option(help="How many to list at most.", min=1)]
Account = Annotated[str, typer.Argument(help="The account of a player.")]
Seat = Annotated[
    str | None,
    typer.Option(
        help="See it as south, east, north or west did. Unset: as the public did.", show_default=False
    ),
]
Open = Annotated[bool, typer.Option("--open", help="See all four hands.")]


@history.callback()
def list_or_show(
    context: typer.Context,
    player: Player = "",
    status: Status = None,
    count: Count = 20,
    connect: Connect = HERE,
    language: Words = LanguageName.en,
) -> None:
    """What was played: lists matches, or shows one with all its score sheets when its id is given."""
    if context.invoked_subcommand is None:
        from baloot.app import reports

        _run(lambda _: reports.list_matches(connect, player, status, count, _language(language)))


@history.command("matches")
def matches(
    player: Player = "",
    player_id: Annotated[str, typer.Option(help="List only matches of this account.")] = "",
    partner: Annotated[str, typer.Option(help="Only those in which this account was its partner.")] = "",
    opponent: Annotated[str, typer.Option(help="Only those that it played against this account.")] = "",
    outcome: Annotated[
        str | None, typer.Option(help="Only those that it won or lost: won, lost.", show_default=False)
    ] = None,
    rules: Annotated[str, typer.Option(help="Only those by this rule set.")] = "",
    event: Annotated[str, typer.Option(help="Only those of this event.")] = "",
    status: Status = None,
    count: Count = 20,
    connect: Connect = HERE,
    language: Words = LanguageName.en,
) -> None:
    """List matches by everything that can be asked of them."""
    from baloot.app import recalling, reports

    async def work(_: object) -> None:
        wanted = recalling.wanted(player, player_id, partner, opponent, outcome, rules, event, status, count)
        await reports.print_matches(connect, wanted, count, _language(language))

    _run(work)


@history.command("match")
def match(match: Match, connect: Connect = HERE, language: Words = LanguageName.en) -> None:
    """Show one match with all its score sheets."""
    from baloot.app import reports

    _run(lambda _: reports.show_match(connect, match, _language(language)))


@history.command("replay")
def replay(
    match: Match,
    number: Annotated[int, typer.Argument(help="The number of the deal.", min=1)],
    seat: Seat = None,
    open_: Open = False,
    at: Annotated[int, typer.Option(help="Begin after the entry with this number. 0: with the deal.")] = 0,
    connect: Connect = HERE,
    language: Words = LanguageName.en,
) -> None:
    """Replay a round that is over, as it was seen."""
    from baloot.app import recalling

    _run(lambda _: recalling.replay(connect, match, number, seat, at, _language(language), open_=open_))


@history.command("stats")
def stats(
    player: Account,
    against: Annotated[
        str | None,
        typer.Option(
            help="Tell how both accounts did with and against each other. Unset: all that it did, and with whom.",
            show_default=False,
        ),
    ] = None,
    connect: Connect = HERE,
) -> None:
    """Tell what an account did in its finished matches."""
    from baloot.app import recalling

    _run(lambda _: recalling.statistics(connect, player, against))


@history.command("share")
def share(
    match: Match,
    number: Annotated[
        int, typer.Option("--round", help="Share only the deal with this number. 0: the match.", min=0)
    ] = 0,
    seat: Seat = None,
    open_: Open = False,
    days: Annotated[float, typer.Option(help="For how many days the link is good.", min=0.001, max=366)] = 30,
    token_file: TokenFile = None,
    connect: Connect = HERE,
) -> None:
    """Make a link to a match, and print its token."""
    from baloot.app import recalling

    _run(lambda _: recalling.share(connect, token_file, match, number, seat, days, open_=open_))


@history.command("shares")
def shares(token_file: TokenFile = None, connect: Connect = HERE) -> None:
    """List the links of an account that are good."""
    from baloot.app import recalling

    _run(lambda _: recalling.list_shares(connect, token_file))


@history.command("withdraw")
def withdraw(
    share: Annotated[str, typer.Argument(help="The id of a link, as `history shares` lists it.")],
    token_file: TokenFile = None,
    connect: Connect = HERE,
) -> None:
    """End a link before its time."""
    from baloot.app import recalling

    _run(lambda _: recalling.withdraw(connect, token_file, share))


@history.command("rebuild")
def rebuild(
    database: RunningDatabase = None,
    data: Data = None,
    from_scratch: Annotated[
        bool,
        typer.Option("--from-scratch", help="Begin with the first table, even if one was stopped half-way."),
    ] = False,
) -> None:
    """Make history anew out of the logs; goes on where it was stopped."""
    from baloot.app import rebuilding
    from baloot.app.stored import find_database

    async def work(stop: Any) -> int | None:
        return await rebuilding.rebuild(find_database(database, data), stop, from_scratch=from_scratch)

    _run(work)


def _run(command: Callable[[Any], Coroutine[Any, Any, int | None]]) -> NoReturn:
    from baloot.app.commands import run

    raise typer.Exit(run(command, log_level="warning"))


def _language(name: LanguageName) -> Language:
    from baloot.app.terminal.terms import Language

    return Language(name.value)
