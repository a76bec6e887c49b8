"""A rule set: a frozen set of named options (rules, section 3).

Every option of the game's known variants has a field here, so that a rule set written today keeps its meaning.
The default of each field is the `standard` rule set. Which rule sets can be played is told in `playable`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import Enum
from types import UnionType
from typing import Any, get_type_hints


class _Choice(Enum):
    """The values of an option. Tables of rules are looked up by them all the time, and names are slow to hash."""

    __hash__ = object.__hash__


class FirstDealer(_Choice):
    RANDOM = 1
    LOSING_TEAM = 2
    HIGHEST_CARD = 3


class NextDealer(_Choice):
    RIGHT_ALWAYS = 1


class Cut(_Choice):
    NONE = 1
    COSMETIC = 2
    PRIVILEGES = 3


class SunOverHokumFirst(_Choice):
    ANYONE = 1
    EARLIER_ONLY = 2


class SunTakeoverFirst(_Choice):
    NONE = 1
    EARLIER_OPPONENTS = 2
    EARLIER_ANY = 3
    ANYONE_IN_TURN = 4


class SunTakeoverSecond(_Choice):
    NONE = 1
    THALITH = 2
    EARLIER_OPPONENTS = 3


class SunOverHokumSecond(_Choice):
    NOT_YET_PASSED = 1
    OPPONENTS_ANY = 2
    ANYONE = 3


class ConfirmStep(_Choice):
    ON = 1
    OFF = 2
    SECOND_ONLY = 3


class TurnToSunOnAce(_Choice):
    NEVER = 1
    FIRST_SEAT_ONLY = 2
    ALWAYS = 3


class TurnedSunTakeover(_Choice):
    NONE = 1
    AS_SUN = 2


class UnnamedSuit(_Choice):
    SUN = 1
    REPROMPT = 2


class AshkalSeats(_Choice):
    THIRD_AND_FOURTH = 1
    OFF = 2


class AshkalBiddings(_Choice):
    FIRST = 1
    BOTH = 2


class IllegalAshkal(_Choice):
    REJECT = 1
    FORCED_SUN = 2


class AshkalOverHokum(_Choice):
    YES = 1
    NO = 2
    OPPONENTS_ONLY = 3


class KaweshRedeal(_Choice):
    SAME_DEALER = 1
    ROTATE = 2


class KaweshTurn(_Choice):
    ANY_TIME_FIRST = 1
    OWN_TURN = 2
    AS_SUN_CALL = 3


class DoubleWindow(_Choice):
    BEFORE_LAST_CARDS = 1
    UNTIL_FIRST_LEAD = 2


class DoubleOrder(_Choice):
    SEAT_ORDER = 1


class RaiseBy(_Choice):
    """Who may go on raising: the one seat whose turn it is in the ladder, or also that seat's partner."""

    PRINCIPAL = 1
    TEAM = 2


class LockChoice(_Choice):
    DOUBLER_AT_TWO_AND_FOUR = 1
    ALWAYS = 2
    ANY_RAISER = 3
    OFF = 4


class SunDoubleThreshold(_Choice):
    GT100_LE100 = 1
    GT100_LT100 = 2
    GE100_LT100 = 3
    EITHER_DIRECTION = 4
    OFF = 5


class SunRaiseCeiling(_Choice):
    DOUBLE = 1
    FULL = 2


class FirstLeader(_Choice):
    DEALER_RIGHT = 1
    BUYER = 2


class PartnerWinningExemption(_Choice):
    FOURTH_OR_AKKA = 1
    ANY_POSITION = 2
    NONE = 3


class Akka(_Choice):
    MANUAL_VALIDATED = 1
    AUTO = 2
    MANUAL_UNCHECKED = 3
    OFF = 4


class IllegalPlay(_Choice):
    REJECT = 1
    ALLOW_WITH_QAID = 2


class ProjectDeclare(_Choice):
    MANUAL_BEFORE_FIRST_CARD = 1


class ProjectShow(_Choice):
    AUTO = 1
    MANUAL_SECOND_TRICK = 2


class HundredOrder(_Choice):
    RUN_FIRST = 1
    FOUR_FIRST = 2


class ProjectTie(_Choice):
    SEAT_ORDER = 1
    TRUMP_FIRST = 2


class BalootSaying(_Choice):
    AUTO = 1
    MANUAL = 2
    MANUAL_ALWAYS = 3


class BalootBlock(_Choice):
    DECLARED_HUNDRED = 1
    SCORED_HUNDRED = 2
    FOUR_KIND_ONLY = 3
    HUNDRED_OR_SPLIT = 4
    ANY_DECLARED = 5


class CountSide(_Choice):
    DEFENDERS = 1
    BOTH_REDUCE_LARGER = 2
    BOTH_SEPARATE = 3


class HokumHalf(_Choice):
    DOWN = 1
    UP = 2


class SuccessBasis(_Choice):
    GP_THEN_ABNAT = 1
    ABNAT = 2
    GP_ONLY = 3


class TieUndoubled(_Choice):
    BUYER_SUCCEEDS = 1
    BUYER_FAILS = 2
    SUN_SUCCEEDS_HOKUM_FAILS = 3


class Khosara(_Choice):
    ON = 1
    RAISED_ONLY = 2


class TieRaised(_Choice):
    LAST_RAISER_LOSES = 1
    FIRST_DOUBLER_LOSES = 2
    COUNTED_AS_USUAL = 3


class RaisedPoints(_Choice):
    WINNER_TAKES_ALL = 1
    SHARED = 2


class RaisedProjects(_Choice):
    WINNER_TAKES_ALL = 1
    WINNERS_OWN = 2


class KhosaraProjects(_Choice):
    TRANSFER = 1
    OWN_ONLY = 2
    NONE = 3


class KhosaraBaloot(_Choice):
    TRANSFER = 1
    OWNER_KEEPS = 2
    NONE = 3


class ProjectMultiplier(_Choice):
    FULL = 1
    CAP_X2 = 2
    DOUBLE_ONLY = 3
    NONE = 4


class KabootLoserProjects(_Choice):
    VOID = 1
    IF_BUYER = 2
    ALWAYS = 3


class KabootRaised(_Choice):
    FIXED = 1
    MULTIPLIED = 2
    MAX_OF_BOTH = 3


class ReverseKaboot(_Choice):
    OFF = 1
    FEDERATION = 2
    ACE_UPCARD = 3
    ACE_UPCARD_ANY = 4


class BothOver(_Choice):
    HIGHER_TOTAL = 1
    HAND_POINTS = 2
    BUYER_SIDE = 3


class Sawa(_Choice):
    VALIDATED = 1
    OFF = 2


class SawaPenalty(_Choice):
    NONE = 1
    QAID = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One value for every option. The defaults are the `standard` rule set."""

    name: str = "standard"
    # Dealing (2.2, 2.3).
    first_dealer: FirstDealer = FirstDealer.RANDOM
    next_dealer: NextDealer = NextDealer.RIGHT_ALWAYS
    cut: Cut = Cut.NONE
    # Bidding (2.5 to 2.12).
    sun_over_hokum_first: SunOverHokumFirst = SunOverHokumFirst.ANYONE
    sun_takeover_first: SunTakeoverFirst = SunTakeoverFirst.EARLIER_OPPONENTS
    sun_takeover_second: SunTakeoverSecond = SunTakeoverSecond.NONE
    sun_over_hokum_second: SunOverHokumSecond = SunOverHokumSecond.NOT_YET_PASSED
    confirm_step: ConfirmStep = ConfirmStep.ON
    turn_to_sun_on_ace: TurnToSunOnAce = TurnToSunOnAce.NEVER
    turned_sun_takeover: TurnedSunTakeover = TurnedSunTakeover.NONE
    unnamed_suit: UnnamedSuit = UnnamedSuit.SUN
    ashkal_seats: AshkalSeats = AshkalSeats.THIRD_AND_FOURTH
    ashkal_biddings: AshkalBiddings = AshkalBiddings.FIRST
    ashkal_on_ace: bool = False
    illegal_ashkal: IllegalAshkal = IllegalAshkal.REJECT
    ashkal_over_hokum: AshkalOverHokum = AshkalOverHokum.YES
    kawesh: bool = True
    kawesh_redeal: KaweshRedeal = KaweshRedeal.SAME_DEALER
    kawesh_turn: KaweshTurn = KaweshTurn.ANY_TIME_FIRST
    # Doubling (2.14 to 2.16).
    double_window: DoubleWindow = DoubleWindow.BEFORE_LAST_CARDS
    double_order: DoubleOrder = DoubleOrder.SEAT_ORDER
    three_by: RaiseBy = RaiseBy.PRINCIPAL
    four_by: RaiseBy = RaiseBy.PRINCIPAL
    gahwa_by: RaiseBy = RaiseBy.PRINCIPAL
    lock_choice: LockChoice = LockChoice.DOUBLER_AT_TWO_AND_FOUR
    sun_double_threshold: SunDoubleThreshold = SunDoubleThreshold.GT100_LE100
    sun_raise_ceiling: SunRaiseCeiling = SunRaiseCeiling.DOUBLE
    # Play (2.17 to 2.20, 2.33, 2.34).
    first_leader: FirstLeader = FirstLeader.DEALER_RIGHT
    must_trump: bool = True
    partner_winning_exemption: PartnerWinningExemption = PartnerWinningExemption.FOURTH_OR_AKKA
    undertrump_obligation: bool = False
    over_ruff: bool = True
    overtrump_partner: bool = False
    locked_lead: bool = True
    akka: Akka = Akka.MANUAL_VALIDATED
    illegal_play: IllegalPlay = IllegalPlay.REJECT
    sawa: Sawa = Sawa.VALIDATED
    sawa_penalty: SawaPenalty = SawaPenalty.NONE
    sawa_max_cards: int = 8
    # Projects and Baloot (2.21 to 2.25).
    max_projects_per_player: int = 2
    project_auto: bool = False
    project_declare: ProjectDeclare = ProjectDeclare.MANUAL_BEFORE_FIRST_CARD
    project_show: ProjectShow = ProjectShow.AUTO
    hundred_order: HundredOrder = HundredOrder.RUN_FIRST
    project_tie: ProjectTie = ProjectTie.SEAT_ORDER
    baloot: BalootSaying = BalootSaying.AUTO
    baloot_block: BalootBlock = BalootBlock.DECLARED_HUNDRED
    # Scoring (2.26 to 2.31, 2.33).
    count_side: CountSide = CountSide.DEFENDERS
    hokum_half: HokumHalf = HokumHalf.DOWN
    success_basis: SuccessBasis = SuccessBasis.GP_THEN_ABNAT
    tie_undoubled: TieUndoubled = TieUndoubled.BUYER_SUCCEEDS
    khosara: Khosara = Khosara.ON
    tie_raised: TieRaised = TieRaised.LAST_RAISER_LOSES
    raised_points: RaisedPoints = RaisedPoints.WINNER_TAKES_ALL
    raised_projects: RaisedProjects = RaisedProjects.WINNER_TAKES_ALL
    khosara_projects: KhosaraProjects = KhosaraProjects.TRANSFER
    khosara_baloot: KhosaraBaloot = KhosaraBaloot.TRANSFER
    project_multiplier: ProjectMultiplier = ProjectMultiplier.FULL
    kaboot_loser_projects: KabootLoserProjects = KabootLoserProjects.VOID
    kaboot_in_raised_hand: KabootRaised = KabootRaised.FIXED
    kaboot_sun: int = 44
    kaboot_hokum: int = 25
    reverse_kaboot: ReverseKaboot = ReverseKaboot.OFF
    qaid_sun: int = 26
    qaid_hokum: int = 16
    # The match (2.32).
    match_target: int = 152
    both_over: BothOver = BothOver.HIGHER_TOTAL

    def canonical(self) -> str:
        """What the hash covers: a first line, then `option=value` for each option that is not as in `standard`.

        An option that is new one day leaves the hashes of older rule sets as they are.
        """
        differing = (name for name in sorted(OPTIONS) if getattr(self, name) != getattr(STANDARD, name))
        return "\n".join(
            ["baloot/ruleset/v1", *(f"{name}={_text(getattr(self, name))}" for name in differing)]
        )

    def __hash__(self) -> int:
        # Records of rounds are keys of dictionaries, and each holds a rule set: hashing all options would dominate.
        return hash((self.name, self.match_target))

    @property
    def hash(self) -> str:
        """SHA-256 of `canonical()` in hexadecimal: equal for rule sets that play alike, whatever their name."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def with_options(self, **options: Any) -> Ruleset:
        """A copy with some options changed."""
        return replace(self, **options)


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return value.name.lower()
    return str(value).lower()


OPTIONS: dict[str, type] = {
    name: kind
    for name, kind in get_type_hints(Ruleset).items()
    if name != "name" and not isinstance(kind, UnionType)
}
"""The type of each option: an Enum, bool or int."""

STANDARD = Ruleset()

REVERSE_KABOOT_POINTS = 88
"""What a reverse kaboot is worth (2.30)."""
