"""What is whole in an object of JSON that was cut off."""

from __future__ import annotations

import json
import re
from typing import cast

from pydantic import JsonValue

_MARK = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],"]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_PARTS = (["}"], ["}", "]"])
"""What is open between the members of the object, and between the entries of its lists."""


def whole_part(text: str) -> dict[str, JsonValue]:
    """Return the fields of the object in ``text`` that are whole, and of the last what is.

    Of a list that is all its whole entries, of a text nothing: who reads a part of an answer takes
    it for all of it. There are none where no object begins.
    """
    start = text.find("{")
    if start < 0:
        return {}
    end, closers = _last_whole(text, start)
    try:
        said = json.loads(f"{text[start:end]}{closers}", strict=False)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, JsonValue]", said)


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
