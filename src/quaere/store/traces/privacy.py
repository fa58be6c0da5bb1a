"""What of a run is kept at all.

Questions and page text can be left out; what looks like a key in what a person typed or a service
answered is never kept, nor any secret that is configured. Which texts are which stands on the
fields of requests, of events and of all that they hold, as `quaere.domain.value.Sensitivity`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from operator import is_
from pathlib import PurePath
from types import NoneType
from typing import Annotated, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import JsonValue

from quaere.domain.events import Event, RunEvent
from quaere.domain.evidence import Evidence
from quaere.domain.report import RunWarning
from quaere.domain.request import RunSpec
from quaere.domain.source import Passage
from quaere.domain.trace import Source
from quaere.domain.value import Sensitivity, Value
from quaere.text.sanitize import find_keys, find_marked_keys, without, without_secrets

WITHHELD = "(not kept)"
"""Replaces what was asked."""
KEY_LEFT_OUT = "(key left out)"
"""Replaces a key."""
WORDLESS = "***"
"""Replaces a key in what is searched for: words would be searched for as well."""

V = TypeVar("V", bound=Value)

_TYPED = frozenset({Sensitivity.QUESTION, Sensitivity.MESSAGE})
"""Where a key may stand that somebody typed or a service repeats. Words of pages and names of
passages are left alone: hashes look like keys."""


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
    redact: Callable[[str], str] = _unchanged
    """Takes the secrets that are configured out of a text."""

    @property
    def whole(self) -> bool:
        """Whether nothing is left out but keys."""
        return self.pages and self.questions

    def params(self, spec: RunSpec) -> Mapping[str, JsonValue]:
        """Return what ``spec`` asks for as it may be kept: what differs from the defaults."""
        return spec.model_copy(update={"request": self.kept(spec.request)}).asking

    def without_keys(self, typed: V) -> V:
        """Return a request, or a reply to an inquiry, without what has the form of a key.

        No service has any use for a key that somebody typed into a question. What has to keep its
        letters, such as an address to read, does.
        """
        return _Discreet(redact=self.redact).kept(typed)

    def message(self, text: str) -> str:
        """Return an error message as it may be kept."""
        return without_secrets(self.redact(text), KEY_LEFT_OUT)

    def kept(self, value: V) -> V:
        """Return ``value`` as it may be kept; the same object where nothing has to go."""
        changes: dict[str, object] = {}
        for name, sensitivity in _texts_of(type(value)):
            old = cast("object", getattr(value, name))
            if old and (new := self._inside(old, _settled(sensitivity, value))) is not old:
                changes[name] = new
        return value.model_copy(update=changes) if changes else value

    def _inside(self, value: object, sensitivity: Sensitivity | None) -> object:
        """Return ``value`` as it may be kept; the same object where nothing has to go."""
        if isinstance(value, str):
            return value if isinstance(value, Enum) else self._text(value, sensitivity)
        if isinstance(value, Value):
            return self.kept(value)
        if isinstance(value, tuple | list):
            return self._each(cast("list[object] | tuple[object, ...]", value), sensitivity)
        if isinstance(value, Mapping):
            return self._named(cast("Mapping[str, object]", value), sensitivity)
        if isinstance(value, PurePath):
            kept = self._text(str(value), sensitivity)
            return value if kept == str(value) else type(value)(kept)
        return value

    def _named(
        self, values: Mapping[str, object], sensitivity: Sensitivity | None
    ) -> Mapping[str, object]:
        kept = {name: self._inside(each, sensitivity) for name, each in values.items()}
        return kept if kept != values else values

    def _each(
        self, values: list[object] | tuple[object, ...], sensitivity: Sensitivity | None
    ) -> list[object] | tuple[object, ...]:
        kept = [self._inside(each, sensitivity) for each in values]
        if all(map(is_, kept, values)):
            return values
        return kept if isinstance(values, list) else tuple(kept)

    def _text(self, value: str, sensitivity: Sensitivity | None) -> str:
        if not self.questions and sensitivity is Sensitivity.QUESTION:
            return WITHHELD
        if not self.pages and sensitivity is Sensitivity.PAGE_TEXT:
            return ""
        value = self.redact(value)
        if sensitivity is Sensitivity.FILE:
            return without(find_marked_keys(value), value, KEY_LEFT_OUT)
        return without_secrets(value, KEY_LEFT_OUT) if sensitivity in _TYPED else value


class _Discreet(Privacy):
    """Takes keys out of what was typed, and changes nothing else."""

    def _text(self, value: str, sensitivity: Sensitivity | None) -> str:
        if sensitivity is not Sensitivity.QUESTION:
            return value
        value = self.redact(value)
        return without(find_keys(value), value, WORDLESS)


def _settled(sensitivity: Sensitivity | None, value: Value) -> Sensitivity | None:
    """Return ``sensitivity``, where it depends on ``value`` what it comes to."""
    if sensitivity is not Sensitivity.SUBJECT:
        return sensitivity
    if not isinstance(value, RunWarning):
        return Sensitivity.MESSAGE
    if value.concerns_query:
        return Sensitivity.QUESTION
    return Sensitivity.FILE if value.concerns_file else Sensitivity.MESSAGE


@cache
def _texts_of(kind: type[Value]) -> Sequence[tuple[str, Sensitivity | None]]:
    """Return the fields of ``kind`` that may hold text, each with its annotation.

    It may stand on the field or on what that holds.
    """
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        (name, next(_marks(hints[name]), None))
        for name in kind.model_fields
        if _may_hold_text(hints[name])
    )


def _marks(hint: object) -> Iterator[Sensitivity]:
    if isinstance(hint, Sensitivity):
        yield hint
    for inner in get_args(hint):
        yield from _marks(inner)


_WORDLESS = (int, float, Decimal, date, timedelta, Enum, NoneType)
"""Kinds of value without a word in them that somebody wrote."""


def _may_hold_text(hint: object) -> bool:
    if isinstance(hint, type) and get_origin(hint) is None:
        return not issubclass(hint, _WORDLESS)
    if get_origin(hint) is Annotated:
        return _may_hold_text(get_args(hint)[0])
    if get_origin(hint) is Literal:
        return False
    return any(map(_may_hold_text, get_args(hint))) or not get_args(hint)


FindPassage = Callable[[str], Passage]
"""Returns the passage of an id; raises KeyError where there is none."""


class Kept(Value):
    """One event as it is kept, and the sources that came with it."""

    event: RunEvent
    sources: tuple[Source, ...] = ()


class TraceRedactor:
    """Redacts the events of one run."""

    def __init__(self, privacy: Privacy, find: FindPassage) -> None:
        """Keep what ``privacy`` allows; ``find`` has the passages of the run."""
        self._privacy = privacy
        self._find = find
        self._seen: set[str] = set()

    def take(self, event: Event) -> Kept:
        """Return ``event`` as it is kept, with the sources that were not in an earlier one."""
        kept = self._privacy.kept(event)
        sources = [self._source(each, event.topic) for each in self._fresh(event.evidence_told)]
        return Kept.model_construct(event=kept, sources=tuple(sources))

    def _fresh(self, selected: Iterable[Evidence]) -> list[Evidence]:
        fresh: dict[str, Evidence] = {}
        for evidence in selected:
            if evidence.passage not in self._seen:
                fresh.setdefault(evidence.passage, evidence)
        self._seen |= fresh.keys()
        return list(fresh.values())

    def _source(self, evidence: Evidence, topic: str) -> Source:
        try:
            passage = self._find(evidence.passage)
        except KeyError:
            return self._privacy.kept(Source(evidence=evidence, topic=topic))
        return self._privacy.kept(
            Source(
                evidence=evidence,
                topic=topic,
                start=passage.start,
                end=passage.end,
                content_hash=passage.content_hash,
                retrieved_at=passage.retrieved_at,
                published=passage.published,
                provided=passage.provided,
                text=passage.text,
            )
        )
