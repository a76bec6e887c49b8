"""What logs may hold."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from baloot.core.cards import Card, Hand
from baloot.kit import logs


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    handlers, level = logging.root.handlers, logging.root.level
    yield
    structlog.reset_defaults()
    logging.root.handlers = handlers
    logging.root.setLevel(level)


@pytest.fixture
def out() -> io.StringIO:
    written = io.StringIO()
    logs.configure("info", out=written)
    return written


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_is_json_with_a_time_where_no_terminal_is(out: io.StringIO) -> None:
    structlog.get_logger().info("started", port=7000, ready=True, name=None)
    [line] = lines(out)
    assert str(line.pop("timestamp")).endswith("Z")
    assert line == {"event": "started", "level": "info", "port": 7000, "ready": True, "name": None}


def test_a_terminal_gets_a_line_to_read() -> None:
    out = Terminal()
    logs.configure("info", out=out)
    structlog.get_logger().info("started", port=7000)
    assert "started" in out.getvalue()
    assert not out.getvalue().startswith("{")


@pytest.mark.parametrize(
    ("value", "logged"),
    [
        (Card.CAS, "Card"),
        (Hand.of([Card.CAS]), "Hand"),
        ([Card.CAS], "list"),
        ({"hand": "AS"}, "dict"),
        (b"AS", "bytes"),
    ],
)
def test_what_is_no_plain_value_is_only_named(out: io.StringIO, value: object, logged: str) -> None:
    structlog.get_logger().info("dealt", what=value)
    assert lines(out)[0]["what"] == logged


def test_an_exception_is_its_type_and_its_place(out: io.StringIO) -> None:
    try:
        _raise()
    except KeyError:
        structlog.get_logger().exception("failed")
        logging.getLogger("library").exception("failed too")
    ours, theirs = lines(out)
    for line in (ours, theirs):
        assert (line["error"], line["cause"]) == ("KeyError", "ValueError")
        assert str(line["at"]).endswith("_raise")
    assert "AS KS" not in out.getvalue()
    assert theirs["logger"] == "library"


def test_debug_is_silent_unless_asked_for(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    structlog.get_logger().debug("call")
    logging.getLogger("library").info("chatter")
    assert lines(out) == []
    monkeypatch.setenv(logs.VARIABLE, "debug")
    logs.configure(out=out)
    structlog.get_logger().debug("call")
    assert [line["event"] for line in lines(out)] == ["call"]


def test_a_level_that_does_not_exist_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(logs.VARIABLE, "loud")
    with pytest.raises(ValueError, match="no log level 'loud': choose one of debug, info, warning, error"):
        logs.configure()


def _raise() -> None:
    try:
        int("AS KS")
    except ValueError as error:
        raise KeyError("AS KS") from error
