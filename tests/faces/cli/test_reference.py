"""The page about the command line."""

from __future__ import annotations

import re

from tests.faces.cli.reference import PAGE, reference


def test_the_page_says_what_help_says() -> None:
    """When this fails: ``python -m tests.faces.cli.reference``."""
    assert PAGE.read_text("utf-8") == reference()


TYPES = re.compile(r"<(?:str|int|float|path|datetime|bool|list)\b|\{[a-z]")
"""What Typer writes for a parameter that nobody has named."""


def test_no_help_names_a_type_of_python() -> None:
    assert [line for line in reference().splitlines() if TYPES.search(line)] == []
