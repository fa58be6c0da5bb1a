"""How two things differ is read from a table that has both."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.comparisons.contrast import find_contrast

TICKETS: Text = (
    "Tickets",
    (
        "The ferry sells three tickets.\n\n| what | day | week | season |\n|---|---|---|---|\n"
        "| price | 12 francs | 40 francs | 310 francs |\n| crossings | 2 | 14 | any |\n"
        "| bicycles | free | free | free |\n| dogs | 3 francs | | none |\n"
    ),
)
BOATS: Text = (
    "Boats",
    (
        "| boat | built | seats |\n|---|---|---|\n| Heron | 1931 | 80 |\n| Teal | 1988 | 140 |\n"
        "| Little Teal | 1990 | 12 |\n"
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between day and week?",
        "What are the differences between the day ticket and the week ticket?",
        "How do the day and week tickets differ?",
        "Compare the day ticket with the week ticket.",
        "day vs week",
        "How does the day ticket differ from the week ticket?",
        "What distinguishes the day ticket from the week ticket?",
    ],
)
def test_columns_are_told_apart_by_the_rows_that_differ(question: str) -> None:
    contrast = find_contrast(question, pool(BOATS, TICKETS))
    assert contrast
    assert [row.text.split(" | ")[0] for row in contrast.lines] == ["| price", "| crossings"]
    assert contrast.columns == {"what", "day", "week"}


def test_rows_are_told_apart_by_their_first_cell() -> None:
    contrast = find_contrast("What is the difference between Heron and Teal?", pool(BOATS))
    assert contrast
    assert [row.text.split(" | ")[0] for row in contrast.lines] == ["| Heron", "| Teal"]
    assert contrast.columns == {"boat", "built", "seats"}


def test_tables_of_two_pages_with_the_same_heads_stay_apart() -> None:
    head = "| boat | built | seats |\n|---|---|---|\n"
    east = ("East", f"{head}| Heron | 1931 | 80 |\n")
    west = ("West", f"{head}| Teal | 1988 | 140 |\n")
    question = "What is the difference between Heron and Teal?"
    assert find_contrast(question, pool(east, west)) is None


@pytest.mark.parametrize(
    ("question", "rows", "columns"),
    [
        ("What is the difference between day and week in price?", ["| price"], {"day", "week"}),
        ("How do the Heron and the Teal differ in seats?", ["| Heron", "| Teal"], {"seats"}),
    ],
)
def test_of_what_is_to_be_compared_nothing_else_is_told(
    question: str, rows: list[str], columns: set[str]
) -> None:
    contrast = find_contrast(question, pool(BOATS, TICKETS))
    assert contrast
    assert [row.text.split(" | ")[0] for row in contrast.lines] == rows
    assert contrast.columns - {"what", "boat"} == columns


@pytest.mark.parametrize(
    "question",
    [
        "What does the day ticket cost?",
        "What is the difference between day and night?",
        "What is the difference between day and day tickets?",
        "What is the difference between day and week in colour?",
        "Which is cheaper, day or week?",
    ],
)
def test_what_a_table_does_not_tell_apart_is_left_to_others(question: str) -> None:
    assert find_contrast(question, pool(BOATS, TICKETS)) is None


def test_the_answer_is_a_table_of_the_two() -> None:
    sentences = answer("What is the difference between day and week?", TICKETS)
    assert [sentence.text for sentence in sentences] == [
        "what: price; day: 12 francs; week: 40 francs",
        "what: crossings; day: 2; week: 14",
    ]
    assert {str(sentence.opens) for sentence in sentences} == {"row"}
