"""The play service as plain calls in this process: what the server offers and a table may use directly."""

from __future__ import annotations

from baloot.core.play import Move, PlayRecord, PlayStep
from baloot.core.playable import require_playable
from baloot.core.seats import Seat
from baloot.kit.carried import Carried
from baloot.play import rules
from baloot.play.state import Play


class LocalPlay:
    """Answers like the remote service, with the same refusals."""

    def __init__(self) -> None:
        self._plays: Carried[PlayRecord, Play] = Carried(_fold)

    async def get_play(self, record: PlayRecord) -> PlayStep:
        """What follows from a record. Raises Refusal when it does not follow the rules."""
        return rules.step(self._plays.state_of(record))

    async def make_move(self, record: PlayRecord, seat: Seat, move: Move) -> PlayStep:
        """What follows from one move more. Raises Refusal with the rule that forbids it."""
        play = rules.move(self._plays.state_of(record), seat, move)
        self._plays.keep(play.record, play)
        return rules.step(play)


def _fold(record: PlayRecord) -> Play:
    require_playable(record.ruleset)
    return rules.fold(record)
