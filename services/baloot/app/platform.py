"""The composition root: which parts run together, here or apart."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import structlog
from baloot.app.embedded import Cluster, ClusterError
from baloot.app.errors import SetupError
from baloot.app.migrate import migrate, schema_current
from baloot.app.rules import LocalRules, local_rules, remote_rules
from baloot.app.substitute import substitute
from baloot.bidding import server as bidding_server
from baloot.dealing import server as dealing_server
from baloot.dealing.client import RemoteDealing
from baloot.dealing.sealing import KEY_BYTES
from baloot.history import archive_server
from baloot.history import server as history_server
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.identity import server as identity_server
from baloot.identity.service import Identity
from baloot.identity.signing import Issuer
from baloot.kit import info
from baloot.kit.addresses import require_free
from baloot.kit.channels import open_channel
from baloot.kit.serving import Drain, Server, ServerSettings, Service, start
from baloot.play import server as play_server
from baloot.rulesets import server as rulesets_server
from baloot.rulesets.local import LocalRulesets
from baloot.scoring import server as scoring_server
from baloot.table import referee_server
from baloot.table import server as table_server
from baloot.table.clocks import Clocks
from baloot.table.departed import Departed
from baloot.table.feed import Feed
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore
from baloot.table.rules import Rules
from baloot.table.seat_streams import Patience
from baloot.table.server_keys import AskStoreKey, WrongDealingKey
from baloot.table.store import StoreUnavailable

Tell = Callable[[str], None]

IDENTITY_KEY = "identity.key"
"""The file in a data folder that holds the key of its identity service."""
JUDGES = 2
"""Threads that read and write the texts of matches: what all of them may take of the processor."""
CHECK_EVERY = 1.0
"""Seconds between two looks whether the database answers."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Running:
    """A platform that runs: where to connect, and the address of its database."""

    address: str
    database: str


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
        key = kept_key(data / "dealing.key")
        rules = local_rules(key)
        await _require_own(url, rules.dealing.store_key)
        # Judges of their own: what strangers ask must not push the tables' states out of memory.
        judges = [service for name, service in rule_services(local_rules(key)).items() if name != "dealing"]
        async with AsyncExitStack() as stack:
            store = PostgresStore(url, rules.dealing.match_key, store_key=rules.dealing.store_key)
            table, orchestrator = await stack.enter_async_context(
                table_part(store, url, rules, settings.quotas.tables, accounts=True)
            )
            history, projection = await stack.enter_async_context(history_part(store, url))
            orchestrator.on_entry = projection.hint
            issuer = Issuer(audience=settings.access.audience)
            identity, accounts = await stack.enter_async_context(
                identity_part(store, url, kept_key(data / IDENTITY_KEY), issuer)
            )
            await store.open()
            parts = [table, history, identity]
            services = [*table.services, rulesets(), *history.services, identity.service, *judges]
            trusting = _trusting(settings, issuer, accounts)
            server = await stack.enter_async_context(serving(services, trusting, parts))
            await stack.enter_async_context(_reviving(cluster))
            yield Running(server.address, url)


async def _require_own(url: str, store_key: AskStoreKey) -> None:
    """Raises SetupError when the database was begun with another dealing key."""
    async with PostgresStore(url, store_key=store_key) as store:
        try:
            await store.check_keys()
        except WrongDealingKey as error:
            raise SetupError(str(error)) from error


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


@asynccontextmanager
async def serve_rules(name: str, settings: ServerSettings, dealing_key: bytes) -> AsyncIterator[Server]:
    """One rule service alone."""
    async with serving([rule_services(local_rules(dealing_key))[name]], settings) as server:
        yield server


@asynccontextmanager
async def serve_table(
    url: str, addresses: Mapping[str, str], settings: ServerSettings
) -> AsyncIterator[Server]:
    """The table service with the rule sets that its tables may have, asking the rule services at their addresses."""
    async with (
        remote_rules(addresses) as rules,
        table_part(
            PostgresStore(url, rules.dealing.match_key, store_key=rules.dealing.store_key),
            url,
            rules,
            settings.quotas.tables,
            accounts=bool(settings.access.issuers),
        ) as (table, _),
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
        serving([identity.service], _trusting(settings, issuer, accounts), [identity]) as server,
    ):
        yield server


def _trusting(settings: ServerSettings, issuer: Issuer, identity: Identity) -> ServerSettings:
    """The same settings, for a server that takes the access tokens of an identity service in this process as well."""
    access = settings.access.trusting(issuer.name, identity.key_set)
    return replace(settings, access=access)


@dataclass(frozen=True, slots=True)
class Part:
    """A service that needs the database, and the store that brings it there and keeps its time.

    `drain` is what it does before its calls are cut off. What is served `beside` it is ready when it is.
    """

    service: Service
    url: str
    store: PostgresStore
    drain: Drain | None = None
    beside: tuple[Service, ...] = ()

    @property
    def services(self) -> tuple[Service, ...]:
        """All that is served."""
        return (self.service, *self.beside)


@asynccontextmanager
async def table_part(
    store: PostgresStore, url: str, rules: Rules, open_tables: int, *, accounts: bool
) -> AsyncIterator[tuple[Part, Orchestrator]]:
    """The table service with its clocks and its feed. The store is closed in the end.

    So many tables may an address have open; 0 for any number. `accounts` says whether anybody can have one: then they
    alone sit at the tables of events.
    """
    orchestrator = Orchestrator(store, rules, substitute)
    orchestrator.accounts_at_events = accounts
    try:
        async with (
            Clocks(orchestrator),
            Feed(orchestrator, patience=Patience()) as feed,
            Departed(orchestrator, feed.owner),
        ):
            service = table_server.service(orchestrator, feed, open_tables)
            part = Part(service, url, store, feed.drain, (referee_server.service(orchestrator, feed),))
            yield part, orchestrator
    finally:
        await store.close()


@asynccontextmanager
async def history_part(store: PostgresStore, url: str) -> AsyncIterator[tuple[Part, Projection]]:
    """The history service and the archive, with the projection of the logs in `store`. The store is closed in the end."""
    judging = ThreadPoolExecutor(JUDGES, thread_name_prefix="archive")
    async with PostgresHistory(url) as history:
        projection = Projection(PublicLog(store), history)
        running = asyncio.create_task(projection.run())
        archive = archive_server.service(history, store, judging)
        try:
            yield Part(history_server.service(history, store), url, store, beside=(archive,)), projection
        finally:
            judging.shutdown(wait=False, cancel_futures=True)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await store.close()


@asynccontextmanager
async def identity_part(
    store: PostgresStore, url: str, key: bytes, issuer: Issuer = Issuer()
) -> AsyncIterator[tuple[Part, Identity]]:
    """The identity service with the installation's key; `store` keeps its time, and is closed in the end.

    `Identity.key_set` tells in this process by which keys its tokens are verified.
    """
    async with Identity(url, key, _time_of(store), issuer=issuer) as identity:
        try:
            yield Part(identity_server.service(identity), url, store), identity
        finally:
            await store.close()


@asynccontextmanager
async def serving(
    services: Sequence[Service], settings: ServerSettings, parts: Sequence[Part] = ()
) -> AsyncIterator[Server]:
    """A server for these services, whose health follows the database."""
    about = info.service(
        [service.name for service in services],
        max_message_bytes=settings.max_message_bytes,
        quotas=settings.quotas,
        now=_time_of(parts[0].store) if parts else info.machine_clock,
    )
    server = await start([*services, about], settings)
    watches = [asyncio.create_task(_keep_ready(server, part)) for part in parts]
    try:
        for part in parts:
            for service in part.services:
                await server.set_serving(service.name, serving=False)
            if part.drain is not None:
                server.on_drain(part.drain)
        yield server
    finally:
        await server.stop()
        for watch in watches:
            watch.cancel()
        await asyncio.gather(*watches, return_exceptions=True)


def _time_of(store: PostgresStore) -> Callable[[], int]:
    """The database's time, and this machine's until the database is reached for the first time."""

    def now() -> int:
        try:
            return store.now()
        except StoreUnavailable:
            return info.machine_clock()

    return now


async def _keep_ready(server: Server, part: Part) -> None:
    told: str | None = ""
    opened = False
    while True:
        trouble = await _trouble(part, opened=opened)
        opened = opened or trouble is None
        if trouble != told:
            told = trouble
            for service in part.services:
                await server.set_serving(service.name, trouble is None)
            _tell_readiness(part.service.name, trouble)
        await asyncio.sleep(CHECK_EVERY)


async def _trouble(part: Part, *, opened: bool) -> str | None:
    """Why a part is not ready, in one line; None when it is."""
    try:
        if opened:
            await part.store.ping()
            return await _key_trouble(part.store)
        await part.store.open()
        if not await schema_current(part.url):
            return "the database has another schema: run `baloot migrate`"
        return await _key_trouble(part.store)
    except StoreUnavailable as error:
        return f"the database cannot be reached: {error}"
    except Exception as error:  # noqa: BLE001 - whatever it is, the next look may find it gone
        return f"the database cannot be used: {type(error).__name__}"


async def _key_trouble(store: PostgresStore) -> str | None:
    """Why what the database holds cannot be opened. A dealing service that does not answer is not known to be wrong."""
    try:
        async with asyncio.timeout(CHECK_EVERY):
            await store.check_keys()
    except WrongDealingKey as error:
        return str(error)
    except (StoreUnavailable, TimeoutError):
        pass
    return None


def _tell_readiness(service: str, trouble: str | None) -> None:
    if trouble is None:
        log.info("ready", service=service)
    else:
        log.warning("not ready", service=service, why=trouble)


def kept_key(path: Path) -> bytes:
    """The key in a file, made when there is none yet. Raises SetupError when the file holds something else."""
    try:
        if not path.exists():
            _write_key(path)
        key = path.read_bytes()
    except OSError as error:
        raise SetupError(f"The key file {path} cannot be used: {error.strerror}.") from error
    if len(key) != KEY_BYTES:
        raise SetupError(f"The key file {path} must hold {KEY_BYTES} bytes, not {len(key)}.")
    return key


def _write_key(path: Path) -> None:
    """Makes the file whole or not at all, and leaves one that somebody else made meanwhile."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
