"""What cells, rows and tables are called otherwise, and questions about a table itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.feet import levels_in
from quaere.reason.extractive.tables.rows import answer_over_rows, nearly_answered
from quaere.reason.extractive.tables.spellings import spellings

CARS = """\
mpg,origin,day,winpercent,temp_min,temp_max,name
21,japan,Sun,40,3,14,Kea
33,japan,Sat,55,1,12,Lory
18,usa,Sun,60,2,19,Merle
15,france,Fri,20,6,11,Nene
15,usa,Fri,25,5,10,Nene"""
YARD = read(passage_of("mpg.csv", piped(CARS)))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the average mpg on Sundays?", "19.50 (average of mpg over 2 of 5"),
        ("What is the average mpg of Japanese ones?", "27 (average of mpg over 2 of 5"),
        ("What is the average win percent of American ones?", "42.50 (average of winpercent"),
        ("What was the highest temperature?", "19 (highest temp_max over 5 of 5"),
        ("What was the lowest temp_max?", "10 (lowest temp_max over 5 of 5"),
        ("What is the mpg of Nene?", "15"),
        ("What is the origin of Nene?", "france; usa (2 of 5 rows of mpg.csv)"),
        ("Which columns are there?", "mpg, origin, day, winpercent, temp_min, temp_max, name (7"),
        ("How many rows does mpg.csv have?", "5 (of mpg.csv)"),
        ("Which origins are in the data?", "japan, usa, france"),
        ("What are the origins?", "japan, usa, france"),
        ("What is the origin of the one with the best mpg?", "japan (mpg: 33)"),
        ("How many cars are from Japan?", None),  # nothing says that they are cars
    ],
)
def test_cells_and_heads_are_asked_for_in_everyday_words(question: str, text: str | None) -> None:
    found = told(question, YARD)
    assert found is None if text is None else (found or "").startswith(text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many cars are from Japan?", "2 (of 5 rows of mpg.csv"),
        ("Which car has the best mpg?", "Lory (mpg: 33)"),
        ("How many lifeboats are there?", None),
        ("How many keas are from Japan?", None),  # that is what one of the rows is called
    ],
)
def test_rows_may_be_what_a_question_calls_them(question: str, text: str | None) -> None:
    assert answer_over_rows(question, YARD) is None
    found = nearly_answered(question, YARD)
    assert (found is None) if text is None else found is not None and found.text.startswith(text)
    assert found is None or found.confidence < 0.6


def test_two_copies_of_a_table_answer_as_one() -> None:
    twice = read(passage_of("mpg.csv", piped(CARS), 1), passage_of("mpg copy.csv", piped(CARS), 2))
    assert (told("What is the average mpg?", twice) or "").startswith("20.40 (average of mpg")


MONTHS = "month,rain (mm),min (°C),max (°C)\nJan,84,1,6\nFeb,61,2,8\nMar,53,3,10"


@pytest.mark.parametrize(
    ("foot", "question", "text"),
    [
        ("Average,66,2,8", "How many months have more than 60 mm of rain?", "2 (of 3 rows"),
        ("Average,66,2,8", "Which month had the lowest minimum temperature?", "Jan (min: 1 °C)"),
        ("Average,66,2,8", "What is the average rain?", "66 mm (average of rain (mm) over 3 of 3"),
        ("Average,99,7,5", "Which month had the most rain?", "Average (rain: 99 mm)"),
    ],
)
def test_a_foot_that_tells_the_average_is_not_a_row(foot: str, question: str, text: str) -> None:
    tables = read(passage_of("rain.csv", piped(f"{MONTHS}\n{foot}")))
    assert (told(question, tables) or "").startswith(text)


@given(st.lists(st.integers(0, 999), min_size=2, max_size=9))
def test_a_foot_is_known_by_its_figures(figures: list[int]) -> None:
    rows = [(f"r{at}", str(figure)) for at, figure in enumerate(figures)]
    least, most = (("Minimum", str(min(figures))), ("Maximum", str(max(figures))))
    assert levels_in([*rows, least, most]) == {len(rows), len(rows) + 1}
    assert not levels_in([*rows, ("Maximum", str(max(figures) + 2))])


@pytest.mark.parametrize(
    ("cells", "word", "cell"),
    [
        (("Sun", "Sat"), "sundays", "Sun"),
        (("Sun", "shade"), "sundays", None),  # not all of them are days
        (("M", "F"), "women", "F"),
        (("japan", "usa"), "american", "usa"),
        (("US", "France"), "us", None),
        (("man", "woman", "child"), "children", "child"),
        (("Jan", "Feb"), "january", "Jan"),
    ],
)
def test_words_of_closed_kinds_are_spelt_as_cells(
    cells: tuple[str, ...], word: str, cell: str | None
) -> None:
    assert spellings(cells).get(word) == cell


STAFF = read(
    passage_of(
        "staff.csv",
        piped("""\
name,role,manager
Una Wick,clerk,Pell Harrow
Pell Harrow,head,Dora Finch
Ivo Tarn,clerk,Pell Harrow
Joss Quill,clerk,Una Wick"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who managed Una Wick?", "Pell Harrow"),
        ("Who manages Pell Harrow?", "Dora Finch"),
        ("Who is Una Wick managed by?", "Pell Harrow"),
        ("Who does Una Wick report to?", "Pell Harrow"),
        ("Who is managed by Una Wick?", "Joss Quill (1 of 4 rows of staff.csv)"),
        ("Whom does Una Wick manage?", "Joss Quill (1 of 4 rows of staff.csv)"),
        ("Who reports to Pell Harrow?", "Una Wick, Ivo Tarn (2 of 4 rows of staff.csv)"),
    ],
)
def test_who_does_is_not_to_whom_it_is_done(question: str, text: str) -> None:
    assert told(question, STAFF) == text


FARES = read(
    passage_of("bills.csv", piped("bill,tip,day,stars\n20,3,Sun,4\n50,2,Sun,5\n20,9,Sat,3"))
)
FLIGHTS = read(
    passage_of(
        "flights.csv",
        piped("year,month,passengers\n1949,May,112\n1949,June,118\n1950,May,115\n1950,June,126"),
    )
)
BIRDS = read(
    passage_of("birds.csv", piped("species,island,grams\nTern,Ask,90\nTern,Bel,95\nAuk,Ask,700"))
)


@pytest.mark.parametrize(
    ("question", "tables", "text"),
    [
        ("What was the tip for the largest bill?", FARES, "2 (bill: 50)"),
        ("What was the largest tip?", FARES, "9 (highest tip over 3 of 3 rows of bills.csv)"),
        ("How many flights were there in 1950?", FLIGHTS, None),
        ("How many passengers were there in total in 1950?", FLIGHTS, "241 (sum of"),
        ("How many species of birds are there?", BIRDS, "2 (of 3 rows of birds.csv: Tern, Auk)"),
        ("Which bird is the heaviest?", BIRDS, None),
        ("Which island has the most birds?", BIRDS, "Ask (2 of 3 rows of birds.csv)"),
    ],
)
def test_a_figure_is_not_taken_for_another(
    question: str, tables: tuple[Table, ...], text: str | None
) -> None:
    found = told(question, tables)
    assert found is None if text is None else (found or "").startswith(text)
