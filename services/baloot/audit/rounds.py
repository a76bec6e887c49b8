"""One round, judged again: what the rules make of its calls and cards, as the bytes that the log must hold."""

from __future__ import annotations

from baloot.audit.payload import bought_bytes, call_bytes, card_bytes, event_bytes, started_bytes, trick_bytes
from baloot.bidding import rules as bidding
from baloot.core.auction import PASS, AuctionRecord, Call, KaweshCalled, QuestionKind, SeatCall
from baloot.core.cards import Hand, Rank
from baloot.core.contract import Contract, Mode
from baloot.core.deal import DealEnd, Deck, FourHands
from baloot.core.errors import Reason, Refusal, forbidden
from baloot.core.play import CardMove, Move, PlayOutcome, PlayRecord, PlayStep, QaidMove, SawaMove
from baloot.core.ruleset import DoubleWindow, IllegalPlay, KaweshTurn, Ruleset
from baloot.core.score import RoundRecord, RoundScore
from baloot.core.seats import SEATS, Seat, position
from baloot.play import rules as play
from baloot.play.state import Play
from baloot.scoring import rules as scoring
from baloot.table import events as ev
from baloot.table.decide import following
from baloot.table.events import Event

CARD_POINTS = {Mode.HOKUM: 162, Mode.SUN: 130}
"""The card points of all cards, the ten of the last trick included."""


class RoundJudge:
    """A round from its deal on. Each step returns the events that the log must hold for it, as bytes.

    Steps raise Refusal for what the rules forbid. `end` is set when the round is over, `score` when it was scored.
    """

    def __init__(self, dealer: Seat, deck: Deck, scores: tuple[int, int], ruleset: Ruleset) -> None:
        self.dealer = dealer
        self.deck = deck
        self.scores = scores
        self.ruleset = ruleset
        self.hands: FourHands | None = None
        """The eight cards of each seat, where the last step dealt them."""
        self.end: DealEnd | None = None
        self.score: RoundScore | None = None
        self.outcome: PlayOutcome | None = None
        first = AuctionRecord(dealer, deck.up_card, deck.first_hands(dealer), scores, (), ruleset)
        self._first_hands = first.hands
        self._auction = bidding.start_auction(first)
        self._sealed: tuple[SeatCall, ...] = ()
        self._contract: Contract | None = None
        self.play: Play | None = None
        """The play after the last card; None before the first."""
        self._accepted: tuple[Seat, ...] | None = None

    @property
    def answering(self) -> bool:
        """Whether sealed answers to a Hokum are open."""
        return self._auction.phase is QuestionKind.ANSWER

    @property
    def reviewing(self) -> bool:
        """Whether the round waits for claims after its last card."""
        return self._accepted is not None

    # The auction.

    def call(self, seat: Seat, call: Call | None) -> list[bytes]:
        """What a call brings about; None is the call of a seat that does not answer."""
        before = self._auction
        if self.play is not None:
            raise forbidden(Reason.WRONG_PHASE, "the auction is over")
        made = bidding.default_call(before, seat) if call is None else call
        after = self._auction = bidding.make_call(before, seat, made)
        answered = before.phase is QuestionKind.ANSWER and seat in before.waiting
        events = self._heard(seat, made, answered=answered)
        contract, outcome = after.contract, bidding.outcome(after)
        if contract is not None and self._contract is None:
            self._contract = contract
            events.append(bought_bytes(contract))
            if outcome is None and self.ruleset.double_window is DoubleWindow.UNTIL_FIRST_LEAD:
                events.append(event_bytes(ev.HandsCompleted(self._complete(contract))))
        if isinstance(outcome, Contract):
            events.append(self._start_play(outcome))
        elif outcome is not None:
            events.append(self._void(outcome.seat if isinstance(outcome, KaweshCalled) else None))
        return events

    def _heard(self, seat: Seat, call: Call, *, answered: bool) -> list[bytes]:
        if not answered:
            return [call_bytes(seat, call, sealed=False)]
        events = [call_bytes(seat, call, sealed=True)]
        self._sealed = (*self._sealed, SeatCall(seat, call))
        if not self._auction.answers:
            in_order = sorted(self._sealed, key=lambda answer: position(answer.seat, self.dealer))
            events.append(event_bytes(ev.AnswersOpened(tuple(in_order))))
            self._sealed = ()
        return events

    def _complete(self, contract: Contract) -> FourHands:
        self.hands = self.deck.full_hands(self.dealer, contract.taker)
        return self.hands

    def _void(self, kawesh: Seat | None) -> bytes:
        self.end = DealEnd.THROWN_IN if kawesh is None else DealEnd.KAWESH
        return event_bytes(ev.DealVoid(self.end, kawesh, () if kawesh is None else self._laid_open(kawesh)))

    def _laid_open(self, caller: Seat) -> tuple[Hand, ...]:
        if self.ruleset.kawesh_turn is not KaweshTurn.AS_SUN_CALL:
            return self._first_hands
        return tuple(hand if seat == caller else Hand() for seat, hand in enumerate(self._first_hands))

    def _start_play(self, contract: Contract) -> bytes:
        hands = self._complete(contract)
        self._contract = contract
        started = self.play = play.start_play(PlayRecord(contract, self.dealer, hands, (), self.ruleset))
        return started_bytes(contract, started.leader)

    # The play.

    def move(self, seat: Seat, move: Move | None) -> list[bytes]:
        """What a card or a claim brings about; None is the card of a seat that does not answer."""
        before = self.play
        if before is None or (self.reviewing and not isinstance(move, QaidMove)):
            raise forbidden(Reason.WRONG_PHASE, "no card is to be played now")
        made = play.default_move(before) if move is None else move
        after = self.play = play.move(before, seat, made)
        if isinstance(made, CardMove):
            events = self._card(seat, after)
        else:
            events = self._claim(seat, made, play.step(after, ask=False))
        if after.turn is None:
            events += self._finished(after)
        return events

    def _card(self, seat: Seat, after: Play) -> list[bytes]:
        move = after.moves[-1].move
        assert isinstance(move, CardMove)
        if _says_more(after, move):
            step = play.step(after, ask=False)
            return [_card_bytes(seat, move, baloot=step.baloot), *_followed(step)]
        card = card_bytes(seat, move.card, akka=move.akka, baloot=False)
        return [card] if after.trick else [card, trick_bytes(after.tricks[-1])]

    def _claim(self, seat: Seat, move: Move, step: PlayStep) -> list[bytes]:
        if not isinstance(move, SawaMove):
            return _followed(step)
        credited = step.outcome.baloot[-1] if step.outcome and step.sawa and step.baloot else None
        claimed = ev.SawaClaimed(seat, bool(step.sawa), step.proof if step.sawa else (), credited)
        return [event_bytes(claimed), *_followed(step)]

    def _finished(self, after: Play) -> list[bytes]:
        outcome = self.outcome = play.outcome(after)
        assert outcome is not None
        if self.ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID and outcome.qaid is None:
            self._accepted = ()
            return []
        return self._scored(outcome)

    def accept(self, seat: Seat, call: Call = PASS) -> list[bytes]:
        """What it brings about that a seat has nothing to claim."""
        if self._accepted is None or seat in self._accepted or call != PASS or self.end is not None:
            raise forbidden(Reason.NOT_YOUR_TURN, "nobody asked the seat for a claim")
        self._accepted = (*self._accepted, seat)
        events = [event_bytes(ev.RoundAccepted(seat))]
        if len(self._accepted) < len(SEATS):
            return events
        assert self.outcome is not None
        return events + self._scored(self.outcome)

    def _scored(self, outcome: PlayOutcome) -> list[bytes]:
        score = self.score = scoring.score_round(self._record(outcome))
        self.end = DealEnd.SCORED
        events: list[Event] = [ev.RoundScored(score)]
        if score.winner is not None:
            events.append(ev.MatchEnded(score.winner, score.totals))
        return [event_bytes(event) for event in events]

    def plain_sheet(self) -> bytes:
        """The sheet without sentences, as old logs have it. Only after a score."""
        assert self.outcome is not None
        return event_bytes(ev.RoundScored(scoring.score_round(self._record(self.outcome), explained=False)))

    def _record(self, outcome: PlayOutcome) -> RoundRecord:
        contract = self._contract
        assert contract is not None
        assert self.play is not None
        buyers = self.play.start.record.hands[contract.buyer]
        return RoundRecord(
            contract,
            outcome,
            self.scores,
            self.ruleset,
            dealer=self.dealer,
            up_card=self.deck.up_card,
            buyer_had_ace=any(card.rank is Rank.ACE for card in buyers),
        )

    def adds_up(self) -> bool:
        """Whether cards and sheet of a scored round add up, whatever the rules made of them."""
        outcome, score, contract = self.outcome, self.score, self._contract
        if outcome is None or score is None or contract is None:
            return True
        whole = outcome.qaid is not None or sum(outcome.card_points) == CARD_POINTS[contract.mode]
        sums = [sum(line.game_points for line in score.lines if line.team == side) for side in (0, 1)]
        totals = tuple(before + more for before, more in zip(self.scores, sums, strict=True))
        return whole and tuple(sums) == score.game_points and totals == score.totals


def silent_card(before: Play, seat: Seat, move: CardMove) -> tuple[Play | None, bytes]:
    """The play after a card with which nothing is said, and the trick that it ends, if it does.

    None when the card may not be played, or when more may follow from it.
    """
    try:
        after = play.play_card(before, seat, move)
    except Refusal:
        return None, b""
    if after.turn is None or after.moves[-1].move is not move or _says_more(after, move):
        return None, b""
    return after, b"" if after.trick else trick_bytes(after.tricks[-1])


def _says_more(after: Play, move: CardMove) -> bool:
    """Whether more than a trick may follow from a card: a Baloot, or projects that are compared or shown."""
    if after.start.royals >> move.card & 1 or move.projects or move.shown:
        return True
    return bool(after.said.announced) and len(after.tricks) - (not after.trick) <= 1


def _card_bytes(seat: Seat, move: CardMove, *, baloot: bool) -> bytes:
    if move.projects:
        return event_bytes(ev.CardPlayed(seat, move, baloot))
    return card_bytes(seat, move.card, akka=move.akka, baloot=baloot)


def _followed(step: PlayStep) -> list[bytes]:
    """What follows from a card or a claim, in the order of the log."""
    return [event_bytes(event) for event in following(step)]
