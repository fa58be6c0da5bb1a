"""Which run a person means who types an id, or the beginning of one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.errors import TraceNotFound
from quaere.store.run_id import (
    MAX_CANDIDATES,
    MAX_ID_CHARS,
    MIN_PREFIX_CHARS,
    is_run_id,
    resolve_run_id,
)

IDS = st.sets(st.text("ab-", min_size=1, max_size=8), max_size=20)


@given(IDS, st.text("ab-", max_size=8))
def test_a_whole_id_or_the_only_one_with_that_prefix_is_found_and_nothing_else(
    ids: set[str], typed: str
) -> None:
    begins = {each for each in ids if each.startswith(typed)}
    if typed in ids:
        assert resolve_run_id(typed, ids) == typed
    elif len(typed) >= MIN_PREFIX_CHARS and len(begins) == 1:
        assert resolve_run_id(typed, ids) in begins
    else:
        with pytest.raises(TraceNotFound):
            resolve_run_id(typed, ids)


def test_an_ambiguous_prefix_lists_the_candidates_and_no_endless_list_of_them() -> None:
    with pytest.raises(TraceNotFound) as few:
        resolve_run_id("abcd", ["abcd-2", "abcd-1", "other"])
    assert few.value.message.endswith("begins with 'abcd': abcd-1, abcd-2")
    with pytest.raises(TraceNotFound) as many:
        resolve_run_id("abcd", [f"abcd-{n:02}" for n in range(MAX_CANDIDATES + 1)])
    assert many.value.message.endswith(f"abcd-{MAX_CANDIDATES - 1:02}, …")


def test_four_characters_are_enough_and_three_are_not() -> None:
    assert resolve_run_id("abcd", ["abcdef"]) == "abcdef"
    with pytest.raises(TraceNotFound, match="has the id 'abc'; give at least 4 characters of one"):
        resolve_run_id("abc", ["abcdef"])
    with pytest.raises(TraceNotFound, match=r"No run has the id 'zzzz'\.$"):
        resolve_run_id("zzzz", ["abcdef"])


@pytest.mark.parametrize(
    ("text", "valid"),
    [("", False), ("x" * MAX_ID_CHARS, True), ("x" * (MAX_ID_CHARS + 1), False), ("a\0b", False)],
)
def test_an_id_is_short_and_printable(text: str, valid: bool) -> None:
    assert is_run_id(text) is valid
