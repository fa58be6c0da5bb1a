# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# LangGraph leaves the generics of its own graphs open.
"""The engine in LangChain and LangGraph: a tool, a retriever, a node of somebody's graph."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TypedDict

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, StateGraph
from tests.faces.cli.conftest import MILL
from tests.faces.mcp.served import shelved
from tests.graphs.world import HOP, PLAIN

from quaere.domain.tool import ToolDefinition
from quaere.faces.langchain import PROGRESS, DeepResearchTool, EvidenceRetriever

pytestmark = pytest.mark.anyio

CALL = {"type": "tool_call", "id": "1", "name": "deep_research", "args": {"question": PLAIN}}


async def test_an_agent_gets_the_answer_and_its_sources_as_artifact(tmp_path: Path) -> None:
    app = shelved(tmp_path)
    tool = DeepResearchTool(app=app)
    told = [event async for event in tool.astream_events(CALL, version="v2")]
    progress = [event for event in told if event["event"] == "on_custom_event"]
    assert len(progress) > 3
    assert {event["name"] for event in progress} == {PROGRESS}
    message = await tool.ainvoke(CALL)
    assert app.stopped() == [], "nobody needs to resume a run whose result is there"
    assert isinstance(message, ToolMessage)
    assert "five arches" in str(message.content)
    assert message.artifact["sources"][0]["id"] == "src_1"
    await app.aclose()


def test_code_that_does_not_await_calls_it_as_well(tmp_path: Path) -> None:
    message = DeepResearchTool(make_app=partial(shelved, tmp_path)).invoke(CALL)
    assert "five arches" in str(message.content)


async def test_a_failure_is_an_exception_of_the_tool_which_agents_can_handle(
    tmp_path: Path,
) -> None:
    app = shelved(tmp_path)
    bad = {"question": "Who?", "continues": "no-such-run"}
    with pytest.raises(ToolException, match="no-such-run"):
        await DeepResearchTool(app=app).ainvoke(bad)
    handled = DeepResearchTool(app=app, handle_tool_error=True)
    assert "no-such-run" in await handled.ainvoke(bad)
    await app.aclose()


def test_models_are_shown_the_one_schema() -> None:
    shown = convert_to_openai_tool(DeepResearchTool())["function"]
    definition = ToolDefinition()
    assert shown["description"] == definition.description
    assert [*shown["parameters"]["properties"]] == [
        *definition.plain_input_schema["properties"]  # pyright: ignore[reportGeneralTypeIssues, reportOptionalIterable]
    ]


async def test_a_retriever_returns_the_passages_of_both_hops(tmp_path: Path) -> None:
    app = shelved(tmp_path)
    found = await EvidenceRetriever(app=app, limit=3).ainvoke(HOP)
    assert 0 < len(found) <= 3
    titles = {each.metadata["title"] for each in found}
    assert {"Quill Observatory", "Odile Varga"} <= titles
    assert any("born in Tressel Ford" in each.page_content for each in found)
    assert all(each.metadata["source"].startswith("https://shelf.test/") for each in found)
    with pytest.raises(RuntimeError, match="ainvoke"):
        EvidenceRetriever(app=app).invoke(HOP)
    await app.aclose()


async def test_a_run_that_is_not_traced_gives_the_quoted_words(tmp_path: Path) -> None:
    app = shelved(tmp_path, trace=False)
    found = await EvidenceRetriever(app=app).ainvoke(PLAIN)
    assert any("five arches" in each.page_content for each in found)
    await app.aclose()


class Essay(TypedDict, total=False):
    """The state of somebody's graph."""

    question: str
    answer: str
    essay: str


async def test_the_loop_is_a_node_of_anybodys_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quaere.faces import studio

    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mill.md").write_text(MILL)
    app = shelved(tmp_path, docs=(tmp_path / "notes",), providers=("folder",))
    monkeypatch.setattr(studio, "_APPS", [app])

    def write(state: Essay) -> Essay:
        return {"essay": f"An essay: {state.get('answer', '')}"}

    graph = StateGraph(Essay)
    graph.add_node("research", studio.loop)
    graph.add_node("write", write)
    graph.add_edge(START, "research")
    graph.add_edge("research", "write")
    graph.add_edge("write", END)
    out = await graph.compile().ainvoke({"question": "Who built the mill at Orrin?"})
    assert "Tamsin Wray" in out["essay"]
    await app.aclose()
