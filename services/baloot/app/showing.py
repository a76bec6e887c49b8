"""The commands that show a match between bots: `run` and `demo`."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

from baloot.app import platform
from baloot.app.commands import tell, unless_stopped
from baloot.app.private import private_platform
from baloot.app.terminal.console import open_console
from baloot.app.terminal.language import Language
from baloot.app.terminal.narrator import Narrator
from baloot.bots.bot import play_seat
from baloot.client.table import TableClient
from baloot.kit.serving import ServerSettings

BOTS = ("Noura-bot", "Fahad-bot", "Salem-bot", "Huda-bot")
"""Bots say that they are bots."""


async def run(
    data: Path, settings: ServerSettings, stop: asyncio.Event, *, think: float, language: Language
) -> None:
    """Everything in one process: bots play a match that can be followed, and the platform serves on."""
    async with platform.up(data, settings, tell=tell) as running:
        print(f"baloot is ready at {running.address}; its data are in {data}. Ctrl-C stops it.", flush=True)
        await unless_stopped(bots_match(running.address, think, 4 * think, language), stop)
        if not stop.is_set():
            print(
                f"\nstill serving at {running.address}: try `baloot play --connect {running.address}`",
                flush=True,
            )
            await stop.wait()


async def demo(language: Language) -> None:
    """One match of bots on a platform of its own, as fast as it goes."""
    async with private_platform() as running:
        await bots_match(running.address, 0.0, 0.0, language)


async def bots_match(address: str, think: float, pause: float, language: Language) -> None:
    """Seats four bots at a new table and tells what they do until the match is over. Times are in seconds."""
    async with TableClient(address) as tables:
        table = await tables.create_table(round_pause=pause)
        narrator = Narrator(open_console(), language)
        async with aclosing(table.watch()) as updates:
            narrator.tell(await anext(updates))
            async with asyncio.TaskGroup() as bots:
                for name in BOTS:
                    bots.create_task(play_seat(await table.take_seat(name), think=think))
                async for update in updates:
                    narrator.tell(update)
