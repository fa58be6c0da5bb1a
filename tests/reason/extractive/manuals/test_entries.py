from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.manuals.entries import find_entry, find_row

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
