"""The words of the game in two languages: `TERMS[what]` is a pair of English and Arabic."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from baloot.core.auction import CallKind, QuestionKind
from baloot.core.cards import Rank, Suit
from baloot.core.contract import Bidding, Level, Mode
from baloot.core.errors import Reason
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, RoundResult
from baloot.core.seats import Seat, Team


class Language(Enum):
    """What the words are in; the value is what people type for it."""

    ENGLISH = "en"
    ARABIC = "ar"


class Term(NamedTuple):
    """One word of the game, or a sentence with `{}` places in it."""

    english: str
    arabic: str


class Word(Enum):
    """Words and sentences that stand for no value of the game."""

    ROUND = Term("Round", "الجولة")
    DEALER = Term("dealer", "الموزع")
    DEALS = Term("{} deals", "الموزع {}")
    UP_CARD = Term("up card", "المشترى")
    BUYER = Term("buyer", "المشتري")
    BUYS = Term("{} buys {}", "{} يشتري {}")
    CONTRACT = Term("contract", "العقد")
    HAND = Term("hand", "يدك")
    TRICK = Term("trick", "أكلة")
    TRICKS = Term("tricks", "الأكلات")
    CALLS = Term("calls", "المزايدة")
    PROJECTS = Term("projects", "المشاريع")
    COUNTS = Term("{} count", "مشاريع {} محسوبة")
    BALOOT = Term("Baloot", "بلوت")
    AKKA = Term("Akka", "إكه")
    SAWA = Term("Sawa", "سوا")
    SAWA_HELD = Term("{} claims the rest, and it holds", "{} يقول سوا وهي صحيحة")
    SAWA_REFUSED = Term(
        "{} claims the rest; it does not hold, play goes on", "{} يقول سوا ولم تثبت، واللعب مستمر"
    )
    LOCKED = Term("locked", "مقفول")
    OPEN = Term("open", "مفتوح")
    ANSWERED = Term("has answered", "أجاب")
    TAKES = Term("{} takes {}", "{} يأخذ {}")
    SCORE_SHEET = Term("score sheet", "النشرة")
    ABNAT = Term("abnat", "أبناط")
    NUQAT = Term("points", "نقاط")
    TOTAL = Term("total", "المجموع")
    RULE = Term("rule", "القاعدة")
    TO = Term("to {}", "إلى {}")
    THROWN_IN = Term("everybody passed: no score, the next one deals", "ورق: الكل باس، والتوزيع لمن بعده")
    KAWESH_SHOWN = Term("{} shows a worthless hand: dealt again", "{} كوش: يعاد التوزيع")
    WINS_MATCH = Term("{} win the match", "{} فازوا بالصكة")
    ABANDONED = Term("the table was given up", "انتهت الطاولة قبل تمامها")
    MATCH_OF = Term("match", "الصكة")
    YOU = Term("you", "أنت")
    FREE = Term("free", "شاغر")


TERMS: dict[Enum, Term] = {
    Suit.SPADES: Term("spades", "سبيت"),
    Suit.HEARTS: Term("hearts", "هاص"),
    Suit.DIAMONDS: Term("diamonds", "ديمن"),
    Suit.CLUBS: Term("clubs", "شريا"),
    Rank.SEVEN: Term("7", "7"),
    Rank.EIGHT: Term("8", "8"),
    Rank.NINE: Term("9", "9"),
    Rank.TEN: Term("10", "10"),
    Rank.JACK: Term("J", "ولد"),
    Rank.QUEEN: Term("Q", "بنت"),
    Rank.KING: Term("K", "شايب"),
    Rank.ACE: Term("A", "إكه"),
    Seat.SOUTH: Term("South", "جنوب"),
    Seat.EAST: Term("East", "شرق"),
    Seat.NORTH: Term("North", "شمال"),
    Seat.WEST: Term("West", "غرب"),
    Team.SOUTH_NORTH: Term("South-North", "جنوب-شمال"),
    Team.EAST_WEST: Term("East-West", "شرق-غرب"),
    Mode.HOKUM: Term("hokum", "حكم"),
    Mode.SUN: Term("sun", "صن"),
    Bidding.FIRST: Term("first", "أول"),
    Bidding.SECOND: Term("second", "ثاني"),
    Level.SINGLE: Term("single", "عادي"),
    Level.DOUBLE: Term("double", "دبل"),
    Level.THREE: Term("three", "ثري"),
    Level.FOUR: Term("four", "فور"),
    Level.GAHWA: Term("gahwa", "قهوة"),
    CallKind.PASS: Term("pass", "بس"),
    CallKind.HOKUM: Term("hokum", "حكم"),
    CallKind.SUN: Term("sun", "صن"),
    CallKind.ASHKAL: Term("ashkal", "أشكل"),
    CallKind.QABLAK: Term("qablak", "قبلك"),
    CallKind.KAWESH: Term("kawesh", "كوش"),
    CallKind.CONFIRM: Term("hokum it is", "حكم ثابت"),
    CallKind.DOUBLE: Term("double", "دبل"),
    CallKind.THREE: Term("three", "ثري"),
    CallKind.FOUR: Term("four", "فور"),
    CallKind.GAHWA: Term("gahwa", "قهوة"),
    QuestionKind.FIRST: Term("first bidding: what do you say?", "أول: ماذا تقول؟"),
    QuestionKind.ANSWER: Term("hokum was called: sun over it?", "قيل حكم: هل تقول صن؟"),
    QuestionKind.TAKEOVER: Term("sun was called after you: take it over?", "قيل صن: هل تقول قبلك؟"),
    QuestionKind.SECOND: Term("second bidding: what do you say?", "ثاني: ماذا تقول؟"),
    QuestionKind.CONFIRM: Term("your hokum stands: confirm it", "ثبت لك الحكم: أكده"),
    QuestionKind.DOUBLE: Term("will you double?", "هل تدبل؟"),
    QuestionKind.THREE: Term("you are doubled: three?", "دبل عليك: ثري؟"),
    QuestionKind.FOUR: Term("they said three: four?", "قالوا ثري: فور؟"),
    QuestionKind.GAHWA: Term("they said four: gahwa?", "قالوا فور: قهوة؟"),
    QuestionKind.KAWESH: Term("your hand is worthless: you may show it", "لك أن تقول كوش"),
    QuestionKind.PLAY: Term("play a card", "العب ورقة"),
    ProjectKind.SIRA: Term("sira", "سرا"),
    ProjectKind.FIFTY: Term("fifty", "خمسين"),
    ProjectKind.HUNDRED: Term("hundred", "مية"),
    ProjectKind.FOUR_HUNDRED: Term("four hundred", "أربعمية"),
    RoundResult.MADE: Term("the buyer made it", "نجح المشتري"),
    RoundResult.KHOSARA: Term("the buyer failed (khosara)", "خسران"),
    RoundResult.KABOOT: Term("kaboot: all eight tricks", "كبوت"),
    RoundResult.GAHWA: Term("gahwa decides the match", "قهوة"),
    LineKind.CARDS: Term("cards", "الأوراق"),
    LineKind.TAKES_ALL: Term("takes all", "الكل"),
    LineKind.KABOOT: Term("kaboot", "كبوت"),
    LineKind.PROJECT: Term("project", "مشروع"),
    LineKind.BALOOT: Term("Baloot", "بلوت"),
    LineKind.GAHWA: Term("gahwa", "قهوة"),
    Reason.MUST_FOLLOW: Term("must follow", "لازم من نفس الشكل"),
    Reason.MUST_TRUMP: Term("must trump", "لازم تدق بالحكم"),
    Reason.MUST_OVER_TRUMP: Term("must over-trump", "لازم تكبر بالحكم"),
    Reason.LOCKED_LEAD: Term("locked: no trump lead", "مقفول: لا تربع"),
}
"""Every value of the game that is ever shown; of the reasons, those that a card in hand can have."""


def say(what: Enum, language: Language, *places: object) -> str:
    """A value, a word or a sentence in a language, with its places filled."""
    term = what.value if isinstance(what, Word) else TERMS[what]
    text: str = term.english if language is Language.ENGLISH else term.arabic
    return text.format(*places)
