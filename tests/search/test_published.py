"""Dates of publication in one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.search.published import from_parts, iso_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-03-05T17:59:59Z", "2024-03-05"),
        ("2024-03", "2024-03"),
        ("2024", "2024"),
        ("2024-02-31", "2024-02"),
        ("2024-13-01", "2024"),
        ("Mar 5, 2024", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"),
        ("3 days ago", ""),
        ("the 1990s", ""),
        ("0000-00-00", ""),
        ("20240305", ""),
        ("", ""),
    ],
)
def test_dates_are_iso(text: str, date: str) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("parts", "date"),
    [
        (("2020", "Nov", "9"), "2020-11-09"),
        (("2020", "november", ""), "2020-11"),
        (("2020", "9", "31"), "2020-09"),
        (("2020", "", "9"), "2020"),
        (("0200", "1", "1"), ""),
        (("２０２０", "1", "1"), ""),
        (("None",), ""),
    ],
)
def test_parts_that_cannot_be_are_left_out(parts: tuple[str, ...], date: str) -> None:
    assert from_parts(*parts) == date


@given(st.text(max_size=120))
def test_any_text_is_taken(text: str) -> None:
    assert len(iso_date(text)) in {0, 4, 7, 10}
