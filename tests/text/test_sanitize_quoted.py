from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.sanitize import MAX_QUOTED_CHARS, quoted


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("3f2a", "'3f2a'"),
        ("", "''"),
        ("a\0\ud800\n", r"'a\x00\ud800\n'"),
        ("x" * MAX_QUOTED_CHARS, f"'{'x' * MAX_QUOTED_CHARS}'"),
        ("x" * 10_000, f"'{'x' * MAX_QUOTED_CHARS}'... (10,000 characters)"),
    ],
)
def test_what_was_typed_is_repeated_in_quotes(typed: str, shown: str) -> None:
    assert quoted(typed) == shown


@given(st.text(st.characters()))
def test_a_message_stays_one_line_that_can_be_written(typed: str) -> None:
    assert quoted(typed).isprintable()
    assert len(quoted(typed)) <= MAX_QUOTED_CHARS * len(r"\U0010ffff") + 30
