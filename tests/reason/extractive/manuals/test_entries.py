from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.manuals.entries import find_entry, find_key, find_row
from quaere.reason.extractive.manuals.lists import find_list

MANUAL: Text = (
    "The ferry command",
    (
        "Run ferry with a name.\n\nExit codes:\n\n    0    arrived\n    3    stranded, but dry; the"
        " crew\n         waits\n    130  turned back\n\nColours:\n\n    3    red\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does exit code 3 mean?", "3 stranded, but dry; the crew waits"),
        ("What does exit code 130 mean?", "130 turned back"),
        ("What is colour 3?", "3 red"),
    ],
)
def test_an_entry_is_found_by_its_key_and_by_what_leads_in(question: str, said: str) -> None:
    (found,) = find_entry(question, pool(MANUAL))
    assert found.text == said
    text = MANUAL[1][found.start : found.end]
    assert " ".join(text.split()) == said


@pytest.mark.parametrize(
    "question",
    [
        "What does exit code 7 mean?",
        "What does signal 3 mean?",
        "How many exit codes are there?",
        "What is the name of the crew?",
    ],
)
def test_another_key_or_another_listing_is_no_entry(question: str) -> None:
    assert find_entry(question, pool(MANUAL)) == ()


ENDS: Text = (
    "Ends of a trip",
    (
        "# Ends of a trip\n\n| reason | what happened |\n|---|---|\n"
        "| `no_wind` | the sails hung |\n"
        "| `low_tide` | the keel touched the ground |\n"
    ),
)


def test_the_row_of_a_name_of_code_answers_what_is_asked_of_it() -> None:
    (row,) = find_row("Why does a trip end with low_tide?", pool(ENDS))
    assert row.text == "| `low_tide` | the keel touched the ground |"
    assert find_row("Why does a trip end with high_tide?", pool(ENDS)) == ()
    assert find_row("Does a trip end with low_tide?", pool(ENDS)) == ()
    assert find_row("Which harbour master pays for low_tide?", pool(ENDS)) == ()
    assert find_row("Why does a trip end with low_tide?", pool(ENDS, ("Again", ENDS[1]))) == ()


PAGE: Text = (
    "hush",
    (
        "EXIT CODES\n"
        "       There are several different codes, and with each of them goes an\n"
        "       error  message of its own. At present they are:\n\n"
        "       0      All is quiet.\n\n"
        "       1      A bell that was needed to wake the keeper was not\n"
        "              rung  before noon.\n\n"
        "       2      The hull is wet.\n\n"
        "ENVIRONMENT\n"
        "       A      The anchor.\n"
    ),
)
TWO: Text = (
    "bells",
    (
        "## bells\n\n```text\nCommands:\n  ring  Ring one.\n  hush  Be quiet.\n```\n\n"
        "## bells rope\n\n```text\nCommands:\n  haul  Haul it.\n  slip  Slip it.\n```\n"
    ),
)
ROPES: Text = ("bells", TWO[1].replace("## bells\n", "## bells hull\n"))


@pytest.mark.parametrize(
    ("question", "page", "keys"),
    [
        ("What are the exit codes of hush?", PAGE, ["0", "1", "2"]),
        ("Which commands does bells have?", TWO, ["ring", "hush"]),
        ("Which commands does bells rope have?", TWO, ["haul", "slip"]),
        ("Which commands does bells have?", ROPES, []),  # headed alike
        ("Which planets does bells have?", TWO, []),
    ],
)
def test_the_entries_of_a_listing_are_a_list(question: str, page: Text, keys: list[str]) -> None:
    found = find_list(question, pool(page))
    assert [line.text.split()[0] for line in found] == keys


def test_a_line_of_prose_is_no_entry_and_ends_none() -> None:
    (line,) = find_entry("What does exit code 1 of hush mean?", pool(PAGE))
    assert line.text == "1 A bell that was needed to wake the keeper was not rung before noon."
    assert find_key("What does hush exit code 1 mean?", pool(PAGE)) is None


def test_ten_thousand_entries_are_listed_at_once() -> None:
    page = pool(("hush", "Exit codes:\n" + "0  a\n" * 10_000))
    started = time.perf_counter()
    find_list("What are the exit codes of hush?", page)
    assert time.perf_counter() - started < 1
