"""Progress as plain lines, for logs and pipes."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from quaere.domain.events import (
    Evaluated,
    Event,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    Phase,
    PhaseStarted,
    PlanMade,
    SearchFinished,
    SourceRead,
    Verified,
    WarningRaised,
)
from quaere.domain.question import ItemStatus
from quaere.view.reduce import Progress

INDEXING_EVERY_S = 2.0
"""How often a folder that is being indexed is told of."""


class Lines:
    """Writes a line for each event worth one, with the seconds since the start."""

    def __init__(self, title: str, write: Callable[[str], None]) -> None:
        self._write = write
        self._started = self._indexing_told = monotonic()
        self._counts_told = (-1, -1)
        self._say(title)

    def show(self, event: Event, progress: Progress) -> None:
        """Tell of ``event``, and of what topic; things stand at ``progress`` after it."""
        del progress
        if isinstance(event, IndexProgress) and not self._due(event):
            return
        if line := describe(event):
            self._say(f"{line} · {event.topic}" if event.topic else line)

    def end(self) -> None:
        """Do nothing: lines stay."""

    def _due(self, event: IndexProgress) -> bool:
        now, counts = monotonic(), (event.done, event.passages)
        finished = event.done >= event.total and counts != self._counts_told
        if not finished and now - self._indexing_told < INDEXING_EVERY_S:
            return False
        self._indexing_told, self._counts_told = now, counts
        return True

    def _say(self, line: str) -> None:
        self._write(f"[{monotonic() - self._started:5.1f} s] {line}")


def describe(event: Event) -> str:
    """Return ``event`` in one line; empty for an event that another one tells of better."""
    match event:
        case IndexProgress():
            return f"indexing: {event.done:,} of {event.total:,} files, {event.passages:,} passages"
        case PhaseStarted():
            return _phase(event)
        case SearchFinished():
            return f"  query ({event.intent}): {event.query}: {_outcome(event)}"
        case SourceRead():
            return ": ".join(filter(None, (f"  {event.status}", _name(event), event.reason)))
        case PlanMade():
            items = len(event.checklist.items)
            return f"  checklist of {items}, queries to ask: {len(event.queries)}"
        case InquiryRaised() | InquiryAnswered():
            return _inquiry(event)
        case Evaluated():
            return f"  {_verdict(event)}"
        case Verified():
            checks = event.checks
            held = checks.supported + checks.repaired
            return f"  {held} of {checks.written} sentences supported"
        case WarningRaised():
            return f"warning: {event.warning.subject}: {event.warning.message}"
        case _:
            return ""


def _inquiry(event: InquiryRaised | InquiryAnswered) -> str:
    if isinstance(event, InquiryAnswered):
        return "  answered"
    return f"  waiting for an answer ({event.inquiry.kind}): {event.inquiry.text}"


def _phase(event: PhaseStarted) -> str:
    if event.phase in {Phase.SEARCHING, Phase.ITERATING}:
        return f"{event.phase}, loop {event.loop} of {event.max_loops}"
    return event.phase


def _outcome(event: SearchFinished) -> str:
    return event.error or f"{event.hits} found, {event.fresh} new"


def _name(event: SourceRead) -> str:
    return event.title or event.url


def _verdict(event: Evaluated) -> str:
    done = len(event.checklist.with_status(ItemStatus.SATISFIED))
    then = f"stopping: {event.stop_reason}" if event.stop_reason else "going on"
    return f"{done} of {len(event.checklist.items)} items answered, {then}"
