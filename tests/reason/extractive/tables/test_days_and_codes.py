"""When something is, is told by a day, and not by the name of a room."""

from __future__ import annotations

from tests.reason.extractive.passages import Text, answer

from quaere.domain.report import SURE

COURSES: Text = (
    "Courses",
    (
        "# Courses\n\n| Course | Teacher | Room | Day | Fee |\n| --- | --- | --- | --- | --- |\n"
        "| Latin | Lucia Mora | B12 | Tuesday | £90 |\n| Chess | Ian Frost | A3 | Thursday | £12 |"
    ),
)


def test_a_day_answers_when_and_no_room_does() -> None:
    direct = answer("When is Chess?", COURSES)[0].direct
    assert direct is not None
    assert (direct.text, direct.confidence >= SURE) == ("Thursday", True)


def test_a_fee_answers_how_much() -> None:
    direct = answer("How much is Latin?", COURSES)[0].direct
    assert direct is not None
    assert (direct.text, direct.confidence >= SURE) == ("£90", True)
