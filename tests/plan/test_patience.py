from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.plan.shares import LONGEST_PAUSE_S, patience_s, pause_s


@pytest.mark.parametrize(
    ("left_s", "providers", "seconds"),
    [(90.0, 1, 90.0), (90.0, 2, 20.0), (8.0, 3, 4.0), (0.0, 2, 0.0), (5.0, 0, 5.0)],
)
def test_one_of_several_is_not_waited_for_to_the_end(
    left_s: float, providers: int, seconds: float
) -> None:
    assert patience_s(left_s=left_s, providers=providers) == seconds


@given(st.floats(0, 3600), st.integers(0, 20))
def test_never_longer_than_what_is_left(left_s: float, providers: int) -> None:
    assert 0 <= patience_s(left_s=left_s, providers=providers) <= left_s


@pytest.mark.parametrize(
    ("left_s", "seconds"), [(0.0, 0.0), (9.0, 6.0), (60.0, 40.0), (90.0, LONGEST_PAUSE_S)]
)
def test_services_that_are_left_alone_are_waited_for_with_a_third_of_the_time_kept(
    left_s: float, seconds: float
) -> None:
    assert pause_s(left_s=left_s) == pytest.approx(seconds)
