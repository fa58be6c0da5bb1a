# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own graphs open.
"""Both graphs as LangGraph Studio runs them: from a configuration and the environment alone."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TypedDict, cast
from urllib.parse import urlsplit

import pytest
from blockbuster import blockbuster_ctx
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from pydantic import JsonValue
from tests.faces.cli.loopback import in_background
from tests.look_alikes.server import Asked as Wanted
from tests.look_alikes.server import LookAlikeServer, Reply, as_json
from tests.testing.server import DoubleServer

from quaere.domain.events import Event, RunFailed
from quaere.domain.model import ModelRequest
from quaere.domain.question import Turn
from quaere.domain.report import Report
from quaere.errors import ModelRejected, QuaereError, SettingsError
from quaere.faces import studio
from quaere.graphs.langgraph_driver import (
    Asked,
    HostedConfiguration,
    HostedGraph,
    HostedState,
    build_hosted,
)
from quaere.graphs.loop import LOOP
from quaere.runtime.app import App
from quaere.testing import ScriptedModel
from quaere.testing.doubles import Answer
from quaere.text.languages.language import language_of, languages

pytestmark = pytest.mark.anyio

NOTES = (
    "# Hask\n\nHask is a town of 8,200 inhabitants. It was founded in 1412 by Odo Marl.\n\n"
    "# Velling\n\nVelling has 3,100 inhabitants and a glass works of 1731.\n"
)
QUESTION = "How many people live in Hask and how many in Velling?"
Update = tuple[tuple[str, ...], Mapping[str, object]]


class Web:
    """SearXNG, and the one page that it finds."""

    QUESTION = "Who built the mill at Orrin?"
    PAGE = "The mill at Orrin was built by Tamsin Wray in 1788. It ground barley for the valley."

    def __init__(self) -> None:
        self.base = ""
        self.read: list[str] = []

    def __call__(self, asked: Wanted) -> Reply:
        """Answer a search, or a page."""
        if asked.path == "search":
            found = {"url": f"{self.base}/mill", "title": "The mill at Orrin", "content": "A mill."}
            return as_json({"query": asked.params["q"], "results": [found]})
        if asked.path != "mill":
            return Reply(b"", "text/plain", status=404)
        self.read.append(asked.path)
        page = f"<html><title>The mill at Orrin</title><article><p>{self.PAGE}</p></article></html>"
        return Reply(page.encode(), "text/html")

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of an operator whose web this is."""
        place = urlsplit(self.base)
        return {
            "SEARXNG_BASE_URL": self.base,
            "QUAERE_READ_HOSTS": str(place.hostname),
            "QUAERE_READ_PORTS": str(place.port),
        }


TOPICS = ["How many people live in Hask?", "How many in Velling?"]
GRAPHS = {"loop": studio.loop, "supervisor": studio.supervisor}


@pytest.fixture(autouse=True)
async def _environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[None]:
    """A server of its own for each test: one keeps the settings that it was started with."""
    (tmp_path / "notes.md").write_text(NOTES)
    monkeypatch.setenv("QUAERE_DOCS", str(tmp_path / "notes.md"))
    monkeypatch.setenv("QUAERE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("QUAERE_DATA_DIR", str(tmp_path / "data"))
    opened: list[App] = []
    monkeypatch.setattr(studio, "_APPS", opened)
    yield
    for app in opened:
        await app.aclose()


async def report(
    graph: HostedGraph, config: RunnableConfig | None = None
) -> Mapping[str, JsonValue]:
    told = await graph.ainvoke(Asked(question=QUESTION), config)
    assert told["answer"] == told["report"]["answer"]
    return told["report"]


def configured(**fields: object) -> RunnableConfig:
    return {"configurable": {"thread_id": "t", **fields}}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=list(GRAPHS))
async def test_nothing_blocks_the_event_loop(
    graph: HostedGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server refuses what blocks: no file is looked at and nothing is slept over on the loop."""
    web = Web()
    with in_background(LookAlikeServer(web)) as running:
        web.base = running.base_url
        for name, value in web.settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("QUAERE_DOCS", "notes.md")
        await graph.ainvoke(Asked(question=QUESTION), configured())
        languages.cache_clear()  # as in a process that begins with an index that is there
        language_of.cache_clear()
        with blockbuster_ctx("quaere"):
            await graph.ainvoke(Asked(question="And in Velling?"), configured())
            told = await graph.ainvoke(Asked(question=QUESTION), configured())
            found = await graph.ainvoke(
                Asked(question=Web.QUESTION), configured(providers="searxng")
            )
    assert "8,200 inhabitants" in told["answer"]
    assert f"{web.base}/mill" in str(found["report"]["citations"])


async def test_langgraph_json_names_them() -> None:
    named = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text("utf-8"))["graphs"]
    for name, place in named.items():
        module, _, attribute = place.partition(":")
        assert getattr(import_module(module), attribute) is GRAPHS[name]
    assert set(named) == set(GRAPHS)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=list(GRAPHS))
async def test_a_question_is_all_that_a_run_needs(graph: HostedGraph) -> None:
    told = await report(graph)
    assert "8,200 inhabitants [1]" in str(told["answer"])
    assert "3,100 inhabitants" in str(told["answer"])
    assert told["dispatched_topics"] == (TOPICS if graph is studio.supervisor else [])


async def test_a_configuration_reaches_the_nodes_r1_6() -> None:
    told = await report(studio.supervisor, configured(max_concurrent_research_units=1))
    assert told["dispatched_topics"] == TOPICS, "one after another"
    once = configured(max_concurrent_research_units=1, max_researcher_iterations=1)
    assert (await report(studio.supervisor, once))["dispatched_topics"] == TOPICS[:1]


async def test_the_context_of_a_run_is_its_configuration_too() -> None:
    told = await studio.supervisor.ainvoke(
        Asked(question=QUESTION),
        configured(max_researcher_iterations=9, profile="deep"),
        context=HostedConfiguration(max_concurrent_research_units=1, max_researcher_iterations=1),
    )
    assert told["report"]["dispatched_topics"] == TOPICS[:1]
    assert told["report"]["profile"] == "deep"


async def test_a_run_ranks_above_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUAERE_PROFILE", "chat")
    monkeypatch.setenv("RESEARCH_MAX_QUERIES", "2")
    told = await report(studio.loop)
    assert told["profile"] == "chat"
    assert isinstance(told["budget"], dict)
    assert told["budget"]["max_queries"] == 2
    assert (await report(studio.loop, configured(profile="simple")))["profile"] == "simple"


async def test_models_and_services_are_those_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUAERE_MODEL", "nobody:knows-this")
    with pytest.raises(SettingsError, match="nobody"):
        await report(studio.loop)
    assert (await report(studio.loop, configured(model="none")))["reasoner"] == "extractive"
    with pytest.raises(SettingsError, match="BRAVE_API_KEY"):
        await report(studio.loop, configured(model="none", providers="folder, brave"))


async def test_what_is_out_of_range_names_its_field() -> None:
    with pytest.raises(SettingsError, match="min_novelty_threshold"):
        await report(studio.supervisor, configured(min_novelty_threshold=2))


async def test_a_thread_is_kept_and_takes_another_question() -> None:
    kept = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    await kept.ainvoke(Asked(question=QUESTION), configured())
    told = await kept.ainvoke(Asked(question="When was Hask founded?"), configured())
    assert "1412" in told["answer"]
    state = await kept.aget_state(configured())
    assert state.next == ()
    assert state.values["question"] == told["report"]["question"] == "When was Hask founded?"


async def test_what_a_thread_has_answered_is_the_conversation_of_its_next_question() -> None:
    kept = studio.loop.builder.compile(checkpointer=InMemorySaver())
    earlier = Turn(question="Is Velling a town?", answer="It is.")
    asked = Asked(question="What works has Velling?", conversation=[earlier])
    first = await kept.ainvoke(asked, configured())
    told = await kept.ainvoke(Asked(question="And how many inhabitants has it?"), configured())
    assert "Velling has 3,100 inhabitants" in told["answer"]
    said = HostedState.model_validate((await kept.aget_state(configured())).values).conversation
    assert said == [earlier, Turn(question="What works has Velling?", answer=first["answer"])]


@pytest.mark.parametrize(
    ("graph", "steps"),
    [
        (studio.loop, "search read collect follow plan evaluate synthesize verify"),
        (studio.supervisor, "write_brief research synthesize verify"),
    ],
    ids=list(GRAPHS),
)
async def test_the_steps_inside_are_drawn(graph: HostedGraph, steps: str) -> None:
    drawn = {name.removeprefix("research:") for name in graph.get_graph(xray=True).nodes}
    assert set(steps.split()) <= drawn


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=list(GRAPHS))
async def test_events_are_streamed_as_json(graph: HostedGraph) -> None:
    stream = graph.astream(Asked(question=QUESTION), stream_mode="custom")
    events = [event async for event in cast("AsyncGenerator[Mapping[str, str]]", stream)]
    assert (events[0]["type"], events[-1]["type"]) == ("run_started", "run_finished")
    assert len(events) > 10
    json.dumps(events)


async def test_the_steps_inside_are_streamed() -> None:
    done: list[str] = []
    stream = studio.loop.astream(Asked(question=QUESTION), stream_mode="updates", subgraphs=True)
    async for place, update in cast("AsyncGenerator[Update]", stream):
        if place:
            done += update
    assert set(done) == {
        *("search", "read", "collect", "follow", "plan", "evaluate"),
        *("synthesize", "verify"),
    }


async def test_a_plan_is_shown_for_approval_and_the_run_goes_on_with_what_comes_back() -> None:
    asking = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    config = configured(approve_plan=True)
    stopped = await asking.ainvoke(Asked(question=QUESTION), config)
    (shown,) = stopped["__interrupt__"]
    assert (shown.value["kind"], shown.value["topics"]) == ("topics", TOPICS)
    reply: Command[str] = Command(resume={"topics": TOPICS[1:]})
    told = await asking.ainvoke(reply, config)
    assert told["report"]["dispatched_topics"][0] == TOPICS[1]
    assert "3,100 inhabitants" in told["answer"]


async def test_topics_that_are_approved_stay_as_they_are() -> None:
    asking = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    config = configured(approve_plan=True)
    await asking.ainvoke(Asked(question=QUESTION), config)
    reply: Command[str] = Command(resume="yes")
    told = await asking.ainvoke(reply, config)
    assert told["report"]["dispatched_topics"] == TOPICS


@pytest.mark.parametrize(
    ("typed", "kept"), [("2", TOPICS[1:]), ("a mill; a weir", ["a mill", "a weir"])]
)
async def test_text_keeps_topics_by_number_or_replaces_them(typed: str, kept: list[str]) -> None:
    asking = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    config = configured(approve_plan=True)
    await asking.ainvoke(Asked(question=QUESTION), config)
    reply: Command[str] = Command(resume=typed)
    told = await asking.ainvoke(reply, config)
    assert told["report"]["dispatched_topics"][: len(kept)] == kept


class Essay(TypedDict, total=False):
    """The state of a graph of somebody's own."""

    question: str
    answer: str
    report: Mapping[str, JsonValue]
    essay: str


def essay_graph(saver: AsyncSqliteSaver) -> CompiledStateGraph[Essay, None, Essay, Essay]:
    def write(state: Essay) -> Essay:
        return {"essay": f"An essay: {state.get('answer', '')}"}

    graph = StateGraph(Essay)
    graph.add_node("research", studio.supervisor)
    graph.add_node("write", write)
    graph.add_edge(START, "research")
    graph.add_edge("research", "write")
    graph.add_edge("write", END)
    return graph.compile(checkpointer=saver)


async def test_in_a_graph_of_ones_own_a_plan_waits_for_approval_over_a_restart(
    tmp_path: Path,
) -> None:
    config = configured(approve_plan=True)
    kept = str(tmp_path / "threads.db")
    async with AsyncSqliteSaver.from_conn_string(kept) as saver:
        stopped = await essay_graph(saver).ainvoke({"question": QUESTION}, config)
        (asked,) = stopped["__interrupt__"]
        assert asked.value["topics"] == TOPICS
    for app in studio._APPS:  # the process ends
        await app.aclose()
    studio._APPS.clear()
    async with AsyncSqliteSaver.from_conn_string(kept) as saver:
        reply: Command[str] = Command(resume={"topics": TOPICS[1:]})
        told = await essay_graph(saver).ainvoke(reply, config)
    assert "3,100 inhabitants" in told["essay"]
    assert cast("list[str]", told["report"]["dispatched_topics"])[0] == TOPICS[1]


async def test_a_run_that_fails_on_its_way_says_why() -> None:
    async def run(*_: object) -> AsyncGenerator[Event]:
        yield RunFailed(error_type="store_error", message="The disk is full.", retryable=False)

    graph = build_hosted(LOOP, run, dict[str, str])
    with pytest.raises(QuaereError, match="The disk is full"):
        await graph.ainvoke(Asked(question=QUESTION))


async def test_an_error_is_the_same_where_the_run_may_ask() -> None:
    with pytest.raises(SettingsError, match="BRAVE_API_KEY"):
        await report(studio.supervisor, configured(approve_plan=True, providers="brave"))


async def test_nfr_04_studio_is_told_how_to_show_every_field() -> None:
    for graph in GRAPHS.values():
        schema = graph.get_context_jsonschema()
        assert schema
        assert list(schema["properties"]) == list(HostedConfiguration.model_fields)
        assert all("x_oap_ui_config" in field for field in schema["properties"].values())
        assert list(graph.get_input_jsonschema()["properties"]) == [*Asked.model_fields]
        assert list(graph.get_output_jsonschema()["properties"]) == ["answer", "report"]


class Teacher:
    """A model that supervises by the book, behind a server that counts what it is asked."""

    def __init__(self, *, asks: bool = False) -> None:
        self.model = ScriptedModel(self.answer)
        self._asks = asks

    def answer(self, request: ModelRequest) -> Answer:
        if request.step != "briefing":
            return ModelRejected("it only supervises")
        asked = "Hask of which county?" if self._asks else ""
        topics: list[JsonValue] = [*TOPICS]
        return {"brief": "Count them.", "topics": topics, "last": True, "clarification": asked}

    def briefs(self) -> int:
        return self.model.steps().count("briefing")


@pytest.mark.parametrize(
    ("field", "said", "briefs"),
    [("approve_plan", "yes", (1, 1)), ("allow_clarification", "The northern one.", (1, 2))],
)
async def test_a_reply_makes_nothing_be_paid_twice(
    field: str, said: str, briefs: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A brief is written anew only in the light of what was asked back."""
    teacher = Teacher(asks=field == "allow_clarification")
    asking = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    async with DoubleServer(teacher.model) as server:
        monkeypatch.setenv("QUAERE_MODEL_BASE_URL", server.base_url)
        config = configured(**{field: True, "model": "compatible:double"})
        stopped = await asking.ainvoke(Asked(question=QUESTION), config)
        assert "__interrupt__" in stopped
        assert teacher.briefs() == briefs[0]
        reply: Command[str] = Command(resume=said)
        told = await asking.ainvoke(reply, config)
    assert teacher.briefs() == briefs[1]
    report = Report.model_validate(told["report"])
    assert len(report.calls) == len(server.calls), "it counts what was paid before the reply, too"
    assert list(report.dispatched_topics) == TOPICS
    state = (await asking.aget_state(config)).values
    assert (state["kept"], state["replies"], state["inquiry"]) == ([], [], {})


@pytest.mark.parametrize(
    ("odd", "fault"),
    [
        *((odd, "`topics` as a list") for odd in (7, ["a topic"], {"topic": "?"}, [None])),
        ({"topics": "one"}, "`topics` as a list"),
        ("9", "There is no topic 9"),
        ("no", "cancel the run"),
        ({"topics": []}, "cancel the run"),
    ],
)
async def test_what_is_no_reply_is_asked_for_again(odd: object, fault: str) -> None:
    asking = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    config = configured(approve_plan=True)
    (first,) = (await asking.ainvoke(Asked(question=QUESTION), config))["__interrupt__"]
    again: Command[str] = Command(resume=odd)
    (second,) = (await asking.ainvoke(again, config))["__interrupt__"]
    assert "fault" not in first.value
    assert fault in second.value["fault"]
    assert second.value["topics"] == TOPICS
    reply: Command[str] = Command(resume={"topics": ["", TOPICS[1]]})
    told = await asking.ainvoke(reply, config)
    assert told["report"]["dispatched_topics"][0] == TOPICS[1]


async def test_another_question_ends_the_wait_for_a_reply() -> None:
    asking = studio.supervisor.builder.compile(checkpointer=InMemorySaver())
    config = configured(approve_plan=True)
    await asking.ainvoke(Asked(question=QUESTION), config)
    other = configured(approve_plan=False)
    told = await asking.ainvoke(Asked(question="When was Hask founded?"), other)
    assert "1412" in told["answer"]
