"""The tags at the head of a match: `[Name "value"]`, both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Any
from uuid import UUID

from baloot.core.catalogue import RULESETS, value_of, written
from baloot.core.errors import Refusal
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset
from baloot.core.seats import SEATS, Team
from baloot.core.transcript import NamedPlayer, Transcript
from baloot.notation.cursor import shown
from baloot.notation.errors import BadWord
from baloot.notation.words import TEAM_LETTERS, TEAM_WORDS, VERSION, find

Fields = dict[str, Any]
"""The fields of a transcript that are known so far."""
_REASON = re.compile(r"[a-z][a-z_]{0,39}")
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_TITLES = {seat: str(seat).capitalize() for seat in SEATS}
RULES, HASH, OPTION = "Rules", "RulesHash", "Option"


# Reading.


def _identity(value: str) -> UUID:
    try:
        return UUID(value)
    except ValueError:
        raise ValueError("expected the id of a match, a UUID") from None


def _date(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError("expected a date such as 2026-11-30") from None


def _reason(value: str) -> str:
    if not _REASON.fullmatch(value):
        raise ValueError("expected a reason in small letters, such as left or no_show")
    return value


def _team(value: str) -> Team:
    team = find(TEAM_WORDS, value)
    if team is None:
        raise ValueError("expected a side: SN or EW")
    return team


def _digest(value: str) -> bytes:
    if not _HEX.fullmatch(value):
        raise ValueError("expected 64 hexadecimal digits")
    return bytes.fromhex(value)


def _version(value: str) -> str:
    if value != VERSION:
        raise ValueError(
            f"this is version {shown(value)} of the notation, and only version {VERSION} is known"
        )
    return value


def _option(value: str) -> tuple[str, str]:
    name, _, given = value.partition("=")
    try:
        return name.strip(), written(value_of(name.strip(), given))
    except Refusal as why:
        raise ValueError(f"{why.message} (write option=value)") from None


_READ: Mapping[str, Callable[[str], object]] = {
    "Baloot": _version,
    "Match": _identity,
    "Event": str,
    "Site": str,
    "Date": _date,
    **dict.fromkeys(_TITLES.values(), str),
    **{f"{title}Account": str for title in _TITLES.values()},
    RULES: str,
    HASH: _digest,
    OPTION: _option,
    "Winner": _team,
    "Forfeit": _reason,
    "Abandoned": _reason,
    "LogChain": _digest,
}
NAMES = {name.lower(): name for name in _READ}
"""Every tag, by its name in small letters."""
CHOSEN = frozenset(name for name, read in _READ.items() if read is str)
"""The tags whose value may be any text: names, accounts and places."""


class Tags:
    """The tags that were read so far. Raises BadWord for one that is unknown, wrong or stands twice."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.options: dict[str, str] = {}
        self._at: dict[str, int] = {}

    def add(self, at: int, name: str, value: str, value_at: int) -> None:
        known = NAMES.get(name.lower())
        if known is None:
            raise BadWord(at, f"there is no tag {shown(name)}; there are: {', '.join(_READ)}")
        try:
            read = _READ[known](value)
        except ValueError as why:
            raise BadWord(value_at, str(why)) from None
        key = f"{known} {read[0]}" if known == OPTION else known  # type: ignore[index]
        if key in self._at:
            raise BadWord(at, f"the tag {key} stands here twice")
        self._at[key] = at
        if known == OPTION:
            self.options[read[0]] = read[1]  # type: ignore[index]
        else:
            self.values[known] = read

    def fields(self) -> Fields:
        """What the tags say of a transcript."""
        get = self.values.get
        names = [(get(title, ""), get(f"{title}Account", "")) for title in _TITLES.values()]
        return {
            "match": get("Match"),
            "event": get("Event", ""),
            "site": get("Site", ""),
            "date": get("Date"),
            "players": tuple([NamedPlayer(*named) for named in names]),
            "ruleset": self._ruleset(),
            "winner": get("Winner"),
            "forfeit": get("Forfeit", ""),
            "abandoned": get("Abandoned", ""),
            "log_chain": get("LogChain"),
        }

    def _ruleset(self) -> Ruleset:
        """`standard` with the options; without any, the rule set that ships under the name."""
        name, digest = self.values.get(RULES, STANDARD.name), self.values.get(HASH)
        ruleset = _with_options(name, tuple(self.options.items()))
        if digest is None or bytes.fromhex(_hash(ruleset)) == digest:
            return RULESETS.get(name, ruleset) if digest is None and not self.options else ruleset
        shipped = RULESETS.get(name)
        if shipped is not None and not self.options and bytes.fromhex(_hash(shipped)) == digest:
            return shipped
        raise BadWord(self._at[HASH], "these options do not make the rule set with this hash")


@lru_cache(maxsize=256)
def _with_options(name: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    return STANDARD.with_options(name=name, **{option: value_of(option, given) for option, given in options})


@lru_cache(maxsize=256)
def _hash(ruleset: Ruleset) -> str:
    return ruleset.hash


def string(at: int, word: str) -> str:
    """What stands between quotation marks."""
    if word[:1] != '"':
        raise BadWord(at, f"expected a value in quotation marks, not {shown(word)}")
    try:
        value: str = json.loads(word)
        value.encode()
    except json.JSONDecodeError as why:
        closed = len(word) > 1 and "Unterminated" not in why.msg
        fault = "has an escape or a sign that none can have" if closed else "lacks its closing quotation mark"
        raise BadWord(at, f"this value {fault}") from None
    except UnicodeEncodeError:
        raise BadWord(at, "this value holds something that is no character") from None
    return value


# Writing.


def tag_lines(transcript: Transcript) -> Iterator[str]:
    """The tags of a match, one on each line."""
    return (f"[{name} {quoted(value)}]" for name, value in told(transcript))


def told(transcript: Transcript) -> Iterator[tuple[str, str]]:
    """The tags of a match in their order, without those that say nothing."""
    yield "Baloot", VERSION
    yield from ((name, value) for name, value in _told(transcript) if value or name == RULES)


def _told(transcript: Transcript) -> Iterator[tuple[str, str]]:
    yield "Match", str(transcript.match or "")
    yield "Event", transcript.event
    yield "Site", transcript.site
    yield "Date", transcript.date.isoformat() if transcript.date else ""
    for seat, player in zip(SEATS, transcript.players, strict=True):
        yield _TITLES[seat], player.name
        yield f"{_TITLES[seat]}Account", player.account
    yield from _told_rules(transcript.ruleset)
    yield "Winner", "" if transcript.winner is None else TEAM_LETTERS[transcript.winner]
    yield "Forfeit", transcript.forfeit
    yield "Abandoned", transcript.abandoned
    yield "LogChain", transcript.log_chain.hex() if transcript.log_chain else ""


def _told_rules(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    yield RULES, ruleset.name
    for name, value in changed_options(ruleset).items():
        yield OPTION, f"{name}={value}"
    yield HASH, _hash(ruleset)


def changed_options(ruleset: Ruleset) -> dict[str, str]:
    """The options that are not as in `standard`, as they are written."""
    return {
        name: written(getattr(ruleset, name))
        for name in OPTIONS
        if getattr(ruleset, name) != getattr(STANDARD, name)
    }


def quoted(value: str) -> str:
    """A value in quotation marks; what cannot be seen is escaped as in JSON."""
    return "".join(
        sign if sign.isprintable() else json.dumps(sign)[1:-1]
        for sign in json.dumps(value, ensure_ascii=False)
    )
