"""Wakes those in this process who wait for a change in the database, so that they need not poll.

What this process writes is heard at once; what others write, where a carrier brings their news. All
else is seen at the next look: a bell that stays silent delays, and never loses.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import AsyncExitStack, aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

from quaere.domain.events import Event
from quaere.errors import StoreError
from quaere.resilience.timing import end
from quaere.store.carriers import QUEUE, Carrier

if TYPE_CHECKING:
    from quaere.store.jobs import Job

GATHERS_S = 0.02
"""How long news are gathered before they are sent to others together."""
AGAIN_S = 1.0
"""How long after a failure it is tried to listen again."""
RARELY_S = 5.0
"""How long those wait at most who are woken by all processes: news may be lost."""

__all__ = ["ENDED", "QUEUE", "Bell", "News", "Watch", "wishes"]

logger = logging.getLogger(__name__)


Watch: TypeAlias = "Callable[[Job, Event], None]"
"""Counts what runs do; must neither raise nor take long."""

ENDED = "ended"
"""Subject of news in this process: a run has ended."""


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
    """What was written, by subject: `QUEUE`, or the id of a run."""

    def __init__(self) -> None:
        self._bells: dict[str, list[Bell]] = {}
        self._carrier: Carrier | None = None
        self._listening = False
        self._unsent: set[str] = set()
        self._post = Bell()
        self._exits = AsyncExitStack()

    def connect(self, carrier: Carrier) -> None:
        """Send news to other processes and take in theirs from now on, until `aclose`."""
        if self._carrier is not None:
            return
        self._carrier = carrier
        for doing in (self._send(carrier), self._listen(carrier)):
            self._exits.push_async_callback(end, asyncio.create_task(doing))

    async def aclose(self) -> None:
        """Send what was not sent yet, and let go of the carrier, which stays open."""
        if self._carrier and self._unsent:
            await self._sent(self._carrier)
        self._carrier = None
        await self._exits.aclose()

    def tell(self, subject: str, events: Sequence[Event] = ()) -> None:
        """Wake all who listen for ``subject``; those in this process get the kept ``events``."""
        for bell in self._bells.get(subject, ()):
            bell.ring(events)
        if self._carrier:
            self._unsent.add(subject)
            self._post.ring()

    def ring(self, *subjects: str) -> None:
        """Wake those in this process who listen for one of ``subjects``."""
        for subject in subjects:
            for bell in self._bells.get(subject, ()):
                bell.ring()

    def look_s(self, seconds: float) -> float:
        """Return how long one may wait for a bell who would look every ``seconds`` without it."""
        woken = self._listening and self._carrier is not None and self._carrier.wakes
        return max(seconds, RARELY_S) if woken else seconds

    @contextmanager
    def heard(self, subject: str, bell: Bell | None = None) -> Generator[Bell]:
        """Yield a bell that rings for ``subject``. Look after it was yielded, then wait.

        ``bell`` is one that rings for other subjects, too.
        """
        bell = bell or Bell()
        self._bells.setdefault(subject, []).append(bell)
        try:
            yield bell
        finally:
            self._bells[subject].remove(bell)
            if not self._bells[subject]:
                del self._bells[subject]

    async def _send(self, carrier: Carrier) -> None:
        while True:
            await self._post.wait(RARELY_S)
            await asyncio.sleep(GATHERS_S)
            if self._unsent:
                await self._sent(carrier)

    async def _sent(self, carrier: Carrier) -> None:
        subjects, self._unsent = self._unsent, set()
        try:
            await carrier.tell(subjects)
        except StoreError as error:
            logger.info("news is not being sent: %s", error.message)

    async def _listen(self, carrier: Carrier) -> None:
        while True:
            try:
                async with aclosing(carrier.news()) as told:
                    async for subject in told:
                        self._listening = True
                        # What was told while nobody listened is unknown: all are to look.
                        self.ring(*((subject,) if subject else self._bells))
            except StoreError as error:
                logger.info("news is not being received: %s", error.message)
            else:
                return
            self._listening = False
            await asyncio.sleep(AGAIN_S)
