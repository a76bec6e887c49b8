"""A sealed seed opens only here, only for its deal, and only unchanged."""

from __future__ import annotations

import hmac

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.dealing.sealing import match_key, open_sealed, seal, store_key
from hypothesis import given
from hypothesis import strategies as st

KEY, OTHER_KEY = bytes(range(32)), bytes(32)
SEED, NONCE, MATCH = b"s" * 32, b"n" * 12, b"m" * 16
SEALED = seal(KEY, SEED, NONCE, MATCH, 7)


@given(
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=12, max_size=12),
    st.binary(min_size=16, max_size=16),
    st.integers(1, 2**32 - 1),
)
def test_what_was_sealed_opens(seed: bytes, nonce: bytes, match_id: bytes, number: int) -> None:
    sealed = seal(KEY, seed, nonce, match_id, number)
    assert open_sealed(KEY, sealed, match_id, number) == seed
    assert seed not in sealed
    assert len(sealed) == 60


def refused(key: bytes, sealed: bytes, match_id: bytes, number: int) -> bool:
    with pytest.raises(Refusal) as caught:
        open_sealed(key, sealed, match_id, number)
    assert caught.value.reason is Reason.RECORD_INVALID
    return True


@pytest.mark.parametrize("at", range(60))
def test_no_changed_byte_is_believed(at: int) -> None:
    assert refused(KEY, SEALED[:at] + bytes([SEALED[at] ^ 0x80]) + SEALED[at + 1 :], MATCH, 7)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 11, 12, 13, 27, 28, 59])
def test_no_shortened_seal_is_believed(length: int) -> None:
    assert refused(KEY, SEALED[:length], MATCH, 7)


def test_a_seal_is_bound_to_its_key_match_and_number() -> None:
    assert refused(OTHER_KEY, SEALED, MATCH, 7)
    assert refused(KEY, SEALED, b"x" * 16, 7)
    assert refused(KEY, SEALED, MATCH, 8)
    assert refused(KEY, SEALED + b"\0", MATCH, 7)


def test_another_nonce_gives_another_seal_of_the_same_seed() -> None:
    other = seal(KEY, SEED, b"o" * 12, MATCH, 7)
    assert other[12:] != SEALED[12:]
    assert open_sealed(KEY, other, MATCH, 7) == SEED


def test_keys_and_nonces_of_other_lengths_are_mistakes_of_the_program() -> None:
    for key in (b"", bytes(16), bytes(33)):
        with pytest.raises(ValueError, match="sealing key"):
            seal(key, SEED, NONCE, MATCH, 7)
        with pytest.raises(ValueError, match="sealing key"):
            open_sealed(key, SEALED, MATCH, 7)
    with pytest.raises(ValueError, match="nonce"):
        seal(KEY, SEED, bytes(11), MATCH, 7)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
def test_the_key_of_a_match_is_hkdf_of_the_sealing_key(key: bytes, match_id: bytes) -> None:
    extracted = hmac.digest(bytes(32), key, "sha256")
    assert match_key(key, match_id) == hmac.digest(
        extracted, b"baloot/match-key/v1\0" + match_id + b"\1", "sha256"
    )


def test_the_key_of_a_match_opens_nothing_else() -> None:
    keys = {match_key(KEY, MATCH), match_key(KEY, b"x" * 16), match_key(OTHER_KEY, MATCH), KEY, OTHER_KEY}
    assert len(keys) == 5
    assert refused(match_key(KEY, MATCH), SEALED, MATCH, 7)
    with pytest.raises(ValueError, match="sealing key"):
        match_key(bytes(16), MATCH)


@given(st.binary(min_size=32, max_size=32))
def test_the_key_of_a_database_and_the_fingerprint_are_hkdf_of_the_sealing_key(key: bytes) -> None:
    extracted = hmac.digest(bytes(32), key, "sha256")
    made = store_key(key)
    assert made.key == hmac.digest(extracted, b"baloot/store-key/v1\0\1", "sha256")
    assert made.fingerprint == hmac.digest(extracted, b"baloot/fingerprint/v1\0\1", "sha256")[:16]


def test_only_a_sealing_key_has_a_key_of_a_database() -> None:
    with pytest.raises(ValueError, match="sealing key"):
        store_key(bytes(16))
