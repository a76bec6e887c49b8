"""Passwords hashed by Argon2id, in threads of their own and few at a time, since each takes a core and 64 MiB."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""How many passwords a process hashes at the same time; the others wait."""
_NOBODY = "the password of nobody"

_Result = TypeVar("_Result")


class Passwords:
    """Makes and verifies hashes. Close it in the end."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        # A hash takes long enough to be noticed where a server starts, so it is made beside.
        self._nobody = self._threads.submit(self._hasher.hash, _NOBODY)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str) -> str:
        """The hash of a password, with a salt of its own."""
        return await self._apart(lambda: self._hasher.hash(password))

    async def verify(self, known: str | None, password: str) -> bool:
        """Whether a hash is that of the password. Where there is none, it takes as long and is not."""
        right = await self._apart(lambda: self._matches(known or self._nobody.result(), password))
        return right and known is not None

    def is_old(self, known: str) -> bool:
        """Whether a hash was made with weaker settings than those of today."""
        return self._hasher.check_needs_rehash(known)

    def _matches(self, known: str, password: str) -> bool:
        try:
            return self._hasher.verify(known, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _apart(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
