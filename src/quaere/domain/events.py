"""What a run reports while it goes on.

The terminal, SSE, the web page, the trace viewer and the tests all read this one log. Every event
carries the run, its place in it (``seq`` from 1, without gaps), the time, the phase and the loop.
No event carries page text beyond a quoted sentence, and none carries a key. What a text may give
away is an annotation on its field (`quaere.domain.value.Sensitivity`), and the line by which
an event is shown is in `quaere.view.describe`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self, cast

from pydantic import Field, JsonValue, TypeAdapter, model_validator

from quaere.domain.audit import Audit
from quaere.domain.budget import Budget, ProfileName, Remaining
from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Query, SourceKind
from quaere.domain.report import Checks, EarlierRun, Report, RunWarning, Sentence
from quaere.domain.source import ReadStatus
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.value import Count, MessageText, Outside, QuestionText, Value
from quaere.domain.verdict import Confidence, StepMetadata, StopReason

VERSION = 3
"""Of the events as a whole; rises when a field changes its meaning or goes. Logs of versions
1 and 2 can still be read."""

Seconds = Annotated[float, Field(ge=0)]


class Phase(StrEnum):
    """The stages of a run as a reader sees them, with ``indexing`` for folders."""

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

    durable: ClassVar[bool] = False
    """Whether it completes a step: with it what is kept of the run reaches the disk."""

    run_id: str = ""
    seq: Count = 0
    at: str = ""
    """ISO 8601, UTC."""
    phase: Phase = Phase.PLANNING
    loop: Count = 0
    max_loops: Count = 0
    sources_considered: Count = 0
    sources_read: Count = 0
    topic: QuestionText = ""
    """The topic that is being researched; empty where one line of inquiry is all there is."""

    @property
    def moment(self) -> datetime:
        """When it happened; now, where it does not say."""
        return datetime.fromisoformat(self.at) if self.at else datetime.now(UTC)

    @property
    def evidence_told(self) -> tuple[Evidence, ...]:
        """Evidence that it describes in full."""
        return ()


class RunStarted(Event):
    """A run has begun."""

    durable = True
    type: Literal["run_started"] = "run_started"
    version: Count = VERSION
    question: QuestionText
    read_as: QuestionText = ""
    """See `Report.read_as`."""
    profile: ProfileName
    budget: Budget


class IndexProgress(Event):
    """A folder is being brought up to date."""

    type: Literal["index_progress"] = "index_progress"
    folder: str
    done: Count
    total: Count
    passages: Count = 0


class PhaseStarted(Event):
    """The run has entered a phase; ``remaining`` is what is left of its budget."""

    type: Literal["phase_started"] = "phase_started"
    message: str = ""
    remaining: Remaining


class PlanMade(Event):
    """The question has a checklist and first queries."""

    durable = True
    type: Literal["plan_made"] = "plan_made"
    refined_question: QuestionText
    checklist: Checklist
    queries: tuple[Query, ...]


class Found(Value):
    """A source in the results of a search."""

    id: str
    """By which later events of the run name it."""
    url: Outside
    """Canonical."""
    title: Outside
    provider: str
    rank: Count
    """Place in the provider's list, from 0."""


class SearchFinished(Event):
    """One provider answered one query, or could not."""

    type: Literal["search_finished"] = "search_finished"
    query: QuestionText
    intent: str
    provider: str = ""
    kinds: tuple[SourceKind, ...] = ()
    """Kinds of source that the provider has."""
    hits: Count
    """Distinct sources among the results."""
    fresh: Count
    """Of them, those that no search of this run had brought before."""
    found: tuple[Found, ...] = ()
    """The fresh ones, best first."""
    known: tuple[str, ...] = ()
    """The others, best first, by the ids under which earlier searches have ``found`` them."""
    seconds: Seconds = 0.0
    retries: Count = 0
    """Attempts that failed before this one."""
    retrieved_at: str = ""
    """ISO 8601, UTC."""
    error: MessageText = ""


class SourceRead(Event):
    """A source was opened, or could not be."""

    type: Literal["source_read"] = "source_read"
    url: str
    """Canonical, as the search has found it."""
    final_url: str = ""
    """Where its redirects ended, where that is another address."""
    title: str
    provider: str = ""
    """Of the search that found it."""
    status: ReadStatus
    passages: Count = 0
    bytes: Count = 0
    """Fetched for it, decoded; 0 where that is not known."""
    seconds: Seconds = 0.0
    retrieved_at: str = ""
    """ISO 8601, UTC."""
    reason: MessageText = ""


def _scores(evidence: Evidence) -> tuple[float, float]:
    return evidence.score.total, evidence.score.weighed


class Rescored(Value):
    """Evidence of the selection whose score has changed."""

    id: Annotated[int, Field(ge=1)]
    total: float
    weighed: float


def _rescored(old: Mapping[int, Evidence], new: Mapping[int, Evidence]) -> Iterator[Rescored]:
    for key, each in new.items():
        if key in old and _scores(old[key]) != _scores(each):
            yield Rescored(id=key, total=each.score.total, weighed=each.score.weighed)


class EvidenceCollected(Event):
    """The pool took in what was read; tells how the selection differs from the one before."""

    type: Literal["evidence_collected"] = "evidence_collected"
    fresh: Count
    """Passages that were not in the pool before."""
    pool: Count
    selected: tuple[int, ...]
    """Ids of the evidence now selected, best first."""
    added: tuple[Evidence, ...] = ()
    """Selected now and not before; handles, not text."""
    dropped: tuple[int, ...] = ()
    """Ids of what was selected before and is not now."""
    rescored: tuple[Rescored, ...] = ()

    @classmethod
    def between(
        cls, before: Sequence[Evidence], after: Sequence[Evidence], *, fresh: int, pool: int
    ) -> Self:
        """Return what leads from the selection ``before`` to the one ``after``."""
        old, new = ({each.id: each for each in side} for side in (before, after))
        return cls(
            fresh=fresh,
            pool=pool,
            selected=tuple(new),
            added=tuple(each for key, each in new.items() if key not in old),
            dropped=tuple(key for key in old if key not in new),
            rescored=tuple(_rescored(old, new)),
        )

    def applied(self, before: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """Return the selection now, where it was ``before`` until now.

        Evidence is as it was when it was added, but for the two scores that are told anew.
        """
        known = {each.id: each for each in (*before, *self.added)}
        for new in self.rescored:
            if old := known.get(new.id):
                score = {"total": new.total, "weighed": new.weighed}
                changed = {"score": old.score.model_copy(update=score)}
                known[new.id] = old.model_copy(update=changed)
        return tuple(known[key] for key in self.selected if key in known)

    @property
    def evidence_told(self) -> tuple[Evidence, ...]:
        """What was added."""
        return self.added

    @model_validator(mode="before")
    @classmethod
    def _of_version_1(cls, value: object) -> object:
        """Read the whole selection, of which each event of version 1 told, as one that was added.

        What was selected before stays known, and nothing but its old place in the list is lost.
        """
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, JsonValue]", value)
        selected = fields.get("selected")
        if not isinstance(selected, list) or not any(isinstance(s, dict) for s in selected):
            return fields
        ids = [each["id"] for each in selected if isinstance(each, dict)]
        return {**fields, "selected": ids, "added": selected}


class EvidenceCompacted(Event):
    """A step is shown shortened passages, because tokens run low."""

    type: Literal["evidence_compacted"] = "evidence_compacted"
    passages: Count
    """Passages that were shortened."""
    tokens_before: Count
    """Estimated, of all that would have been shown."""
    tokens_after: Count


class ModelCalled(Event):
    """A call of a language model has ended, whether or not it could be used."""

    type: Literal["model_called"] = "model_called"
    call: ModelCall
    retried: bool = False
    """Whether it repeats a call that failed or whose reply could not be used."""


class Evaluated(Event):
    """The evidence was weighed against the checklist."""

    durable = True
    type: Literal["evaluated"] = "evaluated"
    checklist: Checklist
    coverage: Confidence
    confidence: Confidence
    gaps: tuple[QuestionText, ...]
    next_queries: tuple[QuestionText, ...]
    stop_reason: StopReason | None = None
    reason: QuestionText = ""
    metadata: StepMetadata = StepMetadata()
    """Who evaluated, when, and with how many tokens."""


class SentenceDrafted(Event):
    """A sentence was written and is yet to be checked; drafts may be replaced by others."""

    type: Literal["sentence_drafted"] = "sentence_drafted"
    text: str
    evidence: tuple[int, ...] = ()


class SentenceWritten(Event):
    """A sentence of the answer passed its checks, or says something about the run itself.

    Joined, what these events have ``appended`` is the report's answer.
    """

    type: Literal["sentence_written"] = "sentence_written"
    text: str
    """With its markers."""
    sentence: Sentence
    appended: str = ""
    """What it adds to the answer: ``text`` in the form that was asked for, after what parts it from
    the sentence before. Empty in logs that were written before there was this field."""


class Verified(Event):
    """Every sentence has been checked."""

    durable = True
    type: Literal["verified"] = "verified"
    checks: Checks


class TextChecked(Event):
    """Every sentence of the given text has its verdict."""

    durable = True
    type: Literal["text_checked"] = "text_checked"
    audit: Audit


class InquiryRaised(Event):
    """The run waits for the user; its clock is paused until the reply."""

    durable = True
    type: Literal["inquiry_raised"] = "inquiry_raised"
    inquiry: Inquiry
    """A run asks each kind of inquiry once at most, so its kind tells it apart."""


class InquiryAnswered(Event):
    """The person has replied, and the run goes on."""

    durable = True
    type: Literal["inquiry_answered"] = "inquiry_answered"
    kind: InquiryKind
    reply: Reply


class WarningRaised(Event):
    """Something went wrong that did not end the run."""

    type: Literal["warning_raised"] = "warning_raised"
    warning: RunWarning


class RunFinished(Event):
    """The run is over; this is always the last event of a run that ended by itself."""

    durable = True
    type: Literal["run_finished"] = "run_finished"
    report: Report

    def with_earlier(self, run: EarlierRun) -> Self:
        """Return this end with an earlier ``run`` in its report."""
        return self.model_copy(
            update={"report": self.report.model_copy(update={"earlier_run": run})}
        )

    @property
    def evidence_told(self) -> tuple[Evidence, ...]:
        """The selection that the answer was written from."""
        return self.report.evidence


class RunFailed(Event):
    """The run ended in an error and has no report; always the last event when it occurs."""

    durable = True
    type: Literal["run_failed"] = "run_failed"
    error_type: str
    message: MessageText
    retryable: bool


RunEvent = Annotated[
    RunStarted
    | IndexProgress
    | PhaseStarted
    | PlanMade
    | SearchFinished
    | SourceRead
    | EvidenceCollected
    | EvidenceCompacted
    | ModelCalled
    | Evaluated
    | SentenceDrafted
    | SentenceWritten
    | Verified
    | TextChecked
    | InquiryRaised
    | InquiryAnswered
    | WarningRaised
    | RunFinished
    | RunFailed,
    Field(discriminator="type"),
]

RUN_EVENT: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)
"""Reads and writes events; its JSON schema is what ``contracts/run_events.json`` holds."""
