"""Ports for servers that are started later."""

from __future__ import annotations

from random import Random

import pytest

from tests.e2e import servers
from tests.e2e.servers import WORKERS, free_port, listens


def test_no_port_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that fall alike again, as they do now and then."""
    monkeypatch.setattr(servers, "_given", set())
    given = []
    for _ in range(20):
        monkeypatch.setattr(servers, "_dice", Random(5))
        given.append(free_port())
    assert len(set(given)) == 20
    assert not any(listens(port) for port in given)


def test_workers_have_ports_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = []
    for worker in range(WORKERS):
        monkeypatch.setenv("PYTEST_XDIST_WORKER", f"gw{worker}")
        lanes.append({free_port() % WORKERS for _ in range(20)})
    assert [len(lane) for lane in lanes] == [1] * WORKERS
    assert len(set.union(*lanes)) == WORKERS
