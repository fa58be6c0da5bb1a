"""What a chat client asks for itself is answered by rule, and what its user asks is not."""

from __future__ import annotations

import json

import pytest

from quaere.faces.server.chores import TITLE_CHARS, chore_answer
from quaere.faces.server.messages import Message

TITLE = '### Task:\nName the chat. JSON: {"title": "..."}\n<chat_history>\n%s\n</chat_history>'


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
        [Message("developer", '### Task: {"title": 1}')],
    ],
)
def test_a_question_of_the_user_is_none(messages: list[Message]) -> None:
    assert chore_answer(messages) is None
