"""What a line of the score sheet says to a player: sentences in English and in Arabic.

A sentence is made of clauses. Each clause has places for the figures of its line and for a few words.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import NamedTuple

from baloot.core.contract import Level, Mode
from baloot.core.play import QaidGround
from baloot.core.projects import ProjectKind
from baloot.core.seats import Seat


class Text(NamedTuple):
    """The same in both languages."""

    english: str
    arabic: str


class Clause(Enum):
    """A part of a sentence, with its places. The first clauses of a sentence say why, the last one what is written."""

    # Cards (2.26).
    DEFENDERS_PILE = Text(
        "the defenders' {defenders_card_points} abnat make {converted}",
        "أبناط الخصم {defenders_card_points} تصير {converted}",
    )
    BUYERS_PILE = Text(
        "the buyer's {buyers_card_points} abnat make {converted}",
        "أبناط المشتري {buyers_card_points} تصير {converted}",
    )
    REST = Text(
        "the rest of {total} beside {converted}",
        "الباقي من {total} بعد {converted}",
    )
    WHICH_IS = Text(": {points}", ": {points}")
    OWN_PILE = Text("{card_points} abnat make {converted}", "الأبناط {card_points} تصير {converted}")
    REDUCED = Text(
        ", and {reduced} less for the larger pile, since both together make too many",
        "، وينقص من الأكثر {reduced} لأن المجموع زايد",
    )
    CARDS_TIMES = Text(
        ", {level}: {own} × {multiplier} = {points}", "، {level}: {own} × {multiplier} = {points}"
    )
    # Who is ahead (2.27).
    GAME_POINTS = Text(
        "{winner_compared} to {loser_compared} points", "النقاط {winner_compared} مقابل {loser_compared}"
    )
    CARD_POINTS = Text("{winner_raw} to {loser_raw} abnat", "الأبناط {winner_raw} مقابل {loser_raw}")
    EQUAL_GAME_POINTS = Text("{winner_compared} points each, ", "النقاط متساوية {winner_compared}، و")
    EQUAL = Text("{winner_raw} abnat each", "الأبناط متساوية {winner_raw}")
    EQUAL_WRITTEN = Text("{winner_compared} points each", "النقاط متساوية {winner_compared}")
    TIE_LAST_RAISER = Text(", and a tie goes against the side that raised last", "، والتعادل على آخر من كبّر")
    TIE_DOUBLER = Text(", and a tie goes against the doubler", "، والتعادل على اللي دبّل")
    TIE_BUYER_FAILS = Text(", and a tie goes against the buyer", "، والتعادل على المشتري")
    TIE_BUYER_SAFE = Text(", and a tie goes to the buyer", "، والتعادل للمشتري")
    ALL_TRICKS = Text("all eight tricks", "الأكلات كلها")
    # Who takes all (2.28 to 2.31).
    KHOSARA = Text(
        ": the buyer failed, so the defenders write all {total}", ": المشتري خسران، والـ{total} كلها للخصم"
    )
    RAISED = Text(
        ": {level}, the winner takes all, {total} × {multiplier} = {points}",
        ": {level} والكل للفايز، {total} × {multiplier} = {points}",
    )
    RAISED_KABOOT = Text(
        ": {level} gives more than a kaboot of {value}, {total} × {multiplier} = {points}",
        ": {level} أكثر من الكبوت {value}، {total} × {multiplier} = {points}",
    )
    GAHWA = Text(
        ": gahwa, the match and its {match_target} to the winner", ": قهوة، والصكة للفايز {match_target}"
    )
    # Kaboot (2.30).
    KABOOT = Text("all eight tricks: kaboot in {mode}, {amount}", "الأكلات كلها: كبوت {mode}، {amount}")
    KABOOT_ON_ACE = Text(
        "all eight tricks on an Ace up card: kaboot in {mode}, {amount}",
        "الأكلات كلها والمشترى إكه: كبوت {mode}، {amount}",
    )
    REVERSE_KABOOT = Text(
        "all eight tricks from a buyer who led and had an Ace: reverse kaboot, {amount}",
        "الأكلات كلها على المشتري وهو النازل ومعه إكه: كبوت مقلوب، {amount}",
    )
    # Projects and Baloot (2.21, 2.25, 2.28 to 2.30, 2.33).
    KEPT = Text("{seat}'s {holding}: {amount}", "{holding} {seat}: {amount}")
    TAKEN = Text("{seat}'s {holding} goes to the winner: {amount}", "{holding} {seat} للفايز: {amount}")
    NEVER_MULTIPLIED = Text(", never multiplied", "، والبلوت ما يتضاعف")
    VOID = Text("{seat}'s {holding} does not count", "ما ينحسب {holding} {seat}")
    BECAUSE_LOST = Text(": its side lost the round", ": أصحابه خسرانين")
    BECAUSE_FAILED = Text(
        ": nothing beside the cards counts in a lost round", ": مع الخسران ما ينحسب إلا الورق"
    )
    BECAUSE_KABOOT = Text(": its side won no trick", ": أصحابه ما أخذوا ولا أكلة")
    BECAUSE_QAID = Text(": the qaid went against its side", ": القيد على أصحابه")
    # Qaid (2.33).
    QAID_RIGHT = Text("{seat} claimed a qaid, {ground}, and was right", "{seat} قيّد، {ground}، والقيد صحيح")
    QAID_WRONG = Text(
        "{seat} claimed a qaid, {ground}, and was wrong", "{seat} قيّد، {ground}، والقيد غلط فصار عليه"
    )
    QAID_AWARD = Text(": {amount}", ": {amount}")

    __hash__ = object.__hash__


SEATS: dict[Seat, Text] = {
    Seat.SOUTH: Text("South", "جنوب"),
    Seat.EAST: Text("East", "شرق"),
    Seat.NORTH: Text("North", "شمال"),
    Seat.WEST: Text("West", "غرب"),
}
MODES: dict[Mode, Text] = {Mode.HOKUM: Text("hokum", "حكم"), Mode.SUN: Text("sun", "صن")}
LEVELS: dict[Level, Text] = {
    Level.SINGLE: Text("single", "عادي"),
    Level.DOUBLE: Text("double", "دبل"),
    Level.THREE: Text("three", "ثري"),
    Level.FOUR: Text("four", "فور"),
    Level.GAHWA: Text("gahwa", "قهوة"),
}
PROJECTS: dict[ProjectKind, Text] = {
    ProjectKind.SIRA: Text("sira", "سرا"),
    ProjectKind.FIFTY: Text("fifty", "خمسين"),
    ProjectKind.HUNDRED: Text("hundred", "مية"),
    ProjectKind.FOUR_HUNDRED: Text("four hundred", "أربعمية"),
}
BALOOT = Text("Baloot", "بلوت")
GROUNDS: dict[QaidGround, Text] = {
    QaidGround.REVOKE: Text("not following suit", "قاطع"),
    QaidGround.NO_TRUMP: Text("not trumping", "ما دق بالحكم"),
    QaidGround.NO_OVER_TRUMP: Text("not over-trumping", "ما كبّر بالحكم"),
    QaidGround.LOCKED_LEAD: Text("leading trumps in a locked round", "ربّع في المقفول"),
    QaidGround.FALSE_AKKA: Text("a false Akka", "إكه غلط"),
    QaidGround.WRONG_SAWA: Text("a wrong Sawa", "سوا غلط"),
}

_RULE = Text(" (rule {rule}).", " (قاعدة {rule}).")
_AMOUNTS = ("{value} × {multiplier} = {points}", "{value}")

Word = tuple[str, Text]
"""The name of a place, and the word that stands there."""


def sentences(
    clauses: tuple[Clause, ...], rule: str, figures: dict[str, int], words: tuple[Word, ...]
) -> Text:
    """The sentence that the clauses make of the figures and words of a line, with the number of its rule.

    The place `amount` is the `value`, and by what it is multiplied where it is.
    """
    template = _template(clauses, once=figures.get("multiplier") == 1)
    english: dict[str, object] = {**figures, "rule": rule}
    arabic = english.copy()
    for name, word in words:
        english[name], arabic[name] = word
    return Text(template.english.format_map(english), template.arabic.format_map(arabic))


@cache
def _template(clauses: tuple[Clause, ...], *, once: bool) -> Text:
    """The clauses in one piece, for values that are written once or multiplied."""
    english, arabic = (
        "".join((*(clause.value[language] for clause in clauses), _RULE[language])).replace(
            "{amount}", _AMOUNTS[once]
        )
        for language in range(len(Text._fields))
    )
    return Text(f"{english[0].upper()}{english[1:]}", arabic)
