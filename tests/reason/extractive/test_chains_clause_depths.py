from __future__ import annotations

import pytest
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


@pytest.mark.parametrize(
    ("question", "depths"),
    [
        ("When was the founder of the observatory that owns the Ninth Wheel born?",
         {"founder": 0, "born": 0, "observatori": 1, "own": 2, "ninth": 2, "wheel": 2}),
        ("Where, in the town, is the mill?", {"town": 0, "mill": 1}),
        ("Who wrote the book, and the play of Brell?",
         {"wrote": 0, "book": 0, "play": 1, "brell": 2}),
        ("What is the place in the town of Brell?", {"place": 0, "town": 0, "brell": 1}),
        ("In which town was Varga born?", {"town": 0, "varga": 0, "born": 0}),
        ("The heir of Brell, founded where?", {"found": 0, "brell": 1, "heir": 2}),
        ("Odile Varga is the heir of a clockmaker born in which town?",
         {"town": 0, "born": 0, "clockmak": 0, "heir": 1, "varga": 1, "odil": 1}),
        ("Who founded the works of the brother of Ada's father?",
         {"found": 0, "work": 0, "brother": 1, "father": 2, "ada": 3}),
        ("tell me of the works in Brell", {"tell": 0, "work": 1, "brell": 2}),
        ("", {}),
    ],
)  # fmt: skip
def test_depths_are_counted_from_what_is_asked(question: str, depths: dict[str, int]) -> None:
    assert clause_depths(question) == depths


@pytest.mark.parametrize(
    ("question", "depth"),
    [
        ("When did the heir of Odile Varga die?", 0),
        ("When did the heir of odile die?", 1),
        ("When did the heir of Odile Die?", 1),
        ("Heir of Odile, who would die?", 0),
    ],
)
def test_the_last_word_belongs_to_an_auxiliary_before_a_name(question: str, depth: int) -> None:
    assert clause_depths(question)["die"] == depth


@pytest.mark.parametrize("owner", ["Odile Varga's", "Odile Varga’s", "Odile Vargas'"])
def test_all_of_a_name_owns_and_nothing_else(owner: str) -> None:
    found = clause_depths(f"Who is the old {owner} mother?")
    assert found.pop("old") == found.pop("mother") == 0
    assert set(found.values()) == {1}


def test_hostile_questions_take_no_time() -> None:
    assert cpu_s(lambda: clause_depths("A B " * 5_000), enough_s=1) <= 1


@given(st.text(max_size=200))
def test_every_term_has_a_depth(text: str) -> None:
    assert all(depth >= 0 for depth in clause_depths(text).values())
    assert set(clause_depths(text)) <= set(terms(text))
