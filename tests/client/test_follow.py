"""Folding entries into a view, one kind of event after the other."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from baloot.api.core.v1 import auction_pb2 as auction
from baloot.api.core.v1 import cards_pb2 as cards
from baloot.api.core.v1 import contract_pb2 as contracts
from baloot.api.core.v1 import play_pb2 as play
from baloot.api.core.v1 import score_pb2 as score
from baloot.api.core.v1 import seats_pb2 as seats
from baloot.api.table.v1 import events_pb2 as events
from baloot.api.table.v1 import table_pb2 as table
from baloot.client import follow
from google.protobuf.timestamp_pb2 import Timestamp

SOUTH, EAST, NORTH, WEST = seats.SEAT_SOUTH, seats.SEAT_EAST, seats.SEAT_NORTH, seats.SEAT_WEST
PASS = auction.Call(kind=auction.CALL_KIND_PASS)
SUN = auction.Call(kind=auction.CALL_KIND_SUN)
HAND = [cards.CARD_AC, cards.CARD_7S, cards.CARD_10H, cards.CARD_9S, cards.CARD_KD]
SORTED = [cards.CARD_7S, cards.CARD_9S, cards.CARD_10H, cards.CARD_KD, cards.CARD_AC]
HOKUM = contracts.Contract(
    mode=contracts.MODE_HOKUM,
    trump=cards.SUIT_HEARTS,
    buyer=EAST,
    taker=EAST,
    bidding=contracts.BIDDING_FIRST,
)
TRICK = play.Trick(
    leader=SOUTH,
    cards=[cards.CARD_7S, cards.CARD_AS, cards.CARD_8S, cards.CARD_KS],
    winner=EAST,
    card_points=15,
)
FIFTY = play.Project(kind=play.PROJECT_KIND_FIFTY)
SCORE = score.RoundScore(result=score.ROUND_RESULT_MADE, totals=seats.TeamPoints(south_north=7, east_west=9))


def event(fact: object) -> events.TableEvent:
    """The event that holds this fact."""
    made = events.TableEvent()
    field = next(f.name for f in made.DESCRIPTOR.fields if f.message_type is fact.DESCRIPTOR)  # type: ignore[attr-defined]
    getattr(made, field).CopyFrom(fact)
    return made


def after(facts: Iterable[object], view: table.TableView | None = None) -> table.TableView:
    """A view, by itself that of South before the first entry, moved on by one entry with these facts."""
    view = follow.fresh("a-table", SOUTH) if view is None else view
    follow.apply(view, events.TableEntry(sequence=view.sequence + 1, events=[event(fact) for fact in facts]))
    return view


def opened() -> table.TableView:
    return after([events.TableCreated(settings=events.TableSettings(ruleset_hash="ab"))])


def dealt() -> table.TableView:
    deal = events.Dealt(
        number=3, dealer=WEST, up_card=cards.CARD_9H, hand=HAND, commitment=b"c", deck_root=b"r"
    )
    return after([events.MatchStarted(), deal], opened())


def playing() -> table.TableView:
    start = events.PlayStarted(contract=HOKUM, leader=SOUTH, hand=[*HAND, cards.CARD_8S])
    return after([events.Bought(contract=HOKUM), start], dealt())


def test_every_kind_of_event_is_folded() -> None:
    assert follow._FOLD.keys() == {field.name for field in events.TableEvent.DESCRIPTOR.fields}


def test_a_created_table_is_open_with_four_free_seats_and_no_points() -> None:
    view = opened()
    assert view.status == table.TABLE_STATUS_OPEN
    assert view.settings.ruleset_hash == "ab"
    assert [(seat.seat, seat.taken) for seat in view.seats] == [(n, False) for n in (1, 2, 3, 4)]
    assert view.HasField("scores")
    assert (view.table_id, view.viewer) == ("a-table", SOUTH)


def test_seats_are_taken_and_left_while_the_table_is_open() -> None:
    view = after([events.SeatTaken(seat=NORTH, player_name="Noura")], opened())
    assert view.seats[2] == table.SeatView(seat=NORTH, taken=True, player_name="Noura")
    after([events.SeatLeft(seat=NORTH)], view)
    assert view.seats[2] == table.SeatView(seat=NORTH)


def test_who_is_connected_is_known_until_the_seat_is_left() -> None:
    view = after([events.SeatTaken(seat=NORTH, player_name="Noura")], opened())
    for presence in (events.PRESENCE_HERE, events.PRESENCE_AWAY, events.PRESENCE_HERE):
        after([events.PresenceChanged(seat=NORTH, presence=presence)], view)
        assert [seat.presence for seat in view.seats] == [0, 0, presence, 0]
    after([events.SeatLeft(seat=NORTH)], view)
    assert view.seats[2].presence == events.PRESENCE_UNSPECIFIED


def test_who_leaves_a_match_is_still_named() -> None:
    view = after([events.SeatTaken(seat=NORTH, player_name="Noura"), events.MatchStarted()], opened())
    abandoned = events.TableAbandoned(reason=events.ABANDON_REASON_LEFT)
    after([events.SeatLeft(seat=NORTH), abandoned], view)
    assert view.seats[2].player_name == "Noura"
    assert (view.status, view.abandon_reason) == (table.TABLE_STATUS_ABANDONED, events.ABANDON_REASON_LEFT)
    assert follow.ended(view)


def test_a_deal_begins_a_new_round_with_the_hand_in_order() -> None:
    view = dealt()
    assert view.status == table.TABLE_STATUS_PLAYING
    assert view.round == table.RoundView(
        number=3,
        phase=table.ROUND_PHASE_AUCTION,
        dealer=WEST,
        up_card=cards.CARD_9H,
        hand=SORTED,
        commitment=b"c",
        deck_root=b"r",
    )
    after([events.CallMade(seat=SOUTH, call=PASS)], view)
    after([events.Dealt(number=4, dealer=SOUTH, up_card=cards.CARD_7D)], view)
    expected = table.RoundView(number=4, phase=table.ROUND_PHASE_AUCTION, dealer=SOUTH, up_card=cards.CARD_7D)
    assert view.round == expected


def test_answers_are_sealed_until_they_are_opened() -> None:
    own = events.AnswerGiven(seat=SOUTH, call=SUN)
    view = after([events.CallMade(seat=EAST, call=PASS), own, events.AnswerGiven(seat=NORTH)], dealt())
    assert list(view.round.answered) == [SOUTH, NORTH]
    assert view.round.own_answer == SUN
    assert [call.seat for call in view.round.calls] == [EAST]
    answers = [auction.SeatCall(seat=SOUTH, call=SUN), auction.SeatCall(seat=NORTH, call=PASS)]
    after([events.AnswersOpened(answers=answers)], view)
    assert not view.round.answered
    assert not view.round.HasField("own_answer")
    assert [call.seat for call in view.round.calls] == [EAST, SOUTH, NORTH]


def test_a_raise_is_in_the_contract_as_soon_as_it_is_called() -> None:
    view = after([events.Bought(contract=HOKUM)], dealt())
    double = auction.Call(kind=auction.CALL_KIND_DOUBLE, lock=auction.LOCK_LOCKED)
    after([events.CallMade(seat=SOUTH, call=double)], view)
    after([events.CallMade(seat=EAST, call=auction.Call(kind=auction.CALL_KIND_THREE))], view)
    after([events.CallMade(seat=SOUTH, call=PASS)], view)
    assert list(view.round.contract.raises) == [
        contracts.Raise(seat=SOUTH, level=contracts.LEVEL_DOUBLE, locked=True),
        contracts.Raise(seat=EAST, level=contracts.LEVEL_THREE),
    ]
    assert len(view.round.calls) == 3


def test_a_kawesh_lays_the_hands_open() -> None:
    hands = [cards.Hand(cards=HAND)]
    view = after([events.DealVoid(kawesh=EAST, hands=hands)], dealt())
    assert (view.round.phase, view.round.kawesh) == (table.ROUND_PHASE_VOID, EAST)
    assert list(view.round.open_hands) == hands


def test_the_play_starts_with_eight_cards_in_order() -> None:
    view = playing()
    assert view.round.phase == table.ROUND_PHASE_PLAY
    assert view.round.contract == HOKUM
    assert list(view.round.hand) == sorted([*HAND, cards.CARD_8S])


def test_a_card_goes_from_the_hand_to_the_table_with_what_was_said() -> None:
    view = playing()
    said = events.CardPlayed(seat=SOUTH, card=cards.CARD_9S, projects=[FIFTY], akka=True, baloot=True)
    after([said], view)
    assert cards.CARD_9S not in view.round.hand
    assert list(view.round.trick) == [table.PlayedCard(seat=SOUTH, card=cards.CARD_9S, akka=True)]
    assert list(view.round.announced) == [table.AnnouncedProjects(seat=SOUTH, projects=[FIFTY])]
    assert list(view.round.baloot) == [SOUTH]
    after([events.CardPlayed(seat=EAST, card=cards.CARD_AS)], view)
    assert len(view.round.hand) == 5
    assert len(view.round.announced) == 1


def test_a_won_trick_leaves_the_table() -> None:
    view = after([events.CardPlayed(seat=EAST, card=cards.CARD_AS), events.TrickWon(trick=TRICK)], playing())
    assert list(view.round.tricks) == [TRICK]
    assert not view.round.trick


def test_projects_are_decided_and_shown() -> None:
    shown = play.SeatProject(seat=EAST, project=FIFTY)
    facts = [
        events.ProjectsDecided(team=seats.TEAM_EAST_WEST),
        events.ProjectsShown(projects=[shown]),
        events.ProjectsShown(projects=[shown]),
    ]
    view = after(facts, playing())
    assert view.round.projects_team == seats.TEAM_EAST_WEST
    assert list(view.round.shown) == [shown, shown]


def test_claims_are_kept() -> None:
    claims = [
        events.SawaClaimed(seat=EAST),
        events.SawaClaimed(seat=SOUTH, held=True, cards=[cards.CARD_AC], baloot=SOUTH),
    ]
    view = after(claims, playing())
    assert list(view.round.sawa) == claims
    assert list(view.round.baloot) == [SOUTH]


def test_a_scored_round_moves_the_scores() -> None:
    view = after([events.RoundScored(score=SCORE)], playing())
    assert (view.round.phase, view.round.score) == (table.ROUND_PHASE_SCORED, SCORE)
    assert view.scores == SCORE.totals
    assert not follow.ended(view)


def test_the_match_ends_with_a_winner_and_its_totals() -> None:
    totals = seats.TeamPoints(south_north=152, east_west=3)
    view = after([events.MatchEnded(winner=seats.TEAM_SOUTH_NORTH, totals=totals)], playing())
    assert (view.status, view.winner) == (table.TABLE_STATUS_FINISHED, seats.TEAM_SOUTH_NORTH)
    assert view.scores == totals
    assert follow.ended(view)


def test_the_entry_says_who_is_asked_from_now_on() -> None:
    question = events.Question(asked_at=2, play=play.PlayQuestion(seat=SOUTH))
    asked = events.Asked(seat=SOUTH, kind=auction.QUESTION_KIND_PLAY)
    view = opened()
    entry = events.TableEntry(sequence=2, asked=[asked], deadline=Timestamp(seconds=9), question=question)
    follow.apply(view, entry)
    assert (list(view.asked), view.question, view.deadline.seconds) == ([asked], question, 9)
    follow.apply(view, events.TableEntry(sequence=3))
    assert not view.asked
    assert not view.HasField("question")
    assert not view.HasField("deadline")


def test_an_unknown_event_is_skipped() -> None:
    unknown = events.TableEvent.FromString(b"\xfa\x07\x00")
    view = opened()
    follow.apply(view, events.TableEntry(sequence=2, events=[unknown]))
    expected = opened()
    expected.sequence = 2
    assert view == expected


@pytest.mark.parametrize("sequence", [0, 1, 3])
def test_only_the_next_entry_can_follow(sequence: int) -> None:
    view = opened()
    with pytest.raises(ValueError, match="does not follow"):
        follow.apply(view, events.TableEntry(sequence=sequence))
    assert view == opened()
