"""By what means something is done, as a sentence tells that begins with the deed."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.manuals.means import asked_deed, find_means

LEAKS: Text = (
    "Harbour rules",
    (
        "# Harbour rules\n\n## Leaks\n\nReport leaks in a hull via the yellow telephone.\n\n"
        "## What a report has\n\n1. Say which hull it is.\n2. Say how much water is in it.\n\n"
        "Report to nobody else. Paint hulls in spring. Moor boats with:\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I report a leak in a hull?", ["Report leaks in a hull via the yellow telephone."]),
        ("Where can one report leaks?", ["Report leaks in a hull via the yellow telephone."]),
        ("How do I report a fire?", []),
        ("How do I paint a hull?", []),
        ("How do I moor a boat?", []),
        ("Why do I report a leak in a hull?", []),
        ("How do I not report a leak in a hull?", []),
    ],
)
def test_the_sentence_begins_with_the_deed_and_says_by_what(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_means(question, pool(LEAKS))] == lines


def test_of_two_that_say_it_differently_none_answers() -> None:
    other = ("Annex", "Report leaks in a hull by letter.")
    assert find_means("How do I report a leak in a hull?", pool(LEAKS, other)) == ()


def test_the_deed_is_the_verb_of_a_question_for_a_way() -> None:
    assert asked_deed("How can we empty the tank?") == "empti"
    assert asked_deed("How do I make the old bell louder?") == "louder"
    assert asked_deed("How do I make a paper?") == "make"
    assert asked_deed("How long do I wait?") == ""


def test_the_means_go_before_a_list_of_what_else_has_to_be_said() -> None:
    first = answer("How do I report a leak in a hull?", LEAKS)[0]
    assert first.text == "Report leaks in a hull via the yellow telephone."
