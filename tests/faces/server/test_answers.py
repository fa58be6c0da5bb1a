"""R0.5 and R0.10: the endpoints of older clients."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from starlette.types import Message
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, frames_of, served

from quaere.faces.server.stream import EventStream
from quaere.store.submission import MAX_KEY_CHARS


def test_r0_10_run_answers_with_summary_and_verified_sources(client: httpx.Client) -> None:
    answer = client.post("/run", json={"task": QUESTION, "complexity_tier": "simple"})
    assert answer.status_code == 200
    body = answer.json()
    assert body["summary"] == body["final_answer"]
    assert "Ada Finch" in body["final_answer"]
    assert body["sources"][0] == {
        "id": "[1]",
        "title": "Tides",
        "type": "folder",
        "location": body["sources"][0]["location"],
    }
    assert body["sources"][0]["location"].startswith("folder:")
    assert set(body["metadata"]) >= {"timestamp", "model", "token_count"}
    assert answer.headers["x-quaere-run-id"] == body["run_id"]


def test_r0_10_every_marker_of_the_answer_is_a_source(client: httpx.Client) -> None:
    body = client.post("/run-simple", json={"task": "What nests on the tide mill?"}).json()
    ids = {source["id"] for source in body["sources"]}
    assert ids
    assert {f"[{each['id']}]" for each in body["citations"]} == ids
    assert all(marker in body["final_answer"] for marker in ids)


def test_places_to_look_are_told_where_nothing_answers(client: httpx.Client) -> None:
    body = client.post("/run", json={"task": "Which dog guards the tide mill at Carrow?"}).json()
    assert (body["status"], body["sources"], body["citations"]) == ("no_evidence", [], [])
    assert {place["title"] for place in body["nearest"]} == {"Tides", "Storks"}
    for place in body["nearest"]:
        assert place["url"].startswith("folder:")
        assert place["location"].startswith("folder:")
        assert "tide mill" in place["line"]["text"]
    report = client.get(f"/v1/runs/{body['run_id']}/report").json()
    assert report["nearest"] == body["nearest"]


def test_r0_10_a_model_that_was_not_used_is_told(tmp_path: Path) -> None:
    """The answer is all that these clients see of a run: nothing else says who reasoned."""
    nowhere = {"": "http://127.0.0.1:1/v1"}
    settings = settings_in(tmp_path, model="compatible:moth", model_base_url=nowhere)
    with served(settings) as url:
        body = httpx.post(f"{url}/run", json={"task": QUESTION}, timeout=60).json()
    assert "Ada Finch" in body["final_answer"]
    (warning,) = body["warnings"]
    assert "compatible:moth could not be reached at http://127.0.0.1:1/v1" in warning["message"]


def test_r0_5_limits_stand_beside_the_task(client: httpx.Client) -> None:
    body = client.post("/run", json={"task": QUESTION, "max_iters": 1}).json()
    assert body["usage"]["iterations"] == 1


def test_r0_5_async_answers_at_once_and_is_polled(client: httpx.Client) -> None:
    accepted = client.post("/run", json={"task": QUESTION, "async": True})
    assert accepted.status_code == 202
    job = accepted.json()
    assert accepted.headers["location"] == job["status_url"]
    until = time.monotonic() + 30
    while (state := client.get(f"/jobs/{job['job_id']}").json())["status"] != "completed":
        assert time.monotonic() < until, state
        time.sleep(0.05)
    assert "Ada Finch" in state["summary"]
    assert state["answer_status"] == "answered"


def test_r0_5_stream_is_the_log_of_the_run(client: httpx.Client) -> None:
    streamed = client.post("/run", json={"task": QUESTION, "stream": True})
    assert streamed.headers["content-type"].startswith("text/event-stream")
    frames = frames_of(streamed.text)
    logged = [frame for frame in frames if frame.id is not None]
    assert [frame.id for frame in logged] == list(range(1, len(logged) + 1))
    assert (logged[0].event, logged[-1].event) == ("run_started", "run_finished")
    assert frames[-1].event == "end"
    report = json.loads(logged[-1].data)["report"]
    assert "Ada Finch" in report["answer"]


@pytest.mark.parametrize("tier", ["simple", "standard", "deep", "chat"])
def test_joined_sentences_are_the_answer(client: httpx.Client, tier: str) -> None:
    asked = {"task": QUESTION, "stream": True, "complexity_tier": tier}
    frames = frames_of(client.post("/run", json=asked).text)
    told = [json.loads(each.data)["text"] for each in frames if each.event == "sentence_written"]
    (end,) = [json.loads(each.data) for each in frames if each.event == "run_finished"]
    assert " ".join(told).split() == end["report"]["answer"].split()


def test_search_brings_hits_alone(client: httpx.Client) -> None:
    body = client.post("/search", json={"query": "tide mill", "limit": 1}).json()
    assert len(body["hits"]) == 1
    assert body["hits"][0]["url"].startswith("folder:")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "question"),
        ({"task": ""}, "must not be empty"),
        ({"task": "x" * 20_001}, "at most 20000"),
        ({"task": QUESTION, "max_iters": 0}, "max_iters"),
        ({"task": QUESTION, "docs": ["/etc"]}, "docs"),
        ({"task": QUESTION, "complexity_tier": "huge"}, "complexity_tier"),
        ({"task": QUESTION, "providers": ["nowhere"]}, "nowhere"),
        ({"task": QUESTION, "model": "zzz"}, "'zzz' is not a model name"),
        ({"task": QUESTION, "model": "opnai:gpt-4.1"}, "Did you mean openai:gpt-4.1?"),
        ({"task": QUESTION, "model": "openai:"}, "is not a model name"),
        ({"task": QUESTION, "model": "\x86"}, "is not a model name"),
        ({"task": QUESTION, "model": "openai:gpt-4.1-mini"}, "OPENAI_API_KEY"),
        ({"task": QUESTION, "folders": ["../../etc"]}, "folder"),
    ],
)
def test_what_cannot_be_asked_is_told(
    client: httpx.Client, body: dict[str, object], said: str
) -> None:
    refused = client.post("/run", json=body)
    assert refused.status_code in {404, 422}
    assert refused.headers["content-type"] == "application/problem+json"
    problem = refused.json()
    assert said in problem["error"]["message"]
    assert problem["error"]["message"] == problem["detail"]
    assert not problem["error"]["retryable"]


def test_a_request_that_is_sent_again_begins_no_second_run(client: httpx.Client) -> None:
    asked = {"question": "Which key opens the mill?"}
    first = client.post("/v1/runs", json=asked, headers={"Idempotency-Key": "k1"})
    again = client.post("/v1/runs", json=asked, headers={"Idempotency-Key": "k1"})
    other = client.post("/v1/runs", json={"question": "?!"}, headers={"Idempotency-Key": "k1"})
    assert first.json()["run_id"] == again.json()["run_id"]
    assert other.status_code == 409


@pytest.mark.parametrize(
    ("key", "status"),
    [
        ("k", 202),
        ("k" * MAX_KEY_CHARS, 202),
        ("", 400),
        ("k" * (MAX_KEY_CHARS + 1), 400),
        ("k\xad", 400),
    ],
)
def test_the_key_of_a_request_has_a_length_and_can_be_printed(
    client: httpx.Client, key: str, status: int
) -> None:
    asked = {"question": f"Which key of {len(key)} opens the mill?"}
    headers = {b"Idempotency-Key": key.encode("latin-1")}
    answered = client.post("/v1/runs", json=asked, headers=headers)
    assert answered.status_code == status
    if status == 400:
        assert "printable characters" in answered.json()["detail"]


def test_a_reader_that_leaves_with_the_last_byte_is_no_fault() -> None:
    faults: list[object] = []

    async def streamed() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, fault: faults.append(fault))
        gone = asyncio.Event()

        async def frames() -> AsyncGenerator[bytes]:
            yield b"data: 1\n\n"

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body" and not message["more_body"]:
                gone.set()
                await asyncio.sleep(0)  # in which the reader is found to be gone

        await EventStream(frames(), {})({"type": "http"}, receive, send)
        await asyncio.sleep(0)

    asyncio.run(streamed())
    assert faults == []


def test_a_run_without_any_time_ends_without_a_fault(client: httpx.Client) -> None:
    answer = client.post("/run", json={"task": QUESTION, "max_execution_time_s": 5e-324})
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "no_evidence"


def test_the_longest_question_of_an_address_reaches_the_service(client: httpx.Client) -> None:
    fits = client.get("/v1/similar", params={"question": "\U0001f30a" * 5_000})
    assert fits.status_code == 200
    assert client.get("/v1/similar", params={"question": "x" * 5_001}).status_code == 422
