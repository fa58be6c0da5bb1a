"""Runs as OpenTelemetry traces: a run, its phases, and in them each search, page and call (R2.5).

All spans are made of the events of a run, so that they cost it nothing. None holds a question, a
page, an answer, an address or a key: only names, figures and kinds of error.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context

from quaere.domain.events import (
    Event,
    ModelCalled,
    PhaseStarted,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.version import __version__
from quaere.view.describe import READABLE

if TYPE_CHECKING:
    from quaere.runtime.news import Watch
    from quaere.store.jobs import Job

MOST_OPEN = 1_000
"""Runs whose spans are kept open; of those that never told of their end, the oldest are closed."""


Attributes = Mapping[str, str | int | float | bool]


def trace_id(run_id: str) -> int:
    """Return the id of the trace of a run, which is one for all workers that made parts of it."""
    return int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:16])


class _RunIds(RandomIdGenerator):
    """Gives the next trace the id of its run."""

    run_id = ""

    def generate_trace_id(self) -> int:
        """Return the id of the trace that is about to begin."""
        return trace_id(self.run_id)


@dataclass(slots=True)
class _Open:
    """The spans of a run that are not over."""

    run: Span
    phases: dict[str, Span] = field(default_factory=dict[str, Span])
    """By the topic that they belong to, which is told nobody."""


class RunTracing:
    """Makes spans of the events of the runs that this process makes."""

    def __init__(self, exporter: SpanExporter) -> None:
        """Send spans to ``exporter``, in a thread of its own."""
        self._ids = _RunIds()
        resource = Resource.create({"service.name": "quaere", "service.version": __version__})
        self._provider = TracerProvider(resource=resource, id_generator=self._ids)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("quaere", __version__)
        self._open: OrderedDict[str, _Open] = OrderedDict()

    @classmethod
    def to(cls, endpoint: str) -> Self:
        """Return what sends spans to the collector at ``endpoint``, over HTTP."""
        return cls(OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces"))

    def close(self) -> None:
        """Send what was not sent yet; may take some seconds, so not for the event loop."""
        while self._open:
            self._close(next(iter(self._open)), None)
        self._provider.shutdown()

    def beside(self, other: Watch | None) -> Watch:
        """Return what has this and ``other`` watch."""

        def both(job: Job, event: Event) -> None:
            self.watch(job, event)
            if other:
                other(job, event)

        return both

    def watch(self, job: Job, event: Event) -> None:
        """Make spans of ``event`` of the run in ``job``."""
        if isinstance(event, RunStarted):
            self._begin(job, event)
        elif (known := self._open.get(job.run_id)) is None:
            return
        elif isinstance(event, RunFinished | RunFailed):
            _conclude(known.run, event)
            self._close(job.run_id, event)
        elif isinstance(event, PhaseStarted):
            self._enter(known, event)
        else:
            self._call(known, event)

    def _begin(self, job: Job, event: RunStarted) -> None:
        self._close(job.run_id, event)
        if len(self._open) >= MOST_OPEN:
            self._close(next(iter(self._open)), event)
        self._ids.run_id = job.run_id
        span = self._tracer.start_span(
            "run",
            context=Context(),  # whatever request asked for it: a run outlives that
            kind=SpanKind.CONSUMER,
            start_time=_nanoseconds(event),
            attributes={
                "quaere.run_id": job.run_id,
                "quaere.profile": str(event.profile),
                "quaere.attempt": job.attempt,
            },
        )
        self._open[job.run_id] = _Open(span)

    def _enter(self, known: _Open, event: PhaseStarted) -> None:
        now = _nanoseconds(event)
        if over := known.phases.pop(event.topic, None):
            over.end(now)
        known.phases[event.topic] = self._tracer.start_span(
            str(event.phase),
            context=set_span_in_context(known.run),
            start_time=now,
            attributes={"quaere.loop": event.loop},
        )

    def _call(self, known: _Open, event: Event) -> None:
        """Make a span of a call, which has ended when it is reported."""
        match event:
            case SearchFinished():
                name, seconds, failed = "search", event.seconds, bool(event.error)
            case SourceRead():
                name, seconds, failed = "read", event.seconds, event.status not in READABLE
            case ModelCalled():
                name, seconds, failed = "model", event.call.seconds, bool(event.call.error)
            case _:
                return
        parent = known.phases.get(event.topic, known.run)
        span = self._tracer.start_span(
            name,
            context=set_span_in_context(parent),
            kind=SpanKind.CLIENT,
            start_time=_nanoseconds(event, seconds),
            attributes=_attributes(event),
        )
        if failed:
            span.set_status(Status(StatusCode.ERROR))
        span.end(_nanoseconds(event))

    def _close(self, run_id: str, event: Event | None) -> None:
        """End all spans of a run that are open, at ``event`` or now."""
        if known := self._open.pop(run_id, None):
            at = _nanoseconds(event) if event else None
            for span in (*known.phases.values(), known.run):
                span.end(at)


def _conclude(run: Span, event: RunFinished | RunFailed) -> None:
    if isinstance(event, RunFailed):
        run.set_status(Status(StatusCode.ERROR))
        run.set_attribute("error.type", event.error_type)
        return
    report = event.report
    run.set_attributes(
        {
            "quaere.status": str(report.status),
            "quaere.stop_reason": str(report.stop_reason),
            "quaere.loops": report.iterations,
            "quaere.citations": len(report.citations),
        }
    )


def _attributes(event: SearchFinished | SourceRead | ModelCalled) -> Attributes:
    if isinstance(event, SearchFinished):
        return {
            "quaere.provider": event.provider,
            "quaere.hits": event.hits,
            "quaere.fresh": event.fresh,
            "quaere.retries": event.retries,
        }
    if isinstance(event, SourceRead):
        return {
            "quaere.provider": event.provider,
            "quaere.status": str(event.status),
            "quaere.bytes": event.bytes,
            "quaere.passages": event.passages,
        }
    call = event.call
    return {  # https://opentelemetry.io/docs/specs/semconv/gen-ai/
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": call.model.partition(":")[0],
        "gen_ai.request.model": call.model.partition(":")[2],
        "gen_ai.usage.input_tokens": call.usage.prompt_tokens,
        "gen_ai.usage.output_tokens": call.usage.completion_tokens,
        "quaere.step": call.step,
        "quaere.cost_usd": call.cost_usd or 0.0,
    }


def _nanoseconds(event: Event, before_s: float = 0.0) -> int:
    """Return the time ``before_s`` seconds before an event, since 1970."""
    return int((event.moment - timedelta(seconds=before_s)).timestamp() * 1e9)
