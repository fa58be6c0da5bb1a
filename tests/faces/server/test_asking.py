"""What of a report stands in the answer of R0.10, and what R0.5's request asks for."""

from __future__ import annotations

from tests.synthesize.drafts import unanswered

from quaere.domain.budget import Spend
from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import RunWarning
from quaere.domain.trace import Trace, TraceStatus
from quaere.faces.server.asking import job_of, response_of, run_form
from quaere.faces.server.forms import TaskForm


def test_r0_10_the_answer_tells_what_the_run_took() -> None:
    used = Usage(prompt_tokens=40, completion_tokens=2)
    report = unanswered().model_copy(
        update={
            "spend": Spend(iterations=2, queries=3, reads=4, model_calls=2),
            "seconds": 1.23456,
            "calls": (
                ModelCall(step="plan", model="m", usage=used, cost_usd=0.25),
                ModelCall(step="write", model="m", usage=used),
            ),
        }
    )
    usage = response_of(report).usage
    assert (usage.iterations, usage.queries, usage.sources_read) == (2, 3, 4)
    assert (usage.input_tokens, usage.output_tokens, usage.model_calls) == (80, 4, 2)
    assert (usage.cost_usd, usage.seconds) == (0.25, 1.235)


def test_r0_10_the_answer_keeps_what_the_report_says_of_itself() -> None:
    warning = RunWarning(kind="search", message="The shelf is closed.")
    report = unanswered().model_copy(update={"warnings": (warning,), "degradations": ()})
    answer = response_of(report)
    assert answer.summary == answer.final_answer == report.answer
    assert (answer.status, answer.stop_reason) == (report.status, report.stop_reason)
    assert (answer.gaps, answer.nearest) == (report.gaps, report.nearest)
    assert answer.warnings == (warning,)


def test_r0_5_a_task_is_a_question_within_the_limits_of_its_tier() -> None:
    form = TaskForm.model_validate({"task": "Why is it so?", "complexity_tier": "simple"})
    asked = run_form(form)
    assert asked.question == "Why is it so?"
    assert asked.profile == form.complexity_tier
    assert dict(asked.limits.given) == dict(form.all_limits)


def test_a_job_is_followed_by_the_address_of_its_run() -> None:
    trace = Trace.model_validate(
        {"id": "r1", "user_id": "me", "tool_name": "research", "created_at": "2025-03-04T05:06:07Z"}
    )
    job = job_of(trace)
    assert job.job_id == job.run_id == "r1"
    assert job.status is TraceStatus.PENDING
    assert (job.status_url, job.events_url) == ("/v1/runs/r1", "/v1/runs/r1/events")
