"""Marks what is corrupted in an index, so that the next refresh rebuilds it."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

from quaere.index.inverted_index import InvertedIndexError

CORRUPTION_ERRORS = (sqlite3.Error, zlib.error, InvertedIndexError, ValueError, TypeError)
"""Raised by reading a corrupted index; the last two when its values are invalid."""

# Marks are files, as the process that finds damage may be one that only searches.
_MARKS = {
    "damaged-terms": ("terms",),
    "damaged-catalogue": ("catalogue.db", "catalogue.db-wal", "catalogue.db-shm", "terms"),
}

# Trouble with the disk or with other processes, not with the stored data.
_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)


def mark_corrupted(folder: Path, error: Exception) -> bool:
    """Mark in ``folder`` what ``error`` shows to be corrupted; False if it shows no corruption."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING:
        return False
    mark = "damaged-terms" if isinstance(error, InvertedIndexError) else "damaged-catalogue"
    with suppress(OSError):
        (folder / mark).touch()
    return True


def remove_corrupted(folder: Path) -> bool:
    """Remove what is marked in ``folder``, for it to be rebuilt; return whether anything was.

    The caller holds the writer's lock.
    """
    marks = [mark for mark in _MARKS if (folder / mark).exists()]
    for mark in marks:
        for name in (*_MARKS[mark], mark):
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
            else:
                (folder / name).unlink(missing_ok=True)
    return bool(marks)
