"""The bidding service as plain calls in this process: what the server offers and a table may use directly."""

from __future__ import annotations

from baloot.bidding import rules
from baloot.bidding.rules import Auction
from baloot.core.auction import AuctionRecord, AuctionStep, Call
from baloot.core.playable import require_playable
from baloot.core.seats import Seat
from baloot.kit.carried import Carried


class LocalBidding:
    """Answers like the remote service, with the same refusals."""

    def __init__(self) -> None:
        self._auctions: Carried[AuctionRecord, Auction] = Carried(_fold)

    async def get_auction(self, record: AuctionRecord) -> AuctionStep:
        """What follows from a record. Raises Refusal when it does not follow the rules."""
        return rules.step(self._auctions.state_of(record))

    async def make_call(self, record: AuctionRecord, seat: Seat, call: Call) -> AuctionStep:
        """What follows from one call more. Raises Refusal with the rule that forbids it."""
        auction = rules.make_call(self._auctions.state_of(record), seat, call)
        step = rules.step(auction)
        self._auctions.keep(step.record, auction)
        return step


def _fold(record: AuctionRecord) -> Auction:
    require_playable(record.ruleset)
    return rules.fold(record)
