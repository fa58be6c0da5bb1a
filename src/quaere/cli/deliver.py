"""Writes a report in the form that was asked for."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import TextIO

from pydantic import BaseModel
from rich.console import Console

from quaere.cli.output import Format
from quaere.cli.render import rendered
from quaere.cli.terminal import emit
from quaere.domain.report import Report
from quaere.errors import QuaereError
from quaere.synthesize.brief import brief
from quaere.synthesize.markdown import markdown

PLAIN_WIDTH = 100
"""Columns of text that goes to a file or a pipe."""

# JSON escapes the controls below U+0020. Those above, and the marks that reorder what is read, mean
# the same escaped, and leave a terminal alone.
_UNRULY = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def deliver(report: Report, form: Format, output: Path | None) -> None:
    """Write ``report`` to ``output``, or to standard output when it is None.

    Raises:
        QuaereError: when the file cannot be written; the report is on standard output then.
    """
    if output is None:
        emit(formatted(report, form, sys.stdout))
        return
    text = formatted(report, form, io.StringIO())
    try:
        output.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        emit(formatted(report, form, sys.stdout))  # it is paid for, and may be kept nowhere
        raise QuaereError(f"Cannot write to {str(output)!r}: {error.strerror}.") from error


def formatted(report: Report, form: Format, stream: TextIO) -> str:
    """Return ``report`` as ``form``, with colours and width of ``stream`` if it is a terminal."""
    match form:
        case Format.JSON:
            return json(report)
        case Format.BRIEF:
            return json(brief(report))
        case Format.MARKDOWN:
            return markdown(report)
        case Format.TEXT | Format.FULL:
            return rendered(report, _console(stream), full=form is Format.FULL)


def json(model: BaseModel) -> str:
    """Return ``model`` as JSON that a terminal can be trusted with, ended by a line break."""
    text = model.model_dump_json(indent=2)
    return _UNRULY.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _console(stream: TextIO) -> Console:
    terminal = stream.isatty()
    return Console(
        file=stream,
        force_terminal=terminal,
        width=None if terminal else PLAIN_WIDTH,
        highlight=False,
    )
