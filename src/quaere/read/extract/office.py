"""The parts of Office documents: archives of XML, of which only what holds text is unpacked.

The sizes that a ZIP archive declares are not trusted, and damage elsewhere (pictures,
relationships) does not matter.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.markup import Element, local_name, parse_xml
from quaere.read.extract.page import broken, name_of

MAX_PART_BYTES = 50_000_000
"""Of one part, unpacked; a novel's takes some 5 MB."""

_CORE = "docProps/core.xml"
_ENCRYPTED_FLAG = 0x1


@contextmanager
def opened(body: Body, program: str) -> Generator[zipfile.ZipFile]:
    """Open ``body`` as an archive; ``program`` is what its writer can save it again with.

    Raises:
        ReadError: ``broken`` for a damaged one, whatever of it turns out to be.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body.data)) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        message = f"is damaged: {error}; open it in {program} and save it again"
        raise broken(body, message) from error


def part(body: Body, archive: zipfile.ZipFile, name: str) -> Element | None:
    """Return the root of a part; None when the document has no such part.

    Raises:
        ReadError: ``encrypted``, or ``too_large`` for one that unpacks to more than it may.
        ValueError: when it is not well-formed.
    """
    try:
        info = archive.getinfo(name)
    except KeyError:
        return None
    if info.flag_bits & _ENCRYPTED_FLAG:
        message = f"{name_of(body)} is locked with a password; save it without one"
        raise ReadError(message, status=ReadStatus.ENCRYPTED)
    with archive.open(info) as file:
        data = file.read(MAX_PART_BYTES + 1)
    if max(len(data), info.file_size) > MAX_PART_BYTES:
        message = f"{name_of(body)} unpacks to more than {MAX_PART_BYTES / 1e6:.0f} MB; split it"
        raise ReadError(message, status=ReadStatus.TOO_LARGE)
    return parse_xml(data)


def attribute(element: Element | None, name: str) -> str:
    """Return an attribute whatever its namespace: strict and transitional documents differ.

    Empty where there is none, and where there is no ``element``.
    """
    held = () if element is None else element.items()
    return next((v for k, v in held if k.rpartition("}")[2] == name), "")


def about(body: Body, archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the document's own title, creator and dates by the names of their elements."""
    root = part(body, archive, _CORE)
    return {local_name(field): field.text or "" for field in root} if root is not None else {}
