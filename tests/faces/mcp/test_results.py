"""What a report comes to as the result of a tool."""

from __future__ import annotations

import pytest

from quaere.faces.mcp.results import shown_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/the mill (1788)", "https://a.example/the%20mill%20%281788%29"),
        ("file:///notes/the mill.md", "file:///notes/the%20mill.md"),
        ("notes/mill.md", "notes/mill.md"),
        ("javascript:alert(1)", ""),
    ],
)
def test_a_url_is_encoded_and_one_that_leads_to_no_source_left_out(url: str, shown: str) -> None:
    assert shown_url(url) == shown
