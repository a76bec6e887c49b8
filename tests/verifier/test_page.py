"""The page: what it loads, what it says in both languages, and what it shows of a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.both import FOLDER, PAGE, node
from tests.verifier.honest import honest
from tests.verifier.tampering import tampered

OPEN = Path(__file__).with_name("open_page.js")
PLACE = re.compile(r"\{(\w+)\}")


def opened(
    proof: object, language: str = "en", pins: str = "", seeds: str = "", beacon: str = ""
) -> dict[str, Any]:
    """What the page shows once a file is chosen, and then in the other language."""
    finished = node(OPEN, FOLDER, stdin=json.dumps([language, json.dumps(proof), pins, seeds, beacon]))
    assert finished.returncode == 0, finished.stderr
    shown: dict[str, Any] = json.loads(finished.stdout)
    return shown


@pytest.fixture(scope="module")
def verified() -> dict[str, Any]:
    proof = honest("kawesh").proof()
    pin = f"{proof['entries'][4]['n']}:{proof['entries'][4]['chain']}"
    return opened(proof, pins=f"\n{pin}\n")


def test_it_loads_nothing_from_anywhere() -> None:
    html = PAGE.read_text(encoding="utf-8")
    loaded = re.findall(r'(?:src|href)="([^"]*)"', html)
    assert loaded == ["verify.js", "page.js"]
    for name in ("verify.html", "verify.js", "page.js"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert re.findall(r"https?:|@import|url\(|fetch\(|XMLHttpRequest|innerHTML|\beval\b", text) == []


def test_it_tells_a_verdict_in_both_languages(verified: dict[str, Any]) -> None:
    assert verified["verdict"] == "verified"
    assert verified["focused"] is True
    assert verified["first"].startswith("VERIFIED")
    assert "1 chain values that were noted" in verified["first"]
    assert verified["second"].startswith("سليم")
    assert "الشرق" in verified["second"]
    assert verified["direction"] == "rtl"
    assert "undefined" not in verified["first"] + verified["second"] + "".join(verified["texts"])


def test_a_file_that_was_tampered_with_is_refused_with_its_reason() -> None:
    case = tampered(3)
    shown = opened(case.proof, "ar-SA")
    assert shown["verdict"] == "refused"
    assert shown["first"].startswith("مرفوض")
    (code,) = [code for code in case.codes if code in shown["first"]]
    assert code in shown["second"]
    assert shown["direction"] == "ltr"


def test_it_compares_the_beacon_that_was_looked_up() -> None:
    written = honest("beacon")
    shown = opened(written.proof(), beacon=f"{written.beacon.hex()}\n")
    assert "The beacon is the value that was looked up." in shown["first"]
    assert "القيمة العامة هي التي رُجع إليها." in shown["second"]
    assert "BEACON_WRONG" in opened(written.proof(), beacon="0" * 64)["first"]


def test_what_is_no_proof_and_what_cannot_be_read_is_said() -> None:
    assert opened("nonsense")["verdict"] == "unreadable"
    shown = opened(honest("plain").proof(), pins="42: <b>no pin</b>")
    assert shown["first"] == "This line cannot be read: 42: <b>no pin</b>"
    assert shown["second"].endswith("42: <b>no pin</b>")


def test_arabic_says_everything_that_english_says(verified: dict[str, Any]) -> None:
    english, arabic = verified["words"]["english"], verified["words"]["ARABIC"]
    assert english.keys() == arabic.keys()
    for part, texts in english.items():
        assert texts.keys() == arabic[part].keys()
        for code, text in texts.items():
            assert set(PLACE.findall(arabic[part][code])) == set(PLACE.findall(text)), code
    pages = verified["words"]["PAGE_TEXTS"]
    assert pages["en"].keys() == pages["ar"].keys()


def test_every_part_has_a_label_and_the_verdict_is_announced() -> None:
    html = PAGE.read_text(encoding="utf-8")
    fields = set(re.findall(r'<(?:input|textarea)[^>]* id="(\w+)"', html))
    assert fields == set(re.findall(r'<label for="(\w+)"', html))
    assert 'id="verdict" role="status" aria-live="polite"' in html
    assert set(re.findall(r'aria-describedby="([\w-]+)"', html)) <= set(re.findall(r' id="([\w-]+)"', html))
