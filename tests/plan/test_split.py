"""What each researcher may take of what a run has left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import PROFILES, ProfileName, Remaining
from quaere.plan.delegation import REPORT_SHARE, split

DEEP = PROFILES[ProfileName.DEEP]
LEFT = Remaining(iterations=3, queries=18, reads=32, tokens=400_000, seconds=120.0, usd=1.0)


def test_half_goes_to_a_round_and_all_to_the_last() -> None:
    first = split(DEEP, LEFT, topics=2, rounds_left=3, tool_calls=5)
    last = split(DEEP, LEFT, topics=2, rounds_left=1, tool_calls=5)
    assert (first.max_reads, last.max_reads) == (8, 16)
    assert first.token_budget == 400_000 * (1 - REPORT_SHARE) / 2 / 2
    assert last.token_budget == 2 * first.token_budget
    assert first.max_execution_time_s == 120.0 * (1 - REPORT_SHARE) / 2, "they share the time"
    assert first.max_cost_usd == 0.2


def test_a_researcher_searches_no_more_than_it_may_and_than_is_left() -> None:
    assert split(DEEP, LEFT, topics=2, rounds_left=3, tool_calls=5).max_queries == 5
    assert split(DEEP, LEFT, topics=6, rounds_left=3, tool_calls=5).max_queries == 3
    assert split(DEEP, LEFT, topics=1, rounds_left=3, tool_calls=10).max_queries == 10


def test_a_topic_alone_keeps_as_many_sources_as_the_run() -> None:
    assert split(DEEP, LEFT, topics=1, rounds_left=3, tool_calls=5).max_sources == 20
    assert split(DEEP, LEFT, topics=5, rounds_left=3, tool_calls=5).max_sources == 10


@given(
    topics=st.integers(1, 20),
    rounds=st.integers(0, 10),
    calls=st.integers(1, 30),
    tokens=st.integers(0, 500_000),
    seconds=st.floats(0, 3600),
    more=st.integers(0, 100),
    reads=st.integers(0, 40),
)
def test_together_they_never_get_more_than_is_left_for_them(
    *, topics: int, rounds: int, calls: int, tokens: int, seconds: float, more: int, reads: int
) -> None:
    left = LEFT.model_copy(
        update={"tokens": tokens, "seconds": seconds, "queries": topics + more, "reads": reads}
    )
    each = split(DEEP, left, topics=topics, rounds_left=rounds, tool_calls=calls)
    assert each == each.override({}), "within the ranges of a budget"
    assert each.token_budget * topics <= tokens * (1 - REPORT_SHARE)
    assert each.max_execution_time_s <= max(0.1, seconds)
    assert each.max_queries * topics <= left.queries
    assert each.max_reads * topics <= reads


def test_a_search_that_was_made_before_is_none_of_those_that_a_researcher_may_make() -> None:
    begun = split(DEEP, LEFT, topics=1, rounds_left=3, tool_calls=5, paid=1)
    assert (begun.max_queries, begun.max_iters) == (6, 5)
