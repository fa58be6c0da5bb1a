"""What runs do, as metrics that Prometheus reads (R0.13, R2.5). Never a text, never a key."""

from __future__ import annotations

from functools import partial
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
        count = partial(Counter, registry=registry)
        timed = partial(Histogram, buckets=SECONDS, registry=registry)
        self._started = count("runs_started", "Runs begun.", ["profile"])
        self._ended = count("runs_ended", "Finished runs, by status.", ["status"])
        self._making = Gauge("runs_in_progress", "Runs being made.", registry=registry)
        self._seconds = timed(
            "run_duration_seconds", "Time from the beginning of a run to its report.", ["profile"]
        )
        self._loop = timed(
            "research_loop_duration_seconds", "One loop of search, read and evaluate."
        )
        self._loops = Histogram(
            "iterations_per_request", "Loops of a run.", buckets=LOOPS, registry=registry
        )
        self._stages = timed("run_stage_seconds", "Time in each phase of a run.", ["stage"])
        self._searches = count("searches", "Queries asked.", ["provider"])
        self._failures = count("search_failures", "Queries that failed.", ["provider"])
        self._fetches = count("fetches", "Pages opened, by outcome.", ["status"])
        self._calls = count("model_calls", "Calls of models.", ["model", "outcome"])
        self._tokens = count("model_tokens", "Tokens of models.", ["model", "kind"])
        self._usd = count("model_cost_usd", "Dollars for models.", ["model"])
        self._verdicts = count(
            "sentence_verdicts", "Sentences of answers, by verdict.", ["verdict"]
        )
        self._dropped = count("sentences_dropped", "Sentences that checks removed.")

    def follow(self, worker: Worker) -> None:
        """Tell how many runs ``worker`` makes: one that it hands back leaves no event."""
        self._making.set_function(lambda: worker.busy)

    def _search(self, event: SearchFinished) -> None:
        self._searches.labels(event.provider).inc()
        if event.error:
            self._failures.labels(event.provider).inc()

    def watch(self, _job: Job, event: Event) -> None:
        """Count ``event``."""
        match event:
            case RunStarted():
                self._started.labels(event.profile).inc()
            case SearchFinished():
                self._search(event)
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
