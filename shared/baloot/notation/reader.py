"""Reading the notation: lines in, one transcript after the other out. Only one match is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from baloot.core.seats import Seat
from baloot.core.transcript import NO_PROOF, DealProof, DealTranscript, Transcript
from baloot.notation import sheet, tags
from baloot.notation.cursor import SEAT, Cursor, shown
from baloot.notation.errors import BadWord, NotationError
from baloot.notation.located import Located
from baloot.notation.sections import SECTIONS, Draft
from baloot.notation.tokens import place_of, words_of
from baloot.notation.words import SEAT_WORDS, find

MAX_MATCH = 4_000_000
"""The longest match that is read, in characters: some hundred times an ordinary one."""
_HEAD = "[baloot"
_DEAL = "deal"
_KEYWORDS = {
    form: keyword
    for keyword in (_DEAL, *SECTIONS)
    for form in (keyword, keyword.capitalize(), keyword.upper())
}
_BEGIN = 'a match begins with [Baloot "1"] at the start of a line'


def read(lines: Iterable[str]) -> Iterator[Transcript]:
    """One transcript for each match, in order, as the lines come. Raises NotationError at the first thing that is wrong.

    A match begins with a line that starts with `[Baloot`. What was read before an error has been given.
    """
    return (one.transcript for one in located(lines))


def located(lines: Iterable[str]) -> Iterator[Located]:
    """As `read`, each match with its text and where it begins."""
    match: list[str] = []
    began, size = 1, 0
    for number, line in enumerate(lines, 1):
        if match and _opens(line):
            yield from _one(match, began)
            match, began, size = [], number, 0
        elif not match and not _opens(line):
            _require_empty(line, number)
            continue
        if not match:
            began = number
        match.append(line if line.endswith("\n") else f"{line}\n")
        size += len(line)
        if size > MAX_MATCH:
            raise NotationError(number, 1, f"this match is longer than {MAX_MATCH} characters")
    yield from _one(match, began)


def parse(text: str) -> tuple[Transcript, ...]:
    """All matches of a text. Raises NotationError."""
    return tuple(read(text.split("\n")))


def _opens(line: str) -> bool:
    return line.lstrip(" \t\ufeff")[: len(_HEAD)].lower() == _HEAD


def _require_empty(line: str, number: int) -> None:
    """Before the first match there are blank lines and comments alone."""
    text = line.lstrip("\ufeff")
    if words_of(text):
        raise NotationError(number, place_of(line, 0).column, _BEGIN)


def _one(lines: Sequence[str], began: int) -> Iterator[Located]:
    if not lines:
        return
    text = "".join(lines).replace("\ufeff", " ", 1) if lines[0][0] == "\ufeff" else "".join(lines)
    try:
        yield Located(_match(words_of(text)), text, began)
    except BadWord as why:
        line, column = place_of(text, why.at)
        raise NotationError(began + line - 1, column, why.message) from None


def _match(words: list[str]) -> Transcript:
    keywords = [(at, keyword) for at, word in enumerate(words) if (keyword := _KEYWORDS.get(word))]
    first = keywords[0][0] if keywords else len(words)
    read_tags = _tags(words, first)
    fields = read_tags.fields()
    return Transcript(deals=_deals(words, keywords), **fields)


def _tags(words: list[str], end: int) -> tags.Tags:
    found, at = tags.Tags(), 0
    while at < end:
        _expect(words, at, "[", end)
        if at + 1 >= end or at + 2 >= end:
            raise BadWord(end, 'a tag is [Name "value"]')
        found.add(at + 1, words[at + 1], tags.string(at + 2, words[at + 2]), at + 2)
        _expect(words, at + 3, "]", end)
        at += 4
    return found


def _expect(words: list[str], at: int, wanted: str, end: int) -> None:
    if at < end and words[at] == wanted:
        return
    there = shown(words[at]) if at < len(words) else "the end of the match"
    what = "the [ of a tag, or deal" if wanted == "[" else "the ] that closes the tag"
    raise BadWord(at, f"expected {what}, not {there}")


# The deals.


def _deals(words: list[str], keywords: list[tuple[int, str]]) -> tuple[DealTranscript, ...]:
    deals: list[DealTranscript] = []
    draft: Draft = {}
    starts: dict[str, int] = {}
    ends = [at for at, _ in keywords[1:]] + [len(words)]
    for (at, keyword), end in zip(keywords, ends, strict=False):
        if keyword == _DEAL:
            if draft:
                deals.append(made(draft, starts))
            starts = {_DEAL: at}
            draft = head(Cursor(words, at + 1, end), deals[-1].number if deals else 0)
            continue
        if not draft:
            raise BadWord(
                at,
                f"{shown(words[at])} belongs to a deal, and none has begun: write deal, its number and the dealer",
            )
        if keyword in starts and keyword != "line":
            raise BadWord(at, f"{shown(words[at])} stands in this deal twice")
        starts[keyword] = at
        _section(keyword, Cursor(words, at + 1, end), draft)
    if draft:
        deals.append(made(draft, starts))
    return tuple(deals)


def _section(keyword: str, words: Cursor, draft: Draft) -> None:
    SECTIONS[keyword](words, draft)
    words.close()


def head(words: Cursor, before: int) -> Draft:
    """The head of a deal: its number, one more than the last unless it is given, and the dealer."""
    at, number = words.at, before + 1
    if words.more and find(SEAT_WORDS, words.words[words.at]) is None:
        number = words.number("the number of the deal, or the dealer's seat")
    if number <= before:
        raise BadWord(at, f"deals are numbered upwards, and the last was {before}")
    dealer: Seat = words.one(SEAT_WORDS, f"the dealer's {SEAT[2:]}")
    words.close()
    return {"number": number, "dealer": dealer}


def made(draft: dict[str, Any], starts: dict[str, int]) -> DealTranscript:
    """The deal of what was read. Raises BadWord at its head, or at the section that lacks another."""
    if "up_card" not in draft:
        raise BadWord(starts[_DEAL], "this deal has no up card: write up and the card")
    lines, figures = draft.pop("lines", []), draft.get("score")
    if lines and figures is None:
        raise BadWord(starts["line"], "this line belongs to a sheet, and the deal has no score")
    if figures is not None:
        draft["score"] = sheet.made(figures, lines)
    proof = draft.get("proof")
    draft["proof"] = NO_PROOF if proof is None else DealProof(**proof)
    return DealTranscript(**draft)
