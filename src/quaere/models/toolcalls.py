"""Answers in the wrong place: as arguments of a tool, although no tool was offered.

Some models, and some servers between them and us, make a tool of the schema that an answer is to
keep to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from quaere.models.client import Reply

Fields = Mapping[str, object]


class ToolCalls:
    """What a model wrote for tools, put together as it comes in, whole or in pieces."""

    def __init__(self) -> None:
        self._names: dict[object, str] = {}
        self._arguments: dict[object, str] = {}

    def add(self, reply: Reply) -> None:
        """Take the next piece."""
        for place, name, arguments in _calls(reply):
            self._names[place] = self._names.get(place, "") + name
            self._arguments[place] = self._arguments.get(place, "") + arguments

    def arguments_for(self, name: str) -> str:
        """Return the arguments of the one call, if there is one and its tool has that name."""
        if [_bare(each) for each in self._names.values()] != [_bare(name)]:
            return ""
        (arguments,) = self._arguments.values()
        return arguments


def _calls(reply: Reply) -> Iterator[tuple[object, str, str]]:
    """Yield place, name and arguments, or pieces of them, of the calls in ``reply``."""
    pieces = _listed(reply, "tool_call_chunks")
    for piece in pieces:
        yield piece.get("index"), _text(piece.get("name")), _text(piece.get("args"))
    if pieces:
        return
    whole = [*_listed(reply, "tool_calls"), *_listed(reply, "invalid_tool_calls")]
    for place, call in enumerate(whole):
        yield place, _text(call.get("name")), _text(call.get("args"))


def _listed(reply: Reply, name: str) -> Sequence[Fields]:
    """Return a list of ``reply``, which only some kinds of reply have."""
    return cast("Sequence[Fields]", getattr(reply, name, ()))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
