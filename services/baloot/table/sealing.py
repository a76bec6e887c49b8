"""The secret halves of entries, sealed with a key of their match: in the database and its backups they say nothing.

The keys follow from the dealing service's, which alone can make them again. They are kept in memory and nowhere else.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from uuid import UUID

from baloot.store.v1 import entry_pb2 as log
from baloot.table.encoding import field_bytes
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from google.protobuf.message import DecodeError

KEY_BYTES = 32
NONCE_BYTES = 12
REMEMBERED = 4096
"""Matches whose keys are kept in memory."""

_PURPOSE = b"baloot/secret/v1\0"

BLOCK = 256
"""What is sealed has a length of so many bytes, or of several times as many."""

MatchKey = Callable[[UUID], Awaitable[bytes]]
"""Asks for the key of a match: 32 bytes. May raise Refusal."""


class CannotOpen(ValueError):
    """What is sealed was sealed with another key, for another entry, or was changed."""


class Seal:
    """Seals and opens the secret halves of one match. What is sealed is still a `Secret`, with nothing else in it."""

    def __init__(self, table_id: UUID, key: bytes) -> None:
        self._bound_to = _PURPOSE + table_id.bytes
        self._cipher = AESGCM(key)

    def seal(self, sequence: int, secret: bytes) -> bytes:
        """A secret half as it is stored: padded, then nonce and AES-256-GCM, bound to its entry. An empty one too."""
        nonce = os.urandom(NONCE_BYTES)
        padded = _PADDING[len(secret) % BLOCK] + secret
        sealed = self._cipher.encrypt(nonce, padded, self._bound_to + sequence.to_bytes(4, "big"))
        return field_bytes(log.Secret.SEALED_FIELD_NUMBER, nonce + sealed)

    def open(self, sequence: int, sealed: bytes) -> bytes:
        """The secret half again. Raises CannotOpen."""
        bound_to = self._bound_to + sequence.to_bytes(4, "big")
        try:
            sealed = log.Secret.FromString(sealed).sealed
            return _without_padding(
                self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound_to)
            )
        except (DecodeError, InvalidTag, ValueError):
            raise CannotOpen(f"the secrets of entry {sequence} cannot be opened with this key") from None


def is_sealed(secret: bytes) -> bool:
    """Whether a secret half is sealed: those of old logs are not."""
    return secret[:1] == _TAG


_TAG = field_bytes(log.Secret.SEALED_FIELD_NUMBER, b"")[:1]


def _padding(length: int) -> bytes:
    """The field `padding` with so many zeros. Its head has the same 3 bytes for all, so that any length can be reached."""
    return _PADDING_TAG + bytes([length & 0x7F | 0x80, length >> 7]) + bytes(length)


_PADDING_TAG = field_bytes(log.Secret.PADDING_FIELD_NUMBER, b"")[:1]
_PADDING_HEAD = 3
_PADDING = tuple(_padding(-(_PADDING_HEAD + over) % BLOCK) for over in range(BLOCK))
"""What goes before a secret, by how many bytes it is longer than whole blocks."""


def _without_padding(padded: bytes) -> bytes:
    """What was sealed. What is older than padding has none."""
    if padded[:1] != _PADDING_TAG:
        return padded
    return padded[_PADDING_HEAD + (padded[1] & 0x7F | padded[2] << 7) :]


class Seals:
    """The seals of matches, each asked for once and kept while it is used."""

    def __init__(self, match_key: MatchKey) -> None:
        self._match_key = match_key
        self._known: OrderedDict[UUID, Seal] = OrderedDict()

    async def of(self, table_id: UUID) -> Seal:
        """The seal of a match. Raises what asking for its key raises."""
        known = self._known.get(table_id)
        if known is None:
            known = self._known[table_id] = Seal(table_id, await self._match_key(table_id))
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(table_id)
        return known
