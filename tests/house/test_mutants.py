"""The list of the mutants that may survive is about code that is there, and gives reasons."""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter

import pytest

from tests.mutants.known import Known, known
from tests.mutants.workshop import MODULES, changed

KNOWN = [one for module in MODULES for one in known(module)]


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: str(one.function))
def test_what_may_survive_is_a_change_to_a_function_with_a_reason(one: Known) -> None:
    package, module, name = one.function.split(".", 2)
    assert callable(attrgetter(name)(import_module(f"baloot.{package}.{module}")))
    assert one.was != one.becomes
    assert one.why[0].isupper()
    assert one.why.endswith(".")


def test_none_is_explained_twice() -> None:
    assert len({one[:3] for one in KNOWN}) == len(KNOWN)


def test_a_mutant_is_known_by_what_it_changes_whatever_line_it_is_on() -> None:
    diff = "--- a\n+++ b\n@@ -1,4 +1,4 @@\n def f():\n-    return   1 + g(\n-        2)\n+    return 1 - g(\n+    2)\n"
    assert changed(diff) == ("return 1 + g(", "return 1 - g(")
