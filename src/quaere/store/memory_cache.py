"""Cached answers of services in the memory of one process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

ENTRIES = 2_000
"""Kept at most; beyond, what was used least recently goes."""


class MemoryCache:
    """A `Cache` of texts. To be used from one event loop.

    A process that works for one command alone has nothing in it; a library for caching would take
    two fifths of a second of it to import.
    """

    def __init__(self, entries: int = ENTRIES, now: Callable[[], float] = monotonic) -> None:
        """Keep the ``entries`` used last, by the clock ``now``, which counts seconds."""
        self._most = entries
        self._now = now
        self._kept: OrderedDict[str, tuple[str, float]] = OrderedDict()

    async def get(self, key: str) -> str | None:
        """Return the text; None when there is none, or its time is over."""
        found = self._kept.get(key)
        if found is None:
            return None
        text, until = found
        if until <= self._now():
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return text

    async def set(self, key: str, text: str, seconds: float) -> None:
        """Keep the text for ``seconds``."""
        self._kept[key] = text, self._now() + seconds
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    async def aclose(self) -> None:
        """Forget all."""
        self._kept.clear()
