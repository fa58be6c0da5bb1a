"""How many there are of something, where a line of a long report says it with the number."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.question import Intent, SourceKind
from quaere.domain.report import SURE
from quaere.reason.extractive.counted import find_count
from quaere.reason.extractive.queries import count_queries

STAFF = "As of May 31, 2031, we had approximately 7,600 employees worldwide, half of them at sea."
REPORT: Text = (
    "Tern Lines annual report",
    (
        "Employees purchased 2.5 million, 3.1 million and 3.3 million shares during each of the "
        f"fiscal years ended May 31, 2031, 2030 and 2029, respectively.\n\n{STAFF}"
    ),
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many employees did Tern Lines have at the end of fiscal 2031?", "7,600 employees"),
        ("How many employees are there?", "7,600 employees"),
        ("How many employees does Tern Lines have in Norway?", None),
        ("How many ships does Tern Lines have?", None),
        ("How many employees does Tern Lines not have?", None),
        ("What do the employees earn?", None),
    ],
)
def test_a_line_that_says_how_many_somebody_has_answers(question: str, text: str | None) -> None:
    found = find_count(question, pool(REPORT))
    assert (found.text if found else None) == (text and f"approximately {text}")


def test_those_of_somebody_are_counted_by_his_name() -> None:
    told: Text = ("Tern Lines letter", "She cares for the nearly 8,000 Tern Lines employees.")
    found = find_count("How many employees does Tern Lines have?", pool(told))
    assert found is not None
    assert found.text == "nearly 8,000 Tern Lines employees"
    assert find_count("How many employees does Plover have?", pool(told)) is None


@pytest.mark.parametrize(
    "told",
    [
        "Tern Lines has 1,200 employees in Norway.",
        "Tern Lines had 12 employees who were trained at sea.",
        "Last week 200 Tern Lines employees went on strike.",
        "Among those honoured were 12 employees.",
        "He left with 3 employees.",
    ],
)
def test_those_of_one_place_or_kind_are_not_all(told: str) -> None:
    lines: Text = ("Tern Lines news", told)
    assert find_count("How many employees does Tern Lines have?", pool(lines)) is None


@pytest.mark.parametrize(
    "told",
    [
        "Tern Lines has 1,200 employees.",
        "Tern Lines had 1,200 employees as of May 2031.",
        "Tern Lines had 1,200 employees at the end of May 2031.",
        "There are 1,200 employees worldwide, most of them at sea.",
    ],
)
def test_all_of_them_are(told: str) -> None:
    found = find_count("How many employees does Tern Lines have?", pool(("Tern Lines news", told)))
    assert found is not None
    assert found.text == "1,200 employees"


def test_of_two_numbers_none_answers() -> None:
    other: Text = ("Tern Lines news", "Tern Lines has 8,000 employees.")
    assert find_count("How many employees does Tern Lines have?", pool(REPORT, other)) is None


def test_the_answer_is_the_number_with_its_line() -> None:
    (told, *_) = answer("How many employees did Tern Lines have in 2031?", REPORT)
    assert told.direct is not None
    assert told.direct.text == "approximately 7,600 employees"
    assert told.direct.confidence >= SURE
    assert told.text == STAFF


def test_a_folder_is_asked_for_what_is_counted_alone() -> None:
    asked = "How many streaming members did Tern Lines have at the end of 2031?"
    (query,) = count_queries(asked, [SourceKind.FOLDER])
    assert (query.text, query.intent) == ("streaming members tern lines", Intent.PART)
    assert query.places > 0
    assert count_queries(asked, [SourceKind.WEB]) == ()
    assert count_queries("Who owns Tern Lines?", [SourceKind.FOLDER]) == ()


def test_what_there_are_of_something_counts_it_with_its_owner_named() -> None:
    grid = ("Grid", "To fit all screens, there are five grid steps, one for each size of them.")
    found = find_count("How many steps does the grid have?", pool(grid))
    assert found is not None
    assert found.text == "five grid steps"


LIMITS: Text = (
    "Settings",
    (
        "| variable | default | meaning |\n|---|---|---|\n"
        "| `MAX_BERTH_BOATS` | `2,000` | Boats that a member may moor at one berth. |\n"
        "| `MAX_BERTH_WEIGHT` | `900` | Weight of the boats at one berth. |\n"
        "| `MAX_BERTHS` | `50` | Berths that a member may have. |\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many boats may a berth have?", "2,000"),
        ("How many berths may a member have?", "50"),
        ("How many boats may a pier have?", None),
        ("How many members may moor at a berth?", None),
    ],
)
def test_the_row_that_begins_with_what_is_counted_tells_how_many(
    question: str, told: str | None
) -> None:
    found = find_count(question, pool(LIMITS))
    assert (found.text if found else None) == told
