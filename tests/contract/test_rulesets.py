"""The rule sets answer alike, and refuse alike, in this process and over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import grpc
import pytest
from baloot.api.core.v1 import ruleset_pb2 as core_pb
from baloot.api.ruleset.v1 import ruleset_pb2 as pb
from baloot.api.ruleset.v1.ruleset_pb2_grpc import RulesetServiceStub
from baloot.codec.ruleset import decode_ruleset
from baloot.core import playable
from baloot.core.catalogue import CATALOGUE, NAMES, RULESETS, differences, written
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import OPTIONS, STANDARD, SunTakeoverFirst
from baloot.kit.errors import from_rpc_error
from baloot.rulesets.client import RemoteRulesets
from baloot.rulesets.local import LocalRulesets
from baloot.rulesets.server import NAME, service

from tests.contract.served import served

Rulesets = LocalRulesets | RemoteRulesets


@pytest.fixture(params=["local", "remote"])
async def rulesets(request: pytest.FixtureRequest) -> AsyncIterator[Rulesets]:
    if request.param == "local":
        yield LocalRulesets()
        return
    async with served(service(LocalRulesets())) as channel:
        yield RemoteRulesets(channel)


@pytest.fixture
async def stub() -> AsyncIterator[RulesetServiceStub]:
    async with served(service(LocalRulesets())) as channel:
        yield RulesetServiceStub(channel)


@pytest.fixture
def cut_not_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version in which two options work only as in `standard`."""
    monkeypatch.setattr(playable, "NOT_YET", frozenset({"cut", "first_leader"}))


async def test_all_rule_sets_are_listed_with_standard_first(rulesets: Rulesets) -> None:
    listed = await rulesets.list_rulesets()
    assert [one.name for one in listed] == list(NAMES)
    assert listed[0].playable
    for one in listed:
        known = CATALOGUE[one.name]
        assert (one.version, one.hash) == (known.version, known.ruleset.hash)
        assert one.title == (known.english, known.arabic)


@pytest.mark.usefixtures("cut_not_yet")
async def test_a_rule_set_with_an_option_that_does_not_work_yet_is_not_playable(rulesets: Rulesets) -> None:
    playable = {one.name for one in await rulesets.list_rulesets() if one.playable}
    standing = {
        name
        for name, known in RULESETS.items()
        if (known.cut, known.first_leader) == (STANDARD.cut, STANDARD.first_leader)
    }
    assert playable == standing
    assert playable < set(NAMES)


@pytest.mark.parametrize("name", NAMES)
async def test_a_rule_set_is_told_option_by_option(rulesets: Rulesets, name: str) -> None:
    told, known = await rulesets.get_ruleset(name), CATALOGUE[name]
    assert told.ruleset == known.ruleset
    assert [option.option for option in told.options] == list(OPTIONS)
    assert all(option.value == written(getattr(known.ruleset, option.option)) for option in told.options)
    assert {option.option for option in told.options if option.unstated} == known.unstated


async def test_words_come_with_the_values(rulesets: Rulesets) -> None:
    told = {option.option: option for option in (await rulesets.get_ruleset("pagat")).options}
    takeover = told["sun_takeover_first"]
    assert takeover.rule == "2.6"
    assert takeover.about == (
        "Who may take over a Sun of the first bidding",
        "من له أن يقول قبلك على صن في الأول",
    )
    assert takeover.meaning == ("Whoever sits earlier, the partner too", "كل من دوره قبله، والخوي كذلك")
    assert takeover.values == ("none", "earlier_opponents", "earlier_any", "anyone_in_turn")
    assert told["match_target"].values == ()


@pytest.mark.parametrize(("first", "second"), [("standard", "gamerules"), ("pagat", "jawaker")])
async def test_differences_are_those_of_the_options_in_their_order(
    rulesets: Rulesets, first: str, second: str
) -> None:
    found = await rulesets.diff_rulesets(first, second)
    expected = differences(RULESETS[first], RULESETS[second])
    assert [(one.first.option, one.first.value, one.second.value) for one in found] == [
        (one.option, written(one.first), written(one.second)) for one in expected
    ]
    assert all(one.second.unstated == (one.second.option in CATALOGUE[second].unstated) for one in found)
    assert await rulesets.diff_rulesets(first, first) == ()


async def test_a_rule_set_is_made_of_another_one_and_changes(rulesets: Rulesets) -> None:
    made = await rulesets.make_ruleset(" ours ", {"sun_takeover_first": "none", "match_target": "100"})
    assert made == STANDARD.with_options(
        name="ours", sun_takeover_first=SunTakeoverFirst.NONE, match_target=100
    )
    assert made.hash != STANDARD.hash


async def test_a_known_rule_set_can_be_changed_back(rulesets: Rulesets) -> None:
    base = RULESETS["kammelna"]
    back = {one.option: written(one.first) for one in differences(STANDARD, base)}
    assert (await rulesets.make_ruleset("back", back, "kammelna")).hash == STANDARD.hash


async def test_what_plays_like_one_that_ships_may_have_its_name(rulesets: Rulesets) -> None:
    made = await rulesets.make_ruleset("kammelna", {}, "kammelna")
    assert made == RULESETS["kammelna"]
    back = {one.option: written(one.second) for one in differences(made, STANDARD)}
    assert await rulesets.make_ruleset("standard", back, "kammelna") == STANDARD


@dataclass(frozen=True, slots=True)
class Refused:
    """What is asked for a new rule set, and how it is refused."""

    reason: Reason
    path: str
    changes: Mapping[str, str]
    name: str = "ours"
    base: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


CONTRADICTING = {"kaboot_in_raised_hand": "max_of_both"}
REFUSED = {
    "no name": Refused(Reason.FIELD_REQUIRED, "name", {}, name=" "),
    "a long name": Refused(Reason.FIELD_INVALID, "name", {}, name="x" * 41),
    "a name of two lines": Refused(Reason.FIELD_INVALID, "name", {}, name="a\nb"),
    "a blank name": Refused(Reason.FIELD_INVALID, "name", {}, name="\u3164"),
    "the name of another one": Refused(
        Reason.RULESET_INVALID, "name", {"match_target": "1"}, name="Standard", metadata={"name": "standard"}
    ),
    "the name of its base": Refused(
        Reason.RULESET_INVALID,
        "name",
        {"match_target": "1"},
        name="kammelna",
        base="kammelna",
        metadata={"name": "kammelna"},
    ),
    "no such base": Refused(Reason.RULESET_INVALID, "base", {}, base="poker"),
    "no such option": Refused(
        Reason.RULESET_INVALID, "changes.luck", {"luck": "1"}, metadata={"option": "luck"}
    ),
    "the name is no option": Refused(
        Reason.RULESET_INVALID, "changes.name", {"name": "x"}, metadata={"option": "name"}
    ),
    "no such value": Refused(
        Reason.RULESET_INVALID, "changes.cut", {"cut": "deep"}, metadata={"option": "cut"}
    ),
    "a number out of range": Refused(
        Reason.RULESET_INVALID,
        "changes.match_target",
        {"match_target": "1001"},
        metadata={"option": "match_target"},
    ),
    "a number of twenty figures": Refused(
        Reason.RULESET_INVALID,
        "changes.match_target",
        {"match_target": "9" * 20},
        metadata={"option": "match_target"},
    ),
    "a number that is none": Refused(
        Reason.RULESET_INVALID, "changes.qaid_sun", {"qaid_sun": "--5"}, metadata={"option": "qaid_sun"}
    ),
    "an option that is too long": Refused(Reason.FIELD_INVALID, "changes", {"x" * 5000: "1"}),
    "a value that is too long": Refused(Reason.FIELD_INVALID, "changes.cut", {"cut": "9" * 5000}),
    "no value": Refused(Reason.FIELD_REQUIRED, "changes.cut", {"cut": ""}),
    "more changes than options": Refused(
        Reason.FIELD_INVALID, "changes", {f"option_{n}": "1" for n in range(len(OPTIONS) + 1)}
    ),
    "choices that contradict each other": Refused(
        Reason.RULESET_INVALID,
        "changes.kaboot_in_raised_hand",
        {"raised_points": "shared", **CONTRADICTING},
        metadata={"options": "kaboot_in_raised_hand,raised_points"},
    ),
    "a choice that contradicts the base": Refused(
        Reason.RULESET_INVALID,
        "changes.kaboot_in_raised_hand",
        CONTRADICTING,
        base="gamerules",
        metadata={"options": "kaboot_in_raised_hand,raised_points"},
    ),
    "a change that does not work yet": Refused(
        Reason.OPTION_UNSUPPORTED,
        "changes.first_leader",
        {"first_leader": "buyer"},
        metadata={"options": "first_leader"},
    ),
    "a base that does not work yet": Refused(
        Reason.OPTION_UNSUPPORTED, "base", {"match_target": "100"}, base="pagat", metadata={"options": "cut"}
    ),
}


@pytest.mark.usefixtures("cut_not_yet")
@pytest.mark.parametrize("case", REFUSED)
async def test_what_cannot_be_made_is_refused_alike_in_every_wiring(rulesets: Rulesets, case: str) -> None:
    asked = REFUSED[case]
    with pytest.raises(Refusal) as refused:
        await rulesets.make_ruleset(asked.name, asked.changes, asked.base)
    refusal = refused.value
    assert (refusal.reason, refusal.field, refusal.metadata) == (asked.reason, asked.path, asked.metadata)
    with pytest.raises(Refusal) as local:
        await LocalRulesets().make_ruleset(asked.name, asked.changes, asked.base)
    assert refusal.message == local.value.message


@pytest.mark.parametrize(("name", "reason"), [("poker", Reason.RULESET_INVALID), ("", Reason.FIELD_REQUIRED)])
async def test_a_rule_set_that_is_not_known_is_refused(rulesets: Rulesets, name: str, reason: Reason) -> None:
    for asking, path in (
        (rulesets.get_ruleset(name), "name"),
        (rulesets.diff_rulesets(name, "pagat"), "first"),
        (rulesets.diff_rulesets("pagat", name), "second"),
    ):
        with pytest.raises(Refusal) as refused:
            await asking
        assert (refused.value.reason, refused.value.field) == (reason, path)


async def test_the_answer_has_all_options_and_the_hash_that_is_stored(stub: RulesetServiceStub) -> None:
    request = pb.MakeRulesetRequest(name="ours", changes={"kaboot_hokum": "44"})
    answer = await stub.MakeRuleset(request)
    assert {option.name for option, _ in answer.ruleset.ListFields()} == {"name", *OPTIONS}
    assert answer.ruleset.kaboot_hokum == 44
    assert answer.ruleset.sun_takeover_first == core_pb.SUN_TAKEOVER_FIRST_EARLIER_OPPONENTS
    assert answer.hash == decode_ruleset(answer.ruleset, "ruleset").hash


async def test_a_refusal_has_the_status_of_its_reason(stub: RulesetServiceStub) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.GetRuleset(pb.GetRulesetRequest(name="poker"))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "standard, wikipedia" in from_rpc_error(refused.value).message


def test_the_name_served_is_the_one_in_the_contract() -> None:
    assert NAME == "baloot.api.ruleset.v1.RulesetService"
