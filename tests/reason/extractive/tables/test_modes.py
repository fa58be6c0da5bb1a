"""What most rows of a table have, and tables too long to be read word by word."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read

from quaere.reason.extractive.tables.rows import answer_over_rows, asks_of_rows

WRECKS = read(
    passage_of(
        "wrecks.csv",
        piped("""\
ship,cause,year,cargo
Tern,fog,1902,coal
Plover,reef,1904,salt
Gull,fog,1904,coal
Skua,fire,1904,coal
Heron,fog,1911,wool
Egret,reef,1911,"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which cause sank the most wrecks?", "fog (3 of 6 rows of wrecks.csv)"),
        ("What is the most common cause of wrecks?", "fog (3 of 6 rows of wrecks.csv)"),
        ("What was the least common cause?", "fire (1 of 6 rows of wrecks.csv)"),
        ("Which year has the most wrecks?", "1904 (3 of 6 rows of wrecks.csv)"),
        ("Which cargo is the most frequent?", "coal (3 of 5 rows of wrecks.csv)"),
        ("What is the most common cause of wrecks in 1904?", None),  # one of each
        ("Which ship sank the most wrecks?", None),  # each row has its own
        ("Which cause sank the most whales?", None),
        ("What is the most common colour?", None),
    ],
)
def test_what_most_rows_have_is_counted(question: str, text: str | None) -> None:
    found = answer_over_rows(question, WRECKS)
    assert (found.text if found else None) == text


def test_a_way_of_doing_may_be_a_column() -> None:
    assert asks_of_rows("Which method found the most wrecks?")
    assert not asks_of_rows("How are wrecks found?")


def _fares(count: int) -> str:
    rows = (f"T{n},{n % 6},{5 + n % 3}.0,{'card' if n % 4 else 'cash'}" for n in range(count))
    return "\n".join(["trip,passengers,fare,payment", *rows])


LONG = read(passage_of("taxis.csv", piped(_fares(3_000))))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many taxi rides had more than 4 passengers?", "500 (of 3000 rows of taxis.csv)"),
        ("What is the most common payment in taxi rides?", "card (2,250 of 3,000 rows of "),
        ("What is the average fare of the taxis?", "6 (average of fare over 3000 of 3000 rows"),
    ],
)
def test_a_table_of_thousands_of_rows_is_read_as_a_whole(question: str, text: str) -> None:
    found = answer_over_rows(question, LONG)
    assert found is not None
    assert found.text.startswith(text)


def test_each_row_of_a_long_table_is_found_among_its_lines() -> None:
    (table,) = LONG
    lines = table.pool.lines_of[0]
    assert all(lines[line.place] is line for line in table.lines)


def test_of_two_words_that_name_a_table_each_is_told() -> None:
    prices = read(passage_of("dowjones.csv", piped("Date,Price\n1930-01-01,255.65\n1930-02-01,3")))
    found = answer_over_rows("What was the price of the Dow Jones in January 1930?", prices)
    assert found is not None
    assert found.text == "255.65"


def test_an_average_leaves_out_rows_without_a_figure_and_says_so() -> None:
    birds = "name,kind,mass_g\nA,tern,100\nB,tern,\nC,tern,NaN\nD,tern,130\nE,tern,130"
    found = answer_over_rows(
        "What is the average mass of the birds?", read(passage_of("birds.csv", piped(birds)))
    )
    assert found is not None
    assert found.text.startswith("120 g (average of mass_g over 5 of 5 rows of birds.csv; 2 of")
    total = answer_over_rows(
        "What is the total mass of the birds?", read(passage_of("birds.csv", piped(birds)))
    )
    assert total is None


def test_of_one_row_without_a_figure_it_is_said_in_the_singular() -> None:
    birds = "name,kind,mass_g\nA,tern,100\nB,tern,\nD,tern,140"
    found = answer_over_rows(
        "What is the average mass of the birds?", read(passage_of("birds.csv", piped(birds)))
    )
    assert found is not None
    assert found.text.endswith("; 1 of these has none)")


def test_an_average_is_none_where_few_rows_have_a_figure() -> None:
    birds = "name,kind,mass_g\nA,tern,100\nB,tern,\nC,tern,\nD,tern,\nE,tern,130"
    question = "What is the average mass of the birds?"
    assert answer_over_rows(question, read(passage_of("birds.csv", piped(birds)))) is None


_CLUBS = """\
club,GICS Sector,GICS Sub-Sector,member
Tern,boats,oars,Ada Finch
Plover,boats,sails,Bo Marsh
Gull,nets,nets,Ada Finch"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which sector has the most clubs?", "boats (2 of 3 rows of clubs.csv)"),
        ("What sector has the fewest companies?", "nets (1 of 3 rows of clubs.csv)"),
        ("Which sector has the most members?", None),  # a column of its own
    ],
)
def test_groups_are_named_by_the_noun_of_their_head(question: str, text: str | None) -> None:
    clubs = read(passage_of("clubs.csv", piped(_CLUBS)))
    found = answer_over_rows(question, clubs)
    assert (found.text if found else None) == text
