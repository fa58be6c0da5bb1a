from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.plan.shares import reads_now


@pytest.mark.parametrize(
    ("left", "loops_left", "now"),
    [(20, 5, 10), (10, 4, 5), (5, 3, 4), (1, 2, 1), (7, 1, 7), (0, 3, 0), (4, 2, 4)],
)
def test_half_of_what_is_left_but_no_fewer_than_four(left: int, loops_left: int, now: int) -> None:
    assert reads_now(left=left, loops_left=loops_left) == now


@given(st.integers(0, 1000), st.integers(0, 100))
def test_never_more_than_is_left(left: int, loops_left: int) -> None:
    assert 0 <= reads_now(left=left, loops_left=loops_left) <= left
