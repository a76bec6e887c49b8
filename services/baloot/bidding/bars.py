"""Why something may not be said. What is offered and what is refused are decided by the same bars."""

from __future__ import annotations

from typing import NamedTuple

from baloot.core.errors import Reason


class Bar(NamedTuple):
    """A reason with the sentence that tells it; the sentence may name `seat`, `call`, `buyers` and `defenders`.

    `rule` is the number of the rule, where more than one gives the reason.
    """

    reason: Reason
    sentence: str
    rule: str = ""


NOT_YOUR_TURN = Bar(Reason.NOT_YOUR_TURN, "it is not {seat}'s turn to speak")
WRONG_PHASE = Bar(Reason.WRONG_PHASE, "{call} has no place at this point of the auction")
NOT_OFFERED = Bar(Reason.CALL_NOT_OFFERED, "{call} is not among the calls that {seat} may make now")
HOKUM_OVER_HOKUM = Bar(Reason.HOKUM_OVER_HOKUM, "over a Hokum only Sun may be said, not another Hokum")

NO_ASHKAL = Bar(Reason.CALL_NOT_OFFERED, "this rule set has no Ashkal", "2.8")
ASHKAL_SEAT = Bar(Reason.ASHKAL_SEAT, "only the third seat and the dealer may say Ashkal")
ASHKAL_ON_ACE = Bar(Reason.ASHKAL_ON_ACE, "an Ace is not bought by Ashkal")
ASHKAL_BIDDING = Bar(Reason.ASHKAL_BIDDING, "Ashkal belongs to the first bidding")
ASHKAL_AFTER_PASS = Bar(
    Reason.ASHKAL_AFTER_PASS, "{seat} passed in this bidding and may say Sun, but not Ashkal"
)
ASHKAL_OVER_HOKUM = Bar(Reason.CALL_NOT_OFFERED, "this rule set has no Ashkal over a Hokum", "2.8")
ASHKAL_OVER_PARTNER = Bar(
    Reason.CALL_NOT_OFFERED, "Ashkal is not said over the Hokum of one's partner", "2.8"
)

NO_KAWESH = Bar(Reason.CALL_NOT_OFFERED, "this rule set has no Kawesh", "2.12")
KAWESH_HAND = Bar(Reason.KAWESH_HAND, "Kawesh needs five first cards that are all 7, 8 or 9")
KAWESH_BEFORE_A_BID = Bar(
    Reason.KAWESH_WINDOW, "Kawesh is shown in the first bidding, before anybody says more than a pass"
)
KAWESH_AS_SUN = Bar(Reason.KAWESH_WINDOW, "Kawesh is shown in the first bidding, where one may bid Sun")

SUIT_REQUIRED = Bar(Reason.SUIT_REQUIRED, "a Hokum of the second bidding is confirmed by naming its suit")
SUIT_NOT_ALLOWED = Bar(Reason.SUIT_NOT_ALLOWED, "{call} names a suit that cannot be named here")
NO_TURNING = Bar(
    Reason.CALL_NOT_OFFERED, "a Hokum of this bidding is not turned to Sun in this rule set", "2.7"
)
SUN_ON_ACE = Bar(Reason.SUN_ON_ACE, "a Hokum cannot be turned to Sun when the up card is an Ace")
SUN_ON_ACE_BY_OTHERS = Bar(
    Reason.SUN_ON_ACE, "only the first seat may turn a Hokum to Sun when the up card is an Ace"
)

LOCK_NOT_ALLOWED = Bar(Reason.LOCK_NOT_ALLOWED, "{call} says open or locked where there is no such choice")
CUT_NOT_ALLOWED = Bar(Reason.CUT_NOT_ALLOWED, "{call} cuts where there is nothing to cut")
RAISE_NOT_YOURS = Bar(Reason.RAISE_NOT_YOURS, "{call} is not for {seat} to say")
