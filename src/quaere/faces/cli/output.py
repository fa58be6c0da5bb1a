"""What form a report leaves the command in, and whether there is a place for it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from quaere.errors import UsageError


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
    """Forms of everything else that a command writes."""

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
    """Return the format asked for, else that of the output file's suffix, else text.

    Raises:
        UsageError: when the suffix says nothing, or the format needs a file.
    """
    suffix = output.suffix.lower() if output else ""
    form = asked or BY_SUFFIX.get(suffix)
    if form is None:
        known = ", ".join(filter(None, BY_SUFFIX))
        raise UsageError(f"{suffix} says nothing of the format: use {known}, or give --format.")
    if form in FOR_FILES and output is None:
        raise UsageError(f"A {form.upper()} goes into a file: give --output FILE.{form}.")
    return form


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
