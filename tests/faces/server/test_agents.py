"""The endpoints for pages of others: AG-UI, and the AI SDK's message stream."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
import pytest
from ag_ui.core import Context, Event, RunAgentInput, UserMessage
from pydantic import TypeAdapter
from tests.faces.server.served import QUESTION
from tests.faces.wire.streams import Object, bodies, received

AG_UI: TypeAdapter[object] = TypeAdapter(Event)


def answer_of(client: httpx.Client, run_id: str) -> str:
    return str(client.get(f"/v1/runs/{run_id}/report").json()["answer"])


def asked(client: httpx.Client, path: str, body: object) -> tuple[httpx.Response, list[Object]]:
    response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    return response, bodies(received(response.content))


def test_an_ag_ui_client_gets_the_run_it_has_asked_for(client: httpx.Client) -> None:
    wanted = RunAgentInput(
        thread_id="t-1",
        run_id="r-1",
        messages=[UserMessage(id="m-1", role="user", content=QUESTION)],
        context=[Context(description="The page", value="A guide to Carrow")],
        state={},
        tools=[],
        forwarded_props={"model": "quaere-simple"},
    )
    response, told = asked(client, "/ag-ui", wanted.model_dump(mode="json", by_alias=True))
    for each in told:
        AG_UI.validate_python(each)
    assert (told[0]["type"], told[0]["threadId"], told[0]["runId"]) == ("RUN_STARTED", "t-1", "r-1")
    assert told[-1]["type"] == "RUN_FINISHED"
    run_id = response.headers["x-quaere-run-id"]
    text = "".join(str(e["delta"]) for e in told if e["type"] == "TEXT_MESSAGE_CONTENT")
    assert text == answer_of(client, run_id)
    request = client.get(f"/v1/runs/{run_id}").json()["request"]
    assert (request["profile"], request["context"]) == ("simple", "The page: A guide to Carrow")


def ui_message(role: str, *parts: Mapping[str, str]) -> dict[str, object]:
    return {"id": f"m-{role}", "role": role, "parts": list(parts)}


def test_use_chat_gets_a_message_and_follows_it_up(client: httpx.Client) -> None:
    first = ui_message("user", {"type": "text", "text": QUESTION})
    body = {"id": "chat-1", "trigger": "submit-message", "messages": [first]}
    response, told = asked(client, "/v1/ui/messages", body)
    assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert response.text.endswith("data: [DONE]\n\n")
    text = "".join(str(each["delta"]) for each in told if each["type"] == "text-delta")
    run_id = response.headers["x-quaere-run-id"]
    assert text == answer_of(client, run_id)
    said = ui_message(
        "assistant",
        {"type": "reasoning", "text": "Searching"},
        {"type": "text", "text": text},
        {"type": "source-document", "title": "Tides"},
    )
    then = ui_message("user", {"type": "text", "text": "And when did it stop working?"})
    seen = ui_message("user", {"type": "file", "url": "data:,x"})
    answer = ui_message("assistant", {"type": "text", "text": "A picture."})
    body = {"id": "chat-1", "messages": [seen, answer, first, said, then]}
    response, told = asked(client, "/v1/ui/messages", body)
    request = client.get(f"/v1/runs/{response.headers['x-quaere-run-id']}").json()["request"]
    assert request["draws_on"] == run_id
    assert request["conversation"] == [{"question": QUESTION, "answer": text}]


@pytest.mark.parametrize(
    "body",
    [
        {"messages": []},
        {"messages": [ui_message("assistant", {"type": "text", "text": "Hello."})]},
        {"messages": [ui_message("user", {"type": "file", "url": "data:,x"})]},
        {
            "messages": [ui_message("user", {"type": "text", "text": QUESTION})],
            "model": "gpt-5",
        },
        {
            "messages": [ui_message("user", {"type": "text", "text": QUESTION})],
            "quaere": {"docs": ["/etc"]},
        },
    ],
)
def test_what_cannot_be_asked_is_refused(client: httpx.Client, body: object) -> None:
    refused = client.post("/v1/ui/messages", json=body)
    assert refused.status_code in {400, 404, 422}
    assert refused.json()["error"]["message"]
