"""What a run that continues a conversation is told of it."""

from __future__ import annotations

from datetime import UTC, datetime

from quaere.domain.conversation import ChatMessage, ChatRole, StoredConversation
from quaere.domain.question import MAX_TURNS

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)


def turns(*said: str) -> list[tuple[str, str]]:
    """Return the turns of a conversation in which ``>`` marks what the user says."""
    messages = tuple(
        ChatMessage(
            id=str(number),
            role=ChatRole.USER if text.startswith(">") else ChatRole.ASSISTANT,
            content=text.removeprefix(">"),
            created_at=NOW,
        )
        for number, text in enumerate(said)
    )
    talk = StoredConversation(id="t", title="Mills", created_at=NOW, updated_at=NOW)
    found = talk.model_copy(update={"messages": messages}).turns
    return [(turn.question, turn.answer) for turn in found]


def test_a_turn_is_a_question_with_its_answer() -> None:
    assert turns(">Who?", "Wray.", ">When?", "1788.") == [("Who?", "Wray."), ("When?", "1788.")]


def test_a_question_that_is_not_answered_yet_is_no_turn() -> None:
    assert turns(">Who?", "") == []
    assert turns(">Who?") == []
    assert turns(">Who?", ">When?", "1788.") == [("When?", "1788.")]
    assert turns("Welcome.", ">Who?", "Wray.", "And more.") == [("Who?", "Wray.")]


def test_only_the_last_turns_are_told() -> None:
    said = [text for n in range(MAX_TURNS + 2) for text in (f">Q{n}", f"A{n}")]
    assert turns(*said) == [(f"Q{n}", f"A{n}") for n in range(2, MAX_TURNS + 2)]
