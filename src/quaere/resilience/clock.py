"""The clock of the machine."""

from __future__ import annotations

from datetime import UTC, datetime
from time import monotonic


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        return monotonic()

    def now(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.now(UTC)


SYSTEM_CLOCK = SystemClock()
