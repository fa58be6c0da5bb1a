"""What the server itself does, as metrics and as one line of log a request."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.faces.server.feed import RUN_ID, Feeds
from quaere.runtime.logs import request_served, run_logged

LOOK_S = 0.25
"""How often the lag of the event loop is measured."""
QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180)
LAGS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)

logger = logging.getLogger(__name__)


class ServerMetrics:
    """Counts requests and streams, and how long the event loop lets others wait."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register all metrics with ``registry``."""
        self._registry = registry
        count = partial(Counter, registry=registry)
        timed = partial(Histogram, registry=registry)
        self._requests = count("http_requests", "Requests answered.", ["route", "method", "status"])
        self._seconds = timed(
            "http_request_seconds",
            "Time from a request to the start of its answer.",
            ["route"],
            buckets=QUICK,
        )
        self._refused = count("requests_refused", "Requests refused, by reason.", ["reason"])
        self._first = timed(
            "first_event_seconds",
            "Time from a request for a stream to its first event.",
            buckets=QUICK,
        )
        self._lag = timed("event_loop_lag_seconds", "Lag of the event loop.", buckets=LAGS)
        self._readers = Gauge("stream_readers", "Streams that are open.", registry=registry)
        self._queue = Gauge("queue_depth", "Runs that wait or are in progress.", registry=registry)

    def text(self, feeds: Feeds, waiting: int | None) -> bytes:
        """Return all metrics of the registry, in the form that Prometheus reads."""
        self._readers.set(feeds.readers)
        if waiting is not None:
            self._queue.set(waiting)
        return generate_latest(self._registry)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request whose answer has begun."""
        self._requests.labels(route, method, status).inc()
        self._seconds.labels(route).observe(seconds)
        if status >= HTTPStatus.BAD_REQUEST:
            self._refused.labels(HTTPStatus(status).phrase).inc()

    def first_event(self, seconds: float) -> None:
        """Count a stream that has its first event."""
        self._first.observe(seconds)

    async def measure_lag(self) -> None:
        """Measure until cancelled."""
        while True:
            due = time.perf_counter() + LOOK_S
            await asyncio.sleep(LOOK_S)
            self._lag.observe(max(0.0, time.perf_counter() - due))


class Observed:
    """Counts and logs each request; inside `quaere.faces.server.guard.Guard`."""

    def __init__(self, inner: ASGIApp, metrics: ServerMetrics) -> None:
        """Count into ``metrics`` what ``inner`` answers."""
        self._inner = inner
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        begun = time.perf_counter()

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._tell(scope, message, time.perf_counter() - begun)
            await send(message)

        with request_served(scope.get("quaere.request_id", "")):
            await self._inner(scope, receive, told)

    def _tell(self, scope: Scope, message: Message, seconds: float) -> None:
        # The pattern of the route, not the path: a path holds ids, and anybody can invent one.
        route, status = getattr(scope.get("route"), "path", "none"), message["status"]
        method, request_id = scope["method"], scope.get("quaere.request_id", "")
        self._metrics.answered(route, method, status, seconds)
        fields = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "seconds": round(seconds, 3),
        }
        ms = seconds * 1000
        line = f"{method} {route} {status} {ms:.0f} ms, request {request_id}"
        with run_logged(Headers(raw=message["headers"]).get(RUN_ID, "")):
            logger.info(line, extra={"fields": fields})
