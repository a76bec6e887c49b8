"""Scoring on the wire: the record of a finished round and its sheet."""

from __future__ import annotations

from baloot.api.core.v1 import score_pb2 as pb
from baloot.codec.cards import decode_points, encode_points
from baloot.codec.contract import decode_contract, encode_contract
from baloot.codec.enums import CARD, LINE_KIND, ROUND_RESULT, SEAT, TEAM
from baloot.codec.fields import decode_each
from baloot.codec.play import decode_play_outcome, encode_play_outcome
from baloot.codec.ruleset import decode_ruleset_of, encode_ruleset
from baloot.core.score import RoundRecord, RoundScore, ScoreLine

_MAX_LINES = 64
_MAX_INPUTS = 32


def encode_round_record(record: RoundRecord) -> pb.RoundRecord:
    return pb.RoundRecord(
        contract=encode_contract(record.contract),
        play=encode_play_outcome(record.play),
        scores=encode_points(record.scores),
        ruleset=encode_ruleset(record.ruleset),
        dealer=SEAT.encode_optional(record.dealer),
        up_card=CARD.encode_optional(record.up_card),
        buyer_had_ace=record.buyer_had_ace,
    )


def decode_round_record(message: pb.RoundRecord, path: str) -> RoundRecord:
    return RoundRecord(
        contract=decode_contract(message.contract, f"{path}.contract"),
        play=decode_play_outcome(message.play, f"{path}.play"),
        scores=decode_points(message.scores),
        ruleset=decode_ruleset_of(message, path),
        dealer=SEAT.decode_optional(message.dealer, f"{path}.dealer"),
        up_card=CARD.decode_optional(message.up_card, f"{path}.up_card"),
        buyer_had_ace=message.buyer_had_ace if message.HasField("buyer_had_ace") else None,
    )


def encode_score_line(line: ScoreLine) -> pb.ScoreLine:
    return pb.ScoreLine(
        team=TEAM.encode(line.team),
        kind=LINE_KIND.encode(line.kind),
        rule=line.rule,
        game_points=line.game_points,
        inputs=[pb.ScoreInput(name=name, value=value) for name, value in line.inputs],
        english=line.english,
        arabic=line.arabic,
    )


def decode_score_line(message: pb.ScoreLine, path: str) -> ScoreLine:
    return ScoreLine(
        team=TEAM.decode(message.team, f"{path}.team"),
        kind=LINE_KIND.decode(message.kind, f"{path}.kind"),
        rule=message.rule,
        game_points=message.game_points,
        inputs=decode_each(_decode_input, message.inputs, f"{path}.inputs", most=_MAX_INPUTS),
        english=message.english,
        arabic=message.arabic,
    )


def _decode_input(message: pb.ScoreInput, _path: str) -> tuple[str, int]:
    return message.name, message.value


def encode_round_score(score: RoundScore) -> pb.RoundScore:
    return pb.RoundScore(
        result=ROUND_RESULT.encode(score.result),
        round_winner=TEAM.encode_optional(score.round_winner),
        card_points=encode_points(score.card_points),
        compared=encode_points(score.compared),
        lines=[encode_score_line(line) for line in score.lines],
        game_points=encode_points(score.game_points),
        totals=encode_points(score.totals),
        winner=TEAM.encode_optional(score.winner),
    )


def decode_round_score(message: pb.RoundScore, path: str) -> RoundScore:
    return RoundScore(
        result=ROUND_RESULT.decode(message.result, f"{path}.result"),
        round_winner=TEAM.decode_optional(message.round_winner, f"{path}.round_winner"),
        card_points=decode_points(message.card_points),
        compared=decode_points(message.compared),
        lines=decode_each(decode_score_line, message.lines, f"{path}.lines", most=_MAX_LINES),
        game_points=decode_points(message.game_points),
        totals=decode_points(message.totals),
        winner=TEAM.decode_optional(message.winner, f"{path}.winner"),
    )
