from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.reason.extractive.chains import clause_depths
from quaere.text.tokens import terms


def test_words_are_the_further_the_more_clauses_lie_between() -> None:
    found = clause_depths("When was the founder of the observatory that owns the Ninth Wheel born?")
    assert found["founder"] == 0
    assert found["founder"] < found["observatori"] < found["wheel"]


def test_a_verb_at_the_end_belongs_to_what_is_asked() -> None:
    assert clause_depths("When did the heir of Odile Varga die?")["die"] == 0


def test_a_verb_at_the_end_of_an_inner_clause_belongs_there() -> None:
    found = clause_depths("Where did Ada meet the founder that her brother admired?")
    assert found["meet"] == 0 < found["admir"]


def test_a_question_at_the_end_is_read_backwards() -> None:
    found = clause_depths("Odile Varga is the heir of a clockmaker born in which town?")
    assert found["town"] == found["born"] == 0
    assert found["varga"] > 0


def test_an_owner_is_further_than_what_it_owns() -> None:
    found = clause_depths("Who is Odile Varga's mother?")
    assert found["mother"] < found["varga"]


def test_hostile_questions_take_no_time() -> None:
    assert cpu_s(lambda: clause_depths("A B " * 5_000), enough_s=1) <= 1


@given(st.text(max_size=200))
def test_every_term_has_a_depth(text: str) -> None:
    assert all(depth >= 0 for depth in clause_depths(text).values())
    assert set(clause_depths(text)) <= set(terms(text))
