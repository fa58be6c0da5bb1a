"""Lines that say yes or no by their form."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.said_outright import answered_by_label
from quaere.reason.extractive.yes_no import Ground, decide_yes_no

TERN: Text = (
    "Tern",
    (
        "# Tern\n\nTern is a terminal.\n\n## Limits\n\n- No sound (text only).\n- No more than six"
        " windows.\n\n## Letters\n\n- Tern is small, and draws few letters. Currently not"
        " supported:\n  - Slanted (italic) letters;\n  - letters of two columns;\n- Tern is free.\n"
        "\n## Decisions\n\n1. **Parallel windows**: Yes - open windows side by side\n"
        "2. **Remote windows**: No, never\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is there a sound?", False),
        ("Does Tern have a sound?", False),
        ("Does Tern support slanted letters?", False),
        ("Are Tern windows parallel?", True),
        ("Are there remote windows?", False),
        ("Does Tern have no sound?", None),
        ("Does Gannet have a sound?", None),
    ],
)
def test_a_line_says_it_by_its_form(question: str, says: bool | None) -> None:
    found = decide_yes_no(question, pool(TERN))
    assert (found.says if found and found.ground is not Ground.LACKING else None) is says


@pytest.mark.parametrize(
    "said",
    [
        "There is no sound on Sundays.",
        "On Sundays there is no sound.",
        "No sound on Sundays.",
        "No recorded sound.",
    ],
)
def test_that_there_is_none_at_times_or_of_a_kind_denies_nothing_else(said: str) -> None:
    found = decide_yes_no("Is there a sound?", pool(("Tern", said)))
    assert found is None or found.ground is not Ground.READ


def test_a_label_with_little_of_the_question_answers_nothing() -> None:
    read = pool(TERN)
    assert answered_by_label("Are the harbour lights red at night?", read.lines, read) is None
    assert answered_by_label("Are Tern windows not parallel?", read.lines, read) is None


@pytest.mark.parametrize("repeated", ["a ", "No a ", "a: ", "**"])
def test_hostile_lines_take_no_time(repeated: str) -> None:
    read = pool(("Tern", repeated * (50_000 // len(repeated))))
    started = time.process_time()
    answered_by_label("Are Tern windows parallel?", read.lines, read)
    decide_yes_no("Does Tern have a sound?", read)
    assert time.process_time() - started < 2
