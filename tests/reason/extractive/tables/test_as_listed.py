"""What a question says of the table itself: its rows come as they are written."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read

from quaere.reason.extractive.tables.as_listed import set_aside
from quaere.reason.extractive.tables.rows import answer_over_rows

CREW = read(
    passage_of(
        "crew.csv",
        piped("""\
member,village,joined,boat
Nora Birk,Lund,2019-05-02,Tern
Ada Finch,Ashby,2016-03-01,Plover
Cleo Hart,Corran,2022-09-14,Tern
Ivy Lamb,Elm,2012-07-30,Tern"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who is listed after Ada Finch?", "Cleo Hart"),
        ("Who comes before Cleo Hart in the table?", "Ada Finch"),
        ("Which village is at the top of the list?", "Lund"),
        ("What village is first on the chart?", "Lund"),
        ("What village is listed last?", "Elm"),
        ("Which member is at the bottom of this table?", "Ivy Lamb"),
        ("Which member's dog is at the top of the list?", None),
        ("What is listed after Spillway?", None),
        ("Which village is first?", None),  # nothing says by what
    ],
)
def test_rows_come_as_they_are_written(question: str, text: str | None) -> None:
    found = answer_over_rows(question, CREW)
    assert (found.text if found else None) == text


def test_how_often_a_value_is_listed_is_counted() -> None:
    found = answer_over_rows("How many times is Tern listed as a boat on this chart?", CREW)
    assert found is not None
    assert found.text.startswith("3 (")


def test_by_dates_another_row_may_be_first_than_the_one_written_first() -> None:
    found = answer_over_rows("What is the first date listed as joined?", CREW)
    assert found is None or "2019" not in found.text


def test_nothing_is_set_aside_where_a_head_says_so() -> None:
    (seats,) = read(passage_of("seats.csv", piped("guest,table\nAda Finch,4\nBo Marsh,5")))
    text = "Who is on the table?"
    assert set_aside(text, seats) == (text, False)
    (crew,) = CREW
    assert set_aside("Who is on the list of guests?", crew).is_written is False
