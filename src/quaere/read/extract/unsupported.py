"""Says why a body cannot be read, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.page import name_of

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# A document that Office has locked with a password is wrapped in an OLE file with this stream.
_LOCKED = "EncryptedPackage".encode("utf-16-le")

_KNOWN = (
    (_OLE, "an old Office document; save it as DOCX, XLSX or PDF"),
    (b"{\\rtf", "a rich text document; save it as DOCX or PDF"),
    (b"%!PS", "a PostScript file; convert it to PDF"),
    (
        b"PK\x03\x04",
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
        reason = "a binary file; only text, HTML, PDF, DOCX, XLSX, CSV, JSON and XML can be read"
        for magic, known in _KNOWN:
            if body.data.startswith(magic):
                reason = known
                break
        raise ReadError(f"{name} is {reason}", status=ReadStatus.UNSUPPORTED)
