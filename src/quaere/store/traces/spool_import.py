"""Imports spool files, which commands have written, into the database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from quaere.domain.events import RunFailed
from quaere.domain.trace import ENDED, Trace, TraceStatus
from quaere.errors import StoreUnavailable, TraceConflict, UsageError
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.spool import SUFFIX, Spooled, lock, read
from quaere.store.traces.traces import RunSummary, Traces

REFUSED = ".refused"
"""Suffix of a spool file that could not be imported."""

LOCK = "intake.lock"
WAIT_S = 30.0
_PAUSE_S = 0.05

logger = logging.getLogger(__name__)


async def import_spool(folder: Path, traces: Traces, summary: RunSummary) -> list[str]:
    """Import the spool files in ``folder`` into ``traces``, and delete those of finished runs.

    A run in progress is imported as far as it has come. A run whose process died is marked as
    interrupted. Nothing is imported twice, even if other processes do this at the same time.

    Args:
        folder: Where the files are.
        traces: Where they go.
        summary: Of a run without events.

    Returns:
        A message for each file that could not be imported; it is kept under another name.

    Raises:
        StoreError: when the database cannot be used; the files are not changed.
    """
    if not _files(folder):
        return []
    problems: list[str] = []
    async with _alone(folder):
        for path in _files(folder):
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
        why = error.strerror or error
        raise StoreUnavailable(f"Cannot import the runs in {str(folder)!r}: {why}.") from error


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


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _add(spooled: Spooled, traces: Traces, summary: RunSummary, *, over: bool) -> None:
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
        await TraceLog(traces, head.owner, trace.id, summary).append(spooled.kept)
    if over:
        trace = await traces.get_trace(head.owner, trace.id)
        if trace.status not in {*ENDED, TraceStatus.INTERRUPTED}:
            await traces.interrupt(head.owner, trace.id)


def _was_resumed(trace: Trace, spooled: Spooled) -> bool:
    """Return whether the run failed and has been resumed since."""
    if trace.status not in {TraceStatus.FAILED, TraceStatus.CANCELLED} or not spooled.kept:
        return False
    last = spooled.kept[-1].event
    mended = trace.status is TraceStatus.FAILED and not isinstance(last, RunFailed)
    return last.seq > trace.last_seq or (mended and last.seq == trace.last_seq)
