"""Tells a value from a piece of one: what is left of broken JSON must not pass for an answer."""

from __future__ import annotations

import re

from pydantic import JsonValue

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
    """Return whether the bracket at ``at`` begins JSON, however broken, and is none in prose."""
    return bool(_MEANT.match(text, at + 1))


def is_piece(text: str, start: int, end: int, value: JsonValue, *, after_broken: bool) -> bool:
    """Return whether JSON begins before, or goes on after, what was read as ``value``.

    Args:
        text: All of it.
        start: Where the value begins.
        end: Where it ends.
        value: What was read.
        after_broken: Whether something broken stands further up, which it may belong to.
    """
    before = text[max(0, start - 220) : start]
    if _BEFORE.search(before) or _AFTER.match(text, end):
        return True
    if after_broken and _GOES_ON.match(text, end):
        return True
    if _SURPLUS.match(text, end):
        # A bracket too many may be the right one of an inner object that was closed too early.
        return _has_object_in_object(value)
    quoted = _QUOTED.search(before) and text.startswith('"', end)
    return bool(quoted) and not _QUOTE.search(text, start, end)


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
