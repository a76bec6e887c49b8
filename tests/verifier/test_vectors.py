"""The recipe of a deal, told three times: by the product and by both verifiers, on the same vectors."""

from __future__ import annotations

import hmac
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from baloot.core.seats import SEATS
from baloot.dealing import rules
from baloot.verifier import verify

from tests.verifier.both import PROGRAM, SCRIPT, node

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("vectors.json")
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
GIVEN = {"name", "seed", "match", "number", "redeal", "seats", "beacon"}


def by_the_product(given: dict[str, Any]) -> dict[str, Any]:
    """What the dealing service makes of what a vector gives."""
    seed, match = bytes.fromhex(given["seed"]), bytes.fromhex(given["match"])
    number, redeal, beacon = given["number"], given["redeal"], bytes.fromhex(given["beacon"])
    shuffled = rules.shuffle(seed, match, number, redeal, [bytes.fromhex(s) for s in given["seats"]], beacon)
    read: list[int] = []
    rules.permutation(byte for byte in rules.byte_stream(shuffled.hand_key) if read.append(byte) is None)  # type: ignore[func-returns-value]
    lot = hmac.digest(shuffled.hand_key, b"baloot/dealer/v1\0" + match, "sha256")[0] % 4
    return {
        "commitment": rules.commitment(match, number, redeal, seed).hex(),
        "hand_key": shuffled.hand_key.hex(),
        "bytes_read": len(read),
        "deck": " ".join(map(str, shuffled.deck.cards)),
        "leaf_0": shuffled.leaves[0].hex(),
        "root": shuffled.deck_root.hex(),
        "first_dealer": str(SEATS[lot]).title(),
    }


def test_there_are_enough_and_of_every_sort() -> None:
    assert len(VECTORS) >= 20
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS)
    assert {vector["first_dealer"] for vector in VECTORS} == set(verify.SEATS)
    assert max(vector["number"] for vector in VECTORS) == (1 << 32) - 1
    assert {bool(vector["beacon"]) for vector in VECTORS} == {vector["redeal"] > 0 for vector in VECTORS}
    assert {sum(any(bytes.fromhex(seed)) for seed in vector["seats"]) for vector in VECTORS} >= {0, 1, 2, 4}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_product_and_python_make_the_same_of_it(vector: dict[str, Any]) -> None:
    expected = {name: value for name, value in vector.items() if name not in GIVEN}
    assert by_the_product(vector) == expected
    assert verify.vector_of(vector) == expected


def test_the_first_three_are_those_of_the_document() -> None:
    document = (ROOT / "DEALS.md").read_text(encoding="utf-8")
    for vector in VECTORS[:3]:
        told = document.split(f"### Vector {vector['name']}\n")[1]
        block = re.findall(r"^```text\n(.*?)^```", told, re.DOTALL | re.MULTILINE)[0]
        assert f"commitment {vector['commitment']}" in block
        assert f"root       {vector['root']}" in block
        assert vector["deck"] in " ".join(block.split())


@pytest.mark.parametrize("program", ["python", "javascript"])
def test_both_commands_check_the_file(program: str) -> None:
    finished = checked(program, FILE)
    assert (finished.returncode, finished.stdout) == (0, f"{len(VECTORS)} vectors, wrong: none\n")


@pytest.mark.parametrize("program", ["python", "javascript"])
def test_a_wrong_vector_is_named(program: str, tmp_path: Path) -> None:
    wrong = [*VECTORS[:2], {**VECTORS[2], "root": VECTORS[1]["root"]}, {**VECTORS[3], "first_dealer": ""}]
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(wrong), encoding="utf-8")
    finished = checked(program, file)
    assert finished.returncode == 1
    assert finished.stdout == f"4 vectors, wrong: V3, {VECTORS[3]['name']}\n"


def checked(program: str, file: Path) -> subprocess.CompletedProcess[str]:
    if program == "javascript":
        return node(PROGRAM, "--vectors", file)
    command: list[str | Path] = [sys.executable, SCRIPT, "--vectors", file]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
