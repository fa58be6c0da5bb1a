"""The formats that can be read: one row each, with how it is recognized and what reads it.

Adding a format takes two edits: its extractor, a module in ``extract/``, and its row here.
Installed packages bring further ones along: a `Reading` each, under the entry-point group `GROUP`.
What a body really is, is told by its bytes, whatever its name and its sender say.
"""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Self, cast
from urllib.parse import unquote, urlsplit

from quaere.ports.plugins import plugins
from quaere.ports.read import Body, Extractor
from quaere.text.clean import decode, is_wide
from quaere.text.lazy_regex import lazy_regex

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
    inside: tuple[bytes, ...] = ()
    """What a ZIP archive of this format holds unpacked, such as the name of a part."""
    seconds: float = 8
    """Time after which reading counts as hung."""
    inline_bytes: int = 0
    """Size up to which it is safe and cheap to read in the calling process."""

    @property
    def unpacks(self) -> bool:
        """Whether it is an archive: a small one may unpack to any size."""
        return bool(self.inside)


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
        inside=(b"word/document",),
        seconds=18,
    )
    XLSX = Reading(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx:XlsxExtractor",
        inside=(b"xl/workbook.xml",),
        seconds=18,
    )
    PPTX = Reading(
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "pptx:PptxExtractor",
        inside=(b"ppt/presentation.xml",),
        seconds=18,
    )
    ODT = Reading(
        "application/vnd.oasis.opendocument.text",
        "opendocument:OdtExtractor",
        inside=(b"application/vnd.oasis.opendocument.text",),
        seconds=18,
    )
    ODS = Reading(
        "application/vnd.oasis.opendocument.spreadsheet",
        "opendocument:OdsExtractor",
        inside=(b"application/vnd.oasis.opendocument.spreadsheet",),
        seconds=18,
    )
    ODP = Reading(
        "application/vnd.oasis.opendocument.presentation",
        "opendocument:OdpExtractor",
        inside=(b"application/vnd.oasis.opendocument.presentation",),
        seconds=18,
    )
    EPUB = Reading(
        "application/epub+zip",
        "epub:EpubExtractor",
        inside=(b"mimetypeapplication/epub+zip", b"META-INF/container.xml"),
        seconds=18,
    )
    RTF = Reading("application/rtf", "rtf:RtfExtractor", magic=(b"{\\rtf",), seconds=18)
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
        suffixes=("txt", "text", "log", "org", "adoc", "asciidoc"),
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
        "records:CsvExtractor",
        suffixes=("csv",),
        aliases=("application/csv",),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    TSV = Reading(
        "text/tab-separated-values",
        "records:CsvExtractor",
        suffixes=("tsv", "tab"),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    JSON = Reading(
        "application/json",
        "records:JsonExtractor",
        suffixes=("json", "geojson", "webmanifest"),
        aliases=("text/json",),
        seconds=60,
        inline_bytes=_MB // 5,
    )
    JSONL = Reading(
        "application/jsonl",
        "records:JsonLinesExtractor",
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
    NOTEBOOK = Reading(
        "application/x-ipynb+json", "notebook:NotebookExtractor", suffixes=("ipynb",), seconds=18
    )
    SUBTITLES = Reading(
        "text/vtt",
        "subtitles:SubtitlesExtractor",
        suffixes=("vtt", "srt"),
        aliases=("application/x-subrip", "text/srt"),
        inline_bytes=_MB // 5,
    )
    CALENDAR = Reading(
        "text/calendar", "ical:CalendarExtractor", suffixes=("ics",), inline_bytes=_MB // 5
    )
    MAIL = Reading(
        "message/rfc822",
        "mail:MailExtractor",
        suffixes=("eml", "mht", "mhtml"),
        aliases=("multipart/related", "application/x-mimearchive"),
        seconds=30,  # for what is attached
    )
    MBOX = Reading("application/mbox", "mail:MboxExtractor", suffixes=("mbox",), seconds=60)
    XML = Reading(
        "application/xml",
        "xml:XmlExtractor",
        suffixes=("xml", "rss", "atom", "svg", "nxml", "tei"),
        aliases=("text/xml",),
    )
    UNSUPPORTED = Reading(
        "application/octet-stream",
        "page:UnsupportedExtractor",
        # OLE (.doc, .xls, a locked .docx), PostScript
        magic=(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"%!PS"),
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


# Suffixes and media types declare text formats only; a binary format is known by its bytes.
_MAGIC = tuple((magic, form) for form in Format for magic in form.reading.magic)
_INSIDE = tuple((held, form) for form in Format for held in form.reading.inside)
_HEAD_BYTES = 4096
_CONTROLS = bytes(set(range(32)).difference(b"\t\n\x0b\x0c\r\x1b"))
_MAX_CONTROLS = 0.02
_MAX_BROKEN = 0.2
_PDF_WINDOW = 1024  # readers look for the header in the first kilobyte (PDF 1.7, H.3, note 13)
_LEAD = r"(?>\s*(?:(?><!--.{0,2000}?-->|<\?xml[^>]{0,200}>)\s*)*+)"
"""What may be above the root. A comment ends where it first may, and is never looked at again:
to try each later end as well would double the time with every comment."""
_PLAINLY_HTML = lazy_regex(
    _LEAD + r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_HTML_TAG = lazy_regex(
    _LEAD + r"<(?:title|meta|script|style|link|div|p|h[1-6]|table|ul|ol|article|section|main|center"
    r"|font|span|a|b|br|img|header|nav|form|iframe)\b",
    re.IGNORECASE | re.DOTALL,
)
_FLAT = lazy_regex(_LEAD + r"<office:document\s")
"""How an OpenDocument file begins that is one file of XML; its type comes soon."""
_FLAT_BYTES = 8192
_XML_HEAD = lazy_regex(
    r"\s*(?:<\?xml\b|<!doctype\s+(?!html)|<(?:rss|feed|svg|rdf:rdf)\b)", re.IGNORECASE
)

_HEADS = (
    (lazy_regex(r"WEBVTT\b|(?:\s*\d+\n)?\d\d:\d\d:\d\d,\d{3} --> \d"), Format.SUBTITLES),
    (lazy_regex(r"BEGIN:VCALENDAR\n"), Format.CALENDAR),
    (lazy_regex(r"From [^\n]{1,200} \d{4}[^\n]{0,50}\n[A-Za-z][\w-]{0,50}:"), Format.MBOX),
)
"""How a text of a format begins that is told by that alone."""


@cache
def _textual() -> tuple[Mapping[str, Format], Mapping[str, Format]]:
    """Return the text formats by suffix and by media type."""
    known = [form for form in (*Format, *plugin_formats()) if not form.is_binary]
    by_suffix = {suffix: form for form in known for suffix in form.reading.suffixes}
    by_type = {name: form for form in known for name in (str(form), *form.reading.aliases)}
    return by_suffix, by_type


def file_name(url: str) -> str:
    """Return the last segment of the path of ``url``, decoded; empty when there is none."""
    try:
        return unquote(urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1])
    except ValueError:
        return ""


def sniff_body(body: Body) -> Format:
    """Return what ``body`` is."""
    return sniff(body.data, body.content_type, file_name(body.url))


def sniff(data: bytes, content_type: str = "", name: str = "") -> Format:
    """Return what ``data`` is.

    Its own first bytes come first, then what they look like as text, read in the light of the file
    name's suffix and the declared type. Bytes that are neither text nor one of the binary formats
    read here are ``UNSUPPORTED``.
    """
    if (kind := _by_plugin(data, content_type, name) or _by_magic(data)) is not None:
        return kind
    head = decode(data[:_HEAD_BYTES], content_type)
    if _is_binary(data[:_HEAD_BYTES], head):
        return Format.UNSUPPORTED
    if _PLAINLY_HTML.match(head):
        return Format.HTML
    if _FLAT.match(head) and (kind := _packed(data[:_FLAT_BYTES])) is not Format.UNSUPPORTED:
        return kind
    declared = _declared(content_type, name)
    return _refine(declared, head, data)


def _by_plugin(data: bytes, content_type: str, name: str) -> Format | None:
    """Return the binary format of a plug-in that the first bytes and what is declared tell."""
    declared = {_suffix(name), _media_type(content_type)}
    for form in plugin_formats():
        reading = form.reading
        known = {*reading.suffixes, *reading.aliases, reading.media_type}
        if not reading.magic or not data.startswith(reading.magic):
            continue
        if not reading.suffixes or known & declared:
            return form
    return None


def _suffix(name: str) -> str:
    name = name.lower().removesuffix(".gz")  # its bytes are what was compressed
    return name.rpartition(".")[2] if "." in name else ""


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _by_magic(data: bytes) -> Format | None:
    if data.startswith(b"PK\x03\x04"):
        return _packed(data)
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    return Format.PDF if b"%PDF-" in data[:_PDF_WINDOW] else None


def _packed(data: bytes) -> Format:
    """Return which kind of document an archive or a flat one is: of what it holds, the first tells.

    A document may hold others, each with the names of its own parts. Names are unencrypted in the
    local headers and in the directory at the end.
    """
    found = [(at, form) for held, form in _INSIDE if (at := data.find(held)) >= 0]
    return min(found)[1] if found else Format.UNSUPPORTED


def _is_binary(head: bytes, text: str) -> bool:
    """Whether ``head`` holds more unreadable characters than a damaged text would."""
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls > _MAX_CONTROLS * len(head) and not is_wide(head):
        return True
    return text.count("\ufffd") > _MAX_BROKEN * len(text)


def _declared(content_type: str, name: str) -> Format | None:
    """Return what the suffix says, then the type: servers say text/plain of nearly everything."""
    suffix, media_type = _suffix(name), _media_type(content_type)
    suffixes, types = _textual()
    by_type = types.get(media_type)
    if by_type is None and media_type.endswith(("+xml", "+json")):
        by_type = Format.XML if media_type.endswith("xml") else Format.JSON
    if by_type in (None, Format.TEXT):
        return suffixes.get(suffix, by_type)
    return by_type


def _refine(declared: Format | None, head: str, data: bytes) -> Format:
    """Return what a text is: what is declared, unless the text itself contradicts it."""
    if declared is Format.JSON or declared is Format.JSONL:
        return _json_kind(data, declared)
    if declared in (None, Format.TEXT):
        declared = _by_head(head) or declared
    return declared if declared not in (None, Format.HTML) else _unsaid(declared, head, data)


def _by_head(head: str) -> Format | None:
    """Return the format that the first lines of a text are enough to tell."""
    return next((form for begins, form in _HEADS if begins.match(head)), None)


def _unsaid(declared: Format | None, head: str, data: bytes) -> Format:
    """Return what a text is that nobody says, or that is said to be HTML, as servers do of all."""
    if _HTML_TAG.match(head):
        return Format.HTML
    if _XML_HEAD.match(head):
        return Format.XML
    if head.lstrip()[:1] in ("{", "[") and _parses(head.strip().partition("\n")[0], data):
        return _json_kind(data, Format.JSON)
    return declared or Format.TEXT


_NOTEBOOK_KEYS = (b'"nbformat"', b'"cells"')


def _json_kind(data: bytes, declared: Format) -> Format:
    """Return JSONL for one object a line under either name, and JSON for a whole under either.

    A whole that is a notebook is one under any name.
    """
    first, has_more = _first_line(data)
    if has_more and first.startswith(b"{") and _is_json(first):
        return Format.JSONL
    if declared is Format.JSON:
        return _whole_json(data)
    is_whole = data.lstrip().startswith(b"[") and not _is_json(first)
    return Format.JSON if is_whole else declared


def _first_line(data: bytes) -> tuple[bytes, bool]:
    """Return the first line of ``data`` that is not blank, and whether others follow it."""
    lines = [line.strip() for line in data[:_HEAD_BYTES].split(b"\n", 2) if line.strip()]
    return next(iter(lines), b""), len(lines) > 1


def _whole_json(data: bytes) -> Format:
    return Format.NOTEBOOK if all(key in data for key in _NOTEBOOK_KEYS) else Format.JSON


_MOST_TRIED = 1_000_000
"""Bytes of a body that nobody calls JSON which are parsed to find out: the parser lets nothing else
of this process run meanwhile."""


def _parses(first_line: str, data: bytes) -> bool:
    """Whether a body that begins like JSON is some."""
    if _is_json(first_line.encode("utf-8", "replace")):
        return True
    return _ends_as_json(data) if len(data) > _MOST_TRIED else _is_json(data)


def _ends_as_json(data: bytes) -> bool:
    """Whether the end of ``data`` closes what its beginning opens."""
    return data[-_HEAD_BYTES:].rstrip()[-1:] == {b"{": b"}", b"[": b"]"}[data.lstrip()[:1]]


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
