"""What a line denies by itself of the lines before it."""

from __future__ import annotations

import pytest

from quaere.verify.rules.contrasted import is_denied_apart


@pytest.mark.parametrize(
    ("said", "line", "expected"),
    [
        ("The council confirmed the theft.", "The council has not confirmed this.", True),
        ("The council confirmed the theft.", "The council has confirmed this.", False),
        ("The council confirmed the theft.", "The council has not confirmed the theft.", False),
        ("The mayor confirmed the theft.", "The council has not confirmed this.", False),
        ("The council rejected the plan.", "The council has not approved it.", False),
        ("The council confirmed it.", "It has not.", False),
    ],
)
def test_a_line_that_points_back_denies_what_has_all_of_its_words(
    said: str, line: str, *, expected: bool
) -> None:
    assert is_denied_apart(said, [line]) is expected
    assert is_denied_apart(said, ["Fish is sold on the quay.", line]) is expected
