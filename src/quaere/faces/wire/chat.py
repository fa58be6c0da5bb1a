"""The stream of the chat API (R3.7): progress, the answer, its citations, usage and the end."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quaere.domain.events import (
    Event,
    InquiryRaised,
    Phase,
    RunFailed,
    RunFinished,
    RunStarted,
    WarningRaised,
)
from quaere.domain.report import AnswerStatus, Nearby, Report, RunWarning, Support
from quaere.domain.team import InquiryKind
from quaere.domain.verdict import Confidence, StopReason
from quaere.faces.wire.parts import (
    Answer,
    Frame,
    progress_line,
    source_links,
    total_usage,
    verdict_on,
    weaknesses,
)

ChatPhase = Literal[
    "planning", "searching", "reading", "evaluating", "iterating", "synthesizing", "finalizing"
]
"""The phases of R3.7, which knows neither indexing nor verifying."""


class StreamEventMetadata(BaseModel):
    """The first event: by which name the run can be found again."""

    type: Literal["metadata"] = "metadata"
    run_id: str


class StreamEventProgress(BaseModel):
    """How far the run has come."""

    model_config = ConfigDict(populate_by_name=True)

    type: Literal["progress"] = "progress"
    phase: ChatPhase
    message: str
    loop: int | None = None
    """None outside of loops."""
    max_loops: Annotated[int | None, Field(alias="maxLoops")] = None
    sources_considered: Annotated[int, Field(alias="sourcesConsidered")]
    """It and the next never go down."""
    sources_read: Annotated[int, Field(alias="sourcesRead")]


class StreamEventToken(BaseModel):
    """A piece of the answer; joined, the pieces are all of it."""

    type: Literal["token"] = "token"
    text: str


class StreamEventCitation(BaseModel):
    """A source of the answer, in the order of the claims."""

    type: Literal["citation"] = "citation"
    id: int
    """The number in the text, ``[1]``."""
    title: str
    url: str
    link: str
    """Opens the source at the quote, where that can be."""
    source_type: str
    location: str
    quote: str
    verdict: Support
    """On the sentences that cite it; the weakest, where they differ."""


class StreamEventWarning(BaseModel):
    """Something went wrong that does not end the run."""

    type: Literal["warning"] = "warning"
    warning: RunWarning


class StreamEventInquiry(BaseModel):
    """The run waits for a reply."""

    type: Literal["inquiry"] = "inquiry"
    inquiry_id: str
    kind: InquiryKind
    text: str
    topics: tuple[str, ...]


class StreamEventUsage(BaseModel):
    """What the run took."""

    type: Literal["usage"] = "usage"
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    model_calls: int
    cost_usd: float
    iterations: int
    queries: int
    seconds: float


class StreamEventDone(BaseModel):
    """The last event of a run that has a report."""

    type: Literal["done"] = "done"
    run_id: str
    status: AnswerStatus
    stop_reason: StopReason
    confidence: Confidence
    nearest: tuple[Nearby, ...] = ()
    """Where to look when nothing answers the question; none is an answer."""


class StreamError(BaseModel):
    """An error, with the fields of the service's other errors."""

    type: str
    message: str
    retryable: bool


class StreamEventError(BaseModel):
    """The last event of a run that came to no report, or was cancelled."""

    type: Literal["error"] = "error"
    error: StreamError


StreamEvent = Annotated[
    StreamEventMetadata
    | StreamEventProgress
    | StreamEventToken
    | StreamEventCitation
    | StreamEventWarning
    | StreamEventInquiry
    | StreamEventUsage
    | StreamEventDone
    | StreamEventError,
    Field(discriminator="type"),
]

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
    """One stream of the chat API. The id of a frame is the ``seq`` of its event in the log."""

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
            is_last = place == len(told)
            yield Frame(data, event=each.type, id=(event.seq or None) if is_last else None)

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
    yield from (StreamEventWarning(warning=each) for each in weaknesses(report))
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
