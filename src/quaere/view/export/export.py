"""The formats of a report, and its export in those that go into a file.

A format is added here alone: with its name, its file extensions and the function that writes it.
Writers import their libraries when they are called, since a command names the formats in its help.
Installed packages bring further ones along for files with their extensions: an `ExportPlugin` each,
under the entry-point group `GROUP`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Self, cast

from quaere.domain.report import Report
from quaere.errors import QuaereError
from quaere.ports.plugins import in_words, plugins

Writer = Callable[[Report], bytes]
GROUP = "quaere.export_forms"


@dataclass(frozen=True, slots=True)
class ExportPlugin:
    """A format that an installed package brings along."""

    name: str
    suffixes: tuple[str, ...]
    """Extensions of the files that get it, such as ``.odt``."""
    writer: Writer
    binary: bool = False
    """Whether it is not text."""
    media_type: str = "application/octet-stream"
    """Of the file, when the service sends it."""


def _report(report: Report) -> bytes:
    from quaere.view.export.markdown import long_markdown
    from quaere.view.export.sections import document

    return long_markdown(document(report)).encode()


def _html(report: Report) -> bytes:
    from quaere.view.export.html import html
    from quaere.view.export.sections import document

    return html(document(report)).encode()


def _pdf(report: Report) -> bytes:
    from quaere.view.export.html import pdf
    from quaere.view.export.sections import document

    return pdf(document(report))


def _docx(report: Report) -> bytes:
    from quaere.view.export.docx import docx
    from quaere.view.export.sections import document

    return docx(document(report))


def _bibtex(report: Report) -> bytes:
    from quaere.view.export.citations import bibtex

    return bibtex(report).encode()


def _ris(report: Report) -> bytes:
    from quaere.view.export.citations import ris

    return ris(report).encode()


_DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_RIS_TYPE = "application/x-research-info-systems; charset=utf-8"


class Form(StrEnum):
    """Formats of a report."""

    suffixes: tuple[str, ...]
    """Extensions of files that get this format unless another one is asked for."""
    writer: Writer | None
    """Makes the file; None for the formats that the command line writes itself."""
    binary: bool
    """Whether it is not text, so that a terminal cannot show it."""
    media_type: str
    """Of the files that have a writer."""

    def __new__(
        cls,
        name: str,
        suffixes: tuple[str, ...] = (),
        writer: Writer | None = None,
        binary: bool = False,
        media_type: str = "text/plain; charset=utf-8",
    ) -> Self:
        """Return the member in a row below."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.suffixes, member.writer, member.binary = suffixes, writer, binary
        member.media_type = media_type
        return member

    TEXT = "text", ("", ".txt")
    """For a person at a terminal."""
    JSON = "json", (".json",)
    """The whole report."""
    BRIEF = "brief"
    """Answer of at most 80 words and its citations, as JSON (R2.1)."""
    MARKDOWN = "markdown", (".md", ".markdown")
    FULL = "full"
    """Text, with plan, loops, evidence and checks."""
    REPORT = "report", (), _report, False, "text/markdown; charset=utf-8"
    """The long form, as Markdown."""
    HTML = "html", (".html", ".htm"), _html, False, "text/html; charset=utf-8"
    """The long form, as one self-contained page."""
    PDF = "pdf", (".pdf",), _pdf, True, "application/pdf"
    DOCX = "docx", (".docx",), _docx, True, _DOCX_TYPE
    BIBTEX = "bibtex", (".bib",), _bibtex, False, "application/x-bibtex; charset=utf-8"
    """The sources alone, for reference managers."""
    RIS = "ris", (".ris",), _ris, False, _RIS_TYPE


@cache
def plugin_forms() -> tuple[Form, ...]:
    """Return the formats of installed plug-ins; one of a name that is there is left out."""
    built_in = {str(form) for form in Form}
    found = [each for each in plugins(GROUP, ExportPlugin) if each.name not in built_in]
    return tuple(_member(each) for each in found)


def _member(plugin: ExportPlugin) -> Form:
    """Return a member that the class does not list: those are fixed once it is made."""
    member = str.__new__(Form, plugin.name)
    member._name_, member._value_ = plugin.name.upper(), plugin.name
    member.suffixes, member.writer, member.binary = plugin.suffixes, _by(plugin), plugin.binary
    member.media_type = plugin.media_type
    return member


def _by(plugin: ExportPlugin) -> Writer:
    """Return the writer of ``plugin``, whose faults are told as its own."""

    def written(report: Report) -> bytes:
        try:
            file = cast("object", plugin.writer(report))  # not all packages check their types
        except QuaereError:
            raise
        except Exception as error:  # code of others may raise anything
            raise QuaereError(f"{_at_fault(plugin)}: {in_words(error)}.") from error
        if not isinstance(file, bytes):
            raise QuaereError(f"{_at_fault(plugin)}: it made {type(file).__name__}, not bytes.")
        return file

    return written


def _at_fault(plugin: ExportPlugin) -> str:
    return f"The plug-in for {plugin.name} could not write the report"


def export(report: Report, form: Form) -> bytes:
    """Return ``report`` as ``form``.

    Raises:
        UsageError: when the form needs a library that is not installed.
        ValueError: when it is a form of the command line, which has no writer here.
    """
    if form.writer is None:
        raise ValueError(f"{form} has no writer")
    return form.writer(report)
