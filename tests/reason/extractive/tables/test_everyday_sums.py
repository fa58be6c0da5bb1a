"""Counts and sums in everyday words: who won, what is had together, what cost more than planned."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.columns import Table

RACES = read(
    passage_of(
        "races.csv",
        piped("race,winner,boats\n1,Wild Goose,14\n2,Pepper,17\n3,Wild Goose,16\n4,Marlene,12"),
    )
)
INNS = read(
    passage_of(
        "inns.csv",
        piped("""\
inn,town,rooms,double room per night (€)
Seeblick,Arlen,42,118
Zur Post,Mettau,18,79
Strandhaus,Bodnitz,88,189
Alte Mühle,Mettau,24,105"""),
    )
)
BUDGET = read(
    passage_of(
        "choir.csv",
        piped("item,planned (£),spent (£)\nScores,420,388\nPianist,1800,1950\nHall,950,1100"),
    )
)


@pytest.mark.parametrize(
    ("question", "tables", "text"),
    [
        ("How many races did Wild Goose win?", RACES, "2 ("),
        ("How many races did Wild Goose sail?", RACES, None),
        ("How many rooms do the inns in Mettau have together?", INNS, "42 ("),
        ("What is the average price of a double room in Mettau?", INNS, "€92 ("),
        ("Which items cost more than planned?", BUDGET, "Pianist, Hall ("),
    ],
)
def test_everyday_words_are_accounted_for(
    question: str, tables: tuple[Table, ...], text: str | None
) -> None:
    found = told(question, tables)
    assert found is None if text is None else (found or "").startswith(text)


MODELS = read(
    passage_of(
        "models.csv", piped("name,age,height (cm)\nIsa,16,170\nAlina,18,171\nSabrina,21,175")
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which models are below age 18?", "Isa ("),
        ("Which models are over age 18?", "Sabrina ("),
        ("How many models are at least age 18?", "2 ("),
        ("Which models are above height 170?", "Alina, Sabrina ("),
    ],
)
def test_a_bound_may_come_before_the_head_of_its_number(question: str, text: str) -> None:
    assert (told(question, MODELS) or "").startswith(text)
