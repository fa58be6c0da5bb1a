"""Says why a body cannot be read, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.page import name_of

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
# A document that Office has locked with a password is wrapped in an OLE file with this stream.
_LOCKED = "EncryptedPackage".encode("utf-16-le")

# What an Outlook message keeps its fields in, and what tells one kind of archive from another: the
# first file of an OpenDocument and of an e-book is its type.
_WITHIN = (
    (_OLE, "__properties_version".encode("utf-16-le"), "an Outlook message; save it as EML or PDF"),
    (_ZIP, b"opendocument.text", "an OpenDocument text; save it as DOCX or PDF"),
    (_ZIP, b"opendocument.spreadsheet", "an OpenDocument spreadsheet; save it as XLSX or CSV"),
    (_ZIP, b"opendocument.presentation", "an OpenDocument presentation; save it as PDF"),
    (_ZIP, b"mimetypeapplication/epub+zip", "an e-book (EPUB); convert it to PDF, HTML or text"),
    (_ZIP, b"ppt/presentation.xml", "a PowerPoint presentation; save it as PDF"),
)

_KNOWN = (
    (_OLE, "an old Office document; save it as DOCX, XLSX or PDF"),
    (b"{\\rtf", "a rich text document; save it as DOCX or PDF"),
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
        raise ReadError(f"{name} is {_kind(body.data)}", status=ReadStatus.UNSUPPORTED)


def _kind(data: bytes) -> str:
    """Return what ``data`` is, and what to do about it."""
    for magic, within, kind in _WITHIN:
        if data.startswith(magic) and within in data:
            return kind
    binary = "a binary file; only text, HTML, PDF, DOCX, XLSX, CSV, JSON and XML can be read"
    return next((kind for magic, kind in _KNOWN if data.startswith(magic)), binary)
