"""The tool that assistants call (R4.1, R4.4)."""

from __future__ import annotations

import json
import os
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from tests.graphs.minds import Mind
from tests.graphs.world import HOP, NOTHING, Shelf

from quaere.domain.tool import (
    ToolDefinition,
    ToolInput,
    ToolOutput,
    ToolProgress,
    ToolResult,
    ToolStatus,
)
from quaere.faces.tool import deep_research, run_tool
from quaere.ports.model import ChatModel
from quaere.runtime.app import App
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
    assert set(properties) == {"question", "context", "max_iterations"}


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
    assert {"iteration_1", "synthesizing", "verifying"} <= {step.stage for step in told}
    assert any(step.data.get("query") == HOP for step in told)


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


def test_closing_the_generator_ends_the_research(tmp_path: Path) -> None:
    steps = run_tool({"question": HOP}, app=partial(shelved, tmp_path))
    assert next(steps).stage == "starting"
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
    assert "cannot be called like this" in result.text


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
