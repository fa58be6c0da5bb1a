"""Server-sent events: what forms are made of, how one is written, and the log itself as events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from quaere.domain.events import Event, RunEvent

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


def event_frame(event: RunEvent) -> Frame:
    """Return ``event`` as one frame, whose id is its ``seq``."""
    return Frame(event.model_dump_json(), event=event.type, id=event.seq)


def queued(position: int) -> Frame:
    """Return that the run waits, with ``position`` runs to be begun before it is."""
    return _control("queued", position=position)


def ended(status: str, last_seq: int) -> Frame:
    """Return that the run is over, and nothing comes after ``last_seq``."""
    return _control("end", status=status, last_seq=last_seq)


def failed(kind: str, message: str, retryable: bool) -> Frame:
    """Return that the log can no longer be read here."""
    return _control("error", type=kind, message=message, retryable=retryable)


def _control(event: str, **data: JsonValue) -> Frame:
    # Without an id: the client's place in the log must not move without an event of the log.
    return Frame(data, event=event)
