"""What a server says about itself."""

from __future__ import annotations

import time

import pytest
from baloot.api.info.v1 import info_pb2 as pb
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.core import playable
from baloot.core.catalogue import RULESETS
from baloot.core.ruleset import STANDARD, ReverseKaboot
from baloot.kit import info
from baloot.kit.buckets import Rate
from baloot.kit.channels import open_channel
from baloot.kit.quotas import COUNTS, PUBLIC, RATES
from baloot.kit.serving import Service
from baloot.table import requests

from tests.kit.conftest import SETTINGS, started


async def asked(service: Service) -> pb.GetServerInfoResponse:
    async with started([service], SETTINGS) as server, open_channel(server.address) as channel:
        return await InfoServiceStub(channel).GetServerInfo(pb.GetServerInfoRequest())


async def test_a_server_tells_its_version_services_rule_sets_and_limits() -> None:
    answer = await asked(info.service(["baloot.test.v1.EchoService"], max_message_bytes=1000))
    assert answer.version.count(".") == 2
    assert [*answer.services] == ["baloot.test.v1.EchoService", "baloot.api.info.v1.InfoService"]
    assert (answer.rulesets[0].name, answer.rulesets[0].hash) == ("standard", STANDARD.hash)
    limits = answer.limits
    assert (limits.max_message_bytes, limits.max_calls, limits.max_moves) == (1000, 64, 37)


async def test_the_time_is_that_of_the_clock_the_server_goes_by() -> None:
    assert (await asked(info.service([], now=lambda: 1_500_000))).server_time.ToMicroseconds() == 1_500_000
    answer = await asked(info.service([]))
    assert abs(answer.server_time.ToNanoseconds() - time.time_ns()) < 60e9


async def test_the_limits_are_those_that_are_kept() -> None:
    limits = (await asked(info.service([]))).limits
    assert limits.resume_window == info.RESUME_WINDOW
    assert limits.max_name_length == requests.MAX_NAME


async def test_the_limits_of_callers_are_told_and_none_is_unset() -> None:
    none = (await asked(info.service([]))).limits
    assert not any(none.HasField(name) for name in RATES)  # type: ignore[arg-type]
    assert not any(getattr(none, name) for name in COUNTS)
    limits = (await asked(info.service([], quotas=PUBLIC))).limits
    for name in RATES:
        rate = getattr(limits, name)
        assert Rate(rate.calls, rate.period.seconds, rate.burst) == getattr(PUBLIC, name)
    assert [getattr(limits, name) for name in COUNTS] == [getattr(PUBLIC, name) for name in COUNTS]


async def test_a_rule_set_that_is_not_playable_yet_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playable, "NOT_YET", frozenset({"kawesh"}))
    offered = {one.name for one in (await asked(info.service([]))).rulesets}
    assert offered == {name for name, known in RULESETS.items() if known.kawesh}
    assert offered < set(RULESETS)


def test_a_rule_set_whose_choices_contradict_each_other_is_not_playable() -> None:
    assert info.is_playable(STANDARD)
    assert not info.is_playable(STANDARD.with_options(kaboot_sun=89, reverse_kaboot=ReverseKaboot.ACE_UPCARD))
