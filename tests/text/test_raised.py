"""Figures that stand raised are told in raised figures."""

from __future__ import annotations

import pytest

from quaere.text.raised import raised


@pytest.mark.parametrize(
    ("text", "told"),
    [("6", "⁶"), ("-4", "⁻⁴"), ("6 ", "⁶ "), (" 2", " ²"), ("1,2", "¹,²"), ("st", "st"), ("", "")],
)
def test_figures_are_raised_and_the_spaces_around_them_stay(text: str, told: str) -> None:
    assert raised(text) == told
