"""What Prometheus is told of runs (R0.13)."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry
from tests.faces.cli.samples import report
from tests.store.job import first_job

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.events import (
    Event,
    ModelCalled,
    Phase,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import Figures, Sentence, Step, Support
from quaere.domain.request import RunSpec
from quaere.domain.source import ReadStatus
from quaere.runtime.metrics import RunMetrics

JOB = first_job(RunSpec.of("Who?"))


class Told:
    """What is counted of some events."""

    def __init__(self, *events: Event) -> None:
        self._registry = CollectorRegistry()
        metrics = RunMetrics(self._registry)
        for event in events:
            metrics.watch(JOB, event)

    def __call__(self, name: str, **labels: str) -> float | None:
        return self._registry.get_sample_value(name, labels)


def searched(provider: str, error: str = "") -> SearchFinished:
    return SearchFinished(
        phase=Phase.SEARCHING,
        query="mill",
        intent="raw",
        provider=provider,
        hits=0,
        fresh=0,
        error=error,
    )


def called(model: str, *, error: str = "", usd: float | None = None) -> ModelCalled:
    usage = Usage(prompt_tokens=100, completion_tokens=20)
    call = ModelCall(step="plan", model=model, usage=usage, cost_usd=usd, error=error)
    return ModelCalled(phase=Phase.PLANNING, call=call)


def test_runs_are_counted_as_they_begin_and_by_how_they_end() -> None:
    begun = RunStarted(question="Who?", profile=ProfileName.DEEP, budget=PROFILES[ProfileName.DEEP])
    failed = RunFailed(error_type="search_error", message="nobody answers", retryable=True)
    told = Told(begun, begun, failed, RunFinished(phase=Phase.FINALIZING, report=report()))
    assert told("runs_started_total", profile="deep") == 2
    assert told("runs_ended_total", status="search_error") == 1
    assert told("runs_ended_total", status="completed") == 1


def test_searches_are_counted_by_provider_and_failures_apart() -> None:
    told = Told(searched("pubmed"), searched("pubmed", "down"), searched("arxiv"))
    assert told("searches_total", provider="pubmed") == 2
    assert told("search_failures_total", provider="pubmed") == 1
    assert told("searches_total", provider="arxiv") == 1
    assert told("search_failures_total", provider="arxiv") is None


def test_pages_are_counted_by_how_opening_them_ended() -> None:
    def read(status: ReadStatus) -> SourceRead:
        return SourceRead(phase=Phase.READING, url="https://a.test", title="A", status=status)

    told = Told(read(ReadStatus.OK), read(ReadStatus.OK), read(ReadStatus.NOT_FOUND))
    assert told("fetches_total", status=str(ReadStatus.OK)) == 2
    assert told("fetches_total", status=str(ReadStatus.NOT_FOUND)) == 1


def test_calls_of_models_are_counted_with_their_tokens_and_dollars() -> None:
    told = Told(called("a", usd=0.25), called("a", error="late"), called("b"))
    assert told("model_calls_total", model="a", outcome="used") == 1
    assert told("model_calls_total", model="a", outcome="failed") == 1
    assert told("model_tokens_total", model="a", kind="prompt") == 200
    assert told("model_tokens_total", model="a", kind="completion") == 40
    assert told("model_cost_usd_total", model="a") == 0.25
    assert told("model_cost_usd_total", model="b") == 0.0


def test_of_a_report_its_time_its_loops_and_its_sentences_are_told() -> None:
    sentences = [Sentence(text="So.", support=Support.QUOTED)] * 2
    done = report().model_copy(
        update={
            "seconds": 3.0,
            "steps": (Step(iteration=1, seconds=0.5), Step(iteration=2, seconds=1.5)),
            "figures": Figures(stage_seconds={"reading": 0.75}),
            "sentences": tuple(sentences),
            "dropped": tuple(sentences[:1]),
        }
    )
    told = Told(RunFinished(phase=Phase.FINALIZING, report=done))
    profile = str(done.profile)
    assert told("run_duration_seconds_sum", profile=profile) == 3.0
    assert told("run_duration_seconds_bucket", profile=profile, le="2.5") == 0
    assert told("run_duration_seconds_bucket", profile=profile, le="5.0") == 1
    assert told("research_loop_duration_seconds_sum") == 2.0
    assert told("research_loop_duration_seconds_count") == 2
    assert told("iterations_per_request_sum") == done.iterations
    assert told("run_stage_seconds_sum", stage="reading") == 0.75
    assert told("sentence_verdicts_total", verdict="quoted") == 2
    assert told("sentences_dropped_total") == 1


@pytest.mark.parametrize("name", ["run_duration_seconds", "run_stage_seconds"])
def test_times_are_told_from_a_tenth_of_a_second_to_ten_minutes(name: str) -> None:
    """What is slower is a run that has exceeded every limit."""
    figures = Figures(stage_seconds={"reading": 700.0})
    done = report().model_copy(update={"seconds": 700.0, "figures": figures})
    told = Told(RunFinished(phase=Phase.FINALIZING, report=done))
    label = (
        {"profile": str(done.profile)} if name == "run_duration_seconds" else {"stage": "reading"}
    )
    assert told(f"{name}_bucket", le="640.0", **label) == 0
    assert told(f"{name}_bucket", le="0.1", **label) == 0
    assert told(f"{name}_bucket", le="+Inf", **label) == 1
