from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Checklist, Item, ItemStatus, Query, SourceKind
from quaere.plan.queries import admit, aimed, needed, queries_now, query_key

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


@pytest.mark.parametrize(
    ("left", "loops_left", "now"),
    [
        (9, 4, 5),
        (4, 3, 2),
        (2, 2, 1),
        (1, 1, 1),
        (9, 1, 9),
        (9, 0, 9),
        (17, 9, 9),
        (1, 4, 1),
        (0, 3, 0),
    ],
)
def test_a_loop_leaves_queries_for_the_loops_that_follow(
    left: int, loops_left: int, now: int
) -> None:
    assert queries_now(left=left, loops_left=loops_left) == now


@given(st.integers(0, 40), st.integers(1, 12))
def test_every_loop_has_a_query_as_long_as_there_are_enough(left: int, loops: int) -> None:
    asked: list[int] = []
    for loops_left in range(loops, 0, -1):
        asked.append(queries_now(left=left - sum(asked), loops_left=loops_left))
    assert sum(asked) == left
    assert all(asked[: min(left, loops)])


def test_what_the_first_search_made_needless_is_not_sent_r0_3() -> None:
    done = Item(id="a", description="who", status=ItemStatus.SATISFIED)
    checklist = Checklist(items=(done, Item(id="b", description="when")))
    who, when = Query(text="who built it", item="a"), Query(text="when was it built", item="b")
    spare = Query(text="mill history", reserve=True)
    assert needed((who, when, spare), checklist) == (when,)
    assert needed((who, spare), checklist) == (spare,), "asked where nothing else is left"


def test_target_source_types_steer_queries_that_name_no_kind_r3_2() -> None:
    free, own = Query(text="salt"), Query(text="law", source_kinds=(SourceKind.NEWS,))
    assert [q.source_kinds for q in aimed((free, own), ("gov", "nonsense", "gov"))] == [
        (SourceKind.GOV,),
        (SourceKind.NEWS,),
    ]
    assert aimed((free, own), ()) == (free, own)
