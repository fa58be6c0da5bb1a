"""The tool in the registries of other programs, and in the forms that vendors take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from jsonschema import Draft202012Validator, ValidationError, validate
from pydantic import JsonValue
from tests.faces.cli.samples import events
from tests.faces.mcp.served import shelved
from tests.graphs.world import PLAIN, Shelf

from quaere.domain.events import SearchFinished
from quaere.domain.question import SourceKind
from quaere.domain.tool import DESCRIPTION, ToolDefinition, ToolInput, ToolProgress, ToolStatus
from quaere.domain.trace import Owner
from quaere.faces.tool import CallState
from quaere.faces.tool_config import ExecutedResult, Executor, tool_config
from quaere.runtime.app import App

pytestmark = pytest.mark.anyio


@dataclass
class Registered:
    """A tool as the registry of another program has it."""

    name: str
    streaming: bool
    executor: Executor


def test_an_executor_streams_progress_and_returns_the_result_r4_4(tmp_path: Path) -> None:
    ours = tool_config(partial(shelved, tmp_path))
    tool = Registered(name=ours.name, streaming=ours.streaming, executor=ours.executor)
    assert (tool.name, tool.streaming) == ("deep_research", True)
    running = tool.executor({"question": PLAIN}, object(), 7, {"org_id": 3})
    told: list[ToolProgress] = []
    while True:
        try:
            told.append(next(running))
        except StopIteration as end:
            result: ExecutedResult = end.value
            break
    assert told[0].stage == "refining"
    assert any(step.stage == "iteration_1" for step in told)
    assert any(step.message.startswith("Searching Web: ") for step in told)
    payload = json.loads(result.model_dump_json())["payload"]
    assert payload["type"] == "deep_research_result"
    assert "five arches" in payload["data"]["answer"]
    assert payload["data"]["sources"][0]["id"] == "src_1"


async def test_a_run_is_kept_for_the_user_and_the_organization_of_the_call_r4_3(
    tmp_path: Path,
) -> None:
    app = shelved(tmp_path)
    config = tool_config(shared=app)
    steps = [s async for s in config.async_executor({"question": PLAIN}, None, 7, {"org_id": 3})]
    result = steps[-1]
    assert isinstance(result, ExecutedResult)
    traces = await app.traces()
    (kept,) = (await traces.list_traces(Owner(user="7", org="3"))).traces
    assert kept.id == result.payload.data.trace_id
    assert (await traces.list_traces(Owner(user="8", org="3"))).traces == ()
    steps = [s async for s in config.async_executor({"question": ""}, None, 7, None)]
    failed = steps[-1]
    assert isinstance(failed, ExecutedResult)
    assert failed.payload.data.status is ToolStatus.ERROR
    await app.aclose()


async def test_an_app_of_its_own_is_closed_after_the_call(tmp_path: Path) -> None:
    closed: list[App] = []

    class Closing(App):
        async def aclose(self) -> None:
            await super().aclose()
            closed.append(self)

    def made() -> App:
        return Closing(shelved(tmp_path).settings, providers=[Shelf()])

    steps = [s async for s in tool_config(made).async_executor({"question": PLAIN}, None, 1, None)]
    assert isinstance(steps[-1], ExecutedResult)
    assert len(closed) == 1


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (SourceKind.PUBMED, "PubMed"),
        (SourceKind.WEB, "Web"),
        (SourceKind.SCHOLARLY, "Web"),
        (SourceKind.FOLDER, "documents"),
    ],
)
def test_progress_names_the_place_that_is_searched_r4_4(kind: SourceKind, name: str) -> None:
    searched = next(event for event in events("Orrin") if isinstance(event, SearchFinished))
    told = CallState().report(searched.model_copy(update={"kinds": (kind,)}))
    assert told
    assert told.message.startswith(f"Searching {name}: 'mill Orrin'")


CALLS: tuple[tuple[Mapping[str, JsonValue], bool], ...] = (
    ({"question": "Who?"}, True),
    ({"question": "Who?", "form": "table", "sites": ["example.org"], "language": None}, True),
    ({"question": "Who?", "form": "poem"}, False),
    ({"question": "Who?", "max_iterations": 0}, False),
    ({"question": "Who?", "more": 1}, False),
    ({}, False),
)


@pytest.mark.parametrize(("arguments", "fits"), CALLS)
def test_every_form_takes_what_the_one_schema_takes(
    arguments: dict[str, JsonValue], fits: bool
) -> None:
    definition = ToolDefinition()
    function = cast("dict[str, JsonValue]", definition.openai_function["function"])
    schemas = (
        definition.input_schema,
        function["parameters"],
        definition.openai_responses["parameters"],
        definition.anthropic_tool["input_schema"],
    )
    for schema in schemas:
        assert isinstance(schema, dict)
        Draft202012Validator.check_schema(schema)
        try:
            validate(arguments, schema)
            assert fits
        except ValidationError:
            assert not fits


def test_the_forms_of_vendors_hold_no_references() -> None:
    definition = ToolDefinition()
    for form in (
        definition.openai_function,
        definition.openai_responses,
        definition.anthropic_tool,
    ):
        assert "$ref" not in json.dumps(form)
        assert "$defs" not in json.dumps(form)
        assert DESCRIPTION in json.dumps(form).encode().decode("unicode_escape")
    named = cast("dict[str, JsonValue]", definition.plain_input_schema["properties"])
    assert [*named] == [*ToolInput.model_fields]
