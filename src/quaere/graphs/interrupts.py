"""Interrupts a graph with an inquiry, until whoever resumes it says something that is a reply."""

from __future__ import annotations

from langgraph.types import interrupt
from pydantic import TypeAdapter, ValidationError

from quaere.domain.team import Inquiry, Reply

REPLIES = "A reply is text, or an object with `text`, or with `topics` as a list of texts."

_REPLY: TypeAdapter[str | Reply] = TypeAdapter(str | Reply)


def put(inquiry: Inquiry) -> Reply:
    """Return what is replied to ``inquiry``.

    What is no reply is answered with the same inquiry again, and why it is put again as ``fault``.
    A graph that is resumed does its node once more from the start, so nothing that costs anything
    belongs before this.
    """
    shown = inquiry.model_dump(mode="json")
    while True:
        said: object = interrupt(shown)
        try:
            reply = _REPLY.validate_python(said)
        except ValidationError:
            shown = {**shown, "fault": f"{type(said).__name__} is no reply. {REPLIES}"}
        else:
            return Reply(text=reply) if isinstance(reply, str) else reply
