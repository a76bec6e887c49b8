"""The scoring service as plain calls in this process: what the server offers and a table may use directly."""

from __future__ import annotations

from baloot.core.playable import require_playable
from baloot.core.score import RoundRecord, RoundScore
from baloot.scoring import rules


class LocalScoring:
    """Answers like the remote service, with the same refusals."""

    async def score_round(self, record: RoundRecord) -> RoundScore:
        """The sheet of a finished round. Raises Refusal when its figures cannot be."""
        require_playable(record.ruleset)
        return rules.score_round(record)
