"""Which earlier run a chat goes on from, when its client sends all that was said before."""

from __future__ import annotations

from collections.abc import Sequence

import httpx
import pytest
from tests.faces.server.served import QUESTION

SECOND = "And when did it stop working?"
THIRD = "And who worked there?"


def asked(client: httpx.Client, *said: str) -> tuple[str, str, str | None]:
    """Ask what is said last; return the run, its answer, and the run that it draws on."""
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]
    body = {
        "model": "quaere",
        "messages": messages,
        "quaere": {"sources": "annotations"},
    }
    made = client.post("/v1/chat/completions", json=body).raise_for_status().json()
    run = made["id"].removeprefix("chatcmpl-")
    request = client.get(f"/v1/runs/{run}").json()["request"]
    return run, made["choices"][0]["message"]["content"], request.get("draws_on")


@pytest.fixture(scope="module")
def talked(client: httpx.Client) -> tuple[Sequence[str], Sequence[str]]:
    """Two questions with their answers, and the runs that gave them."""
    first, answer, _ = asked(client, QUESTION)
    second, further, _ = asked(client, QUESTION, answer, SECOND)
    return (QUESTION, answer, SECOND, further), (first, second)


def test_a_chat_goes_on_from_the_run_of_its_last_answer(
    client: httpx.Client, talked: tuple[Sequence[str], Sequence[str]]
) -> None:
    said, (first, second) = talked
    assert asked(client, *said, THIRD)[2] == second
    assert asked(client, *said[:2], THIRD)[2] == first


def test_what_nobody_here_has_answered_is_gone_on_from_without_a_run(
    client: httpx.Client, talked: tuple[Sequence[str], Sequence[str]]
) -> None:
    (question, answer, *_), _ = talked
    assert asked(client, question, "It was somebody else.", THIRD)[2] is None
    assert asked(client, "Who swept the mill?", answer, THIRD)[2] is None
    assert asked(client, THIRD)[2] is None
