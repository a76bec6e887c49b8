"""The embedded database: a real PostgreSQL that runs exactly as long as the process that starts it.

    with Cluster(default_data()) as cluster:
        engine = create_async_engine(cluster.url())

It is synchronous on purpose: it is started from the main thread before there is an event loop, and takes half
a second the first time and a twentieth later.

A data folder holds `postgres/` (what PostgreSQL keeps), `postgres.log` and `baloot.lock`. The server listens on
a unix socket alone, in a folder under /tmp that only its account (and root) can enter; whoever can connect may
do everything. However this process ends, the server ends with it: on Linux the kernel sees to that at once,
elsewhere the next start stops what was left behind. Nothing acknowledged is lost either way.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from baloot.app.pg_folder import DataFolder, is_ours
from baloot.app.pg_programs import ClusterError, Programs, Tell, find_programs, major_version

__all__ = ["Cluster", "ClusterError", "default_data", "running_url"]

ROLE = "baloot"
DATABASE = "baloot"
PORT = 5432  # a part of the socket's name; nothing listens on the network

START_SECONDS = 300.0  # recovery after a crash replays what was written since the last checkpoint
SLOW_START_SECONDS = 3.0
STOP_SECONDS = 30.0
LINGER_SECONDS = 10.0
POLL_SECONDS = 0.005
LAST_LINES = 5

FORM = (
    "--encoding=UTF8",
    "--no-locale",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
)
SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "cluster_name": "baloot",
    "max_connections": "60",
    "jit": "off",
    "client_connection_check_interval": "1s",
    "log_checkpoints": "off",
}
# For tests: quick, and lost with the machine.
HASTE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def default_data() -> Path:
    """Where the data folder is when nobody names one: /var/lib/baloot for root, else the user's own."""
    if os.geteuid() == 0:
        return Path("/var/lib/baloot")
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".local" / "share") / "baloot"


def running_url(data: Path, database: str = DATABASE) -> str | None:
    """The address of a database of the server that some process runs on this data folder now, if there is one."""
    sockets = DataFolder(data).sockets()
    if sockets is None:
        return None
    with socket.socket(socket.AF_UNIX) as probe:
        if probe.connect_ex(str(sockets / f".s.PGSQL.{PORT}")) != 0:
            return None
    return _url(sockets, database)


class Cluster:
    """One PostgreSQL on one data folder. It can be started again after a stop; it is not for several threads.

    With `durable` unset it neither waits for the disk nor survives a crash of the machine: for tests.
    `settings` are the server's own, and win over ours. `tell` is given a line before each thing that takes long.
    """

    def __init__(
        self,
        data: Path,
        *,
        durable: bool = True,
        settings: Mapping[str, str] | None = None,
        tell: Tell = lambda _: None,
    ) -> None:
        self._folder = DataFolder(data.absolute())
        self._durable = durable
        self._settings = SETTINGS | ({} if durable else HASTE) | dict(settings or {})
        self._tell = tell
        self._lock: int | None = None
        self._sockets: Path | None = None
        self._programs: Programs | None = None
        self._server: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Start the database, creating it where there is none yet, and answer its address.

        Raises ClusterError: the folder is in use, cannot be used, or was made by another PostgreSQL; or the
        server did not start, and then the message ends with what it said.
        """
        if threading.current_thread() is not threading.main_thread():
            raise ClusterError("Start the database from the main thread: it would end with any other one.")
        if self._server is not None:
            raise ClusterError(f"The database in {self.data} is started already.")
        try:
            with _told_plainly(self.data):
                self._begin()
        except BaseException:
            self.stop()
            raise
        return self.url()

    def stop(self) -> None:
        """Stop the database cleanly; open connections are cut. Does nothing when it is not started."""
        if self._server is not None:
            _end(self._server)
            self._server = None
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def revive(self) -> bool:
        """Start the server again if it ended by itself, and answer whether it had. The address stays.

        It does not wait until the server is ready. It is to be asked again and again, in the main thread: what a
        killed server leaves in memory goes a moment later, and until then a new one ends at once. Raises ClusterError.
        """
        if self._server is None or self._programs is None or self._server.poll() is None:
            return False
        with _told_plainly(self.data):
            self._folder.mark_stale()
            log = self._folder.open_log()
            try:
                self._server = self._spawn(self._programs, log)
            finally:
                os.close(log)
        return True

    def url(self, database: str = DATABASE) -> str:
        """The address of a database for SQLAlchemy; without `+asyncpg` it is the one for asyncpg and psql.

        Raises ClusterError when the database is not started.
        """
        if self._sockets is None:
            raise ClusterError(f"The database in {self.data} is not started.")
        return _url(self._sockets, database)

    @property
    def data(self) -> Path:
        """The data folder."""
        return self._folder.path

    @property
    def pid(self) -> int:
        """The server's process. Raises ClusterError when the database is not started."""
        if self._server is None:
            raise ClusterError(f"The database in {self.data} is not started.")
        return self._server.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _begin(self) -> None:
        self._folder.make()
        self._lock = self._folder.lock()
        self._folder.remove_sockets()
        self._programs = programs = find_programs(self.data, self._tell)
        self._settle_predecessor()
        if self._folder.postgres.exists():
            self._refuse_other_version()
        else:
            self._create(programs)
        self._sockets = self._folder.make_sockets(self._lock, programs.account)
        self._serve(programs)

    def _settle_predecessor(self) -> None:
        """Stop the server that still runs though its parent, whose lock we hold now, is gone."""
        found = self._folder.postmaster()
        if found is None:
            return
        if not self._folder.served_by(found.pid):
            self._folder.mark_stale()
            return
        if found.sockets is not None and not is_ours(found.sockets):
            raise ClusterError(
                f"{self.data} is served by a PostgreSQL that Baloot did not start (process {found.pid}): stop it first."
            )
        self._tell(f"waiting for the database of an earlier run to stop (process {found.pid})")
        self._stop_predecessor(found.pid)

    def _stop_predecessor(self, pid: int) -> None:
        until = time.monotonic() + STOP_SECONDS
        try:
            os.kill(pid, signal.SIGINT)
            while self._folder.served_by(pid) and time.monotonic() < until:
                time.sleep(POLL_SECONDS)
        except ProcessLookupError:
            return
        if self._folder.served_by(pid):
            raise ClusterError(
                f"The database of an earlier run in {self.data} does not stop (process {pid})."
            )

    def _refuse_other_version(self) -> None:
        postgres = self._folder.postgres
        try:
            made_by = (postgres / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            raise ClusterError(
                f"{postgres} is not a folder of PostgreSQL: move it away, or name another folder with --data."
            ) from None
        if made_by != major_version():
            raise ClusterError(
                f"{postgres} was made by PostgreSQL {made_by}, and this Baloot brings PostgreSQL {major_version()}: "
                "carry the data over with pg_dump, or name another folder with --data."
            )

    def _create(self, programs: Programs) -> None:
        """Make the database under another name first, so that a folder named `postgres` is always whole."""
        self._tell(f"creating the database in {self.data}, once")
        draft = self._folder.postgres.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        try:
            programs.account.own(draft)
            self._initialise(programs, draft)
            draft.rename(self._folder.postgres)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        self._folder.sync()

    def _initialise(self, programs: Programs, draft: Path) -> None:
        hasty = [] if self._durable else ["--no-sync"]
        self._build(programs, draft, "initdb", "-D", draft, "-U", ROLE, "--auth=trust", *FORM, *hasty)
        hasty = [] if self._durable else ["-F"]
        sql = f"CREATE DATABASE {DATABASE}\n"
        self._build(programs, draft, "postgres", "--single", *hasty, "-D", draft, "template1", stdin=sql)

    def _build(
        self, programs: Programs, draft: Path, program: str, *arguments: str | Path, stdin: str = ""
    ) -> None:
        done = programs.run(draft, program, *arguments, stdin=stdin)
        if done.returncode != 0 or "ERROR:" in done.stdout:
            raise ClusterError(f"The database in {self.data} cannot be created:\n{_last_lines(done.stdout)}")

    def _serve(self, programs: Programs) -> None:
        """Start the server. What a killed one left in memory goes with its last process, a moment later."""
        until = time.monotonic() + LINGER_SECONDS
        while (said := self._try_to_serve(programs)) is not None:
            if "pre-existing shared memory block" not in said or time.monotonic() > until:
                raise ClusterError(f"The database in {self.data} does not start:\n{_last_lines(said)}")
            time.sleep(POLL_SECONDS)

    def _try_to_serve(self, programs: Programs) -> str | None:
        """Answer what the server said if it ended instead of starting."""
        log = self._folder.open_log()
        try:
            before = os.fstat(log).st_size
            self._server = self._spawn(programs, log)
            if self._becomes_ready(self._server):
                return None
            return os.pread(log, os.fstat(log).st_size - before, before).decode(errors="replace")
        finally:
            os.close(log)

    def _spawn(self, programs: Programs, log: int) -> subprocess.Popen[bytes]:
        settings = self._settings | {"unix_socket_directories": str(self._sockets)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return programs.spawn(self.data, "postgres", "-D", self._folder.postgres, *options, log=log)

    def _becomes_ready(self, server: subprocess.Popen[bytes]) -> bool:
        began = time.monotonic()
        slow = False
        while server.poll() is None:
            found = self._folder.postmaster()
            if found is not None and found.ready and found.pid == server.pid:
                return True
            waited = time.monotonic() - began
            if waited > SLOW_START_SECONDS and not slow:
                slow = True
                self._tell("waiting for the database: after a crash it first replays what was cut off")
            if waited > START_SECONDS:
                raise ClusterError(
                    f"The database in {self.data} is not ready after {START_SECONDS:.0f} seconds: see {self._folder.log}."
                )
            time.sleep(POLL_SECONDS)
        return False


def _url(sockets: Path, database: str) -> str:
    # The port too, else PGPORT in our environment would decide.
    return f"postgresql+asyncpg://{ROLE}@/{database}?host={sockets}&port={PORT}"


def _end(server: subprocess.Popen[bytes]) -> None:
    """Ask for a clean end, then for a quick one, which the next start makes good."""
    for sign in (signal.SIGINT, signal.SIGQUIT):
        server.send_signal(sign)
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return
    server.kill()
    server.wait()


@contextmanager
def _told_plainly(data: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ClusterError(
            f"The data folder {data} cannot be used: {error.strerror} ({error.filename})."
        ) from error


def _last_lines(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(f"  {line}" for line in lines[-LAST_LINES:])
