"""JSON that hypothesis makes up."""

from __future__ import annotations

from hypothesis import strategies as st
from pydantic import JsonValue

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(['"', "</think>", "```", "a, b", "http://x.test/a//b#c", "{", "it's", "\\d"])
)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, min_size=1, max_size=4)
