"""Tables of one measure under many heads are read figure by figure (R0.12)."""

from __future__ import annotations

from functools import partial

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told
from tests.timing import cpu_s

from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.rows import answer_over_rows
from quaere.reason.extractive.tables.unpivoted import as_of_figures

RAIN = read(
    passage_of(
        "rainfall.csv",
        piped(
            "Month,Orrin,Brell,Skarrow,Hask\nMarch,40.5,88,61,70.2\nApril,30,72.5,90,64\n"
            "May,22.5,51,47,66\nJune,35,93,41,38"
        ),
    )
)
HEAT = read(
    passage_of("temps.csv", piped("City,Jan,Apr,Jul\nBrell,-4,3,16\nHask,5,11,21\nOrrin,-1,6,18"))
)
GUESTS = read(
    passage_of(
        "guests.md",
        "| Hut | 2021 | 2022 | 2023 |\n| Low Tarn | 14 | 31 | 58 |\n| Far Moss | 88 | 22 | 40 |\n"
        "| High Crag | 12 | 9 | 17 |",
    ).model_copy(update={"beside": "Number of guests (in thousands) by hut and year."})
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where did it rain least in June?", "Orrin (rainfall: 35)"),
        ("Where did it rain most in May?", "Hask (rainfall: 66)"),
        ("Which place had the most rain in April?", "Skarrow (rainfall: 90)"),
        ("Which month was the wettest in Brell?", "June (Brell: 93)"),
        (
            "Where did it rain more than 65 in March?",
            "Brell, Hask (2 of 16 figures of rainfall.csv)",
        ),
        (
            "How much rain did Orrin get in the whole season?",
            "128 (sum of rainfall over 4 of 16 figures of rainfall.csv: 40.5; 30; 22.5; 35)",
        ),
        ("Was it wetter in Brell or in Hask in May?", "Hask (rainfall: 66)"),
        ("Where did it snow least in May?", None),
        ("Where did it rain least in August?", None),
    ],
)
def test_a_place_at_the_head_of_a_column_answers(question: str, answer: str | None) -> None:
    assert told(question, RAIN) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How cold does it get in Brell in January?", "-4"),
        ("What is the temperature in Hask in July?", "21"),
        ("Where is it below zero in January?", "Brell, Orrin (2 of 9 figures of temps.csv)"),
        ("Is it warmer in Hask or in Orrin in April?", "Hask (temps: 11)"),
        ("What is the total temperature in Hask?", None),
    ],
)
def test_months_in_short_and_levels_are_read(question: str, answer: str | None) -> None:
    assert told(question, HEAT) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many guests did Far Moss have in 2022?", "22 thousand"),
        ("Which huts had more than 30 thousand guests in 2023?", "Low Tarn, Far Moss"),
        ("Which huts had fewer than 15,000 guests in 2021?", "Low Tarn, High Crag"),
        ("Which hut had the most guests in 2023?", "Low Tarn (2023: 58 thousand)"),
    ],
)
def test_figures_are_in_what_the_caption_says(question: str, answer: str) -> None:
    found = answer_over_rows(question, GUESTS)
    assert found is not None
    assert found.text.startswith(answer)


def test_columns_that_measure_different_things_are_not_read_as_one() -> None:
    boats = read(
        passage_of(
            "boats.md",
            "| Boat | Length | Weight | Crew |\n| Auk | 12 | 9 | 4 |\n| Smew | 8 | 5 | 2 |",
        )
    )
    assert told("What is the total of the Auk?", boats) is None


def test_the_row_and_the_heads_of_what_was_found_are_shown() -> None:
    found = answer_over_rows("Where did it rain least in May?", RAIN)
    assert found is not None
    assert [line.text for line in found.lines] == ["| May | 22.5 | 51 | 47 | 66 |"]
    assert found.columns == {"Month", "Orrin"}


MEANS = read(
    passage_of(
        "rainfall.csv", piped("Month,Orrin,Brell,Hask,Average\nMay,40,50,60,50\nJune,9,30,81,40")
    )
)
LABS = read(passage_of("labs.csv", piped("Sample,Na,K,Cl\nS1,140,4.1,101\nS2,133,5.6,98")))
MARKS = read(passage_of("marks.csv", piped("Pupil,Maths,Music\nAda,17,12\nBo,11,14\nCleo,8,15")))
GRADES = read(
    passage_of("marks.csv", piped("Pupil,Maths,French,Art\nAda,17,12,9\nBo,11,14,16\nCleo,8,15,13"))
)
STAYS = read(passage_of("stays.csv", piped("site,visitors,staff\nOrrin,900,12\nBrell,1200,9")))


SCORES = read(
    passage_of(
        "scores.csv", piped("Class,2021,2022,2023\nA,7.1,6.5,8.0\nB,5.0,6.9,6.1\nC,9.2,8.8,7.4")
    ).model_copy(update={"beside": "Average score by class and year"})
)
LINES = read(passage_of("riders.csv", piped("Line,2021,2022,2023\nRed,100,120,130\nBlue,80,60,90")))


SNOW = read(
    passage_of(
        "snow.csv", piped("City,Jan,Feb,Mar\nOslo,20,30,10\nBern,12,11,9\nAll cities,32,41,19")
    )
)
HALLS = read(passage_of("halls.csv", piped("Hall,Seats,Rows\nOak,20,3\nElm,12,1\nAll Saints,90,9")))


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("Where did it rain more than 45 in May?", MEANS, "Brell, Hask (2 of 6 figures"),
        ("Where is it more than 100?", LABS, None),
        ("Which pupil was worst in Maths?", MARKS, None),
        ("Which student was worst in Maths?", GRADES, "Cleo (marks: 8)"),
        ("Which pupil was best in Maths?", MARKS, "Ada (Maths: 17)"),
        ("Which class was the worst in 2022?", SCORES, "A (Average score: 6.5)"),
        ("Which line had the most riders overall?", LINES, None),
        ("Where did it snow most in January?", SNOW, "Oslo (Jan: 20)"),
        ("Which hall has the most seats?", HALLS, "All Saints (Seats: 90)"),
        ("How many people work in Orrin?", STAYS, "12"),
        ("How many people visited Brell?", STAYS, "1200"),
    ],
)
def test_what_a_figure_is_not_of_is_no_answer(
    question: str, table: tuple[Table, ...], answer: str | None
) -> None:
    found = told(question, table)
    assert found is None if answer is None else found is not None and found.startswith(answer)


def test_a_long_question_of_many_alternatives_takes_no_time() -> None:
    text = "is it more in " + " in or" * 160 + " ??x"
    assert cpu_s(partial(as_of_figures, text), enough_s=0.2) < 0.2
