"""OpenAI's endpoints, asked by OpenAI's own client and by LangChain's, of a real server."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import httpx
import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_openai import ChatOpenAI
from openai.types.chat import (
    ChatCompletionChunk,
    ChatCompletionContentPartImageParam,
    ChatCompletionMessageParam,
)
from openai.types.responses import Response, ResponseInputParam, ResponseStreamEvent
from pydantic import JsonValue, SecretStr
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, served

from quaere.domain.trace import Owner
from quaere.runtime.settings import Access
from quaere.runtime.wiring_store import DATABASE_FILE, build_database
from quaere.store.keys import Keys

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": QUESTION}]
FOLLOWS_UP = "And when did it stop working?"
ALONE: dict[str, object] = {"quaere": {"sources": "annotations"}}


@pytest.fixture(scope="module")
def asking(url: str) -> Generator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as opened:
        yield opened


def runs_made(home: Path) -> int:
    """Return how many runs the service has begun."""
    with closing(sqlite3.connect(home / "data" / DATABASE_FILE)) as database:
        return int(database.execute("SELECT count(*) FROM tool_traces").fetchone()[0])


def answer_of(client: httpx.Client, run_id: str) -> str:
    body = client.get(f"/v1/runs/{run_id}/report").json()
    return str(body["answer"])


# Models


def test_the_profiles_are_models(asking: openai.OpenAI) -> None:
    names = [model.id for model in asking.models.list()]
    assert names == ["quaere", *(f"quaere-{n}" for n in ("simple", "standard", "deep", "chat"))]
    assert asking.models.retrieve("quaere-deep").id == "quaere-deep"
    with pytest.raises(openai.NotFoundError, match="no-such") as refused:
        asking.models.retrieve("no-such")
    assert refused.value.code == "model_not_found"


# Chat completions


def test_a_question_is_answered_with_sources_and_annotations(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    raw = asking.chat.completions.with_raw_response.create(model="quaere", messages=ASKED)
    completion = raw.parse()
    message = completion.choices[0].message
    assert completion.choices[0].finish_reason == "stop"
    assert message.content
    run_id = raw.headers["x-quaere-run-id"]
    assert completion.id == f"chatcmpl-{run_id}"
    answer = answer_of(client, run_id)
    assert "Ada Finch" in answer
    assert message.content.startswith(f"{answer}\n\nSources:\n")
    assert message.annotations
    for number, each in enumerate(message.annotations, start=1):
        place = each.url_citation
        assert message.content[place.start_index : place.end_index] == f"[{number}]"
        assert place.url.startswith("folder:")
    assert completion.usage
    assert (completion.model_extra or {})["quaere"]["run_id"] == run_id


def test_a_stream_brings_progress_then_the_answer_then_its_sources(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    chunks: list[ChatCompletionChunk] = list(
        asking.chat.completions.create(
            model="quaere-simple",
            messages=ASKED,
            stream=True,
            stream_options={"include_usage": True},
            extra_body=ALONE,
        )
    )
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    text = "".join(delta.content or "" for delta in deltas)
    assert text == answer_of(client, chunks[0].id.removeprefix("chatcmpl-"))
    extras = [delta.model_extra or {} for delta in deltas]
    thoughts = "".join(str(extra.get("reasoning_content") or "") for extra in extras)
    assert "Searching" in thoughts
    places = [n for n, delta in enumerate(deltas) if delta.content]
    thought = [n for n, extra in enumerate(extras) if "reasoning_content" in extra]
    assert min(thought) < min(places)
    assert [extra["annotations"] for extra in extras if "annotations" in extra]
    assert chunks[-1].choices == []
    assert chunks[-1].usage
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert {chunk.model for chunk in chunks} == {"quaere-simple"}


def test_the_helper_for_streams_adds_the_chunks_up(asking: openai.OpenAI) -> None:
    with asking.chat.completions.stream(model="quaere", messages=ASKED) as stream:
        for _ in stream:
            continue
        final = stream.get_final_completion()
    assert "Ada Finch" in (final.choices[0].message.content or "")
    assert final.choices[0].finish_reason == "stop"


@pytest.mark.parametrize(
    ("changed", "param"),
    [
        ({"n": 2}, "n"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"response_format": {"type": "json_schema", "json_schema": {}}}, "response_format"),
        ({"logprobs": True}, "logprobs"),
        ({"stop": ["mill"]}, "stop"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"function_call": {"name": "x"}}, "function_call"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "Hello."}]}, "messages"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}
                ]
            },
            "messages",
        ),
        ({"messages": [{"role": "user", "content": "x" * 20_001}]}, "messages"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        (
            {"messages": [{"role": "user", "content": [{"text": "Who?"}]}]},
            "messages[0].content[0].type",
        ),
        ({"quaere": {"docs": ["/etc"]}}, "quaere.docs"),
        ({"metadata": {"k": "v" * 513}}, "metadata.k"),
    ],
)
def test_what_would_change_the_meaning_is_refused_by_name(
    client: httpx.Client, home: Path, changed: dict[str, object], param: str
) -> None:
    before = runs_made(home)
    refused = client.post(
        "/v1/chat/completions", json={"model": "quaere", "messages": ASKED, **changed}
    )
    assert refused.status_code == 400
    error = refused.json()["error"]
    assert error.keys() == {"message", "type", "param", "code"}
    assert (error["type"], error["param"]) == ("invalid_request_error", param)
    assert runs_made(home) == before


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"[]", "body"),
        (b"{", "body"),
        (b"{}", "messages"),
        (b'{"messages": [{"role": "user", "content": "\\ud800 mill?"}]}', "messages"),
        (b'{"messages": [{"role": "user", "content": "?!"}]}', None),
        (
            b'{"messages": [{"role": "user", "content": "?a"}], "quaere": {"providers": ["x"]}}',
            None,
        ),
    ],
)
def test_what_cannot_be_read_or_asked_is_a_bad_request(
    client: httpx.Client, body: bytes, param: str | None
) -> None:
    told = {"content-type": "application/json"}
    refused = client.post("/v1/chat/completions", content=body, headers=told)
    assert refused.status_code == 400
    assert refused.json()["error"]["param"] == param


def test_what_changes_nothing_is_ignored(asking: openai.OpenAI) -> None:
    completion = asking.chat.completions.create(
        model="quaere",
        messages=[{"role": "system", "content": "Be brief."}, *ASKED],
        temperature=0.2,
        top_p=0.9,
        max_tokens=50,
        seed=7,
        user="somebody",
        response_format={"type": "text"},
        tools=[{"type": "function", "function": {"name": "clock", "parameters": {}}}],
        tool_choice="auto",
    )
    assert "Ada Finch" in (completion.choices[0].message.content or "")


def test_a_folder_that_there_is_not_is_not_found(asking: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as refused:
        asking.chat.completions.create(
            model="quaere", messages=ASKED, extra_body={"quaere": {"folders": ["nobodys"]}}
        )
    assert refused.value.type == "invalid_request_error"


def test_earlier_messages_are_the_conversation_and_what_was_read_is_drawn_on(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    first = asking.chat.completions.create(model="quaere", messages=ASKED)
    said = first.choices[0].message.content
    assert said
    second = asking.chat.completions.create(
        model="quaere",
        messages=[
            *ASKED,
            {"role": "assistant", "content": said},
            {"role": "user", "content": FOLLOWS_UP},
        ],
    )
    request = client.get(f"/v1/runs/{second.id.removeprefix('chatcmpl-')}").json()["request"]
    assert request["draws_on"] == first.id.removeprefix("chatcmpl-")
    (turn,) = request["conversation"]
    assert turn["question"] == QUESTION
    assert "Sources:" not in turn["answer"]
    assert "1934" in (second.choices[0].message.content or "")


def task(asked: str, wanted: str) -> str:
    """Return a request in the form in which Open WebUI sends those of its own."""
    return (
        f"### Task:\n{asked}\n### Output:\nJSON format: {wanted}\n### Chat History:\n"
        f"<chat_history>\nUSER: {QUESTION}\nASSISTANT: Ada Finch [1].\n</chat_history>"
    )


@pytest.mark.parametrize(
    ("asked", "wanted", "answer"),
    [
        ("Generate a title.", '{ "title": "your title" }', {"title": QUESTION}),
        ("Generate 1-3 tags.", '{ "tags": ["tag1"] }', {"tags": ["General"]}),
        ("Suggest questions.", '{ "follow_ups": ["Question?"] }', {"follow_ups": []}),
        ("Generate queries.", '{ "queries": ["query"] }', {"queries": []}),
    ],
)
def test_what_open_webui_asks_for_itself_begins_no_run(
    asking: openai.OpenAI,
    home: Path,
    asked: str,
    wanted: str,
    answer: dict[str, JsonValue],
) -> None:
    before = runs_made(home)
    completion = asking.chat.completions.create(
        model="quaere", messages=[{"role": "user", "content": task(asked, wanted)}]
    )
    assert json.loads(completion.choices[0].message.content or "") == answer
    assert runs_made(home) == before


def test_a_question_in_the_words_of_a_task_is_one_when_it_is_streamed(
    asking: openai.OpenAI, home: Path
) -> None:
    before = runs_made(home)
    text = f"### Task: {QUESTION}"
    stream = asking.chat.completions.create(
        model="quaere", messages=[{"role": "user", "content": text}], stream=True
    )
    assert any(chunk.choices and chunk.choices[0].finish_reason for chunk in stream)
    assert runs_made(home) == before + 1


def test_a_client_that_leaves_in_the_middle_finds_its_run_done(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    stream = asking.chat.completions.create(model="quaere", messages=ASKED, stream=True)
    first = next(iter(stream))
    stream.close()
    run_id = first.id.removeprefix("chatcmpl-")
    frames = client.get(f"/v1/runs/{run_id}/events").text
    assert "event: run_finished" in frames


# Responses


def text_of(events: list[ResponseStreamEvent]) -> str:
    return "".join(e.delta for e in events if e.type == "response.output_text.delta")


def test_a_response_is_answered_with_its_searches(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    response = asking.responses.create(
        model="quaere", input=QUESTION, instructions="Be brief.", metadata={"a": "b"}
    )
    answer = answer_of(client, response.id.removeprefix("resp_"))
    assert response.output_text.startswith(f"{answer}\n\nSources:\n")
    assert (response.status, response.metadata) == ("completed", {"a": "b"})
    kinds = [item.type for item in response.output]
    assert kinds[0] == "reasoning"
    assert "web_search_call" in kinds
    assert kinds[-1] == "message"
    again = asking.responses.retrieve(response.id)
    assert again.to_dict() == response.to_dict()


def test_a_streamed_response_can_be_resumed_after_each_of_its_events(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    events = list(
        asking.responses.create(model="quaere", input=QUESTION, stream=True, extra_body=ALONE)
    )
    assert [event.sequence_number for event in events] == list(range(len(events)))
    last = events[-1]
    assert last.type == "response.completed"
    run_id = last.response.id.removeprefix("resp_")
    assert text_of(events) == answer_of(client, run_id) == last.response.output_text
    for after in range(-1, len(events)):
        rest = list(asking.responses.retrieve(last.response.id, stream=True, starting_after=after))
        assert rest == events[after + 1 :]


def test_the_helper_for_responses_adds_the_events_up(asking: openai.OpenAI) -> None:
    with asking.responses.stream(model="quaere", input=QUESTION) as stream:
        for _ in stream:
            continue
        final = stream.get_final_response()
    assert "Ada Finch" in final.output_text
    cited = [
        a
        for item in final.output
        if item.type == "message"
        for c in item.content
        if c.type == "output_text"
        for a in c.annotations
    ]
    assert cited
    assert all(each.type == "url_citation" for each in cited)


def test_a_response_in_the_background_is_looked_at_until_it_is_done(
    asking: openai.OpenAI,
) -> None:
    begun = asking.responses.create(model="quaere-deep", input=QUESTION, background=True)
    assert begun.status in {"queued", "in_progress", "completed"}
    assert begun.background
    events = list(asking.responses.retrieve(begun.id, stream=True))
    assert events[0].type == "response.created"
    done: Response = asking.responses.retrieve(begun.id)
    assert (done.status, done.model) == ("completed", "quaere-deep")
    assert done.created_at == begun.created_at
    assert "Ada Finch" in done.output_text
    assert asking.responses.cancel(begun.id).status == "completed", "it is over"


def test_a_response_goes_on_from_the_one_before(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    first = asking.responses.create(model="quaere", input=QUESTION)
    second = asking.responses.create(
        model="quaere", input=FOLLOWS_UP, previous_response_id=first.id
    )
    assert second.previous_response_id == first.id
    request = client.get(f"/v1/runs/{second.id.removeprefix('resp_')}").json()["request"]
    assert request["draws_on"] == first.id.removeprefix("resp_")
    assert "1934" in second.output_text
    third = asking.responses.create(
        model="quaere", input="Who built it?", previous_response_id=second.id
    )
    request = client.get(f"/v1/runs/{third.id.removeprefix('resp_')}").json()["request"]
    assert [turn["question"] for turn in request["conversation"]] == [QUESTION, FOLLOWS_UP]


def referring(item_id: str, question: str) -> ResponseInputParam:
    """Return the second question of a chat as AI SDK sends it: the answer by its id alone."""
    return [
        {"role": "user", "content": QUESTION},
        {"type": "item_reference", "id": item_id},
        {"role": "user", "content": question},
    ]


def test_an_answer_that_the_client_only_refers_to_is_part_of_the_conversation(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    first = asking.responses.create(model="quaere", input=QUESTION)
    thought, answer = first.output[0].id, first.output[-1].id
    assert thought
    assert answer
    asking.responses.create(model="quaere", input=referring(thought, FOLLOWS_UP))
    second = asking.responses.create(model="quaere", input=referring(answer, FOLLOWS_UP))
    request = client.get(f"/v1/runs/{second.id.removeprefix('resp_')}").json()["request"]
    (turn,) = request["conversation"]
    assert turn["question"] == QUESTION
    assert "Ada Finch" in turn["answer"]
    assert request["draws_on"] == first.id.removeprefix("resp_")
    with pytest.raises(openai.NotFoundError, match="No answer has the id 'msg_none'"):
        asking.responses.create(model="quaere", input=referring("msg_none", FOLLOWS_UP))


def test_a_conversation_that_the_client_sends_whole_draws_on_its_last_answer(
    asking: openai.OpenAI, client: httpx.Client
) -> None:
    first = asking.responses.create(model="quaere", input=QUESTION)
    said: ResponseInputParam = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": first.output_text},
        {"role": "user", "content": FOLLOWS_UP},
    ]
    second = asking.responses.create(model="quaere", input=said)
    request = client.get(f"/v1/runs/{second.id.removeprefix('resp_')}").json()["request"]
    assert request["draws_on"] == first.id.removeprefix("resp_")


def test_a_conversation_with_a_picture_in_it_goes_on(asking: openai.OpenAI) -> None:
    picture: ChatCompletionContentPartImageParam = {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64,AA=="},
    }
    messages: list[ChatCompletionMessageParam] = [
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]},
        {"role": "assistant", "content": "A windmill."},
        *ASKED,
    ]
    completion = asking.chat.completions.create(model="quaere", messages=messages)
    assert "Ada Finch" in (completion.choices[0].message.content or "")
    assert (completion.model_extra or {})["quaere"]["passed_over"] == ["image_url"]
    seen: ResponseInputParam = [
        {"role": "user", "content": [{"type": "input_image", "detail": "low", "image_url": "x"}]},
        {"role": "assistant", "content": "A windmill."},
        {"role": "user", "content": QUESTION},
    ]
    made = asking.responses.create(model="quaere", input=seen)
    assert (made.model_extra or {})["quaere"]["passed_over"] == ["input_image"]
    kept = asking.responses.retrieve(made.id)
    assert (kept.model_extra or {})["quaere"] == (made.model_extra or {})["quaere"]


def test_a_response_that_is_deleted_is_gone(asking: openai.OpenAI) -> None:
    made = asking.responses.create(model="quaere-simple", input=QUESTION)
    assert asking.responses.retrieve(made.id).status == "completed"
    told = asking.responses.with_raw_response.delete(made.id)
    assert json.loads(told.text) == {"id": made.id, "object": "response", "deleted": True}
    for ask in (asking.responses.retrieve, asking.responses.delete):
        with pytest.raises(openai.NotFoundError):
            ask(made.id)


def test_what_would_change_the_meaning_of_a_response_is_refused(asking: openai.OpenAI) -> None:
    refusals: list[tuple[dict[str, object], str]] = [
        ({"text": {"format": {"type": "json_object"}}}, "text.format"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"input": []}, "input"),
    ]
    for changed, param in refusals:
        with pytest.raises(openai.BadRequestError) as refused:
            asking.responses.create(model="quaere", extra_body={"input": QUESTION, **changed})
        assert refused.value.param == param
    for name in ("resp_none", "none", "resp_"):
        with pytest.raises(openai.NotFoundError, match=f"No response has the id '{name}'"):
            asking.responses.retrieve(name)


# LangChain


def test_langchain_reads_answers_streams_and_responses(url: str) -> None:
    key = SecretStr("none")
    plain = ChatOpenAI(model="quaere", base_url=f"{url}/v1", api_key=key)
    answer = plain.invoke([HumanMessage(QUESTION)])
    assert isinstance(answer, AIMessage)
    assert "Ada Finch" in answer.text
    assert "Sources:" in answer.text, "it keeps neither annotations nor citations"
    streamed = list(plain.stream([HumanMessage(QUESTION)]))
    assert all(isinstance(chunk, AIMessageChunk) for chunk in streamed)
    assert "".join(chunk.text for chunk in streamed).strip() == answer.text.strip()
    responses = ChatOpenAI(
        model="quaere", base_url=f"{url}/v1", api_key=key, use_responses_api=True
    )
    told = responses.invoke([HumanMessage(QUESTION)])
    assert "Ada Finch" in told.text
    assert told.response_metadata["status"] == "completed"


# Whose runs, and how they end


@pytest.fixture
def issued(tmp_path: Path) -> Generator[tuple[str, str, str]]:
    """The address of a service that makes no runs itself, and the keys of two users."""
    settings = settings_in(tmp_path)

    async def keys() -> list[str]:
        async with build_database(settings) as database:
            made = [await Keys(database).create(Owner(user=n), n) for n in ("ann", "bob")]
        return [secret for _, secret in made]

    ann, bob = asyncio.run(keys())
    with served(settings, access=Access.KEYS, workers=0) as url:
        yield f"{url}/v1", ann, bob


def test_others_responses_do_not_exist_and_a_waiting_one_can_be_cancelled(
    issued: tuple[str, str, str],
) -> None:
    url, ann, bob = issued
    with (
        openai.OpenAI(base_url=url, api_key=ann, max_retries=0) as owner,
        openai.OpenAI(base_url=url, api_key=bob, max_retries=0) as other,
        openai.OpenAI(base_url=url, api_key="qk_none", max_retries=0) as nobody,
    ):
        begun = owner.responses.create(model="quaere", input=QUESTION, background=True)
        assert begun.status == "queued"
        for ask in (
            lambda: other.responses.retrieve(begun.id),
            lambda: list(other.responses.retrieve(begun.id, stream=True)),
            lambda: other.responses.cancel(begun.id),
            lambda: other.responses.delete(begun.id),
        ):
            with pytest.raises(openai.NotFoundError):
                ask()
        for ask in (
            nobody.models.list,
            lambda: nobody.chat.completions.create(model="quaere", messages=ASKED),
            lambda: nobody.responses.create(model="quaere", input=QUESTION),
            lambda: nobody.responses.retrieve(begun.id),
        ):
            with pytest.raises(openai.AuthenticationError):
                ask()
        with pytest.raises(openai.BadRequestError, match="no answer"):
            owner.responses.create(input="Why?", previous_response_id=begun.id)
        for client, name in ((other, begun.id), (owner, "resp_none"), (owner, "none")):
            with pytest.raises(openai.BadRequestError) as refused:
                client.responses.create(input="Why?", previous_response_id=name)
            assert (refused.value.code, refused.value.param) == (
                "previous_response_not_found",
                "previous_response_id",
            )
        assert owner.responses.cancel(begun.id).status == "cancelled"
        assert owner.responses.retrieve(begun.id).status == "cancelled"
        (end,) = owner.responses.retrieve(begun.id, stream=True)
        assert end.type == "response.failed"
        assert (end.response.status, end.response.error) == ("cancelled", None)
        waiting = owner.responses.create(model="quaere", input=QUESTION, background=True)
        for each in (begun, waiting):
            owner.responses.delete(each.id)
            with pytest.raises(openai.NotFoundError):
                owner.responses.retrieve(each.id)


def test_a_chat_whose_run_is_cancelled_ends_in_an_error(issued: tuple[str, str, str]) -> None:
    url, ann, _ = issued
    with openai.OpenAI(base_url=url, api_key=ann, max_retries=0) as owner:
        raw = owner.chat.completions.with_raw_response.create(
            model="quaere", messages=ASKED, stream=True
        )
        owner.responses.cancel(f"resp_{raw.headers['x-quaere-run-id']}")
        with pytest.raises(openai.APIError, match="was cancelled"):
            list(raw.parse())
