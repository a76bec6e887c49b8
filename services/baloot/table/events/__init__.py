"""What happens at a table, as facts. One accepted command makes one entry; a table is the fold of its entries.

The events hold everything, secrets included. What a viewer may see of them is decided in `views` alone.

Each subject has a file of its name here, in `views`, in `codec` and in `payload`: an event is defined here, seen by way
of `views`, sent by `codec` and stored by `payload`, under its own name everywhere.
"""

from baloot.table.events.bidding import (
    AnswerGiven,
    AnswersOpened,
    AskedAgain,
    Bought,
    CallMade,
    DealVoid,
    HandsCompleted,
)
from baloot.table.events.deals import (
    BeaconGiven,
    DealsCommitted,
    RoundDealt,
    RoundOpened,
    SeedAdded,
    SeedsRevealed,
    cut_deck,
    cut_depth,
)
from baloot.table.events.entry import Entry, Event, OpenQuestion, SeatClock, TimeUsed
from baloot.table.events.match import (
    AbandonReason,
    ClockExtended,
    MatchEnded,
    MatchForfeited,
    MatchStarted,
    Status,
    TableAbandoned,
    TableCreated,
)
from baloot.table.events.play import (
    CardPlayed,
    PlayStarted,
    ProjectsDecided,
    ProjectsShown,
    QaidClaimed,
    RoundAccepted,
    RoundScored,
    SawaClaimed,
    TrickWon,
)
from baloot.table.events.seats import (
    BotSeated,
    PlayerReturned,
    Presence,
    PresenceChanged,
    SeatLeft,
    SeatTaken,
)
from baloot.table.events.settings import IDLE_AFTER_DEFAULTS, LATE, SECOND, Micros, Settings, TimeControl

__all__ = [
    "IDLE_AFTER_DEFAULTS",
    "LATE",
    "SECOND",
    "AbandonReason",
    "AnswerGiven",
    "AnswersOpened",
    "AskedAgain",
    "BeaconGiven",
    "BotSeated",
    "Bought",
    "CallMade",
    "CardPlayed",
    "ClockExtended",
    "DealVoid",
    "DealsCommitted",
    "Entry",
    "Event",
    "HandsCompleted",
    "MatchEnded",
    "MatchForfeited",
    "MatchStarted",
    "Micros",
    "OpenQuestion",
    "PlayStarted",
    "PlayerReturned",
    "Presence",
    "PresenceChanged",
    "ProjectsDecided",
    "ProjectsShown",
    "QaidClaimed",
    "RoundAccepted",
    "RoundDealt",
    "RoundOpened",
    "RoundScored",
    "SawaClaimed",
    "SeatClock",
    "SeatLeft",
    "SeatTaken",
    "SeedAdded",
    "SeedsRevealed",
    "Settings",
    "Status",
    "TableAbandoned",
    "TableCreated",
    "TimeControl",
    "TimeUsed",
    "TrickWon",
    "cut_deck",
    "cut_depth",
]
