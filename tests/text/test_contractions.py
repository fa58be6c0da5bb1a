"""Apostrophes that people leave out when they ask."""

from __future__ import annotations

import pytest

from quaere.text.contractions import with_apostrophes


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whats the default of gully?", "what's the default of gully?"),
        (
            "Wheres the tide gate, and why cant it open?",
            "Where's the tide gate, and why can't it open?",
        ),
        ("dont gulls wont DOESNT", "don't gulls won't DOESN'T"),
        ("its hulls were wed; ill winds", "its hulls were wed; ill winds"),
        ("what's left, whats_left, whats-new", "what's left, whats_left, whats-new"),
    ],
)
def test_apostrophes_are_put_back_where_no_other_word_is_meant(typed: str, meant: str) -> None:
    assert with_apostrophes(typed) == meant
