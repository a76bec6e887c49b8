"""The server's key lies sealed in the database, which gives away neither seats nor answers, and knows its dealing key."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple
from uuid import UUID

import pytest
import sqlalchemy as sa
from baloot.app.rules import local_rules
from baloot.core.auction import PASS, Call, CallKind
from baloot.core.cards import Suit
from baloot.core.errors import Reason, Refusal
from baloot.core.keys import StoreKey
from baloot.core.seats import SEATS
from baloot.dealing.local import LocalDealing
from baloot.kit.database import open_engine
from baloot.table import events as ev
from baloot.table import identity
from baloot.table.decide import spelled
from baloot.table.events import Entry, Status
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore
from baloot.table.sealing import CannotOpen
from baloot.table.server_keys import FINGERPRINT, WrongDealingKey, open_key, seal_key
from baloot.table.store import SecretsSealed, StoreUnavailable

from tests.strategies.entries import plain_entry
from tests.table.trial import Trial

DEALING_KEY, OTHER_KEY = b"d" * 32, b"o" * 32
OLD, FRESH = b"k" * 32, b"f" * 32


def sealing(url: str, key: bytes = DEALING_KEY) -> PostgresStore:
    """A store as the table service has it."""
    dealing = LocalDealing(key)
    return PostgresStore(url, dealing.match_key, store_key=dealing.store_key)


async def rows_of(url: str, table: str) -> Sequence[sa.Row[tuple[object, ...]]]:
    engine = open_engine(url, "thief", size=1, autocommit=True)
    async with engine.connect() as connection:
        rows = (await connection.execute(sa.text(f'SELECT * FROM "{table}"'))).all()
    await engine.dispose()
    return rows


async def every_row(url: str) -> list[sa.Row[tuple[object, ...]]]:
    """All rows of all tables."""
    tables = [str(row.tablename) for row in await rows_of(url, "pg_tables") if row.schemaname == "public"]
    return [row for table in tables for row in await rows_of(url, table)]


# What a thief of the database can do.


class Seated(NamedTuple):
    """A match with four guests, one of whom has given a sealed answer, and the key that its tokens were made with."""

    trial: Trial
    key: bytes
    taken: list[Entry]
    answered: Entry


async def seated(store: PostgresStore) -> Seated:
    trial = Trial(seed=7, store=store, rules=local_rules(DEALING_KEY))
    trial.table_id = (await trial.table.create(trial.id(), trial.settings)).table_id
    for seat in SEATS:
        _, trial.tokens[seat] = await trial.table.take_seat(
            trial.table_id, trial.id(), seat, f"player {seat}"
        )
    for _ in range(400):
        (last,) = await store.read(trial.table_id, (await trial.state()).sequence - 1)
        if isinstance(last.events[0], ev.AnswerGiven):
            taken = [entry for entry in await trial.entries() if isinstance(entry.events[0], ev.SeatTaken)]
            return Seated(trial, await trial.table._server_key(), taken, last)
        await trial.one_more(await trial.state())
    raise AssertionError("nobody answered a Hokum")


def windows(value: object) -> Iterator[bytes]:
    """Whatever in a value could be a key."""
    if isinstance(value, bytes | memoryview):
        whole = bytes(value)
        yield whole
        yield from (whole[start : start + 32] for start in range(min(len(whole), 128) - 31))
    elif isinstance(value, UUID):
        yield value.bytes
    elif isinstance(value, str):
        yield value.encode()


def loot(match: Seated, key: bytes) -> list[str]:
    """What can be worked out of the rows of a match with a key."""
    tokens = {
        identity.seat_token(key, entry.table_id, entry.request_id, entry.request_digest)
        for entry in match.taken
    }
    known = {entry.events[0].token_hash for entry in match.taken if isinstance(entry.events[0], ev.SeatTaken)}
    good = [token for token in tokens if identity.token_hash(token) in known]
    calls = [
        PASS,
        *(Call(kind) for kind in (CallKind.SUN, CallKind.ASHKAL)),
        Call(CallKind.HOKUM, Suit.SPADES),
    ]
    guesses = {identity.request_digest("act", token, spelled(call)) for token in good for call in calls}
    return ["a seat token"] * len(good) + ["an answer"] * (match.answered.request_digest in guesses)


async def test_the_database_alone_gives_no_seat_token_and_no_answer(migrated_url: str) -> None:
    async with sealing(migrated_url) as store:
        match = await seated(store)
    values = {value for row in await every_row(migrated_url) for value in row if value.__hash__}
    candidates = {window for value in values for window in windows(value)}
    assert len(candidates) > 1000
    assert match.key not in candidates
    assert not [found for key in candidates for found in loot(match, key)]
    assert loot(match, match.key) == ["a seat token"] * 4 + ["an answer"], (
        "a thief who had the key would find these"
    )


# Keys of installations that are older, and of more than one process.


async def kept(url: str, name: str = "table") -> bytes:
    (value,) = [row.value for row in await rows_of(url, "server_key") if row.name == name]
    return bytes(value)


async def test_a_key_from_before_stays_the_same_and_is_sealed_at_first_sight(migrated_url: str) -> None:
    async with PostgresStore(migrated_url) as before:
        assert await before.key("table", OLD, sealed=True) == OLD
    assert await kept(migrated_url) == OLD
    async with sealing(migrated_url) as store, sealing(migrated_url) as twin:
        assert (
            await asyncio.gather(*(one.key("table", FRESH, sealed=True) for one in (store, twin) * 3))
            == [OLD] * 6
        )
        assert OLD not in (sealed := await kept(migrated_url))
        assert await store.key("table", FRESH, sealed=True) == OLD
        assert await kept(migrated_url) == sealed


async def test_tables_and_tokens_from_before_stay_what_they_are(migrated_url: str) -> None:
    request, seat = UUID(int=1), UUID(int=2)
    made = []
    for open_store in (PostgresStore, sealing, sealing):
        async with open_store(migrated_url) as store:
            table = Orchestrator(store, local_rules(DEALING_KEY))
            table_id = (await table.create(request, Trial().settings)).table_id
            made.append((table_id, await table.take_seat(table_id, seat, SEATS[0], "Noura")))
    assert made[0] == made[1] == made[2]


async def test_many_processes_agree_on_a_sealed_key(migrated_url: str) -> None:
    async with sealing(migrated_url) as store, sealing(migrated_url) as twin:
        fresh = [bytes([n]) * 32 for n in range(20)]
        asked = [
            one.key("table", key, sealed=True) for key, one in zip(fresh, (store, twin) * 10, strict=True)
        ]
        found = set(await asyncio.gather(*asked))
    assert len(found) == 1
    assert found < set(fresh)


async def test_what_is_not_to_be_sealed_stays_readable_without_the_dealing_service(migrated_url: str) -> None:
    async with sealing(migrated_url) as store, PostgresStore(migrated_url) as without:
        assert await store.key("history shares", OLD) == OLD
        assert await without.key("history shares", FRESH) == OLD
        await store.key("table", FRESH, sealed=True)
        with pytest.raises(SecretsSealed):
            await without.key("table", FRESH, sealed=True)


def test_a_sealed_key_opens_with_its_own_key_and_under_its_own_name() -> None:
    sealed = seal_key(DEALING_KEY, "table", OLD)
    assert open_key(DEALING_KEY, "table", sealed) == OLD
    assert sealed != seal_key(DEALING_KEY, "table", OLD)
    for key, name, value in (
        (OTHER_KEY, "table", sealed),
        (DEALING_KEY, "other", sealed),
        (DEALING_KEY, "table", sealed[:-1]),
        (DEALING_KEY, "table", b""),
    ):
        with pytest.raises(CannotOpen, match="cannot be opened"):
            open_key(key, name, value)


# Another dealing key.


async def test_a_database_knows_the_dealing_key_that_it_was_begun_with(migrated_url: str) -> None:
    async with sealing(migrated_url) as store:
        await store.check_keys()
        await store.key("table", FRESH, sealed=True)
    assert await kept(migrated_url, FINGERPRINT) == (await LocalDealing(DEALING_KEY).store_key()).fingerprint
    async with sealing(migrated_url, OTHER_KEY) as stranger:
        with pytest.raises(WrongDealingKey, match=r"not the one .* put that key file back"):
            await stranger.check_keys()
        with pytest.raises(WrongDealingKey):
            await stranger.key("table", FRESH, sealed=True)


async def test_nothing_is_sealed_with_the_key_of_a_stranger(migrated_url: str) -> None:
    entry = plain_entry(UUID(int=1), 1, Random(1))
    async with sealing(migrated_url) as store:
        await store.check_keys()
    async with sealing(migrated_url, OTHER_KEY) as stranger:
        with pytest.raises(StoreUnavailable):
            await stranger.append(entry, Status.OPEN)
        assert await stranger.raw(entry.table_id) == ()


async def test_a_dealing_service_that_is_away_is_not_taken_for_a_stranger(migrated_url: str) -> None:
    async def away() -> StoreKey:
        raise Refusal(Reason.UNAVAILABLE, "no dealing service answers")

    async with PostgresStore(migrated_url, store_key=away) as store:
        for asked in (store.check_keys(), store.key("table", FRESH, sealed=True)):
            with pytest.raises(StoreUnavailable) as caught:
                await asked
            assert not isinstance(caught.value, WrongDealingKey)
    assert not await rows_of(migrated_url, "server_key")


def test_a_store_key_does_not_print_itself() -> None:
    assert repr(StoreKey(b"secret" * 6, b"\x01\xff")) == "StoreKey(██, 01ff)"
