"""Limits as an operator writes them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.kit.buckets import Rate
from baloot.kit.peers import NONE, OWN, places
from baloot.kit.quotas import COUNTS, JUDGING, PUBLIC, RATES, Quotas, spelled, told

NETWORK = "10.0.0.0/8"


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ([], {}),
        (["commands=7/s+3"], {"commands": Rate(7, 1, 3)}),
        (["watches=10/m+2", "opens=30/h+1"], {"watches": Rate(10, 60, 2), "opens": Rate(30, 3600, 1)}),
        (["calls=0", "streams=0"], {"calls": None, "streams": 0}),
        (["tables=9", "tables=3"], {"tables": 3}),
    ],
)
def test_what_is_said_is_changed_and_the_rest_stays(given: list[str], changed: dict[str, object]) -> None:
    assert told(PUBLIC, given) == replace(PUBLIC, **changed)  # type: ignore[arg-type]


def test_off_is_no_limit_at_all_but_for_what_follows() -> None:
    assert told(PUBLIC, ["off"]) == Quotas()
    assert told(PUBLIC, ["off", "streams=3"]) == Quotas(streams=3)
    assert told(PUBLIC, ["streams=3", "off"]) == Quotas()


@pytest.mark.parametrize(
    "wrong",
    ["", "commands", "commands=", "commands=5", "commands=5/s", "commands=5/d+1", "commands=-5/s+1", "commands=5/s+1.5",
     "streams=5/s+1", "streams=-1", "streams=1e9", "poker=1", "Streams=1", "streams=1 ", "commands=5/s+1+1"],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_with_how_to_write_it(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"write NAME=CALLS/s\+BURST"):
        told(PUBLIC, [wrong])


@pytest.mark.parametrize("wrong", ["commands=0/s+1", "commands=5/s+0"])
def test_a_rate_of_nothing_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="at least one"):
        told(PUBLIC, [wrong])


def test_networks_replace_those_that_stood_there() -> None:
    assert (PUBLIC.exempt, JUDGING.exempt) == (NONE, OWN)
    assert told(JUDGING, [], exempt=["none"]).exempt == NONE
    assert told(JUDGING, ["off"], trusted=[NETWORK]) == Quotas(trusted=places([NETWORK]), exempt=OWN)
    assert told(PUBLIC, [], exempt=[NETWORK]).exempt == places([NETWORK])


@pytest.mark.parametrize("name", [*RATES, *COUNTS])
def test_a_limit_is_spelled_as_it_is_read(name: str) -> None:
    limit = getattr(PUBLIC, name)
    assert limit
    assert told(Quotas(), [f"{name}={spelled(limit)}"]) == replace(Quotas(), **{name: limit})


@pytest.mark.parametrize("name", [*RATES, *COUNTS])
def test_it_matters_who_calls_where_a_caller_is_limited(name: str) -> None:
    assert not Quotas().by_caller
    assert replace(Quotas(), **{name: getattr(PUBLIC, name)}).by_caller is (name != "connections")
