"""Which line leads an answer, by signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.reason.extractive.leading import ASKED, FITS, UNASKED, WEIGHTS, Signs, belief, tells

NONE = Signs(**dict.fromkeys(Signs._fields, 0.0))
SHARE = st.floats(0, 1)
SIGNS = st.builds(Signs, **dict.fromkeys(Signs._fields, SHARE))


@pytest.mark.parametrize(
    ("first", "asked", "anew", "says"),
    [
        (0.0, ASKED, FITS, True),
        (UNASKED - 0.01, 1.0, 1.0, True),
        (UNASKED, 1.0, 1.0, False),
        (0.0, ASKED - 0.01, 1.0, False),
        (0.0, 1.0, FITS - 0.01, False),
    ],
)
def test_a_line_that_says_what_is_asked_is_preferred_to_one_that_does_not(
    first: float, asked: float, anew: float, *, says: bool
) -> None:
    line = NONE._replace(asked=asked, anew=anew)
    assert tells(line, NONE._replace(asked=first)) is says


@given(SIGNS)
def test_no_line_tells_more_than_itself(signs: Signs) -> None:
    assert not tells(signs, signs)


@given(SIGNS, st.sampled_from(Signs._fields), SHARE)
def test_each_sign_counts_by_its_weight(signs: Signs, name: str, value: float) -> None:
    changed = signs._replace(**{name: value})
    by = getattr(WEIGHTS, name) * (value - getattr(signs, name))
    assert belief(changed) - belief(signs) == pytest.approx(by, abs=1e-9)
