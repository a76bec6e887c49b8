"""Whole random rounds, from the first call to the score sheet, in which the rules and their second tellings must agree.

At every call and card the open question is compared as a whole: who is asked, what may be said or played and what may
not and why, what stands for silence. So are the contract, the hands, what is credited, how the play ended and the sheet.
"""

from __future__ import annotations

from random import Random

from baloot.bidding import rules as bidding
from baloot.core.auction import AuctionRecord, Call, CallKind
from baloot.core.cards import CARDS, Card, Rank
from baloot.core.contract import Contract
from baloot.core.errors import Reason
from baloot.core.play import (
    CardMove,
    PlayAsked,
    PlayOutcome,
    PlayRecord,
    QaidGround,
    QaidMove,
    SawaMove,
    SeatMove,
)
from baloot.core.ruleset import BalootSaying, Sawa
from baloot.core.score import RoundRecord, RoundScore
from baloot.core.seats import SEATS, Seat
from baloot.play import rules
from baloot.play.state import Play
from baloot.scoring.rules import score_round

from tests.rules.bidding.story import story
from tests.rules.bidding.told import next_or_end, questions_of, setting_of, tell
from tests.rules.play import naive
from tests.rules.play import retold as second
from tests.rules.play.retold import Told
from tests.rules.scoring.rescorer import rescore
from tests.rules.whole.dealt import Deal
from tests.strategies.auction import forced_suns, open_calls
from tests.strategies.play import a_card, a_claim

SAWA_CARDS = 4
"""Up to so many cards a claim of the rest is tried out against every defence; with more that takes too long."""


def compare_round(rng: Random, deal: Deal) -> set[str]:
    """Plays one round; what was in it, `played` unless the deal was void."""
    contract = auction(rng, deal)
    if not isinstance(contract, Contract):
        return {type(contract).__name__}
    hands = deal.deck.full_hands(deal.dealer, contract.taker)
    assert [set(hand) for hand in hands] == hands_of(deal, contract)
    start = PlayRecord(contract, deal.dealer, hands, (), deal.ruleset)
    play, told = play_out(rng, start)
    ended = rules.outcome(play)
    assert ended is not None
    assert ended == second.outcome(told)
    return {"played"} | seen_in(play, ended) | {score(deal, contract, told, ended).result.name}


# The auction.


def auction(rng: Random, deal: Deal) -> bidding.Outcome:
    first = deal.deck.first_hands(deal.dealer)
    record = AuctionRecord(deal.dealer, deal.up_card, first, deal.scores, ruleset=deal.ruleset)
    auction, telling = bidding.start_auction(record), story(setting_of(record))
    questions = next_or_end(telling, None)
    while (end := bidding.outcome(auction)) is None:
        assert questions_of(auction) == questions
        seat, call = a_call(rng, auction)
        auction = bidding.make_call(auction, seat, call)
        questions = next_or_end(telling, ((seat - deal.dealer - 1) % 4 + 1, str(call)))
    assert tell(auction) == questions
    return end


LIKELY = {CallKind.PASS: 10, CallKind.HOKUM: 5, CallKind.CONFIRM: 3, CallKind.SUN: 1, CallKind.ASHKAL: 1}
"""How often a call is made beside others, 4 if it does not stand here: nearly half of the rounds are Hokum, most of them raised."""


def a_call(rng: Random, auction: bidding.Auction) -> tuple[Seat, Call]:
    """Anything that may be said now, a wrong Ashkal that counts as Sun included."""
    calls = open_calls(auction) + forced_suns(auction)
    return rng.choices(calls, [LIKELY.get(call.kind, 4) for _, call in calls])[0]


def hands_of(deal: Deal, contract: Contract) -> list[set[Card]]:
    """Three and two to each, then the up card and two to its taker, and three to each of the others."""
    stock = list(deal.deck.cards)
    hands: list[set[Card]] = [set() for _ in SEATS]
    order = [(deal.dealer + n) % 4 for n in (1, 2, 3, 4)]

    def give(seat: int, count: int) -> None:
        hands[seat] |= {stock.pop(0) for _ in range(count)}

    for count in (3, 2):
        for seat in order:
            give(seat, count)
    give(contract.taker, 1)
    for seat in order:
        give(seat, 2 if seat == contract.taker else 3)
    return hands


# The play.


def play_out(rng: Random, start: PlayRecord) -> tuple[Play, Told]:
    play, told = rules.start_play(start), second.begun(start)
    while (asked := rules.asked(play)) is not None:
        same_question(asked, told)
        play = follow(play, told, a_move(rng, play, told, asked))
    if play.start.lenient and play.said.qaid is None and len(play.tricks) == 8 and rng.random() < 0.3:
        play = follow(play, told, qaid(rng, play, told))
    return play, told


def a_move(rng: Random, play: Play, told: Told, asked: PlayAsked) -> SeatMove:
    """Any move; the rest is claimed the more often the less there is of it, and where one may, a Qaid now and then."""
    if play.start.lenient and told.played and rng.random() < 0.01:
        return qaid(rng, play, told)
    if asked.sawa and rng.random() < 0.3 / (8 - len(play.tricks)):
        return SeatMove(asked.seat, SawaMove())
    return SeatMove(asked.seat, a_card(rng, play, asked))


GROUNDS = {
    "follow": QaidGround.REVOKE,
    "trump": QaidGround.NO_TRUMP,
    "beat": QaidGround.NO_OVER_TRUMP,
    "locked": QaidGround.LOCKED_LEAD,
}


def qaid(rng: Random, play: Play, told: Told) -> SeatMove:
    """A claim of somebody who has watched, if there is anything to see and two times in three; else any."""
    offences = [(one, why) for one in told.played if (why := offence(told, one)) is not None]
    if not offences or rng.random() < 0.3:
        return a_claim(rng, play)
    one, ground = rng.choice(offences)
    later = told.played[told.played.index(one) + 1 :]
    akka = ground is QaidGround.FALSE_AKKA
    proofs = [after.move.card for after in later if akka or after.seat is one.seat] or [one.move.card]
    return SeatMove(
        rng.choice(one.seat.team.other.seats), QaidMove(ground, one.move.card, rng.choice(proofs))
    )


def offence(told: Told, one: second.Played) -> QaidGround | None:
    """What may be wrong with a card; an Akka may be false."""
    legal, why = second.duty_at(told, one)
    if one.move.card not in legal:
        return GROUNDS[why]
    return QaidGround.FALSE_AKKA if one.move.akka else None


def follow(play: Play, told: Told, made: SeatMove) -> Play:
    """Both go on with one move, and credit and show the same."""
    before = [sorted(hand) for hand in told.hands]
    play = rules.move(play, made.seat, made.move)
    held = play.said.sawa is not None
    if isinstance(made.move, SawaMove) and len(before[made.seat]) <= SAWA_CARDS:
        locked = told.record.contract.locked
        assert held is naive.sawa(before, made.seat, told.trump, locked=locked, ruleset=told.record.ruleset)
    second.tell(told, play.moves[-1], held=held)
    assert play.said.baloot == tuple(told.baloot)
    assert play.said.shown == tuple(told.shown)
    return play


def same_question(asked: PlayAsked, told: Told) -> None:
    """The whole of what a seat on turn is asked."""
    trick, hand, record = told.table, told.hands[told.turn], told.record
    akka = bool(trick) and told.played[-len(trick)].move.akka
    locked, ruleset = record.contract.locked, record.ruleset
    legal, why = naive.duty(list(hand), trick, told.trump, locked=locked, akka=akka, ruleset=ruleset)
    assert asked.seat is told.turn
    assert {choice.card for choice in asked.legal} == legal
    refused = {card: why_not(card, hand, trick, why) for card in hand - legal}
    assert {one.card: one.reason for one in asked.refused} == refused
    assert asked.default == CardMove(naive.cheapest(legal, told.trump))
    assert {choice.card for choice in asked.legal if choice.akka} == legal & akka_cards(told)
    assert {choice.card for choice in asked.legal if choice.baloot} == legal & baloot_cards(told)
    assert {frozenset(way) for way in asked.declarations} == declarations(told)
    assert set(asked.showable) == second.showable(told, told.turn)
    assert asked.sawa is may_claim_the_rest(told)


WHY = {
    "locked": Reason.LOCKED_LEAD,
    "follow": Reason.MUST_FOLLOW,
    "trump": Reason.MUST_TRUMP,
    "beat": Reason.MUST_OVER_TRUMP,
}


def why_not(card: Card, hand: set[Card], trick: list[Card], why: str) -> Reason:
    """A suit that is held must be followed before anything else is looked at."""
    revoke = bool(trick) and card.suit is not trick[0].suit and any(c.suit is trick[0].suit for c in hand)
    return Reason.MUST_FOLLOW if revoke else WHY[why]


def akka_cards(told: Told) -> set[Card]:
    if told.table:
        return set()
    unplayed = set().union(*told.hands)
    return naive.akka(told.hands[told.turn], unplayed, told.trump, told.record.ruleset)


def baloot_cards(told: Told) -> set[Card]:
    """The second card of a pair, if a Baloot that is said with it is credited."""
    pair, hand = told.royals, told.hands[told.turn]
    last = pair & hand
    own = bool(pair) and pair <= set(told.record.hands[told.turn])
    if told.record.ruleset.baloot is BalootSaying.AUTO or not own or len(last) != 1:
        return set()
    saying = told.copied()
    second.play_card(saying, CardMove(next(iter(last)), baloot=True))
    return last if saying.baloot else set()


def declarations(told: Told) -> set[frozenset[object]]:
    """With one's first card alone."""
    if told.count(told.turn):
        return set()
    contract, limit = told.record.contract, told.record.ruleset.max_projects_per_player
    return {frozenset(way) for way in naive.declarations(told.hands[told.turn], contract.mode, limit)}


def may_claim_the_rest(told: Told) -> bool:
    ruleset = told.record.ruleset
    between_tricks = not told.table and len(told.played) >= 4
    few_enough = len(told.hands[told.turn]) <= ruleset.sawa_max_cards
    return between_tricks and few_enough and ruleset.sawa is not Sawa.OFF and told.turn not in told.refused


# The sheet.


def score(deal: Deal, contract: Contract, told: Told, ended: PlayOutcome) -> RoundScore:
    """The sheet, compared with the second scorer's; its lines add up, and one side at most has won the match."""
    had_ace = any(card.rank is Rank.ACE for card in told.record.hands[contract.buyer])
    record = RoundRecord(
        contract, ended, deal.scores, deal.ruleset, deal.dealer, deal.up_card, buyer_had_ace=had_ace
    )
    sheet = score_round(record, explained=False)
    assert (sheet.game_points, sheet.winner) == rescore(record)
    sums = [sum(line.game_points for line in sheet.lines if line.team == side) for side in (0, 1)]
    assert list(sheet.game_points) == sums
    assert list(sheet.totals) == [before + more for before, more in zip(deal.scores, sums, strict=True)]
    if ended.qaid is None:
        assert sum(ended.card_points) == (130 if contract.trump is None else 162)
        assert sum(ended.tricks) == 8
    return sheet


def seen_in(play: Play, ended: PlayOutcome) -> set[str]:
    """What came up in a round."""
    contract = play.start.record.contract
    cards = [made.move for made in play.moves if isinstance(made.move, CardMove)]
    found = {contract.mode.name, contract.level.name, contract.bidding.name}
    found |= {kind.name for kind in {one.project.kind for one in ended.projects}}
    marks = {
        "ashkal": contract.ashkal,
        "locked": contract.locked,
        "akka": any(card.akka for card in cards),
        "said": any(card.baloot for card in cards),
        "shown": any(card.shown for card in cards),
        "baloot": bool(ended.baloot),
        "sawa": ended.sawa is not None,
        "sawa refused": bool(play.said.refused),
        "32 cards": sorted(card.card for card in cards) == list(CARDS),
    }
    if ended.qaid is not None:
        claim: QaidMove = ended.qaid.claim
        marks[f"{claim.ground.name.lower()} {'right' if ended.qaid.right else 'wrong'}"] = True
    return found | {mark for mark, there in marks.items() if there}
