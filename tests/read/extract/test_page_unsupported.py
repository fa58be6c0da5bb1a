"""What is told of a body that cannot be read."""

from __future__ import annotations

import io
import zipfile

import pytest
from tests.contracts.extractor import outcome
from tests.read.documents import body
from tests.read.workbooks import zipped

from quaere.domain.source import ReadStatus
from quaere.read.extract.page import UnsupportedExtractor

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LOCKED = "EncryptedPackage".encode("utf-16-le")
OPEN = "application/vnd.oasis.opendocument"


def typed(media_type: str) -> bytes:
    """Return an archive that begins with its type, which is not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", media_type)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "status", "told"),
    [
        (OLE + bytes(40) + LOCKED, ReadStatus.ENCRYPTED, "locked with a password"),
        (OLE + bytes(40), ReadStatus.UNSUPPORTED, "an old Office document; "),
        (bytes(8) + LOCKED, ReadStatus.UNSUPPORTED, "a binary file; "),
        (b"PK\x03\x04" + LOCKED, ReadStatus.UNSUPPORTED, "a ZIP archive"),
        (b"\x89PNG\r\n", ReadStatus.UNSUPPORTED, "an image"),
        (b"MZ\x90", ReadStatus.UNSUPPORTED, "a program"),
        (b"\x00MZ", ReadStatus.UNSUPPORTED, "a binary file"),
        (b"", ReadStatus.UNSUPPORTED, "a binary file"),
        (typed(f"{OPEN}.graphics"), ReadStatus.UNSUPPORTED, "an OpenDocument drawing or database;"),
        (
            zipped({"note.txt": "opened"}),
            ReadStatus.UNSUPPORTED,
            "a ZIP archive or a document inside one; ",
        ),
        (
            OLE + bytes(500) + "__properties_version1.0".encode("utf-16-le"),
            ReadStatus.UNSUPPORTED,
            "an Outlook message; ",
        ),
        (OLE + bytes(500), ReadStatus.UNSUPPORTED, "an old Office document; "),
        (b"\x00\x01\x02\x03", ReadStatus.UNSUPPORTED, "a binary file; "),
    ],
)
def test_the_first_bytes_tell_what_cannot_be_read(
    data: bytes, status: ReadStatus, told: str
) -> None:
    pages, error = outcome(UnsupportedExtractor(), body(data, "ledger.bin"))
    assert not pages
    assert error is not None
    assert error.status == status
    assert error.message.startswith("ledger.bin is ")
    assert told in error.message


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("ledger.docx", b"\0\1\2", "not DOCX inside; it is damaged, or not what its name says"),
        ("ledger.PDF", b"\0\1\2", "not PDF inside; "),
        ("ledger.pdf", b"\x89PNG\r\n", "an image; "),
        ("ledger.txt", b"\0\1\2", "a binary file; "),
        ("pdf", b"\0\1\2", "a binary file; "),
    ],
)
def test_of_a_file_whose_name_says_another_format_it_is_told(
    name: str, data: bytes, told: str
) -> None:
    _, error = outcome(UnsupportedExtractor(), body(data, name))
    assert error is not None
    assert error.message.startswith(f"{name} is {told}")
