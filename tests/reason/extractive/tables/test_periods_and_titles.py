"""Columns that are months, days or quarters, and tables of one page told apart by titles."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

_MONTHS = """\
pool,place,january,february,march,april
Lido,Quay,40,55,70,120
Baths,Mill Lane,210,190,205,180"""
_TO_MAY = "pool,march,april,may\nLido,70,120,95\nBaths,205,180,160"
_QUARTERS = """\
shop,1st quarter,2nd quarter,3rd quarter,4th quarter
Kiosk,12,15,30,9
Arcade,20,25,22,28"""
_DAYS = """\
stall,Mon,Tue,Wed
Cheese,310,290,330
Bread,150,170,160"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How many swimmers did the Lido have from February to April?",
            "245 (sum of Lido over 3 of 4 columns of swimmers.csv: 55; 70; 120)",
        ),
        (
            "How many swimmers did the Baths have in total?",
            "785 (sum of Baths over 4 of 4 columns of swimmers.csv: 210; 190; 205; 180)",
        ),
        ("How many swimmers did the Lido have from February to June?", None),
    ],
)
def test_a_row_is_summed_up_over_months(question: str, answer: str | None) -> None:
    assert told(question, read(passage_of("swimmers.csv", piped(_MONTHS)))) == answer


def test_may_ends_a_stretch_though_it_is_a_verb_too() -> None:
    swimmers = read(passage_of("swimmers.csv", piped(_TO_MAY)))
    answer = told("How many swimmers did the Lido have from March to May?", swimmers)
    assert answer == "285 (sum of Lido over 3 of 3 columns of swimmers.csv: 70; 120; 95)"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What were the takings of the Kiosk in the third quarter?", "30"),
        ("What were the takings of the Kiosk in Q4?", "9"),
        (
            "How much did the Arcade take from Q2 to the fourth quarter?",
            None,
        ),
        (
            "How much did the Arcade take from Q2 to Q4?",
            "75 (sum of Arcade over 3 of 4 columns of takings.csv: 25; 22; 28)",
        ),
    ],
)
def test_quarters_are_named_in_figures_or_words(question: str, answer: str | None) -> None:
    assert told(question, read(passage_of("takings.csv", piped(_QUARTERS)))) == answer


@pytest.mark.parametrize("asked", ["the first quarter", "Q1", "quarter 1"])
@pytest.mark.parametrize("name", ["First quarter", "1st quarter", "Q1"])
def test_rows_are_named_by_quarters_too(name: str, asked: str) -> None:
    sales = read(passage_of("sales.csv", piped(f"quarter,sales\n{name},110\nAll year,420")))
    assert told(f"What were the sales in {asked}?", sales) == "110"


def test_money_comes_to_something_where_it_was_taken_and_not_where_it_is_a_price() -> None:
    question = "How much {} Cheese {} from Mon to Wed?"
    takings = read(passage_of("takings.csv", piped(_DAYS)))
    prices = read(passage_of("prices.csv", piped(_DAYS)))
    assert (told(question.format("did", "take"), takings) or "").startswith("930 (sum of Cheese")
    assert told(question.format("is", ""), takings) is None
    assert told(question.format("was", ""), prices) is None


def test_prices_of_several_days_have_an_average_and_no_total() -> None:
    prices = read(passage_of("prices.csv", piped(_DAYS)))
    assert told("What was the total price of Bread?", prices) is None
    assert (told("What was the average price of Bread?", prices) or "").startswith("160 (average")


def test_figures_under_days_are_no_duties() -> None:
    counts = read(passage_of("calls.csv", piped(_DAYS.replace("stall", "desk"))))
    assert told("Which desk had the most calls on Tue?", counts) == "Cheese (Tue: 290)"


_TICKS = "task,who,done\nTar the hull,Ada,✓\nMend sails,Bo,\nSplice ropes,Ada,"


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        (_TICKS, "Splice ropes (1 of 3 rows of tasks.csv)"),
        (_TICKS.replace("Bo,", "Bo,no"), None),
    ],
)
def test_no_tick_is_a_no_where_nothing_but_ticks_are_told(cells: str, answer: str | None) -> None:
    tasks = read(passage_of("tasks.csv", piped(cells)))
    assert told("Which tasks of Ada are not done?", tasks) == answer


def _rates(*titles: str) -> list[str]:
    rows = "room,single,double\nAttic,{0}8,{0}9\nGarden,{0}5,{0}6"
    return [piped(rows.format(n)) for n, _ in enumerate(titles, 4)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does the Attic cost as a double in summer?", "59"),
        ("What does the Attic cost as a double?", "49 (Winter prices); 59 (Summer prices)"),
    ],
)
@pytest.mark.parametrize("place", ["headings", "beside"])
def test_of_two_tables_of_a_page_the_one_that_is_named_answers(
    question: str, answer: str, place: str
) -> None:
    titles = ("Winter prices", "Summer prices")
    tables = [
        passage_of("summer_and_winter.md", text, n).model_copy(
            update={place: f"## {title}" if place == "headings" else title}
        )
        for n, (text, title) in enumerate(zip(_rates(*titles), titles, strict=True), 1)
    ]
    assert told(question, read(*tables)) == answer


def test_tables_of_two_pages_that_differ_decide_nothing() -> None:
    tables = [
        passage_of(f"{name}.md", text, n).model_copy(update={"headings": f"## {name}"})
        for n, (name, text) in enumerate(zip(("North", "South"), _rates("", ""), strict=True), 1)
    ]
    assert told("What does the Attic cost as a double?", read(*tables)) is None


def test_the_total_that_one_table_has_is_not_that_of_another() -> None:
    costs = "item,cost\nRent,{0}\nFood,{1}"
    tables = [
        passage_of("costs.md", piped(text), n).model_copy(update={"headings": f"## {name}"})
        for n, (name, text) in enumerate(
            [("North", costs.format(800, 300) + "\nTotal,1100"), ("South", costs.format(70, 30))], 1
        )
    ]
    assert told("What is the total cost?", read(*tables)) is None
