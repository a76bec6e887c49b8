"""What `baloot looks` prints, of a server that really runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from baloot.app.errors import SetupError
from baloot.app.looks import show_looks
from baloot.app.reaching import Asked
from baloot.core.errors import Reason, Refusal
from baloot.table.events import SECOND
from baloot.table.looks import Look
from structlog.testing import capture_logs

from tests.kit.issuing import Issuing
from tests.table.served import Replica, replica
from tests.table.trial import START, Trial


@pytest.fixture
async def trial() -> Trial:
    made = Trial()
    await made.open()
    return made


@pytest.fixture
def issuing() -> Issuing:
    return Issuing()


@pytest.fixture
async def served(trial: Trial, issuing: Issuing) -> AsyncIterator[Replica]:
    with capture_logs():  # which a server that is not configured prints
        async with replica(trial.table, access=issuing.settings()) as made:
            yield made


@pytest.fixture
def token(issuing: Issuing, tmp_path: Path) -> Path:
    """The file of an organiser's access token."""
    file = tmp_path / "token"
    file.write_text(issuing.token("noura", ["organiser"]) + "\n")
    return file


async def test_looks_are_printed_in_order(
    trial: Trial, served: Replica, token: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table_id = str(trial.table_id)
    await show_looks(Asked(served.server.address, token), table_id)
    assert capsys.readouterr().out == "nobody has looked at this table\n"
    first = Look(UUID(int=1), trial.table_id, "hakam", START, 12, "[bold]East[/] revoked?")
    later = replace(first, id=UUID(int=2), at=START + SECOND, sequence=20, reason="ق" * 100, watched=True)
    for look in (later, first):
        await trial.log.write_look(look)
    await show_looks(Asked(served.server.address, token), table_id)
    assert capsys.readouterr().out.splitlines() == [
        "2023-11-14 22:13:20.000  hakam saw entry 12: [bold]East[/] revoked?",
        f"2023-11-14 22:13:21.000  hakam watched from entry 20: {'ق' * 100}",
    ]


async def test_without_a_token_or_a_table_nothing_is_printed(
    trial: Trial, served: Replica, token: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for table_id, file, reason in (
        (str(trial.table_id), None, Reason.TOKEN_REQUIRED),
        (str(UUID(int=5)), token, Reason.TABLE_UNKNOWN),
    ):
        with pytest.raises(Refusal) as caught:
            await show_looks(Asked(served.server.address, file), table_id)
        assert caught.value.reason is reason
    assert not capsys.readouterr().out


@pytest.mark.parametrize("content", [None, b"", b" \n", b"one\ntwo", b"\xff"])
async def test_a_token_file_holds_a_token(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SetupError, match="token file"):
        await show_looks(Asked("127.0.0.1:1", file), str(UUID(int=5)))
