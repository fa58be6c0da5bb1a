"""The UI message stream, version 1, of the AI SDK: one assistant message in parts."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from pydantic import JsonValue

from quaere.domain.events import (
    Evaluated,
    Event,
    PlanMade,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
    WarningRaised,
)
from quaere.domain.report import Citation, Report
from quaere.faces.wire.openai import CANCELLED, usage_body
from quaere.faces.wire.parts import (
    DONE,
    Answer,
    Frame,
    activity_body,
    checklist_body,
    cited_body,
    outcome_body,
    progress_line,
    source_links,
    total_usage,
    weaknesses,
)

HEADERS = MappingProxyType({"x-vercel-ai-ui-message-stream": "v1"})
"""Of every answer in this form: clients look for them."""

_REASONING, _ANSWER = "progress", "answer"


class UiMessageStream:
    """One run as the message that ``useChat`` builds."""

    def __init__(self) -> None:
        self._answer = Answer()
        self._open = ""
        """The part that is being written: reasoning or text."""

    def frames(self, event: Event) -> Iterator[Frame]:
        """Yield the chunks that ``event`` adds."""
        if isinstance(event, RunStarted):
            yield _chunk("start", messageId=event.run_id, messageMetadata={"runId": event.run_id})
            yield _chunk("start-step")
        if line := progress_line(event):
            yield from self._write(_REASONING, f"{line}\n")
        claims = len(self._answer.claims)
        if text := self._answer.take(event):
            yield from self._write(_ANSWER, text)
        if len(self._answer.claims) > claims:
            body = self._answer.claims[-1].body
            yield _chunk("data-verdict", id=f"verdict-{event.seq}", data=body)
        yield from _data(event)
        match event:
            case RunFinished():
                yield from self._finished(event.report)
            case RunFailed():
                yield from self._failed(event)
            case _:
                return

    def _write(self, part: str, delta: str) -> Iterator[Frame]:
        """Yield ``delta`` as more of ``part``, of which there is one of each kind at a time."""
        kind = "reasoning" if part == _REASONING else "text"
        if self._open != part:
            if part == _REASONING and self._open:
                return  # the answer has begun
            yield from self._closed()
            self._open = part
            yield _chunk(f"{kind}-start", id=part)
        yield _chunk(f"{kind}-delta", id=part, delta=delta)

    def _closed(self) -> Iterator[Frame]:
        if self._open:
            yield _chunk("reasoning-end" if self._open == _REASONING else "text-end", id=self._open)
            self._open = ""

    def _finished(self, report: Report) -> Iterator[Frame]:
        for place, weakness in enumerate(weaknesses(report), start=1):
            told = weakness.model_dump(mode="json")
            yield _chunk("data-warning", id=f"warning-end-{place}", data=told)
        yield from self._closed()
        for each, href in zip(report.citations, source_links(report.citations), strict=True):
            yield _source(each, href)
            yield _chunk(
                "data-citation", id=f"citation-{each.id}", data=cited_body(each, href, report)
            )
        yield _chunk("finish-step")
        usage = usage_body(total_usage(report.calls))
        yield _chunk("finish", messageMetadata={**outcome_body(report), "usage": usage})
        yield DONE

    def _failed(self, event: RunFailed) -> Iterator[Frame]:
        yield from self._closed()
        if event.error_type == CANCELLED:
            yield _chunk("abort")
        else:
            yield _chunk("error", errorText=event.message)
        yield DONE


def _chunk(kind: str, **fields: JsonValue) -> Frame:
    return Frame({"type": kind, **fields})


def _source(citation: Citation, href: str) -> Frame:
    """Return ``citation`` as a source; one without a web address is a document."""
    name = str(citation.id)
    if href.startswith(("http://", "https://")):
        return _chunk("source-url", sourceId=name, url=href, title=citation.title)
    return _chunk(
        "source-document",
        sourceId=name,
        mediaType="text/plain",
        title=citation.title,
        filename=citation.location,
    )


def _data(event: Event) -> Iterator[Frame]:
    """Yield what the run does and knows; a later part of the same id takes the place of one."""
    match event:
        case PlanMade() | Evaluated() if not event.topic:
            items = checklist_body(event.checklist)
            yield _chunk("data-checklist", id="checklist", data={"items": items})
        case SearchFinished() | SourceRead():
            kind = "search" if isinstance(event, SearchFinished) else "page"
            yield _chunk(f"data-{kind}", id=f"{kind}-{event.seq}", data=activity_body(event))
        case WarningRaised():
            told = event.warning.model_dump(mode="json")
            yield _chunk("data-warning", id=f"warning-{event.seq}", data=told)
        case _:
            return
