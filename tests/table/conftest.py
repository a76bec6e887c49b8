"""Asserts outside of test modules tell what they compared, too."""

import pytest

pytest.register_assert_rewrite("tests.table.promises")
