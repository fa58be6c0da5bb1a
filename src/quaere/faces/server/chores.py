"""What chat clients ask of a model besides the user's questions: titles, tags, follow-ups.

Open WebUI sends such requests to the model of the chat, with nothing that tells them from a
question but how they begin. Each would be a run; they are answered by rule.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence

from pydantic import JsonValue

from quaere.faces.server.messages import Message

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
