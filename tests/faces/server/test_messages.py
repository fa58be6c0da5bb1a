"""What a chat asks for, out of what its sides have said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from quaere.domain.question import Turn
from quaere.domain.trace import Trace
from quaere.faces.server.messages import Chat, Message, chat_of, has_evidence


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
