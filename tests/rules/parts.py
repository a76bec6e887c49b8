"""The parts of a comparison on random rounds: the first in `make test`, fifty more of the same size in `make test-long`."""

from __future__ import annotations

import pytest

_LONG = (pytest.mark.long, pytest.mark.timeout(1800))
PARTS = [0, *(pytest.param(part, marks=_LONG) for part in range(1, 51))]
"""Each part draws other rounds."""
