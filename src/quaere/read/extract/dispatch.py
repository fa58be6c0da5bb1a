"""Picks the extractor for what a body really is."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import cast

from quaere.domain.source import Page
from quaere.ports.read import Body, Extractor
from quaere.read.sniff import Kind, sniff_body


@dataclass(frozen=True, slots=True)
class Format:
    """How one kind of body is read."""

    extractor: str
    """Where its extractor stands, as ``module:class``: parsers are imported when first needed."""
    seconds: float
    """Time after which reading counts as hung."""
    inline_bytes: int = 0
    """Size up to which it is safe and cheap to read in the calling process."""


_HERE = "quaere.read.extract"
_MB = 1_000_000

FORMATS: Mapping[Kind, Format] = MappingProxyType(
    {
        Kind.HTML: Format(f"{_HERE}.html:HtmlExtractor", seconds=8),
        Kind.PDF: Format(f"{_HERE}.pdf:PdfExtractor", seconds=18),
        Kind.DOCX: Format(f"{_HERE}.docx:DocxExtractor", seconds=18),
        Kind.XML: Format(f"{_HERE}.xml:XmlExtractor", seconds=8),
        Kind.MARKDOWN: Format(f"{_HERE}.markdown:MarkdownExtractor", 8, inline_bytes=2 * _MB),
        Kind.TEXT: Format(f"{_HERE}.text:TextExtractor", 8, inline_bytes=2 * _MB),
        Kind.CSV: Format(f"{_HERE}.tabular:CsvExtractor", 60, inline_bytes=100 * _MB),
        Kind.TSV: Format(f"{_HERE}.tabular:CsvExtractor", 60, inline_bytes=100 * _MB),
        Kind.JSON: Format(f"{_HERE}.json_records:JsonExtractor", 60, inline_bytes=5 * _MB),
        Kind.JSONL: Format(f"{_HERE}.json_records:JsonLinesExtractor", 60, inline_bytes=100 * _MB),
        Kind.UNSUPPORTED: Format(f"{_HERE}.unsupported:UnsupportedExtractor", 8, 100 * _MB),
    }
)


@cache
def extractor_for(kind: Kind) -> Extractor:
    """Return the extractor that reads ``kind``."""
    make = cast("type[Extractor]", pkgutil.resolve_name(FORMATS[kind].extractor))
    return make()


class SniffingExtractor:
    """Reads every supported format, in the calling process and with no limits."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the pages of ``body``; see ``Extractor``."""
        yield from extractor_for(sniff_body(body)).extract(body)
