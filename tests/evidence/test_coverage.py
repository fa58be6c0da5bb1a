from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Checklist, Item
from quaere.evidence.agreement import Requirement, completeness, requirements
from quaere.text.tokens import stem, terms

BUILT = Item(id="built", description="When it was built", terms=("built", "bridge"))
ARCHES = Item(id="arches", description="The number of arches", evidence=("p1",))
STEMS = st.frozensets(st.sampled_from(terms("bridge built arches number stone Ford wool")))


def test_without_a_checklist_the_question_is_all_that_is_wanted() -> None:
    (whole,) = requirements("When was the bridge built?", Checklist())
    assert whole.id == ""
    assert whole.terms == {stem("bridge"), stem("built")}


def test_an_item_wants_its_terms_or_else_the_words_that_describe_it() -> None:
    built, arches = requirements("Tell me of the ford.", Checklist(items=(BUILT, ARCHES)))
    assert built.terms == {stem("built"), stem("bridge")}
    assert arches.terms == {stem("number"), stem("arches")}
    assert arches.ticked == ("p1",)


def test_what_question_or_item_say_already_tells_nothing_new() -> None:
    (built,) = requirements("Who owns Tressel Ford?", Checklist(items=(BUILT,)))
    assert not built.is_beyond("tressel ford")
    assert not built.is_beyond("bridge")
    assert built.is_beyond("mayor of tressel ford")
    assert built.is_beyond("1744")


def test_completeness_is_the_mean_share_of_the_items() -> None:
    items = requirements("", Checklist(items=(BUILT, ARCHES)))
    assert completeness(items, set(terms("The bridge was built."))) == pytest.approx(0.5)
    assert completeness(items, set(terms("bridge built: number of arches"))) == 1.0
    assert completeness((), {"bridge"}) == 0.0
    assert Requirement("", frozenset(), frozenset()).share({"bridge"}) == 0.0


@given(STEMS, STEMS)
def test_more_words_never_cover_less(some: frozenset[str], more: frozenset[str]) -> None:
    items = requirements("", Checklist(items=(BUILT, ARCHES)))
    assert 0 <= completeness(items, some) <= completeness(items, some | more) <= 1
