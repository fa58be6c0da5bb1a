"""What two texts must have in common to mean the same."""

from __future__ import annotations

import pytest

from quaere.text.stated import named, stated


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
    assert stated(a) != stated(b)


def test_the_words_around_them_do_not_count() -> None:
    assert stated("the harvest of 1903 in Hask") == stated("how much was reaped in 1903")
    assert stated("") == stated("salt")


def test_names_are_told_by_their_words() -> None:
    assert named("the mill that Ada Brandt built") == {"ada", "brandt"}
    assert named("the mill") == frozenset()
