"""From the messages of a chat to a question, its context, and the conversation before it.

Chat clients ask a model for titles, tags and follow-ups, too. Open WebUI sends such requests to the
model of the chat, with nothing that tells them from a question but how they begin. Each would be a
run; they are answered by rule.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from quaere.domain.question import Turn
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.faces.server.context import Context
from quaere.faces.server.forms import MAX_TURNS
from quaere.faces.wire.cited import without_closing_list

RECENT = 50
"""Runs among which the one that an answer is from is looked for, the latest first."""

TITLE_CHARS = 60
_BEGINS = "### Task:"
_HISTORY = re.compile(r"<chat_history>\s*(.*?)\s*</chat_history>", re.DOTALL)
_ASKED = re.compile(r"(?im)^\W*user\W*:\s*(.+)$")
_WANTED = re.compile(r'"(title|tags|follow_ups|queries|text|prompt)"\s*:')
_NOTHING: dict[str, JsonValue] = {
    "tags": ["General"],
    "follow_ups": [],
    "queries": [],
    "text": "",
    "prompt": "",
}


@dataclass(frozen=True, slots=True)
class Message:
    """What one side has said."""

    role: str
    """``user``, ``assistant``, ``system`` or ``developer``; all others are left out."""
    text: str


@dataclass(frozen=True, slots=True)
class Chat:
    """What a chat asks for."""

    question: str
    """Empty where the last message is not the user's."""
    context: str = ""
    """What system and developer messages say."""
    turns: tuple[Turn, ...] = field(default=())
    """What was asked and answered before, the oldest first."""


def chat_of(messages: Iterable[Message]) -> Chat:
    """Return what ``messages`` ask for: the last words of the user, after what went before."""
    context: list[str] = []
    turns: list[Turn] = []
    asked: list[str] = []
    for each in messages:
        text = each.text.strip()
        if each.role in {"system", "developer"} and text:
            context.append(text)
        elif each.role == "user" and text:
            asked.append(text)
        elif each.role == "assistant" and asked:
            answer = without_closing_list(text)
            turns.append(Turn(question="\n\n".join(asked), answer=answer))
            asked.clear()
    return Chat("\n\n".join(asked), "\n\n".join(context), tuple(turns[-MAX_TURNS:]))


async def continued(context: Context, owner: Owner, turns: Sequence[Turn]) -> str | None:
    """Return the id of the run that gave the last answer of ``turns``; None when none is known.

    Protocols whose clients send the whole conversation with every question name no run.
    """
    if not turns or not context.app.settings.stores_all:
        return None
    last = turns[-1]
    traces = await context.app.traces()
    page = await traces.list_traces(owner, status=TraceStatus.COMPLETED, limit=RECENT)
    for trace in page.traces:
        answer = str((trace.result or {}).get("answer", ""))
        if trace.question == last.question and context.places.masked(answer) == last.answer:
            return trace.id if has_evidence(trace) else None
    return None


def has_evidence(trace: Trace) -> bool:
    """Return whether another run can draw on what the run of ``trace`` has read."""
    return bool((trace.result or {}).get("sources"))


def chore_answer(messages: Sequence[Message]) -> str | None:
    """Return the answer to what a client asks for itself; None for a question of its user."""
    said = [each for each in messages if each.role not in {"system", "developer"}]
    if len(said) != 1 or not said[0].text.lstrip().startswith(_BEGINS):
        return None
    text = said[0].text
    wanted = _WANTED.search(text)
    if wanted is None:
        return ""
    key = wanted[1]
    answer = _NOTHING[key] if key in _NOTHING else _title(text)
    return json.dumps({key: answer}, ensure_ascii=False)


def _title(text: str) -> str:
    """Return the first question of the chat, shortened."""
    history = _HISTORY.search(text)
    asked = _ASKED.search(history[1]) if history else None
    return textwrap.shorten(asked[1], TITLE_CHARS, placeholder="…") if asked else "Research"
