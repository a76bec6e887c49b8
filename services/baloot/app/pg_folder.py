"""The data folder of an embedded database: its parts, its lock, its log, and who serves it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from baloot.app.pg_programs import Account, ClusterError

# Not under TMPDIR, which may be deep: the path of a unix socket holds 107 bytes, on macOS 103.
SOCKETS = Path("/tmp")  # noqa: S108
SOCKETS_PREFIX = "baloot-"

LOG_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What PostgreSQL's own postmaster.pid says; a server adds to it as it starts and removes it as it ends."""

    pid: int
    sockets: Path | None
    ready: bool


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Where one embedded database keeps everything: `postgres/`, `postgres.log` and `baloot.lock`."""

    path: Path

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def log(self) -> Path:
        return self.path / "postgres.log"

    def make(self) -> None:
        """Make the folder and the missing ones above it; those that exist stay as they are."""
        missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True)
            if os.geteuid() == 0:
                folder.chmod(0o755)  # whatever the umask: the account that runs PostgreSQL passes through

    def lock(self) -> int:
        """Take the folder for this process: a file descriptor that holds it until it is closed.

        Raises ClusterError when another process holds it.
        """
        lock = _open(self._lock_file, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise ClusterError(f"{self.path} is in use by another Baloot{self._holder()}.") from None
        return lock

    def make_sockets(self, lock: int, account: Account) -> Path:
        """Make the folder of the socket, and note it, so that the next start removes what a killed one left."""
        sockets = Path(tempfile.mkdtemp(prefix=SOCKETS_PREFIX, dir=SOCKETS))
        account.own(sockets)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n{sockets}\n".encode(), 0)
        return sockets

    def sockets(self) -> Path | None:
        """The noted folder of the socket, whether or not anybody still listens there."""
        noted = self._notes()
        return Path(noted[1]) if len(noted) == 2 else None

    def remove_sockets(self) -> None:
        """Remove what a killed run left under /tmp."""
        sockets = self.sockets()
        if sockets is not None and is_ours(sockets):
            shutil.rmtree(sockets, ignore_errors=True)

    def postmaster(self) -> Postmaster | None:
        """What the server says that runs on this folder, or was killed on it."""
        try:
            lines = (self.postgres / "postmaster.pid").read_text().splitlines()
            sockets = Path(lines[4]) if len(lines) > 4 else None
            return Postmaster(int(lines[0]), sockets, ready=len(lines) > 7 and lines[7].strip() == "ready")
        except (FileNotFoundError, ValueError, IndexError):
            return None

    def served_by(self, pid: int) -> bool:
        """Whether this process is the server of this folder, and no other that got its number later."""
        if sys.platform != "linux":
            return f"-D {self.postgres} " in _command_of(pid)
        try:
            return Path(f"/proc/{pid}/cwd").readlink() == self.postgres.resolve()
        except OSError:
            return False

    def mark_stale(self) -> None:
        """Say that the server of postmaster.pid is gone, when another process may have got its number.

        PostgreSQL would take that process for a server. It takes its parent, us, for none, and goes on to look
        for what a killed server left in memory; it could not if the file were removed.
        """
        with suppress(FileNotFoundError), _opened(self.postgres / "postmaster.pid", os.O_RDWR) as file:
            _, _, rest = os.pread(file, 4096, 0).partition(b"\n")
            os.ftruncate(file, os.pwrite(file, b"%d\n%b" % (os.getpid(), rest), 0))

    def open_log(self) -> int:
        """Open the log to be written on; a long one is set aside first, in the place of the one before."""
        with suppress(FileNotFoundError):
            if self.log.stat().st_size > LOG_BYTES:
                self.log.rename(self.log.with_name("postgres.log.1"))
        return _open(self.log, os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def sync(self) -> None:
        """Have the disk hold the names in this folder."""
        with _opened(self.path, os.O_RDONLY) as folder:
            os.fsync(folder)

    @property
    def _lock_file(self) -> Path:
        return self.path / "baloot.lock"

    def _notes(self) -> list[str]:
        try:
            return self._lock_file.read_text().splitlines()
        except OSError:
            return []

    def _holder(self) -> str:
        notes = self._notes()
        return f" (process {notes[0]})" if notes else ""


def is_ours(sockets: Path) -> bool:
    """Whether a folder of sockets has a name that Baloot gives."""
    return sockets.parent == SOCKETS and sockets.name.startswith(SOCKETS_PREFIX)


def _command_of(pid: int) -> str:
    asked = ["/bin/ps", "-p", str(pid), "-o", "command="]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout  # noqa: S603


def _open(path: Path, flags: int) -> int:
    # Root must not be led elsewhere by a link that the account of the database has laid.
    return os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = _open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
