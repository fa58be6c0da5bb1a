"""Finds the JSON values in a model's answer, whatever text surrounds them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import cast

from pydantic import JsonValue

from quaere.domain.model import Finish
from quaere.models.structured.lenient_json import (
    Flaw,
    LenientParser,
    Unreadable,
    broken,
    canonical,
    near,
)
from quaere.text.thoughts import ENDING, OPENING

MAX_CHARS = 200_000
"""Some 50,000 tokens, three times what is ever asked for; read in half a second at worst."""

_MARK = re.compile(
    rf"(?P<open>{OPENING})"
    rf"|(?P<close>{ENDING}|<\|channel\|>final\b[^{{\[]{{0,80}})"
    r"|(?P<value>\{(?!\{)|\[)",
    re.IGNORECASE,
)
"""What the search for values stops at. The channels are those of OpenAI's open models."""
_REASONING_END = re.compile(ENDING)

_ENCODED: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (re.compile(r'[{\[](?:\s|\\[nrt])*+\\"'), lambda text: json.loads(f'"{text}"', strict=False)),
    (re.compile(r"[{\[]\s*+&(?:quot|#34|#x22);"), html.unescape),
)
"""How whole objects are encoded once more: as a JSON string, or for a web page."""

_DECLINES = re.compile(
    r"\b(?:I|we)(?:'m|’m| am| are)? (?:sorry|unable|not able|can(?:no|'|’)?t|can not|won['’]t|"
    r"will not|must decline|(?:have to|must) refuse)",
    re.IGNORECASE,
)
OPENING_CHARS = 400
"""In which a model says that it declines; what is told later is of something else."""


def read(text: str, finish: Finish = Finish.STOP) -> list[JsonValue]:
    """Return the different objects and lists in ``text``, in order: at least one.

    What ends as a refusal is read where it is a whole object: filters speak up at the end, too.
    Reasoning blocks are passed over, and so is the text around a value. What cannot be read
    without guessing is never read; after it, only what follows counts.

    Raises:
        Unreadable: when there is none, or the last one is broken or cut.
    """
    if finish is Finish.REFUSAL and not _is_whole(text):
        raise Unreadable(Flaw.DECLINED, "The model, or a filter of its vendor, declined to answer.")
    text = text.strip()
    if not text:
        raise Unreadable(Flaw.EMPTY, "The answer is empty.")
    if len(text) > MAX_CHARS:
        raise Unreadable(Flaw.TOO_LARGE, f"The answer is longer than {MAX_CHARS:,} characters.")
    if values := _Search(text, whole=finish is Finish.STOP).values():
        return list({canonical(value): value for value in values}.values())
    raise _without_json(text)


def _without_json(text: str) -> Unreadable:
    if _DECLINES.search(text[:OPENING_CHARS]):
        return Unreadable(Flaw.DECLINED, f"There is no JSON; the answer declines, {near(text, 0)}.")
    return Unreadable(Flaw.NO_JSON, f"There is no JSON in the answer, {near(text, 0)}.")


def _is_whole(text: str) -> bool:
    """Return whether ``text`` is one object with anything in it."""
    try:
        value = cast("JsonValue", json.loads(text, strict=False))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value)


class _Search:
    """One walk over a text, from mark to mark; nothing is looked at more than a few times."""

    def __init__(self, text: str, *, whole: bool) -> None:
        self._text = text
        self._whole = whole
        self._last = max(text.rfind("}"), text.rfind("]")) + 1
        self._values: list[JsonValue] = []
        self._complaint: Unreadable | None = None
        self._broken = False

    def values(self) -> list[JsonValue]:
        """Return what stands outside of reasoning.

        Raises:
            Unreadable: when something meant to be JSON is broken, and no value comes after it.
        """
        at = 0
        while mark := _MARK.search(self._text, at):
            if mark["open"]:
                end = _REASONING_END.search(self._text, mark.end())
                if end is None:
                    break
                at = end.end()
            elif mark["close"]:
                # What ends here began before the text did: the model was prompted to reason.
                self._values, self._complaint, self._broken = [], None, False
                at = mark.end()
            else:
                at = self._value(mark.start())
        if self._complaint:
            raise self._complaint
        return self._values

    def _value(self, at: int) -> int:
        """Read the value at ``at`` if it is one; return where to go on."""
        encoded = self._encoded(at)
        if encoded:
            return encoded
        parser = LenientParser(self._text, at, whole=self._whole)
        try:
            value = parser.read()
        except Unreadable as complaint:
            if complaint.flaw is not Flaw.BROKEN:
                self._complain(complaint)
                return len(self._text)
            if not parser.progressed and not was_meant(self._text, at):
                return max(complaint.at, at + 1)  # a bracket in prose
            self._complain(complaint)
            return beyond(self._text, at)
        if is_piece(self._text, at, parser.at, value, after_broken=self._broken):
            self._complain(broken(self._text, at, "this is only a piece of an object"))
        else:
            self._accept(value)
        return parser.at

    def _encoded(self, at: int) -> int:
        """Read a value that is encoded as a whole; return where to go on, 0 when there is none."""
        for pattern, decode in _ENCODED:
            if pattern.match(self._text, at):
                end = max(at + 1, self._last)
                try:
                    self._accept(_sole_value(decode(self._text[at:end])))
                except (ValueError, Unreadable):
                    self._complain(broken(self._text, at, "its quotes are escaped"))
                return end
        return 0

    def _accept(self, value: JsonValue) -> None:
        self._values.append(value)
        self._complaint = None

    def _complain(self, complaint: Unreadable) -> None:
        """What is broken counts for more than what came before it: it may have corrected that."""
        self._values, self._complaint, self._broken = [], complaint, True


def visible(text: str) -> str:
    """Return ``text`` after its last reasoning block."""
    ends = [end.end() for end in _REASONING_END.finditer(text)]
    return text[max(ends, default=0) :].strip()


def _sole_value(text: str) -> JsonValue:
    """Return the value that ``text`` is, from its first character to its last."""
    parser = LenientParser(text, 0, whole=False)
    value = parser.read()
    if parser.at != len(text):
        raise broken(text, parser.at, "it goes on after its end")
    return value


_MEANT = re.compile(r"\s*+[\"']|[^{}\[\]]{0,200}?[\"']\s{0,99}:")
_BEFORE = re.compile(r"[\"']\s{0,99}[:,]\s{0,99}\Z")
_AFTER = re.compile(
    r"\s{0,99},\s{0,99}[\"']"
    r"|[^\n{\[]{0,200}?\"\s{0,99}:"
    r"|[\s,}\]]{0,99}[\"'][^\"'\n]{1,80}[\"']\s{0,99}:"
)
_GOES_ON = re.compile(r"\s{0,99}[,}\]]")
_SURPLUS = re.compile(r"\s{0,99}[}\]]")
_QUOTED = re.compile(r'(?<!")"\Z')
_QUOTE = re.compile("[\"']")
_EXTENT = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|(?P<open>[{\[])|(?P<close>[}\]])|(?P<fence>\n```)')


def was_meant(text: str, at: int) -> bool:
    """Return whether the bracket at ``at`` begins JSON, however broken, rather than prose."""
    return bool(_MEANT.match(text, at + 1))


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Tell whether the value is inside a string and holds no quote itself."""
    if not text.startswith('"', end) or not _QUOTED.search(_ahead(text, start)):
        return False
    return _QUOTE.search(text, start, end) is None


def _ahead(text: str, start: int) -> str:
    return text[max(0, start - 220) : start]


def is_piece(text: str, start: int, end: int, value: JsonValue, *, after_broken: bool) -> bool:
    """Return whether JSON begins before, or goes on after, what was read as ``value``.

    Args:
        text: All of it.
        start: Where the value begins.
        end: Where it ends.
        value: What was read.
        after_broken: Whether something broken stands further up, which it may belong to.
    """
    if _BEFORE.search(_ahead(text, start)) or _AFTER.match(text, end):
        return True
    if after_broken and _GOES_ON.match(text, end):
        return True
    if _SURPLUS.match(text, end):
        # A bracket too many may be the right one of an inner object that was closed too early.
        return _has_object_in_object(value)
    return _is_quoted(text, start, end)


def beyond(text: str, at: int) -> int:
    """Return where the broken value at ``at`` ends, as far as its brackets tell."""
    depth = 0
    for found in _EXTENT.finditer(text, at):
        if found["fence"]:
            return found.start()
        depth += bool(found["open"]) - bool(found["close"])
        if depth == 0 and found["close"]:
            return found.end()
    return len(text)


def _has_object_in_object(value: JsonValue) -> bool:
    if isinstance(value, dict):
        inner = list(value.values())
        return any(isinstance(member, dict) or _has_object_in_object(member) for member in inner)
    return isinstance(value, list) and any(map(_has_object_in_object, value))
