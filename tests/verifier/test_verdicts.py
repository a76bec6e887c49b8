"""What both verifiers say of logs that nobody tampered with, and of what is no log."""

from __future__ import annotations

import json
from typing import Any

import pytest
from baloot.api.table.v1 import events_pb2 as wire
from baloot.core.auction import CutChoice
from baloot.store.v1 import entry_pb2 as log
from baloot.verifier.verify import GAPS, REASONS, SEATS

from tests.verifier.both import Asked, by_javascript, by_python
from tests.verifier.honest import BLOCK, SHAPES, HonestLog, honest, proof_of


def verdict(*asked: Any) -> dict[str, Any]:
    """What both say, which must be the same."""
    (found,) = verdicts([(*asked, *([],) * (3 - len(asked)))])
    return found


def verdicts(asked: list[Asked]) -> list[dict[str, Any]]:
    found = by_python(asked)
    assert by_javascript(asked) == found
    return found


def codes(report: dict[str, Any], part: str = "gaps") -> list[str]:
    return [told["code"] for told in report[part]]


def noted(written: HonestLog) -> Asked:
    """All that the players of a log may have noted."""
    proof = written.proof()
    pins = [(entry["n"], entry["chain"].upper()) for entry in proof["entries"]]
    seeds = [(seat, seed.hex()) for block in written.blocks for seat, seed in block.items()]
    return proof, pins, seeds, written.beacon.hex().upper()


def test_honest_logs_are_verified() -> None:
    written = [honest(shape, number) for shape in SHAPES for number in range(4)]
    for report in verdicts([noted(each) for each in written]):
        assert report["verdict"] == "verified", report
        assert set(codes(report)) <= {"RULES", "LOSERS_UNSHOWN", "BEACON_UNTIMED", "OWN_SEED_ELSEWHERE"}
        assert codes(report, "facts")[:1] == ["CHECKED"]


def cut_by(cut: CutChoice, number: int) -> HonestLog:
    written = HonestLog(f"{cut} {number}", cuts=True)
    written.open()
    written.deal("played", cut)
    written.end()
    return written


def test_every_cut_is_dealt_as_the_table_deals_it() -> None:
    written = [cut_by(cut, number) for cut in CutChoice for number in range(3)]
    for report in verdicts([(each.proof(), [], []) for each in written]):
        assert report["verdict"] == "verified", report


def test_a_report_counts_what_it_checked() -> None:
    facts = {fact["code"]: fact for fact in verdict(*noted(honest("long")))["facts"]}
    assert facts["CHECKED"]["deals"] == BLOCK + 6
    assert facts["CHECKED"]["played"] == 2
    assert [facts["SEEDS"][name] for name in ("first", "last")] == [65, 128]
    assert facts["SEEDS"]["added"] == ["North", "West"]
    assert facts["SEEDS"]["absent"] == ["South", "East"]
    assert {"PINS", "OWN_SEED"} <= set(facts)


def test_what_the_beacon_does_not_bind_is_told() -> None:
    written = HonestLog("known", beacon_name="a lottery")
    written.open(())
    for _ in range(BLOCK + 1):
        written.deal("thrown_in")
    written.end()
    gaps = {gap["code"]: gap for gap in verdict(written.proof())["gaps"]}
    assert gaps["BEACON_KNOWN"]["first"] == gaps["NO_SEEDS"]["first"] == BLOCK + 1


def test_a_match_without_seeds_of_the_seats_says_so() -> None:
    written = HonestLog("nobody")
    written.open(())
    written.deal("played")
    written.end()
    report = verdict(written.proof())
    assert codes(report) == ["NO_SEEDS", "NO_PINS", "NO_OWN_SEED", "RULES"]
    assert report["facts"][1]["sentence"] == (
        "Deals 1 to 64: seats that added a seed: none; seats that did not: South, East, North, West."
    )


def test_a_match_that_is_on_is_checked_as_far_as_it_is_told() -> None:
    written = HonestLog("on")
    written.open()
    written.deal("played")
    written.deal("thrown_in")
    proof = written.proof(complete=False)
    beyond = (len(proof["entries"]) + 1, "00" * 32)
    report = verdict(proof, [beyond])
    assert report["verdict"] == "verified"
    assert report["facts"][0]["deals"] == 1
    assert codes(report) == ["NOT_OVER", "NOT_REVEALED", "NO_PINS", "PINS_BEYOND", "NO_OWN_SEED", "RULES"]
    assert report["gaps"][3]["count"] == 1


def test_a_match_that_never_began_proves_nothing() -> None:
    written = HonestLog("empty")
    written.open()
    written.end()
    report = verdict(written.proof())
    assert (report["verdict"], codes(report)[0]) == ("unproved", "NO_DEALS")


def old(written: HonestLog, *, upgraded: bool) -> dict[str, Any]:
    """A log from before the chain and the commitments; `upgraded` in its course, it reveals at its end."""
    for row in written.rows:
        kept = [each for each in row.entry.events if each.WhichOneof("event") != "deals_committed"]
        if not upgraded:
            kept = [each for each in kept if each.WhichOneof("event") != "seeds_revealed"]
        entry = log.Entry(events=kept)
        row.entry.CopyFrom(entry)
    proof = proof_of(written.match, written.rows)
    for each in proof["entries"]:
        each["chain"] = ""
    return proof


@pytest.mark.parametrize("upgraded", [True, False])
def test_an_old_log_is_not_refused_and_not_verified(upgraded: bool) -> None:
    written = HonestLog("old")
    written.open(())
    written.rows[1:2] = []  # who came and went had a seed, which was not yet known then
    written.rows[1].entry.events[0].seat_taken.seed = b""
    for end in ("played", "thrown_in", "played"):
        written.deal(end)
    written.end()
    report = verdict(old(written, upgraded=upgraded))
    assert report["verdict"] == "unproved"
    assert codes(report)[:2] == ["NO_CHAIN", "NO_COMMITMENTS"]
    assert codes(report, "facts") == ["CHECKED"] * upgraded


def test_a_log_that_begins_without_a_chain_has_none_later() -> None:
    proof = honest("plain").proof()
    proof["entries"][0]["chain"] = ""
    assert verdict(proof)["code"] == "CHAIN_WRONG"


def test_events_of_a_later_version_are_passed_over_and_told() -> None:
    written = honest("plain")
    new = written.rows[3].entry.events.add()
    new.MergeFromString(b"\xa2\x06\x00")  # field 100, an empty message
    report = verdict(written.proof())
    assert (report["verdict"], codes(report)[-2:]) == ("verified", ["UNKNOWN_EVENTS", "RULES"])


def test_a_deal_that_nobody_saw_is_not_void() -> None:
    """A round that was opened for the cut and never dealt cannot be skipped by calling it void."""
    written = HonestLog("skipped", cuts=True)
    written.open()
    written.deal("played")
    opened = wire.RoundOpened(number=2, dealer=1 + written.next_dealer(), commitment=written.commitment(2))  # type: ignore[arg-type]
    written.write(wire.TableEvent(round_opened=opened))
    written.write(wire.TableEvent(deal_void=wire.DealVoid()))
    written.end()
    assert verdict(written.proof())["code"] == "EVENT_MISPLACED"


def test_seeds_are_not_told_before_their_deal_is_over() -> None:
    written = HonestLog("early")
    written.open()
    written.deal("played")
    (place,) = (n for n, row in enumerate(written.rows) if row.entry.events[0].WhichOneof("event") == "dealt")
    last = written.rows[-1].entry.events
    written.rows[place].entry.events.append(last[-1])
    del last[-1]
    written.end()
    assert verdict(written.proof())["code"] == "REVEAL_EARLY"


def test_nothing_is_dealt_after_the_end() -> None:
    written = honest("plain")
    written.deal("played")
    assert verdict(written.proof())["code"] == "AFTER_END"


def test_only_the_first_entry_opens_the_table() -> None:
    twice, never = honest("plain"), honest("plain", 1)
    twice.rows[5].entry.events.insert(0, twice.rows[0].entry.events[0])
    never.rows.pop(0)
    assert [verdict(each.proof())["code"] for each in (twice, never)] == ["BEGIN_WRONG", "BEGIN_WRONG"]


def broken(path: str, value: Any) -> dict[str, Any]:
    proof: dict[str, Any] = json.loads(json.dumps(honest("plain").proof()))
    target: Any = proof
    *names, last = path.split(".")
    for name in names:
        target = target[int(name) if name.isdigit() else name]
    target[last] = value
    return proof


UNREADABLE: list[Any] = [
    None, [], "proof", {}, {"format": "baloot-proof/2"}, broken("format", 1), broken("match", "00"), broken("complete", 1),
    broken("match", "0" * 31 + "G"), broken("entries", []), broken("entries", {}), broken("entries", [7]),
    *(broken("entries.2.n", value) for value in (0, "3", None, True, 1 << 31, -1)),
    *(broken("entries.2.at", value) for value in (-1, 1 << 53, "0", None)),
    *(broken("entries.2.actor", value) for value in (5, -1, True, None)),
    broken("entries.2.by_default", 0), broken("entries.2.payload", "a"), broken("entries.2.payload", "AA=="[:3]),
    broken("entries.2.payload", "AA==\n"), broken("entries.2.secret", ""), broken("entries.2.secret", "zz" * 32),
    broken("entries.2.chain", "00"), broken("entries.2.chain", None), broken("entries.2.chain", "AA" * 32),
]  # fmt: skip


def test_what_is_no_proof_file_cannot_be_read() -> None:
    for report in verdicts([(proof, [], []) for proof in UNREADABLE]):
        assert (report["verdict"], report["code"]) == ("unreadable", "UNREADABLE")


PAYLOADS = [
    b"\x0a", b"\x0a\x05\x0a", b"\x0a\x00", b"\x0b", b"\x00\x01", b"\xff" * 11, b"\x08\x01", b"\x0a\x02\x0a",
    b"\x0a\x06\x2a\x00\x2a\x00\x32\x00",  # two facts in one event
    b"\x0a\x04\x28\x01\x28\x02",  # numbers where a message belongs
    b"\x0a\x06\x62\x04\x08\x01\x08\x02",  # a card of two seats
    b"\x0a\x06\x62\x04\x0a\x00\x10\x01",  # a seat that is no number
    b"\x0a\x06\x62\x04\x08\x05\x10\x01",  # a fifth seat
]  # fmt: skip


class Raw:
    """A payload that no message would write."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload

    def SerializeToString(self) -> bytes:  # noqa: N802 - as messages have it
        return self._payload


def test_bytes_that_are_no_entry_cannot_be_read() -> None:
    written = honest("plain")
    asked: list[Asked] = []
    for payload in PAYLOADS:
        rows: list[Any] = [row.copy() for row in written.rows]
        rows[4].entry = Raw(payload)
        asked.append((proof_of(written.match, rows), [], []))
    for payload, report in zip(PAYLOADS, verdicts(asked), strict=True):
        assert report["verdict"] == "unreadable", payload
        assert report["what"] == "the payload of entry 5"


def test_every_reason_and_gap_is_a_sentence() -> None:
    for texts in (REASONS, GAPS):
        assert all(text[0].isupper() or text[0] == "{" for text in texts.values())
        assert all(text.endswith(".") for text in texts.values())
    assert SEATS == ("South", "East", "North", "West")
