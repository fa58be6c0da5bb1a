"""What the figures of a sentence count is what was asked, or something else."""

from __future__ import annotations

import time

import pytest

from quaere.reason.extractive.things_counted import (
    counts_another,
    counts_changes_only,
    counts_other,
    measures_only,
)


def test_weeks_and_a_limit_do_not_tell_how_many_days() -> None:
    assert counts_other("How many days do I get?", "Ask three weeks ahead.")
    assert counts_other("How many days do I get?", "Ask for anything longer than two days.")
    assert not counts_other("How many days do I get?", "You get 28 working days.")


@pytest.mark.parametrize(
    ("sentence", "is_of_another"),
    [
        ("The dome with its wheels fails in two towns.", True),
        ("There are 40 wheels.", False),
        ("Of the wheels 12 are brass.", False),
        ("Wheels: 40", False),
        ("The 40 old brass wheels turn.", False),
        ("The dome has wheels.", False),
        ("The dome of 1991 has wheels.", True),
        ("Two towns have a dome.", False),
        ("The number of wheels of the dome rose to 40 last year.", False),
        ("The wheels of the dome total 40 since May.", False),
        ("The wheels: £25.", True),
        ("The wheels are 4.20 m wide.", True),
        ("The wheels: four, each 2 m wide.", False),
        ("The wheels of the dome are on page 40, those of the mill in room 12.", True),
        ("The wheels of the dome on page 3 are 40.", False),
        ("Of 90 towns 85; after mends, 90; the wheels of the dome turn.", True),
        ("The wheels of the dome turn by `turn --by 40`.", True),
    ],
)
def test_a_figure_counts_what_it_stands_next_to(sentence: str, *, is_of_another: bool) -> None:
    assert counts_another("How many wheels does the dome have?", sentence) is is_of_another


def test_what_is_asked_in_a_unit_may_be_told_in_it() -> None:
    assert not counts_another("How many metres is the dome?", "The dome, in metres: 40 m.")
    assert not counts_another("How many pages has the book?", "The book has, in pages 40.")


@pytest.mark.parametrize(
    ("question", "sentence", "counts"),
    [
        ("How many people does the stew serve?", "Kale wants five minutes more.", True),
        ("How many people does the stew serve?", "It serves six.", False),
        ("How many minutes does kale want?", "Kale wants five minutes.", False),
        ("How many people swim?", "People swim from 6:30 to 21:00.", True),
        ("How many members are there?", "Tea is free for members under 70.", True),
        ("How many members are there?", "There are 70 members.", False),
    ],
)
def test_minutes_hours_and_ages_count_no_people(
    question: str, sentence: str, *, counts: bool
) -> None:
    assert counts_another(question, sentence) is counts


@pytest.mark.parametrize(
    ("told", "counts"),
    [
        ("Employees purchased 2.5 million, 3 million and 4 million shares in 2031.", True),
        ("Employees purchased 2.5 million , 3 million and 4 million shares in 2031.", True),
        ("Costs rose due to (1) higher pay for employees and (2) a new quay.", True),
        ("The employees numbered 7,600 in 2031.", False),
        ("It has 7,600 employees.", False),
    ],
)
def test_figures_in_a_row_are_of_what_follows_them(told: str, *, counts: bool) -> None:
    assert counts_another("How many employees are there?", told) is counts


@pytest.mark.parametrize(
    ("question", "told", "others"),
    [
        ("How many shops does Tern have?", "The closure of 66 shops came first.", True),
        ("How many shops does Tern have?", "Tern opened 12 new shops in spring.", True),
        ("How many shops does Tern have?", "Tern has 66 shops and opened 12 shops.", False),
        ("How many shops did Tern open?", "Tern opened 12 shops in spring.", False),
    ],
)
def test_those_that_came_or_went_are_not_all_there_are(
    question: str, told: str, *, others: bool
) -> None:
    assert counts_changes_only(question, told) is others


@pytest.mark.parametrize(
    ("told", "others"),
    [
        ("Tern sponsors 16 Employee Resource Groups with 59 chapters.", True),
        ('Tern is sued in over 350 "equal value" claims by employees.', True),
        ("Tern has 16 employees.", False),
    ],
)
def test_what_is_called_after_them_is_not_counted(told: str, *, others: bool) -> None:
    assert counts_another("How many employees does Tern have?", told) is others


def test_a_share_beside_a_year_counts_nothing() -> None:
    told = "Sales of shops rose by 7% in fiscal 2031, and by 29% on the web."
    assert measures_only("How many shops does Tern have?", told)


@pytest.mark.parametrize("repeated", ["how many ", "how many does ", "does have, "])
def test_hostile_questions_for_a_count_take_no_time(repeated: str) -> None:
    question = f"how many {repeated * (20_000 // len(repeated))}"
    began = time.process_time()
    counts_changes_only(question, "It closed 66 shops.")
    assert time.process_time() - began < 0.3
