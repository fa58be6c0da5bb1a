"""What was done, and by whom."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.verify.deeds import is_undone
from quaere.verify.support import weigh

OPENED = "The chapel was opened by Bishop Ruhl in 1905."


@pytest.mark.parametrize(
    ("said", "undone"),
    [
        ("The chapel was painted by Bishop Ruhl in 1905.", True),
        ("The chapel was inaugurated by Bishop Ruhl in 1905.", False),
        ("The chapel was used by Bishop Ruhl in 1905.", False),  # tells little
        ("The chapel was painted in 1905.", False),  # by nobody named
    ],
)
def test_what_a_name_is_said_to_have_done_must_be_there(said: str, undone: bool) -> None:
    assert is_undone(said, [OPENED]) is undone


def test_a_work_of_somebody_leaves_open_what_was_done() -> None:
    assert not is_undone("The chapel was painted by Ruhl.", ["The picture is a work by Ruhl."])


def test_a_painter_is_not_supported_by_an_opening() -> None:
    said = "The chapel was consecrated by Bishop Ruhl in 1905."
    found = weigh(said, [passage(OPENED)])
    assert not found.support.holds
    assert "does not say that this was done" in found.note
