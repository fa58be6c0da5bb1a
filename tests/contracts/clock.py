"""What every ``Clock`` does."""

from __future__ import annotations

from datetime import timedelta

import pytest

from quaere.resilience.timing import Clock


class ClockContract:
    """The behaviour that the engine relies on."""

    @pytest.fixture
    def clock(self) -> Clock:
        raise NotImplementedError

    def test_it_never_goes_back(self, clock: Clock) -> None:
        readings = [clock.monotonic() for _ in range(100)]
        assert readings == sorted(readings)

    def test_the_time_of_day_is_in_utc(self, clock: Clock) -> None:
        now = clock.now()
        assert now.utcoffset() == timedelta(0)
        assert now.year > 2020
