"""Refusals: the rule behind each reason, and what they say to whom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from baloot.core.errors import RULES, Reason, Refusal, forbidden

ROOT = Path(__file__).resolve().parents[2]
PROTO = (ROOT / "protos/baloot/api/core/v1/errors.proto").read_text(encoding="utf-8")
COMMENTS = {
    reason: comment.replace("\n  // ", " ")
    for comment, reason in re.findall(r"((?:  // .*\n)+)  ERROR_REASON_([A-Z_]+) =", PROTO)
}


def test_each_reason_has_the_rule_that_the_contract_tells() -> None:
    told = {
        reason: found[1]
        for reason, text in COMMENTS.items()
        if (found := re.search(r"\(rules ([0-9.]+)\)", text))
    }
    assert told == {reason.name: rule for reason, rule in RULES.items()}


def test_the_rules_forbid_whatever_is_about_a_turn_a_call_or_a_card() -> None:
    in_order = list(Reason)
    of_rules = in_order[in_order.index(Reason.NOT_YOUR_TURN) : in_order.index(Reason.LIMIT_EXCEEDED)]
    assert set(of_rules) - {Reason.CALL_NOT_OFFERED} == set(RULES)


def test_a_forbidden_thing_is_told_with_its_rule() -> None:
    told = forbidden(Reason.MUST_FOLLOW, "follow suit", legal="7H KH", facts={"limit": "2"})
    assert (told.rule, told.legal) == ("2.19", "7H KH")
    assert told.metadata == {"limit": "2", "rule": "2.19", "legal": "7H KH"}
    assert told.message == str(told) == "follow suit (rule 2.19)"
    assert told.lesson == "follow suit (rule 2.19); legal: 7H KH"


def test_what_was_legal_stands_in_the_metadata_and_the_lesson_only() -> None:
    told = forbidden(Reason.CARD_NOT_HELD, "not yours", legal="AS 10H")
    for shown in (told.message, str(told), repr(told), told.args):
        assert "AS" not in str(shown)


def test_where_nothing_was_legal_nothing_is_told() -> None:
    told = forbidden(Reason.NOT_YOUR_TURN, "wait")
    assert told.metadata == {"rule": "2.36"}
    assert told.lesson == told.message


def test_a_reason_that_many_rules_give_is_told_with_the_one_that_holds() -> None:
    assert forbidden(Reason.CALL_NOT_OFFERED, "no", rule="2.12").rule == "2.12"
    with pytest.raises(KeyError):
        forbidden(Reason.CALL_NOT_OFFERED, "no")


def test_what_no_rule_of_the_game_forbids_names_none() -> None:
    told = Refusal(Reason.TABLE_ENDED, "the table has ended")
    assert (told.rule, told.legal, told.lesson) == ("", "", "the table has ended")
