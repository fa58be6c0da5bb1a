"""What a run says of itself while it goes on.

The terminal, SSE, the web page, the trace viewer and the tests all read this one log. Every event
carries the run, its place in it (``seq`` from 1, without gaps), the time, the phase and the loop.
No event carries page text beyond a quoted sentence, and none carries a key.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from quaere.domain.budget import Budget, Remaining
from quaere.domain.evidence import Evidence
from quaere.domain.profile import ProfileName
from quaere.domain.question import Checklist, Query
from quaere.domain.report import Checks, Report, RunWarning, Sentence
from quaere.domain.source import ReadStatus
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.value import Value
from quaere.domain.verdict import Confidence, StopReason

Number = Annotated[int, Field(ge=0)]


class Phase(StrEnum):
    """The stages of a run as a reader sees them (R3.7), with ``indexing`` for folders."""

    INDEXING = "indexing"
    PLANNING = "planning"
    SEARCHING = "searching"
    READING = "reading"
    EVALUATING = "evaluating"
    ITERATING = "iterating"
    SYNTHESIZING = "synthesizing"
    VERIFYING = "verifying"
    FINALIZING = "finalizing"


class Event(Value):
    """What all events share. The engine fills these fields in; nodes leave them as they are."""

    run_id: str = ""
    seq: Number = 0
    at: str = ""
    """ISO 8601, UTC."""
    phase: Phase = Phase.PLANNING
    loop: Number = 0
    max_loops: Number = 0
    sources_considered: Number = 0
    sources_read: Number = 0
    topic: str = ""
    """The topic that is being researched; empty where one line of inquiry is all there is."""


class RunStarted(Event):
    """A run has begun."""

    type: Literal["run_started"] = "run_started"
    question: str
    profile: ProfileName
    budget: Budget


class IndexProgress(Event):
    """A folder is being brought up to date."""

    type: Literal["index_progress"] = "index_progress"
    folder: str
    done: Number
    total: Number
    passages: Number = 0


class PhaseStarted(Event):
    """The run has entered a phase; ``remaining`` is what is left of its budget."""

    type: Literal["phase_started"] = "phase_started"
    message: str = ""
    remaining: Remaining


class PlanMade(Event):
    """The question has a checklist and first queries."""

    type: Literal["plan_made"] = "plan_made"
    refined_question: str
    checklist: Checklist
    queries: tuple[Query, ...]


class SearchFinished(Event):
    """One query came back, with results or with an error."""

    type: Literal["search_finished"] = "search_finished"
    query: str
    intent: str
    hits: Number
    fresh: Number
    error: str = ""


class SourceRead(Event):
    """A source was opened, or could not be."""

    type: Literal["source_read"] = "source_read"
    url: str
    title: str
    status: ReadStatus
    passages: Number = 0
    reason: str = ""


class EvidenceCollected(Event):
    """The pool took in what was read."""

    type: Literal["evidence_collected"] = "evidence_collected"
    fresh: Number
    """Passages that were not in the pool before."""
    pool: Number
    selected: tuple[Evidence, ...]
    """Evidence now selected, best first; handles, not text."""


class Evaluated(Event):
    """The evidence was weighed against the checklist."""

    type: Literal["evaluated"] = "evaluated"
    checklist: Checklist
    coverage: Confidence
    confidence: Confidence
    gaps: tuple[str, ...]
    next_queries: tuple[str, ...]
    stop_reason: StopReason | None = None
    reason: str = ""


class SentenceDrafted(Event):
    """A sentence was written and is yet to be checked; drafts may be replaced by others."""

    type: Literal["sentence_drafted"] = "sentence_drafted"
    text: str
    evidence: tuple[int, ...] = ()


class SentenceWritten(Event):
    """A sentence of the answer passed its checks; ``text`` carries its markers."""

    type: Literal["sentence_written"] = "sentence_written"
    text: str
    sentence: Sentence


class Verified(Event):
    """Every sentence has been checked."""

    type: Literal["verified"] = "verified"
    checks: Checks


class InquiryRaised(Event):
    """The run waits for the person who asked; its time stands still until the answer."""

    type: Literal["inquiry_raised"] = "inquiry_raised"
    inquiry: Inquiry
    """A run asks each kind of inquiry once at most, so its kind tells it apart."""


class InquiryAnswered(Event):
    """The person has replied, and the run goes on."""

    type: Literal["inquiry_answered"] = "inquiry_answered"
    kind: InquiryKind
    reply: Reply


class WarningRaised(Event):
    """Something went wrong that did not end the run."""

    type: Literal["warning_raised"] = "warning_raised"
    warning: RunWarning


class RunFinished(Event):
    """The run is over; this is always the last event of a run that ended by itself."""

    type: Literal["run_finished"] = "run_finished"
    report: Report


class RunFailed(Event):
    """The run ended in an error and has no report; always the last event when it occurs."""

    type: Literal["run_failed"] = "run_failed"
    error_type: str
    message: str
    retryable: bool


RunEvent = Annotated[
    RunStarted
    | IndexProgress
    | PhaseStarted
    | PlanMade
    | SearchFinished
    | SourceRead
    | EvidenceCollected
    | Evaluated
    | SentenceDrafted
    | SentenceWritten
    | Verified
    | InquiryRaised
    | InquiryAnswered
    | WarningRaised
    | RunFinished
    | RunFailed,
    Field(discriminator="type"),
]

RUN_EVENT: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)
"""Reads and writes events; its JSON schema is what ``contracts/run_events.json`` holds."""
