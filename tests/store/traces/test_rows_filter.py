"""Tags as they are kept, and words as they are looked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.trace import TraceStatus
from quaere.errors import UsageError
from quaere.store.traces.rows import (
    MAX_TAG_CHARS,
    MAX_TAGS,
    MAX_WORDS,
    TraceFilter,
    matching,
    tags_of,
)


@given(st.lists(st.text("aB ", min_size=1, max_size=4).filter(str.strip), max_size=8))
def test_tags_are_small_trimmed_and_each_once_in_their_order(typed: list[str]) -> None:
    kept = tags_of(typed)
    assert kept == list(dict.fromkeys(kept))
    assert [tag.split() for tag in kept] == list(
        map(list, dict.fromkeys(tuple(tag.lower().split()) for tag in typed))
    )
    assert tags_of(kept) == kept


def test_a_run_has_twenty_tags_at_most_of_which_none_counts_twice() -> None:
    typed = [str(n) for n in range(MAX_TAGS)]
    assert tags_of([*typed, " 0 "]) == typed
    with pytest.raises(UsageError, match="20 tags, not 21"):
        tags_of([*typed, "more"])


def test_a_tag_has_fifty_printable_characters_at_most() -> None:
    assert tags_of(["x" * MAX_TAG_CHARS]) == ["x" * MAX_TAG_CHARS]
    for odd in ("x" * (MAX_TAG_CHARS + 1), "", "  ", "a\0"):
        with pytest.raises(UsageError, match="1 to 50 printable"):
            tags_of(["fine", odd])


@pytest.mark.parametrize(
    ("only", "conditions"),
    [
        (TraceFilter(), 0),
        (TraceFilter(tool=None, status=None, q=None, tag=None, pinned=None), 0),
        (TraceFilter(tool="check"), 1),
        (TraceFilter(status=TraceStatus.FAILED), 1),
        (TraceFilter(pinned=False), 1),
        (TraceFilter(tag="mill"), 1),
        (TraceFilter(tag=""), 1),
        (TraceFilter(q="mill  Orrin"), 2),
        (TraceFilter(q="mill\0Orrin"), 2),
        (TraceFilter(q="x " * (MAX_WORDS + 5)), MAX_WORDS),
        (TraceFilter(q="mill", tag="old", pinned=True, tool="check"), 4),
    ],
)
def test_everything_that_is_asked_for_has_to_hold(only: TraceFilter, conditions: int) -> None:
    assert len(list(matching(only))) == conditions
