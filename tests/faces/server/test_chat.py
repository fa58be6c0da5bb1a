"""The chat API over HTTP (R3.7)."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import cast

import httpx
import pytest
from pydantic import JsonValue
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, Frame, frames_of, served

from quaere.runtime.settings import Access

Json = Mapping[str, JsonValue]
MESSAGES = "/v1/chat/messages"


def said(client: httpx.Client, message: str = QUESTION, **others: str) -> httpx.Response:
    answer = client.post(MESSAGES, json={"message": message, **others})
    assert answer.status_code == 200, answer.text
    return answer


def talk_of(client: httpx.Client, answer: httpx.Response) -> Json:
    talk = answer.headers["x-quaere-conversation-id"]
    return client.get(f"/v1/chat/conversations/{talk}").json()


def data(frame: Frame) -> Json:
    return cast("Json", json.loads(frame.data))


@pytest.mark.parametrize("mode", ["chat", "deep_research"])
def test_the_events_come_in_their_order_and_are_the_answer_r3_7(
    client: httpx.Client, mode: str, home: Path
) -> None:
    answer = said(client, mode=mode)
    frames = frames_of(answer.text)
    names = [frame.event for frame in frames]
    order = ["metadata", "progress", "token", "citation", "usage", "done"]
    assert set(names) - {"warning"} == set(order)
    assert list(dict.fromkeys(name for name in names if name != "warning")) == order
    ending = [name for name in names if name in {"citation", "usage", "done"}]
    assert names[-len(ending) :] == ending == sorted(ending, key=order.index)
    report = client.get(f"/v1/runs/{answer.headers['x-quaere-run-id']}/report").json()
    text = "".join(str(data(frame)["text"]) for frame in frames if frame.event == "token")
    assert text == report["answer"]
    assert str(home) not in answer.text


def test_messages_and_citations_are_kept_r3_7(client: httpx.Client, home: Path) -> None:
    answer = said(client)
    talk = talk_of(client, answer)
    question, told = cast("list[Json]", talk["messages"])
    assert (question["role"], question["content"]) == ("user", QUESTION)
    assert told["role"] == "assistant"
    assert "Ada Finch" in str(told["content"])
    (citation, *_) = cast("list[Json]", told["citations"])
    assert str(citation["location"]).startswith("folder:docs/tides.md")
    assert told["trace_id"] == answer.headers["x-quaere-run-id"]
    assert str(home) not in json.dumps(talk)
    listed = client.get("/v1/chat/conversations").json()["conversations"]
    assert talk["id"] in [each["id"] for each in listed]


def test_thanks_are_answered_without_a_search_and_the_conversation_goes_on(
    client: httpx.Client,
) -> None:
    talk = str(said(client).headers["x-quaere-conversation-id"])
    thanked = said(client, "Thank you!", conversation_id=talk)
    assert "nothing was searched for" in thanked.text
    after = said(client, "When did it stop working?", conversation_id=talk)
    assert "1934" in after.text
    told = cast("list[Json]", talk_of(client, after)["messages"])
    assert len(told) == 6


def test_a_follow_up_knows_what_was_said_before(client: httpx.Client) -> None:
    first = said(client)
    talk = str(first.headers["x-quaere-conversation-id"])
    second = said(client, "When did it stop working?", conversation_id=talk)
    assert second.headers["x-quaere-conversation-id"] == talk
    told = cast("list[Json]", talk_of(client, second)["messages"])
    assert [each["role"] for each in told] == ["user", "assistant"] * 2
    assert "1934" in str(told[3]["content"])
    path = f"/v1/runs/{second.headers['x-quaere-run-id']}"
    assert client.get(path).json()["request"]["conversation"][0]["question"] == QUESTION


def test_a_report_tells_how_its_follow_up_was_read(client: httpx.Client) -> None:
    first = said(client, "When did the Orrin mill stop working?")
    talk = str(first.headers["x-quaere-conversation-id"])
    second = said(client, "And the Sket mill?", conversation_id=talk)
    paths = [f"/v1/runs/{answer.headers['x-quaere-run-id']}" for answer in (first, second)]
    read_as = [client.get(f"{path}/report").json()["read_as"] for path in paths]
    assert read_as == ["", "When did the Sket mill stop working?"]
    begun = client.get(f"{paths[1]}/events").text.partition("phase_started")[0]
    assert f'"read_as":"{read_as[1]}"' in begun


def test_a_message_that_is_sent_twice_is_answered_once(client: httpx.Client) -> None:
    headers = {"Idempotency-Key": "chat-1"}
    sent = [client.post(MESSAGES, json={"message": QUESTION}, headers=headers) for _ in range(2)]
    for name in ("x-quaere-run-id", "x-quaere-conversation-id"):
        assert len({answer.headers[name] for answer in sent}) == 1
    assert len(cast("list[Json]", talk_of(client, sent[0])["messages"])) == 2
    other = client.post(MESSAGES, json={"message": "What grinds barley?"}, headers=headers)
    assert other.status_code == 409


def test_a_conversation_is_renamed_and_deleted(client: httpx.Client) -> None:
    answer = said(client)
    path = f"/v1/chat/conversations/{answer.headers['x-quaere-conversation-id']}"
    renamed = client.patch(path, json={"title": "Mills"}).json()
    assert renamed["title"] == "Mills"
    assert len(cast("list[Json]", renamed["messages"])) == 2
    assert client.get(path).json() == renamed
    assert [client.delete(path).status_code for _ in range(2)] == [204, 404]
    assert client.get(f"/v1/runs/{answer.headers['x-quaere-run-id']}").status_code == 200


def test_what_cannot_be_asked_begins_nothing(client: httpx.Client) -> None:
    before = len(client.get("/v1/chat/conversations").json()["conversations"])
    for form in (
        {"message": ""},
        {"message": QUESTION, "mode": "fast"},
        {"message": QUESTION, "conversation_id": "none"},
        {"message": QUESTION, "folders": ["none"]},
        {"message": "x" * 20_001},
    ):
        assert client.post(MESSAGES, json=form).status_code in {404, 422}
    after = len(client.get("/v1/chat/conversations").json()["conversations"])
    assert after == before


@pytest.fixture
def hurried(tmp_path: Path) -> Generator[httpx.Client]:
    """A service that makes no runs itself and gives readers half a second to come back."""
    settings = settings_in(tmp_path, chat_abandoned_s=0.5)
    with served(settings, workers=0) as url, httpx.Client(base_url=url) as client:
        yield client


@pytest.mark.parametrize(("mode", "ends"), [("chat", True), ("deep_research", False)])
def test_a_chat_that_nobody_reads_is_ended_and_research_is_not(
    hurried: httpx.Client, mode: str, *, ends: bool
) -> None:
    with hurried.stream("POST", MESSAGES, json={"message": QUESTION, "mode": mode}) as answer:
        run = f"/v1/runs/{answer.headers['x-quaere-run-id']}"
    time.sleep(2)
    assert (hurried.get(run).json()["status"] == "cancelled") is ends


def test_a_chat_whose_run_somebody_cancels_ends_with_that(hurried: httpx.Client) -> None:
    with hurried.stream("POST", MESSAGES, json={"message": QUESTION}) as answer:
        hurried.post(f"/v1/runs/{answer.headers['x-quaere-run-id']}/cancel").raise_for_status()
        last = frames_of(answer.read().decode())[-1]
    assert (last.event, last.id) == ("error", None), "the log has no such event to go on from"
    assert cast("Json", data(last)["error"])["type"] == "run_cancelled"


def test_a_chat_is_not_ended_while_its_run_is_followed(hurried: httpx.Client) -> None:
    with hurried.stream("POST", MESSAGES, json={"message": QUESTION}) as answer:
        run = f"/v1/runs/{answer.headers['x-quaere-run-id']}"
        following = hurried.stream("GET", f"{run}/events")
        with following as events:
            pieces = events.iter_raw()
            next(pieces)
            answer.close()
            time.sleep(2)
            assert hurried.get(run).json()["status"] == "pending"


def test_conversations_are_their_owners_alone(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, auth=Access.KEYS)
    ann, ben = issued(settings, "ann"), issued(settings, "ben")
    with served(settings) as url, client_of(url, ann) as own, client_of(url, ben) as other:
        talk = str(said(own).headers["x-quaere-conversation-id"])
        path = f"/v1/chat/conversations/{talk}"
        assert other.get(path).status_code == 404
        assert other.patch(path, json={"title": "mine"}).status_code == 404
        assert other.delete(path).status_code == 404
        continuing = {"message": QUESTION, "conversation_id": talk}
        assert other.post(MESSAGES, json=continuing).status_code == 404
        assert other.get("/v1/chat/conversations").json()["conversations"] == []
        assert own.get(path).status_code == 200
