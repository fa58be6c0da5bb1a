"""The page about the command line."""

from __future__ import annotations

import re

import pytest
from tests.faces.cli.reference import PAGE, reference
from typer.testing import CliRunner

from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.main import application


def test_the_page_says_what_help_says() -> None:
    """When this fails: ``python -m tests.faces.cli.reference``."""
    assert PAGE.read_text("utf-8") == reference()


TYPES = re.compile(r"<(?:str|int|float|path|datetime|bool|list)\b|\{[a-z]")
"""What Typer writes for a parameter that nobody has named."""


def test_no_help_names_a_type_of_python() -> None:
    assert [line for line in reference().splitlines() if TYPES.search(line)] == []


@pytest.mark.parametrize("group", ["", "db", "fleet", "keys", "mcp", "schedule", "trace"])
def test_what_a_command_does_is_told_whole_in_80_columns(group: str) -> None:
    words = group.split()
    told = CliRunner().invoke(
        application(words), [*words, "--help"], prog_name="quaere", terminal_width=80
    )
    _, _, listed = told.stdout.partition("Commands:")
    assert listed
    assert "..." not in listed


NEEDING = re.compile(r"^Usage: quaere (.+) \[OPTIONS\] \{", re.MULTILINE)
"""A command that needs an argument."""


def test_a_command_that_needs_an_argument_shows_its_help_without_any() -> None:
    needing = [found.split() for found in NEEDING.findall(PAGE.read_text("utf-8"))]
    assert ["ask"] in needing
    assert ["trace", "delete"] in needing
    for words in needing:
        told = CliRunner().invoke(application(words), words, prog_name="quaere")
        assert told.exit_code == ExitCode.USAGE
        assert told.stderr.startswith(f"Usage: quaere {' '.join(words)} [OPTIONS] ")
        assert "Options:" in told.stderr
