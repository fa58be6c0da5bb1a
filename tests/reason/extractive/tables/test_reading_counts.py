"""How many rows there are, by what heads a column and by what they are called."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.rows import answer_over_rows

REGATTA = read(
    passage_of(
        "Sket%20regatta.csv",
        piped("""\
Boat,Helm,Moored at,Place,Built
Heron,Ada Finch,Orrin,1st,1926
Tern,Bo Marsh,Skarrow,3rd,1931
Gull,Cleo Hart,Orrin,3rd,1926
Rail,Ada Finch,Skarrow,4th,1940"""),
    )
)


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many boats are in the Sket regatta?", "4"),
        ("What is the total number of boats?", "4"),
        ("How many different helms are there?", "3"),
        ("How many helms are there?", None),
        ("How many helms are moored at Orrin?", "2"),
        ("How many boats have 1926 as built?", "2"),
        ("How many boats were in 3rd place?", "2"),
        ("How many times did Ada Finch play?", "2"),
    ],
)
def test_what_heads_a_column_is_counted_as_well(question: str, count: str | None) -> None:
    found = told(question, REGATTA)
    assert found is None if count is None else found is not None
    if count and found:
        assert found.startswith(f"{count} (of 4 rows of Sket regatta.csv")


def test_what_a_longer_cell_speaks_of_is_not_counted() -> None:
    plain = (
        "no,finding,rating\n1,Orders split to stay below the limit,High\n"
        "2,No second signature on seven orders,High\n3,List out of date,Low\n"
    )
    found = read(passage_of("audit.csv", piped(plain)))
    assert answer_over_rows("How many orders were looked at?", found) is None
    assert answer_over_rows("How many orders are there?", found) is None
    high = answer_over_rows("How many findings are rated high?", found)
    assert high is not None
    assert high.text.startswith("2 ")


@pytest.mark.parametrize(
    "question", ["How many stores does Tern have?", "How many stores are there?"]
)
def test_lines_of_a_statement_that_name_a_thing_do_not_count_it(question: str) -> None:
    rows = """\
Spending,2031,2030,2029
New stores,68,40,42
Store projects,10,20,30
Computers,5,6,7"""
    spent = read(passage_of("Tern%20spending.csv", piped(rows)))
    assert told(question, spent) is None


def test_kinds_of_a_thing_do_not_count_it() -> None:
    rows = "Stores in Orrin,Number\nFactory stores,217\nCorner stores,29\nHask stores,8"
    kinds = read(passage_of("Tern.csv", piped(rows)))
    found = told("How many stores does Tern have?", kinds)
    assert found is None or not found.startswith("3 ")
