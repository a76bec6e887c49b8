"""The words of the game in two languages: every `Term` is a pair of English and Arabic."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from baloot.app.terminal.language import Language
from baloot.core.auction import CallKind, CutChoice, QuestionKind
from baloot.core.cards import Rank, Suit
from baloot.core.contract import Bidding, Level, Mode
from baloot.core.errors import Reason
from baloot.core.play import QaidGround
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, RoundResult
from baloot.core.seats import Seat, Team
from baloot.table.policy import ForfeitReason


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
    COMPARED = Term("points compared (rule 2.27)", "النقاط المقارنة (قاعدة 2.27)")
    TOTAL = Term("total", "المجموع")
    TO = Term("to {}", "إلى {}")
    DECK_CUT = Term("the deck is cut: {}", "قص الورق: {}")
    THROWN_IN = Term("everybody passed: no score, the next one deals", "ورق: الكل باس، والتوزيع لمن بعده")
    KAWESH_SHOWN = Term("{} shows a worthless hand: dealt again", "{} كوش: يعاد التوزيع")
    WINS_MATCH = Term("{} win the match", "{} فازوا بالصكة")
    ABANDONED = Term("the table was given up", "انتهت الطاولة قبل تمامها")
    MISFIT_OWN_SEED = Term(
        "deal {} was not shuffled with the seed that this seat sent: do not trust this table",
        "التوزيعة {} لم تُخلط بالبذرة التي أرسلها هذا المقعد: لا تثق بهذه الطاولة",
    )
    MISFIT_COMMITMENT = Term(
        "deal {} has another seed than was committed to: do not trust this table",
        "بذرة التوزيعة {} غير التي التُزم بها: لا تثق بهذه الطاولة",
    )
    MISFIT_DECK = Term(
        "the deck of deal {} does not follow from its seed: do not trust this table",
        "ورق التوزيعة {} لا ينتج من بذرتها: لا تثق بهذه الطاولة",
    )
    MISFIT_CARDS = Term(
        "in deal {} this seat got other cards than its deck gives: do not trust this table",
        "في التوزيعة {} أُعطي هذا المقعد غير ما يعطيه ورقها: لا تثق بهذه الطاولة",
    )
    MISFIT_SEED_REFUSED = Term(
        "the table refuses what this seat adds to deal {} and those after it: do not trust this table",
        "الطاولة ترفض ما يضيفه هذا المقعد إلى التوزيعة {} وما بعدها: لا تثق بهذه الطاولة",
    )
    UNCHECKED = Term("deals that could not be checked: {}", "توزيعات لم يمكن التحقق منها: {}")
    VERIFY = Term("to check the deals: {}", "للتحقق من التوزيعات: {}")
    STARTING = Term("starting a server", "يبدأ الخادم")
    NO_MATCHES = Term("no matches", "لا صكات")
    NO_ROUNDS = Term("it has no finished round", "لا جولة منتهية فيها")
    STATUS_PLAYING = Term("playing", "جارية")
    STATUS_FINISHED = Term("finished", "منتهية")
    STATUS_ABANDONED = Term("abandoned", "متروكة")
    IMPORTED = Term("imported", "منقولة")
    STATUS_FORFEITED = Term("forfeited", "انتهت بالانسحاب")
    STARTED = Term("started {}", "بدأت {}")
    BY_RULES = Term("rules {}", "القواعد {}")
    WON_BY = Term("won by {}", "فاز بها {}")
    WON_BY_FORFEIT = Term("won by {} by forfeit: {}", "فاز بها {} بالانسحاب: {}")
    FORFEITED = Term("{} forfeit the match: {}", "{} خسروا الصكة بالانسحاب: {}")
    BOT_PLAYS = Term("a bot plays for {}", "البوت يلعب عن {}")
    BOT_PLAYS_FOR_YOU = Term(
        "a bot plays for you; type anything to play again yourself",
        "البوت يلعب عنك؛ اكتب أي شيء لترجع تلعب بنفسك",
    )
    RETURNED = Term("{} is back", "{} رجع")
    MATCH_OF = Term("match", "الصكة")
    YOU = Term("you", "أنت")
    QAID_RIGHT = Term("{} claims a violation ({}): right", "{} قيد ({}): صحيح")
    QAID_WRONG = Term("{} claims a violation ({}): wrong", "{} قيد ({}): غير صحيح")
    PROOF = Term("proof", "الإثبات")
    CLAIM = Term("claim a violation", "قيد")
    WHICH_CARD = Term(
        "which card broke a duty? a wrong claim loses the round",
        "أي ورقة فيها مخالفة؟ القيد الغلط يخسر الجولة",
    )
    WHICH_DUTY = Term("which duty did {} break?", "ما مخالفة {}؟")
    WHICH_PROOF = Term("which card proves it?", "أي ورقة تثبت ذلك؟")
    NO_PROOF_YET = Term(
        "no open card proves yet that an opponent broke a duty; you may claim later",
        "لم تظهر ورقة تثبت مخالفة بعد؛ قيد لاحقا",
    )
    IN_TRICK = Term("trick {}", "الأكلة {}")
    LED_TO = Term("{} led", "أولها {}")
    WAS_LED = Term("a lead", "أول ورقة")
    FOLLOWED = Term("{} is of the suit led", "{} من نفس الشكل")
    NOT_SHOWN = Term("no open card shows that {} broke this duty", "لا ورقة مكشوفة تثبت المخالفة على {}")
    NO_PROOF = Term("{} does not prove it", "{} لا تثبتها")
    EXCUSED = Term("he held a card, not open yet, that freed him", "كانت معه ورقة لم تظهر تعفيه")
    SHOW = Term("show with this card?", "هل تكشف مشروعك؟")
    RULESET = Term("rule set", "القواعد")
    VERSION = Term("version {}", "الإصدار {}")
    HASH = Term("hash", "البصمة")
    DIFFERING = Term("unlike standard", "تخالف القياسي")
    UNSTATED = Term("not stated", "غير مذكور")
    PLAYED = Term("played", "تلعب")
    YES = Term("yes", "نعم")
    NOT_YET = Term("not yet", "ليس بعد")
    NOT_YET_OPTIONS = Term("not played yet: {}", "لا تلعب بعد: {}")
    UNSTATED_NOTE = Term(
        "? the source does not settle it: played as in standard", "? لم يذكره المصدر: يلعب كالقياسي"
    )
    NO_DIFFERENCE = Term("they play alike", "لا فرق بينهما")
    NOTHING = Term("nothing", "بدون")
    ANNOUNCE = Term("announce with your first card?", "هل تعلن مشروعك؟")
    OR_ELSE = Term("within {} s, or else: {}", "خلال {} ثانية، وإلا: {}")
    OR_ELSE_BANK = Term(
        "within {} s and {} s from your bank, or else: {}",
        "خلال {} ثانية و {} ثانية من رصيدك، وإلا: {}",
    )
    LEGAL = Term("allowed", "المسموح")
    NOT_A_CHOICE = Term("that is not one of the choices; ? for help", "ليس من الخيارات؛ ? للمساعدة")
    NOT_ASKED = Term("it is not your turn; ? for help", "ليس دورك؛ ? للمساعدة")
    REALLY_LEAVE = Term(
        "leaving ends the match for everybody: q again to leave", "خروجك ينهي الصكة للجميع: q مرة أخرى للخروج"
    )
    REALLY_LEAVE_BOT = Term(
        "a bot will play on for you: q again to leave", "البوت بيكمل عنك: q مرة أخرى للخروج"
    )
    REALLY_LEAVE_FORFEIT = Term(
        "leaving forfeits the match: q again to leave", "خروجك يخسّر فريقك الصكة: q مرة أخرى للخروج"
    )
    CONNECTION_LOST = Term("{} lost the connection", "انقطع اتصال {}")
    CONNECTION_BACK = Term("{} is back", "عاد {}")
    LEAVES = Term("{} leaves the table", "{} غادر الطاولة")
    LEFT = Term("you left the table", "غادرت الطاولة")
    CUT = Term("the connection broke ({}); trying again", "انقطع الاتصال ({})؛ نحاول من جديد")
    INPUT_ENDED = Term("the input has ended: you leave the table", "انتهى الإدخال: تغادر الطاولة")
    KEYS = Term(
        "type the number of your choice; ? help · s score sheet · t table · q leave",
        "اكتب رقم اختيارك؛ ? مساعدة · s النشرة · t الطاولة · q خروج",
    )
    HELP = Term(
        "Type a number and Enter. With a number marked a (as in 3a) you say Akka with\n"
        "the card, with one marked b Baloot; w claims Sawa, the rest of the tricks.\n"
        "What is greyed may not be played now, for the reason and rule beside it; where it\n"
        "has a number, it may be played all the same, and the other side may claim it.\n"
        "A card may be typed by its name too, such as KH or 10S.\n"
        "There c claims that an opponent broke a duty (Qaid), on turn or not: name his\n"
        "card, the duty, and a card played since that proves it. That ends the round:\n"
        "if you are right, your side wins it, else the other one.\n"
        "If you do not answer in time, the table does for you what it says below the\n"
        "choices.\n"
        "s score sheet · t the table and its tricks · q leave the table",
        "اكتب الرقم ثم Enter. الرقم مع a (مثل 3a) يقول إكه مع الورقة، ومع b يقول بلوت،\n"
        "و w يقول سوا. الأوراق الباهتة لا تلعب الآن والسبب والقاعدة بجانبها؛ فإن كان لها\n"
        "رقم جاز لعبها وللخصم أن يقيد. وتكتب الورقة باسمها أيضا مثل KH أو 10S. وهناك c يقيد على الخصم في دورك وغيره: اختر ورقته\n"
        "ثم المخالفة ثم ورقة لعبت بعدها تثبتها. القيد ينهي الجولة: الصحيح لكم والغلط\n"
        "عليكم. إن تأخرت لعبت الطاولة عنك ما هو مكتوب تحت الخيارات.\n"
        "s النشرة · t الطاولة وأكلاتها · q خروج",
    )


TERMS: dict[type[Enum], dict[Any, Term]] = {
    Suit: {
        Suit.SPADES: Term("spades", "سبيت"),
        Suit.HEARTS: Term("hearts", "هاص"),
        Suit.DIAMONDS: Term("diamonds", "ديمن"),
        Suit.CLUBS: Term("clubs", "شريا"),
    },
    Rank: {
        Rank.SEVEN: Term("7", "7"),
        Rank.EIGHT: Term("8", "8"),
        Rank.NINE: Term("9", "9"),
        Rank.TEN: Term("10", "10"),
        Rank.JACK: Term("J", "ولد"),
        Rank.QUEEN: Term("Q", "بنت"),
        Rank.KING: Term("K", "شايب"),
        Rank.ACE: Term("A", "إكه"),
    },
    Seat: {
        Seat.SOUTH: Term("South", "جنوب"),
        Seat.EAST: Term("East", "شرق"),
        Seat.NORTH: Term("North", "شمال"),
        Seat.WEST: Term("West", "غرب"),
    },
    Team: {
        Team.SOUTH_NORTH: Term("South-North", "جنوب-شمال"),
        Team.EAST_WEST: Term("East-West", "شرق-غرب"),
    },
    Mode: {
        Mode.HOKUM: Term("hokum", "حكم"),
        Mode.SUN: Term("sun", "صن"),
    },
    Bidding: {
        Bidding.FIRST: Term("first", "أول"),
        Bidding.SECOND: Term("second", "ثاني"),
    },
    Level: {
        Level.SINGLE: Term("single", "عادي"),
        Level.DOUBLE: Term("double", "دبل"),
        Level.THREE: Term("three", "ثري"),
        Level.FOUR: Term("four", "فور"),
        Level.GAHWA: Term("gahwa", "قهوة"),
    },
    CallKind: {
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
        CallKind.CUT: Term("cut", "قص"),
    },
    QuestionKind: {
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
        QuestionKind.CUT: Term("cut the deck", "قص الورق"),
        QuestionKind.QAID: Term("the round is over: anything to claim?", "انتهت الجولة: هل تقيد؟"),
    },
    CutChoice: {
        CutChoice.GO_ON: Term("go on", "روح"),
        CutChoice.CUT: Term("cut", "قص"),
        CutChoice.RESHUFFLE: Term("shuffle again", "أعد الخلط"),
        CutChoice.TOP_UP: Term("top card up", "أول ورقة هي المشترى"),
        CutChoice.BOTTOM_TO_PARTNER: Term("bottom three to the partner", "آخر ثلاث للخوي"),
        CutChoice.BOTTOM_KEPT: Term("keep the bottom three", "آخر ثلاث لي"),
        CutChoice.TOP_KEPT: Term("keep the top three", "أول ثلاث لي"),
    },
    QaidGround: {
        QaidGround.REVOKE: Term("did not follow", "قاطع"),
        QaidGround.NO_TRUMP: Term("did not trump", "ما دق بالحكم"),
        QaidGround.NO_OVER_TRUMP: Term("did not over-trump", "ما كبر بالحكم"),
        QaidGround.LOCKED_LEAD: Term("led a trump though locked", "ربع في المقفل"),
        QaidGround.FALSE_AKKA: Term("said a false Akka", "إكه غلط"),
        QaidGround.WRONG_SAWA: Term("claimed a wrong Sawa", "سوا غلط"),
    },
    ProjectKind: {
        ProjectKind.SIRA: Term("sira", "سرا"),
        ProjectKind.FIFTY: Term("fifty", "خمسين"),
        ProjectKind.HUNDRED: Term("hundred", "مية"),
        ProjectKind.FOUR_HUNDRED: Term("four hundred", "أربعمية"),
    },
    ForfeitReason: {
        ForfeitReason.LEFT: Term("a player left", "لاعب غادر"),
        ForfeitReason.AWAY: Term("a player was away for too long", "لاعب طال غيابه"),
        ForfeitReason.NO_SHOW: Term("a player did not come", "لاعب ما حضر"),
    },
    RoundResult: {
        RoundResult.MADE: Term("made", "نجح"),
        RoundResult.KHOSARA: Term("khosara", "خسران"),
        RoundResult.KABOOT: Term("kaboot", "كبوت"),
        RoundResult.GAHWA: Term("gahwa", "قهوة"),
        RoundResult.QAID: Term("qaid", "قيد"),
    },
    LineKind: {
        LineKind.CARDS: Term("cards", "الأوراق"),
        LineKind.TAKES_ALL: Term("takes all", "الكل"),
        LineKind.KABOOT: Term("kaboot", "كبوت"),
        LineKind.PROJECT: Term("project", "مشروع"),
        LineKind.BALOOT: Term("Baloot", "بلوت"),
        LineKind.GAHWA: Term("gahwa", "قهوة"),
        LineKind.QAID: Term("qaid", "قيد"),
    },
    Reason: {
        Reason.MUST_FOLLOW: Term("must follow", "لازم من نفس الشكل"),
        Reason.MUST_TRUMP: Term("must trump", "لازم تدق بالحكم"),
        Reason.MUST_OVER_TRUMP: Term("must over-trump", "لازم تكبر بالحكم"),
        Reason.LOCKED_LEAD: Term("locked: no trump lead", "مقفول: لا تربع"),
    },
}
"""Every value of the game that is ever shown; of the reasons, those that a card in hand can have."""


def comma(language: Language) -> str:
    """What stands between the parts of a list."""
    return "، " if language is Language.ARABIC else ", "


def semicolon(language: Language) -> str:
    """What stands between a sentence and what is added to it."""
    return "؛ " if language is Language.ARABIC else "; "


def say(what: Enum, language: Language, *places: object) -> str:
    """A value, a word or a sentence in a language, with its places filled."""
    term = what.value if isinstance(what, Word) else TERMS[type(what)][what]
    text: str = term.english if language is Language.ENGLISH else term.arabic
    return text.format(*places)
