"""What a measurement does to its process: waits of the event loop, and memory."""

from __future__ import annotations

import asyncio
import os
import selectors
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

EVERY_S = 0.005
PAGE_BYTES = 4_096


@dataclass(slots=True)
class Watch:
    """What was seen so far."""

    lags_s: list[float] = field(default_factory=list[float])
    """How much later than asked each wake-up came, other processes' doing included."""
    busy_s: list[float] = field(default_factory=list[float])
    """Processor time of the event loop's thread between two wake-ups."""
    base_mb: float = 0.0
    peak_mb: float = 0.0
    processor_s: float = 0.0
    """Processor time, worker processes included."""

    @property
    def kept_waiting_s(self) -> float:
        """How long the event loop waited for a processor that others had.

        It is by how much its wake-ups were late, without the time that it was computing itself.
        """
        return sum(
            max(0.0, late - busy) for late, busy in zip(self.lags_s, self.busy_s, strict=True)
        )

    @property
    def grown_mb(self) -> float:
        """Growth of the resident memory to its peak, worker processes included."""
        return self.peak_mb - self.base_mb


class Polls(selectors.DefaultSelector):
    """The selector of an event loop that keeps how long the loop computed between two polls.

    While it does, no socket is looked at and no timer: it is the longest block of a loop. What a
    timer waits for (``Watch.busy_s``) may be two of them, that in which it comes due and the next.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        super().__init__()
        self.held_s: list[float] = []
        self._since_s = time.thread_time()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Poll as any selector does."""
        self.held_s.append(time.thread_time() - self._since_s)
        events = super().select(timeout)
        self._since_s = time.thread_time()
        return events


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of ``values`` lie; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def resident_mb() -> float:
    """Return the resident memory of this process and its children."""
    return sum(_resident_mb(process) for process in ["self", *_children()])


def own_mb() -> float:
    """Return the resident memory of this process alone."""
    return _resident_mb("self")


def processor_s() -> float:
    """Return the processor time of this process and all its children, ended ones included."""
    own = os.times()
    ended_s = own.user + own.system + own.children_user + own.children_system
    return ended_s + sum(map(_processor_s, _children()))


def _processor_s(process: str) -> float:
    with suppress(OSError):  # it may have ended
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _children() -> list[str]:
    families = Path("/proc/self/task").glob("*/children")
    return [child for family in families for child in family.read_text("ascii").split()]


def _resident_mb(process: str) -> float:
    with suppress(OSError):  # it may have ended
        pages = Path(f"/proc/{process}/statm").read_text("ascii").split()[1]
        return int(pages) * PAGE_BYTES / 1e6
    return 0.0


@asynccontextmanager
async def watching() -> AsyncGenerator[Watch]:
    """Watch while the block runs."""
    watch = Watch(base_mb=resident_mb())
    watch.peak_mb = watch.base_mb
    begun_s = processor_s()

    async def look() -> None:
        for turn in range(1_000_000_000):
            begun, busy = time.perf_counter(), time.thread_time()
            await asyncio.sleep(EVERY_S)
            watch.lags_s.append(time.perf_counter() - begun - EVERY_S)
            watch.busy_s.append(time.thread_time() - busy)
            if turn % 4 == 0:
                watch.peak_mb = max(watch.peak_mb, resident_mb())
                watch.processor_s = max(watch.processor_s, processor_s() - begun_s)

    looking = asyncio.create_task(look())
    try:
        yield watch
        await asyncio.sleep(2 * EVERY_S)  # what held the loop up last is seen as well
    finally:
        looking.cancel()
