"""The forms in which a report leaves the command, and where it goes."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO

from quaere.cli.terminal import emit
from quaere.errors import QuaereError, UsageError

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from quaere.domain.report import Report

PLAIN_WIDTH = 100
"""Columns of text that goes to a file or a pipe."""


class Format(StrEnum):
    """Forms of a report."""

    TEXT = "text"
    """For a person at a terminal."""
    JSON = "json"
    """The whole report."""
    BRIEF = "brief"
    """Answer of at most 80 words and its citations, as JSON (R2.1)."""
    MARKDOWN = "markdown"
    FULL = "full"
    """Text, with plan, loops, evidence and checks."""


BY_SUFFIX: Mapping[str, Format] = MappingProxyType(
    {
        ".json": Format.JSON,
        ".md": Format.MARKDOWN,
        ".markdown": Format.MARKDOWN,
        ".txt": Format.TEXT,
    }
)
"""The format of an output file whose format was not asked for; ``text`` for any other suffix."""

# JSON escapes the controls below U+0020. Those above, and marks that reorder what is read, mean
# the same escaped, and leave a terminal alone.
_UNRULY = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def choose_format(asked: Format | None, output: Path | None) -> Format:
    """Return the format asked for, else that of the output file's suffix, else text."""
    if asked is not None:
        return asked
    return BY_SUFFIX.get(output.suffix.lower(), Format.TEXT) if output else Format.TEXT


def check_writable(path: Path) -> None:
    """Make sure, before any work is done, that there is a place for ``path``.

    Raises:
        UsageError: when it is a folder or ``-``, or its folder does not exist.
    """
    if str(path) == "-":
        raise UsageError("Name a file; - is not one, and standard output is for the report.")
    if path.is_dir():
        raise UsageError(f"Cannot write to {str(path)!r}: it is a folder.")
    if not path.parent.is_dir():
        raise UsageError(f"Cannot write to {str(path)!r}: there is no folder {str(path.parent)!r}.")


def formatted(report: Report, form: Format, stream: TextIO) -> str:
    """Return ``report`` in the form asked for, with colours where ``stream`` is a terminal."""
    if form is Format.JSON:
        return _json(report)
    if form is Format.BRIEF:
        from quaere.synthesize.brief import brief  # noqa: PLC0415 - each form loads its own

        return _json(brief(report))
    if form is Format.MARKDOWN:
        from quaere.synthesize.markdown import markdown  # noqa: PLC0415

        return markdown(report)
    from quaere.cli.render import rendered  # noqa: PLC0415

    return rendered(report, _console(stream), full=form is Format.FULL)


def deliver(report: Report, form: Format, output: Path | None) -> None:
    """Write ``report`` to ``output``, or to standard output when it is None.

    Raises:
        QuaereError: when the file cannot be written.
    """
    if output is None:
        emit(formatted(report, form, sys.stdout))
        return
    try:
        output.write_text(
            formatted(report, form, io.StringIO()), encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise QuaereError(f"Cannot write to {str(output)!r}: {error.strerror}.") from error


def _json(model: BaseModel) -> str:
    text = model.model_dump_json(indent=2)
    return _UNRULY.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _console(stream: TextIO) -> Console:
    from rich.console import Console  # noqa: PLC0415

    terminal = stream.isatty()
    return Console(
        file=stream,
        force_terminal=terminal,
        width=None if terminal else PLAIN_WIDTH,
        highlight=False,
    )
