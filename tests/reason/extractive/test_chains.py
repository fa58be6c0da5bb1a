from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import BIRTH, BORN, CHEESE, FOUNDER, LENS, SHELF, pool

from quaere.reason.extractive.chains import MAX_HELPERS, Goal, Search


def test_a_goal_weighs_names_above_generic_words() -> None:
    read = pool(LENS)
    goal = Goal("What kind of glass did Varga use?", read)
    named, generic = (goal.mask(frozenset({term})) for term in ("varga", "kind"))
    assert goal.share(named) > 3 * goal.share(generic)


def test_words_of_the_same_relation_count() -> None:
    goal = Goal("Who was the wife of Hask?", pool(LENS))
    assert goal.mask(frozenset({"marri"})) == goal.mask(frozenset({"wife"}))


def test_what_stands_near_the_interrogative_is_in_focus() -> None:
    goal = Goal(BORN, pool(*SHELF))
    near, far = (goal.mask(frozenset({term})) for term in ("born", "observatori"))
    assert goal.focus(near) / goal.share(near) > goal.focus(far) / goal.share(far)


def test_a_chain_covers_what_no_sentence_does() -> None:
    read = pool(CHEESE, BIRTH, FOUNDER)
    search = Search(read, Goal(BORN, read))
    end = next(line for line in read.lines_of[1] if "Tarnholm" in line.text)
    chain = search.chain(end)
    assert chain.own < 0.5 < chain.covered == 1.0
    assert [line.owner for line in chain.helpers] == [2]
    alone = search.chain(end, alone=True)
    assert alone.covered == chain.near < 1.0
    assert (alone.helpers, alone.asked_before) == ((), 0.0)


def test_what_the_question_names_ties_nothing() -> None:
    read = pool(
        ("Lamp", "Quill Observatory has a lamp."), ("Bees", "Quill Observatory has a founder.")
    )
    search = Search(read, Goal(BORN, read))
    assert all(not chain.helpers for chain in search.chains())


def test_missing_words_are_told_as_they_were_asked() -> None:
    read = pool(LENS)
    goal = Goal("Which Lighthouses had lenses?", read)
    assert goal.missing(goal.mask(frozenset({"lens"}))) == ("Lighthouses",)


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=4))
def test_shares_stay_between_none_and_all(question: str, texts: list[str]) -> None:
    read = pool(*((f"t{n}", text) for n, text in enumerate(texts)))
    for chain in Search(read, Goal(question, read)).chains():
        assert 0.0 <= chain.own <= chain.near + 1e-9
        assert chain.near <= chain.covered + 1e-9 <= 1.0 + 2e-9
        assert len(chain.helpers) <= MAX_HELPERS


def test_two_words_of_a_question_may_be_one_in_the_sources() -> None:
    goal = Goal("What does it fall back on?", pool(("Pump", "The tank is the fallback.")))
    both = goal.mask(frozenset({"fallback"}))
    assert both == goal.mask(frozenset({"fall"})) | goal.mask(frozenset({"back"}))
    assert not Goal("What does it fall back on?", pool(LENS)).mask(frozenset({"fallback"}))
