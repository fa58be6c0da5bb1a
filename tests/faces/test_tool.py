"""The tool that assistants call (R4.1, R4.4)."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import warnings
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from tests.faces.cli.samples import events, remaining, report
from tests.graphs.minds import Mind
from tests.graphs.world import HOP, NOTHING, Shelf
from tests.synthesize.drafts import unanswered

from quaere.domain.access import KeyLimits
from quaere.domain.budget import (
    MAX_LOOPS,
    Budget,
    Limits,
    OperatorLimits,
    ProfileName,
    resolve_budget,
)
from quaere.domain.events import Phase, PhaseStarted, RunFinished
from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.domain.tool import (
    ToolDefinition,
    ToolInput,
    ToolOutput,
    ToolProgress,
    ToolResult,
    ToolStatus,
)
from quaere.domain.verdict import StopReason
from quaere.faces.tool import MAX_SECONDS, CallState, deep_research, request_of, result_of, run_tool
from quaere.ports.model import ChatModel
from quaere.runtime.app import LOCAL, App
from quaere.runtime.settings import Settings
from quaere.testing import ScriptedModel


def shelved(tmp_path: Path, shelf: Shelf | None = None, model: ChatModel | None = None) -> App:
    """Return an App over a shelf, with a model where one is given."""
    settings = Settings(
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        model="test:mind" if model else None,
    )
    models = {"test:mind": model} if model else {}
    return App(settings, providers=[shelf or Shelf()], models=models)


class Stuck(Shelf):
    """Answers two searches and none after them."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck = asyncio.Event()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        found = await super().search(query, limit=limit)
        if len(self.asked) > 2:
            self.stuck.set()
            await asyncio.sleep(3600)
        return found[:2]


FILE = Path(__file__).parents[2] / "contracts" / "deep_research.json"


def test_the_definition_is_kept_as_json_for_every_assistant_r4_1() -> None:
    written = json.dumps(ToolDefinition().model_dump(mode="json"), indent=2) + "\n"
    if os.environ.get("QUAERE_WRITE_CONTRACTS"):
        FILE.write_text(written, "utf-8")
    assert FILE.read_text("utf-8") == written
    schema = ToolDefinition().input_schema
    assert schema["required"] == ["question"]
    properties = schema["properties"]
    assert isinstance(properties, dict)
    asked_for = ["question", "context", "max_iterations"]  # R4.1; what follows may be left out
    assert [*properties][: len(asked_for)] == asked_for
    assert {"reuse", "continues"} < {*properties}


@pytest.mark.anyio
async def test_progress_comes_first_and_never_goes_back_and_the_result_is_last_r4_4(
    tmp_path: Path,
) -> None:
    steps = [step async for step in deep_research({"question": HOP}, app=shelved(tmp_path))]
    *progress, result = steps
    assert isinstance(result, ToolResult)
    told = [step for step in progress if isinstance(step, ToolProgress)]
    assert len(told) == len(progress) > 5
    assert all(a.progress <= b.progress for a, b in pairwise(told))
    assert told[0].progress == 0
    first = [step.progress for step in told if step.stage == "iteration_1"]
    assert max(first) < 0.1, "of ten iterations the first is no more than a tenth"
    assert {"iteration_1", "synthesizing", "verifying"} <= {step.stage for step in told}
    assert any(step.data.get("query") == HOP for step in told)
    assert (told[-1].stage, told[-1].progress) == ("finalizing", 1.0)
    assert all(step.progress < 1 for step in told[:-1])
    assert told[-1].data["iteration"] == result.payload.iterations_used
    assert told[-1].data["queries"]
    assert {"iteration", "queries", "checklist"} <= set(told[-1].data)
    messages = [step.message for step in told]
    assert "Research complete. Synthesizing answer" in messages
    assert any(re.fullmatch(r"Checklist: \d/\d items satisfied", each) for each in messages)


@pytest.mark.anyio
async def test_the_result_cites_sources_by_their_ids(tmp_path: Path) -> None:
    model = ScriptedModel(Mind())
    steps = [
        step
        async for step in deep_research(ToolInput(question=HOP), app=shelved(tmp_path, model=model))
    ]
    result = steps[-1]
    assert isinstance(result, ToolResult)
    output = result.payload
    assert output.status is ToolStatus.COMPLETED
    assert "Tressel Ford in 1861 [src_1]." in output.answer
    assert output.sources[0].id == "src_1"
    assert "Tressel Ford" in output.sources[0].snippet
    assert output.checklist_coverage.satisfied == tuple(Mind().checklist)
    assert ToolOutput.model_validate_json(output.model_dump_json()) == output


def test_code_that_does_not_await_gets_the_result_as_return_value_r4_4(tmp_path: Path) -> None:
    steps, told = run_tool({"question": HOP}, app=partial(shelved, tmp_path)), list[ToolProgress]()
    while True:
        try:
            told.append(next(steps))
        except StopIteration as end:
            result = end.value
            break
    assert told
    assert isinstance(result, ToolResult)
    assert result.payload.sources
    assert shelved(tmp_path).stopped() == [], "who has the result need not resume the run"


def test_closing_the_generator_ends_the_research(tmp_path: Path) -> None:
    steps = run_tool({"question": HOP}, app=partial(shelved, tmp_path))
    assert next(steps).stage == "refining"
    assert next(steps)
    steps.close()
    with pytest.raises(StopIteration):
        next(steps)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "params",
    [{}, {"question": ""}, {"question": "Who?", "max_iterations": 0}, {"question": 7}, {"q": "x"}],
)
async def test_a_call_that_cannot_be_used_is_told_to_the_assistant(
    tmp_path: Path,
    params: dict[str, str | int],
) -> None:
    steps = [step async for step in deep_research(params, app=shelved(tmp_path))]
    result = steps[-1]
    assert isinstance(result, ToolResult)
    assert result.payload.status is ToolStatus.ERROR
    assert "Invalid input for the tool" in result.text


@pytest.mark.anyio
async def test_a_limit_of_rounds_is_told(tmp_path: Path) -> None:
    params = {"question": HOP, "max_iterations": 1}
    shelf = Shelf({"Hask": "The observatory founder was born somewhere near Hask."})
    steps = [step async for step in deep_research(params, app=shelved(tmp_path, shelf))]
    result = steps[-1]
    assert isinstance(result, ToolResult)
    assert result.payload.status is ToolStatus.MAX_ITERATIONS_REACHED
    assert result.payload.iterations_used == 1


@pytest.mark.anyio
async def test_nothing_found_is_a_plain_answer_without_sources(tmp_path: Path) -> None:
    steps = [step async for step in deep_research({"question": NOTHING}, app=shelved(tmp_path))]
    result = steps[-1]
    assert isinstance(result, ToolResult)
    assert result.payload.sources == ()
    assert result.payload.answer


def test_places_to_look_are_told_apart_from_answer_and_sources() -> None:
    nothing = unanswered()
    result = result_of(nothing)
    assert (result.payload.answer, result.payload.sources) == (nothing.answer, ())
    assert result.payload.nearest[0].model_dump() == {
        "title": "Velling",
        "heading": "Market › Salt",
        "url": "file:///notes/velling.md",
        "location": "/notes/velling.md, lines 3-9",
        "line": "Salt was sold by (7) 'guilds' | ‹b>Ada‹/b>.",
    }
    assert result.text == (
        f"{nothing.answer}\n\n"
        "Where to look. None of this answers the question; it comes nearest to it.\n"
        "- Velling, Market › Salt (/notes/velling.md, lines 3-9): "
        "Salt was sold by (7) 'guilds' | ‹b>Ada‹/b>.\n"
        "- Ferries (/notes/ferries.md, lines 3-9): The ferry **sank**."
    )
    assert "Where to look" not in result_of(report()).text


@pytest.mark.parametrize("rounds", [1, 10, MAX_LOOPS])
def test_n_iterations_allow_four_n_queries_within_ten_minutes_r4_2(rounds: int) -> None:
    budget = budget_of(ToolInput(question="Who?", max_iterations=rounds))
    assert (budget.max_iters, budget.max_queries) == (rounds, 4 * rounds)
    assert budget.max_execution_time_s == MAX_SECONDS == 600


def test_the_operator_s_limits_hold_where_a_call_names_none_r0_11_r4_2() -> None:
    operator = OperatorLimits(
        every_profile=Limits(max_iters=3, max_queries=7, max_execution_time_s=30),
        by_profile={ProfileName.DEEP: Limits(max_reads=2)},
    )
    budget = budget_of(ToolInput(question="Who?"), operator)
    assert (budget.max_iters, budget.max_queries, budget.max_reads) == (3, 7, 2)
    assert budget.max_execution_time_s == 30
    named = budget_of(ToolInput(question="Who?", max_iterations=9), operator)
    assert (named.max_iters, named.max_queries) == (9, 7), "what a call names goes first"
    filled = budget_of(ToolInput(question="Who?", max_iterations=10), operator)
    assert filled.max_iters == 3, "frameworks fill the default in"
    alone = budget_of(ToolInput(question="Who?"))
    assert (alone.max_iters, alone.max_queries, alone.max_execution_time_s) == (10, 40, 600)


def budget_of(asked: ToolInput, operator: OperatorLimits | None = None) -> Budget:
    """Return the budget of a call under ``operator``."""
    request = request_of(asked)
    return resolve_budget(
        ProfileName.DEEP,
        defaults=request.default_limits,
        request=request.limits,
        operator=operator or OperatorLimits(),
    )


@pytest.mark.parametrize(
    ("reason", "status", "said"),
    [
        (StopReason.SUFFICIENT, ToolStatus.COMPLETED, ""),
        (StopReason.NO_NEW_INFORMATION, ToolStatus.COMPLETED, ""),
        (StopReason.MAX_ITERATIONS, ToolStatus.MAX_ITERATIONS_REACHED, ""),
        (StopReason.TIMEOUT, ToolStatus.MAX_ITERATIONS_REACHED, "time limit"),
        (StopReason.BUDGET_EXHAUSTED, ToolStatus.MAX_ITERATIONS_REACHED, "budget"),
        (StopReason.CANCELLED, ToolStatus.COMPLETED, "asked to finish early"),
        (StopReason.ERROR, ToolStatus.ERROR, "error"),
    ],
)
def test_the_result_says_why_the_research_ended_r4_1(
    reason: StopReason, status: ToolStatus, said: str
) -> None:
    result = result_of(report().model_copy(update={"stop_reason": reason}))
    assert (result.payload.status, result.payload.stop_reason) == (status, reason)
    answer, _, notice = result.text.partition("\n\nNote: ")
    assert answer == result.payload.answer
    assert bool(notice) is bool(said)
    assert said in notice


@pytest.mark.anyio
async def test_a_run_that_was_told_to_finish_is_an_answer_with_what_was_there_r4_1(
    tmp_path: Path,
) -> None:
    """Issue 12: it was told as an error, as if nothing had come of it."""
    shelf = Stuck()
    app = shelved(tmp_path, shelf, ScriptedModel(Mind(restless=True)))

    async def tell() -> None:
        await shelf.stuck.wait()
        (run,) = app._runs.values()
        await run.finish()

    telling = asyncio.create_task(tell())
    *_, result = [step async for step in deep_research({"question": HOP}, app=app)]
    await telling
    await app.aclose()
    assert isinstance(result, ToolResult)
    assert result.payload.status is ToolStatus.COMPLETED
    assert result.payload.stop_reason is StopReason.CANCELLED
    assert result.payload.sources
    assert "asked to finish early" in result.text


@pytest.mark.anyio
async def test_an_earlier_run_is_offered_in_the_data_of_the_tool_r4_5(tmp_path: Path) -> None:
    app = shelved(tmp_path)
    results = [
        step.payload
        for _ in range(2)
        async for step in deep_research({"question": HOP}, app=app)
        if isinstance(step, ToolResult)
    ]
    await app.aclose()
    first, second = results
    assert first.earlier_run is None
    assert second.earlier_run
    assert (second.earlier_run.run_id, second.earlier_run.question) == (first.trace_id, HOP)


@pytest.mark.anyio
async def test_an_earlier_run_that_was_offered_is_accepted_r4_5(tmp_path: Path) -> None:
    app = shelved(tmp_path)

    async def call(**accepted: JsonValue) -> str:
        params: dict[str, JsonValue] = {"question": HOP, **accepted}
        async for step in deep_research(params, app=app):
            if isinstance(step, ToolResult):
                return step.payload.trace_id
        raise AssertionError

    first = await call()
    drawing = [await call(reuse="use"), await call(reuse="never", continues=first[:8])]
    traces = await app.traces()
    on = [(await traces.get_trace(LOCAL, each)).input_params.get("draws_on") for each in drawing]
    assert on == [first, first]
    await app.aclose()


def test_markers_are_those_of_the_sources_r4_1() -> None:
    output = result_of(report("The mill [2] of 1788")).payload
    assert output.answer == "The mill [src_2] of 1788 [src_1]"
    assert [source.id for source in output.sources] == ["src_1"]


def test_progress_carries_iteration_queries_and_the_checklist_r4_4() -> None:
    state, steps, loop = CallState(), dict[str, ToolProgress](), 1
    for event in events("Orrin"):
        loop = event.loop or loop
        placed = event.model_copy(update={"loop": loop, "max_loops": 5})
        state = state.after(placed)
        if step := state.report(placed):
            steps[step.message] = step
    searched = steps["Searching Web: 'mill Orrin', 6 found"]
    assert searched.stage == "iteration_1"
    assert (searched.data["iteration"], searched.data["queries"]) == (1, ["mill Orrin"])
    assert searched.data["checklist"] == "0/0 items"
    assert "Processing 6 results" in steps
    checked = steps["Checklist: 1/3 items satisfied"]
    assert checked.data["checklist"] == "1/3 items"
    assert (checked.data["iteration"], checked.data["queries"]) == (2, ["Orrin"])
    assert steps["Searching Web: 'Orrin', failed (Orrin)"].data["hits"] == 0
    assert steps["Research complete"].progress == 1.0


PHASES = [phase for phase in Phase if phase is not Phase.FINALIZING]


@given(
    st.lists(
        st.tuples(st.sampled_from(PHASES), st.integers(0, 20), st.integers(0, 12)), max_size=30
    )
)
def test_progress_never_decreases_and_is_complete_at_the_end_alone_r4_4(
    steps: list[tuple[Phase, int, int]],
) -> None:
    state = CallState()
    for phase, loop, loops in steps:
        before = state.progress
        state = state.after(
            PhaseStarted(phase=phase, loop=loop, max_loops=loops, remaining=remaining())
        )
        assert before <= state.progress < 1
    assert state.after(RunFinished(phase=Phase.FINALIZING, report=report())).progress == 1


@pytest.mark.parametrize(
    ("highest", "profile"),
    [
        (None, ProfileName.DEEP),
        (ProfileName.DEEP, ProfileName.DEEP),
        (ProfileName.STANDARD, ProfileName.STANDARD),
        (ProfileName.CHAT, ProfileName.CHAT),
    ],
)
def test_it_researches_as_deep_as_the_key_of_its_caller_allows(
    highest: ProfileName | None, profile: ProfileName
) -> None:
    """An assistant has no way to ask for less, and was refused."""
    asked = ToolInput(question="Who built the mill?")
    assert request_of(asked, KeyLimits(highest_profile=highest)).profile == profile


@pytest.mark.anyio
async def test_code_that_awaits_is_told_what_to_call_and_opens_nothing() -> None:
    def opened() -> App:
        raise AssertionError("it was opened")

    with warnings.catch_warnings(action="error"):
        with pytest.raises(RuntimeError, match="ainvoke in LangChain"):
            next(run_tool({"question": "Who built the mill?"}, app=opened))
        gc.collect()
