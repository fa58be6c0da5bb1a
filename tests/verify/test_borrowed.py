"""R6.3: a figure, a date or a name that a sentence takes from a statement about something else."""

from __future__ import annotations

import pytest
from tests.verify.test_table_cells import source

from quaere.domain.report import Support
from quaere.verify.clash import Kind
from quaere.verify.support import weigh

DEPOSITS = "Deposits are returned within sixty days."


@pytest.mark.parametrize(
    ("said", "other", "is_borrowed"),
    [
        ("Deposits are returned within three months.", "The lease ends after three months.", True),
        ("Deposits are returned within sixty days.", "The lease ends after three months.", False),
        (
            "Deposits are returned within three months.",
            "Larger deposits are returned to all within three months.",
            False,
        ),
    ],
    ids=["of something else", "its own", "of the same"],
)
def test_a_span_of_time_is_borrowed_from_a_line_about_something_else(
    said: str, other: str, *, is_borrowed: bool
) -> None:
    found = weigh(said, [source(f"{DEPOSITS} {other}")])
    assert (found.note == Kind.MISPLACED) is is_borrowed
    assert (found.support is Support.NOT_JUDGED) is is_borrowed
