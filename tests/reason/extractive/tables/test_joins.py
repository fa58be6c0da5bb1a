"""Questions over two tables, of which one has the key of the other."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.rows import answer_over_rows, joins

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


@pytest.mark.parametrize("head", ["no", "rank", "entry"])
def test_numbers_of_the_rows_of_two_tables_join_nothing(head: str) -> None:
    players = passage_of("a.csv", piped(f"{head},player,goals\n1,Ida,10\n2,Ole,8\n3,Pia,4"))
    grounds = passage_of("b.csv", piped(f"{head},ground,seats\n1,Elm,900\n2,Oak,80\n3,Ash,40"), 2)
    assert told("Which ground has Ida?", read(players, grounds)) is None


def test_rows_that_only_have_the_key_of_another_table_are_not_counted_for_its_own() -> None:
    players = passage_of("players.csv", piped("name,club,age\nIda,Elm,20\nOle,Oak,30\nPia,Elm,25"))
    clubs = passage_of("clubs.csv", piped("club,town,ground\nElm,York,Mill\nOak,Hull,Quay"), 2)
    assert told("How many players are from York?", read(players, clubs))
    assert told("How many clubs are there?", read(players, clubs)) is None


def test_many_tables_with_one_key_are_not_read_in_pairs() -> None:
    question = "At which berth is the boat of Ole Frisk?"
    boats = [_BOATS, *(f"boat code,fact {n}\nB2,a{n}\nB7,b{n}\nB9,c{n}" for n in range(3))]
    names = ("hires", "boats", "facts", "notes", "more")
    shown = [
        passage_of(f"{name}.csv", piped(text), n)
        for n, (name, text) in enumerate(zip(names, [_HIRES, *boats], strict=True), 1)
    ]
    assert told(question, read(*shown[:3])) == "East pier"
    assert told(question, read(*shown)) is None
