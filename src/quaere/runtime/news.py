"""Wakes those in this process who wait for a change in the database, so that they need not poll.

What another process writes is seen at the next look: a bell that stays silent delays, and never
loses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress

from quaere.domain.events import Event

QUEUE = "queue"
"""A run was submitted, or a place became free."""


def wishes(run_id: str) -> str:
    """Return the subject under which a worker hears what the owner of a run wants of it."""
    return f"wishes {run_id}"


class Bell:
    """Rings for one listener when there is news."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._brought: list[Event] = []

    def ring(self, events: Sequence[Event] = ()) -> None:
        """Wake the listener, now or when it waits next."""
        self._brought += events
        self._rung.set()

    async def wait(self, seconds: float) -> list[Event]:
        """Return when it has rung since the last return, or after ``seconds``.

        Returns the events that it was rung with, each once.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        self._rung.clear()
        brought, self._brought = self._brought, []
        return brought


class News:
    """What was written in this process, by subject: `QUEUE`, or the id of a run."""

    def __init__(self) -> None:
        self._bells: dict[str, set[Bell]] = {}

    def tell(self, subject: str, events: Sequence[Event] = ()) -> None:
        """Wake all who listen for ``subject``, with the events that were kept."""
        for bell in self._bells.get(subject, ()):
            bell.ring(events)

    @contextmanager
    def heard(self, subject: str) -> Generator[Bell]:
        """Yield a bell that rings for ``subject``. Look after it was yielded, then wait."""
        bell = Bell()
        self._bells.setdefault(subject, set()).add(bell)
        try:
            yield bell
        finally:
            self._bells[subject].discard(bell)
            if not self._bells[subject]:
                del self._bells[subject]
