"""Replaying a transcript by the rules, from the first call to the last sheet, to find where the two disagree.

What a transcript leaves out is not judged: a deal without calls, without moves or without hands, where they do not follow
from the cards that were played. Where the seed of a deal is told, its cards are dealt again.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import NamedTuple
from uuid import UUID

from baloot.bidding import rules as bidding
from baloot.core.auction import AuctionRecord, CallKind, KaweshCalled, ThrownIn
from baloot.core.cards import Hand, Rank
from baloot.core.contract import Contract
from baloot.core.deal import DealEnd
from baloot.core.errors import Refusal
from baloot.core.play import CardMove, PlayOutcome, PlayRecord
from baloot.core.playable import require_playable
from baloot.core.ruleset import Ruleset
from baloot.core.score import RoundRecord, RoundScore
from baloot.core.seats import Team
from baloot.core.transcript import DealTranscript, Transcript
from baloot.dealing.rules import next_dealer
from baloot.history.verified import disproved
from baloot.play import rules as play
from baloot.play.state import CARDS_IN_HAND, Play
from baloot.scoring.rules import score_round


class Disagreement(NamedTuple):
    """Where a transcript and the rules part first: the number of the deal, None for the match as a whole, and how.

    `rule` is the number of the rule that forbids it; empty where none does.
    """

    deal: int | None
    message: str
    rule: str = ""

    def __str__(self) -> str:
        return self.message if self.deal is None else f"deal {self.deal}: {self.message}"


class _Wrong(Exception):
    """A deal that the rules do not allow, or that says something else than they do."""


class Result(NamedTuple):
    """What was bought in a deal and its sheet: by the rules where they can be applied, and else as they are told."""

    contract: Contract | None = None
    score: RoundScore | None = None


class _Standing(NamedTuple):
    """The match before a deal."""

    ruleset: Ruleset
    scores: tuple[int, int] = (0, 0)
    winner: Team | None = None
    before: DealTranscript | None = None
    match: UUID | None = None
    results: tuple[Result, ...] = ()
    explained: bool = False


class Judged(NamedTuple):
    """What came of a replay: the result of each deal, or what is wrong."""

    results: tuple[Result, ...]
    wrong: Disagreement | None = None


def disagreement(transcript: Transcript) -> Disagreement | None:
    """The first thing in which a transcript and the rules disagree; None when they agree in all that it tells."""
    return judged(transcript).wrong


def judged(transcript: Transcript, *, explained: bool = False) -> Judged:
    """A transcript replayed to its end, or to where the two disagree; sheets have sentences if they are `explained`."""
    standing = _Standing(transcript.ruleset, match=transcript.match, explained=explained)
    number = None
    try:
        require_playable(transcript.ruleset)
        for deal in transcript.deals:
            number = deal.number
            standing = _after(standing, deal)
        number = None
        _require_result(transcript, standing)
    except _Wrong as why:
        return Judged(standing.results, Disagreement(number, str(why)))
    except Refusal as why:
        return Judged(standing.results, Disagreement(number, why.message, why.rule))
    return Judged(standing.results)


def _after(standing: _Standing, deal: DealTranscript) -> _Standing:
    _require_place(standing, deal)
    contract = _auction(standing, deal)
    played = _play(standing, deal, contract)
    score = _score(standing, deal, contract, played)
    _require_proof(standing, deal, contract)
    standing = standing._replace(before=deal, results=(*standing.results, Result(contract, score)))
    if score is None:
        return standing
    return standing._replace(scores=score.totals, winner=score.winner)


def _require_proof(standing: _Standing, deal: DealTranscript, contract: Contract | None) -> None:
    """The cards are those that the seed gives, where it is told."""
    taker = None if contract is None else contract.taker
    why = disproved(standing.match, deal, taker, deal.hands or _played_hands(deal))
    if why is not None:
        raise _Wrong(why)


def _require_place(standing: _Standing, deal: DealTranscript) -> None:
    """The match was not over, and it is this dealer's turn."""
    before = standing.before
    if standing.winner is not None:
        raise _Wrong(f"the match was won by {standing.winner} before this deal")
    if before is None:
        return
    if before.end is None:
        raise _Wrong(f"deal {before.number} has no end, and only the last deal of a match can be cut off")
    dealer = next_dealer(before.dealer, before.end, standing.ruleset)
    if deal.dealer is not dealer:
        raise _Wrong(f"{deal.dealer} deals, and it is the turn of {dealer}")


# The auction.


def _auction(standing: _Standing, deal: DealTranscript) -> Contract | None:
    """The contract that the calls lead to; the one that is told where there are no calls."""
    if not deal.calls:
        return deal.contract
    calls = deal.calls
    unseen = calls[-1].call.kind is CallKind.KAWESH and not deal.first
    if unseen:  # whether the hand was worthless is not known
        calls = calls[:-1]
    record = AuctionRecord(
        deal.dealer, deal.up_card, tuple(deal.first), standing.scores, calls, standing.ruleset
    )
    ended = bidding.outcome(bidding.fold(record))
    if unseen:
        return None
    contract = ended if isinstance(ended, Contract) else None
    _require_end(deal, ended)
    if contract is not None and deal.contract not in (None, contract):
        raise _Wrong(
            f"the contract is told as {_told(deal.contract)}, and the calls lead to {_told(contract)}"
        )
    return contract or deal.contract


def _told(contract: Contract | None) -> str:
    if contract is None:
        return "none"
    taker = f" for {contract.taker}" if contract.ashkal else ""
    return f"{contract}{taker}, {contract.bidding.name.lower()} bidding"


def _require_end(deal: DealTranscript, ended: bidding.Outcome | None) -> None:
    """A deal that ends with its auction ends as the calls say."""
    if ended is None:
        if deal.end is not None or deal.moves:
            raise _Wrong("the auction is not over after the last call")
        return
    wanted = _ENDS.get(type(ended), DealEnd.SCORED)
    if deal.end is not wanted and not (deal.end is None and wanted is DealEnd.SCORED):
        told = "cut off" if deal.end is None else deal.end.name.lower()
        raise _Wrong(f"the deal is told as {told}, and the calls lead to {wanted.name.lower()}")


_ENDS: dict[type, DealEnd] = {ThrownIn: DealEnd.THROWN_IN, KaweshCalled: DealEnd.KAWESH}


# The play.


def _play(standing: _Standing, deal: DealTranscript, contract: Contract | None) -> Play | None:
    """The play after the last move; None where it cannot be followed."""
    hands = deal.hands or _played_hands(deal)
    if not deal.moves or not hands:
        return None
    if contract is None:
        raise _Wrong("cards are played, and nothing was bought")
    if deal.up_card not in hands[contract.taker]:
        raise _Wrong(f"{contract.taker} takes the up card {deal.up_card} and does not hold it")
    south, east, north, west = hands
    record = PlayRecord(contract, deal.dealer, (south, east, north, west), deal.moves, standing.ruleset)
    played = play.fold(record)
    outcome = play.outcome(played)
    if outcome is None:
        if deal.end is not None:
            raise _Wrong("the play is not over after the last move")
        return None
    _require_credits(deal, played, outcome)
    return played


def _played_hands(deal: DealTranscript) -> tuple[Hand, ...]:
    """The hands as they follow from the cards, when all of them were played."""
    masks = [0, 0, 0, 0]
    for made in deal.moves:
        if isinstance(made.move, CardMove):
            masks[made.seat] |= 1 << made.move.card
    hands = tuple(map(Hand, masks))
    return hands if all(len(hand) == CARDS_IN_HAND for hand in hands) else ()


def _require_credits(deal: DealTranscript, played: Play, outcome: PlayOutcome) -> None:
    """What is told to be shown, credited and judged is what the rules say."""
    if deal.qaid != outcome.qaid and (deal.qaid is not None or deal.score is not None):
        raise _Wrong("the Qaid is not judged as it is told")
    if deal.credited and sorted(deal.credited) != sorted(outcome.baloot):
        raise _Wrong("the Baloot is credited to another seat than the rules credit it to")
    if deal.sawa_proof and outcome.sawa is None:
        raise _Wrong("a Sawa is told to have held, and none did")
    announced = played.said.announced
    for owned in deal.shown:
        if owned not in announced:
            raise _Wrong(f"{owned.seat} shows a project that was not announced")


# The sheet.


def _score(
    standing: _Standing, deal: DealTranscript, contract: Contract | None, played: Play | None
) -> RoundScore | None:
    """The sheet by the rules; the one that is told where the play cannot be followed."""
    if deal.end is not DealEnd.SCORED:
        if deal.score is not None:
            raise _Wrong("the deal has a sheet, and did not end with one")
        return None
    if played is None or contract is None:
        return deal.score
    outcome = play.outcome(played)
    assert outcome is not None, "the play is over"
    score = score_round(_scoring(standing, deal, contract, played, outcome), explained=standing.explained)
    if deal.score is not None:
        _require_same(deal.score, score)
    return score


def _scoring(
    standing: _Standing, deal: DealTranscript, contract: Contract, played: Play, outcome: PlayOutcome
) -> RoundRecord:
    had_ace = any(card.rank is Rank.ACE for card in played.start.record.hands[contract.buyer])
    return RoundRecord(
        contract,
        outcome,
        standing.scores,
        standing.ruleset,
        dealer=deal.dealer,
        up_card=deal.up_card,
        buyer_had_ace=had_ace,
    )


def _plain(score: RoundScore) -> RoundScore:
    """A sheet without its sentences."""
    return replace(score, lines=tuple(replace(line, english="", arabic="") for line in score.lines))


def _require_same(told: RoundScore, score: RoundScore) -> None:
    """The first figure that differs, the totals of both sides before the lines behind them."""
    told, score = _plain(told), _plain(score)
    for name in _FIGURES:
        one, other = getattr(told, name), getattr(score, name)
        if one != other:
            raise _Wrong(
                f"the sheet tells {_words(name)} as {_spelled(one)}, and by the rules it is {_spelled(other)}"
            )
    for number, (line, wanted) in enumerate(zip(told.lines, score.lines, strict=False), 1):
        if line != wanted:
            raise _Wrong(f"line {number} of the sheet is not the one that the rules lead to")
    if len(told.lines) != len(score.lines):
        raise _Wrong(f"the sheet has {len(told.lines)} lines, and the rules lead to {len(score.lines)}")


_FIGURES = tuple(field.name for field in fields(RoundScore) if field.name != "lines")


def _words(name: str) -> str:
    return f"the {name.replace('_', ' ')}"


def _spelled(value: object) -> str:
    if isinstance(value, tuple):
        return " to ".join(map(str, value))
    return "none" if value is None else str(getattr(value, "name", value)).lower().replace("_", "-")


# The end of the match.


def _require_result(transcript: Transcript, standing: _Standing) -> None:
    won, told = standing.winner, transcript.winner
    if transcript.forfeit:
        if told is None or won is not None:
            raise _Wrong("a match that is forfeited has a winner, and none by its score")
    elif won is not told:
        raise _Wrong(f"the winner is told as {_spelled(told)}, and by the rules it is {_spelled(won)}")
    if transcript.abandoned and told is not None:
        raise _Wrong("a match that was abandoned has no winner")
