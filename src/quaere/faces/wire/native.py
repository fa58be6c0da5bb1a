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


def stream_end(reason: str, last_seq: int) -> Frame:
    """Return that the stream ends here, though the log may go on after ``last_seq``."""
    return _control("stream_end", reason=reason, last_seq=last_seq)


def _control(event: str, **data: JsonValue) -> Frame:
    # Without an id: the client's place in the log must not move without an event of the log.
    return Frame(data, event=event)
