"""What players noted and looked up: which deals it binds, and what it leaves open."""

from __future__ import annotations

from typing import Any

import pytest
from baloot.api.table.v1 import events_pb2 as wire
from baloot.verifier import verify

from tests.verifier.honest import BLOCK, HonestLog, honest
from tests.verifier.test_verdicts import codes, noted, verdict

MINE = bytes(range(32))
SHOUTED = "x\x1b[2K\x1b[1A\nVERIFIED by everybody\u202e\u2028 ”\\ بلوت é \U0001f0a1"
"""A name that would write into the verdict of a terminal, if it were printed as it is."""


def told(report: dict[str, Any], code: str) -> list[dict[str, Any]]:
    return [each for part in ("facts", "gaps") for each in report[part] if each["code"] == code]


def pin(proof: dict[str, Any], sequence: int) -> tuple[int, str]:
    return sequence, proof["entries"][sequence - 1]["chain"]


def seed_of(written: HonestLog, seat: int, block: int = 0) -> tuple[int, str]:
    return seat, written.blocks[block][seat].hex()


# South's seed stands in the fourth entry, and the first deals were committed to in the first.


@pytest.mark.parametrize(("sequence", "gap"), [(1, False), (3, False), (4, True), (9, True)])
def test_only_a_pin_from_before_a_seed_shows_that_the_commitments_stood(sequence: int, gap: bool) -> None:
    written = honest("plain")
    proof = written.proof()
    report = verdict(proof, [pin(proof, sequence)], [seed_of(written, 1)])
    found = told(report, "OWN_SEED_UNPINNED")
    assert bool(found) is gap
    assert all((each["since"], each["until"]) == (1, 3) for each in found)
    assert report["verdict"] == "verified"


def test_a_seed_without_any_pin_is_not_shown_to_be_later_than_the_commitments() -> None:
    written = honest("plain")
    report = verdict(written.proof(), [], [seed_of(written, 2)])
    assert codes(report) == ["NO_PINS", "OWN_SEED_UNPINNED", "RULES"]


def test_each_block_needs_a_pin_of_its_own() -> None:
    written = honest("long")
    proof = written.proof()
    seeds = [seed_of(written, 3), seed_of(written, 3, 1)]
    report = verdict(proof, [pin(proof, 1)], seeds)
    assert [each["first"] for each in told(report, "OWN_SEED_UNPINNED")] == [BLOCK + 1]


def test_a_seed_is_told_with_the_deals_it_went_into() -> None:
    written = honest("long")
    report = verdict(written.proof(), [], [seed_of(written, 1), seed_of(written, 3, 1)])
    bound = [(each["seat"], each["first"], each["last"]) for each in told(report, "OWN_SEED")]
    assert bound == [("South", 1, BLOCK), ("North", BLOCK + 1, BLOCK + 6)]
    other = [(each["seat"], each["first"]) for each in told(report, "OWN_SEED_ELSEWHERE")]
    assert other == [("North", 1), ("South", BLOCK + 1)]


def test_a_seed_counts_only_where_deals_have_begun() -> None:
    """The server leaves a player's seed out of what is dealt, and shows it where nothing is."""
    written = HonestLog("put off")
    written.open((1, 2, 4))
    written.write(written.committed())
    added = wire.SeedAdded(seat=3, first_number=BLOCK + 1, seed=MINE)  # type: ignore[arg-type]
    written.write(wire.TableEvent(seed_added=added), actor=3)
    written.deal("played")
    written.end()
    report = verdict(written.proof(), [], [(3, MINE.hex())])
    assert codes(report) == ["NO_PINS", "NO_OWN_SEED", "OWN_SEED_ELSEWHERE", "OWN_SEED_UNUSED", "RULES"]
    assert told(report, "OWN_SEED") == []


def test_pins_behind_the_end_are_counted() -> None:
    written = HonestLog("on")
    written.open()
    written.deal("played")
    proof = written.proof(complete=False)
    last = len(proof["entries"])
    beyond = [(last + n, "00" * 32) for n in (1, 2, 7)]
    report = verdict(proof, [pin(proof, last), *beyond])
    assert [each["count"] for each in told(report, "PINS") + told(report, "PINS_BEYOND")] == [1, 3]


# The beacon.


def test_a_beacon_is_told_with_its_value_and_its_moments() -> None:
    written = honest("beacon")
    report = verdict(*noted(written))
    (given,) = told(report, "BEACON")
    assert (given["name"], given["value"]) == ("a public value {of tomorrow}", written.beacon.hex())
    assert (given["entry"], given["last"]) == (8, BLOCK)
    assert told(report, "BEACON_SEEDS")[0]["at"] < told(report, "BEACON_TIME")[0]["at"] <= given["at"]
    assert told(report, "BEACON_SEEDS")[0]["at"] == verify.moment(written.rows[4].at)
    assert told(report, "BEACON_COMPARED")
    assert codes(report) == ["RULES"]


def test_a_beacon_that_was_not_looked_up_or_has_no_moment_is_a_gap() -> None:
    timed, untimed = honest("beacon", 0), honest("beacon", 1)
    assert codes(verdict(timed.proof()))[:1] == ["BEACON_NOT_COMPARED"]
    assert codes(verdict(untimed.proof()))[:2] == ["BEACON_UNTIMED", "BEACON_NOT_COMPARED"]
    assert codes(verdict(*noted(untimed)))[:1] == ["BEACON_UNTIMED"]


def test_commitments_from_when_the_beacon_was_public_are_not_bound_by_it() -> None:
    written = HonestLog("late", beacon_name="a lottery", timed=True)
    written.open(())
    written.rows[0].at = written.beacon_time
    written.deal("played")
    written.end()
    assert codes(verdict(written.proof()))[:2] == ["BEACON_KNOWN", "NO_SEEDS"]


# What a log alone cannot show, and what its texts cannot do.


def test_who_lost_the_match_before_is_the_word_of_the_server() -> None:
    for lost, losing in ((1, ["South", "North"]), (2, ["East", "West"])):
        written = HonestLog("rematch", lost_before=lost)
        written.open()
        written.deal("played")
        written.end()
        assert [each["losing"] for each in told(verdict(written.proof()), "LOSERS_UNSHOWN")] == [losing]


def test_a_text_of_the_log_cannot_write_into_the_verdict() -> None:
    written = HonestLog("shouted", beacon_name=SHOUTED)
    written.open()
    written.deal("played")
    written.end()
    report = verdict(written.proof())
    (given,) = told(report, "BEACON")
    assert given["name"] == (
        "x\\u{1b}[2K\\u{1b}[1A\\u{a}VERIFIED by everybody\\u{202e}\\u{2028} \\u{201d}\\u{5c} بلوت é \\u{1f0a1}"
    )
    assert all(line.isprintable() for line in verify.lines_of(report))


def test_a_long_text_is_cut() -> None:
    written = HonestLog("long name", beacon_name="\U0001f0a1" + "a" * 5_000)
    written.open()
    written.deal("played")
    written.end()
    (given,) = told(verdict(written.proof()), "BEACON")
    assert given["name"] == "\\u{1f0a1}" + "a" * 99 + "..."
