"""Traces of runs, as a collector gets them: whole, one a run, and without a word of anybody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from tests.faces.cli.conftest import MILL
from tests.store.job import first_job

from quaere.domain.budget import PROFILES, Budget, ProfileName, Spend, remaining
from quaere.domain.events import (
    Event,
    ModelCalled,
    Phase,
    PhaseStarted,
    RunFailed,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import ReadStatus
from quaere.domain.trace import Owner
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.runtime.tracing import MOST_OPEN, RunTracing, trace_id
from quaere.runtime.worker import WorkerPolicy
from quaere.store.jobs import Job

QUESTION = "Who built the mill?"
BUDGET: Budget = PROFILES[ProfileName.STANDARD]


@dataclass
class Collector:
    """Takes what is sent to it, as an OpenTelemetry collector does."""

    endpoint: str = ""
    bodies: list[bytes] = field(default_factory=list[bytes])

    @property
    def spans(self) -> list[tuple[str, bytes, bytes, bytes, dict[str, str]]]:
        """Name, trace, own id, parent and attributes of every span."""
        return [
            (
                s.name,
                s.trace_id,
                s.span_id,
                s.parent_span_id,
                {a.key: str(a.value) for a in s.attributes},
            )
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for s in scope.spans
        ]


@pytest.fixture
def collector() -> Iterator[Collector]:
    taken = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            taken.bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        taken.endpoint = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield taken
        server.shutdown()


@pytest.mark.anyio
async def test_a_collector_gets_every_run_r2_5(tmp_path: Path, collector: Collector) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "mill.md").write_text(MILL, "utf-8")
    settings = Settings(
        docs=(notes,),
        data_dir=tmp_path / "data",
        cache_dir=tmp_path / "cache",
        otlp_endpoint=collector.endpoint,
    )
    async with App.open(settings) as app:
        request = RunRequest(question=QUESTION, docs=(notes,))
        submitted = await app.submit(RunSpec(request=request, owner=Owner()), Owner())
        await (await app.worker(WorkerPolicy(drain=True))).run()
    spans = collector.spans
    (run,) = [span for span in spans if span[0] == "run"]
    assert run[1] == trace_id(submitted.id).to_bytes(16)
    assert submitted.id in run[4]["quaere.run_id"]
    assert "sufficient" in run[4]["quaere.stop_reason"]
    ids = {span[2]: span for span in spans}
    phases = [span for span in spans if span[3] == run[2]]
    assert {"searching", "synthesizing", "verifying"} <= {span[0] for span in phases}
    (search, *_) = [span for span in spans if span[0] == "search"]
    assert ids[search[3]][0] == "searching"
    assert "folder" in search[4]["quaere.provider"]
    told = b"".join(collector.bodies)
    assert not [word for word in (QUESTION, "mill", str(tmp_path)) if word.encode() in told]


def job(run_id: str = "r1", attempt: int = 1) -> Job:
    spec = RunSpec(request=RunRequest(question=QUESTION), run_id=run_id)
    return first_job(spec, attempt=attempt)


def begun() -> RunStarted:
    return RunStarted(question=QUESTION, profile=ProfileName.STANDARD, budget=BUDGET)


def made(*told: tuple[Job, Event]) -> list[ReadableSpan]:
    exporter = InMemorySpanExporter()
    tracing = RunTracing(exporter)
    for each, event in told:
        tracing.watch(each, event)
    tracing.close()
    return list(exporter.get_finished_spans())


def test_a_call_lies_in_its_phase_and_says_what_it_took() -> None:
    call = ModelCall(
        step="plan",
        model="openai:gpt-4.1-mini",
        usage=Usage(prompt_tokens=70, completion_tokens=7),
        seconds=2.5,
        error="the key sk-123 was refused",
    )
    at = "2026-11-23T04:00:10+00:00"
    phase = PhaseStarted(phase=Phase.PLANNING, at=at, remaining=remaining(BUDGET, Spend(), 0.0))
    spans = {
        s.name: s
        for s in made((job(), begun()), (job(), phase), (job(), ModelCalled(call=call, at=at)))
    }
    assert set(spans) == {"run", "planning", "model"}
    model = spans["model"]
    assert model.parent
    assert spans["planning"].context
    assert model.parent.span_id == spans["planning"].context.span_id
    assert model.end_time
    assert model.start_time == model.end_time - 2_500_000_000
    assert model.attributes
    assert model.attributes["gen_ai.usage.input_tokens"] == 70
    assert model.status.status_code is StatusCode.ERROR
    assert "sk-123" not in model.to_json()


@pytest.mark.parametrize(
    "event",
    [
        SearchFinished(
            query="secret", intent="", provider="brave", hits=0, fresh=0, error="secret"
        ),
        SourceRead(
            url="https://secret", title="secret", status=ReadStatus.TIMEOUT, reason="secret"
        ),
        RunFailed(error_type="timeout", message="secret", retryable=True),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_fails_is_marked_and_no_word_of_it_is_told(event: Event) -> None:
    spans = made((job(), begun()), (job(), event))
    assert [s.name for s in spans if s.status.status_code is StatusCode.ERROR] == [spans[0].name]
    assert "secret" not in "".join(s.to_json() for s in spans)


def test_a_run_that_is_taken_over_stays_one_trace() -> None:
    first, second = made((job(), begun()), (job(attempt=2), begun()))
    assert first.context
    assert second.context
    assert first.context.trace_id == second.context.trace_id == trace_id("r1")
    assert first.parent is second.parent is None


def test_runs_that_never_tell_of_their_end_are_forgotten_in_time() -> None:
    exporter = InMemorySpanExporter()
    tracing = RunTracing(exporter)
    for number in range(MOST_OPEN + 5):
        tracing.watch(job(f"r{number}"), begun())
    assert len(tracing._open) == MOST_OPEN
    tracing.close()
    assert len(exporter.get_finished_spans()) == MOST_OPEN + 5
