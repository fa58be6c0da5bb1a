"""Output formats, and checks of output files."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from pydantic import BaseModel
from rich.console import Console

from quaere.domain.report import Report
from quaere.errors import QuaereError, UsageError, cause_of
from quaere.faces.cli.exits import NotSaved
from quaere.faces.cli.render import rendered
from quaere.faces.cli.terminal import emit
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sanitize import quoted
from quaere.view.export.export import Form as Format
from quaere.view.export.export import export, plugin_forms


class ShortFormat(StrEnum):
    """Formats of everything else that a command prints."""

    TEXT = "text"
    JSON = "json"


BY_SUFFIX: Mapping[str, Format] = MappingProxyType(
    {suffix: form for form in Format for suffix in form.suffixes}
)
"""The format of an output file when no format was asked for."""


def format_called(word: str) -> str:
    """Return the name of the format that ``word`` is an extension of; any other word as it is."""
    return str(BY_SUFFIX.get(f".{word}", word))


def choose_format(asked: Format | None, output: Path | None) -> Format:
    """Return the format that was ``asked`` for, else that of the file extension, else text.

    Raises:
        UsageError: when the extension is unknown, or the format needs a file.
    """
    suffix = output.suffix.lower() if output else ""
    form = asked or BY_SUFFIX.get(suffix) or _brought_along().get(suffix)
    if form is None:
        known = ", ".join(filter(None, (*BY_SUFFIX, *_brought_along())))
        raise UsageError(f"Unknown extension {suffix}: use {known}, or add --format.")
    if form.binary and output is None:
        raise UsageError(f"The format {form} needs a file: add --output FILE.{form}.")
    return form


def _brought_along() -> Mapping[str, Format]:
    """Return the formats of installed plug-ins by file extension."""
    return {suffix.lower(): form for form in plugin_forms() for suffix in form.suffixes}


def check_writable(path: Path) -> None:
    """Check, before any work is done, that ``path`` can be written.

    Raises:
        UsageError: when it is a folder or ``-``, its folder does not exist or takes no files, or
            its name is none.
    """
    if str(path) == "-":
        raise UsageError(
            "Name a file; - is not supported, because the report goes to standard output."
        )
    try:
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
        if not is_folder:
            with suppress(FileNotFoundError, NotADirectoryError):
                _part_of(path).lstat()
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot write to {quoted(str(path))}: {cause_of(error)}.") from error
    if is_folder:
        raise UsageError(f"Cannot write to {str(path)!r}: it is a folder.")
    _check_folder(path, is_there=has_folder)


def _check_folder(path: Path, *, is_there: bool) -> None:
    """Check that the folder of ``path`` is there, and takes the file.

    Raises:
        UsageError: when not.
    """
    if not is_there:
        raise UsageError(
            f"Cannot write to {str(path)!r}: the folder {str(path.parent)!r} does not exist."
        )
    # A device or a pipe is written to itself; a file is replaced by one in its folder.
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise UsageError(f"Cannot write to {str(path)!r}: it may not be written; choose another.")


PLAIN_WIDTH = 100
"""Width of text written to a file or a pipe."""

# JSON escapes the control characters below U+0020. Those above, and marks that change the order of
# text, are escaped as well, so that they cannot affect a terminal.
_TAGS = lazy_regex("[\U000e0000-\U000e01ef]")
"""Invisible characters, in which a page can hide words for a model."""
_UNSAFE = lazy_regex("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def deliver(
    report: Report, form: Format, output: Path | None, *, took_s: float | None = None
) -> None:
    """Write ``report`` to ``output``, or to standard output when it is None.

    As text on standard output it says that it took ``took_s`` seconds, by default those of the run.

    Raises:
        NotSaved: when the file cannot be written; the report is on standard output then.
    """
    if output is None:
        emit(formatted(report, form, sys.stdout, took_s=took_s))
        return
    try:
        _write(output, _bytes(report, form))
    except OSError as error:
        # It may have cost money, and this may be the only copy.
        emit(formatted(report, Format.TEXT if form.binary else form, sys.stdout))
        raise NotSaved(f"Cannot write to {str(output)!r}: {cause_of(error)}.") from error


def emit_to(output: Path | None, text: str) -> None:
    """Write ``text`` to ``output``, or to standard output when it is None.

    Raises:
        QuaereError: when the file cannot be written.
    """
    if output is None:
        emit(text)
        return
    try:
        _write(output, text.encode("utf-8", "replace"))
    except OSError as error:
        raise QuaereError(f"Cannot write to {str(output)!r}: {cause_of(error)}.") from error


def _bytes(report: Report, form: Format) -> bytes:
    if form.binary:
        return export(report, form)
    return formatted(report, form, io.StringIO()).encode("utf-8", "replace")


def _write(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path``, completely or not at all; a link stays, and leads to it."""
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        path.write_bytes(content)
        return
    part = _part_of(path)
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _part_of(path: Path) -> Path:
    """Return what ``path`` is called while it is written, which is the longer name of the two."""
    return path.with_name(f".{path.name}.part")


def formatted(report: Report, form: Format, stream: TextIO, *, took_s: float | None = None) -> str:
    """Return ``report`` in the format ``form``, with the colours and width of ``stream``.

    As text it says that it took ``took_s`` seconds, by default those of the run.
    """
    match form:
        case Format.JSON:
            return json(report)
        case Format.BRIEF:
            from quaere.synthesize.brief import brief

            return json(brief(report))
        case Format.MARKDOWN:
            from quaere.view.export.markdown import markdown

            return markdown(report)
        case Format.TEXT | Format.FULL:
            return rendered(report, console_for(stream), full=form is Format.FULL, took_s=took_s)
        case _:
            return export(report, form).decode()


def json(model: BaseModel) -> str:
    """Return ``model`` as JSON that is safe to print on a terminal, with a final line break.

    Unicode's tag characters are left out, as they are of all that is shown.
    """
    text = _TAGS.sub("", model.model_dump_json(indent=2))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def console_for(stream: TextIO) -> Console:
    """Return what renders for ``stream``: with its colours and width where it is a terminal."""
    terminal = stream.isatty()
    return Console(
        file=stream,
        force_terminal=terminal,
        width=None if terminal else PLAIN_WIDTH,
        highlight=False,
    )
