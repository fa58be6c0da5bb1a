"""What of a report stands in the answer of R0.10, and what R0.5's request asks for."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from tests.synthesize.drafts import unanswered

from quaere.domain.budget import Spend
from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import Citation, Degradation, Quote, RunWarning
from quaere.domain.trace import Trace, TraceStatus
from quaere.faces.server.asking import job_of, response_of, run_form
from quaere.faces.server.forms import LimitForm, TaskForm, usage_of


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


def test_r0_10_sources_and_citations_are_those_of_the_report() -> None:
    cited = citation().model_copy(update={"locator": "page 3", "retrieved_at": "2031-05-04"})
    answer = response_of(unanswered().model_copy(update={"citations": (cited,)}))
    (source,), (told,) = answer.sources, answer.citations
    assert (source.id, source.title, source.type, source.location) == (
        "[4]",
        cited.title,
        cited.type,
        cited.location,
    )
    assert told.model_dump() == {
        "id": 4,
        "title": cited.title,
        "url": cited.url,
        "type": cited.type,
        "location": cited.location,
        "quote": "The mill stands.",
        "locator": "page 3",
        "retrieved_at": "2031-05-04",
    }


def citation() -> Citation:
    text = "The mill stands."
    return Citation(
        id=4,
        evidence=9,
        title="The mill",
        url="https://a.example/mill",
        type="web",
        location="a.example",
        quote=Quote(passage="p", text=text, start=0, end=len(text)),
    )


def test_what_ran_in_a_weaker_way_is_a_warning_of_the_answer() -> None:
    weaker = Degradation(step="search", reason="too many searches failed")
    report = unanswered().model_copy(update={"warnings": (), "degradations": (weaker,)})
    warnings = response_of(report).warnings
    assert warnings
    assert {each.kind for each in warnings} == {"reason"}
    assert all(each.message for each in warnings)


def test_limits_beside_the_task_come_before_those_of_the_group() -> None:
    form = TaskForm.model_validate(
        {"task": "Why?", "max_iters": 2, "limits": {"max_iters": 9, "max_queries": 7}}
    )
    assert dict(form.all_limits) == {"max_iters": 2, "max_queries": 7}
    asked = run_form(form)
    assert dict(asked.limits.given) == {"max_iters": 2, "max_queries": 7}


def test_all_that_a_task_says_is_said_of_its_run() -> None:
    said = {
        "question": "Why is it so?",
        "context": "For a talk.",
        "strategy": "loop",
        "folders": ["notes"],
        "providers": ["wikipedia"],
        "model": "none",
    }
    form = run_form(TaskForm.model_validate({**said, "complexity_tier": "deep"}))
    told = form.model_dump(mode="json", include={*said, "profile"})
    assert told == {**said, "profile": "deep"}


@pytest.mark.parametrize(
    "given",
    [
        {"max_iters": 1, "max_reads": 0, "answer_words": 10, "max_citations": 1},
        {"max_iters": 100, "max_reads": 1000, "answer_words": 20_000, "max_citations": 1000},
        {"max_queries": 1, "max_sources": 1, "token_budget": 0, "max_cost_usd": 0.0},
        {"max_queries": 1000, "max_sources": 1000, "max_execution_time_s": 3600.0},
    ],
)
def test_limits_may_be_as_small_and_as_large_as_is_said(given: dict[str, float]) -> None:
    assert dict(LimitForm.model_validate(given).given) == given


@pytest.mark.parametrize(
    "given",
    [
        {"max_iters": 0},
        {"max_iters": 101},
        {"max_queries": 0},
        {"max_queries": 1001},
        {"max_sources": 0},
        {"max_reads": -1},
        {"max_execution_time_s": 0},
        {"max_execution_time_s": 3601},
        {"max_execution_time_s": "inf"},
        {"token_budget": -1},
        {"max_cost_usd": -0.01},
        {"max_citations": 0},
        {"answer_words": 9},
        {"answer_words": 20_001},
        {"max_loops": 3},
    ],
)
def test_limits_beyond_that_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LimitForm.model_validate(given)


def test_what_calls_took_is_added_up_and_an_unknown_price_is_none() -> None:
    used = Usage(prompt_tokens=40, completion_tokens=2)
    calls = (
        ModelCall(step="plan", model="m", usage=used, cost_usd=0.25),
        ModelCall(step="write", model="m", usage=used),
    )
    assert usage_of(calls) == (80, 4, 0.25)
    assert usage_of(()) == (0, 0, 0.0)
