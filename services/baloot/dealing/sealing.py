"""Seeds sealed so that only the dealing service can open them, which lets that service keep no state.

A sealed seed is the nonce followed by AES-256-GCM of the seed, bound to its match and deal number. The secrets of a
match in the log are sealed with a key of its own, which is derived from the same key and leads back to it nowhere;
so is the key for what a database keeps for all its tables.
"""

from __future__ import annotations

from baloot.core.errors import Reason, Refusal
from baloot.core.keys import StoreKey
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
NONCE_BYTES = 12
_PURPOSE = b"baloot/seal/v1\0"
_MATCH_PURPOSE = b"baloot/match-key/v1\0"
_STORE_PURPOSE = b"baloot/store-key/v1\0"
_FINGERPRINT_PURPOSE = b"baloot/fingerprint/v1\0"
FINGERPRINT_BYTES = 16


def seal(key: bytes, seed: bytes, nonce: bytes, match_id: bytes, number: int) -> bytes:
    """The sealed seed of one deal.

    `key` has 32 bytes, `nonce` 12 that are never used twice with this key. Raises ValueError for other lengths.
    """
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"a nonce has {NONCE_BYTES} bytes")
    return nonce + _cipher(key).encrypt(nonce, seed, _bound_to(match_id, number))


def open_sealed(key: bytes, sealed: bytes, match_id: bytes, number: int) -> bytes:
    """The seed that was sealed for this deal.

    Raises Refusal (RECORD_INVALID) when it was sealed with another key, for another deal, or was changed.
    """
    cipher, bound_to = _cipher(key), _bound_to(match_id, number)
    try:
        return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound_to)
    except (InvalidTag, ValueError):
        raise Refusal(
            Reason.RECORD_INVALID,
            "This sealed seed was not made by this dealing service for this deal.",
            field="seed.sealed",
        ) from None


def match_key(key: bytes, match_id: bytes) -> bytes:
    """The key (32 bytes) that the secrets of one match are sealed with in the log: HKDF-SHA-256 of the sealing key.

    It seals no seeds, and tells nothing of the sealing key or of other matches. Raises ValueError for a key of another
    length.
    """
    return _derived(key, _MATCH_PURPOSE + match_id, KEY_BYTES)


def store_key(key: bytes) -> StoreKey:
    """The key for what a database keeps for all its tables, and the fingerprint of the sealing key, both by HKDF-SHA-256.

    Neither tells anything of the sealing key or of a match. Raises ValueError for a key of another length.
    """
    return StoreKey(
        _derived(key, _STORE_PURPOSE, KEY_BYTES), _derived(key, _FINGERPRINT_PURPOSE, FINGERPRINT_BYTES)
    )


def _derived(key: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=purpose).derive(_sealing_key(key))


def _cipher(key: bytes) -> AESGCM:
    return AESGCM(_sealing_key(key))


def _sealing_key(key: bytes) -> bytes:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a sealing key has {KEY_BYTES} bytes")
    return key


def _bound_to(match_id: bytes, number: int) -> bytes:
    return _PURPOSE + match_id + number.to_bytes(4, "big")
