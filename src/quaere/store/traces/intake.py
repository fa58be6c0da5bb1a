"""Takes the files of runs that commands have written into the database."""

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
"""What the name of a file ends in that the database does not take."""

LOCK = "intake.lock"
WAIT_S = 30.0
_PAUSE_S = 0.05

logger = logging.getLogger(__name__)


async def take_in(folder: Path, traces: Traces, summary: RunSummary) -> list[str]:
    """Add what the files in ``folder`` hold to ``traces``, and delete those of runs that are over.

    A run that is still at work is added as far as it has come. One whose process died before its
    end is marked as interrupted. Nothing is added twice, whoever else does this at the same time.

    Args:
        folder: Where the files are.
        traces: Where they go.
        summary: Of a run without events.

    Returns:
        What is wrong with files that could not be taken; they are kept beside, under another name.

    Raises:
        StoreError: when the database cannot be used; the files stay as they are.
    """
    if not _files(folder):
        return []
    problems: list[str] = []
    async with _alone(folder):
        for path in _files(folder):
            try:
                await _take(path, traces, summary)
            except FileNotFoundError:
                continue  # its run never began, and took it away
            except (OSError, TraceConflict, UsageError) as error:
                problems.append(f"{path.name}: {error}")
                logger.warning("cannot take in %s: %s", path, error)
                path.rename(path.with_suffix(REFUSED))
    return problems


@asynccontextmanager
async def _alone(folder: Path) -> AsyncGenerator[None]:
    """Let one process at a time take in what is in ``folder``."""
    try:
        with (folder / LOCK).open("ab") as file:
            for _ in range(round(WAIT_S / _PAUSE_S)):
                if lock(file):
                    break
                await asyncio.sleep(_PAUSE_S)
            else:
                raise StoreUnavailable(f"Another process takes in the runs in {str(folder)!r}.")
            yield
    except OSError as error:
        why = error.strerror or error
        raise StoreUnavailable(f"Cannot take in the runs in {str(folder)!r}: {why}.") from error


async def _take(path: Path, traces: Traces, summary: RunSummary) -> None:
    with path.open("rb+") as file:
        over = lock(file)
        spooled = read(path)
        if spooled.head is not None:
            await _add(spooled, traces, summary, over=over)
        if over and spooled.strange:
            raise UsageError("A later Quaere wrote it, or it is damaged; not all of it was taken.")
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
    trace = await traces.create(
        head.owner,
        head.params,
        tool=head.tool,
        trace_id=head.trace_id,
        created_at=head.created_at,
    )
    if _goes_on(trace, spooled):
        trace = await traces.reopen(head.owner, trace.id)
    if spooled.kept:
        await TraceLog(traces, head.owner, trace.id, summary).append(spooled.kept)
    if over:
        trace = await traces.get(head.owner, trace.id)
        if trace.status not in {*ENDED, TraceStatus.INTERRUPTED}:
            await traces.interrupt(head.owner, trace.id)


def _goes_on(trace: Trace, spooled: Spooled) -> bool:
    """Return whether the run had failed and was resumed since."""
    if trace.status not in {TraceStatus.FAILED, TraceStatus.CANCELLED} or not spooled.kept:
        return False
    last = spooled.kept[-1].event
    mended = trace.status is TraceStatus.FAILED and not isinstance(last, RunFailed)
    return last.seq > trace.last_seq or (mended and last.seq == trace.last_seq)
