"""The formats that can be read: one row each, with how it is recognized and what reads it.

Adding a format takes two edits: its extractor, a module in ``extract/``, and its row here.
Installed packages bring further ones along: a `Reading` each, under the entry-point group `GROUP`.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Self, cast

from quaere.ports.plugins import plugins
from quaere.ports.read import Extractor

GROUP = "quaere.document_formats"
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Reading:
    """How one format is recognized and read."""

    media_type: str
    extractor: str
    """``module:class`` in ``quaere.read.extract``, or ``package.module:class`` of a plug-in:
    parsers are imported when first needed."""
    suffixes: tuple[str, ...] = ()
    """File name suffixes that declare it; none for a binary format, which its bytes alone tell. One
    that has first bytes as well, such as an archive, is told by both."""
    aliases: tuple[str, ...] = ()
    """Further media types that declare it."""
    magic: tuple[bytes, ...] = ()
    """First bytes that only this format has."""
    seconds: float = 8
    """Time after which reading counts as hung."""
    inline_bytes: int = 0
    """Size up to which it is safe and cheap to read in the calling process."""


class Format(StrEnum):
    """A format; its value is its media type."""

    _value_: str
    reading: Reading

    def __new__(cls, reading: Reading) -> Self:
        """Make the member of a row."""
        member = str.__new__(cls, reading.media_type)
        member._value_ = reading.media_type
        member.reading = reading
        return member

    HTML = Reading(
        "text/html",
        "html:HtmlExtractor",
        suffixes=("html", "htm", "xhtml", "shtml"),
        aliases=("application/xhtml+xml",),
    )
    PDF = Reading("application/pdf", "pdf:PdfExtractor", magic=(b"%PDF-",), seconds=18)
    DOCX = Reading(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "docx:DocxExtractor",
        seconds=18,
    )
    XLSX = Reading(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx:XlsxExtractor",
        seconds=18,
    )
    MARKDOWN = Reading(
        "text/markdown",
        "markdown:MarkdownExtractor",
        suffixes=("md", "markdown", "mdown", "mkd", "mdx"),
        aliases=("text/x-markdown",),
        inline_bytes=2 * _MB,
    )
    TEXT = Reading(
        "text/plain",
        "markdown:TextExtractor",
        suffixes=("txt", "text", "log", "org", "adoc"),
        inline_bytes=2 * _MB,
    )
    RST = Reading(
        "text/x-rst",
        "rst:RstExtractor",
        suffixes=("rst", "rest"),
        aliases=("text/prs.fallenstein.rst",),
        inline_bytes=2 * _MB,
    )
    CSV = Reading(
        "text/csv",
        "tabular:CsvExtractor",
        suffixes=("csv",),
        aliases=("application/csv",),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    TSV = Reading(
        "text/tab-separated-values",
        "tabular:CsvExtractor",
        suffixes=("tsv", "tab"),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    JSON = Reading(
        "application/json",
        "json_records:JsonExtractor",
        suffixes=("json", "geojson", "webmanifest"),
        aliases=("text/json",),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    JSONL = Reading(
        "application/jsonl",
        "json_records:JsonLinesExtractor",
        suffixes=("jsonl", "ndjson", "jsonlines"),
        aliases=(
            "application/x-ndjson",
            "application/ndjson",
            "application/x-jsonlines",
            "application/json-lines",
        ),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    XML = Reading(
        "application/xml",
        "xml:XmlExtractor",
        suffixes=("xml", "rss", "atom", "svg", "nxml", "tei"),
        aliases=("text/xml",),
    )
    UNSUPPORTED = Reading(
        "application/octet-stream",
        "unsupported:UnsupportedExtractor",
        # OLE (.doc, .xls, a locked .docx), RTF, PostScript
        magic=(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf", b"%!PS"),
        inline_bytes=100 * _MB,
    )

    @classmethod
    def _missing_(cls, value: object) -> Format | None:
        return next((form for form in plugin_formats() if form.value == value), None)

    @property
    def is_binary(self) -> bool:
        """Whether its bytes alone tell it, whatever a name or a server declares."""
        return not self.reading.suffixes or bool(self.reading.magic)


@cache
def plugin_formats() -> tuple[Format, ...]:
    """Return the formats of installed plug-ins; one of a media type that is there is left out."""
    built_in = {form.value for form in Format}
    found = [each for each in plugins(GROUP, Reading) if each.media_type not in built_in]
    return tuple(_member(reading) for reading in found)


def _member(reading: Reading) -> Format:
    """Return a member that the class does not list: those are fixed once it is made."""
    member = str.__new__(Format, reading.media_type)
    named = {"_name_": reading.media_type.upper(), "_value_": reading.media_type}
    vars(member).update(named, reading=reading)
    return member


@cache
def extractor_for(form: Format) -> Extractor:
    """Return the extractor that reads ``form``."""
    path = form.reading.extractor
    if "." not in path.partition(":")[0]:
        path = f"quaere.read.extract.{path}"
    return cast("type[Extractor]", pkgutil.resolve_name(path))()
