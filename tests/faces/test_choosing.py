"""What is typed where the topics of a supervisor are shown for approval."""

from __future__ import annotations

import pytest

from quaere.faces.choosing import chosen

TOPICS = ("the mill", "the weir", "the ferry")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ()),
        ("yes", ()),
        (" OK! ", ()),
        ("all", ()),
        ("3, 1", ("the ferry", "the mill")),
        ("2;2", ("the weir",)),
        ("the yes campaign; the mill", ("the yes campaign", "the mill")),
    ],
)
def test_topics_are_approved_kept_by_number_or_replaced(typed: str, kept: tuple[str, ...]) -> None:
    assert chosen(typed, TOPICS) == kept
