"""Output formats, and checks of output files."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from quaere.errors import UsageError
from quaere.view.export.export import Form as Format


class ShortFormat(StrEnum):
    """Formats of everything else that a command prints."""

    TEXT = "text"
    JSON = "json"


BY_SUFFIX: Mapping[str, Format] = MappingProxyType(
    {suffix: form for form in Format for suffix in form.suffixes}
)
"""The format of an output file when no format was asked for."""

FOR_FILES = frozenset(form for form in Format if form.binary)
"""Formats that are not text."""


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
