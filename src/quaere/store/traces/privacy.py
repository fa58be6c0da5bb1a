"""What of a run is kept at all.

Questions and page text can be left out; what looks like a key in what a person typed or a service
answered is never kept, nor any secret that is configured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue, TypeAdapter

from quaere.domain.events import RUN_EVENT, Event
from quaere.domain.trace import Source
from quaere.text.sanitize import find_secrets

WITHHELD = "(not kept)"
"""Stands in place of what was asked."""
BLOT = "(key left out)"
"""Stands in place of a key."""

_ASKED = frozenset(
    {"context", "description", "gaps", "next_queries", "question", "queries", "query", "reason"}
    | {"refined_question", "terms", "topic", "dispatched_topics", "skipped_topics"}
)
"""Fields that repeat what was asked or say it in other words."""
_OF_QUERIES = frozenset({"text", "purpose", "focus", "faint", "titles"})
_QUOTED = "quoted text"
_WARNED_OF_QUERIES = ("search", "reason", "research")
"""Kinds of warnings whose subject is a query."""
_TYPED = _ASKED | {"message", "error", "subject", "note"}
"""Fields in which a key may stand that somebody typed or a service repeats. Those that quote pages
or name passages are left alone: hashes look like keys."""
_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """What may be kept."""

    pages: bool = True
    """Whether the text of passages is kept, and with it what citations quote; the places of the
    quotes and the answer always are."""
    questions: bool = True
    """Whether what was asked is kept: the question, its context, its parts and the queries."""
    blot: Callable[[str], str] = _unchanged
    """Takes the secrets that are configured out of a text."""

    @property
    def whole(self) -> bool:
        """Whether nothing is left out but keys."""
        return self.pages and self.questions

    def event(self, event: Event) -> Event:
        """Return ``event`` as it may be kept."""
        value = _JSON.validate_json(event.model_dump_json())
        seen = self._seen(value, "")
        return event if seen == value else cast("Event", RUN_EVENT.validate_python(seen))

    def source(self, source: Source) -> Source:
        """Return ``source`` as it may be kept."""
        changes: dict[str, str] = {}
        if not self.pages:
            changes["text"] = ""
        if not self.questions and source.topic:
            changes["topic"] = WITHHELD
        return source.model_copy(update=changes)

    def params(self, params: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the input of a tool as it may be kept."""
        return cast("dict[str, JsonValue]", self._seen(dict(params), ""))

    def message(self, text: str) -> str:
        """Return an error message as it may be kept."""
        return _without_keys(self.blot(text))

    def _seen(self, value: JsonValue, name: str) -> JsonValue:
        """Return ``value``, which stands in the field ``name``, as it may be kept."""
        if isinstance(value, dict):
            asked = value.get("kind") in _WARNED_OF_QUERIES
            return {key: self._seen(each, _field(name, key, asked)) for key, each in value.items()}
        if isinstance(value, list):
            return [self._seen(inner, name) for inner in value]
        return self._text(value, name) if isinstance(value, str) and value else value

    def _text(self, value: str, name: str) -> str:
        if not self.questions and name in _ASKED:
            return WITHHELD
        if not self.pages and name == _QUOTED:
            return ""
        value = self.blot(value)
        return _without_keys(value) if name in _TYPED else value


def _field(outer: str, name: str, asked: object) -> str:
    """Return the name that decides about the field ``name`` inside of the field ``outer``."""
    if outer in {"query", "queries"} and name in _OF_QUERIES:
        return "query"
    if outer in {"inquiry", "reply"} and name in {"text", "topics"}:
        return "query"
    if asked and name == "subject":
        return "query"
    if outer in {"quote", "quotes"} and name == "text":
        return _QUOTED
    return name


def _without_keys(text: str) -> str:
    for key in find_secrets(text):
        text = text.replace(key, BLOT)
    return text
