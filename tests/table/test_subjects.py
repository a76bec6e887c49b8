"""Whoever knows an event finds its view, its message and its place in the log by its name, in the file of its subject."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, get_args

import pytest
from baloot.api.table.v1 import events_pb2
from baloot.table import events
from baloot.table.events import Event

SUBJECTS = {
    "seats": "SeatEvent",
    "match": "MatchEvent",
    "deals": "DealEvent",
    "bidding": "BiddingEvent",
    "play": "PlayEvent",
}
OTHERWISE = {"round_dealt": "dealt"}
"""Events whose field in a `TableEvent` has another name."""

each_subject = pytest.mark.parametrize("subject", SUBJECTS)


def kinds(subject: str) -> list[type]:
    """The events of a subject."""
    return list(get_args(getattr(import_module(f"baloot.table.events.{subject}"), SUBJECTS[subject])))


def part(package: str, subject: str) -> Any:
    return import_module(f"baloot.table.{package}.{subject}")


def snake(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def field(kind: type) -> str:
    return OTHERWISE.get(snake(kind), snake(kind))


def test_each_event_has_one_subject() -> None:
    told = [kind for subject in SUBJECTS for kind in kinds(subject)]
    assert len(told) == len(set(told))
    assert set(told) == set(get_args(Event))
    assert sorted(map(field, told)) == sorted(events_pb2.TableEvent.DESCRIPTOR.fields_by_name)


@each_subject
def test_each_event_is_defined_in_the_file_of_its_subject(subject: str) -> None:
    for kind in kinds(subject):
        assert kind.__module__ == f"baloot.table.events.{subject}"
        assert getattr(events, kind.__name__) is kind
        assert kind.__name__ in events.__all__


@each_subject
def test_each_event_is_seen_by_its_name(subject: str) -> None:
    views = part("views", subject).VIEWS
    assert set(views) == set(kinds(subject))
    for kind, view in views.items():
        assert view.__name__ in ("whole", f"_{snake(kind)}")


@each_subject
def test_each_event_is_sent_by_its_name(subject: str) -> None:
    encoders = part("codec", subject).ENCODERS
    seen = {snake(kind).removeprefix("seen_"): encoder for kind, encoder in encoders.items()}
    assert set(seen) == set(map(snake, kinds(subject)))
    for name, (sent, encode) in seen.items():
        assert sent == OTHERWISE.get(name, name)
        assert encode.__name__ in (f"_{name}", f"encode_{name}")


@each_subject
def test_each_event_is_stored_by_its_name(subject: str) -> None:
    payload = part("payload", subject)
    names = {field(kind): snake(kind) for kind in kinds(subject)}
    assert set(payload.READERS) == set(names)
    assert {sent: read.__name__ for sent, read in payload.READERS.items()} == {
        sent: f"_{name}" for sent, name in names.items()
    }
    for sent, read in getattr(payload, "OPEN_READERS", {}).items():
        assert read.__name__ == f"_open_{names[sent]}"
    for kind, (_, hide) in getattr(payload, "HIDERS", {}).items():
        assert hide.__name__ in ("hide_hands", f"_hide_{snake(kind)}")
