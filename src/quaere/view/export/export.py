"""A report in every form in which it can leave as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from quaere.domain.report import Report
from quaere.view.export.docx import docx
from quaere.view.export.html import html, pdf
from quaere.view.export.markdown import long_markdown
from quaere.view.export.references import bibtex, ris
from quaere.view.export.sections import document


class Form(StrEnum):
    """Forms of a report as a file."""

    REPORT = "report"
    """The long form, as Markdown."""
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    BIBTEX = "bibtex"
    """The sources alone."""
    RIS = "ris"
    """The same."""


_WRITERS: Mapping[Form, Callable[[Report], bytes]] = MappingProxyType(
    {
        Form.REPORT: lambda report: long_markdown(document(report)).encode(),
        Form.HTML: lambda report: html(document(report)).encode(),
        Form.PDF: lambda report: pdf(document(report)),
        Form.DOCX: lambda report: docx(document(report)),
        Form.BIBTEX: lambda report: bibtex(report).encode(),
        Form.RIS: lambda report: ris(report).encode(),
    }
)


def export(report: Report, form: Form) -> bytes:
    """Return ``report`` as ``form``.

    Raises:
        UsageError: when the form needs a library that is not installed.
    """
    return _WRITERS[form](report)
