"""The commands of `serve`, each of which runs one service alone, and `migrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from baloot.app.cli.command import group, runs
from baloot.app.cli.options import AUDIENCE, HERE, Database, IdentityKeyFile
from baloot.app.cli.server_options import INSIDE, AccessOptions, Listen, Reflection, ServerOptions
from baloot.app.work import Work

serve = group("Run one service alone, until Ctrl-C.")


@serve.command("dealing")
@runs("info")
def dealing(
    dealing_key_file: Annotated[
        Path | None,
        typer.Option(
            help="The file of the key that seals the seeds of deals: 32 bytes, made when missing. "
            "All replicas of dealing share one.",
            envvar="BALOOT_DEALING_KEY_FILE",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    listen: Listen = "127.0.0.1:7001",
    reflection: Reflection = False,
) -> Work:
    """The dealing service: shuffles that can be verified."""
    from baloot.app import keys, platform, serving

    settings = ServerOptions(listen, reflection).unlimited(AccessOptions(guests=INSIDE))
    service = platform.serve_rules("dealing", settings, keys.named_key("dealing", dealing_key_file))
    return lambda stop: serving.serve(service, "dealing", stop)


@serve.command("bidding")
@runs("info")
def bidding(
    server: ServerOptions = ServerOptions("127.0.0.1:7002"),
    access: AccessOptions = AccessOptions(guests=INSIDE),
) -> Work:
    """The bidding service: what may be said while buying."""
    return _judge("bidding", server, access)


@serve.command("play")
@runs("info")
def play(
    server: ServerOptions = ServerOptions("127.0.0.1:7003"),
    access: AccessOptions = AccessOptions(guests=INSIDE),
) -> Work:
    """The play service: which card may be played."""
    return _judge("play", server, access)


@serve.command("scoring")
@runs("info")
def scoring(
    server: ServerOptions = ServerOptions("127.0.0.1:7004"),
    access: AccessOptions = AccessOptions(guests=INSIDE),
) -> Work:
    """The scoring service: what a round is worth."""
    return _judge("scoring", server, access)


def _judge(name: str, server: ServerOptions, access: AccessOptions) -> Work:
    from baloot.app import platform, serving

    service = platform.serve_rules(name, server.judging(access))
    return lambda stop: serving.serve(service, name, stop)


@serve.command("table")
@runs("info")
def table(
    database: Database,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            help="Where a rule service is; one option for each of dealing, bidding, play and scoring.",
            envvar="BALOOT_RULES",
            metavar="NAME=ADDRESS",
            show_default=False,
        ),
    ] = None,
    server: ServerOptions = ServerOptions(HERE),
    access: AccessOptions = AccessOptions(),
) -> Work:
    """The table service: players, turns and the log."""
    from baloot.app import platform, serving

    addresses = serving.rule_addresses(rules or ())
    service = platform.serve_table(database, addresses, server.public(access))
    return lambda stop: serving.serve(service, "table", stop)


@serve.command("history")
@runs("info")
def history(
    database: Database,
    dealing: Annotated[
        str | None,
        typer.Option(
            help="Where the dealing service is, which gives the keys that open hands. Unset: no replays and no exports.",
            envvar="BALOOT_DEALING",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    server: ServerOptions = ServerOptions("127.0.0.1:7020"),
    access: AccessOptions = AccessOptions(),
) -> Work:
    """The history service: what was played."""
    from baloot.app import platform, serving

    service = platform.serve_history(database, server.public(access), dealing)
    return lambda stop: serving.serve(service, "history", stop)


@serve.command("identity")
@runs("info")
def identity(
    database: Database,
    identity_key_file: IdentityKeyFile = None,
    issuer_name: Annotated[
        str,
        typer.Option(
            help="What access tokens name as their issuer.", envvar="BALOOT_ISSUER_NAME", metavar="NAME"
        ),
    ] = "baloot",
    audience: Annotated[
        str,
        typer.Option(help="Whom access tokens are made for.", envvar="BALOOT_AUDIENCE", metavar="NAME"),
    ] = AUDIENCE,
    token_seconds: Annotated[
        int,
        typer.Option(
            help="Seconds that an access token is good.", min=10, max=86_400, envvar="BALOOT_TOKEN_SECONDS"
        ),
    ] = 600,
    server: ServerOptions = ServerOptions("127.0.0.1:7030"),
) -> Work:
    """The identity service: accounts, sign-ins and API keys."""
    from baloot.app import keys, platform, serving
    from baloot.identity.records import SECOND
    from baloot.identity.signing import Issuer

    settings = server.public(AccessOptions(audience=audience))
    issuer = Issuer(issuer_name, audience, token_seconds * SECOND)
    key = keys.named_key("identity", identity_key_file)
    service = platform.serve_identity(database, key, issuer, settings)
    return lambda stop: serving.serve(service, "identity", stop)


@runs()
def migrate(database: Database) -> Work:
    """Bring a database to the tables that this version needs."""
    from baloot.app import serving

    return serving.migrate(database)
