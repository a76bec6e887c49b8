"""Writing the notation in its canonical form: the one way in which a transcript is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from baloot.core.contract import Contract
from baloot.core.play import CardMove, Qaid, SawaMove, SeatMove
from baloot.core.seats import SEATS
from baloot.core.transcript import DealProof, DealTranscript, Transcript
from baloot.notation import sheet
from baloot.notation.tags import tag_lines
from baloot.notation.words import (
    SEAT_LETTER,
    claim_word,
    contract_word,
    project_word,
    raise_word,
    seat_call_word,
    seat_project_word,
    word_of,
)

INDENT = "  "


def write(transcripts: Iterable[Transcript]) -> Iterator[str]:
    """The text of many matches line by line, each line with its end, a blank line between two matches."""
    between = ""
    for transcript in transcripts:
        if between:
            yield between
        between = "\n"
        for line in lines_of(transcript):
            yield f"{line}\n"


def text(*transcripts: Transcript) -> str:
    """The text of some matches."""
    return "".join(write(transcripts))


def lines_of(transcript: Transcript) -> Iterator[str]:
    """The lines of one match."""
    yield from tag_lines(transcript)
    for deal in transcript.deals:
        yield ""
        yield f"deal {deal.number} {SEAT_LETTER[deal.dealer]}"
        yield from _deal(deal)


def _deal(deal: DealTranscript) -> Iterator[str]:
    if deal.cut is not None:
        yield f"deck {word_of(deal.cut)}"
    yield f"up {deal.up_card}"
    if deal.first or deal.hands:
        yield "hands"
        yield from (INDENT + line for line in hand_lines(deal))
    yield from _line("calls", map(seat_call_word, deal.calls))
    if deal.contract is not None:
        yield from _line("contract", contract_words(deal.contract))
    if deal.moves:
        yield "play"
        yield from (INDENT + " ".join(words) for words in tricks(deal.moves))
    yield from _line("shown", map(seat_project_word, deal.shown))
    yield from _line("credited", (SEAT_LETTER[seat] for seat in deal.credited))
    yield from _line("proof", map(str, deal.sawa_proof))
    if deal.qaid is not None:
        yield from _line("verdict", verdict_words(deal.qaid))
    if deal.end is not None:
        yield f"end {word_of(deal.end)}"
    if deal.score is not None:
        yield from _line("score", sheet.score_words(deal.score))
        yield from (INDENT + "line " + " ".join(sheet.line_words(line)) for line in deal.score.lines)
    for name, words in proof_words(deal.proof).items():
        yield from _line(name, words)


def _line(keyword: str, words: Iterable[str]) -> Iterator[str]:
    """A section on one line, if there is anything in it."""
    spelled = " ".join(words)
    if spelled:
        yield f"{keyword} {spelled}"


def hand_lines(deal: DealTranscript) -> Iterator[str]:
    """`S: 7S 8S 9S 10S JS + QS KS AS`. Raises ValueError for first cards that are not in the hand."""
    for seat in SEATS:
        whole = deal.hands[seat] if deal.hands else deal.first[seat]
        first = deal.first[seat] if deal.first else whole
        if first.mask & ~whole.mask:
            raise ValueError(f"deal {deal.number}: the first cards of {seat} are not in the hand")
        rest = [str(card) for card in whole if card not in first]
        yield " ".join([f"{SEAT_LETTER[seat]}:", *map(str, first), *(["+", *rest] if rest else [])])


def contract_words(contract: Contract) -> list[str]:
    """`hokum-H by E bidding first N:double`; the taker is named where it is another seat."""
    words = [contract_word(contract), "by", SEAT_LETTER[contract.buyer]]
    if contract.ashkal:
        words += ["taker", SEAT_LETTER[contract.taker]]
    return [*words, "bidding", word_of(contract.bidding), *map(raise_word, contract.raises)]


def verdict_words(qaid: Qaid) -> list[str]:
    """`E:revoke/7S/8S right`."""
    return [f"{SEAT_LETTER[qaid.claimer]}:{claim_word(qaid.claim)}", "right" if qaid.right else "wrong"]


def tricks(moves: Iterable[SeatMove]) -> Iterator[list[str]]:
    """The moves, trick by trick, with the seat of the first and of each that does not come in order."""
    words: list[str] = []
    cards, turn = 0, -1
    for made in moves:
        if cards == 4:
            yield words
            words, cards, turn = [], 0, -1
        if made.seat != turn:
            words.append(f"{SEAT_LETTER[made.seat]}:")
        words += move_words(made)
        is_card = isinstance(made.move, CardMove)
        cards, turn = cards + is_card, (made.seat + is_card) & 3
    if words:
        yield words


def move_words(made: SeatMove) -> list[str]:
    """A move without its seat: `QH +akka`, `sawa`, `qaid=revoke/7S/8S`."""
    move = made.move
    if isinstance(move, SawaMove):
        return ["sawa"]
    if not isinstance(move, CardMove):
        return [f"qaid={claim_word(move)}"]
    said = ["+akka"] * move.akka + ["+baloot"] * move.baloot
    announced = [f"+{project_word(project)}" for project in move.projects]
    return [str(move.card), *announced, *said, *(f"!{project_word(project)}" for project in move.shown)]


def proof_words(proof: DealProof) -> dict[str, list[str]]:
    """What verifies a deal, by its keywords, as far as it is known."""
    told = {
        "commitment": (proof.commitment,),
        "root": (proof.deck_root,),
        "seed": (proof.seed,),
        "seats": proof.seat_seeds,
        "beacon": (proof.beacon,),
    }
    known = {name: [value.hex() for value in values if value is not None] for name, values in told.items()}
    return {name: words for name, words in known.items() if words}
