"""The lock that lets one process at a time write an index."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from threading import Event
from types import TracebackType

from quaere.errors import FolderIndexError

_POLL_S = 0.05


class WriterLock:
    """Lets one process (and one thread) write to an index; readers need no lock.

    It is an exclusive SQLite transaction on a file of its own: portable, and freed by the system
    when its holder dies, however it dies.
    """

    def __init__(self, path: Path, *, wait_s: float, stop: Event) -> None:
        """Lock ``path``, waiting ``wait_s`` seconds at most, or until ``stop`` is set."""
        self._path = path
        self._wait_s = wait_s
        self._stop = stop

    def __enter__(self) -> None:
        deadline = time.monotonic() + self._wait_s
        try:
            self._connection = sqlite3.connect(
                self._path, timeout=0, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise FolderIndexError(f"Cannot lock the index at {self._path}: {error}.") from error
        try:
            while not self._try():
                if self._stop.is_set() or time.monotonic() >= deadline:
                    raise FolderIndexError(
                        f"Another process is writing the index at {self._path.parent}; "
                        f"waited {self._wait_s:g} s. Try again when it has finished."
                    )
                self._stop.wait(_POLL_S)
        except BaseException:
            self._connection.close()
            raise

    def _try(self) -> bool:
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return False
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                self._path.write_bytes(b"")  # emptied and not replaced: others lock this very file
                return False
            raise FolderIndexError(f"Cannot lock the index at {self._path}: {error}.") from error
        return True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()
