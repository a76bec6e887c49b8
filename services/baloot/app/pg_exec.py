"""Turn this process into a PostgreSQL program that does not outlive its parent.

Run by path, not by name, and with the standard library alone, so that it starts in some 20 ms:

    python -I -S pg_exec.py PARENT UID GID FOLDER PROGRAM [ARGUMENT ...]

It is a process of its own because nothing written in Python may run between fork and exec in a process that
holds gRPC's threads. PARENT is the pid of whoever started it, UID and GID the account to become ("-" to stay
who one is) and FOLDER the working folder. What goes wrong is told in one line on stderr, with these codes.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NO_ACCOUNT = 124
NO_FOLDER = 125
NO_PROGRAM = 126

PR_SET_PDEATHSIG = 1
# Inherited PG* and LC_* variables would change what the programs do.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def main(arguments: list[str]) -> None:
    parent, uid, gid, folder, *command = arguments
    with _or_exit(NO_ACCOUNT):
        _become(uid, gid)
    _die_with(int(parent))
    with _or_exit(NO_FOLDER):
        os.chdir(folder)
    os.umask(0o077)
    with _or_exit(NO_PROGRAM):
        os.execve(command[0], command, ENVIRONMENT)  # noqa: S606  (that is its purpose)


def _become(uid: str, gid: str) -> None:
    if uid == "-":
        return
    os.setgroups([])
    os.setgid(int(gid))
    os.setuid(int(uid))


def _die_with(parent: int) -> None:
    if sys.platform != "linux":
        return
    # After the change of account, which would clear it. SIGINT is PostgreSQL's quick and clean shutdown.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent:
        sys.exit("the parent ended before its database began")


@contextmanager
def _or_exit(code: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
