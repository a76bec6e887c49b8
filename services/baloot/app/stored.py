"""The tables' logs as commands read them, straight out of the database: with the key that opens their secrets, if it is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from baloot.app.embedded import default_data, running_url
from baloot.app.errors import SetupError
from baloot.app.keys import DEALING_KEY, opened_key
from baloot.dealing.local import LocalDealing
from baloot.table.postgres import PostgresStore
from baloot.table.sealing import CannotOpen
from baloot.table.store import SecretsSealed, StoreUnavailable


@dataclass(frozen=True, slots=True)
class Logs:
    """Where the logs are: the address of the database, and the file of the dealing service's key, if one is at hand."""

    database: str
    key_file: Path | None = None


def find_database(database: str | None, data: Path | None) -> str:
    """The address of the database that is named, or that runs on the data folder. Raises SetupError when none does."""
    folder = data or default_data()
    url = database or running_url(folder)
    if url is None:
        raise SetupError(f"no database runs on {folder}: name one with --database or --data")
    return url


def find_logs(database: str | None, data: Path | None, key_file: Path | None) -> Logs:
    """The logs that a command is to read, where its options say: unset, in the data folder, and with the key that is there.

    Raises SetupError when no database runs there.
    """
    url = find_database(database, data)
    kept = (data or default_data()) / DEALING_KEY
    return Logs(url, key_file or (kept if kept.exists() else None))


@asynccontextmanager
async def reading(logs: Logs) -> AsyncIterator[PostgresStore]:
    """The store of these logs.

    Raises SetupError when the database is away, or a log is sealed and there is no key, or not the one that opens it.
    """
    match_key = None if logs.key_file is None else LocalDealing(opened_key(logs.key_file)).match_key
    try:
        async with PostgresStore(logs.database, match_key) as store:
            yield store
    except SecretsSealed as error:
        raise SetupError(
            "the hands in this log are sealed: name the file of the dealing service's key with --dealing-key-file"
        ) from error
    except CannotOpen as error:
        raise SetupError(
            f"the key in {logs.key_file} does not open this log: name the file of the key that sealed it with "
            "--dealing-key-file"
        ) from error
    except StoreUnavailable as error:
        url = urlsplit(logs.database)
        raise SetupError(
            f"no database answers at {url.hostname}:{url.port or 5432}: start one with `baloot up` or `make run`, "
            "or name another with --database or --data"
        ) from error
