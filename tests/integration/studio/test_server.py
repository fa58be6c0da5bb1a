# pyright: reportUnknownMemberType=false
# The client leaves open what it is sent.
"""Both graphs under a real ``langgraph dev``, as Studio's page sees them (R1.6, FR-12)."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.schema import Command
from tests.faces.cli.loopback import in_background
from tests.faces.test_studio import NOTES, QUESTION, TOPICS, Web
from tests.look_alikes.server import LookAlikeServer

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("langgraph_api") is None,
        reason="langgraph-cli[inmem] is not installed: make setup does that",
    ),
]

ROOT = Path(__file__).parents[3]
READY_S = 120.0
"""On a machine that is busy with other tests; ten seconds on a quiet one."""
LOOP_STEPS = {"search", "read", "collect", "follow", "plan", "evaluate", "synthesize", "verify"}
FAULTS = re.compile(r"BlockingError|unregistered type|Traceback", re.IGNORECASE)
"""What the log has of a blocked event loop, of types that checkpoints will refuse, of a bug."""
TEAM_STEPS = {"write_brief", "approve", "research", "supervisor", "dispatch", "supervisor_tools"}

Values = Mapping[str, object]


@dataclass(frozen=True)
class Server:
    """A running development server."""

    url: str
    log: Path

    def said(self) -> str:
        return self.log.read_text("utf-8", errors="replace")

    def faults(self) -> list[str]:
        """Return the lines of the log that tell of one."""
        return [line for line in self.said().splitlines() if FAULTS.search(line)]


@pytest.fixture(scope="module")
def web() -> Generator[Web]:
    """A search service, and the pages that it finds."""
    pages = Web()
    with in_background(LookAlikeServer(pages)) as running:
        pages.base = running.base_url
        yield pages


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, web: Web) -> Generator[Server]:
    """``langgraph dev`` over a folder of notes and a web."""
    with developed(tmp_path_factory.mktemp("studio"), web) as running:
        yield running


@contextmanager
def developed(place: Path, web: Web) -> Generator[Server]:
    """Run ``langgraph dev`` in ``place`` as docs/studio.md says.

    The folder is given by a relative path, as it is there.
    """
    (place / "notes").mkdir(exist_ok=True)
    (place / "notes" / "towns.md").write_text(NOTES)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"),
        *("--port", str(port), "--config", str(ROOT / "langgraph.json")),
    ]
    env = {
        **{name: value for name, value in os.environ.items() if "proxy" not in name.lower()},
        **web.settings,
        "QUAERE_DOCS": "notes",
        "QUAERE_CACHE_DIR": "cache",
        "QUAERE_DATA_DIR": "data",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    }
    running = Server(f"http://127.0.0.1:{port}", place / "log.txt")
    with (
        running.log.open("wb") as log,
        subprocess.Popen(command, cwd=place, env=env, stdout=log, stderr=log) as process,
    ):
        try:
            _await(running, process)
            yield running
        finally:
            process.terminate()


def _await(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(f"{server.url}/ok", timeout=1).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"langgraph dev did not start:\n{server.said()[-4_000:]}")


@dataclass(frozen=True)
class Shown:
    """What Studio is sent of a run."""

    steps: frozenset[str]
    events: list[str]
    messages: list[Values]
    values: Values
    interrupts: list[Values]


async def shown(
    server: Server,
    graph: str,
    given: dict[str, Any] | None,
    *,
    thread: str,
    command: Command | None = None,
    stop_before: str | None = None,
    **configured: object,
) -> Shown:
    """Run ``graph``, or resume it by ``command``, and return what was streamed of it.

    It is interrupted before the node ``stop_before``.
    """
    steps: set[str] = set()
    events: list[str] = []
    messages: dict[object, Values] = {}
    async with get_client(url=server.url) as client:
        stream = client.runs.stream(
            thread,
            graph,
            input=given,
            command=command,
            config={"configurable": configured},
            interrupt_before=[stop_before] if stop_before else None,
            stream_mode=["updates", "custom", "values"],
            stream_subgraphs=True,
        )
        async for part in stream:
            assert not part.event.startswith("error"), part
            kind, _, place = part.event.partition("|")
            data = cast("Values", part.data)
            if kind == "updates" and place:
                steps |= set(data)
            elif kind == "custom" and not place:
                events.append(str(data["type"]))
            elif kind == "values":
                for message in cast("list[Values]", data.get("messages", [])):
                    messages[message["id"]] = message
        state = await client.threads.get_state(thread)
    assert not server.faults(), server.said()
    return Shown(
        frozenset(steps),
        events,
        list(messages.values()),
        cast("Values", state["values"]),
        [cast("Values", each["value"]) for each in state["interrupts"]],
    )


async def thread(server: Server) -> str:
    async with get_client(url=server.url) as client:
        return (await client.threads.create())["thread_id"]


async def test_every_step_of_the_loop_is_shown(server: Server) -> None:
    seen = await shown(server, "loop", {"question": QUESTION}, thread=await thread(server))
    assert seen.steps >= LOOP_STEPS
    assert (seen.events[0], seen.events[-1]) == ("run_started", "run_finished")
    assert "8,200 inhabitants [1]" in str(seen.values["answer"])


@pytest.mark.parametrize("graph", ["loop", "supervisor"])
async def test_the_web_is_searched_and_read(server: Server, web: Web, graph: str) -> None:
    """Sockets, the cache of pages and the parser processes are all off the event loop."""
    before = len(web.read)
    asked = {"question": Web.QUESTION}
    seen = await shown(server, graph, asked, thread=await thread(server), providers="searxng")
    assert len(web.read) > before or graph == "supervisor", "pages are kept between runs"
    report = cast("Mapping[str, object]", seen.values["report"])
    assert f"{web.base}/mill" in str(report["citations"])


@pytest.mark.parametrize("graph", ["loop", "supervisor"])
async def test_a_run_is_interrupted_and_resumed(server: Server, graph: str) -> None:
    """What lies between is read from a checkpoint, whose types have to be known."""
    own = await thread(server)
    stopped = await shown(server, graph, {"question": QUESTION}, thread=own, stop_before="research")
    assert stopped.events == []
    over = await shown(server, graph, None, thread=own)
    assert over.events[-1] == "run_finished"
    assert "8,200 inhabitants" in str(over.values["answer"])


async def test_every_step_and_message_of_a_supervised_run_is_shown_fr_12(server: Server) -> None:
    seen = await shown(server, "supervisor", {"question": QUESTION}, thread=await thread(server))
    assert seen.steps >= LOOP_STEPS | TEAM_STEPS, "those of researchers, too"
    (turn, *answers) = seen.messages
    calls = cast("list[Mapping[str, Any]]", turn["tool_calls"])
    sent = [call["args"]["topic"] for call in calls if call["name"] == "ConductResearch"]
    assert sent == TOPICS
    assert [each["name"] for each in answers].count("ConductResearch") == len(TOPICS)
    assert "3,100 inhabitants" in str(seen.values["answer"])
    assert seen.events[-1] == "run_finished"


async def test_topics_are_approved_and_the_run_is_resumed(server: Server) -> None:
    own = await thread(server)
    asked = {"question": QUESTION}
    stopped = await shown(server, "supervisor", asked, thread=own, approve_plan=True)
    assert stopped.events[-1] == "inquiry_raised"
    assert stopped.steps >= {"search", "write_brief"}, "of a run that may ask, too"
    (inquiry,) = stopped.interrupts
    assert (inquiry["kind"], inquiry["topics"]) == ("topics", TOPICS)
    reply: Command = {"resume": {"topics": TOPICS[1:]}}
    over = await shown(server, "supervisor", None, thread=own, command=reply, approve_plan=True)
    assert "inquiry_answered" in over.events
    assert over.steps >= LOOP_STEPS | TEAM_STEPS
    report = cast("Mapping[str, list[str]]", over.values["report"])
    assert report["dispatched_topics"][0] == TOPICS[1]
    assert over.interrupts == []


@pytest.mark.parametrize(
    ("asked", "configured", "why"),
    [
        ("", {}, "question"),
        (QUESTION, {"providers": "nowhere"}, "nowhere"),
        (QUESTION, {"model": "nobody:knows-this"}, "nobody"),
    ],
    ids=["no question", "an unknown service", "an unknown vendor"],
)
async def test_who_asks_for_what_there_is_not_reads_why(
    server: Server, asked: str, configured: Mapping[str, str], why: str
) -> None:
    """The server hides the messages of errors that it takes for its own."""
    own = await thread(server)
    async with get_client(url=server.url) as client:
        told = [
            cast("Values", part.data)
            async for part in client.runs.stream(
                own, "loop", input={"question": asked}, config={"configurable": {**configured}}
            )
            if part.event == "error"
        ]
    assert why in str(told[-1]["message"])


async def test_threads_and_what_they_wait_for_are_kept_over_a_restart(
    tmp_path: Path, web: Web
) -> None:
    asked = {"question": QUESTION}
    with developed(tmp_path, web) as first:
        team, alone = await thread(first), await thread(first)
        stopped = await shown(first, "supervisor", asked, thread=team, approve_plan=True)
        assert stopped.events[-1] == "inquiry_raised"
        answered = await shown(first, "loop", asked, thread=alone)
    with developed(tmp_path, web) as second:
        async with get_client(url=second.url) as client:
            kept = await client.threads.get_state(alone)
            (waiting,) = (await client.threads.get_state(team))["interrupts"]
        assert cast("Values", kept["values"])["answer"] == answered.values["answer"]
        assert cast("Values", waiting["value"])["topics"] == TOPICS
        reply: Command = {"resume": {"topics": TOPICS[1:]}}
        over = await shown(
            second, "supervisor", None, thread=team, command=reply, approve_plan=True
        )
        assert over.events[-1] == "run_finished"
        report = cast("Mapping[str, list[str]]", over.values["report"])
        assert report["dispatched_topics"][0] == TOPICS[1]
        more = await shown(second, "loop", {"question": "Who founded Hask?"}, thread=alone)
        assert "Odo Marl" in str(more.values["answer"])
        assert QUESTION in str(more.values["turns"]), "the thread goes on"
