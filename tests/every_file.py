"""Writes the last section of ``docs/architecture.md`` from what each file says of itself.

python -m tests.every_file
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = ROOT / "src" / "quaere"
HEAD = """\
## Every file

What each file says of itself. Written by `python -m tests.every_file`.
"""
CODE = re.compile(r"``([^`]+)``")


def page() -> str:
    """Return the page as it should be."""
    written, _, _ = PAGE.read_text("utf-8").partition("## Every file\n")
    return written + "\n".join([HEAD, *_folders()])


def _folders() -> Iterator[str]:
    files = sorted(PACKAGE.rglob("*.py"), key=lambda file: (file.parent, file.name))
    for folder, inside in groupby(files, key=lambda file: file.parent):
        rows = [f"- `{file.name}`: {says}" for file in inside if (says := _says(file))]
        if rows:
            yield f"### `{(folder.relative_to(PACKAGE.parent)).as_posix()}/`\n"
            yield "\n".join(rows) + "\n"


def _says(file: Path) -> str:
    """Return the first paragraph of a file's docstring as one line."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return CODE.sub(r"`\1`", " ".join(said.partition("\n\n")[0].split()))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
