"""The log itself as a stream: every event as it is, under its number."""

from __future__ import annotations

from pydantic import JsonValue

from quaere.domain.events import RunEvent
from quaere.faces.wire.frames import Frame


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
