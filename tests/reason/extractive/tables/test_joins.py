"""Questions over two tables, of which one has the key of the other."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.joins import joins
from quaere.reason.extractive.tables.rows import answer_over_rows

_HIRES = """\
hire,boat code,hirer,days
H1,B7,Ida Lunt,3
H2,B2,Ole Frisk,1
H3,B7,Pia Holm,2"""
_BOATS = """\
boat code,name,berth
B2,Teal,East pier
B7,Smew,Stone quay
B9,Rail,East pier"""
TABLES = read(passage_of("hires.csv", piped(_HIRES)), passage_of("boats.csv", piped(_BOATS), 2))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("At which berth is the boat of Ole Frisk?", "East pier"),
        ("How many hires came from Stone quay?", "2 (of 3 rows of hires.csv with boats.csv: "),
        ("Which hires are from East pier?", "H2 (Teal) (1 of 3 rows of hires.csv with boats.csv)"),
    ],
)
def test_a_row_is_read_with_the_one_that_it_names(question: str, answer: str) -> None:
    assert (told(question, TABLES) or "").startswith(answer)


def test_the_rows_of_both_tables_prove_it() -> None:
    found = answer_over_rows("At which berth is the boat of Ole Frisk?", TABLES)
    assert found is not None
    assert [line.text for line in found.lines] == [
        "| H2 | B2 | Ole Frisk | 1 |",
        "| B2 | Teal | East pier |",
    ]


@pytest.mark.parametrize(
    "other",
    [
        _BOATS.replace("B9", "B7"),  # no key
        _BOATS.replace("B7", "B8"),  # of which one is missing
        "boat code,days\nB2,1\nB7,2",  # which tells nothing more
    ],
)
def test_what_is_no_key_of_the_other_joins_nothing(other: str) -> None:
    hires, boats = (passage_of("a.csv", piped(_HIRES)), passage_of("b.csv", piped(other), 2))
    assert not list(joins(read(hires, boats)))
