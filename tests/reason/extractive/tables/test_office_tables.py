"""Tables as offices have them: totals under the rows, groups beside them, units behind heads."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import pool
from tests.reason.extractive.table_pages import passage_of, shelf

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.comparisons.compare import decide_comparison
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.spans import clear_span
from quaere.reason.extractive.tables.cell import find_cell
from quaere.reason.extractive.tables.rows import RowsAnswer, answer_over_rows
from quaere.reason.extractive.tables.whole import tables_in

SALES = """\
| Quay | Spring | Summer | Total |
| North | 310 | 420 | 730 |
| Old mole | 120 | 95 | 215 |
| Total | 430 | 515 | 945 |"""
BILL = """\
| Item | Pieces | Unit price | Amount |
| Brass wheel | 6 | 184.00 | 1,104.00 |
| Lamp oil | 10 | 32.50 | 325.00 |
| Net total |  |  | 1,429.00 |
| VAT 21% |  |  | 300.09 |
| Total due |  |  | 1,729.09 |"""
WATCHES = """\
| Day | Watch | Starts | Keeper |
| Monday | Early lamp | 06:30 | Odile Varga |
| Monday | Late lamp | 18:15 | Tom Hask |
| Thursday | Fog bell | 16:00 | Una Wick |"""
PHONES = """\
| Department | Name | Extension |
| Accounts | Greta Lund | 214 |
| Accounts | Samir Hadd | 215 |
| Reception | Maud Perr | 200 |"""
WELLS = """\
| Sample | Well | Taken on | Depth (m) | Nitrate (mg/l) |
| W-1 | Brell | 2025-04-02 | 0.5 | 3.1 |
| W-2 | Brell | 2025-04-03 | 2.0 | 11.8 |
| W-3 | Orrin | 2025-04-03 | 0.3 |  |"""
CLUBS = """\
| Place | Club | Won | Lost |
| 1 | Brell | 11 | 2 |
| 2 | Hask | 9 | 4 |"""
WARES = """\
| Ware | Price | Stock |
| Club shirt | £27.00 | 0 |
| Racket Swift 70 | £64.00 | 8 |
| Racket Falcon | £139.00 | 3 |"""
BUDGETS = """\
| Team | Project | Start | Budget (thousand euros) |
| North | Dyke repair | 2023-03-01 | 410 |
| North | Pump house | 2024-06-15 | 265 |
| South | Cycle bridge | 2022-09-01 | 730 |"""
WORKS = """\
| Work | Hours | Rate |
| Fitting of doors | 6 | 45.00 |
| Repair of a window | 2 | 45.00 |"""
VISITORS = """\
## Visitors counted at the light

| Month | Adults | Children | Total |
| June | 2,310 | 1,204 | 3,514 |
| July | 4,022 | 2,915 | 6,937 |"""
SPENDING = """\
| Cost centre | Spent 2024 | Spent 2025 |
| Sails | 9.120,50 | 51.230,50 |
| Ropes, lines | 40.000,00 | 7.840,20 |"""


def rows(question: str, text: str, name: str = "sheet.md") -> RowsAnswer | None:
    return answer_over_rows(question, tables_in(*shelf(passage_of(name, text))))


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("Which quay had the most in summer?", SALES, "North (Summer: 420)"),
        ("What is the sum of summer?", SALES, "515 (Total)"),
        ("How much was it in all in spring?", SALES, "430 (Total)"),
        ("Which item has the highest amount?", BILL, "Brass wheel (Amount: 1,104.00)"),
        ("What does the lamp oil cost?", BILL, "32.50"),
        ("What does the lamp oil cost altogether?", BILL, "325.00"),
        ("What does the lamp oil cost each?", BILL, "32.50"),
        ("When does the fog bell start?", WATCHES, "16:00"),
        ("Who works in Accounts?", PHONES, "Greta Lund, Samir Hadd (2 of 3 rows of sheet.md)"),
        (
            "How many samples were taken at Brell?",
            WELLS,
            "2 (of 3 rows of sheet.md: W-1 (Brell), W-2 (Brell))",
        ),
        (
            "Which sample has the highest nitrate?",
            WELLS,
            "W-2 (Brell) (Nitrate: 11.8 mg/l; 1 of 3 rows have none)",
        ),
        ("Did Brell win more matches than Hask?", CLUBS, "Yes"),
        ("Did Hask win more matches than Brell?", CLUBS, "No"),
        ("Did Brell lose more matches than Hask?", CLUBS, "No"),
        ("Is the club shirt in stock?", WARES, "No"),
        ("Is the Racket Falcon in stock?", WARES, "Yes"),
        ("Is the Swift 70 or the Falcon cheaper?", WARES, "Racket Swift 70 (Price: £64.00)"),
        ("Is the Swift 70 or the Falcon more expensive?", WARES, "Racket Falcon (Price: £139.00)"),
        (
            "Which project has the largest budget?",
            BUDGETS,
            "Cycle bridge (Budget: 730 thousand euros)",
        ),
        (
            "What is the total budget of all projects?",
            BUDGETS,
            (
                "1,405 thousand euros (sum of Budget (thousand euros) over 3 of 3 rows of sheet.md:"
                " 410; 265; 730)"
            ),
        ),
        ("Which cost centre spent the most in 2025?", SPENDING, "Sails (Spent 2025: 51.230,50)"),
        (
            "Which well had the highest nitrate reading, and when?",
            WELLS,
            "Brell (Nitrate: 11.8 mg/l; 1 of 3 rows have none), 2025-04-03",
        ),
    ],
)
def test_questions_over_rows_are_answered(question: str, text: str, told: str) -> None:
    found = rows(question, text)
    assert found is not None
    assert found.text == told


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the sum of the amount?", BILL),
        ("Did Brell win more matches than Hask in 1904?", CLUBS),
        ("Did Brell win more matches than Orrin?", CLUBS),
        ("Who works in Harbour?", PHONES),
        ("Which machines work in Accounts?", PHONES),
        ("How many visitors were there in July?", VISITORS),
    ],
)
def test_what_a_table_does_not_tell_is_not_answered(question: str, text: str) -> None:
    assert rows(question, text) is None


def cell(question: str, text: str, title: str = "Sheet") -> str:
    found = find_cell(question, pool((title, text)))
    return found.text if found else ""


REVENUE = """\
## Figures of 2023

| Branch | Staff | Revenue (thousand crowns) |
| Brell | 14 | 1,940 |
| Orrin | 9 | 1,215 |

## Figures of 2024

| Branch | Staff | Revenue (thousand crowns) |
| Brell | 16 | 2,105 |
| Orrin | 9 | 1,302 |"""


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("What was the revenue of Orrin in 2023?", REVENUE, "1,215"),
        ("What was the revenue of Orrin in 2024?", REVENUE, "1,302"),
        ("What was the revenue of Orrin in 2021?", REVENUE, ""),
        ("How many hours did the fitting of doors take?", WORKS, "6"),
        ("How many visitors were counted at the light in July?", VISITORS, "6,937"),
        ("How many children were counted at the light in July?", VISITORS, "2,915"),
        ("What is the total due on the bill of Hask Mills?", f"Hask Mills\n\n{BILL}", "1,729.09"),
        ("What do I pay for the lamp oil altogether?", f"Hask Mills\n\n{BILL}", ""),
        ("How much does the bill of Hask Mills come to?", f"Hask Mills\n\n{BILL}", ""),
        ("What is the total due on the bill of Orrin Forge?", f"Hask Mills\n\n{BILL}", ""),
    ],
)
def test_a_figure_is_found_in_its_cell(question: str, text: str, told: str) -> None:
    assert cell(question, text, "Bill 17") == told


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Is the Volga or the Danube longer?", Kind.COMPARISON),
        ("Is an air pump or a ground pump more expensive?", Kind.COMPARISON),
        ("Did it rise or fall?", Kind.YES_NO),
        ("Is it cheaper or slower?", Kind.YES_NO),
        ("Is it open on Monday or Tuesday?", Kind.YES_NO),
    ],
)
def test_a_choice_of_two_may_be_put_as_yes_or_no(question: str, kind: Kind) -> None:
    assert expected_kind(question) is kind


def test_a_row_of_no_year_that_is_asked_for_is_not_certain() -> None:
    shelf_of_one = pool(("Projects", BUDGETS))

    def sure(question: str) -> float:
        return decide(question, shelf_of_one, Ranking(shelf_of_one, question)).confidence

    assert sure("What was the budget of the cycle bridge in 2019?") < SURE
    assert sure("What is the budget of the cycle bridge?") >= SURE


def test_a_choice_of_two_is_decided_by_the_figures_of_a_sentence() -> None:
    text = "The offer of Nordrop is 219 crowns a month; Halvard Office is cheaper at 189 crowns."
    choice = decide_comparison("Is Nordrop or Halvard Office cheaper?", pool(("Offers", text)))
    assert choice.winner == "Halvard Office"


LISTS = """\
# Rules of the mill

## What is not paid for

- fines
- lunch on Sundays

## Committee

- Chair: Odile Varga
- Clerk: Tom Hask
"""
STEPS = """\
# Protocol: nitrate in wells

## Procedure

1. Let the sample reach the warmth of the room.
2. Add one sachet and measure at once.
"""


@pytest.mark.parametrize(
    ("question", "text", "first"),
    [
        ("What is not paid for on journeys?", LISTS, "fines"),
        ("Who is on the committee?", LISTS, "Chair: Odile Varga"),
        ("How is nitrate measured?", STEPS, "Let the sample reach the warmth of the room."),
        ("How is chlorine measured?", STEPS, ""),
        ("What is paid for on journeys?", LISTS, ""),
    ],
)
def test_lists_and_steps_are_found_by_what_is_over_them(
    question: str, text: str, first: str
) -> None:
    title = text.partition("\n")[0].lstrip("# ")
    items = find_list(question, pool((title, text)))
    assert (items[0].text if items else "") == first


def test_a_temperature_does_not_say_how_long() -> None:
    sentence = "Samples are kept at 4 °C."
    assert clear_span(Kind.NUMBER, "How long are samples kept?", sentence, frozenset()) is None
    kept = clear_span(
        Kind.NUMBER, "How long are samples kept?", "Samples are kept 28 days.", frozenset()
    )
    assert kept is not None
    assert (kept.kind, kept.text) == (DirectKind.NUMBER, "28 days")
