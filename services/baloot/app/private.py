"""A platform of one's own, for as long as a command runs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from baloot.app import platform
from baloot.app.commands import tell
from baloot.app.platform import Running
from baloot.kit.serving import ServerSettings


@asynccontextmanager
async def private_platform() -> AsyncIterator[Running]:
    """Everything on a free port, with data that are gone in the end."""
    settings = ServerSettings("127.0.0.1:0", grace=0.5)
    with temporary_folder() as folder:
        async with platform.up(folder / "data", settings, tell=tell, durable=False) as running:
            yield running


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed in the end, through which the account that runs PostgreSQL may pass."""
    folder = Path(tempfile.mkdtemp(prefix="baloot-"))
    try:
        folder.chmod(0o711)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
