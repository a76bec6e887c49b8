"""The commands of `history`, and `explain`."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from baloot.app.cli.command import PassingOn, group, runs
from baloot.app.cli.options import Installation, Match, MatchFilter, PlayerName, Server, Words
from baloot.app.terminal.language import Language
from baloot.app.work import Work


class MatchOrCommand(PassingOn):
    """What is no command is the id of a match."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = not args or args[0] in self.commands
        return super().resolve_command(ctx, args if known else ["match", *args])


history = group(
    "What was played: matches, players, replays and links.",
    cls=MatchOrCommand,
    no_args_is_help=False,
    invoke_without_command=True,
)

Status = Annotated[
    str | None,
    typer.Option(
        help="Only matches that are playing, finished or abandoned.", metavar="STATUS", show_default=False
    ),
]
Count = Annotated[int, typer.Option(help="How many to list at most.", min=1)]
Seat = Annotated[
    str | None,
    typer.Option(
        help="See it as south, east, north or west did. Unset: as the public did.",
        metavar="SEAT",
        show_default=False,
    ),
]
Open = Annotated[bool, typer.Option("--open", help="See all four hands.")]


@history.callback()
@runs()
def list_matches(
    context: typer.Context,
    player: PlayerName = "",
    status: Status = None,
    count: Count = 20,
    server: Server = Server(),
    language: Words = Language.ENGLISH,
) -> Work:
    """What was played: lists matches, or shows one with all its score sheets when its id is given."""
    if context.invoked_subcommand is not None:
        return None
    from baloot.app import reports

    return reports.list_matches(server.asked, player, status, count, language)


@history.command("matches")
@runs()
def matches(
    of: MatchFilter = MatchFilter(),
    partner: Annotated[
        str,
        typer.Option(
            help="With --player-id: only those in which this account was its partner.", metavar="ACCOUNT"
        ),
    ] = "",
    opponent: Annotated[
        str,
        typer.Option(
            help="With --player-id: only those that it played against this account.", metavar="ACCOUNT"
        ),
    ] = "",
    outcome: Annotated[
        str | None,
        typer.Option(
            help="With --player-id: only those that it won or lost: won, lost.",
            metavar="OUTCOME",
            show_default=False,
        ),
    ] = None,
    status: Status = None,
    count: Count = 20,
    server: Server = Server(),
    language: Words = Language.ENGLISH,
) -> Work:
    """List matches by everything that can be asked of them."""
    from baloot.app import recalling, reports

    wanted = recalling.wanted(
        of.player, of.player_id, partner, opponent, outcome, of.rules, of.event, status, count
    )
    return reports.print_matches(server.asked, wanted, count, language)


@history.command("match")
@runs()
def match(match: Match, server: Server = Server(), language: Words = Language.ENGLISH) -> Work:
    """Show one match with all its score sheets."""
    from baloot.app import reports

    return reports.show_match(server.asked, match, language)


@runs()
def explain(
    match: Match,
    number: Annotated[
        int | None,
        typer.Option("--round", help="Explain only the round with this number.", show_default=False, min=1),
    ] = None,
    server: Server = Server(),
    language: Words = Language.ENGLISH,
) -> Work:
    """Explain every figure of a match that was played."""
    from baloot.app import reports

    return reports.explain_match(server.asked, match, number, language)


@history.command("replay")
@runs()
def replay(
    match: Match,
    number: Annotated[int, typer.Argument(help="The number of the round.", metavar="ROUND", min=1)],
    seat: Seat = None,
    open_: Open = False,
    at: Annotated[
        int, typer.Option(help="Begin after the entry with this number. 0: with the deal.", min=0)
    ] = 0,
    server: Server = Server(),
    language: Words = Language.ENGLISH,
) -> Work:
    """Replay a round that is over, as it was seen."""
    from baloot.app import recalling

    return recalling.replay(server.asked, match, number, seat, at, language, open_=open_)


@history.command("stats")
@runs()
def stats(
    player: Annotated[str, typer.Argument(help="The id of an account.", metavar="ACCOUNT")],
    against: Annotated[
        str | None,
        typer.Option(
            help="Tell how both accounts did with and against each other. Unset: all that it did, and with whom.",
            metavar="ACCOUNT",
            show_default=False,
        ),
    ] = None,
    server: Server = Server(),
) -> Work:
    """Tell what an account did in its finished matches."""
    from baloot.app import recalling

    return recalling.statistics(server.asked, player, against)


@history.command("share")
@runs()
def share(
    match: Match,
    number: Annotated[
        int, typer.Option("--round", help="Share only the round with this number. 0: the match.", min=0)
    ] = 0,
    seat: Seat = None,
    open_: Open = False,
    days: Annotated[float, typer.Option(help="For how many days the link is good.", min=0.001, max=366)] = 30,
    server: Server = Server(),
) -> Work:
    """Make a link to a match, and print its token."""
    from baloot.app import recalling

    return recalling.share(server.asked, match, number, seat, days, open_=open_)


@history.command("shares")
@runs()
def shares(server: Server = Server()) -> Work:
    """List the links of an account that are good."""
    from baloot.app import recalling

    return recalling.list_shares(server.asked)


@history.command("withdraw")
@runs()
def withdraw(
    share: Annotated[str, typer.Argument(help="The id of a link, as `baloot history shares` lists it.")],
    server: Server = Server(),
) -> Work:
    """End a link before its time."""
    from baloot.app import recalling

    return recalling.withdraw(server.asked, share)


@history.command("rebuild")
@runs()
def rebuild(
    at: Installation = Installation(),
    from_scratch: Annotated[
        bool,
        typer.Option("--from-scratch", help="Begin with the first table, even if one was stopped half-way."),
    ] = False,
) -> Work:
    """Make history anew out of the logs; goes on where it was stopped."""
    from baloot.app import rebuilding

    return rebuilding.rebuild(at.url, from_scratch=from_scratch)
