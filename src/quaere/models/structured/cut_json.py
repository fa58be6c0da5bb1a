"""What is whole in an object of JSON that was cut off."""

from __future__ import annotations

import json
import re
from typing import cast

from pydantic import JsonValue

from quaere.text.sentences import sentences

_MARK = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],"]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_PARTS = (["}"], ["}", "]"])
"""What is open between the members of the object, and between the entries of its lists."""
_OPEN_STRING = re.compile(
    r'\s*,?\s*"(?P<key>\w{1,60})"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*+)', re.DOTALL
)
_ENDED = re.compile(r"[.!?。！？…][\"”’')\]]*$|\]$")


def whole_part(text: str) -> dict[str, JsonValue]:
    """Return the fields of the object in ``text`` that are whole, and of the last what is.

    Of a list that is all its whole entries, of a text all its whole sentences. There are none where
    no object begins.
    """
    start = text.find("{")
    if start < 0:
        return {}
    end, closers = _last_whole(text, start)
    try:
        said = json.loads(f"{text[start:end]}{closers}", strict=False)
    except ValueError:
        return {}
    fields = cast("dict[str, JsonValue]", said)
    return {**fields, **(_begun(text, end) if closers == "}" else {})}


def _last_whole(text: str, start: int) -> tuple[int, str]:
    """Return where what is whole ends, and the brackets that close it.

    Only the members of the object and the entries of its lists are parts of their own: an entry
    that lacks its end may lack what it is about.
    """
    stack: list[str] = []
    end, closers = start + 1, "}"
    for mark in _MARK.finditer(text, start):
        sign = mark[0]
        if sign == '"':
            break  # of a string without an end
        _follow(stack, sign)
        if not stack:
            return mark.end(), ""
        if sign[0] != '"' and stack in _PARTS:
            end = mark.start() if sign == "," else mark.end()
            closers = "".join(reversed(stack))
    return end, closers


def _follow(stack: list[str], sign: str) -> None:
    """Open or close in ``stack``, of the brackets that are still to come, what ``sign`` does."""
    if sign in _CLOSING:
        stack.append(_CLOSING[sign])
    elif stack and sign == stack[-1]:
        stack.pop()


def _begun(text: str, at: int) -> dict[str, JsonValue]:
    """Return the text that is the last member of the object, as far as its sentences are whole."""
    member = _OPEN_STRING.match(text, at)
    if member is None or text.startswith('"', member.end()):
        return {}
    try:
        said = cast("str", json.loads(f'"{member["text"]}"', strict=False))
    except ValueError:
        return {}
    spans = sentences(said)
    if spans and not _ENDED.search(said.rstrip()):
        said = said[: spans[-1].start].rstrip()
    return {member["key"]: said} if said else {}
