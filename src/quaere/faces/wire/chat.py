"""The stream of the chat API (R3.7): progress, the answer, its citations, usage and the end."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from quaere.domain.events import (
    Event,
    InquiryRaised,
    Phase,
    RunFailed,
    RunFinished,
    RunStarted,
    WarningRaised,
)
from quaere.domain.report import Report
from quaere.faces.wire.answer import Answer
from quaere.faces.wire.bodies import total_usage
from quaere.faces.wire.chat_events import (
    ChatPhase,
    StreamError,
    StreamEvent,
    StreamEventCitation,
    StreamEventDone,
    StreamEventError,
    StreamEventInquiry,
    StreamEventMetadata,
    StreamEventProgress,
    StreamEventToken,
    StreamEventUsage,
    StreamEventWarning,
)
from quaere.faces.wire.cited import source_links, verdict_on
from quaere.faces.wire.frames import Frame
from quaere.faces.wire.progress import progress_line

_PHASES: MappingProxyType[Phase, ChatPhase] = MappingProxyType(
    {
        Phase.INDEXING: "planning",
        Phase.PLANNING: "planning",
        Phase.SEARCHING: "searching",
        Phase.READING: "reading",
        Phase.EVALUATING: "evaluating",
        Phase.ITERATING: "iterating",
        Phase.SYNTHESIZING: "synthesizing",
        Phase.VERIFYING: "synthesizing",
        Phase.FINALIZING: "finalizing",
    }
)


class ChatStream:
    """One stream of the chat API. The id of its frames is the ``seq`` of the event of the log."""

    def __init__(self) -> None:
        self._answer = Answer()
        self._considered = self._read = 0

    def frames(self, event: Event) -> Iterator[Frame]:
        """Yield what ``event`` adds; the last frame of an event alone says where to go on."""
        self._considered = max(self._considered, event.sources_considered)
        self._read = max(self._read, event.sources_read)
        told = list(self._told(event))
        for place, each in enumerate(told, start=1):
            data = each.model_dump(mode="json", by_alias=True, exclude_none=True)
            yield Frame(data, event=each.type, id=event.seq if place == len(told) else None)

    def _told(self, event: Event) -> Iterator[StreamEvent]:
        if text := self._answer.take(event):
            yield StreamEventToken(text=text)
        match event:
            case RunStarted():
                yield StreamEventMetadata(run_id=event.run_id)
            case WarningRaised():
                yield StreamEventWarning(warning=event.warning)
            case RunFinished():
                yield from _ended(event.report)
            case RunFailed():
                error = StreamError(
                    type=event.error_type, message=event.message, retryable=event.retryable
                )
                yield StreamEventError(error=error)
            case _:
                yield from self._progress(event)

    def _progress(self, event: Event) -> Iterator[StreamEvent]:
        if line := progress_line(event):
            yield StreamEventProgress(
                phase=_PHASES[event.phase],
                message=line,
                loop=event.loop or None,
                max_loops=event.max_loops or None,
                sources_considered=self._considered,
                sources_read=self._read,
            )
        if isinstance(event, InquiryRaised):
            asked = event.inquiry
            yield StreamEventInquiry(
                inquiry_id=asked.id, kind=asked.kind, text=asked.text, topics=asked.topics
            )


def _ended(report: Report) -> Iterator[StreamEvent]:
    for each, href in zip(report.citations, source_links(report.citations), strict=True):
        yield StreamEventCitation(
            id=each.id,
            title=each.title,
            url=each.url,
            link=href,
            source_type=each.type,
            location=each.location,
            quote=each.quote.text,
            verdict=verdict_on(each, report.sentences),
        )
    tokens = total_usage(report.calls)
    yield StreamEventUsage(
        prompt_tokens=tokens.prompt_tokens,
        completion_tokens=tokens.completion_tokens,
        total_tokens=tokens.total_tokens,
        model_calls=report.spend.model_calls,
        cost_usd=report.spend.cost_usd,
        iterations=report.iterations,
        queries=report.spend.queries,
        seconds=report.seconds,
    )
    yield StreamEventDone(
        run_id=report.run_id,
        status=report.status,
        stop_reason=report.stop_reason,
        confidence=report.confidence,
        nearest=report.nearest,
    )
