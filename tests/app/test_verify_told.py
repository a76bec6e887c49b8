"""The command that a game in the terminal ends with: it reads back as what the seat noted."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_NORTH
from baloot.app.playing import Place, tell_how_to_verify, verify_command
from baloot.app.reaching import Asked
from baloot.app.terminal.language import Language
from baloot.app.terminal.narrator import Narrator
from baloot.client.pinning import Pin
from baloot.client.table import TableClient
from baloot.verifier import verify
from rich.console import Console

TABLE = "00000000-0000-4000-8000-000000000001"


async def seated() -> TableClient:
    seat = TableClient("127.0.0.1:1", TABLE, seat=SEAT_NORTH)
    seat.pins = [Pin(3, b"c" * 32)]
    seat.deals.own = {1: b"a" * 32, 65: b"b" * 32, 129: b"c" * 32}
    seat.deals.sending = {129}  # whether the table has it is not known
    seat.deals.unchecked = [7, 8]
    return seat


async def test_the_command_reads_back() -> None:
    async with await seated() as seat:
        words = shlex.split(verify_command(seat, Asked("127.0.0.1:7010")))
    assert words[:5] == ["baloot", "verify", TABLE, "--connect", "127.0.0.1:7010"]
    pairs = list(zip(words[5::2], words[6::2], strict=True))
    assert [verify.pin_of(told) for name, told in pairs if name == "--pin"] == [(3, (b"c" * 32).hex())]
    seeds = [verify.seed_of(told) for name, told in pairs if name == "--seed"]
    assert seeds == [(3, (b"a" * 32).hex()), (3, (b"b" * 32).hex())]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("address", [None, "127.0.0.1:7010"])
async def test_a_game_ends_with_it(language: Language, address: str | None) -> None:
    place = Place(address, None, "Noura", "standard", language, 1, 1, 0)
    told = io.StringIO()
    async with await seated() as seat:
        tell_how_to_verify(Narrator(Console(file=told, width=600), language), seat, place)
    assert "7, 8" in told.getvalue()
    assert ("--pin 3:" in told.getvalue()) is (address is not None)


async def test_the_command_is_one_line_that_can_be_copied() -> None:
    place = Place("127.0.0.1:7010", None, "Noura", "standard", Language.ENGLISH, 1, 1, 0)
    told = io.StringIO()
    async with await seated() as seat:
        tell_how_to_verify(Narrator(Console(file=told, width=40), Language.ENGLISH), seat, place)
        command = verify_command(seat, Asked("127.0.0.1:7010"))
    assert f"{command}\n" in told.getvalue()


async def test_the_command_names_the_file_of_the_token() -> None:
    async with await seated() as seat:
        words = shlex.split(verify_command(seat, Asked("127.0.0.1:7010", Path("my token"))))
    assert words[3:7] == ["--connect", "127.0.0.1:7010", "--token-file", "my token"]
