"""What the stream of the chat API consists of (R3.7)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quaere.domain.report import AnswerStatus, Nearby, RunWarning, Support
from quaere.domain.team import InquiryKind
from quaere.domain.verdict import Confidence, StopReason

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
    sources_considered: Annotated[int, Field(alias="sourcesConsidered")] = 0
    """It and the next never go down."""
    sources_read: Annotated[int, Field(alias="sourcesRead")] = 0


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
