"""Makes the pages that the extractors yield, and says why a body has none and what helps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import TypedDict, Unpack

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.formats import Format, file_name
from quaere.text.clean import clean_line, clean_text

_BETWEEN = "\n\n"


class About(TypedDict, total=False):
    """What a source declares about itself."""

    author: str
    published: str
    language: str


def make_page(
    body: Body,
    kind: Format,
    text: str,
    *,
    title: str = "",
    fragment: str = "",
    marks: Iterable[Mark] = (),
    **about: Unpack[About],
) -> Page:
    """Return the page of ``body``, or of its record ``fragment``, with ``text`` as it is.

    Without a ``title`` the page is called by its file name or address.
    """
    return Page(
        url=f"{body.url}#{fragment}" if fragment else body.url,
        title=clean_line(title) or name_of(body),
        text=text,
        content_type=str(kind),
        retrieved_at=body.retrieved_at,
        size=len(body.data),
        marks=tuple(marks),
        author=clean_line(about.get("author", "")),
        published=clean_line(about.get("published", "")),
        language=clean_line(about.get("language", "")),
    )


def text_page(
    body: Body,
    kind: Format,
    text: str,
    blocks: Sequence[str],
    *,
    title: str = "",
    **about: Unpack[About],
) -> Page:
    """Return the page of ``body``, with the ``text`` that its ``blocks`` make, cleaned.

    Without a ``title`` it is called by its headings, where one is its title.

    Raises:
        ReadError: ``empty`` when there is no text.
    """
    cleaned = clean_text(text).strip()
    if not cleaned:
        raise empty(body)
    headings = [block for block in blocks if block.startswith("#")]
    named = title.strip() or title_among(headings, opens=blocks[0].startswith("#"))
    return make_page(body, kind, cleaned, title=named, **about)


def joined_parts(parts: Iterable[tuple[str, str]]) -> tuple[str, list[Mark]]:
    """Return the text of ``parts``, a blank line between them, and a mark for each.

    Args:
        parts: The label of each and its text.
    """
    texts: list[str] = []
    marks: list[Mark] = []
    at = 0
    for label, text in parts:
        texts.append(text)
        marks.append(Mark(start=at, label=label))
        at += len(text) + len(_BETWEEN)
    return _BETWEEN.join(texts), marks


def title_among(headings: Sequence[str], *, opens: bool) -> str:
    """Return the one of ``headings`` that is the title of their page; empty where none is.

    That is the first, where it ``opens`` the page or is the only one of the first level. Below a
    logo and an introduction, "Installation" heads a section of a page without a title.

    Args:
        headings: Those of the page, each with its number signs.
        opens: Whether the page begins with the first of them.
    """
    top = [heading for heading in headings if not heading.startswith("##")]
    if opens or (len(top) == 1 and top == list(headings[:1])):
        return headings[0].lstrip("# ")
    return ""


def at_most(limit: int, pages: Iterator[Page], body: Body) -> Iterator[Page]:
    """Yield the first ``limit`` of ``pages``.

    Raises:
        ReadError: ``too_large`` at the end when there are more.
    """
    yield from islice(pages, limit)
    if next(pages, None) is not None:
        message = f"{name_of(body)} holds more than {limit:,} records; the others were left out"
        raise ReadError(message, status=ReadStatus.TOO_LARGE)


def name_of(body: Body) -> str:
    """Return what to call ``body`` in a title or message: its file name, else its address."""
    return clean_line(file_name(body.url) or body.url)


def broken(body: Body, why: str) -> ReadError:
    """Return the error for a body that is not what its format demands."""
    return ReadError(f"{name_of(body)} {why}", status=ReadStatus.BROKEN)


def empty(body: Body, why: str = "holds no text") -> ReadError:
    """Return the error for a body without text."""
    return ReadError(f"{name_of(body)} {why}", status=ReadStatus.EMPTY)


_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
# A document that Office has locked with a password is wrapped in an OLE file with this stream.
_LOCKED = "EncryptedPackage".encode("utf-16-le")

# What an Outlook message keeps its fields in, and what tells one kind of archive from another: the
# first file of an OpenDocument is its type.
_WITHIN = (
    (_OLE, "__properties_version".encode("utf-16-le"), "an Outlook message; save it as EML or PDF"),
    (_ZIP, b"vnd.oasis.opendocument.", "an OpenDocument drawing or database; export it as PDF"),
)

_KNOWN = (
    (_OLE, "an old Office document; save it as DOCX, XLSX, PPTX or PDF"),
    (b"%!PS", "a PostScript file; convert it to PDF"),
    (
        _ZIP,
        "a ZIP archive or a document inside one; save it as DOCX, XLSX, PDF, CSV or text",
    ),
    (b"\x1f\x8b", "compressed with gzip; unpack it"),
    (b"BZh", "compressed with bzip2; unpack it"),
    (b"\xfd7zXZ", "compressed with xz; unpack it"),
    (b"(\xb5/\xfd", "compressed with zstd; unpack it"),
    (b"\x89PNG", "an image; only text can be read"),
    (b"\xff\xd8\xff", "an image; only text can be read"),
    (b"GIF8", "an image; only text can be read"),
    (b"RIFF", "a sound, an image or a film; only text can be read"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\0", "a database; export its tables as CSV"),
)


class UnsupportedExtractor:
    """Refuses; the message names what the bytes are where their first ones tell."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Never return.

        Raises:
            ReadError: always; ``encrypted`` or ``unsupported``.
        """
        name = name_of(body)
        if body.data.startswith(_OLE) and _LOCKED in body.data:
            message = f"{name} is locked with a password; save it without one"
            raise ReadError(message, status=ReadStatus.ENCRYPTED)
        raise ReadError(f"{name} is {_kind(body.data, name)}", status=ReadStatus.UNSUPPORTED)


_TOLD_BY_BYTES = frozenset(
    {"pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "rtf", "html", "htm"}
)
"""Suffixes of formats that the first bytes of a whole file tell."""


def _kind(data: bytes, name: str) -> str:
    """Return what ``data`` is that is called ``name``, and what to do about it."""
    for magic, within, kind in _WITHIN:
        if data.startswith(magic) and within in data:
            return kind
    readable = "text, HTML, PDF, Office and OpenDocument files, EPUB, RTF, CSV, JSON and XML"
    binary = f"a binary file; only {readable} can be read"
    suffix = PurePosixPath(name).suffix[1:].lower()
    if suffix in _TOLD_BY_BYTES:
        binary = f"not {suffix.upper()} inside; it is damaged, or not what its name says"
    return next((kind for magic, kind in _KNOWN if data.startswith(magic)), binary)
