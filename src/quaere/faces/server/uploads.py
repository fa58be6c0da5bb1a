"""The names of uploaded files, as the headers of a multipart body carry them."""

from __future__ import annotations

import re

from fastapi import UploadFile

_ENCODED = re.compile(r"%(0A|0D|22)")


def name_of(upload: UploadFile) -> str:
    """Return the name of ``upload`` as its sender has it; nothing of it is safe yet.

    Browsers encode line breaks and double quotes in it, and no percent sign: whatever else looks
    encoded is part of the name (HTML, multipart/form-data encoding algorithm).
    """
    return _ENCODED.sub(lambda found: chr(int(found[1], 16)), upload.filename or "")
