"""What is found, in the order in which it is found. Details that may name cards wait until their round is over."""

from __future__ import annotations

from baloot.audit.records import Audited, Code, Finding

MOST = 100
"""Findings that are told of one match; a log that is damaged all over needs no more."""


class Journal:
    """Takes findings about one match. `sequence` is the entry that is looked at."""

    def __init__(self, audited: Audited) -> None:
        self._audited = audited
        self._waiting: list[tuple[int, Code, str, str]] = []
        self.sequence = 0

    def wrong(self, code: Code, sentence: str, detail: str = "") -> None:
        """Something is wrong at this entry. The detail is told only once the round is over."""
        if detail:
            self._waiting.append((self.sequence, code, sentence, detail))
        else:
            self.at(self.sequence, code, sentence)

    def at(self, sequence: int, code: Code, sentence: str) -> None:
        """Something is wrong at some entry, and everybody may know it."""
        if len(self._audited.findings) < MOST:
            self._audited.findings.append(Finding(self._audited.match, sequence, code, sentence))

    def round_over(self) -> None:
        """The cards of the round are no secret any more."""
        self._let_out(details=True)

    def close(self) -> None:
        """Lets the findings of a round that is still played out, without their details."""
        self._let_out(details=False)
        self._audited.findings.sort(key=lambda finding: finding.sequence)

    def _let_out(self, *, details: bool) -> None:
        for sequence, code, sentence, detail in self._waiting:
            self.at(sequence, code, f"{sentence}: {detail}" if details else sentence)
        self._waiting.clear()
