"""From the messages of a chat to a question, and to the run that it continues."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import httpx
import pytest
from pydantic import JsonValue
from tests.faces.server.served import QUESTION
from tests.timing import cpu_s

from quaere.domain.question import Turn
from quaere.domain.trace import Trace
from quaere.faces.server.asking import (
    TITLE_CHARS,
    Chat,
    Message,
    chat_of,
    chore_answer,
    has_evidence,
)

TITLE = '### Task:\nName the chat. JSON: {"title": "..."}\n<chat_history>\n%s\n</chat_history>'


def said(*lines: str) -> list[Message]:
    """Return messages from lines such as "user: Who?"."""
    return [Message(*line.split(": ", 1)) for line in lines]


@pytest.mark.parametrize(
    ("lines", "chat"),
    [
        ([], Chat("")),
        (["user:  Who? "], Chat("Who?")),
        (["user: Who?", "user:  ", "user: When?"], Chat("Who?\n\nWhen?")),
        (["system: Be brief.", "user: Who?", "developer: So.", "system:  "],
         Chat("Who?", "Be brief.\n\nSo.")),
        (["user: Who?", "assistant: Wray. "],
         Chat("", "", (Turn(question="Who?", answer="Wray."),))),
        (["assistant: Hello.", "user: Who?"], Chat("Who?")),
        (["user: Who?", "assistant: Wray.", "assistant: More.", "user: When?"],
         Chat("When?", "", (Turn(question="Who?", answer="Wray."),))),
        (["user: A", "user: B", "assistant: ", "user: C"],
         Chat("C", "", (Turn(question="A\n\nB", answer=""),))),
        (["user: Who?", "tool: 7"], Chat("Who?")),
    ],
)  # fmt: skip
def test_the_last_words_of_the_user_are_the_question(lines: list[str], chat: Chat) -> None:
    assert chat_of(said(*lines)) == chat


def test_of_a_long_chat_the_latest_fifty_turns_are_kept() -> None:
    lines = [line for n in range(52) for line in (f"user: Q{n}?", f"assistant: A{n}.")]
    turns = chat_of(said(*lines, "user: And?")).turns
    assert len(turns) == 50
    assert (turns[0].question, turns[-1].answer) == ("Q2?", "A51.")


@pytest.mark.parametrize(
    ("result", "has"),
    [({}, False), ({"sources": []}, False), ({"sources": [{"id": "src_1"}]}, True)],
)
def test_a_run_can_be_drawn_on_if_it_has_sources(result: dict[str, JsonValue], has: bool) -> None:
    now = datetime(2031, 5, 4, tzinfo=UTC)
    trace = Trace(id="a", user_id="u", tool_name="t", created_at=now, result=result)
    assert has_evidence(trace) is has


def asked(text: str) -> str | None:
    return chore_answer([Message("system", "Be brief."), Message("user", text)])


@pytest.mark.parametrize(
    ("key", "answer"),
    [("tags", ["General"]), ("follow_ups", []), ("queries", []), ("text", ""), ("prompt", "")],
)
def test_what_needs_no_research_gets_an_answer_that_says_nothing(key: str, answer: object) -> None:
    told = asked(f'  ### Task:\nAnswer in JSON: {{"{key}" : "..."}}')
    assert told is not None
    assert json.loads(told) == {key: answer}


@pytest.mark.parametrize(
    ("history", "title"),
    [
        ("USER: Wer baute die Mühle?\nASSISTANT: Wray.\nUSER: When?", "Wer baute die Mühle?"),
        ("ASSISTANT: Hello.\n### user: Who?", "Who?"),
        ("ASSISTANT: Hello.", "Research"),
        ("USER: " + "mill " * 11 + "built", "mill " * 11 + "built"),
        ("USER: " + "mill " * 12 + "built", "mill " * 11 + "mill…"),
    ],
)
def test_a_chat_is_called_by_its_first_question(history: str, title: str) -> None:
    told = asked(TITLE % history)
    assert told is not None
    assert json.loads(told) == {"title": title}
    assert len(title) <= TITLE_CHARS
    assert title in told, "in its own letters"


def test_a_chat_without_a_history_has_a_name_as_well() -> None:
    assert asked('### Task:\nJSON: {"title": "..."}') == '{"title": "Research"}'


def test_a_task_of_another_kind_is_answered_with_nothing() -> None:
    assert asked("### Task:\nSay something.") == ""


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [Message("user", "Who built it?")],
        [Message("user", 'Who wrote ### Task: {"title": 1}?')],
        [Message("user", "Hi"), Message("user", '### Task: {"title": 1}')],
        [Message("user", '### Task: {"title": 1}'), Message("user", "Hi")],
        [Message("developer", '### Task: {"title": 1}')],
    ],
)
def test_a_question_of_the_user_is_none(messages: list[Message]) -> None:
    assert chore_answer(messages) is None


SECOND = "And when did it stop working?"
THIRD = "And who worked there?"


def continued_run(client: httpx.Client, *said: str) -> tuple[str, str, str | None]:
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
    first, answer, _ = continued_run(client, QUESTION)
    second, further, _ = continued_run(client, QUESTION, answer, SECOND)
    return (QUESTION, answer, SECOND, further), (first, second)


def test_a_chat_goes_on_from_the_run_of_its_last_answer(
    client: httpx.Client, talked: tuple[Sequence[str], Sequence[str]]
) -> None:
    said, (first, second) = talked
    assert continued_run(client, *said, THIRD)[2] == second
    assert continued_run(client, *said[:2], THIRD)[2] == first


def test_what_nobody_here_has_answered_is_gone_on_from_without_a_run(
    client: httpx.Client, talked: tuple[Sequence[str], Sequence[str]]
) -> None:
    (question, answer, *_), _ = talked
    assert continued_run(client, question, "It was somebody else.", THIRD)[2] is None
    assert continued_run(client, "Who swept the mill?", answer, THIRD)[2] is None
    assert continued_run(client, THIRD)[2] is None


@pytest.mark.parametrize("unit", ["\n", " ", "user", "user:\n", "<chat_history>", "- \n"])
@pytest.mark.parametrize("frame", [TITLE, TITLE.partition("%s")[0] + "%s"])
def test_the_title_of_no_chat_takes_longer_than_it_is(unit: str, frame: str) -> None:
    text = frame % (unit * (100_000 // len(unit)))
    assert cpu_s(lambda: asked(text), enough_s=1) < 1
