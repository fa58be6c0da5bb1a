"""Events of runs on their way into the database: one file a run, one JSON object a line.

A command that answers one question has no time to load a database library. It writes here, where a
line is safe from the death of the process once it is written and from a loss of power once a step
is complete; whoever opens the database next takes the files in (`quaere.store.traces.intake`). The
writer holds a lock on its file, which the system frees when the process dies, however it dies.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Literal, Self

from pydantic import JsonValue, ValidationError

from quaere.domain.events import RunFailed
from quaere.domain.trace import TOOL, Owner
from quaere.domain.value import Value
from quaere.errors import StoreUnavailable
from quaere.store.traces.redaction import Kept

SUFFIX = ".events"
TRIES, PAUSE_S = 50, 0.02
"""How often and how fast a file is tried to be had that somebody is just taking in."""


class Head(Value):
    """The first line: whose run it is, and what was asked."""

    version: Literal[1] = 1
    trace_id: str
    owner: Owner = Owner()
    tool: str = TOOL
    params: Mapping[str, JsonValue] = {}
    created_at: datetime


class Spool:
    """The file of one run that is being written. Close it when the run is over."""

    def __init__(self, folder: Path, head: Head) -> None:
        """Begin the file of a run, or go on with it; its folder is open to its owner alone.

        Raises:
            StoreUnavailable: when it cannot be written, or another process writes it.
        """
        self.path = folder / f"{head.trace_id}{SUFFIX}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = _locked(self.path)
            before = read(self.path)
            self._last = _settle(self._file, before)
            if before.head is None:
                self._write(head.model_dump_json())
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def append(self, kept: Kept) -> None:
        """Write one event; one that the file holds is passed over.

        Raises:
            StoreUnavailable: when the disk does not take it.
        """
        if kept.event.seq <= self._last:
            return
        try:
            self._write(kept.model_dump_json())
            if kept.event.durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self._last = kept.event.seq

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def withdraw(self) -> None:
        """Close the file, and delete it unless it holds an event: its run has never begun."""
        self.close()
        if not self._last:
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: str) -> None:
        data = f"{line}\n".encode()
        if self._file.write(data) != len(data):
            raise OSError("the disk is full")


class Spooled(Value):
    """What is in a file."""

    head: Head | None = None
    kept: tuple[Kept, ...] = ()
    size: int = 0
    """Bytes of the lines that are whole, the one before the failure it tells of included."""
    failed_at: int | None = None
    """Where the line begins that tells of a failure, when that is the last."""
    strange: bool = False
    """Whether a whole line follows that cannot be read: a later Quaere may have written it."""


def read(path: Path) -> Spooled:
    """Return what the file holds, as far as its lines are whole: a kill may tear the last.

    Raises:
        OSError: when it cannot be read.
    """
    head: Head | None = None
    kept: list[Kept] = []
    size, failed_at, strange = 0, None, False
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            try:
                if head is None:
                    head = Head.model_validate_json(line)
                else:
                    kept.append(Kept.model_validate_json(line))
            except ValidationError:
                strange = True
                break
            failed = bool(kept) and isinstance(kept[-1].event, RunFailed)
            failed_at = size if failed else None
            size += len(line)
    return Spooled.model_construct(
        head=head, kept=tuple(kept), size=size, failed_at=failed_at, strange=strange
    )


def _locked(path: Path) -> BinaryIO:
    """Return the file to be added to, locked.

    Raises:
        StoreUnavailable: when another process has it.
        OSError: when it cannot be opened.
    """
    for _ in range(TRIES):
        file = open(path, "ab", buffering=0, opener=_private)  # noqa: SIM115 - held until the run is over
        if lock(file) and _is_at(file, path):
            return file
        file.close()
        time.sleep(PAUSE_S)
    raise StoreUnavailable(f"Another process writes {str(path)!r}.")


def _private(path: str, flags: int) -> int:
    """Open a file that is its owner's alone."""
    return os.open(path, flags, 0o600)


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Return whether ``file`` is still there: who took it in has deleted it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _settle(file: BinaryIO, before: Spooled) -> int:
    """Cut off a torn line, and a failure that is being mended; return the last event's number."""
    file.truncate(before.size if before.failed_at is None else before.failed_at)
    kept = before.kept if before.failed_at is None else before.kept[:-1]
    return kept[-1].event.seq if kept else 0


def _unwritable(path: Path, error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"Cannot write {str(path)!r}: {error.strerror or error}.")


if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 40  # Windows keeps others from reading what is locked, so no byte of the file is

    def lock(file: BinaryIO) -> bool:
        """Lock ``file`` until it is closed; return whether nobody else had."""
        file.seek(_BEYOND)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Lock ``file`` until it is closed; return whether nobody else had."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
