"""Writes ``docs/cli.md`` from what the commands say of themselves.

python -m tests.faces.cli.reference
"""

from __future__ import annotations

from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from quaere.faces.cli.main import application, commands

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"

HEAD = """\
# The command line

What `quaere --help` and the help of each command say. Written by
`python -m tests.faces.cli.reference`.
"""


def reference() -> str:
    """Return the page as it should be."""
    parts = [HEAD, _section([])]
    for name in commands():
        parts.append(_section([name]))
        command = get_command(application([name]))
        if isinstance(command, TyperGroup):
            parts += [_section([name, part]) for part in _parts(command, name)]
    return "\n".join(parts)


def _parts(app: TyperGroup, name: str) -> list[str]:
    command = app.commands[name]
    return list(command.commands) if isinstance(command, TyperGroup) else []


def _section(words: list[str]) -> str:
    outcome = CliRunner().invoke(
        application(words), [*words, "--help"], prog_name="quaere", terminal_width=90
    )
    title = " ".join(["quaere", *words])
    return f"## {title}\n\n```text\n{outcome.stdout.rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), "utf-8")
