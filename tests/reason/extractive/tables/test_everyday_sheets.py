"""What people ask of their own sheets: ranks, grades, months from one to another, what is alike."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.table_pages import passage_of, read

from quaere.reason.extractive.tables.among_others import asks_likewise
from quaere.reason.extractive.tables.rows import answer_over_rows, nearly_answered

_HILLS = """\
| Hill | Height (m) | Region |
| Arn | 512 | North |
| Bell | 733 | North |
| Cold Tor | 690 | South |
| Dun | 401 | South |
| Esk | 401 | South |"""
_LEAGUE = """\
| Pos | Club | W | D | L | Pts |
| 1 | Brell | 9 | 1 | 2 | 28 |
| 2 | Hask | 7 | 3 | 2 | 24 |
| 3 | Old Mole | 2 | 5 | 5 | 11 |"""
_MARKS = """\
| Student | Group | Final | Grade |
| Amara | A | 81 | B |
| Ben | A | 62 | D |
| Clara | B | 88 | A |
| Ella | A |  |  |"""
_METERS = """\
| Month | Water (m³) | Level (m) |
| January | 61 | 3.1 |
| February | 58 | 3.4 |
| March | 64 | 3.2 |
| April | 66 | 2.9 |"""
_STOPS = """\
| Stop | Bus 1 | Bus 2 |
| Mole | 07:10 | 09:10 |
| Weir | 07:22 | – |
| Quay | 07:40 | 09:33 |"""
_KEEPERS = """\
| Warden | From | Until |
| Ada Finch | 1961 | 1974 |
| Bo Lund | 1974 | 1988 |
| Cy Marr | 1988 | |"""
_WAGES = """\
| Surname | Team | Gross monthly (€) |
| Okafor | Bakery | 2950 |
| Haddad | Delivery | 2480 |
| Moreau | Delivery | 2480 |
| Ritter | Shop | 2100 |"""
_SALES = """\
| Region | Q1 | Q2 | Grand total |
| Coast | 30 | 20 | 50 |
| Hills | 60 | 90 | 150 |"""
_CAMP = """\
| Guest | Pitch | Under 16 |
| Lorca | 4 | 2 |
| Venn | 7 | 1 |"""
_SIGNS = """\
| Filter | Keeps |
| `level=warn\\|error` | warnings and errors |
| `host=a*` | hosts that begin with a |"""
SHEETS = tuple(
    table
    for name, text in (
        ("hills.md", _HILLS), ("league.md", _LEAGUE), ("marks.md", _MARKS), ("meters.md", _METERS),
        ("stops.md", _STOPS), ("wardens.md", _KEEPERS), ("payroll.md", _WAGES),
        ("units_sold.md", _SALES), ("camp.md", _CAMP), ("filters.md", _SIGNS),
    )
    for table in read(passage_of(name, text))
)  # fmt: skip


def told(question: str) -> str | None:
    found = answer_over_rows(question, SHEETS)
    return found and found.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the second highest hill?", "Cold Tor (Height: 690 m)"),
        ("Which hill is the third highest?", "Arn (Height: 512 m)"),
        ("What are the three highest hills?", "Bell (733 m), Cold Tor (690 m), Arn (512 m)"),
        ("Which hills are the top 2 by height?", "Bell (733 m), Cold Tor (690 m)"),
        ("Which hill is the second lowest?", None),  # two are the lowest
        ("Which two hills are the highest?", "Bell (733 m), Cold Tor (690 m)"),
        ("Who are the top two clubs?", "Brell (1), Hask (2)"),
        ("Who was paid the second most?", None),
        ("Who climbed the second highest hill?", None),
    ],
)
def test_ranks_and_how_many_are_first_are_read_with_the_superlative(
    question: str, answer: str | None
) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many students got an A?", None),  # a group or a grade
        ("Which student has grade A?", "Clara (1 of 4 rows of marks.md)"),
        ("Which students are in group A?", "Amara, Ben, Ella (3 of 4 rows of marks.md)"),
        (
            "Which student of group A has the best final?",
            "Amara (Final: 81; 1 of 3 rows have none)",
        ),
        ("Which students have no final mark?", "Ella (1 of 4 rows of marks.md)"),
    ],
)
def test_a_capital_letter_is_a_value(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How much water was used from January to March?",
            "183 (sum of Water (m³) over 3 of 4 rows of meters.md: 61; 58; 64)",
        ),
        ("How much was the level from January to March?", None),
        ("Which month between January and March had the most water?", "March (Water: 64)"),
        ("Which month comes after February?", "March"),
        ("Which stop comes after Mole?", "Weir"),
        ("Which stop comes before Quay?", "Weir"),
    ],
)
def test_months_and_stops_come_one_after_the_other(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who was warden in the 1960s?", "Ada Finch"),
        ("Who was warden in the 1970s?", "Ada Finch, Bo Lund"),
        ("Who became warden in the 1970s?", "Bo Lund"),
        ("Who was warden in 1980?", "Bo Lund"),
        ("Who was warden in 2001?", "Cy Marr"),
        ("Who was warden in the 1950s?", None),
    ],
)
def test_a_period_is_in_each_of_its_years(question: str, names: str | None) -> None:
    assert (told(question) or "").partition(" (")[0] == (names or "")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which hills are in the same region as Arn?", "Bell (Region: North)"),
        ("Who is in the same team as Haddad?", "Moreau (Team: Delivery)"),
        ("Who earns the same as Haddad?", "Moreau (Gross monthly (€): €2480)"),
        ("Who is in the same team as Okafor?", None),
        ("Which hills have the same owner as Arn?", None),
    ],
)
def test_other_rows_that_have_the_same_are_told(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which hills are between 401 and 512 metres high?", "Arn, Dun, Esk"),
        ("Which wardens became warden between 1960 and 1974?", "Ada Finch, Bo Lund"),
        ("Which months had between 58 and 61 m³ of water?", "January, February"),
    ],
)
def test_both_ends_of_a_range_are_of_it(question: str, names: str) -> None:
    assert (told(question) or "").partition(" (")[0] == names


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What share of the hills is in the North?", "40.0 % (2 of 5 in hills.md)"),
        (
            "What percentage of all units was sold in Coast?",
            "25.0 % (Grand total: 50 of 200 in units_sold.md)",
        ),
        (
            "What share of the water was used in January?",
            "24.5 % (Water (m³): 61 of 249 in meters.md)",
        ),
        ("What share of the level was in January?", None),
        ("What share of the matches did Hask win?", None),  # of its own, not of all
        ("What share of the units was sold in Oslo?", None),
        ("How many matches did Old Mole lose?", "5"),
        ("How many points separate Brell and Old Mole?", "17 (Pts: Brell 28, Old Mole 11)"),
    ],
)
def test_a_row_is_set_against_the_whole_or_another(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    "question", ["How many guests are under 16?", "How many guests under 16 are there?"]
)
def test_rows_are_not_counted_by_what_heads_a_column_of_figures(question: str) -> None:
    assert told(question) is None


def test_of_two_tables_the_one_with_the_word_as_it_is_asked_goes_first() -> None:
    members = "| Member | Joined |\n| Ada Finch | 2004 |\n| Bo Lund | 2011 |"
    staff = "| Employee | Started |\n| Cy Marr | 2001 |\n| Una Wick | 2013 |"
    both = (*read(passage_of("members.md", members)), *read(passage_of("staff.md", staff)))
    found = answer_over_rows("Who was the first to have joined?", both)
    assert found is not None
    assert found.text == "Ada Finch (Joined: 2004)"


def test_a_bar_that_is_escaped_is_part_of_its_cell() -> None:
    (table,) = read(passage_of("filters.md", _SIGNS))
    assert table.columns[0].cells[0] == "`level=warn|error`"
    assert [column.head for column in table.columns] == ["Filter", "Keeps"]


def test_what_has_the_same_is_no_cell_of_the_row_that_is_named() -> None:
    assert nearly_answered("Who earns the same as Okafor?", SHEETS) is None


def of(question: str, *rows: str) -> str | None:
    """Return what a table of ``rows`` answers."""
    answer = answer_over_rows(question, read(passage_of("sheet.csv", "\n".join(rows))))
    return answer and answer.text


@pytest.mark.parametrize(
    ("question", "rows", "answer"),
    [
        ("What share of it was in May?", ("| Date | Sum |", "| 2024-05-02 | 7 |"), None),
        ("What share of the units is from Coast?",
         ("| Region | Units |", "| Coast | 5 |", "| Hills | 0 |", "| Isles | 15 |"), "25.0 %"),
        ("What share of the units is from Coast?",
         ("| Region | Units |", "| Coast | 5 |", "| Hills | -2 |", "| Isles | 15 |"), None),
        ("What share of the units is from Coast?",
         ("| Region | Units |", "| Coast | 0 |", "| Hills | 0 |", "| Isles | 0 |"), None),
        ("What share of women was there in 2020?",
         ("| Year | Share of women (%) |", "| 2019 | 31 |", "| 2020 | 34 |"), "34"),
        ("What average price do items have?",
         ("| Item | Price (€) |", "| Rope | 4 |", "| Tar | 8 |"), "€6"),
        ("What did we pay for Rope?",
         ("| Item | Amount (€) |", "| Rope | -4 |", "| Cork | 8 |"), "€-4"),
        ("How many km is it from Marseille to Monaco?",
         ("| From | To | Km |", "| Marseille | Monaco | 220 |", "| Lyon | Paris | 460 |"), "220"),
        ("Who comes after Jan?",
         ("| Name | Team |", "| Jan | A |", "| Mark | B |", "| Julia | A |"), None),
        ("Who came before Ada?",
         ("| Pos | Runner | Start |", "| 1 | Ada | 09:20 |", "| 2 | Bo | 09:00 |",
          "| 3 | Cy | 09:10 |"), None),
        ("Which items are sold out?",
         ("| Item | Stock |", "| Rope | 4 |", "| Cork |  |", "| Tar | 7 |"), None),
        ("Who is the singer of A Day at Sea?",
         ("| Song | Singer |", "| A Day at Sea | Ada |", "| Low Tide | Bo |"), "Ada"),
        ("Who was warden in 1974?",
         ("| Warden | From | Until |", "| Ada | 1961 | 1990 |", "| Bo | 1974 | 1980 |",
          "| Cy | 1991 | 1999 |"), "Ada, Bo"),
    ],
)  # fmt: skip
def test_what_a_wider_rule_does_not_reach(
    question: str, rows: tuple[str, ...], answer: str | None
) -> None:
    found = of(question, *rows)
    assert found is None if answer is None else (found or "").startswith(answer)


@pytest.mark.parametrize("begins", ["What share of", "Which hill is the same as"])
def test_a_question_of_spaces_takes_no_longer_than_it_has_to(begins: str) -> None:
    began = time.monotonic()
    asks_likewise(begins + " " * 8_000 + "x?y")
    assert time.monotonic() - began < 2
