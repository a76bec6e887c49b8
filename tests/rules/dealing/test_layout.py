"""What goes into a seal and into the lot for the first dealer, byte by byte: both must mean the same for ever."""

from __future__ import annotations

import hmac
from hashlib import sha256

from baloot.core.seats import SEATS
from baloot.dealing.rules import first_dealer
from baloot.dealing.sealing import seal
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.rules.dealing.test_deals import MATCH
from tests.rules.dealing.test_sealing import KEY, NONCE, SEED


def test_a_seal_is_bound_to_its_purpose_match_and_number() -> None:
    bound_to = b"baloot/seal/v1\0" + MATCH + bytes([0, 0, 1, 7])
    assert seal(KEY, SEED, NONCE, MATCH, 263) == NONCE + AESGCM(KEY).encrypt(NONCE, SEED, bound_to)


def test_the_first_dealer_is_told_by_the_first_byte_of_the_lot() -> None:
    for n in range(20):
        drawn = bytes([n]) * 32
        lot = hmac.new(drawn, b"baloot/dealer/v1\0" + MATCH, sha256).digest()
        assert first_dealer(MATCH, drawn) is SEATS[lot[0] % 4]
