"""Finding values that come again among many millions, in little memory."""

from __future__ import annotations

from hashlib import blake2b

_DIGEST = 16
_BUCKETS = 256


class Repeats:
    """Remembers the 16-byte digest of each value. That two digests agree by chance is as good as impossible."""

    def __init__(self) -> None:
        self._buckets = [bytearray() for _ in range(_BUCKETS)]
        self.size = 0

    def add(self, value: bytes) -> None:
        digest = blake2b(value, digest_size=_DIGEST).digest()
        self._buckets[digest[0]] += digest
        self.size += 1

    def count(self) -> int:
        """How many values had come before."""
        return sum(map(_repeated, self._buckets))


def _repeated(digests: bytearray) -> int:
    """How many digests of a bucket are there again; one bucket at a time is spread out."""
    starts = range(0, len(digests), _DIGEST)
    return len(starts) - len({bytes(digests[start : start + _DIGEST]) for start in starts})
