"""What runs do, as metrics that Prometheus reads (R0.13, R2.5). Never a text, never a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from quaere.domain.events import (
    Event,
    ModelCalled,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.domain.report import Report

if TYPE_CHECKING:
    from quaere.runtime.worker import Worker
    from quaere.store.jobs import Job

SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640)
LOOPS = (1, 2, 3, 4, 6, 8, 12, 20, 40)


class RunMetrics:
    """Counts the events of the runs that this process makes."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register all metrics with ``registry``."""
        self._started = Counter("runs_started", "Runs begun.", ["profile"], registry=registry)
        self._ended = Counter("runs_ended", "Runs over, by how.", ["status"], registry=registry)
        self._making = Gauge("runs_in_progress", "Runs being made.", registry=registry)
        self._seconds = Histogram(
            "run_duration_seconds",
            "From the beginning of a run to its report.",
            ["profile"],
            buckets=SECONDS,
            registry=registry,
        )
        self._loop = Histogram(
            "research_loop_duration_seconds",
            "One loop of search, read and evaluate.",
            buckets=SECONDS,
            registry=registry,
        )
        self._loops = Histogram(
            "iterations_per_request",
            "Loops of a run.",
            buckets=LOOPS,
            registry=registry,
        )
        self._stages = Histogram(
            "run_stage_seconds",
            "Time in each phase of a run.",
            ["stage"],
            buckets=SECONDS,
            registry=registry,
        )
        self._searches = Counter("searches", "Queries asked.", ["provider"], registry=registry)
        self._failures = Counter(
            "search_failures", "Queries that failed.", ["provider"], registry=registry
        )
        self._fetches = Counter("fetches", "Pages opened, by how.", ["status"], registry=registry)
        self._calls = Counter(
            "model_calls", "Calls of models.", ["model", "outcome"], registry=registry
        )
        self._tokens = Counter(
            "model_tokens", "Tokens of models.", ["model", "kind"], registry=registry
        )
        self._usd = Counter("model_cost_usd", "Dollars for models.", ["model"], registry=registry)
        self._verdicts = Counter(
            "sentence_verdicts", "Sentences of answers, by verdict.", ["verdict"], registry=registry
        )
        self._dropped = Counter(
            "sentences_dropped", "Sentences that checks removed.", registry=registry
        )

    def follow(self, worker: Worker) -> None:
        """Tell how many runs ``worker`` makes: one that it hands back leaves no event."""
        self._making.set_function(lambda: worker.busy)

    def watch(self, _job: Job, event: Event) -> None:
        """Count ``event``."""
        match event:
            case RunStarted():
                self._started.labels(event.profile).inc()
            case SearchFinished():
                self._searches.labels(event.provider).inc()
                if event.error:
                    self._failures.labels(event.provider).inc()
            case SourceRead():
                self._fetches.labels(event.status).inc()
            case ModelCalled():
                self._count(event)
            case RunFinished():
                self._finish(event.report)
                self._ended.labels("completed").inc()
            case RunFailed():
                self._ended.labels(event.error_type).inc()
            case _:
                pass

    def _count(self, event: ModelCalled) -> None:
        call = event.call
        self._calls.labels(call.model, "failed" if call.error else "used").inc()
        self._tokens.labels(call.model, "prompt").inc(call.usage.prompt_tokens)
        self._tokens.labels(call.model, "completion").inc(call.usage.completion_tokens)
        self._usd.labels(call.model).inc(call.cost_usd or 0.0)

    def _finish(self, report: Report) -> None:
        self._seconds.labels(report.profile).observe(report.seconds)
        self._loops.observe(report.iterations)
        for step in report.steps:
            self._loop.observe(step.seconds)
        for stage, seconds in report.figures.stage_seconds.items():
            self._stages.labels(stage).observe(seconds)
        for sentence in report.sentences:
            self._verdicts.labels(sentence.support).inc()
        self._dropped.inc(len(report.dropped))
