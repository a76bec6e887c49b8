"""Every kind of damage is found with its code at its place, even where the chain was made anew to hide it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from baloot.api.core.v1 import cards_pb2, score_pb2, seats_pb2
from baloot.audit.deals import Deals
from baloot.audit.payload import Added, Beacon, Committed
from baloot.audit.records import Code
from baloot.core.seats import Seat
from baloot.store.v1 import entry_pb2 as log
from baloot.table.deals import BLOCK

from tests.audit.logs import Match, adding, event_of, idle, played

Damaged = tuple[Match, int]
"""A damaged match, and the entry at which that is to be found; 0 for the whole log."""


def edited(name: str, change: Callable[[Any], object], nth: int = 0, match: Match | None = None) -> Damaged:
    """A match in which an event, told by its field, was changed."""
    match = match or played()
    sequence = match.where(name, nth)
    return match.edited(sequence, lambda entry: change(event_of(entry, name))), sequence


def other_seat(message: Any, field: str = "seat") -> None:
    setattr(message, field, getattr(message, field) % 4 + 1)


def without(match: Match, sequence: int) -> Match:
    """A match from which an entry was taken, with the numbers closed up."""
    rows = [row for row in match.rows if row.sequence != sequence]
    return match.with_rows([row._replace(sequence=number) for number, row in enumerate(rows, 1)])


def card_changed() -> Damaged:
    match = played()
    sequence = match.where("card_played", 3)
    played_before = event_of(log.Entry.FromString(match.rows[sequence - 2].payload), "card_played")

    def change(entry: log.Entry) -> None:
        event_of(entry, "card_played").card = played_before.card

    return match.edited(sequence, change), sequence


def sheet_line_changed() -> Damaged:
    def change(message: Any) -> None:
        message.score.lines[0].game_points += 1

    return edited("round_scored", change)


def sheet_sentence_changed() -> Damaged:
    def change(message: Any) -> None:
        message.score.lines[0].english += " "

    return edited("round_scored", change, 1)


def sheet_total_changed() -> Damaged:
    def change(message: Any) -> None:
        message.score.totals.south_north += 10

    return edited("round_scored", change)


def line_put_in() -> Damaged:
    def change(message: Any) -> None:
        message.score.lines.append(score_pb2.ScoreLine(team=seats_pb2.TEAM_SOUTH_NORTH, rule="2.27"))

    return edited("round_scored", change)


def sheet_taken_out() -> Damaged:
    match = played()
    sequence = match.where("round_scored")

    def change(entry: log.Entry) -> None:
        places = [n for n, event in enumerate(entry.events) if event.WhichOneof("event") == "round_scored"]
        del entry.events[places[0]]

    return match.edited(sequence, change), sequence


def call_removed() -> Damaged:
    match = played()
    sequence = match.where("dealt") + 1
    return without(match, sequence), sequence


def call_of_another() -> Damaged:
    match = played()
    sequence = match.where("dealt") + 1
    return match.edited(sequence, lambda entry: other_seat(entry.events[0].call_made)), sequence


def order_swapped() -> Damaged:
    match = played()
    rows = list(match.rows)
    at = match.where("card_played", 4)
    first, second = rows[at - 1], rows[at]
    rows[at - 1], rows[at] = second._replace(sequence=at), first._replace(sequence=at + 1)
    return match.with_rows(rows), at


def entry_lost() -> Damaged:
    match = played()
    return match.with_rows([row for row in match.rows if row.sequence != 20]), 21


def end_lost() -> Damaged:
    match = played()
    return Match(match.id, match.rows[:-1], match.head), len(match.rows) - 1


def chain_broken() -> Damaged:
    match = played()
    rows = list(match.rows)
    rows[9] = rows[9]._replace(at=rows[9].at + 1)
    return Match(match.id, tuple(rows), match.head), 10


def link_missing() -> Damaged:
    match = played()
    rows = list(match.rows)
    rows[9] = rows[9]._replace(chain=None)
    return Match(match.id, tuple(rows), match.head), 10


def request_doubled() -> Damaged:
    match = played()
    at = match.where("card_played")
    first = match.rows[at - 1]
    again = next(row for row in match.rows[at:] if row.actor == first.actor)
    return match.with_row(again.sequence, request_id=first.request_id), 0


def own_step_renamed() -> Damaged:
    match = played()
    sequence = match.where("dealt")
    return match.with_row(sequence, request_id=bytes(16)), sequence


def dealer_moved() -> Damaged:
    return edited("dealt", lambda message: other_seat(message, "dealer"), 1)


def deck_changed() -> Damaged:
    match = played()
    sequence = match.where("dealt", 1)

    def change(secret: log.Secret) -> None:
        deck = secret.deal.deck
        deck[20], deck[25] = deck[25], deck[20]

    return match.edited_secret(sequence, change), sequence


def deal_number_changed() -> Damaged:
    match = played()
    sequence = match.where("dealt", 1)

    def change(secret: log.Secret) -> None:
        secret.deal.number += 1

    both = match.edited(sequence, lambda entry: setattr(event_of(entry, "dealt"), "number", 3))
    return both.edited_secret(sequence, change), sequence


def hand_changed() -> Damaged:
    match = played()
    sequence = match.where("play_started")

    def change(secret: log.Secret) -> None:
        south, east = secret.hands[0].cards, secret.hands[1].cards
        south[0], east[0] = east[0], south[0]

    return match.edited_secret(sequence, change), sequence


def trick_winner_flipped() -> Damaged:
    return edited("trick_won", lambda message: other_seat(message.trick, "winner"), 2)


def trick_points_changed() -> Damaged:
    return edited("trick_won", lambda message: setattr(message.trick, "card_points", 77), 2)


def match_winner_flipped() -> Damaged:
    def change(message: Any) -> None:
        message.winner = 3 - message.winner

    return edited("match_ended", change)


def match_won_too_early() -> Damaged:
    match = played()
    sequence = match.where("round_scored")
    ended = log.Entry.FromString(match.rows[-1].payload).events[-2]
    return match.edited(sequence, lambda entry: entry.events.insert(len(entry.events) - 1, ended)), sequence


def contract_changed() -> Damaged:
    return edited("bought", lambda message: other_seat(message.contract, "buyer"))


def leader_changed() -> Damaged:
    return edited("play_started", lambda message: other_seat(message, "leader"))


def actor_changed() -> Damaged:
    match = played()
    sequence = match.where("card_played", 5)
    actor = match.rows[sequence - 1].actor
    assert actor is not None
    return match.with_row(sequence, actor=(actor + 1) % 4), sequence


def default_made_up() -> Damaged:
    match = played()
    for nth in range(30):
        sequence = match.where("card_played", nth)
        damaged = match.with_row(sequence, actor=None, by_default=True)
        if any(one.code is Code.DEFAULT for one in damaged.audited().findings):
            return damaged, sequence
    raise AssertionError("all cards were the default ones")


def revealed_seed_changed() -> Damaged:
    return edited("seeds_revealed", lambda message: message.seeds.__setitem__(0, bytes(32)))


def seed_not_revealed() -> Damaged:
    match = played()
    sequence = match.where("seeds_revealed")
    return match.edited(sequence, lambda entry: entry.events.pop()), sequence


def seed_of_a_live_deal_revealed() -> Damaged:
    return edited("seeds_revealed", lambda message: message.seeds.append(bytes(32)))


def commitment_changed() -> Damaged:
    match = played()

    def change(message: Any) -> None:
        message.commitments[0] = bytes(32)

    sequence = match.where("deals_committed")
    damaged = match.edited(sequence, lambda entry: change(event_of(entry, "deals_committed")))
    return damaged, match.where("dealt")


def commitment_left_out() -> Damaged:
    match = played()
    sequence = match.where("deals_committed")
    damaged = match.edited(sequence, lambda entry: event_of(entry, "deals_committed").commitments.pop())
    return damaged.edited(
        sequence, lambda entry: setattr(event_of(entry, "deals_committed"), "first_number", 2)
    ), sequence


def seat_seed_changed() -> Damaged:
    match = played()
    sequence = match.where("seat_taken")
    damaged = match.edited(
        sequence, lambda entry: setattr(event_of(entry, "seat_taken"), "seed", bytes([1]) * 32)
    )
    return damaged, match.where("seeds_revealed")


def root_changed() -> Damaged:
    match = played()

    def change(secret: log.Secret) -> None:
        secret.deal.deck_root = bytes(32)

    sequence = match.where("dealt")
    damaged = match.edited(sequence, lambda entry: setattr(event_of(entry, "dealt"), "deck_root", bytes(32)))
    return damaged.edited_secret(sequence, change), match.where("seeds_revealed")


def first_dealer_moved() -> Damaged:
    damaged, _ = edited("dealt", lambda message: other_seat(message, "dealer"))
    return damaged, damaged.where("seeds_revealed")


def commitments_late() -> Damaged:
    match = adding(BLOCK + 4)
    sequence = match.where("deals_committed", 1)
    return match.edited(sequence, lambda entry: without_event(entry, "deals_committed")), sequence


def commitments_early() -> Damaged:
    match = adding(BLOCK + 4)
    late = match.where("deals_committed", 1)
    early = match.where("dealt", 20)
    committed = next(
        event
        for event in log.Entry.FromString(match.rows[late - 1].payload).events
        if event.WhichOneof("event") == "deals_committed"
    )
    moved = match.edited(late, lambda entry: without_event(entry, "deals_committed"))
    return moved.edited(early, lambda entry: entry.events.insert(1, committed)), early


def without_event(entry: log.Entry, name: str) -> None:
    kept = [event for event in entry.events if event.WhichOneof("event") != name]
    del entry.events[:]
    entry.events.extend(kept)


def added_seed_changed() -> Damaged:
    match = adding(BLOCK + 4)
    damaged, _ = edited("seed_added", lambda message: setattr(message, "seed", bytes([9]) * 32), match=match)
    return damaged, match.where("dealt", BLOCK + 1)


def added_twice() -> Damaged:
    match = adding(BLOCK + 4)
    first, second = match.where("seed_added"), match.where("seed_added", 1)
    rows = match.rows
    again = rows[second - 1]._replace(actor=rows[first - 1].actor, payload=rows[first - 1].payload)
    return match.with_rows([*rows[: second - 1], again, *rows[second:]]), second


def added_too_late() -> Damaged:
    match = adding(BLOCK + 4)
    sequence = match.where("seed_added")
    return match.edited(
        sequence, lambda entry: setattr(event_of(entry, "seed_added"), "first_number", 1)
    ), sequence


def beacon_changed() -> Damaged:
    match = adding(3, beacon=True)
    damaged, _ = edited("beacon_given", lambda message: setattr(message, "value", bytes(32)), match=match)
    return damaged, match.where("dealt", 1)


def beacon_left_out() -> Damaged:
    match = adding(3, beacon=True)
    sequence = match.where("beacon_given")
    return without(match, sequence), sequence


def beacon_where_none_is_awaited() -> Damaged:
    match = adding(3)
    given = adding(3, beacon=True)
    beacon = given.rows[given.where("beacon_given") - 1].payload
    sequence = match.where("dealt") + 1
    return match.with_row(sequence, actor=None, payload=beacon), sequence


def status_changed() -> Damaged:
    match = played()
    return match.with_row(30, status=3), 30


def holder_changed() -> Damaged:
    match = played()
    sequence = match.where("seat_taken")
    return match.with_row(sequence, holder=bytes(32)), sequence


def seat_taken_twice() -> Damaged:
    return edited("seat_taken", lambda message: setattr(message, "seat", 1), 1)


def played_on_after_the_end() -> Damaged:
    match = played()
    more = match.rows[-2]._replace(sequence=len(match.rows) + 1, status=match.rows[-1].status)
    return match.with_rows([*match.rows, more]), len(match.rows) + 1


def head_behind() -> Damaged:
    match = played()
    assert match.head is not None
    return Match(match.id, match.rows, match.head._replace(sequence=5)), len(match.rows)


def head_lost() -> Damaged:
    match = played()
    return Match(match.id, match.rows, None), len(match.rows)


def garbage() -> Damaged:
    match = played()
    return match.with_row(40, payload=b"\xff" * 9), 40


def nothing() -> Damaged:
    match = played()
    return match.with_row(40, payload=b""), 40


KINDS: list[tuple[Callable[[], Damaged], Code]] = [
    (card_changed, Code.ILLEGAL),
    (sheet_line_changed, Code.SHEET),
    (sheet_sentence_changed, Code.SHEET),
    (sheet_total_changed, Code.SHEET),
    (line_put_in, Code.SHEET),
    (sheet_taken_out, Code.SHEET),
    (call_removed, Code.ILLEGAL),
    (call_of_another, Code.ILLEGAL),
    (order_swapped, Code.ILLEGAL),
    (entry_lost, Code.GAP),
    (end_lost, Code.HEAD),
    (chain_broken, Code.CHAIN),
    (link_missing, Code.CHAIN),
    (request_doubled, Code.REQUEST),
    (own_step_renamed, Code.COLUMN),
    (dealer_moved, Code.DEALER),
    (deck_changed, Code.HANDS),
    (deal_number_changed, Code.DEAL),
    (hand_changed, Code.HANDS),
    (trick_winner_flipped, Code.EVENT),
    (trick_points_changed, Code.EVENT),
    (match_winner_flipped, Code.WINNER),
    (match_won_too_early, Code.WINNER),
    (contract_changed, Code.EVENT),
    (leader_changed, Code.EVENT),
    (actor_changed, Code.ACTOR),
    (default_made_up, Code.DEFAULT),
    (revealed_seed_changed, Code.SEED),
    (seed_not_revealed, Code.SEED),
    (seed_of_a_live_deal_revealed, Code.SEED),
    (commitment_changed, Code.COMMITMENT),
    (commitment_left_out, Code.COMMITMENT),
    (seat_seed_changed, Code.DECK),
    (root_changed, Code.DECK),
    (first_dealer_moved, Code.DEALER),
    (commitments_late, Code.COMMITMENT),
    (commitments_early, Code.COMMITMENT),
    (added_seed_changed, Code.DECK),
    (added_twice, Code.SEED),
    (added_too_late, Code.SEED),
    (beacon_changed, Code.DECK),
    (beacon_left_out, Code.SEED),
    (beacon_where_none_is_awaited, Code.ORDER),
    (status_changed, Code.COLUMN),
    (holder_changed, Code.COLUMN),
    (seat_taken_twice, Code.ORDER),
    (played_on_after_the_end, Code.ORDER),
    (head_behind, Code.HEAD),
    (head_lost, Code.HEAD),
    (garbage, Code.UNREADABLE),
    (nothing, Code.UNREADABLE),
]


@pytest.mark.parametrize(("damage", "code"), KINDS, ids=[kind.__name__ for kind, _ in KINDS])
def test_damage_is_found(damage: Callable[[], Damaged], code: Code) -> None:
    match, sequence = damage()
    found = match.audited().findings
    assert (sequence, code) in [(one.sequence, one.code) for one in found], list(map(str, found))


# What only the thorough audit looks at.


def question_changed() -> Damaged:
    match = played()
    sequence = match.where("card_played", 5)

    def change(secret: log.Secret) -> None:
        secret.questions[0].question.play.sawa = True

    return match.edited_secret(sequence, change), sequence


def clock_changed() -> Damaged:
    match = played()
    sequence = match.where("card_played", 5)
    return match.edited(sequence, lambda entry: setattr(entry.asked[0].deadline, "nanos", 5000)), sequence


def deadline_changed() -> Damaged:
    match = played()
    sequence = match.where("card_played", 5)
    return match.with_row(sequence, deadline=1), sequence


def acted_early() -> Damaged:
    match = idle()
    row = next(row for row in match.rows if row.by_default)
    return match.with_row(row.sequence, at=row.at - 1_000_000), row.sequence


@pytest.mark.parametrize("damage", [question_changed, clock_changed, deadline_changed, acted_early])
def test_the_thorough_audit_finds_what_is_asked_until_when(damage: Callable[[], Damaged]) -> None:
    match, sequence = damage()
    assert [one.sequence for one in match.thorough().findings] == [sequence]


def test_nobody_adds_to_the_first_deals_once_the_beacon_is_known() -> None:
    found: list[Code] = []
    deals = Deals(bytes(16), lambda code, _sentence: found.append(code))
    deals.commit(Committed(1, (bytes(32),) * BLOCK))
    deals.add(Added(Seat.SOUTH, 1, bytes(32)))
    deals.give_beacon(Beacon(bytes(32)))
    assert found == []
    deals.add(Added(Seat.EAST, 1, bytes(32)))
    assert found == [Code.SEED]


def test_nobody_adds_to_deals_that_have_begun() -> None:
    found: list[Code] = []
    deals = Deals(bytes(16), lambda code, _sentence: found.append(code))
    deals.commit(Committed(1, (bytes(32),) * BLOCK))
    deals.open(1, Seat.SOUTH, bytes(32))
    assert found == []
    deals.add(Added(Seat.EAST, 1, bytes(32)))
    assert found == [Code.SEED]


# Bytes.


def test_every_byte_that_is_changed_is_found() -> None:
    """In what the chain binds and in the columns beside it; and whatever it is, it ends no audit."""
    chance, match = random.Random(8), played()
    for _ in range(300):
        sequence = chance.randrange(len(match.rows)) + 1
        field = chance.choice(
            ["payload", "secret", "chain", "at", "actor", "by_default", "sequence", "status"]
        )
        damaged = with_other(match, sequence, field, chance)
        if damaged is not None:
            assert damaged.audited().findings, (sequence, field)


def test_no_byte_of_the_content_ends_an_audit_where_the_chain_hides_it() -> None:
    chance, match = random.Random(9), played("pagat")
    for _ in range(80):
        sequence = chance.randrange(len(match.rows)) + 1
        field = chance.choice(["payload", "secret"])
        damaged = with_other(match, sequence, field, chance)
        if damaged is not None:
            match.with_rows(damaged.rows).thorough()


def with_other(match: Match, sequence: int, field: str, chance: random.Random) -> Match | None:
    """The match with one byte, or one number, of a row changed and nothing else; None where there is none."""
    rows = list(match.rows)
    value = getattr(rows[sequence - 1], field)
    if isinstance(value, bytes):
        if not value:
            return None
        at = chance.randrange(len(value))
        other: Any = value[:at] + bytes((value[at] ^ chance.randrange(1, 256),)) + value[at + 1 :]
    else:
        other = not value if isinstance(value, bool) else (value or 0) + 1 + (value is None)
    rows[sequence - 1] = rows[sequence - 1]._replace(**{field: other})
    return Match(match.id, tuple(rows), match.head)


# What is told.


def test_a_round_that_is_played_has_no_cards_told() -> None:
    match = played()
    second = match.where("play_started", 1)
    live = match.with_rows(match.rows[: second + 3])

    def change(secret: log.Secret) -> None:
        secret.hands[0].cards[0], secret.hands[1].cards[0] = (
            secret.hands[1].cards[0],
            secret.hands[0].cards[0],
        )

    damages = (
        live.edited_secret(second, change),
        live.edited(second + 1, lambda entry: setattr(event_of(entry, "card_played"), "card", 1)),
        live.edited(second + 1, lambda entry: setattr(event_of(entry, "card_played"), "akka", True)),
    )
    sentences = [" ".join(one.sentence for one in damaged.audited().findings) for damaged in damages]
    assert sentences[0], "the others may be what somebody could have done"
    for told in sentences:
        assert not [name for name in cards_pb2.Card.DESCRIPTOR.values_by_name if name in told]
        assert "MUST" not in told
        assert "CARD" not in told


def test_a_finding_says_what_was_expected_and_what_was_found() -> None:
    match, sequence = sheet_line_changed()
    (finding,) = [one for one in match.audited().findings if one.code is Code.SHEET]
    assert "score.lines[0].game_points is " in finding.sentence
    assert "and should be " in finding.sentence
    assert finding.told()["sequence"] == sequence
