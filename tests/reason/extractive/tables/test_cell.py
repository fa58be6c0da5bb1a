"""Which cell of a table answers, and when none does."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, passage, pool

from quaere.domain.evidence import Evidence, Score
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.tables.cell import cells_about, degree_terms, find_cell
from quaere.text.tokens import stem

BOATS: Text = (
    "Sket ferry",
    (
        "# Sket ferry\n\n## Timetable\n\n"
        "| Line | First boat | Last boat | Fare in crowns |\n|---|---|---|---|\n"
        "| Harbour to Orrin | 06:40 | 21:15 | 12 |\n"
        "| Orrin to Skarrow | 09:00. On weekdays only. See the notes. | 17:30 | 9 |\n"
        "| Night boat | 23:10 | 02:40 | 25 |\n"
    ),
)
LAMPS: Text = (
    "Lamps",
    (
        "All lamps.\n\n| Lamp | Height (m) | Year lit | Keeper |\n|---|---|---|---|\n"
        "| Orrin | 21 | 1788 | Tamsin Wray |\n| Skarrow | 34 | 1812 | Joss Pellham |\n"
    ),
)
MILL: Text = (
    "Accounts of the Brell mill",
    (
        "In thousands of crowns.\n\n| Item | FY2022 | FY2023 |\n| Wages | 610 | 655 |\n"
        "| Total assets | 5,020 | 5,466 |\n| Net income | 88 | -14 |\n"
    ),
)
CATCH: Text = ("catches", "year: 1903; herring_tonnes: 455; cod_tonnes: 101; boats: 34")
SHELF = (BOATS, LAMPS, MILL, CATCH)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the fare from Harbour to Orrin?", "12"),
        ("What is the first boat of the night boat?", "23:10"),
        ("How high is the lamp Skarrow in metres?", "34"),
        ("Who is the keeper of the lamp Orrin?", "Tamsin Wray"),
        ("In which year was the lamp Skarrow lit?", "1812"),
        ("What were the total assets of the Brell mill in FY2023?", "5,466 thousand crowns"),
        ("What were the wages of the mill in fiscal year 2022?", "610 thousand crowns"),
        ("What was the net income of the mill in fiscal 2023?", "-14 thousand crowns"),
        ("How many tonnes of herring were caught in 1903?", "455"),
    ],
)
def test_a_question_for_a_figure_ends_in_the_cell(question: str, value: str) -> None:
    found = find_cell(question, pool(*SHELF))
    assert found is not None
    assert found.text == value


@pytest.mark.parametrize(
    "question",
    [
        "Who was keeper of the lamp after Orrin?",
        "Which year was the lamp before Skarrow lit?",
    ],
)
def test_the_row_beside_what_is_asked_for_answers_nothing(question: str) -> None:
    assert find_cell(question, pool(*SHELF)) is None


RIDES: Text = (
    "Passengers of 1931",
    (
        "All of them.\n\n| Line | Adults | Children | Total |\n|---|---|---|---|\n"
        "| Orrin | 310 | 95 | 405 |\n| Skarrow | 120 | 40 | 160 |\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many passengers had the Orrin line?", "405"),
        ("How many passengers were on the line Skarrow?", "160"),
        ("How many children had the Orrin line?", "95"),
        ("How many adults had the Skarrow line?", "120"),
    ],
)
def test_the_total_is_meant_where_no_part_of_it_is_named(question: str, value: str) -> None:
    found = find_cell(question, pool(RIDES))
    assert found is not None
    assert found.text == value


def test_the_total_is_not_what_is_left_of_it_beside_a_part_that_is_named() -> None:
    question = "How many passengers had the Orrin line in 1931, all with 95 children?"
    assert find_cell(question, pool(RIDES)) is None


def test_an_empty_cell_answers_nothing() -> None:
    lamps = (LAMPS[0], f"{LAMPS[1]}| Hask | 12 | 1820 |  |\n")
    assert find_cell("In which year was the lamp Hask lit?", pool(lamps)) is not None
    assert find_cell("Who is the keeper of the lamp Hask?", pool(lamps)) is None


def test_a_row_stays_whole_however_many_sentences_its_cells_hold() -> None:
    """A row that is cut makes a head of the next one, and says of it what no source does."""
    read = pool(BOATS)
    rows = [line.text for line in read.lines if line.text.startswith("|")]
    assert rows[2] == "| Orrin to Skarrow | 09:00. On weekdays only. See the notes. | 17:30 | 9 |"
    found = find_cell("When does the last boat of the line Orrin to Skarrow leave?", read)
    assert found is not None
    assert (found.text, found.line.columns[2]) == ("17:30", "Last boat")


@pytest.mark.parametrize(
    "question",
    [
        "What were the total assets of the Brell mill in FY2019?",
        "How many tonnes of herring were caught in 1902?",
        "How many boats were lost in 1903?",
        "Who is the keeper of the lamp Farrow Rock?",
        "What is the fare from Harbour to Brell?",
        "What is the depth of the lamp Orrin?",
        "Why is the fare from Harbour to Orrin so low?",
        "How many tonnes of herring did a crew of 34 years catch?",
    ],
)
def test_what_no_row_or_head_says_is_not_answered(question: str) -> None:
    assert find_cell(question, pool(*SHELF)) is None


def test_a_passage_cut_inside_a_table_is_read_by_its_head() -> None:
    rows = passage("Lamps", "| Orrin | 21 | 1788 |\n| Skarrow | 34 | 1812 |", start=9_000)
    cut = rows.model_copy(update={"table_head": "| Lamp | Height (m) | Year lit |"})
    evidence = Evidence(id=1, passage=cut.id, url=cut.url, title=cut.title, score=Score())
    found = find_cell("How high is the lamp Skarrow?", Pool([evidence], {cut.id: cut}))
    assert found is not None
    assert (found.text, found.line.columns[1]) == ("34", "Height (m)")
    bare = Pool([evidence], {cut.id: rows})
    assert find_cell("How high is the lamp Skarrow?", bare) is None


def test_a_table_that_begins_its_passage_has_a_head() -> None:
    table = ("Lamps", LAMPS[1].partition("\n\n")[2])
    found = find_cell("How high is the lamp Skarrow?", pool(table))
    assert found is not None
    assert found.text == "34"


def test_a_head_answers_to_what_it_is_short_for() -> None:
    releases = ("marl", "version: 11; name: Belemnite; release: 2021-08-14; eol: 2024-08-14")
    found = find_cell("When is the end of life of Marl 11?", pool(releases))
    assert found is not None
    assert found.text == "2024-08-14"


SYSTEMS: Text = (
    "Building gully",
    (
        "All systems.\n\n| System | Machines | Versions |\n|---|---|---|\n"
        "| Linux | x86 | kernel >= 3.1, tapelib >= 2.1 |\n"
        "| Linux | arm64 | kernel >= 4.2, tapelib >= 2.8 |\n"
    ),
)


def test_a_cell_may_name_what_is_asked_for_under_the_head_that_is_asked_for() -> None:
    found = find_cell("Which tapelib version does gully need on Linux arm64?", pool(SYSTEMS))
    assert found is not None
    assert found.text == "kernel >= 4.2, tapelib >= 2.8"


def test_a_first_cell_that_begins_with_the_figure_asked_for_names_its_row() -> None:
    releases: Text = (
        "Releases of the mill's engine",
        (
            "# Releases\n\n| Version | Codename | Released |\n|---|---|---|\n"
            "| 20.10 | Groovy Grouse | 2020-10-22 |\n| 22.04 LTS | Jolly Jay | 2022-04-21 |\n"
        ),
    )
    found = find_cell("What is the codename of release 22.04?", pool(releases))
    assert found is not None
    assert found.text == "Jolly Jay"
    assert find_cell("What is the codename of release 23.04?", pool(releases)) is None


@pytest.mark.parametrize(
    ("asked", "value"), [("Harbour to Orrin and Skarrow", "12"), ("Harbour to Orrin", None)]
)
def test_a_first_cell_of_which_most_is_asked_for_names_its_row(
    asked: str, value: str | None
) -> None:
    rows = "| Harbour to Orrin and Skarrow by steamer | 06:40 | 12 |\n| Night boat | 23:10 | 25 |"
    fares = f"All fares in crowns.\n\n| Line | First boat | Fare |\n|---|---|---|\n{rows}\n"
    found = find_cell(f"What is the fare from {asked}?", pool(("Fares", fares)))
    assert (found and found.text) == value


def test_what_a_question_measures_is_not_told_by_another_column() -> None:
    rooms = ("rooms", "name: Sol Reed; room: 15; size (m²): 18; boat: Auk")
    found = find_cell("How large is the room of Sol Reed?", pool(rooms))
    assert found is None or found.text == "18"


def test_a_figure_below_zero_is_not_the_one_above() -> None:
    pumps = ("pumps", "model: Auk 6; output at 7 °C: 4.6; output at -15 °C: 2.9")
    assert find_cell("What is the output of the Auk 6 at -7 °C?", pool(pumps)) is None


def test_nobody_is_called_by_a_word_that_begins_small() -> None:
    boats = ("boats", "model: Auk; make: cargo; gears: 3")
    assert find_cell("Who makes the Auk?", pool(boats)) is None


def test_the_head_of_a_table_is_no_row_of_it() -> None:
    tools: Text = (
        "Workers and tools",
        "Some use one.\n\n| You use | Take |\n| --- | --- |\n| a saw | oil |",
    )
    assert find_cell("Which workers can use it?", pool(tools)) is None


def test_two_tables_that_differ_answer_nothing() -> None:
    head = "| Lamp | Height (m) | Year lit | Keeper |\n|---|---|---|---|\n"
    other: Text = ("More lamps", f"All.\n\n{head}| Orrin | 22 | 1788 | Tamsin Wray |\n")
    assert find_cell("How high is the lamp Orrin in metres?", pool(LAMPS, other)) is None
    keeper = find_cell("Who is the keeper of the lamp Orrin?", pool(LAMPS, other))
    assert keeper is not None
    assert keeper.text == "Tamsin Wray"


def test_where_a_thing_is_stands_under_a_head_that_says_so() -> None:
    assert find_cell("Where is the lamp Orrin?", pool(LAMPS)) is None
    head = "| Lamp | Height (m) | Town |\n|---|---|---|\n"
    placed: Text = ("Lamps", f"All.\n\n{head}| Orrin | 21 | Brell |\n")
    found = find_cell("Where is the lamp Orrin?", pool(placed))
    assert found is not None
    assert found.text == "Brell"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What does a child pay from Harbour to Orrin?", "6"),
        ("How much is it for an adult from Harbour to Orrin?", "12"),
        ("How much is it from Harbour to Orrin?", None),
        ("How much is it for an adult from Harbour to Skarrow?", None),
        ("How much was it for an adult from Harbour to Orrin in 1931?", None),
    ],
)
def test_of_two_fares_the_one_is_told_whose_head_is_asked_for(
    question: str, value: str | None
) -> None:
    fares = "All fares.\n\n| Line | Adult | Child |\n|---|---|---|\n| Harbour to Orrin | 12 | 6 |\n"
    found = find_cell(question, pool(("Fares", fares)))
    assert (found and found.text) == value


@pytest.mark.parametrize(
    ("compared", "told"),
    [
        ("longer", ["long", "length", "duration"]),
        ("wider", ["wide", "width"]),
        ("bigger", ["big", "size"]),
        ("heavier", ["heavy", "weight"]),
        ("older", ["age", "born", "founded"]),
        ("earlier", ["year", "date"]),
        ("have more boats", ["boats"]),
    ],
)
def test_a_degree_is_told_by_what_it_is_measured_in(compared: str, told: list[str]) -> None:
    assert set(map(stem, told)) <= degree_terms(compared)


def test_how_two_things_are_compared_says_nothing_of_what_in() -> None:
    found = degree_terms("have more boats")
    assert found.isdisjoint(map(stem, ["have", "more"]))
    assert degree_terms("more") == degree_terms("before") == frozenset()


@pytest.mark.parametrize(
    ("thing", "about", "told"),
    [
        ("the lamp Skarrow", "higher", [("Height (m)", "34")]),
        ("Orrin", "older", [("Year lit", "1788")]),
        ("the lamp Hask", "higher", []),
        ("Orrin", "wider", []),
        ("the", "higher", []),
    ],
)
def test_what_two_things_are_compared_in_is_in_the_row_that_names_one(
    thing: str, about: str, told: list[tuple[str, str]]
) -> None:
    found = list(cells_about(thing, about, pool(LAMPS).lines))
    assert [(head, value) for _, head, value in found] == told


@pytest.mark.parametrize(
    ("head", "value"),
    [("Keeper (relief)", None), ("Keeper (days)", "Ada Wray")],
)
def test_only_a_unit_in_brackets_is_no_part_of_what_a_column_is_of(
    head: str, value: str | None
) -> None:
    lamps = f"All lamps.\n\n| Lamp | {head} | Lens |\n|---|---|---|\n| Orrin | Ada Wray | wide |"
    found = find_cell("Who is the keeper of the lamp Orrin in the storm?", pool(("Lamps", lamps)))
    assert (found and found.text) == value


def test_a_row_of_totals_is_about_what_is_said_on_its_page_alone() -> None:
    day = "| Day | Count |\n|---|---|\n| Monday | 40 |\n| Total | 95 |\n"
    fair, market = (
        (title, f"Visitors of the {of} are counted at the gate.\n\n{day.replace('95', total)}")
        for title, of, total in (("A", "fair of Hask", "95"), ("B", "market of Brell", "61"))
    )
    found = find_cell("How many visitors had the fair of Hask in total?", pool(fair, market))
    assert found is not None
    assert found.text == "95"


def test_a_row_that_is_named_in_full_goes_before_one_that_is_mostly() -> None:
    rows = "| Harbour to Orrin and Hask by steamer | 12 |\n| Night | 25 |"
    table = f"All.\n\n| Line | Fare |\n|---|---|\n{rows}\n"
    other = (
        "All.\n\n| Boat | Line | Fare |\n|---|---|---|\n| Teal | Harbour to Orrin and Hask | 9 |"
    )
    question = "What is the fare from Harbour to Orrin and Hask?"
    found = find_cell(question, pool(("Fares", table), ("Boats", other)))
    assert found is not None
    assert found.text == "9"


def test_a_column_without_a_head_is_not_what_is_asked_for() -> None:
    lamps = "All lamps.\n\n| Lamp |  | Lens |\n|---|---|---|\n| Orrin | Ada Wray | wide |"
    assert find_cell("Who is at the lamp Orrin?", pool(("Lamps", lamps))) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which lamp has the same reach as the harbour lamp?",
        "How many times was the harbour lamp lit?",
        "What is the ratio of the reach of the harbour lamp to that of the pier lamp?",
        "Which lamp other than the harbour lamp has a long reach?",
    ],
)
def test_a_question_for_another_row_than_the_one_it_names_has_no_cell_of_it(question: str) -> None:
    text = "| Lamp | Reach |\n|---|---|\n| Harbour lamp | 12 km |\n| Pier lamp | 4 km |"
    assert find_cell(question, pool(("Lamps and their reach", text))) is None
    asked = "What is the reach of the harbour lamp?"
    assert find_cell(asked, pool(("Lamps and their reach", text))) is not None


def test_no_figure_tells_who() -> None:
    boats: Text = (
        "Boats",
        "All boats.\n\n| Name | Built | Seats |\n|---|---|---|\n| Smew | 2019 | 2 |\n",
    )
    assert find_cell("Who built the Smew?", pool(boats)) is None
    assert find_cell("When was the Smew built?", pool(boats)) is not None


@pytest.mark.parametrize(
    ("table", "value"), [("| Exam | 17 July |", "17 July"), ("| Exam | 40 % |", None)]
)
def test_a_share_a_price_or_a_measure_does_not_say_when(table: str, value: str | None) -> None:
    text = f"| Part | What it is |\n| --- | --- |\n{table}\n| Lab | 30 % |\n"
    found = find_cell("When is the exam?", pool(("Syllabus", text)))
    assert (found.text if found else None) == value


_VANS: Text = (
    "vehicles",
    "plate: AF-113; year: 2022; depot: South; next_inspection: 2026-01-26; driver: Kiran Patel",
)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When is the inspection of Kiran Patel's vehicle?", "2026-01-26"),
        ("Which year is Kiran Patel's?", "2022"),
    ],
)
def test_of_two_dates_the_one_whose_head_is_asked_for_answers(question: str, day: str) -> None:
    others = [
        (
            "vehicles",
            f"plate: AB-{n}; year: 2020; depot: North; next_inspection: 2026-02-0{n}; driver: Ida",
        )
        for n in range(1, 9)
    ]
    found = find_cell(question, pool(_VANS, *others))
    assert found is not None
    assert found.text == day


def test_the_number_of_a_day_is_no_time() -> None:
    text = "| Day | From | To |\n|---|---|---|\n| 5 | Holt | Orrin |\n| 6 | Orrin | Brell |\n"
    assert find_cell("When does the bus leave Brell?", pool(("Walk", text))) is None


def test_how_much_of_a_thing_asks_for_its_column_and_no_price() -> None:
    plans = "plan: Hask; data (GB): 30; price (crowns): 14"
    found = find_cell("How much data does Hask have?", pool(("plans", plans)))
    assert found is not None
    assert found.text == "30"


LOTS: Text = ("Lots", "| Lot | Subject | Value |\n|---|---|---|\n| 2 | Windows | £11,500 |\n")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How often are windows cleaned?", None),
        ("How many windows are there?", None),
        ("What is the value of the windows?", "£11,500"),
    ],
)
def test_a_price_tells_neither_how_often_nor_how_many(question: str, told: str | None) -> None:
    found = find_cell(question, pool(LOTS))
    assert (found.text if found else None) == told


STAFF: Text = (
    "Staff",
    (
        "| Name | Role | Started |\n|---|---|---|\n| Ivo Tarn | Clerk | 2022-01-17 |\n"
        "| Una Wick | Head | 2019-04-01 |\n"
    ),
)
CLUB: Text = (
    "Club",
    "| Member | Fee |\n|---|---|\n| Ada Crow | 40 |\n| Ben Hale | 25 |\n",
)
GULLS: Text = (
    "gulls",
    (
        "| Gull | Joined | Years since joining |\n|---|---|---|\n| Tern | 2015 | 0 |\n"
        "| Skua | 2011 | 4 |\n"
    ),
)


@pytest.mark.parametrize(
    ("page", "question"),
    [
        (STAFF, "What is Ivo Tarn's salary?"),
        (CLUB, "What is Ada Crow's phone number?"),
        (GULLS, "Which gulls joined in 2015?"),
    ],
)
def test_the_only_figure_of_a_row_is_not_what_it_does_not_head(page: Text, question: str) -> None:
    assert find_cell(question, pool(page)) is None


def test_the_only_figure_of_a_row_still_answers_by_its_head() -> None:
    fee = find_cell("What is Ada Crow's fee?", pool(CLUB))
    assert fee is not None
    assert fee.text == "40"


def test_an_amount_of_thousands_is_no_year() -> None:
    head = "|  | Hask sales, fourth quarter 2022 | Hask sales, twelve months 2022 |\n|---|---|---|"
    shop: Text = ("Hask", f"{head}\n| Abroad | 489 | 2,022 |\n| At home | 310 | 1,410 |\n")
    assert find_cell("What were the total sales of Hask in 2022?", pool(shop)) is None
