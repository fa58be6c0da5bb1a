"""Whether an earlier run may lend its evidence (R4.5)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.recency import is_fresh, same_question

ASKED = "When was the mill of Tressel Ford built, and who owned it in 1840?"


@pytest.mark.parametrize(
    "earlier",
    [
        ASKED,
        "when was the mill of Tressel Ford built and who owned it in 1840",
        "Who owned the mill of Tressel Ford in 1840, and when was it built?",
    ],
)
def test_the_same_in_other_clothes(earlier: str) -> None:
    assert same_question(ASKED, earlier)
    assert same_question(earlier, ASKED)


@pytest.mark.parametrize(
    "earlier",
    [
        "When was the mill of Tressel Ford built, and who owned it in 1841?",
        "When was the mill of Dunmere Ford built, and who owned it in 1840?",
        "Why was the mill of Tressel Ford built, and who owned it in 1840?",
        "When was the mill of Tressel Ford not built, and who owned it in 1840?",
        "When was the bridge of Tressel Ford built, and who painted the walls of it in 1840?",
        "",
    ],
)
def test_what_differs_in_a_fact_is_another_question(earlier: str) -> None:
    assert not same_question(ASKED, earlier)


@given(st.text(max_size=80), st.text(max_size=80))
def test_it_makes_no_difference_which_came_first(a: str, b: str) -> None:
    assert same_question(a, b) == same_question(b, a)


NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who founded the observatory?", timedelta(days=30)),
        ("What is the latest price of flax?", timedelta(hours=12)),
        ("Who is the mayor of Hask?", timedelta(hours=12)),
    ],
)
def test_what_changes_is_read_anew_sooner(question: str, kept: timedelta) -> None:
    assert is_fresh(question, read=NOW - kept, now=NOW)
    assert not is_fresh(question, read=NOW - kept - timedelta(seconds=1), now=NOW)
