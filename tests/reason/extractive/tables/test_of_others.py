"""Rows answer which things there are only where they are such things."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

VENDORS = read(
    passage_of(
        "vendors.csv",
        piped("vendor,package,way\nOrrin,orrin-py,format\nHask,hask,tools\nBrell,brell,tools"),
    )
)
FLOCK = read(
    passage_of("flock.csv", piped("name,sex,dipped\nMoss,ewe,yes\nFern,ewe,no\nRufus,ram,yes"))
)


@pytest.mark.parametrize("question", ["Which formats can be used?", "What formats are there?"])
def test_a_cell_with_the_word_does_not_make_a_row_such_a_thing(question: str) -> None:
    assert told(question, VENDORS) is None


def test_rows_are_what_several_cells_of_a_column_say_of_them() -> None:
    assert told("Which ewes are dipped?", FLOCK) == "Moss (1 of 3 rows of flock.csv)"


def test_rows_are_what_their_table_or_a_head_calls_them() -> None:
    answer = "Hask, Brell (2 of 3 rows of vendors.csv)"
    assert told("Which vendors use tools?", VENDORS) == answer


VERDICTS = read(
    passage_of(
        "page.md",
        "| Verdict | Meaning |\n| --- | --- |\n| quoted | a source has it |\n"
        "| not a claim | a question, or a title |\n",
    )
)


def test_a_cell_that_denies_it_does_not_say_what_something_is() -> None:
    assert told("What is a claim?", VERDICTS) is None
    assert told("Which verdict is a question?", VERDICTS) == "not a claim (1 of 2 rows of page.md)"
