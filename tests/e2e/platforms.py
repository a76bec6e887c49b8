"""The platform as it is deployed: everything in one process, or each service in one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from baloot.app.embedded import running_url
from baloot.app.keys import DEALING_KEY
from baloot.app.rules import NAMES
from baloot.dealing.local import LocalDealing
from baloot.table.postgres import PostgresStore

from tests.e2e.servers import ServerProcess
from tests.postgres import reachable_folder

HISTORY = "history"
TABLE = "table"
IDENTITY = "identity"
SHOWN = 3000
"""How much of what a server said is shown when something goes wrong, in characters."""


@dataclass(frozen=True, slots=True)
class Platform:
    """Where its services are, and the key of its dealing service. `processes` has one for each that runs alone."""

    table: str
    history: str
    identity: str
    database: str
    key: bytes
    processes: dict[str, ServerProcess] = field(default_factory=dict)

    def store(self, database: str = "") -> PostgresStore:
        """Its log, as who has the key reads it; from another address of the database if one is named."""
        return log_of(database or self.database, self.key)


def log_of(database: str, key: bytes) -> PostgresStore:
    """A log that is sealed with the keys of a dealing service."""
    return PostgresStore(database, LocalDealing(key).match_key)


def log_in(data: Path) -> PostgresStore:
    """The log of a platform that runs on this folder."""
    url = running_url(data)
    assert url is not None
    return log_of(url, (data / DEALING_KEY).read_bytes())


@contextmanager
def together(*options: str) -> Iterator[Platform]:
    """Everything in one process, with a database of its own."""
    with reachable_folder() as folder:
        process = ServerProcess(folder, "up", "--data", str(folder / "data"), *options)
        with running(process):
            url = running_url(folder / "data")
            assert url is not None
            key = (folder / "data" / DEALING_KEY).read_bytes()
            yield Platform(process.address, process.address, process.address, url, key, {"up": process})


@contextmanager
def apart(database: str, *options: str, key: bytes | None = None) -> Iterator[Platform]:
    """Each service in a process of its own, over a database that is migrated; with the dealing key of another platform on it.

    In the end they are killed: a clean end would wait for a database that runs, or is reached, through the caller.
    """
    with reachable_folder() as folder, ExitStack() as stack:
        if key is not None:
            (folder / DEALING_KEY).write_bytes(key)
        processes = parts(folder, database, *options)
        for names in (NAMES, (TABLE, HISTORY, IDENTITY)):
            _run_side_by_side(stack, [processes[name] for name in names])
        table, history, identity = (processes[name].address for name in (TABLE, HISTORY, IDENTITY))
        yield Platform(table, history, identity, database, (folder / DEALING_KEY).read_bytes(), processes)


def _run_side_by_side(stack: ExitStack, processes: Sequence[ServerProcess]) -> None:
    """Runs servers that need not wait for each other, until the end of the stack."""
    for process in processes:
        process.start()
        stack.callback(process.kill)
    for process in processes:
        stack.enter_context(running(process, ServerProcess.kill, started=True))


def parts(folder: Path, database: str, *options: str) -> dict[str, ServerProcess]:
    """The services by their names, none of them started, in an order in which they can be."""
    key = {"BALOOT_DEALING_KEY_FILE": str(folder / DEALING_KEY)}
    made = {name: ServerProcess(folder, "serve", name, *options, environment=key) for name in NAMES}
    rules = [f"--rules={name}={process.address}" for name, process in made.items()]
    identity = identity_process(folder, database, *options)
    issuer = f"baloot=grpc://{identity.address}"
    where = {"BALOOT_DATABASE": database, "BALOOT_ISSUER": issuer}
    made[TABLE] = ServerProcess(folder, "serve", TABLE, *rules, *options, environment=where)
    dealing = {"BALOOT_DEALING": made["dealing"].address}
    made[HISTORY] = ServerProcess(folder, "serve", HISTORY, *options, environment=where | dealing)
    made[IDENTITY] = identity
    return made


def identity_process(folder: Path, database: str, *options: str) -> ServerProcess:
    """An identity service; those with one folder have one installation's key."""
    environment = {
        "BALOOT_DATABASE": database,
        "BALOOT_IDENTITY_KEY_FILE": str(folder / "identity.key"),
    }
    return ServerProcess(folder, "serve", IDENTITY, *options, environment=environment)


@contextmanager
def running(
    process: ServerProcess,
    end: Callable[[ServerProcess], object] = ServerProcess.stop,
    *,
    started: bool = False,
) -> Iterator[ServerProcess]:
    """Runs a server for the length of a block, then ends it. It may have been started before."""
    if started:
        process.until_it_listens()
    else:
        process.listen()
    try:
        yield process
    except BaseException as error:
        error.add_note(f"--- {process}:\n{process.said()[-SHOWN:]}")
        raise
    finally:
        end(process)
