"""Retry-After, as servers send it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from quaere.resilience.retry_after import retry_after_s

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("-3", 0.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("NaN", None),
        ("inf", None),
        ("1e999", None),
        ("soon", None),
        ("Sun, 99 Mar 99999 12:00:30 GMT", None),
        ("\x00", None),
        ("9" * 5_000, None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds
