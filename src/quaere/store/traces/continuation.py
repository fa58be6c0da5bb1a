"""Events of a run that is made again, after those that its log has of the time before.

A run that is resumed or taken over makes its events again, and those that the log has are not added
twice. They are told apart by their order, not by their numbers: how often the progress of indexing
is reported depends on the clock, so that the same step may have another number the second time.
Traces that are spooled need it, too, which load no library of the database.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from quaere.domain.events import Event, IndexProgress


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
