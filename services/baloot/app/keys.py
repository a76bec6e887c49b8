"""The files of an installation's keys: in its data folder, or where an operator says."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from baloot.app.errors import SetupError
from baloot.dealing.sealing import KEY_BYTES

DEALING_KEY = "dealing.key"
"""The file in a data folder that holds the key of its dealing service."""
IDENTITY_KEY = "identity.key"
"""The file in a data folder that holds the key of its identity service."""


def named_key(service: str, file: Path | None) -> bytes:
    """The key of a service that runs alone, from the file that was named for it, made when missing. Raises SetupError."""
    if file is None:
        raise SetupError(
            f"{service} needs --{service}-key-file: a file of 32 random bytes, or one still to be made"
        )
    return kept_key(file)


def opened_key(file: Path) -> bytes:
    """The key in a file. Raises SetupError when there is none."""
    if not file.exists():
        raise SetupError(f"there is no key file {file}")
    return kept_key(file)


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
