"""Clients that leave in the middle of an answer or take nothing of it, in every protocol."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import cast

import httpx
import pytest
from ag_ui.core import Message, RunAgentInput, UserMessage
from mcp import Client
from starlette.requests import Request
from starlette.routing import Route
from tests.faces.mcp.served import data_of
from tests.faces.server.conftest import settings_in
from tests.faces.server.recorded import keep
from tests.faces.server.served import QUESTION, serving
from tests.faces.wire.streams import KINDS, Kind, Object, log

from quaere.domain.events import Event, RunEvent, RunStarted, SentenceWritten
from quaere.domain.report import Sentence, Support
from quaere.domain.trace import Owner
from quaere.faces.mcp.forms import ResearchOutput, RunStatus, StatusOutput
from quaere.faces.server.access import context_of
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.service import make_service
from quaere.faces.server.stream import EventStream, translated
from quaere.faces.wire.parts import Frame
from quaere.runtime.settings import Access

PATIENCE_S = 60.0
_asked = count(1)


# Clients that leave


@dataclass(frozen=True)
class Protocol:
    """Where a question is asked, and with what: another context each time, so that runs differ."""

    path: str
    body: Callable[[str], Mapping[str, object]]

    @contextmanager
    def asking(self, client: httpx.Client) -> Generator[httpx.Response]:
        """Yield an answer that streams."""
        body = self.body(f"The page number {next(_asked)}")
        with client.stream("POST", self.path, json=body) as answer:
            assert answer.status_code == 200, answer.read()
            yield answer


def _chat(context: str) -> Mapping[str, object]:
    system = {"role": "system", "content": context}
    return {
        "model": "quaere",
        "messages": [system, {"role": "user", "content": QUESTION}],
        "stream": True,
    }


def _responses(context: str) -> Mapping[str, object]:
    return {"model": "quaere", "input": QUESTION, "instructions": context, "stream": True}


def _ag_ui(context: str) -> Mapping[str, object]:
    said: list[Message] = [UserMessage(id="m-1", role="user", content=QUESTION)]
    asked = RunAgentInput(
        thread_id=context,
        run_id="r-1",
        messages=said,
        context=[],
        state={},
        tools=[],
        forwarded_props={},
    )
    return asked.model_dump(mode="json", by_alias=True)


def _ui(context: str) -> Mapping[str, object]:
    said = {"id": "m-1", "role": "user", "parts": [{"type": "text", "text": QUESTION}]}
    return {"id": context, "trigger": "submit-message", "messages": [said]}


PROTOCOLS = {
    "chat": Protocol("/v1/chat/messages", lambda _: {"message": QUESTION, "mode": "deep_research"}),
    "run": Protocol("/run", lambda context: {"task": QUESTION, "context": context, "stream": True}),
    "openai chat": Protocol("/v1/chat/completions", _chat),
    "openai responses": Protocol("/v1/responses", _responses),
    "ag-ui": Protocol("/ag-ui", _ag_ui),
    "ai sdk": Protocol("/v1/ui/messages", _ui),
}


def kind_of(data: str) -> str:
    """Return what kind of event a line of data is."""
    if data == "[DONE]":
        return data
    told = cast("Object", json.loads(data))
    choices = cast("list[dict[str, dict[str, object]]]", told.get("choices", []))
    return " ".join(
        [str(told.get("type", "")), *(key for each in choices for key in each["delta"])]
    )


def data_in(answer: httpx.Response) -> Iterator[str]:
    for line in answer.iter_lines():
        if line.startswith("data:"):
            yield line.removeprefix("data:").strip()


def outcome(client: httpx.Client, run_id: str) -> tuple[object, ...]:
    """Return what the run came to, once it is over."""
    assert "event: run_finished" in client.get(f"/v1/runs/{run_id}/events").text
    report = client.get(f"/v1/runs/{run_id}/report").json()
    cited = [(each["id"], each["title"], each["quote"]["text"]) for each in report["citations"]]
    return report["answer"], cited, [each["support"] for each in report["sentences"]]


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_a_client_that_leaves_at_any_event_finds_the_same_report(
    client: httpx.Client, protocol: Protocol
) -> None:
    with protocol.asking(client) as answer:
        kinds = [kind_of(data) for data in data_in(answer)]
        whole = outcome(client, answer.headers[RUN_ID])
    assert "Ada Finch" in str(whole[0])
    left: set[str] = set()
    for kind in dict.fromkeys(kinds):
        with protocol.asking(client) as answer:
            left.add(answer.headers[RUN_ID])
            # Streams differ in length: the first run tells how its folder is indexed as well.
            assert any(kind_of(data) == kind for data in data_in(answer)), f"no {kind} was told"
    assert len(left) > 4
    for run_id in left:
        assert outcome(client, run_id) == whole


async def leave_at(url: str, last: int) -> None:
    """Ask an assistant's question over MCP, and leave at the progress numbered ``last``."""
    gone, seen = asyncio.Event(), count(1)

    async def told(progress: float, total: float | None, message: str | None) -> None:
        del progress, total, message
        if next(seen) == last:
            gone.set()

    async with Client(f"{url}/mcp", mode="2026-07-28") as assistant:
        asked = {"question": QUESTION, "context": f"Left at {last}"}
        calling = asyncio.create_task(
            assistant.call_tool("deep_research", asked, progress_callback=told)
        )
        left = asyncio.create_task(gone.wait())
        await asyncio.wait({calling, left}, return_when=asyncio.FIRST_COMPLETED)
        for task in (calling, left):
            task.cancel()
        await asyncio.gather(calling, left, return_exceptions=True)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_client_of_mcp_that_leaves_at_any_progress_finds_the_same_report(
    url: str, client: httpx.Client
) -> None:
    def runs() -> set[str]:
        listed = client.get("/v1/runs", params={"limit": 200}).json()["runs"]
        return {str(each["run_id"]) for each in listed}

    answers: set[str] = set()
    for last in range(1, 5):
        before = await asyncio.to_thread(runs)
        await leave_at(url, last)
        (run_id,) = await asyncio.to_thread(runs) - before
        async with Client(f"{url}/mcp", mode="2026-07-28") as assistant:
            status = await assistant.call_tool("research_status", {"run_id": run_id, "wait_s": 25})
            assert data_of(status, StatusOutput).status is RunStatus.COMPLETED
            result = await assistant.call_tool("research_result", {"run_id": run_id})
            answers.add(data_of(result, ResearchOutput).answer)
    (answer,) = answers
    assert "Ada Finch" in answer


# Clients that take nothing

SENTENCES = 1_500
SENTENCE = "The tide mill at Carrow grinds barley. " * 250
"""Ten thousand characters: half of all are more than the buffers of a connection hold."""


def long_log() -> Iterator[RunEvent]:
    """Yield the events of a run that has written fifteen million characters, and goes on."""
    first = next(event for event in log("folder") if isinstance(event, RunStarted))
    yield first
    for seq in range(2, SENTENCES):
        said = Sentence(text=SENTENCE, evidence=(), support=Support.NOT_A_CLAIM)
        yield SentenceWritten(
            run_id=first.run_id, seq=seq, sentence=said, text=SENTENCE, appended=SENTENCE
        )


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name != "native"], ids=str)
def test_a_client_that_takes_nothing_holds_no_more_than_its_connection(
    kind: Kind, tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings = settings_in(tmp_path_factory.mktemp("idle"))
    run_id = keep(settings, long_log())
    taken, ended = count(), threading.Event()

    class Counted:
        """The form, and how many events it was given."""

        def __init__(self) -> None:
            self._form = kind.begin()
            self.given = 0

        def frames(self, event: Event) -> Iterator[Frame]:
            self.given = next(taken)
            yield from self._form.frames(cast("RunEvent", event))

    form = Counted()

    async def told(request: Request) -> EventStream:
        context = context_of(request)
        trace = await (await context.app.traces()).get_trace(Owner(), run_id)
        run = await context.app.run_of(trace, Owner())

        async def frames() -> AsyncGenerator[bytes]:
            try:
                async for frame in translated(context, run, form):
                    yield frame
            finally:
                ended.set()

        return EventStream(frames(), {}, send_s=1.0)

    service = make_service(settings, workers=0, access=Access.OFF)
    service.router.routes.insert(0, Route("/told", told))
    with serving(service) as url, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        host, port = url.removeprefix("http://").split(":")
        reader.connect((host, int(port)))
        reader.sendall(f"GET /told HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert ended.wait(PATIENCE_S), "a client that takes nothing was kept"
    assert 0 < form.given < SENTENCES / 2, "what nobody takes was made all the same"
