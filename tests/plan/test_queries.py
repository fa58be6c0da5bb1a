from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query
from quaere.plan.queries import admit, query_key

QUERIES = st.lists(
    st.builds(
        Query,
        text=st.lists(st.sampled_from(["red", "green", "blue", "grey"]), min_size=1).map(" ".join),
        titles=st.lists(st.sampled_from(["Red", "Blue"]), max_size=1).map(tuple),
    ),
    max_size=8,
)


def test_a_query_in_another_order_or_case_is_the_same_query() -> None:
    asked = [Query(text="Who built the dam?")]
    assert admit([Query(text="the dam who BUILT")], asked, allowance=5) == ()


def test_the_same_words_with_titles_to_look_up_are_another_query() -> None:
    asked = [Query(text="dam")]
    titled = Query(text="dam", titles=("Grand Dam",))
    assert admit([titled], asked, allowance=5) == (titled,)


@given(QUERIES, QUERIES, st.integers(0, 5))
def test_admitted_queries_are_new_distinct_in_order_and_within_the_allowance(
    proposed: list[Query], asked: list[Query], allowance: int
) -> None:
    admitted = admit(proposed, asked, allowance=allowance)
    keys = [query_key(query) for query in admitted]
    assert len(admitted) <= allowance
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {query_key(query) for query in asked}
    positions = [proposed.index(query) for query in admitted]
    assert positions == sorted(positions)
    if len(admitted) < allowance:
        assert {query_key(q) for q in proposed} <= set(keys) | {query_key(q) for q in asked}
