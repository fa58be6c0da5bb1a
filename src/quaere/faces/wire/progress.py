"""The progress of a run, one line for an event."""

from __future__ import annotations

from quaere.domain.events import (
    Evaluated,
    Event,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    PhaseStarted,
    PlanMade,
    SearchFinished,
    SourceRead,
    Verified,
    WarningRaised,
)
from quaere.synthesize.inert import plain
from quaere.view.describe import describe

_TOLD = (
    PhaseStarted,
    IndexProgress,
    PlanMade,
    SearchFinished,
    SourceRead,
    Evaluated,
    Verified,
    InquiryRaised,
    InquiryAnswered,
    WarningRaised,
)


def progress_line(event: Event) -> str:
    """Return what there is to tell of ``event``, inert; empty where that is nothing.

    The answer and the end of the run have no line. Clients render the lines as Markdown: a title
    can neither become a link nor load a picture.
    """
    if not isinstance(event, _TOLD):
        return ""
    line = plain(describe(event))
    topic = plain(event.topic)
    return f"{topic}: {line}" if topic else line[:1].upper() + line[1:]
