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
        ("Deposits are returned within one month.", "The lease ends after one month.", True),
        ("Deposits are returned within sixty days.", "The lease ends after three months.", False),
        (
            "Deposits are returned within three months.",
            "Larger deposits are returned to all within three months.",
            False,
        ),
    ],
    ids=["of something else", "one of them", "its own", "of the same"],
)
def test_a_span_of_time_is_borrowed_from_a_line_about_something_else(
    said: str, other: str, *, is_borrowed: bool
) -> None:
    found = weigh(said, [source(f"{DEPOSITS} {other}")])
    assert (found.note == Kind.LABELLED) is is_borrowed
    assert (found.support is Support.NOT_JUDGED) is is_borrowed


FERRY = "The old ferry sails from Hask on Mondays. The market of the town opens in {}."
MILL = "The mill was built by Bo Marsh. A school is named after {}."


@pytest.mark.parametrize(
    ("said", "text", "is_borrowed"),
    [
        ("The old ferry sails from Brell on Mondays.", FERRY.format("Brell"), True),
        ("The old ferry sails from Hask on Mondays.", FERRY.format("Brell"), False),
        ("The mill was built by Ada Finch.", MILL.format("Ada Finch"), True),
        ("The mill was built by Bo Marsh.", MILL.format("Ada Finch"), False),
        (
            "The old ferry sails from Brell on Mondays.",
            f"{FERRY.format('Brell')} In summer the ferry sails from Brell.",
            False,
        ),
    ],
    ids=["a place", "its own place", "a person", "its own person", "told of the same as well"],
)
def test_a_name_is_borrowed_from_a_line_that_has_nothing_else_of_the_sentence(
    said: str, text: str, *, is_borrowed: bool
) -> None:
    """Its own words are in every line that names it, and are no sign of what the line is about."""
    found = weigh(said, [source(text)])
    assert (found.note == Kind.LABELLED) is is_borrowed
    assert found.support.holds is not is_borrowed
