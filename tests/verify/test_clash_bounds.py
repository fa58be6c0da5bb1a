"""What is needed besides a clash before it counts, and before it is a contradiction."""

from __future__ import annotations

import pytest

from quaere.verify.clash import SHORT, Kind, clash

OFTEN = "The lift of the old mill is inspected {} by a smith."
BOTH = "The clerk is asked after the words were counted and before the model was called."


def found(said: str, *lines: str) -> tuple[Kind, bool] | None:
    clashing = clash(said, lines, [])
    return clashing and (clashing.kind, clashing.contradicts)


@pytest.mark.parametrize(
    ("said", "contradicts"),
    [
        ("Borg found 7 caves and Ruhl found 12 caves.", True),
        ("Borg happily found 7 caves and Ruhl sadly found 12 caves.", False),
    ],
)
def test_figures_that_changed_places_contradict_where_the_statements_are_nearly_the_same(
    said: str, contradicts: bool
) -> None:
    line = "Borg found 12 caves and Ruhl found 7 caves."
    assert found(said, line) == (Kind.EXCHANGED, contradicts)


@pytest.mark.parametrize(
    ("said", "expected"), [("weekly", None), ("every month", (Kind.FIGURE, False))]
)
def test_how_often_is_told_by_the_lines_that_come_near(
    said: str, expected: tuple[Kind, bool] | None
) -> None:
    lines = (OFTEN.format("weekly"), "Bread is baked monthly in the lower town of Hask.")
    assert found(OFTEN.format(said), *lines) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The clerk is asked before the words were counted.", Kind.ORDER),
        ("The clerk is asked after the model was called.", Kind.ORDER),
        ("The clerk is asked after the words were counted.", None),
        ("The clerk is asked before the model was called.", None),
    ],
)
def test_of_two_words_of_order_each_is_bound_to_what_follows_it(
    said: str, expected: Kind | None
) -> None:
    clashing = clash(said, [BOTH], [])
    assert (clashing and clashing.kind) == expected


@pytest.mark.parametrize(
    ("whom", "expected"), [("students", Kind.MISPLACED), ("all students", None)]
)
def test_a_figure_of_another_label_is_looked_for_in_short_sentences(
    whom: str, expected: Kind | None
) -> None:
    where = "In the old harbour hall on the upper quay of the town"
    said = f"{where} {whom} pay 8 euros."
    assert len(said.split()) == SHORT + (expected is None)
    clashing = clash(said, [f"{where} adults pay 8 euros, students 5 euros."], [])
    assert (clashing and clashing.kind) is expected
