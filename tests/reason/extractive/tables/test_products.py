"""What things of several sorts cost together, and what a stock is worth."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, read, told

from quaere.reason.extractive.tables.rows import answer_over_rows

FERRY = read(
    passage_of(
        "ferry.md",
        "| | Adults | Children | Bicycles |\n| Day | £4.20 | £2.10 | £3.00 |\n"
        "| Night | £5.50 | £2.80 | £3.60 |",
    )
)
TICKETS = read(
    passage_of("tickets.md", "| Ticket | Price |\n| Adult | €12 |\n| Child | €7 |\n| Dog | €3 |")
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much do two adults and one child pay by night?", "£13.80 (2 × £5.50 + 1 × £2.80)"),
        ("What do an adult, 3 children and a bicycle pay by day?", "£13.50"),
        ("What do two adults pay by night?", "£11 (2 × £5.50)"),
        ("How much do two adults and a horse pay by night?", None),
        ("How much do two adults and one child pay?", None),
    ],
)
def test_prices_of_several_sorts_in_one_row_are_added(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, FERRY)
    assert found is None if answer is None else found and found.text.startswith(answer)


def test_prices_of_several_rows_are_added_and_both_rows_are_shown() -> None:
    found = answer_over_rows("What do two adults and a dog cost?", TICKETS)
    assert found is not None
    assert found.text == "€27 (2 × €12 + 1 × €3)"
    assert [line.text for line in found.lines] == ["| Adult | €12 |", "| Dog | €3 |"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What do 4 adults cost?", "€48 (4 × €12)"),
        ("What do 4 kg of adults cost?", None),
        ("What do 12 metres of dog cost?", None),
        ("What do 4.5 adults cost?", None),
    ],
)
def test_only_what_is_counted_is_multiplied(question: str, answer: str | None) -> None:
    assert told(question, TICKETS) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the stock of buoys worth?", "€300 (12 × €25)"),
        ("What is the value of the stock of buoys?", "€300 (12 × €25)"),
        ("What is the whole stock worth?", "€860 (Stock × Stock price over 3 rows of wares.md)"),
        ("What is the whole stock of Orrin worth?", None),
    ],
)
def test_a_stock_is_worth_its_count_times_the_price(question: str, answer: str | None) -> None:
    heads = "| Ware | Stock | Stock price |"
    rows = "| Anchor | 4 | €90 |\n| Buoy | 12 | €25 |\n| Chain | 5 | €40 |"
    assert told(question, read(passage_of("wares.md", f"{heads}\n{rows}"))) == answer


@pytest.mark.parametrize(
    "table",
    [
        "| Ware | Stock | Price |\n| Anchor | 4 | €90 |\n| Buoy | | €25 |",
        "| Ware | Weight | Price |\n| Anchor | 4 | €90 |\n| Buoy | 12 | €25 |",
        "| Ware | Stock | Pieces | Price |\n| Anchor | 4 | 7 | €90 |\n| Buoy | 12 | 1 | €25 |",
        "| Ware | Stock | Price | Value |\n| Anchor | 4 | €90 | €360 |\n| Buoy | 12 | €25 | €300 |",
        "| Ware | Stock | Price | Value |\n| Anchor | 4 | 90 | 360 |\n| Buoy | 12 | 25 | 300 |",
    ],
    ids=[
        *("a figure is missing", "nothing is counted", "two counts", "it tells the product"),
        "it tells the product without a currency",
    ],
)
def test_a_stock_is_not_worth_a_product_of_unsure_figures(table: str) -> None:
    assert told("What is the whole stock worth?", read(passage_of("wares.md", table))) is None


def test_a_price_is_one_by_its_head_where_no_currency_is_told() -> None:
    rows = "| Ware | Stock | Unit price |\n| Anchor | 4 | 90 |\n| Buoy | 12 | 25 |"
    found = told("What is the total value of the stock?", read(passage_of("wares.csv", rows)))
    assert found == "660 (Stock × Unit price over 2 rows of wares.csv)"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the total cost?", "660 (Quantity × Price over 2 rows of order.csv)"),
        ("What is the total price of the buoys?", "300 (12 × 25)"),
        ("What is the total cost of delivery?", None),
    ],
)
def test_a_total_cost_counts_each_piece(question: str, answer: str | None) -> None:
    rows = "| Ware | Quantity | Price |\n| Anchor | 4 | 90 |\n| Buoy | 12 | 25 |"
    assert told(question, read(passage_of("order.csv", rows))) == answer
