from __future__ import annotations

import io
import zipfile

import pytest
from tests.contracts.extractor import outcome
from tests.read.documents import body
from tests.read.workbooks import zipped

from quaere.domain.source import ReadStatus
from quaere.read.extract.unsupported import UnsupportedExtractor

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OPEN = "application/vnd.oasis.opendocument"


def typed(media_type: str) -> bytes:
    """Return an archive that begins with its type, which is not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", media_type)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (typed(f"{OPEN}.text"), "an OpenDocument text; save it as DOCX or PDF"),
        (typed(f"{OPEN}.spreadsheet"), "an OpenDocument spreadsheet; "),
        (typed(f"{OPEN}.presentation"), "an OpenDocument presentation; "),
        (typed("application/epub+zip"), "an e-book (EPUB); "),
        (zipped({"ppt/presentation.xml": "<p/>"}), "a PowerPoint presentation; "),
        (zipped({"note.txt": "opened"}), "a ZIP archive or a document inside one; "),
        (OLE + bytes(500) + "__properties_version1.0".encode("utf-16-le"), "an Outlook message; "),
        (OLE + bytes(500), "an old Office document; "),
        (b"\x00\x01\x02\x03", "a binary file; "),
    ],
)
def test_what_cannot_be_read_is_told_by_its_kind(data: bytes, kind: str) -> None:
    pages, error = outcome(UnsupportedExtractor(), body(data, "thing.bin"))
    assert pages == []
    assert error is not None
    assert error.status == ReadStatus.UNSUPPORTED
    assert error.message.startswith(f"thing.bin is {kind}")
