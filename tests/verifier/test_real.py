"""Logs of the real table, by every rule set, with all that players can add to the deals."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

from baloot.core import catalogue
from baloot.core.seats import SEATS
from baloot.table import chain
from baloot.table.events import Entry, Settings
from baloot.table.payload import encode

from tests.history.played import logbooks
from tests.table.trial import Trial
from tests.verifier.both import Asked, by_javascript, by_python

MATCHES = 2
"""Matches of each rule set."""


def proof_of(entries: tuple[Entry, ...], *, complete: bool = True) -> dict[str, Any]:
    """The proof file of a log."""
    told, link = [], chain.START
    for entry in entries:
        payload, secret = encode(entry)
        hidden = sha256(secret).digest()
        link = chain.link(
            link,
            entry.table_id,
            entry.sequence,
            entry.at,
            entry.actor,
            payload,
            hidden,
            by_default=entry.by_default,
        )
        told.append(
            {
                "n": entry.sequence,
                "at": entry.at,
                "actor": 0 if entry.actor is None else entry.actor + 1,
                "by_default": entry.by_default,
                "payload": b64encode(payload).decode(),
                "secret": hidden.hex(),
                "chain": link.hex(),
            }
        )
    match = entries[0].table_id.hex
    return {"format": "baloot-proof/1", "match": match, "complete": complete, "entries": told}


async def played(name: str, number: int) -> Asked:
    """A match of a rule set; its first two seats add seeds, and every second one waits for a beacon."""
    ruleset = catalogue.CATALOGUE[name].ruleset.with_options(match_target=60)
    settings = Settings(ruleset=ruleset, round_pause=0)
    trial = Trial(number, replace(settings, beacon="tomorrow") if number % 2 else settings)
    await trial.open()
    beacon, seeds = b"", {seat: trial.random.randbytes(32) for seat in SEATS[:2]}
    for seat in SEATS:
        _, trial.tokens[seat] = await trial.table.take_seat(
            trial.table_id, trial.id(), seat, "Noura", None, seeds.get(seat, b"")
        )
    if number % 2:
        beacon = trial.random.randbytes(32)
        await trial.table.give_beacon(trial.table_id, trial.id(), beacon)
    await trial.table.step(trial.table_id)
    await trial.play(None)
    proof = proof_of(tuple(await trial.entries()))
    pins = [(entry["n"], entry["chain"]) for entry in proof["entries"]]
    return proof, pins, [(1 + seat, seed.hex()) for seat, seed in seeds.items()], beacon.hex()


async def test_what_the_table_writes_is_verified() -> None:
    asked = [await played(name, number) for name in catalogue.NAMES for number in range(MATCHES)]
    verdicts = by_python(asked)
    assert by_javascript(asked) == verdicts
    for verdict in verdicts:
        assert (verdict["verdict"], verdict["sentence"]) == ("verified", "")
        assert [gap["code"] for gap in verdict["gaps"] if gap["code"] != "BEACON_UNTIMED"] == ["RULES"]
    ends = [fact for verdict in verdicts for fact in verdict["facts"] if fact["code"] == "CHECKED"]
    assert sum(fact["played"] for fact in ends) > 3 * len(verdicts) / 2
    assert any(fact["reshuffled"] for fact in ends)


def test_matches_that_ended_otherwise_are_verified_as_well() -> None:
    """Of two that are over, one that is on, one that was left, and one that never began."""
    asked: list[Asked] = [(proof_of(log, complete=n != 2), [], []) for n, log in enumerate(logbooks())]
    verdicts = by_python(asked)
    assert by_javascript(asked) == verdicts
    assert [verdict["verdict"] for verdict in verdicts] == ["verified"] * 4 + ["unproved"]
