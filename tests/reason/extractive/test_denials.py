"""Which sentences deny what a question asks."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.denials import denies_of


@pytest.mark.parametrize(
    ("said", "question", "denies"),
    [
        ("The foghorn is off by default.", "Is the foghorn on by default?", True),
        ("The foghorn is off by default.", "Is the foghorn off by default?", False),
        ("The foghorn is on by default.", "Is the foghorn off?", True),
        ("The foghorn is disabled.", "Is the foghorn enabled?", True),
        ("It is not enabled by default.", "Is the foghorn disabled by default?", False),
        ("It is not disabled by default.", "Is the foghorn on by default?", False),
        ("It is off by default and can be turned on.", "Is the foghorn on by default?", True),
        ("The foghorn is not on the list.", "Is the foghorn enabled?", False),
    ],
)
def test_what_is_off_is_not_on(said: str, question: str, denies: bool) -> None:
    assert denies_of(said, question) is denies
