"""What happens if something is so."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.conditions import tells_when, told_if

SLUICE: Text = (
    "sluice",
    (
        "sluice - drain a lock with a changed mode of the gates. If GATE is 'W' the lock of the"
        " sluice is drained slowly. If the keeper sleeps, the sluice rings. The sluice was painted"
        " when the war ended. It rings when the gauge is on."
    ),
)
TOWER: Text = ("Tower", "If the keeper sleeps, the tower stays dark.")


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What does sluice do if GATE is W?", "If GATE is"),
        ("What happens to the sluice when the keeper sleeps?", "If the keeper sleeps, the sluice"),
        ("What happens to the tower if the keeper sleeps?", "If the keeper sleeps, the tower"),
        ("What does sluice do if the keeper is drunk?", None),
        ("What does sluice do if the keeper is up?", None),
        ("What does sluice do when the gauge is down?", None),
        ("What does sluice do when the gauge is on?", "It rings when the gauge is on"),
        ("What happens to the cheese when the keeper sleeps?", None),
        ("When was the sluice painted?", None),
        ("What does sluice do?", None),
    ],
)
def test_the_condition_that_is_asked_about_is_that_of_the_line(
    question: str, begins: str | None
) -> None:
    read = pool(SLUICE, TOWER)
    found = told_if(question, read.lines, read)
    assert (found is None) if begins is None else (found and found.text.startswith(begins))


@pytest.mark.parametrize(("more", "told"), [("", True), (" in winter", False)])
def test_all_of_the_condition_that_is_asked_about_has_to_be_met(more: str, *, told: bool) -> None:
    text = (
        "sluice - drain a lock. If the brass lamp of the keeper fails, the sluice rings."
        " The sluice was painted in winter. In winter the gates are shut."
    )
    read = pool(("sluice", text))
    found = told_if(
        f"What does sluice do if the brass lamp of the keeper fails{more}?", read.lines, read
    )
    assert (found is not None) is told


def test_it_goes_before_what_tells_of_the_thing_alone() -> None:
    said = answer("What does sluice do if GATE is W?", SLUICE)
    assert said[0].text == "If GATE is 'W' the lock of the sluice is drained slowly."


MOORING: Text = (
    "mooring",
    (
        "OPTIONS\n"
        "       --log FILE\n"
        "           The file in which dives are noted. The log is never shortened.\n"
        "           Without this option nothing is noted.\n\n"
        "       --lamp NAME\n"
        "           The lamp to light. If no lamp is named, the nearest one burns.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What happens if I give no log file?", "Without this option nothing is noted."),
        ("What happens when the log is left out?", "Without this option nothing is noted."),
        ("What happens if I do not give a lamp?", "If no lamp is named, the nearest one burns."),
        ("What happens if I give a log file?", None),
        ("What happens if I give no anchor?", None),
    ],
)
def test_what_is_so_without_an_option_is_told_below_it(question: str, text: str | None) -> None:
    read = pool(MOORING)
    found = told_if(question, read.lines, read)
    assert (found and found.text) == text


BILGE: Text = (
    "Bilge",
    (
        "The bilge of the skiff smells of tar in summer. To go on sailing they rinsed with sea"
        " water. Oars are bought at the quay."
    ),
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What can I do if the bilge of the skiff smells of tar?", True),
        ("What did they do about the smell of tar in the bilge of the skiff?", True),
        ("What smells of tar in the bilge of the skiff in summer?", False),
    ],
)
def test_what_one_does_about_it_is_told_with_the_line_after(question: str, shown: bool) -> None:
    said = [each.text for each in answer(question, BILGE)]
    assert said[0].startswith("The bilge of the skiff")
    assert (said[1:2] == ["To go on sailing they rinsed with sea water."]) is shown


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("When a lease is over, the keeper is taken for lost.", True),
        ("The keeper is taken for lost once a lease is over.", True),
        ("The keeper is taken for lost.", False),
        ("When the keeper is taken for lost, the lamp is lit.", False),
    ],
)
def test_a_condition_tells_when_something_is_so(sentence: str, *, told: bool) -> None:
    assert tells_when("When is the keeper taken for lost?", sentence) is told
    assert not tells_when("Who is the keeper taken for lost?", sentence)
