"""Reads one local file, of whatever kind its name refers to."""

from __future__ import annotations

import errno
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body

MAX_FILE_BYTES = 50_000_000
_GZIP_MAGIC = b"\x1f\x8b"

# Opening a FIFO waits for its writer, and a device may do anything; O_NONBLOCK keeps open() short
# until fstat() has told what it is. Both flags are absent on Windows, which has neither.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

_FAILURES = {
    errno.ENOENT: (ReadStatus.NOT_FOUND, "is gone; index the folder again"),
    errno.ENOTDIR: (ReadStatus.NOT_FOUND, "is gone; index the folder again"),
    errno.EACCES: (ReadStatus.REFUSED, "may not be read; change its permissions or leave it out"),
    errno.EPERM: (ReadStatus.REFUSED, "may not be read; change its permissions or leave it out"),
    errno.ELOOP: (ReadStatus.REFUSED, "is a symbolic link that leads back to itself; remove it"),
    errno.ENAMETOOLONG: (ReadStatus.NOT_FOUND, "has a name too long for the file system"),
    errno.EISDIR: (ReadStatus.REFUSED, "is a folder, not a file"),
    errno.ENXIO: (ReadStatus.REFUSED, "is not a regular file; leave it out"),
}


def read_file(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> Body:
    """Return the bytes of the file at ``path`` under its ``file://`` URL.

    Symbolic links are followed; ``retrieved_at`` is the time of the file's last change. Of a file
    whose name ends in ``.gz``, the bytes are those that were compressed.

    Raises:
        ReadError: ``not_found``, ``refused`` (no permission, no regular file), ``too_large`` (over
            ``max_bytes``), ``empty``, or ``broken`` for a failing disk or damaged compression.
    """
    try:
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            _check(path, status, max_bytes)
            data = file.read(max_bytes + 1)
    except ValueError as error:
        message = f"{path!s:.200} is not a valid path: {error}"
        raise ReadError(message, status=ReadStatus.NOT_FOUND) from error
    except OSError as error:
        raise _failure(path, error) from error
    if len(data) > max_bytes:
        raise _too_large(path, len(data), max_bytes)
    if path.suffix.lower() == ".gz" and data.startswith(_GZIP_MAGIC):
        data = _unpacked(path, data, max_bytes)
    if not data:
        raise ReadError(f"{path} is empty", status=ReadStatus.EMPTY)
    changed = datetime.fromtimestamp(status.st_mtime, tz=UTC)
    return Body(
        data=data,
        url=path.absolute().as_uri(),
        retrieved_at=changed.isoformat(timespec="seconds"),
    )


def _unpacked(path: Path, data: bytes, max_bytes: int) -> bytes:
    """Return what ``data`` was before it was compressed, unpacked up to what is allowed."""
    from quaere.read.content_encoding import gzip_decoder  # noqa: PLC0415 - with all decoders

    unpacked, codec = bytearray(), gzip_decoder()
    try:
        for piece in codec.feed(data):
            unpacked += piece
            if len(unpacked) > max_bytes:
                raise _too_large(path, len(unpacked), max_bytes)
        codec.finish()
    except ReadError as error:
        if error.status is not ReadStatus.BROKEN:
            raise
        message = f"{path} is not whole, or no gzip file; compress it again"
        raise ReadError(message, status=ReadStatus.BROKEN) from error
    return bytes(unpacked)


def _check(path: Path, status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        message = f"{path} is not a regular file; leave it out"
        raise ReadError(message, status=ReadStatus.REFUSED)
    if status.st_size > max_bytes:
        raise _too_large(path, status.st_size, max_bytes)


def _too_large(path: Path, size: int, max_bytes: int) -> ReadError:
    message = (
        f"{path} holds {size / 1e6:,.1f} MB, more than the {max_bytes / 1e6:,.1f} MB allowed; "
        "split it or raise the limit"
    )
    return ReadError(message, status=ReadStatus.TOO_LARGE)


def _failure(path: Path, error: OSError) -> ReadError:
    default = (ReadStatus.BROKEN, f"cannot be read: {error.strerror or error}")
    status, reason = _FAILURES.get(error.errno or 0, default)
    return ReadError(f"{path} {reason}", status=status)
