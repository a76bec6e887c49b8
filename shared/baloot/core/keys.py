"""Keys that one service makes for another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreKey:
    """The key (32 bytes, secret) that seals what a database keeps for all its tables, and whose it is.

    `fingerprint` (16 bytes) tells one dealing key from another, and anybody may know it.
    """

    key: bytes
    fingerprint: bytes

    def __repr__(self) -> str:
        return f"StoreKey(██, {self.fingerprint.hex()})"
