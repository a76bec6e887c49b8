"""What `baloot explain` prints."""

from __future__ import annotations

import pytest
from baloot.api.history.v1.history_pb2 import ROUND_END_SCORED, GetMatchResponse
from baloot.app import reaching, reports
from baloot.app.errors import SetupError
from baloot.app.reaching import Asked
from baloot.app.terminal.language import Language
from baloot.client.history import HistoryClient
from baloot.history.codec import encode_match
from baloot.kit.channels import open_channel

from tests.history.played import expected, logbooks

NOWHERE = Asked("127.0.0.1:1")
PLAYED = next(
    encode_match(match)
    for match in map(expected, logbooks())
    if match is not None and sum(round_.score is not None for round_ in match.rounds) > 1
)


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def match(_: HistoryClient, match_id: str) -> GetMatchResponse:
        assert match_id == PLAYED.match.match_id
        return PLAYED

    monkeypatch.setattr(HistoryClient, "match", match)
    monkeypatch.setattr(reaching, "reached", lambda asked: open_channel(asked.address))
    monkeypatch.setenv("COLUMNS", "200")


async def explained(capsys: pytest.CaptureFixture[str], number: int | None, language: Language) -> str:
    await reports.explain_match(NOWHERE, PLAYED.match.match_id, number, language)
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("language", Language)
async def test_every_line_of_every_round_is_explained(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    out = await explained(capsys, None, language)
    lines = [line for round_ in PLAYED.rounds for line in round_.score.lines]
    assert len(lines) > 2
    for line in lines:
        sentence = line.arabic if language is Language.ARABIC else line.english
        assert sentence
        first_words = " ".join(sentence.split()[:3])
        assert first_words in out


async def test_one_round_is_explained_alone(capsys: pytest.CaptureFixture[str]) -> None:
    scored = [round_ for round_ in PLAYED.rounds if round_.end == ROUND_END_SCORED]
    out = await explained(capsys, scored[-1].number, Language.ENGLISH)
    assert f"Round {scored[-1].number} " in out
    assert f"Round {scored[0].number} " not in out
    assert f"rules {PLAYED.match.ruleset_name}" in out


async def test_a_round_that_was_not_played_is_said_in_one_line() -> None:
    with pytest.raises(SetupError, match=f"--round 99: the match has rounds 1 to {len(PLAYED.rounds)}"):
        await reports.explain_match(NOWHERE, PLAYED.match.match_id, 99, Language.ENGLISH)
