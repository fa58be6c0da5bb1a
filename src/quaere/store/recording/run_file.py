"""The file of one run that can be resumed: what was asked, and every answer so far.

It is a SQLite database of its own. Only one process at a time has it open and works on the
run; the system frees it when that process dies, however it dies.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Lock
from typing import Self

from pydantic import ValidationError

from quaere.domain.request import RunSpec
from quaere.errors import StoreUnavailable, UsageError, cause_of
from quaere.store.recording.entries import RECORDED, Recorded
from quaere.text.sanitize import quoted

VERSION = 2
_TABLES = """
CREATE TABLE run (version INTEGER NOT NULL, request TEXT NOT NULL);
CREATE TABLE answer (seq INTEGER PRIMARY KEY, recorded TEXT NOT NULL);
"""


class RunFile:
    """The open file of a run; a `quaere.store.recording.recording.JournalSink`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, spec: RunSpec) -> None:
        self.path = path
        self.spec = spec
        self.trouble = ""
        """Why no answers are kept any more; empty as long as they are."""
        self._connection = connection
        self._lock = asyncio.Lock()
        self._using = Lock()
        """Held by the thread that writes: one whose writer was cancelled goes on, and closing the
        connection under it crashes the process."""

    @classmethod
    def create(cls, path: Path, spec: RunSpec) -> Self:
        """Make the file of a new run, readable by its owner alone.

        Raises:
            StoreUnavailable: when it cannot be made.
        """
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=False)
            return cls(path, _begun(path, spec), spec)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailable(_unkept(path, error)) from error

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the file of a run that was stopped.

        Raises:
            UsageError: when there is none, somebody works on it, or it is of another version.
        """
        if not _is_there(path):
            raise UsageError(
                f"There is no run {quoted(path.stem)} to resume; "
                "`quaere resume` lists the stopped runs."
            )
        with ExitStack() as opened:
            try:
                connection = opened.enter_context(closing(_connected(path)))
                connection.execute("BEGIN EXCLUSIVE")
                version, spec = connection.execute("SELECT version, request FROM run").fetchone()
                connection.execute("COMMIT")
            except (sqlite3.Error, TypeError) as error:
                if not _is_held(error):
                    raise _damaged(path) from error
                raise UsageError(
                    f"The run {path.stem!r} is being worked on already, here or by another process."
                ) from error
            if version != VERSION:
                raise UsageError(
                    f"The run {path.stem!r} was begun by another version of Quaere; ask again."
                )
            file = cls(path, connection, _spec(path, spec))
            opened.pop_all()
        return file

    @staticmethod
    def discard(path: Path) -> None:
        """Delete the file of a run that nobody works on, where there is one."""
        if not _is_there(path):
            return
        try:
            with closing(_connected(path)) as connection:
                connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if _is_held(error):
                return
        _unlink(path)

    @property
    def answers(self) -> int:
        """Number of answers so far."""
        (count,) = self._connection.execute("SELECT count(*) FROM answer").fetchone()
        return int(count)

    def past(self) -> Iterator[Recorded]:
        """Yield the answers so far, in order.

        Raises:
            UsageError: when one of them is damaged.
        """
        try:
            for (recorded,) in self._connection.execute("SELECT recorded FROM answer ORDER BY seq"):
                yield RECORDED.validate_json(recorded)
        except (sqlite3.Error, ValidationError) as error:
            raise _damaged(self.path) from error

    async def append(self, recorded: Recorded) -> None:
        """Keep ``recorded``; nothing from the first on that the disk does not take (`trouble`).

        What is there can be resumed from.
        """
        text = recorded.model_dump_json()
        async with self._lock:
            if self.trouble:
                return
            try:
                await asyncio.to_thread(self._insert, text)
            except sqlite3.Error as error:
                self.trouble = _unkept(self.path, error)

    def _insert(self, text: str) -> None:
        with self._using:
            self._connection.execute("INSERT INTO answer (recorded) VALUES (?)", (text,))

    def close(self) -> None:
        """Let go of the file, once what is being written is there."""
        with self._using:
            self._connection.close()

    def remove(self) -> None:
        """Close and delete the file: the run is over."""
        with self._using, suppress(sqlite3.Error):
            self._connection.execute("PRAGMA synchronous=OFF")  # what is deleted need not last
        self.close()
        _unlink(self.path)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    with ExitStack() as unless_done:
        unless_done.callback(connection.close)
        # Held until it is closed: one worker a run. Each insert is on the disk when it returns.
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("PRAGMA synchronous=FULL")
        unless_done.pop_all()
    return connection


def _unkept(path: Path, error: OSError | sqlite3.Error) -> str:
    return f"Cannot keep the run in {str(path)!r}: {cause_of(error)}."


def _is_held(error: Exception) -> bool:
    """Return whether ``error`` says that somebody else has the file."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no file may have such a name, or it may not be looked for
        return False


def _unlink(path: Path) -> None:
    for each in (path, Path(f"{path}-wal"), Path(f"{path}-journal")):
        each.unlink(missing_ok=True)


def _begun(path: Path, spec: RunSpec) -> sqlite3.Connection:
    """Return the connection to the new file at ``path``, all of its beginning there; or no file."""
    connection = _connected(path)
    try:
        # Every answer waits until it is on the disk, before the run goes on: appended to a log it
        # waits for one write there, where a rollback journal takes four. It stays so for good.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(f"BEGIN EXCLUSIVE;{_TABLES}")
        connection.execute("INSERT INTO run VALUES (?, ?)", (VERSION, spec.model_dump_json()))
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.close()
        _unlink(path)
        raise
    return connection


def _spec(path: Path, text: str) -> RunSpec:
    try:
        return RunSpec.model_validate_json(text)
    except ValidationError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> UsageError:
    return UsageError(f"The file of the run {path.stem!r} is damaged; ask again.")
