"""What two texts must have in common to mean the same."""

from __future__ import annotations

import pytest

from quaere.text.facts import name_words, stated_facts


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the harvest of 1903", "the harvest of 1904"),
        ("a wall of 3 km", "a wall of 3 miles"),
        ("opened on 4 May 1891", "opened in 1891"),
        ("towns with a mill", "towns without a mill"),
    ],
)
def test_one_plain_fact_more_or_less_is_another_statement(a: str, b: str) -> None:
    assert stated_facts(a) != stated_facts(b)


def test_the_words_around_them_do_not_count() -> None:
    assert stated_facts("the harvest of 1903 in Hask") == stated_facts(
        "how much was reaped in 1903"
    )
    assert stated_facts("") == stated_facts("salt")


def test_names_are_told_by_their_words() -> None:
    assert name_words("the mill that Ada Brandt built") == {"ada", "brandt"}
    assert name_words("the mill") == frozenset()
