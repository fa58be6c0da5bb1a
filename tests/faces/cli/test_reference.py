"""The page about the command line."""

from __future__ import annotations

from tests.faces.cli.reference import PAGE, reference


def test_the_page_says_what_help_says() -> None:
    """When this fails: ``python -m tests.faces.cli.reference``."""
    assert PAGE.read_text("utf-8") == reference()
