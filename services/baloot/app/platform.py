"""The composition root: which parts run together, here or apart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import structlog
from baloot.app.embedded import Cluster, ClusterError
from baloot.app.errors import SetupError
from baloot.app.keys import DEALING_KEY, IDENTITY_KEY, kept_key
from baloot.app.migrate import migrate
from baloot.app.parts import history_part, identity_part, table_part
from baloot.app.readiness import CHECK_EVERY, serving
from baloot.app.rules import LocalRules, local_rules, remote_rules
from baloot.bidding import server as bidding_server
from baloot.dealing import server as dealing_server
from baloot.dealing.client import RemoteDealing
from baloot.dealing.sealing import KEY_BYTES
from baloot.identity.service import Identity
from baloot.identity.signing import Issuer
from baloot.kit.addresses import require_free
from baloot.kit.channels import open_channel
from baloot.kit.serving import Server, ServerSettings, Service
from baloot.play import server as play_server
from baloot.rulesets import server as rulesets_server
from baloot.rulesets.local import LocalRulesets
from baloot.scoring import server as scoring_server
from baloot.table.postgres import PostgresStore
from baloot.table.server_keys import AskStoreKey, WrongDealingKey

Tell = Callable[[str], None]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Running:
    """A platform that runs: where to connect, and the address of its database."""

    address: str
    database: str


# Everything in one process.


@asynccontextmanager
async def up(
    data: Path, settings: ServerSettings, *, tell: Tell = lambda _: None, durable: bool = True
) -> AsyncIterator[Running]:
    """Everything in this process, over a database of its own in the folder `data`.

    The rule services are plain calls to the table, and are served beside it and the rule sets, but for dealing, which
    is nobody else's business. Raises ClusterError, CannotListen or SetupError. Must run in the main thread.
    """
    require_free(settings.listen)  # before a database is made that nobody could ask
    with Cluster(data, durable=durable, tell=tell) as cluster:
        url = cluster.url()
        await migrate(url)
        keys = kept_key(data / DEALING_KEY), kept_key(data / IDENTITY_KEY)
        async with _everything(url, *keys, settings) as server, _reviving(cluster):
            yield Running(server.address, url)


@asynccontextmanager
async def _everything(
    url: str, dealing_key: bytes, identity_key: bytes, settings: ServerSettings
) -> AsyncIterator[Server]:
    """All services over a database that is migrated."""
    rules = local_rules(dealing_key)
    await _require_own(url, rules.dealing.store_key)
    store = PostgresStore(url, rules.dealing.match_key, store_key=rules.dealing.store_key)
    issuer = Issuer(audience=settings.access.audience)
    async with (
        table_part(store, url, rules, settings.quotas.tables, accounts=True) as (table, orchestrator),
        history_part(store, url) as (history, projection),
        identity_part(store, url, identity_key, issuer) as (identity, accounts),
    ):
        orchestrator.on_entry = projection.hint
        await store.open()
        parts = [table, history, identity]
        services = [*table.services, rulesets(), *history.services, *identity.services, *_judges(dealing_key)]
        async with serving(services, _trusting(settings, issuer, accounts), parts) as server:
            yield server


async def _require_own(url: str, store_key: AskStoreKey) -> None:
    """Raises SetupError when the database was begun with another dealing key."""
    async with PostgresStore(url, store_key=store_key) as store:
        try:
            await store.check_keys()
        except WrongDealingKey as error:
            raise SetupError(str(error)) from error


def _judges(dealing_key: bytes) -> list[Service]:
    """Rule services of their own: what strangers ask must not push the tables' states out of memory."""
    services = rule_services(local_rules(dealing_key))
    return [service for name, service in services.items() if name != "dealing"]


@asynccontextmanager
async def _reviving(cluster: Cluster) -> AsyncIterator[None]:
    """Starts the database again whenever it ends by itself, as when the machine was out of memory."""
    watching = asyncio.create_task(_keep_alive(cluster))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _keep_alive(cluster: Cluster) -> None:
    while True:
        await asyncio.sleep(CHECK_EVERY)
        try:
            if cluster.revive():
                log.warning("the database ended by itself and is started again")
        except ClusterError as error:
            log.warning("the database ended by itself and cannot be started", why=str(error))


# Each service alone.


@asynccontextmanager
async def serve_rules(
    name: str, settings: ServerSettings, dealing_key: bytes = bytes(KEY_BYTES)
) -> AsyncIterator[Server]:
    """One rule service alone; the key matters to dealing and to no other."""
    async with serving([rule_services(local_rules(dealing_key))[name]], settings) as server:
        yield server


@asynccontextmanager
async def serve_table(
    url: str, addresses: Mapping[str, str], settings: ServerSettings
) -> AsyncIterator[Server]:
    """The table service with the rule sets that its tables may have, asking the rule services at their addresses."""
    accounts, open_tables = bool(settings.access.issuers), settings.quotas.tables
    async with remote_rules(addresses) as rules:
        store = PostgresStore(url, rules.dealing.match_key, store_key=rules.dealing.store_key)
        async with (
            table_part(store, url, rules, open_tables, accounts=accounts) as (table, _),
            serving([*table.services, rulesets()], settings, [table]) as server,
        ):
            yield server


@asynccontextmanager
async def serve_history(
    url: str, settings: ServerSettings, dealing: str | None = None
) -> AsyncIterator[Server]:
    """The history service alone, reading the tables' logs in the same database.

    `dealing` is where the dealing service is, which gives the keys that open hands; without it there are no replays and
    no exports.
    """
    async with (
        _reading(url, dealing) as store,
        history_part(store, url) as (history, _),
        serving(history.services, settings, [history]) as server,
    ):
        yield server


@asynccontextmanager
async def _reading(url: str, dealing: str | None) -> AsyncIterator[PostgresStore]:
    """The logs, with the keys of the dealing service that is named."""
    if dealing is None:
        yield PostgresStore(url)
        return
    async with open_channel(dealing) as channel:
        yield PostgresStore(url, RemoteDealing(channel).match_key)


@asynccontextmanager
async def serve_identity(
    url: str, key: bytes, issuer: Issuer, settings: ServerSettings
) -> AsyncIterator[Server]:
    """The identity service alone, by the time of its database."""
    async with (
        identity_part(PostgresStore(url), url, key, issuer) as (identity, accounts),
        serving(identity.services, _trusting(settings, issuer, accounts), [identity]) as server,
    ):
        yield server


# What both have in common.


def rule_services(rules: LocalRules) -> dict[str, Service]:
    """The four rule services of this process by their names."""
    return {
        "dealing": dealing_server.service(rules.dealing),
        "bidding": bidding_server.service(rules.bidding),
        "play": play_server.service(rules.play),
        "scoring": scoring_server.service(rules.scoring),
    }


def rulesets() -> Service:
    """The rule sets by name, for whoever opens tables."""
    return rulesets_server.service(LocalRulesets())


def _trusting(settings: ServerSettings, issuer: Issuer, identity: Identity) -> ServerSettings:
    """The same settings, for a server that takes the access tokens of an identity service in this process as well."""
    access = settings.access.trusting(issuer.name, identity.key_set)
    return replace(settings, access=access)
