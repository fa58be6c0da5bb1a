"""Whether something is so on a day of the week."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.weekdays import days_in
from quaere.reason.extractive.yes_no import decide_yes_no

YARD: Text = (
    "Hask yard",
    (
        "The chandlery opens from Tuesday to Friday. The sauna opens on Mondays and at weekends."
        " The crane does not run on Sundays. The canteen opens daily except on Thursdays."
        " The slip was mended on a Wednesday."
    ),
)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("open on Tuesdays and Sunday", {1, 6}),
        ("Friday to Monday", {4, 5, 6, 0}),
        ("MONDAY–WEDNESDAY", {0, 1, 2}),
        ("at weekends", {5, 6}),
        ("on weekdays and on Saturdays", {0, 1, 2, 3, 4, 5}),
        ("a holiday some day", set[int]()),
    ],
)
def test_days_are_read_with_those_in_between(text: str, days: set[int]) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is the chandlery of the Hask yard open on Thursdays?", True),
        ("Does the chandlery open on Saturdays?", False),
        ("Does the chandlery open on Fridays and Saturdays?", None),
        ("Does the sauna open on Sundays?", True),
        ("Does the sauna open on Tuesdays?", False),
        ("Does the crane run on Mondays?", None),
        ("Does the canteen open on Mondays?", None),
        ("Does the bakery of the harbour office open on Mondays?", None),
        ("Does the sauna not open on Sundays?", None),
    ],
)
def test_what_is_told_to_be_on_some_days_is_not_on_others(question: str, says: bool | None) -> None:
    found = decide_yes_no(question, pool(YARD))
    assert (found.says if found else None) is says


def test_the_days_are_the_proof() -> None:
    said = answer("Does the chandlery open on Saturdays?", YARD)
    assert said[0].direct is not None
    assert said[0].direct.text == "No"
    assert said[0].text == "The chandlery opens from Tuesday to Friday."


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon-Wed 9-17, Sat 9-12", {0, 1, 2, 5}),
        ("Tue & Thu: 4 pm", {1, 3}),
        ("Thurs. to Sun 8-10", {3, 4, 5, 6}),
        ("The Sun shines, Wed or not; a hat and sun cream", set[int]()),
    ],
)
def test_days_are_read_as_lists_of_hours_write_them(text: str, days: set[int]) -> None:
    assert days_in(text) == days


HOURS: Text = (
    "Tarn pool",
    (
        "# Tarn pool\n\n## Opening hours\n\nTuesday to Friday 10-18, Thu until 9 pm, Sat 9-12.\n\n"
        "## Boats\n\nThe ferry runs from Monday to Saturday. On Sundays there is a punt at noon.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is the pool open at 8pm on Thursdays?", True),
        ("Is the pool open at 8pm on Wednesdays?", False),
        ("Is the pool open at 10:30 on Saturday?", True),
        ("Is the pool open at 12:30 on Saturday?", False),
        ("Is the pool open at 7 on Thursday?", None),
        ("Is the pool open at 11 on Friday?", None),
        ("Is the pool open on Saturday?", True),
        ("Is the bakery open at 8pm on Thursdays?", None),
        ("Does the ferry run on Sundays?", True),
        ("Does the ferry run on Fridays?", True),
    ],
)
def test_hours_and_days_are_read_with_what_stands_over_and_beside_them(
    question: str, says: bool | None
) -> None:
    found = decide_yes_no(question, pool(HOURS))
    assert (found.says if found else None) is says
