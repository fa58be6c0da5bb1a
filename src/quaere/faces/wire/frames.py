"""Server-sent events: what every form is made of, and how one is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from quaere.domain.events import Event

Data = Mapping[str, JsonValue]

PING = b": ping\n\n"
"""A comment, which no client sees; it keeps connections open on which nothing happens."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event."""

    data: Data | str
    """An object, or a line as it is."""
    event: str = ""
    id: int | None = None
    """Where to go on from when the connection breaks; None where a client must not go on from it:
    it would miss the rest of what the same event of the log has brought."""


DONE = Frame("[DONE]")
"""Ends the streams of OpenAI's chat completions and of the AI SDK."""


class Form(Protocol):
    """One stream in one form: takes the events of a run in order, from the first."""

    def frames(self, event: Event) -> Iterable[Frame]:
        """Return what ``event`` adds to the stream."""
        ...


def sse(frame: Frame) -> bytes:
    """Return ``frame`` as it goes over the connection (WHATWG HTML, server-sent events)."""
    data = frame.data if isinstance(frame.data, str) else json.dumps(frame.data, ensure_ascii=False)
    lines = [f"id: {frame.id}"] if frame.id is not None else []
    lines += [f"event: {frame.event}"] if frame.event else []
    # A line break inside would end the field; what splitlines() takes for one beyond that does not.
    lines += [
        f"data: {line}" for line in data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")
