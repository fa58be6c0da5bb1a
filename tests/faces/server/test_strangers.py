"""Whatever endpoint somebody asks: nothing of another user is told, and no page may ask for it.

Every endpoint of ``contracts/openapi.json`` is asked here, so that a new one fails these tests
until it is said how others' data could be asked for there. Those with an id in their path are
asked in test_safety.py.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from pydantic import JsonValue
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import served

from quaere.domain.access import Right
from quaere.runtime.settings import Access

CONTRACT = Path(__file__).parents[3] / "contracts" / "openapi.json"
MARK = "quetzalite"
"""A word that is in everything that ann has."""
QUESTION = f"Who wove the {MARK} banner at Carrow?"

Body = dict[str, JsonValue]
Endpoint = tuple[str, str]


@dataclass(frozen=True)
class Two:
    """Two users of a service, the first of whom has something of everything."""

    url: str
    ann: httpx.Client
    bob: httpx.Client
    run: str
    talk: str
    folder: str


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Generator[Two]:
    settings = settings_in(tmp_path_factory.mktemp("strangers"), auth=Access.KEYS)
    rights = frozenset(Right) - {Right.ADMIN}
    secrets = [issued(settings, user, scopes=rights) for user in ("ann", "bob")]
    with served(settings) as url, ExitStack() as exits:
        ann, bob = (exits.enter_context(client_of(url, secret)) for secret in secrets)
        run = ann.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
        ann.get(f"/v1/runs/{run}/events")
        ann.patch(f"/v1/runs/{run}", json={"tags": [MARK], "pinned": True})
        chat = ann.post("/v1/chat/messages", json={"message": QUESTION})
        folder = ann.post("/v1/folders", json={"name": MARK}).json()["id"]
        note = ("files", (f"{MARK}.md", b"# Q\n\nThe quetzalite banner was woven by Ida Rook.\n"))
        assert ann.post(f"/v1/folders/{folder}/files", files=[note]).status_code == 201
        scheduled = ann.post(
            "/v1/schedules", json={"question": QUESTION, "times": "every monday 8:00"}
        )
        assert scheduled.status_code == 201, scheduled.text
        yield Two(url, ann, bob, run, chat.headers["x-quaere-conversation-id"], folder)


def endpoints() -> set[Endpoint]:
    """Return every endpoint of the contract without an id in its path."""
    paths: dict[str, dict[str, object]] = json.loads(CONTRACT.read_text("utf-8"))["paths"]
    return {
        (method, path) for path, methods in paths.items() if "{" not in path for method in methods
    }


def naming(two: Two) -> Mapping[Endpoint, Body]:
    """Return what names something of ann's in a body, for every endpoint that takes such names."""
    said: JsonValue = [{"role": "user", "content": QUESTION}]
    there: JsonValue = [two.folder]
    asked: Body = {"question": QUESTION, "folders": there}
    return {
        ("post", "/run"): asked,
        ("post", "/run-simple"): asked,
        ("post", "/search"): {"query": MARK, "folders": there},
        ("post", "/v1/runs"): asked,
        ("post", "/v1/estimate"): asked,
        ("post", "/v1/checks"): {"text": f"The {MARK} banner.", "folders": there},
        ("post", "/v1/chat/messages"): {"message": QUESTION, "conversation_id": two.talk},
        ("post", "/v1/chat/completions"): {
            "model": "quaere",
            "messages": said,
            "quaere": {"folders": there},
        },
        ("post", "/v1/responses"): {
            "model": "quaere",
            "input": QUESTION,
            "quaere": {"folders": there},
        },
        ("post", "/v1/schedules"): {**asked, "times": "every monday 8:00"},
        ("post", "/v1/tools/deep_research"): {"question": QUESTION, "continues": two.run},
        ("post", "/v1/ui/messages"): {
            "messages": [{"role": "user", "parts": [{"type": "text", "text": QUESTION}]}],
            "quaere": {"folders": there},
        },
        ("post", "/ag-ui"): {
            "threadId": "t",
            "runId": "r",
            "messages": [{"id": "m", "role": "user", "content": QUESTION}],
            "forwardedProps": {"quaere": {"folders": there}},
        },
    }


NAMELESS = {
    ("post", "/v1/session"),
    ("delete", "/v1/session"),
    ("post", "/v1/checks/text"),
    ("post", "/v1/folders"),
    ("post", "/v1/keys"),
    ("delete", "/v1/me/data"),
}
"""Change something, or read what comes with the request, and name nothing that anybody has."""
ALSO: Mapping[str, Mapping[str, str]] = {
    "/v1/similar": {"question": QUESTION},
    "/v1/runs": {"q": MARK, "tag": MARK},
}


def test_every_endpoint_is_asked_for_what_others_have(two: Two) -> None:
    looking = {endpoint for endpoint in endpoints() if endpoint[0] == "get"}
    assert endpoints() - looking == set(naming(two)) | NAMELESS
    assert len(looking) > 20


def test_nothing_that_is_looked_at_tells_of_others(two: Two) -> None:
    for method, path in sorted(endpoints()):
        if method != "get":
            continue
        for also in (None, ALSO.get(path)):
            answer = two.bob.get(path, params=also)
            assert answer.status_code < 500, (path, answer.text)
            told = unpacked(answer.content)
            for mine in (MARK, two.run, two.talk, two.folder):
                assert mine.encode() not in told.lower(), (path, mine)
    assert MARK in two.ann.get("/v1/runs").text
    assert MARK.encode() in unpacked(two.ann.get("/v1/me/data").content)


def unpacked(body: bytes) -> bytes:
    """Return what is in ``body``, with the names and texts of an archive."""
    if not body.startswith(b"PK"):
        return body
    archive = zipfile.ZipFile(io.BytesIO(body))
    return b"".join(name.encode() + archive.read(name) for name in archive.namelist())


def test_what_others_have_cannot_be_named_in_a_body(two: Two) -> None:
    for (method, path), body in naming(two).items():
        own = two.ann.request(method, path, json=body)
        assert own.status_code < 300, (path, own.text)
        answer = two.bob.request(method, path, json=body)
        assert answer.status_code == 404, (path, answer.text)
        nobodys = json.loads(
            json.dumps(body)
            .replace(two.folder, "0" * len(two.folder))
            .replace(two.talk, "0" * 8 + two.talk[8:])
            .replace(two.run, "0" * 8 + two.run[8:])
        )
        other = two.bob.request(method, path, json=nobodys)
        assert other.status_code == 404, (path, other.text)
        assert answer.json()["error"]["type"] == other.json()["error"]["type"], path
    listed = two.bob.get("/v1/runs").text + two.bob.get("/v1/chat/conversations").text
    assert MARK not in listed, "something was begun"


def test_the_page_of_another_site_can_ask_for_no_change_anywhere(client: httpx.Client) -> None:
    paths: dict[str, dict[str, object]] = json.loads(CONTRACT.read_text("utf-8"))["paths"]
    changing = [
        (method, path) for path, methods in paths.items() for method in methods if method != "get"
    ]
    assert len(changing) > 25
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil"):
        for method, path in changing:
            filled = path.replace("{", "").replace("}", "")
            told = client.request(method, filled, json={}, headers={"Origin": origin})
            assert told.status_code == 403, (method, path, origin)
            assert told.json()["error"]["type"] == "foreign_origin"
            assert "access-control-allow-origin" not in told.headers
