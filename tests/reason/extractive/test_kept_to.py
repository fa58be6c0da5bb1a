"""What is kept to one thing, or said of another than is asked of."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import pool

from quaere.reason.extractive.kept_to import is_elsewhere
from quaere.reason.extractive.yes_no import decide_yes_no


@pytest.mark.parametrize(
    ("asked", "said", "elsewhere"),
    [
        ("Is the app available in French?", "It is available in Dutch, French and Thai.", False),
        (
            "Is smoking allowed in the garden?",
            "It is allowed in the yard, the garden and bar",
            False,
        ),
        ("Is it approved for children?", "It is approved for adults, and for children.", False),
        ("Is it written in C?", "It is written in pure Python, and as fast as C.", True),
    ],
)
def test_a_later_item_of_a_list_is_no_other_thing(asked: str, said: str, elsewhere: bool) -> None:
    (line,) = pool(("Page", said)).lines
    assert is_elsewhere(line, asked) is elsewhere


@pytest.mark.parametrize(
    "asked", ["Is it in" + " " * 4_000 + "x?y", "Is it " + "in a " * 2_000 + ", y"]
)
def test_a_question_without_an_end_takes_no_longer_than_it_has_to(asked: str) -> None:
    (line,) = pool(("Page", "It is written in pure Python.")).lines
    began = time.monotonic()
    assert not is_elsewhere(line, asked)
    assert time.monotonic() - began < 2


def test_what_is_for_things_told_elsewhere_says_nothing_of_one_that_is_named() -> None:
    question = "Does the pump of Hask run on barges?"
    rule = ("Hask", "The pump of Hask runs on supported hulls only.")
    steel = ("Hask", "The pump of Hask runs on steel hulls only.")
    assert decide_yes_no(question, pool(rule)) is None
    found = decide_yes_no(question, pool(steel))
    assert found is not None
    assert found.says is False


def test_what_a_thing_supports_is_said_in_the_line_and_not_at_the_head_of_its_page() -> None:
    head = "Hask is a pump for barges, tugs and Ferrybo. It is loud."
    page = ("Hask", f"{head} Hask does not claim to support all valves.")
    assert decide_yes_no("Does Hask support Ferrybo?", pool(page)) is None
