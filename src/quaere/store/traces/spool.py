"""Spool files: events of runs on their way into the database, one JSON object per line.

Loading a database library takes too long for a command that answers one question. It writes to a
spool file instead: a line survives the death of the process once it is written, and a power failure
once a step is complete. The next command that opens the database imports the files
(`quaere.store.traces.spool`). The writer holds a lock on its file, which the operating
system releases when the process ends.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, Self

from pydantic import JsonValue, ValidationError

from quaere.domain.events import Event, IndexProgress, RunFailed
from quaere.domain.trace import ENDED, TOOL, Owner, Trace, TraceStatus
from quaere.domain.value import Value
from quaere.errors import StoreUnavailable, TraceConflict, UsageError, cause_of
from quaere.store.traces.privacy import Kept

if TYPE_CHECKING:
    from quaere.store.traces.recorder import RunSummary
    from quaere.store.traces.traces import Traces


logger = logging.getLogger(__name__)


class Continuation:
    """Numbers events after those in the log."""

    def __init__(self, logged: Iterable[Event]) -> None:
        """Follow the events in ``logged``, which are in order."""
        events = tuple(logged)
        self._again = deque(each.seq for each in events if not isinstance(each, IndexProgress))
        self._before = self._last = events[-1].seq if events else 0

    def placed(self, event: Event) -> tuple[Event, bool]:
        """Return ``event`` with its number in the log, and whether the log does not have it yet."""
        if isinstance(event, IndexProgress):
            if self._again or event.seq <= self._before:
                return event, False
        elif self._again:
            return _numbered(event, self._again.popleft()), False
        self._last += 1
        return _numbered(event, self._last), True

    def after_all(self, event: Event) -> Event:
        """Return ``event`` with the number behind all that the log has: no other comes again."""
        self._last += 1
        return _numbered(event, self._last)


def _numbered(event: Event, seq: int) -> Event:
    return event if event.seq == seq else event.model_copy(update={"seq": seq})


SUFFIX = ".events"
TRIES, PAUSE_S = 50, 0.02
"""Attempts to open a file that is being imported, and seconds between them."""


class Head(Value):
    """The first line of a file: the owner of the run, its request, and where its trace belongs."""

    version: Literal[1] = 1
    trace_id: str
    owner: Owner = Owner()
    tool: str = TOOL
    params: Mapping[str, JsonValue] = {}
    created_at: datetime
    database: str = ""
    """Name of the database that takes it in; empty for the file in the data folder."""


class Spool:
    """The spool file of a run in progress. Close it when the run ends."""

    def __init__(self, folder: Path, head: Head) -> None:
        """Create or continue the file of a run, in a folder that only its owner can access.

        Raises:
            StoreUnavailable: when it cannot be written, or another process is writing it.
        """
        self.path = folder / f"{head.trace_id}{SUFFIX}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = _locked(self.path)
            before = read(self.path)
            continued = _truncate(self._file, before)
            self._continuation = Continuation(kept.event for kept in continued)
            self._empty = not continued
            if before.head is None:
                self._write(head.model_dump_json())
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def append(self, kept: Kept) -> None:
        """Write one event; an event that the file contains is skipped.

        Raises:
            StoreUnavailable: when it cannot be written.
        """
        event, fresh = self._continuation.placed(kept.event)
        if not fresh:
            return
        try:
            self._write(kept.model_copy(update={"event": event}).model_dump_json())
            if event.durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self._empty = False

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def withdraw(self) -> None:
        """Close the file, and delete it if it contains no event: the run never started."""
        self.close()
        if self._empty:
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: str) -> None:
        data = f"{line}\n".encode()
        if self._file.write(data) != len(data):
            raise OSError("the disk is full")


class Spooled(NamedTuple):
    """The content of a spool file."""

    head: Head | None
    kept: Sequence[Kept]
    size: int
    """Bytes of all complete lines."""
    failed_at: int | None
    """Offset of the last line if it is a failure."""
    unreadable: bool
    """Whether a complete line cannot be read: a later version may have written it."""


def read(path: Path) -> Spooled:
    """Return the content of the file up to an incomplete last line, which a kill may leave.

    Raises:
        OSError: when it cannot be read.
    """
    head: Head | None = None
    kept: list[Kept] = []
    size, failed_at, unreadable = 0, None, False
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
                unreadable = True
                break
            failed = bool(kept) and isinstance(kept[-1].event, RunFailed)
            failed_at = size if failed else None
            size += len(line)
    return Spooled(head, kept, size, failed_at, unreadable)


def _locked(path: Path) -> BinaryIO:
    """Return the file, open for appending and locked.

    Raises:
        StoreUnavailable: when another process holds the lock.
        OSError: when it cannot be opened.
    """
    for _ in range(TRIES):
        file = open(path, "ab", buffering=0, opener=_private)  # noqa: SIM115 - open until the run ends
        if lock(file) and _is_at(file, path):
            return file
        file.close()
        time.sleep(PAUSE_S)
    raise StoreUnavailable(f"Another process is writing {str(path)!r}.")


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner can access."""
    return os.open(path, flags, 0o600)


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Return whether ``file`` still exists: the process that imported it has deleted it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _truncate(file: BinaryIO, before: Spooled) -> Sequence[Kept]:
    """Remove an incomplete line, and a failure that is retried; return what is left."""
    file.truncate(before.size if before.failed_at is None else before.failed_at)
    return before.kept if before.failed_at is None else before.kept[:-1]


def _unwritable(path: Path, error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"Cannot write {str(path)!r}: {cause_of(error)}.")


if sys.platform == "win32":
    import msvcrt

    _BEYOND = (
        1 << 40
    )  # Windows blocks reading of locked bytes, so the lock is past the end of the file

    def lock(file: BinaryIO) -> bool:
        """Lock ``file`` until it is closed; return False if another process holds the lock."""
        file.seek(_BEYOND)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Lock ``file`` until it is closed; return False if another process holds the lock."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


REFUSED = ".refused"
"""Suffix of a spool file that could not be imported."""

LOCK = "intake.lock"
WAIT_S = 30.0
_PAUSE_S = 0.05


def waiting(folder: Path, database: str = "") -> dict[Path, Head | None]:
    """Return the files in ``folder`` of runs that belong into ``database``, with their first lines.

    A file whose first line cannot be read belongs anywhere.
    """
    return _of(database, folder.glob(f"*{SUFFIX}"))


def refused(folder: Path, database: str = "") -> dict[Path, Head | None]:
    """Return the files in ``folder`` that could not be imported, as `waiting` does the others."""
    return _of(database, folder.glob(f"*{REFUSED}"))


def _of(database: str, paths: Iterable[Path]) -> dict[Path, Head | None]:
    heads = ((path, _head(path)) for path in sorted(paths))
    return {path: head for path, head in heads if head is None or head.database == database}


async def import_spool(
    folder: Path, traces: Traces, summary: RunSummary, *, database: str = ""
) -> list[str]:
    """Import the spool files in ``folder`` into ``traces``, and delete those of finished runs.

    A run in progress is imported as far as it has come. A run whose process died is marked as
    interrupted. Nothing is imported twice, even if other processes do this at the same time.
    Runs that began while another database was in use stay where they are, for that one.

    Args:
        folder: Where the files are.
        traces: Where they go.
        summary: Of a run without events.
        database: Name of the database of ``traces``, as in `Head.database`.

    Returns:
        A message for each file that could not be imported; it is kept under another name.

    Raises:
        StoreError: when the database cannot be used; the files are not changed.
    """
    if not waiting(folder, database):
        return []
    problems: list[str] = []
    async with _alone(folder):
        for path in waiting(folder, database):
            try:
                await _import(path, traces, summary)
            except FileNotFoundError:
                continue  # the run never started, and deleted its file
            except (OSError, TraceConflict, UsageError) as error:
                problems.append(f"{path.name}: {error}")
                logger.warning("cannot import %s: %s", path, error)
                path.rename(path.with_suffix(REFUSED))
    return problems


@asynccontextmanager
async def _alone(folder: Path) -> AsyncGenerator[None]:
    """Let one process at a time import from ``folder``."""
    try:
        with (folder / LOCK).open("ab") as file:
            for _ in range(round(WAIT_S / _PAUSE_S)):
                if lock(file):
                    break
                await asyncio.sleep(_PAUSE_S)
            else:
                raise StoreUnavailable(f"Another process is importing the runs in {str(folder)!r}.")
            yield
    except OSError as error:
        raise StoreUnavailable(
            f"Cannot import the runs in {str(folder)!r}: {cause_of(error)}."
        ) from error


async def _import(path: Path, traces: Traces, summary: RunSummary) -> None:
    with path.open("rb+") as file:
        over = lock(file)
        spooled = read(path)
        if spooled.head is not None:
            await _add(spooled, traces, summary, over=over)
        if over and spooled.unreadable:
            raise UsageError(
                "It is damaged or was written by a later version; only a part was imported."
            )
        if over:
            _remove(path)


def _head(path: Path) -> Head | None:
    try:
        with path.open("rb") as file:
            return Head.model_validate_json(file.readline())
    except (OSError, ValidationError):  # taken in meanwhile, or cut off by a kill
        return None


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _add(spooled: Spooled, traces: Traces, summary: RunSummary, *, over: bool) -> None:
    from quaere.store.traces.recorder import TraceLog  # noqa: PLC0415 - with the database library

    head = spooled.head
    if head is None:
        return
    trace = await traces.create_trace(
        head.owner,
        head.params,
        tool=head.tool,
        trace_id=head.trace_id,
        created_at=head.created_at,
    )
    if _was_resumed(trace, spooled):
        trace = await traces.reopen(head.owner, trace.id)
    if spooled.kept:
        logged = await traces.events(head.owner, trace.id) if trace.last_seq else ()
        fresh = _fresh(Continuation(logged), spooled.kept)
        log = TraceLog(traces, head.owner, trace.id, summary, events=logged)
        await log.append(fresh)
    if over:
        trace = await traces.get_trace(head.owner, trace.id)
        if trace.status not in {*ENDED, TraceStatus.INTERRUPTED}:
            await traces.interrupt(head.owner, trace.id)


def _fresh(continuation: Continuation, kept: Sequence[Kept]) -> list[Kept]:
    """Return what the log does not have of ``kept``, with its numbers there."""
    placed = [(each, *continuation.placed(each.event)) for each in kept]
    return [each.model_copy(update={"event": event}) for each, event, fresh in placed if fresh]


def _was_resumed(trace: Trace, spooled: Spooled) -> bool:
    """Return whether the run failed and has been resumed since."""
    if trace.status not in {TraceStatus.FAILED, TraceStatus.CANCELLED} or not spooled.kept:
        return False
    last = spooled.kept[-1].event
    mended = trace.status is TraceStatus.FAILED and not isinstance(last, RunFailed)
    return last.seq > trace.last_seq or (mended and last.seq == trace.last_seq)
