"""Logs: lines for people at a terminal, JSON for machines, and nothing of the game in either.

What is logged is an event's name and plain values. Anything else, a card, a hand, a message or a list of them, is
replaced by the name of its type, and of an exception only its type and where it happened are kept, since its text
may quote what it choked on.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LEVELS = ("debug", "info", "warning", "error")
VARIABLE = "BALOOT_LOG"
"""The environment variable that holds the level; unset means info."""

_PLAIN = frozenset({str, int, float, bool, type(None)})
_INNERMOST = 12


def configure(level: str | None = None, *, out: TextIO | None = None) -> None:
    """Sets up logging for the whole process. Raises ValueError for a level that does not exist.

    `level` is one of LEVELS and goes before BALOOT_LOG; `out` is standard error unless given.
    """
    number = _level_number(level or os.environ.get(VARIABLE) or "info")
    out = out or sys.stderr
    renderer = structlog.dev.ConsoleRenderer() if out.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*_PROCESSORS, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    _configure_libraries(number, out, renderer)


def failure(event: str, error: BaseException, **values: str | float | None) -> None:
    """Logs an exception as `describe` tells it, also in a process that never called `configure`."""
    structlog.get_logger().error(event, **values, **describe(error))


def describe(error: BaseException) -> dict[str, str]:
    """The type of an exception and the places it came through, innermost last; never its text."""
    frames = traceback.extract_tb(error.__traceback__)[-_INNERMOST:]
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    described = {"error": type(error).__qualname__, "at": " > ".join(places)}
    cause = error.__cause__ or error.__context__
    if cause is not None:
        described["cause"] = type(cause).__qualname__
    return described


def plain_values(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Replaces whatever is not a plain value by the name of its type; subclasses (a Card is an int) are not plain."""
    for key, value in event.items():
        if type(value) not in _PLAIN:
            event[key] = type(value).__qualname__
    return event


def exceptions_without_text(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Replaces exc_info by what `describe` says."""
    error: Any = event.pop("exc_info", None)
    if isinstance(error, tuple):
        error = error[1]
    elif error and not isinstance(error, BaseException):
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        event.update(describe(error))
    return event


def _level_number(level: str) -> int:
    if level.lower() not in LEVELS:
        raise ValueError(f"no log level {level!r}: choose one of {', '.join(LEVELS)} ({VARIABLE})")
    return logging.getLevelNamesMapping()[level.upper()]


def _configure_libraries(number: int, out: TextIO, renderer: Processor) -> None:
    """Sends what libraries log the same way, from warnings on."""
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_PROCESSORS],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.root.handlers = [handler]
    logging.root.setLevel(max(number, logging.WARNING))


_PROCESSORS: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    exceptions_without_text,
    plain_values,
)
