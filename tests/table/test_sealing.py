"""What is secret in the log is sealed in the database, and opened by the key of its match alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from uuid import UUID

import pytest
import sqlalchemy as sa
from baloot.core.catalogue import RULESETS
from baloot.core.errors import Reason, Refusal
from baloot.kit.database import open_engine
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.events import Settings, Status
from baloot.table.payload import encode
from baloot.table.postgres import PostgresStore
from baloot.table.sealing import BLOCK, CannotOpen, Seal, Seals, is_sealed
from baloot.table.store import SecretsSealed, StoreUnavailable
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.strategies.entries import any_entry, plain_entry, table_id
from tests.table.test_store import some_key
from tests.table.trial import Trial

TABLE, OTHER = UUID(int=1), UUID(int=2)
KEY, OTHER_KEY = bytes(32), b"\1" * 32
SECRET = b"\x0a\x02\x08\x05"


def test_what_is_sealed_can_be_opened_again() -> None:
    sealed = Seal(TABLE, KEY).seal(7, SECRET)
    assert is_sealed(sealed)
    assert not is_sealed(SECRET)
    assert SECRET not in sealed
    assert Seal(TABLE, KEY).open(7, sealed) == SECRET


def test_the_same_secret_is_never_sealed_alike() -> None:
    seal = Seal(TABLE, KEY)
    assert len({seal.seal(7, SECRET) for _ in range(100)}) == 100


@pytest.mark.parametrize("length", range(2 * BLOCK + 1))
def test_the_length_of_a_secret_shows_in_whole_blocks(length: int) -> None:
    """Also where there is nothing to hide: that it is nothing is not told."""
    seal, secret = Seal(TABLE, KEY), bytes(length)
    sealed = seal.seal(7, secret)
    blocks = (length + 2) // BLOCK + 1
    assert len(log.Secret.FromString(sealed).sealed) == 12 + blocks * BLOCK + 16
    assert seal.open(7, sealed) == secret


def test_what_was_sealed_before_there_was_padding_can_be_opened() -> None:
    bound_to = b"baloot/secret/v1\0" + TABLE.bytes + bytes([0, 0, 0, 7])
    sealed = log.Secret(sealed=bytes(12) + AESGCM(KEY).encrypt(bytes(12), SECRET, bound_to))
    assert Seal(TABLE, KEY).open(7, sealed.SerializeToString()) == SECRET


def test_whoever_opens_a_padded_secret_can_read_it_as_it_is() -> None:
    """Readers in other languages need not know of the padding."""
    sealed = log.Secret.FromString(Seal(TABLE, KEY).seal(7, SECRET)).sealed
    bound_to = b"baloot/secret/v1\0" + TABLE.bytes + bytes([0, 0, 0, 7])
    padded = log.Secret.FromString(AESGCM(KEY).decrypt(sealed[:12], sealed[12:], bound_to))
    assert padded.deal == log.Secret.FromString(SECRET).deal
    assert padded.padding == bytes(BLOCK - 3 - len(SECRET))


@pytest.mark.parametrize(
    ("seal", "sequence"),
    [(Seal(TABLE, OTHER_KEY), 7), (Seal(OTHER, KEY), 7), (Seal(TABLE, KEY), 8)],
    ids=["another key", "another match", "another entry"],
)
def test_it_opens_nowhere_else(seal: Seal, sequence: int) -> None:
    with pytest.raises(CannotOpen, match=f"entry {sequence}"):
        seal.open(sequence, Seal(TABLE, KEY).seal(7, SECRET))


@pytest.mark.parametrize("place", [*range(34), 150, 286])
def test_a_changed_byte_is_noticed(place: int) -> None:
    sealed = bytearray(Seal(TABLE, KEY).seal(7, SECRET))
    assert len(sealed) == 287
    sealed[place] ^= 1
    with pytest.raises(CannotOpen, match="entry 7"):
        Seal(TABLE, KEY).open(7, bytes(sealed))


@pytest.mark.parametrize("name", RULESETS)
async def test_the_size_of_what_is_sealed_tells_nothing_of_a_hand(name: str) -> None:
    """What may be played is listed for the seat on turn, so the size would tell how many cards that are."""
    trial = Trial(seed=5, settings=Settings(round_pause=0, ruleset=RULESETS[name]))
    await trial.fill()
    await trial.play(400)
    entries, seal = await trial.entries(), Seal(TABLE, KEY)
    at_cards = [entry for entry in entries if any(isinstance(event, ev.CardPlayed) for event in entry.events)]
    assert len(at_cards) > 100
    secrets = [encode(entry)[1] for entry in at_cards]
    assert len({*map(len, secrets)}) > 20
    assert len({len(seal.seal(7, secret)) for secret in secrets}) == 1


async def test_a_key_is_asked_for_once_and_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baloot.table.sealing.REMEMBERED", 2)
    asked = []

    async def key(table: UUID) -> bytes:
        asked.append(table.int)
        return KEY

    seals = Seals(key)
    for number in (1, 2, 1, 1, 3, 1, 2):
        await seals.of(UUID(int=number))
    assert asked == [1, 2, 3, 2]


async def test_no_hand_can_be_read_in_the_database(migrated_url: str) -> None:
    """A match is played, and every byte of every row is searched for what the seats held."""
    async with PostgresStore(migrated_url, some_key) as store:
        trial = Trial(seed=3, store=store)
        state = await trial.deal()
        stored = b"".join([raw.payload + raw.secret for raw in await store.raw(trial.table_id)])
        plain = [entry for entry in await store.read(trial.table_id) if entry.questions]
    assert state.round is not None
    deck = bytes(card + 1 for card in state.round.dealt.deck.cards)
    assert plain
    for start in range(29):
        assert deck[start : start + 4] not in stored


async def test_without_a_key_the_open_half_is_there_and_the_rest_is_refused(migrated_url: str) -> None:
    entry = replace(any_entry(Random(5)), sequence=1)
    async with PostgresStore(migrated_url, some_key) as sealing, PostgresStore(migrated_url) as without:
        assert await sealing.append(entry, Status.OPEN)
        with pytest.raises(SecretsSealed):
            await without.read(entry.table_id)
        assert len(await without.read(entry.table_id, secrets=False)) == 1
        (raw,) = await without.raw(entry.table_id)
        assert is_sealed(raw.secret)


async def test_an_old_log_goes_on_sealed_and_without_a_chain(migrated_url: str) -> None:
    """One that was begun before there were seals and chains."""
    rng = Random(2)
    table = table_id(rng)
    old, new = (replace(any_entry(Random(n)), table_id=table, sequence=n) for n in (1, 2))
    async with PostgresStore(migrated_url) as before:
        await before.append(old, Status.OPEN)
    engine = open_engine(migrated_url, "before", size=1, autocommit=True)
    async with engine.connect() as connection:
        await connection.execute(sa.text("UPDATE table_entry SET chain = NULL"))
    await engine.dispose()
    async with PostgresStore(migrated_url, some_key) as store:
        stored = await store.append(new, Status.OPEN)
        assert stored is not None
        assert stored.chain == b""
        assert list(await store.read(table)) == [old, new]
        assert [is_sealed(raw.secret) for raw in await store.raw(table)] == [False, True]


async def test_while_a_key_cannot_be_had_nothing_is_stored(migrated_url: str) -> None:
    async def away(_: UUID) -> bytes:
        raise Refusal(Reason.UNAVAILABLE, "no dealing service answers")

    entry = plain_entry(TABLE, 1, Random(1))
    async with PostgresStore(migrated_url, away) as store:
        with pytest.raises(StoreUnavailable):
            await store.append(entry, Status.OPEN)
        assert await store.raw(TABLE) == ()
