"""A question that names one side of a table of prices, or neither, is given all that it covers."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read

from quaere.reason.extractive.tables.rows import answer_over_rows, nearly_answered
from quaere.reason.extractive.tables.slices import SIDE_BY_SIDE

NIGHTS = read(
    passage_of(
        "lodge.md",
        "# Lodge\n\n## Prices a night\n\n| | Members | Guests |\n|---|---|---|\n"
        "| Adults | £14 | £21 |\n"
        "| Children | £7 | |\n",
    )
)
TICKETS = read(
    passage_of(
        "pool.md",
        "# Admission\n\n| Ticket | Price |\n|---|---|\n| Adult | £5.20 |\n| Student | £3.80 |\n",
    )
)
ALL = "Adults: £14 (Members), £21 (Guests); Children: £7 (Members)"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much do guests pay?", "Adults: £21"),
        ("What is the price for members?", "Adults: £14; Children: £7"),
        ("How much is it for adults?", "Members: £14; Guests: £21"),
        ("What does an adult guest pay?", "£21"),
        ("What are the prices?", ALL),
        ("How much does a night cost?", ALL),
        ("How much does breakfast cost?", None),
        ("How many members are there?", None),
        ("Who are the members?", None),
        ("How much snow do members expect?", None),
    ],
)
def test_prices_are_told_side_by_side(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, NIGHTS)
    assert (found and found.text) == answer


@pytest.mark.parametrize("question", ["What are the prices?", "How much is admission?"])
def test_all_prices_of_one_column_are_told_by_their_rows(question: str) -> None:
    found = answer_over_rows(question, TICKETS)
    assert found is not None
    assert found.text == "Adult: £5.20; Student: £3.80"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("item,price\nwheel,120\nroof,80", False),
        ("who,price\nAdults,12\nChildren,8", True),
        ("sort,price of a ticket\nfront,12\nback,8", True),
    ],
)
def test_tickets_cost_what_a_list_of_parts_says_in_no_case(rows: str, told: bool) -> None:
    goods = read(passage_of("costs.csv", piped(rows)))
    for question in ("What do tickets cost?", "How much is admission?"):
        assert (answer_over_rows(question, goods) is not None) is told


def test_what_something_else_costs_is_not_told_of_all_that_is_there() -> None:
    goods = read(passage_of("list.csv", piped("item,price,year\nwheel,120,1781\nroof,80,1790")))
    assert nearly_answered("What do apples cost?", goods) is None
    found = nearly_answered("Which apple costs most?", goods)
    assert found is None or "; " not in found.text


def test_the_prices_of_a_long_table_are_not_told_side_by_side() -> None:
    rows = "".join(f"| Ware {chr(65 + n)} | £{n + 2} |\n" for n in range(SIDE_BY_SIDE + 1))
    wares = read(passage_of("wares.md", f"# Prices\n\n| Ware | Price |\n|---|---|\n{rows}"))
    assert answer_over_rows("What are the prices?", wares) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much did Tern pay?", None),
        ("What price did Tern pay per share?", "2031: $105.98; 2030: $93.18"),
    ],
)
def test_amounts_of_years_are_no_price_list(question: str, answer: str | None) -> None:
    rows = (
        "| Purchases | 2031 | 2030 |\n|---|---|---|\n| Shares bought | 53.9 | 79.5 |\n"
        "| Average price paid per share | $105.98 | $93.18 |\n| Amount paid | $5,717 | $7,410 |\n"
    )
    found = answer_over_rows(question, read(passage_of("tern.md", f"# Tern\n\n{rows}")))
    assert (found and found.text) == answer


@pytest.mark.parametrize("question", ["How much debt does Tern have?", "How many buys has Tern?"])
def test_rates_are_no_prices_nor_is_a_count_asked_for(question: str) -> None:
    rows = "| Debt | 2031 or later |\n|---|---|\n| Fixed | $1,150 |\n| Interest | 5.4 % |\n"
    debts = read(passage_of("tern.md", f"# Tern\n\n{rows}"))
    assert answer_over_rows(question, debts) is None
