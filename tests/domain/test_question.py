"""Questions, queries and checklists as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.domain.question import (
    MAX_QUESTION_CHARS,
    Checklist,
    Intent,
    Item,
    ItemStatus,
    Plan,
    Query,
    Question,
)

ITEMS = st.builds(
    Item,
    id=st.text("abc123", min_size=1, max_size=4),
    description=st.just("who keeps the lighthouse"),
    status=st.sampled_from(ItemStatus),
)
CHECKLISTS = st.builds(Checklist, items=st.lists(ITEMS, max_size=8).map(tuple))


def item(status: ItemStatus) -> Item:
    return Item(id=status, description="the height of the tide", status=status)


@given(CHECKLISTS)
def test_coverage_is_a_share(checklist: Checklist) -> None:
    assert 0 <= checklist.coverage <= 1


@given(CHECKLISTS)
def test_coverage_is_full_only_when_every_item_is_satisfied(checklist: Checklist) -> None:
    satisfied = checklist.with_status(ItemStatus.SATISFIED)
    assert (checklist.coverage == 1) == (len(satisfied) == len(checklist.items))


@given(CHECKLISTS, st.data())
def test_coverage_never_falls_when_an_item_is_ticked(
    checklist: Checklist, data: st.DataObject
) -> None:
    order = [ItemStatus.UNSATISFIED, ItemStatus.PARTIAL, ItemStatus.SATISFIED]
    items = tuple(
        one.model_copy(
            update={"status": data.draw(st.sampled_from(order[order.index(one.status) :]))}
        )
        for one in checklist.items
    )
    assert Checklist(items=items).coverage >= checklist.coverage


def test_a_partial_item_counts_half() -> None:
    checklist = Checklist(items=tuple(item(status) for status in ItemStatus))
    assert checklist.coverage == pytest.approx(0.5)


@given(CHECKLISTS)
def test_every_item_has_one_status_and_keeps_its_place(checklist: Checklist) -> None:
    parts = [checklist.with_status(status) for status in ItemStatus]
    assert sum(map(len, parts)) == len(checklist.items)
    for status, part in zip(ItemStatus, parts, strict=True):
        assert part == tuple(one for one in checklist.items if one.status is status)


@pytest.mark.parametrize("text", ["", "x" * (MAX_QUESTION_CHARS + 1), "\ud800"])
def test_a_question_is_neither_empty_nor_endless_nor_broken(text: str) -> None:
    with pytest.raises(ValidationError):
        Question(text=text)


def test_the_longest_question_is_taken() -> None:
    assert len(Question(text="x" * MAX_QUESTION_CHARS).text) == MAX_QUESTION_CHARS


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_a_query_says_something(text: str) -> None:
    with pytest.raises(ValidationError):
        Query(text=text)


def test_a_query_is_stripped_and_raw_unless_it_says_why() -> None:
    query = Query(text="  spring tide height\n")
    assert query.text == "spring tide height"
    assert query.intent is Intent.RAW


def test_values_are_frozen_and_refuse_unknown_fields() -> None:
    query = Query(text="spring tide")
    with pytest.raises(ValidationError):
        query.text = "neap tide"
    with pytest.raises(ValidationError):
        Query.model_validate({"text": "spring tide", "weight": 2})


def test_equal_queries_are_one() -> None:
    assert Query(text="spring tide") == Query(text=" spring tide ")
    assert Query(text="spring tide") != Query(text="spring tide", intent=Intent.GAP)


def test_a_plan_asks_at_most_six_queries() -> None:
    """R0.3."""
    queries = tuple(Query(text=f"tide {n}") for n in range(7))
    Plan(refined_question="How high?", checklist=Checklist(), queries=queries[:6])
    with pytest.raises(ValidationError):
        Plan(refined_question="How high?", checklist=Checklist(), queries=queries)


def test_a_run_of_spaces_in_a_question_is_one() -> None:
    assert Question(text="What is" + " " * 4_000 + "x?y").text == "What is x?y"
    assert Question(text="Why  so,\n\nexactly?").text == "Why  so,\n\nexactly?"
