"""What the service counts of its requests, its streams and its event loop."""

from __future__ import annotations

import asyncio
import time

import pytest
from prometheus_client import CollectorRegistry

from quaere.faces.server.telemetry import LOOK_S, ServerMetrics

pytestmark = pytest.mark.anyio


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


async def test_the_loop_is_as_late_as_it_wakes_and_never_early(
    registry: CollectorRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = [0.0, LOOK_S + 0.25, 10.0, 10.0]

    def clock() -> float:
        if not ticks:
            raise asyncio.CancelledError
        return ticks.pop(0)

    async def sleep(seconds: float) -> None:
        assert seconds == LOOK_S

    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await ServerMetrics(registry).measure_lag()
    assert registry.get_sample_value("event_loop_lag_seconds_sum") == 0.25
    assert registry.get_sample_value("event_loop_lag_seconds_count") == 2


def test_only_what_is_refused_counts_by_its_reason(registry: CollectorRegistry) -> None:
    metrics = ServerMetrics(registry)
    for status in (200, 399, 400, 429, 429):
        metrics.answered("/v1/runs", "GET", status, 0.5)

    def refused(reason: str) -> float | None:
        return registry.get_sample_value("requests_refused_total", {"reason": reason})

    assert [refused("Bad Request"), refused("Too Many Requests"), refused("OK")] == [1, 2, None]
    taken = registry.get_sample_value("http_request_seconds_sum", {"route": "/v1/runs"})
    assert taken == 2.5
