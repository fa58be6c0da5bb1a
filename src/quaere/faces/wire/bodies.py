"""Parts of a run as JSON objects and lines of progress, as several forms have them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from pydantic import JsonValue

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
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist
from quaere.domain.report import Citation, Report
from quaere.faces.wire.cited import verdict_on
from quaere.synthesize.inert import plain
from quaere.view.describe import describe

Body = dict[str, JsonValue]

_OF_SEARCH = {"query", "provider", "hits", "fresh", "seconds", "error", "topic"}
_OF_PAGE = {"url", "title", "status", "passages", "seconds", "reason", "topic"}

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


def checklist_body(checklist: Checklist) -> list[JsonValue]:
    """Return the items of ``checklist``."""
    return [
        {"id": item.id, "description": item.description, "status": str(item.status)}
        for item in checklist.items
    ]


def activity_body(event: SearchFinished | SourceRead) -> Body:
    """Return what a search or the reading of a page came to."""
    fields = _OF_SEARCH if isinstance(event, SearchFinished) else _OF_PAGE
    return event.model_dump(mode="json", include=fields)


def cited_body(citation: Citation, href: str, report: Report) -> dict[str, JsonValue]:
    """Return ``citation`` as clients get it: its source, the words that it rests on, a verdict."""
    return {
        "id": citation.id,
        "title": citation.title,
        "url": citation.url,
        "link": href,
        "type": citation.type,
        "location": citation.location,
        "locator": citation.locator,
        "quote": citation.quote.text,
        "verdict": str(verdict_on(citation, report.sentences)),
        "retrieved_at": citation.retrieved_at or None,
    }


def outcome_body(report: Report) -> dict[str, JsonValue]:
    """Return how the run of ``report`` ended, in a few fields."""
    return {
        "run_id": report.run_id,
        "status": str(report.status),
        "stop_reason": str(report.stop_reason),
        "confidence": report.confidence,
        "nearest": [place.model_dump(mode="json") for place in report.nearest],
    }


def total_usage(calls: Iterable[ModelCall]) -> Usage:
    """Return the tokens of ``calls`` together."""
    return reduce(_sum, (call.usage for call in calls), Usage())


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        reasoning_tokens=one.reasoning_tokens + other.reasoning_tokens,
        estimated=one.estimated or other.estimated,
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
