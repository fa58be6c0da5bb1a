"""Deliberate breaks of a worker, each of which ``bench/kill.py`` has to notice.

A harness that passes says something only if it fails where the protection is gone: ``python
bench/kill.py --break NAME`` has its workers run with one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.events import Event, RunFinished
from quaere.domain.trace import Trace
from quaere.store import jobs
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.recording import job_journal
from quaere.store.traces import traces
from quaere.store.traces.spool import Continuation

_FOREVER_S = 86_400.0
_following = traces.following


async def _unfenced(connection: AsyncConnection, job: jobs.Job) -> None:
    """Let everybody write."""


def _without_fence(trace: Trace, events: Sequence[Event], fence: int | None) -> list[Event]:
    del fence
    return _following(trace, events, None)


def _end_without_fence(trace: Trace, events: Sequence[Event], fence: int | None) -> list[Event]:
    ends = any(isinstance(event, RunFinished) for event in events)
    return _following(trace, events, None if ends else fence)


def _renumbered(trace: Trace, events: Sequence[Event], fence: int | None) -> list[Event]:
    """Take every event as a new one, under the next number."""
    again = [
        event.model_copy(update={"seq": number})
        for number, event in enumerate(events, trace.last_seq + 1)
    ]
    return _following(trace, again, fence)


def _no_fence() -> None:
    traces.following = _without_fence
    jobs.fenced = job_journal.fenced = _unfenced


def _no_kept_answers() -> None:
    opened = job_journal.JobJournal.open

    async def forgetful(database: Database, job: jobs.Job) -> job_journal.JobJournal:
        journal = await opened(database, job)
        journal.past = ()
        return journal

    job_journal.JobJournal.open = forgetful


def _no_lease() -> None:
    found = DatabaseCarrier._next  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def grabbing(
        self: DatabaseCarrier, connection: AsyncConnection, waited_s: float, per_user: int | None
    ) -> RowMapping | None:
        return await found(self, connection, waited_s - _FOREVER_S, per_user)

    DatabaseCarrier._next = grabbing  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def _no_fence_at_the_end() -> None:
    traces.following = _end_without_fence


def _placed_as_it_comes(self: Continuation, event: Event) -> tuple[Event, bool]:
    """Take every event as one that the log does not have."""
    del self
    return event, True


def _numbers_again() -> None:
    Continuation.placed = _placed_as_it_comes
    traces.following = _renumbered


BREAKS: Mapping[str, Callable[[], None]] = MappingProxyType(
    {
        "fence-removed": _no_fence,
        "kept-answers-ignored": _no_kept_answers,
        "lease-never-checked": _no_lease,
        "end-without-fence": _no_fence_at_the_end,
        "event-numbers-reused": _numbers_again,
    }
)
