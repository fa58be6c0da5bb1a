"""Which rows of a table a question is about: bounds, dates, times, flags and what is not there."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told
from tests.timing import cpu_s


def named(question: str) -> str | None:
    """Return the names that the rows are told by; None where nothing is answered."""
    answer = told(question)
    return answer and answer.partition(" (")[0]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which products cost less than 25 euros?", "Dinghy rope"),
        ("Which products cost at most 25 euros?", "Buoy, Dinghy rope"),
        ("Which products cost up to 25 euros?", "Buoy, Dinghy rope"),
        ("Which products weigh more than 4 kg?", "Anchor, Chain"),
        ("Which products weigh at least 4 kg?", "Anchor, Buoy, Chain"),
        ("Which trips have a capacity over 20?", "Skarrow Bay"),
        ("Which employees earn no less than 41,000 euros?", "Ada Finch, Una Wick"),
    ],
)
def test_a_bound_is_among_the_rows_only_where_it_says_so(question: str, names: str) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which products are heavier than 4 kg?", "Anchor, Chain"),
        ("Which products are lighter than 4 kg?", "Dinghy rope, Oar"),
        ("Which products are cheaper than 35 euros?", "Buoy, Dinghy rope"),
        ("Which trips are longer than 8 km?", "Low Tarn, High Crag"),
        ("Who is older than 40?", "Ada Finch, Una Wick"),
        ("Who is younger than 40?", "Bo Marsh, Cleo Hart"),
    ],
)
def test_a_comparative_says_which_column_and_on_which_side(question: str, names: str) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which products weigh less than 4?", "Dinghy rope, Oar"),
        (
            "Which trips have a capacity of more than 12 and are under 16 euros?",
            "Low Tarn, Far Moss",
        ),
        ("Which products are over 100 furlongs?", None),
    ],
)
def test_a_bound_goes_by_the_head_or_by_the_unit(question: str, names: str | None) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which boat finished second?", "Teal"),
        ("Which boat came in second?", "Teal"),
        ("Which boat came last?", "Eider"),
        ("Which boat had a second crew?", None),
        ("Which boat came from the second?", None),
    ],
)
def test_a_rank_chooses_its_row_after_a_verb(question: str, name: str | None) -> None:
    race = "| Position | Boat | Crew |\n| 1 | Auk | 4 |\n| 2 | Teal | 2 |\n| 3 | Eider | 3 |"
    answer = told(question, read(passage_of("race.md", race)))
    assert (answer and answer.partition(" (")[0]) == name


BOATS = """\
| boat | length (m) | range (km) | crew |
| Auk | 9 | 60 | 3 |
| Eider | 45 | 30 | 12 |
| Grebe | 12 | 80 | 4 |"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which boats have over 10 m?", "Eider, Grebe"),
        ("Which boats have over 1000 cm?", "Eider, Grebe"),
        ("Which boats have over 10 kg?", None),
        ("Which boats have over 10?", None),
    ],
)
def test_a_unit_alone_tells_a_column_of_its_kind(question: str, names: str | None) -> None:
    lengths = "| boat | length (m) |\n| Auk | 9 |\n| Eider | 45 |\n| Grebe | 12 |"
    answer = told(question, read(passage_of("boats.csv", lengths)))
    assert (answer and answer.partition(" (")[0]) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which boats are longer than 40?", "Eider"),
        ("Which boats are longer than 4000 cm?", "Eider"),
        ("Which boats are longer than 40 km?", None),
        ("Which boats have a range longer than 40 km?", "Auk, Grebe"),
        ("Which boats have a range of over 70,000 m?", "Grebe"),
        ("Which boats have over 10 m?", "Eider, Grebe"),
        ("Which boats have over 70,000 kg?", None),
    ],
)
def test_a_bound_is_read_in_the_unit_of_its_column(question: str, names: str | None) -> None:
    answer = told(question, read(passage_of("boats.csv", BOATS)))
    assert (answer and answer.partition(" (")[0]) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which plants were repotted in 2023?", "Aloe"),
        ("Which plants were repotted before April 2024?", "Aloe, Palm"),
        ("Which plants were repotted before March 2023?", "Palm"),
        ("Which plants were repotted since March 2023?", "Aloe, Fern"),
        ("Which plants were repotted after March 2023?", "Fern"),
        ("Which trips sailed in 2003?", "High Crag, Far Moss"),
        ("Which trips sailed in May 2003?", "High Crag"),
        ("Which trips sailed in May?", "Low Tarn, High Crag"),
        ("Which trips sailed on 2 October 2003?", "Far Moss"),
        ("Which trips sailed before May?", None),
        ("Who was hired before 2019?", "Ada Finch, Una Wick"),
    ],
)
def test_a_date_is_as_exact_as_it_is_told(question: str, names: str | None) -> None:
    """A month without a year comes round each year, so that nothing is before it."""
    assert named(question) == names


def test_a_year_that_heads_a_column_chooses_no_rows() -> None:
    assert told("What was the cost of T-2 in 2024?") == "60"
    assert told("What is the total cost in 2023?") == (
        "255 (sum of cost_2023 over 4 of 4 rows of tasks.csv: 100; 80; 20; 55)"
    )
    assert told("Which tasks are due in 2024?") is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which trips start before 09:00?", "Low Tarn"),
        ("Which trips start after 09:00?", "Far Moss, Skarrow Bay"),
        ("Which trips end before 16:46?", "Low Tarn, Far Moss"),
        ("Which trips end before 16:45?", "Low Tarn"),
        ("Which trips start at 09:00?", None),
    ],
)
def test_a_time_bounds_to_the_minute_and_is_not_among_the_rows(
    question: str, names: str | None
) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which products are in zone 2?", "Anchor, Chain"),
        ("Which product is in zone 3?", "Dinghy rope"),
        ("Which products are in zone 9?", None),
        ("Which products are in zone 2 and cost less than 50 euros?", "Anchor"),
    ],
)
def test_a_number_beside_its_head_is_a_value(question: str, names: str | None) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which tasks are finished?", "Tar the hull, Tar the deck"),
        ("Which tasks are unfinished?", "Mend sails, Splice ropes"),
        ("Which tasks are not unfinished?", "Tar the hull, Tar the deck"),
        ("Which tasks are still pending?", "Mend sails, Splice ropes"),
        ("Which plants are toxic?", "Ivy"),
        ("Which plants are harmless?", "Aloe, Fern, Palm"),
        ("Which employees are not remote?", "Ada Finch, Cleo Hart"),
        ("Which tasks passed inspection?", "Tar the hull, Splice ropes"),
        ("Which tasks did not pass inspection?", "Mend sails, Tar the deck"),
        ("Which products are not discontinued?", "Anchor, Buoy, Dinghy rope, Oar"),
    ],
)
def test_a_denial_and_a_contrary_each_turn_yes_and_no_round(question: str, names: str) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which products are sold out?", "Buoy, Dinghy rope"),
        ("Which products are out of stock?", "Buoy, Dinghy rope"),
        ("Which products have no stock?", "Buoy, Dinghy rope"),
        ("Which plants have not been repotted?", "Ivy"),
        ("Which trips do not start before 09:00?", None),
    ],
)
def test_what_is_denied_of_a_number_is_zero_and_of_a_date_is_blank(
    question: str, names: str | None
) -> None:
    assert named(question) == names


@pytest.mark.parametrize("head", ["price_eur", "beds"])
def test_only_what_counts_a_stock_can_be_sold_out(head: str) -> None:
    tables = read(passage_of("boats.csv", f"| boat | {head} |\n| Auk | 0 |\n| Eider | 4 |"))
    assert told("Which boats are sold out?", tables) is None


@pytest.mark.parametrize(
    ("last", "heated", "cold"),
    [
        ("no", "Hask, Maren (2 of 4", "Brell (1 of 4"),
        ("", "Hask, Maren (2 of 4", "Orrin, Brell (2 of 4"),
    ],
)
def test_a_blank_is_a_no_where_yes_alone_is_ever_told(last: str, heated: str, cold: str) -> None:
    huts = read(
        passage_of("huts.csv", piped(f"hut,heated\nHask,yes\nOrrin,\nBrell,{last}\nMaren,yes"))
    )
    assert told("Which huts are heated?", huts) == f"{heated} rows of huts.csv)"
    assert told("Which huts are not heated?", huts) == f"{cold} rows of huts.csv)"


def test_a_flag_that_a_date_tells_better_is_no_condition_of_a_date() -> None:
    tables = read(
        passage_of(
            "bills.csv",
            "| bill | paid | paid_on |\n| B1 | yes | 2024-01-02 |\n| B2 | no | |\n"
            "| B3 | yes | 2024-03-05 |",
        )
    )
    assert told("When was B3 paid?", tables) == "2024-03-05"
    assert told("Which bills are unpaid?", tables) == "B2 (no) (1 of 3 rows of bills.csv)"


@pytest.mark.parametrize("still", ["still to be", "yet to be", "left to be", "not"])
def test_what_is_still_to_be_done_is_not_done(still: str) -> None:
    rows = "| Task | Owner | Done |\n| Book the hall | Pia | yes |\n| Order cake | Raj | no |"
    found = told(f"Which tasks are {still} done?", read(passage_of("tasks.csv", rows)))
    assert found == "Order cake (1 of 2 rows of tasks.csv)"


def test_a_version_is_no_number_that_a_head_counts() -> None:
    assert told("Which products are in zone 1.2.3?") is None
    assert named("Which products are in zone 2?") == "Anchor, Chain"


def test_a_question_of_more_words_than_a_table_accounts_for_is_not_read_over_rows() -> None:
    question = f"Which products are in zone 2 {'12 345,678.9 ' * 1_000}?"
    assert cpu_s(lambda: told(question), enough_s=0.5) <= 0.5
    assert told(question) is None
