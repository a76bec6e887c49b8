"""The options of whatever serves: where it listens, how often it may be called, and whose access tokens it takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from baloot.app.cli.options import AUDIENCE

if TYPE_CHECKING:
    from baloot.kit.access import AccessSettings
    from baloot.kit.quotas import Quotas
    from baloot.kit.serving import ServerSettings

GUESTS = "player,spectator,bot"
"""What guests may be, unless it is said."""
INSIDE = f"{GUESTS},service"
"""The same for a rule service alone, which the installation's own services ask without a token."""

Listen = Annotated[
    str,
    typer.Option(
        help="Where to listen: HOST:PORT (port 0: a free one) or unix:/path.",
        envvar="BALOOT_LISTEN",
        metavar="ADDRESS",
    ),
]
Reflection = Annotated[
    bool,
    typer.Option(help="Let tools such as grpcurl ask what the server offers.", envvar="BALOOT_REFLECTION"),
]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        help="What a caller may do, one option for each limit; `off` for no limits at all. Rates are CALLS/s+BURST, "
        "or /m, /h: commands (5/s+10) and watches (10/m+20) of a seat, opens (2/s+100), calls (50/s+200) and "
        "replays (2/s+50) of an address. Counts: streams (500) and open tables (100) of an address, all_streams (20000), "
        "connections (10000). 0 is no limit.",
        envvar="BALOOT_LIMIT",
        metavar="NAME=VALUE",
        show_default=False,
    ),
]
Trusted = Annotated[
    list[str] | None,
    typer.Option(
        "--trusted-proxy",
        help="A network, an address or `unix` whose x-forwarded-for is believed, one option for each: your proxies. "
        "Unset: whoever connects is the caller.",
        envvar="BALOOT_TRUSTED_PROXY",
        metavar="NETWORK",
        show_default=False,
    ),
]
Exempt = Annotated[
    list[str] | None,
    typer.Option(
        help="A network, an address or `unix` whose calls are not limited, one option for each: your own services; "
        "`none` for nobody. Unset: nobody; of bidding, play and scoring alone: this machine and private networks.",
        envvar="BALOOT_EXEMPT",
        metavar="NETWORK",
        show_default=False,
    ),
]
Issuer = Annotated[
    list[str] | None,
    typer.Option(
        help="Whose access tokens are taken, one option for each issuer: as it stands in `iss`, and the file or the http "
        "or https URL of its public keys, or grpc:// and the address of an identity service. Unset: nobody's, and all "
        "are guests, except that `up` and `run` take those of their own accounts.",
        envvar="BALOOT_ISSUER",
        metavar="ISSUER=JWKS",
        show_default=False,
    ),
]
Audience = Annotated[
    str,
    typer.Option(
        help="What access tokens for this server have in their claim `aud`.",
        envvar="BALOOT_AUDIENCE",
        metavar="NAME",
    ),
]
Guests = Annotated[
    str,
    typer.Option(
        help="What whoever comes without an access token may be, separated by commas: player, spectator, bot, and for "
        "a rule service `service`, which its tables need; `none` for nothing.",
        envvar="BALOOT_GUESTS",
        metavar="ROLES",
    ),
]


@dataclass(frozen=True, slots=True)
class AccessOptions:
    """Whose access tokens a server takes, and what guests may be."""

    issuer: Issuer = None
    audience: Audience = AUDIENCE
    guests: Guests = GUESTS

    def settings(self) -> AccessSettings:
        """What they come to. Raises SetupError."""
        from baloot.app.issuers import told_access

        with _for_the_operator():
            return told_access(self.issuer or (), self.audience, self.guests)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where a server listens, and how often it may be called."""

    listen: Listen
    reflection: Reflection = False
    limit: Limit = None
    trusted: Trusted = None
    exempt: Exempt = None

    def public(self, access: AccessOptions) -> ServerSettings:
        """The settings of a server for players. Raises SetupError."""
        from baloot.kit.quotas import PUBLIC

        return self._settings(PUBLIC, access)

    def judging(self, access: AccessOptions) -> ServerSettings:
        """The settings of a rule service alone, which tables ask. Raises SetupError."""
        from baloot.kit.quotas import JUDGING

        return self._settings(JUDGING, access)

    def unlimited(self, access: AccessOptions) -> ServerSettings:
        """The settings of a service that tables alone reach. Raises SetupError."""
        from baloot.kit.quotas import Quotas

        return self._settings(Quotas(), access)

    def _settings(self, start: Quotas, access: AccessOptions) -> ServerSettings:
        from baloot.kit.quotas import told
        from baloot.kit.serving import ServerSettings

        with _for_the_operator("--limit "):
            quotas = told(start, self.limit or ())
        with _for_the_operator("--trusted-proxy "):
            quotas = told(quotas, (), self.trusted or ())
        with _for_the_operator("--exempt "):
            quotas = told(quotas, (), (), self.exempt or ())
        return ServerSettings(
            self.listen, reflection=self.reflection, quotas=quotas, access=access.settings()
        )


@contextmanager
def _for_the_operator(option: str = "") -> Iterator[None]:
    """What is wrong with an option is for the operator to set right; it is named where the error does not."""
    from baloot.app.errors import SetupError

    try:
        yield
    except ValueError as error:
        raise SetupError(f"{option}{error}") from error
