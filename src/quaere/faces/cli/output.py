"""Output formats, and checks of output files."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from quaere.errors import UsageError


class Format(StrEnum):
    """Formats of a report."""

    TEXT = "text"
    """For a person at a terminal."""
    JSON = "json"
    """The whole report."""
    BRIEF = "brief"
    """Answer of at most 80 words and its citations, as JSON (R2.1)."""
    MARKDOWN = "markdown"
    FULL = "full"
    """Text, with plan, loops, evidence and checks."""
    REPORT = "report"
    """The long form, as Markdown."""
    HTML = "html"
    """The long form, as one page that needs nothing else."""
    PDF = "pdf"
    DOCX = "docx"
    BIBTEX = "bibtex"
    """The sources alone, for programs that manage references."""
    RIS = "ris"


class ShortFormat(StrEnum):
    """Formats of everything else that a command prints."""

    TEXT = "text"
    JSON = "json"


BY_SUFFIX: Mapping[str, Format] = MappingProxyType(
    {
        ".json": Format.JSON,
        ".md": Format.MARKDOWN,
        ".markdown": Format.MARKDOWN,
        ".txt": Format.TEXT,
        "": Format.TEXT,
        ".html": Format.HTML,
        ".htm": Format.HTML,
        ".pdf": Format.PDF,
        ".docx": Format.DOCX,
        ".bib": Format.BIBTEX,
        ".ris": Format.RIS,
    }
)
"""The format of an output file whose format was not asked for."""

FOR_FILES = frozenset({Format.PDF, Format.DOCX})
"""Formats that are no text."""


def choose_format(asked: Format | None, output: Path | None) -> Format:
    """Return the format that was ``asked`` for, else that of the file extension, else text.

    Raises:
        UsageError: when the extension is unknown, or the format needs a file.
    """
    suffix = output.suffix.lower() if output else ""
    form = asked or BY_SUFFIX.get(suffix)
    if form is None:
        known = ", ".join(filter(None, BY_SUFFIX))
        raise UsageError(f"Unknown extension {suffix}: use {known}, or add --format.")
    if form in FOR_FILES and output is None:
        raise UsageError(f"The format {form} needs a file: add --output FILE.{form}.")
    return form


def check_writable(path: Path) -> None:
    """Check, before any work is done, that ``path`` can be written.

    Raises:
        UsageError: when it is a folder or ``-``, or its folder does not exist.
    """
    if str(path) == "-":
        raise UsageError(
            "Name a file; - is not supported, because the report goes to standard output."
        )
    if path.is_dir():
        raise UsageError(f"Cannot write to {str(path)!r}: it is a folder.")
    if not path.parent.is_dir():
        raise UsageError(
            f"Cannot write to {str(path)!r}: the folder {str(path.parent)!r} does not exist."
        )
