"""What the terminal shows, as text at 80 columns. `python -m tests.app.snapshots` writes what it shows now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from baloot.api.core.v1.cards_pb2 import CARD_8D
from baloot.api.core.v1.play_pb2 import QAID_GROUND_REVOKE, ClaimQaid
from baloot.api.table.v1.events_pb2 import DealVoid, TableEntry, TableEvent
from baloot.api.table.v1.table_pb2 import TableView
from baloot.app.terminal.claims import claim_menu
from baloot.app.terminal.language import Language
from baloot.app.terminal.menu import declaration_menu, menu_of, menu_text
from baloot.app.terminal.names import read_contract
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.sheet import match_sheet, round_sheet
from baloot.app.terminal.table import draw_table, trick_lines
from baloot.bots.claiming import is_lenient
from baloot.client.watching import Update

from tests.app import claims, scenes

FOLDER = Path(__file__).parent / "snapshots"
ENGLISH, ARABIC = Language.ENGLISH, Language.ARABIC


def _table(view: TableView, language: Language = ENGLISH) -> str:
    return scenes.drawn(draw_table(view, language))


def _menu(view: TableView, language: Language = ENGLISH) -> str:
    menu = menu_of(view.question, view.round, language, lenient=is_lenient(view))
    return f"{menu.title}\n{scenes.drawn(menu_text(menu))}\ndefault {menu.default.plain}"


def _declarations() -> str:
    menu = declaration_menu(scenes.declaring().question.play, ENGLISH)
    assert menu is not None
    return f"{menu.title}\n{scenes.drawn(menu_text(menu))}"


def _claim(claim: ClaimQaid, language: Language) -> str:
    menu = claim_menu(claims.offence(), claim, language)
    assert menu is not None
    return f"{menu.title}\n{scenes.drawn(menu_text(menu))}"


def _sheet(language: Language) -> str:
    table = scenes.scored().round
    return scenes.drawn(round_sheet(table.score, read_contract(table.contract), language))


def _tale(language: Language, entries: int) -> str:
    console, out = scenes.console()
    narrator = Narrator(console, language)
    for update in scenes.match(1, None)[:entries]:
        narrator.tell(update)
    return scenes.stripped(out.getvalue())


def _kawesh_tale() -> str:
    console, out = scenes.console()
    narrator = Narrator(console, ARABIC)
    view = scenes.kawesh()
    void = DealVoid(kawesh=view.round.kawesh, hands=view.round.open_hands)
    narrator.tell(Update(view, TableEntry(events=[TableEvent(deal_void=void)])))
    return scenes.stripped(out.getvalue())


def _match_sheet() -> str:
    console, _ = scenes.console()
    narrator = Narrator(console)
    for update in scenes.match(1, None):
        narrator.tell(update)
    return scenes.drawn(match_sheet(narrator.rows))


SHOWN: dict[str, Callable[[], str]] = {
    "cut": lambda: _table(scenes.cutting()),
    "cut-menu": lambda: _menu(scenes.cutting()),
    "kawesh": lambda: _table(scenes.kawesh()),
    "kawesh-tale-arabic": _kawesh_tale,
    "tricks": lambda: "\n".join(line.plain for line in trick_lines(scenes.play(), ENGLISH)),
    "auction": lambda: _table(scenes.auction()),
    "auction-menu": lambda: _menu(scenes.auction()),
    "play": lambda: _table(scenes.play()),
    "play-arabic": lambda: _table(scenes.play(), ARABIC),
    "play-menu": lambda: _menu(scenes.play()),
    "play-menu-arabic": lambda: _menu(scenes.play(), ARABIC),
    "lead": lambda: _table(scenes.lead()),
    "lead-menu": lambda: _menu(scenes.lead()),
    "declaration-menu": _declarations,
    "at-risk-menu": lambda: _menu(scenes.at_risk()),
    "review-menu": lambda: _menu(scenes.review()),
    "claim-card-menu": lambda: _claim(ClaimQaid(), ENGLISH),
    "claim-duty-menu": lambda: _claim(ClaimQaid(card=CARD_8D), ENGLISH),
    "claim-proof-menu-arabic": lambda: _claim(ClaimQaid(card=CARD_8D, ground=QAID_GROUND_REVOKE), ARABIC),
    "scored": lambda: _table(scenes.scored()),
    "sheet": lambda: _sheet(ENGLISH),
    "sheet-arabic": lambda: _sheet(ARABIC),
    "match-sheet": _match_sheet,
    "tale": lambda: _tale(ENGLISH, 120),
    "tale-arabic": lambda: _tale(ARABIC, 60),
}


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, show in SHOWN.items():
        file_of(name).write_text(f"{show()}\n", encoding="utf-8")
