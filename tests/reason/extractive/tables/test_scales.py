"""Of which figures a caption tells that they are in thousands or millions (R0.12)."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.scales import scale_told


@pytest.mark.parametrize(
    ("text", "head", "scale"),
    [
        ("Visitors (in thousands) by hut and year.", "2023", "thousand"),
        ("Visitors (in thousands) by hut and year.", "Visitors", "thousand"),
        ("Visitors (in thousands) by hut and year.", "Bunks", ""),
        ("Passengers (in millions)", "Lifts", ""),
        ("All figures in thousands unless stated otherwise.", "Profit", "thousand"),
        ("All figures in thousands unless stated otherwise.", "Employees", ""),
        ("All figures in thousands unless stated otherwise.", "Margin (%)", ""),
        ("In million euros", "wood", "million euros"),
        ("In million euros", "Customers", ""),
        ("Harvest in tonnes. All prices in thousand crowns.", "Rye", ""),
        ("Harvest in tonnes. All prices in thousand crowns.", "Price", "thousand crowns"),
        ("Profit and loss account, in millions of dollars", "Revenue", "million dollars"),
        ("Sums of the estate in thousands of pounds", "Q2", "thousand pounds"),
        ("Huts by size, figures in thousands", "Large", "thousand"),
        ("Huts in thousand-acre woods", "2023", ""),
        ("A list of huts.", "2023", ""),
    ],
)
def test_a_scale_is_told_of_what_it_is_said_of(text: str, head: str, scale: str) -> None:
    assert scale_told(text, head) == scale


SPENT = read(
    passage_of(
        "spent.csv", piped("Desk,2022,2023,2024,Staff\nRoads,12.5,13,15,8\nParks,2.1,2.0,2.4,3")
    ).model_copy(update={"beside": "Amounts in million euros"})
)
PLAIN = read(
    passage_of(
        "spent.csv", piped("Desk,2022,2023,2024\nRoads,12.5,13,15\nParks,2.1,2.0,2.4")
    ).model_copy(update={"beside": "Amounts in million euros"})
)


def test_people_are_told_as_they_are_counted_next_to_money_in_millions() -> None:
    assert told("How much was spent on Parks in 2023?", SPENT) == "2.0 million euros"
    assert told("How many staff do Roads have?", SPENT) == "8"


STATEMENT = read(
    passage_of(
        "mills.csv",
        piped("Item,2022,2023\nRevenue,900,1100\nEmployees,120,130\nEarnings per share,0.4,-0.1"),
    ).model_copy(update={"beside": "In thousands of euros, except per share data"})
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was revenue in 2023?", "1100 thousand euros"),
        ("What were earnings per share in 2022?", "0.4"),
        ("How many employees were there in 2023?", "130"),
    ],
)
def test_ratios_and_staff_in_a_statement_are_told_as_they_are(question: str, answer: str) -> None:
    assert told(question, STATEMENT) == answer


def test_a_sum_is_in_what_the_caption_says() -> None:
    found = told("How much was spent on Parks in all years?", PLAIN)
    assert found is not None
    assert found.startswith("6.5 million euros (sum of Amounts (million euros) over 3 of 6 figures")
