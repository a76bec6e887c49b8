"""Transcripts as JSON, both ways: the same words as in the text, grouped so that a program needs no grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from baloot.core.cards import Hand
from baloot.core.contract import Contract
from baloot.core.play import CardMove, Qaid, SawaMove, SeatMove
from baloot.core.score import RoundScore, ScoreLine
from baloot.core.seats import SEATS
from baloot.core.transcript import DealTranscript, Transcript
from baloot.notation import sheet, tags
from baloot.notation.cursor import Cursor
from baloot.notation.errors import BadWord, ShapeError
from baloot.notation.fields import Fields
from baloot.notation.reader import head, made
from baloot.notation.sections import SECTIONS, Draft, Section
from baloot.notation.words import (
    SEAT_LETTER,
    TEAM_LETTERS,
    VERSION,
    claim_word,
    contract_word,
    raise_word,
    seat_call_word,
    seat_project_word,
    word_of,
)
from baloot.notation.writer import move_words, proof_words, verdict_words

Object = dict[str, Any]
SEAT_SEEDS = "seats"


# Writing.


def to_json(transcript: Transcript) -> Object:
    """A transcript as what `json.dumps` takes (NOTATION.md tells the shape)."""
    told = list(tags.told(transcript))
    options = dict(value.split("=", 1) for name, value in told if name == tags.OPTION)
    return {
        "tags": {name: value for name, value in told if name != tags.OPTION},
        **({"options": options} if options else {}),
        "deals": [_deal(deal) for deal in transcript.deals],
    }


def _deal(deal: DealTranscript) -> Object:
    told: Object = {
        "deal": deal.number,
        "dealer": SEAT_LETTER[deal.dealer],
        "deck": None if deal.cut is None else word_of(deal.cut),
        "up": str(deal.up_card),
        "first": _hands(deal.first),
        "hands": _hands(deal.hands),
        "calls": [seat_call_word(said) for said in deal.calls],
        "contract": None if deal.contract is None else _contract(deal.contract),
        "play": [_move(made) for made in deal.moves],
        "shown": [seat_project_word(owned) for owned in deal.shown],
        "credited": [SEAT_LETTER[seat] for seat in deal.credited],
        "proof": [str(card) for card in deal.sawa_proof],
        "verdict": None if deal.qaid is None else _verdict(deal.qaid),
        "end": None if deal.end is None else word_of(deal.end),
        "score": None if deal.score is None else _score(deal.score),
        **{name: words[0] for name, words in proof_words(deal.proof).items() if name != SEAT_SEEDS},
        SEAT_SEEDS: [seed.hex() for seed in deal.proof.seat_seeds],
    }
    return {name: value for name, value in told.items() if value not in (None, [], {})}


def _hands(hands: Sequence[Hand]) -> Object:
    return {SEAT_LETTER[seat]: list(map(str, hand)) for seat, hand in zip(SEATS, hands, strict=False)}


def _contract(contract: Contract) -> Object:
    return {
        "bid": contract_word(contract),
        "by": SEAT_LETTER[contract.buyer],
        "taker": SEAT_LETTER[contract.taker],
        "bidding": word_of(contract.bidding),
        "raises": list(map(raise_word, contract.raises)),
    }


def _move(made: SeatMove) -> Object:
    seat, move = SEAT_LETTER[made.seat], made.move
    if isinstance(move, SawaMove):
        return {"seat": seat, "claim": "sawa"}
    if not isinstance(move, CardMove):
        return {"seat": seat, "claim": f"qaid={claim_word(move)}"}
    card, *said = move_words(made)
    return {"seat": seat, "card": card, **({"said": said} if said else {})}


def _verdict(qaid: Qaid) -> Object:
    return {"claim": verdict_words(qaid)[0], "right": qaid.right}


def _score(score: RoundScore) -> Object:
    teams = {"takes": score.round_winner, "wins": score.winner}
    return {
        "result": word_of(score.result),
        "abnat": list(score.card_points),
        "compared": list(score.compared),
        "writes": list(score.game_points),
        "totals": list(score.totals),
        **{name: TEAM_LETTERS[team] for name, team in teams.items() if team is not None},
        "lines": list(map(_score_line, score.lines)),
    }


def _score_line(line: ScoreLine) -> Object:
    return {
        "side": TEAM_LETTERS[line.team],
        "kind": word_of(line.kind),
        "points": line.game_points,
        "rule": line.rule,
        "inputs": dict(line.inputs),
    }


# Reading.


def from_json(value: object) -> Transcript:
    """The transcript of what `json.loads` gave. Raises ShapeError, with the path of what is wrong."""
    match = Fields("", value)
    read_tags = _tags(match)
    try:
        fields = read_tags.fields()
    except BadWord as why:
        raise ShapeError(f"tags: {why.message}") from None
    deals: list[DealTranscript] = []
    for n, told in enumerate(match.items("deals")):
        deals.append(_read_deal(Fields(f"deals[{n}]", told), deals[-1].number if deals else 0))
    match.close()
    return Transcript(deals=tuple(deals), **fields)


def _tags(match: Fields) -> tags.Tags:
    found = tags.Tags()
    told = match.fields("tags")
    options = match.fields("options")
    pairs = [(name, told.text(name)) for name in told.names]
    pairs += [(tags.OPTION, f"{name}={options.text(name)}") for name in options.names]
    if ("Baloot", VERSION) not in pairs:
        raise ShapeError(f'tags.Baloot: expected the version of the notation, "{VERSION}"')
    for n, (name, value) in enumerate(pairs):
        try:
            found.add(n, name, value, n)
        except BadWord as why:
            raise ShapeError(f"tags.{name}: {why.message}") from None
    return found


def _read_deal(told: Fields, before: int) -> DealTranscript:
    try:
        draft = head(Cursor([told.number("deal"), told.word("dealer")], 0, 2), before)
        for keyword, read in SECTIONS.items():
            for words in _section(keyword, told):
                _read(f"{told.path}.{keyword}", read, words, draft)
        told.close()
        return made(draft, {"deal": 0, "line": 0})
    except BadWord as why:
        raise ShapeError(f"{told.path}: {why.message}") from None


def _read(path: str, read: Section, words: Sequence[str], draft: Draft) -> None:
    cursor = Cursor(words, 0, len(words))
    try:
        read(cursor, draft)
        cursor.close()
    except BadWord as why:
        raise ShapeError(f"{path}: {why.message}") from None


def _section(keyword: str, told: Fields) -> Iterable[Sequence[str]]:
    """The words of a section, once for each time that it stands in the text."""
    make = _SECTIONS.get(keyword)
    if make is not None:
        return make(told)
    if keyword not in told.names:
        return ()
    return (told.texts(keyword) if keyword in _LISTS else [told.word(keyword)],)


_LISTS = frozenset({"calls", "shown", "credited", "proof", SEAT_SEEDS})


def _hand_words(told: Fields) -> Iterable[Sequence[str]]:
    first, whole = (told.fields(name) for name in ("first", "hands"))
    words: list[str] = []
    for seat in whole.names or first.names:
        began = first.texts(seat)
        rest = [card for card in whole.texts(seat) if card not in began]
        words += [f"{seat}:", *began, *(["+"] if began and rest else []), *rest]
    return [words] if words else []


def _contract_words(told: Fields) -> Iterable[Sequence[str]]:
    bought = told.fields("contract")
    if not bought.names:
        return ()
    named = [(name, bought.word(name)) for name in ("by", "taker", "bidding") if name in bought.names]
    return ([bought.word("bid"), *(word for pair in named for word in pair), *bought.texts("raises")],)


def _play_words(told: Fields) -> Iterable[Sequence[str]]:
    words: list[str] = []
    for n, value in enumerate(told.items("play")):
        move = Fields(f"{told.path}.play[{n}]", value)
        made = move.word("card" if "card" in move.names else "claim")
        words += [f"{move.word('seat')}:", made, *move.texts("said")]
        move.close()
    return [words] if words else []


def _verdict_words(told: Fields) -> Iterable[Sequence[str]]:
    verdict = told.fields("verdict")
    return [[verdict.word("claim"), "right" if verdict.flag("right") else "wrong"]] if verdict.names else []


def _score_words(told: Fields) -> Iterable[Sequence[str]]:
    score = told.fields("score")
    if not score.names:
        return ()
    words = [score.word("result")]
    for name in ("abnat", "compared", "writes", "totals"):
        words += [name, *score.numbers(name)]
    for name in ("takes", "wins"):
        words += [name, score.word(name)] if name in score.names else []
    return (words,)


def _line_words(told: Fields) -> Iterator[Sequence[str]]:
    score = told.fields("score")
    for n, value in enumerate(score.items("lines")):
        line = Fields(f"{score.path}.lines[{n}]", value)
        inputs = line.fields("inputs")
        named = [f"{name}={inputs.number(name)}" for name in inputs.names]
        words = [
            line.word("side"),
            line.word("kind"),
            line.number("points"),
            line.text("rule") or sheet.NO_RULE,
        ]
        yield [*words, *named]
        line.close()


_SECTIONS: Mapping[str, Callable[[Fields], Iterable[Sequence[str]]]] = {
    "hands": _hand_words,
    "contract": _contract_words,
    "play": _play_words,
    "verdict": _verdict_words,
    "score": _score_words,
    "line": _line_words,
}
"""The sections that are objects in JSON."""
