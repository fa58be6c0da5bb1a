"""Which traces a list shows: by status, words of the question, tags and pins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Text, cast, false, or_
from typing_extensions import TypedDict

from quaere.domain.trace import TraceStatus
from quaere.domain.value import encodable
from quaere.errors import UsageError
from quaere.store.db.schema import tool_traces
from quaere.text.sanitize import quoted

MAX_TAGS = 20
MAX_TAG_CHARS = 50
MAX_WORDS = 20
"""Words of a search that are looked for; the rest is left out."""


class TraceFilter(TypedDict, total=False):
    """What a trace must have to be listed; what is left out or ``None`` does not matter."""

    tool: str | None
    status: TraceStatus | None
    q: str | None
    """Words that must all be in the question, in any order and in either case."""
    tag: str | None
    pinned: bool | None


def matching(only: TraceFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions that ``only`` sets."""
    tool, status, pinned = only.get("tool"), only.get("status"), only.get("pinned")
    if tool is not None:
        yield tool_traces.c.tool_name == tool
    if status is not None:
        yield tool_traces.c.status == str(status)
    if pinned is not None:
        yield tool_traces.c.pinned.is_(pinned)
    for word in encodable(only.get("q") or "").replace("\0", " ").split()[:MAX_WORDS]:
        yield _asks_for(word)
    if (tag := only.get("tag")) is not None:
        yield _has_tag(tag)


def tags_of(typed: Sequence[str]) -> list[str]:
    """Return the tags that ``typed`` means: in lower case, without spaces around, each once.

    Raises:
        UsageError: when there are too many, or one is too long or cannot be shown.
    """
    tags = list(dict.fromkeys(" ".join(tag.split()).lower() for tag in typed))
    if len(tags) > MAX_TAGS:
        raise UsageError(f"A run may have {MAX_TAGS} tags, not {len(tags)}.")
    for tag in tags:
        if not tag or len(tag) > MAX_TAG_CHARS or not tag.isprintable():
            raise UsageError(
                f"A tag has 1 to {MAX_TAG_CHARS} printable characters, unlike {quoted(tag)}."
            )
    return tags


def _asks_for(word: str) -> ColumnElement[bool]:
    """Return the condition that ``word`` is in the question, in either case."""
    question = tool_traces.c.input_params["question"].as_string()
    # Databases may know no case of letters beyond ASCII.
    spelled = sorted({word, word.lower(), word.upper(), word.capitalize()})
    return or_(*(question.icontains(each, autoescape=True) for each in spelled))


def _has_tag(typed: str) -> ColumnElement[bool]:
    try:
        (tag,) = tags_of([typed])
    except UsageError:
        return false()
    # As it is in the list: in quotes, and with its own quotes escaped.
    return cast(tool_traces.c.tags, Text).contains(json.dumps(tag), autoescape=True)
