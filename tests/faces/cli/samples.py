"""A report as a run would hand it over, for the tests of what is made of it."""

from __future__ import annotations

from quaere.domain.audit import Audit, summarized
from quaere.domain.budget import PROFILES, ProfileName, Remaining, Spend
from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    EvidenceCompacted,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    ModelCalled,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SentenceDrafted,
    SentenceWritten,
    SourceRead,
    TextChecked,
    Verified,
    WarningRaised,
)
from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist, Intent, Item, ItemStatus, Query
from quaere.domain.report import (
    AnswerStatus,
    Checks,
    Citation,
    Degradation,
    QueryOutcome,
    Quote,
    Report,
    RunWarning,
    Sentence,
    Step,
    Support,
)
from quaere.domain.source import ReadStatus
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.verdict import StopReason

QUESTION = "Who built the mill at Orrin, and when?"

CHECKLIST = Checklist(
    items=(
        Item(
            id="a",
            description="who built the mill",
            terms=("mill", "built"),
            status=ItemStatus.SATISFIED,
        ),
        Item(id="b", description="when it was built", status=ItemStatus.PARTIAL),
        Item(id="c", description="what it milled", status=ItemStatus.UNSATISFIED),
    )
)


def report(text: str = "The mill at Orrin was built by Tamsin Wray.") -> Report:
    """Return an unfinished answer, with ``text`` wherever a source or the asker put words."""
    quote = Quote(passage="p1", text=text, start=0, end=len(text))
    return Report(
        run_id="run-1",
        question=QUESTION,
        answer=f"{text} [1]",
        status=AnswerStatus.INSUFFICIENT,
        sentences=(
            Sentence(
                text=text, evidence=(7,), quotes=(quote,), support=Support.SUPPORTED, reason=text
            ),
        ),
        citations=(
            Citation(
                id=1,
                evidence=7,
                title=text,
                url="file:///notes/mill.pdf",
                type="folder",
                location=f"/notes/mill.pdf, page 3 {text}",
                quote=quote,
                locator="page 3",
            ),
        ),
        checklist=Checklist(
            items=(*CHECKLIST.items, Item(id="d", description=f"more: {text}", terms=(text,)))
        ),
        gaps=(text,),
        confidence=0.6,
        stop_reason=StopReason.NO_NEW_INFORMATION,
        profile=ProfileName.STANDARD,
        budget=PROFILES[ProfileName.STANDARD],
        spend=Spend(iterations=2, queries=3, reads=4, tokens=1234, cost_usd=0.25),
        seconds=2.5,
        steps=(
            Step(iteration=0, considered=6, read=5, coverage=0.4, confidence=0.3, seconds=1.0),
            Step(iteration=1, considered=9, read=7, coverage=0.5, confidence=0.6, seconds=1.5),
        ),
        queries=(
            QueryOutcome(query=Query(text=QUESTION), iteration=0, hits=6, fresh=6),
            QueryOutcome(
                query=Query(text=f"Orrin {text}", intent=Intent.GAP), iteration=1, error=text
            ),
        ),
        evidence=(
            Evidence(
                id=7,
                passage="p1",
                url="file:///notes/mill.pdf",
                title=text,
                locator="page 3",
                score=Score(relevance=0.5, named=0.25, inherited=0.125, total=0.75),
            ),
        ),
        checks=Checks(written=1, supported=1),
        warnings=(
            RunWarning(kind="index", message="no PDF", subject="/notes/torn.pdf"),
            RunWarning(kind="read", message=text, subject=text),
        ),
        degradations=(Degradation(step="plan", reason=text),),
        refined_question=f"{QUESTION} {text}",
        reasoner="extractive",
    )


def remaining(queries: int = 7) -> Remaining:
    """Return what is left of a budget in the middle of a run."""
    return Remaining(iterations=3, queries=queries, reads=12, tokens=150_000, seconds=60)


def events(text: str = "Orrin") -> list[Event]:
    """Return the events of a run of two loops, with every type of event among them."""
    return [
        event.model_copy(update={"sources_considered": 6, "sources_read": 5}) if at > 3 else event
        for at, event in enumerate(_events(text))
    ]


def _events(text: str) -> list[Event]:
    budget = PROFILES[ProfileName.STANDARD]
    sentence = Sentence(text=text)
    return [
        RunStarted(question=QUESTION, profile=ProfileName.STANDARD, budget=budget),
        IndexProgress(phase=Phase.INDEXING, folder="notes", done=3, total=3, passages=40),
        WarningRaised(
            phase=Phase.INDEXING, warning=RunWarning(kind="index", message=text, subject=text)
        ),
        PhaseStarted(phase=Phase.SEARCHING, remaining=remaining(10), loop=1, max_loops=5),
        SearchFinished(phase=Phase.SEARCHING, query=f"mill {text}", intent="raw", hits=6, fresh=6),
        PhaseStarted(phase=Phase.READING, remaining=remaining(9)),
        SourceRead(phase=Phase.READING, url="u", title=text, status=ReadStatus.OK),
        SourceRead(
            phase=Phase.READING,
            url=f"file:///{text}",
            title="",
            status=ReadStatus.BLOCKED,
            reason=text,
        ),
        EvidenceCollected(phase=Phase.READING, fresh=5, pool=5, selected=()),
        PhaseStarted(phase=Phase.PLANNING, remaining=remaining(9)),
        PlanMade(
            phase=Phase.PLANNING,
            refined_question=text,
            checklist=Checklist(items=CHECKLIST.items[:2]),
            queries=(Query(text="Orrin"),),
        ),
        PhaseStarted(phase=Phase.EVALUATING, remaining=remaining(9)),
        EvidenceCompacted(
            phase=Phase.EVALUATING, passages=2, tokens_before=9000, tokens_after=1200
        ),
        ModelCalled(
            phase=Phase.EVALUATING,
            call=ModelCall(
                step="evaluate", model="test:m", usage=Usage(prompt_tokens=70), error=text
            ),
            retried=True,
        ),
        Evaluated(
            phase=Phase.EVALUATING,
            checklist=CHECKLIST,
            coverage=0.5,
            confidence=0.4,
            gaps=(text,),
            next_queries=("Orrin",),
        ),
        PhaseStarted(phase=Phase.ITERATING, remaining=remaining(), loop=2, max_loops=5),
        SearchFinished(
            phase=Phase.ITERATING, query="Orrin", intent="gap", hits=0, fresh=0, error=text
        ),
        PhaseStarted(phase=Phase.EVALUATING, remaining=remaining(), loop=2, max_loops=5),
        Evaluated(
            phase=Phase.EVALUATING,
            checklist=CHECKLIST,
            coverage=0.5,
            confidence=0.4,
            gaps=(),
            next_queries=(),
            stop_reason=StopReason.NO_NEW_INFORMATION,
        ),
        PhaseStarted(phase=Phase.SYNTHESIZING, remaining=remaining(), loop=3, max_loops=5),
        PhaseStarted(phase=Phase.VERIFYING, remaining=remaining(), loop=3, max_loops=5),
        SentenceDrafted(phase=Phase.SYNTHESIZING, text=text, evidence=sentence.evidence),
        SentenceWritten(phase=Phase.VERIFYING, text=text, sentence=sentence),
        Verified(phase=Phase.VERIFYING, checks=Checks(written=2, supported=1, marked=1)),
        TextChecked(
            phase=Phase.VERIFYING,
            audit=Audit(summary=summarized((), ()), sentences=(), sources=()),
        ),
        InquiryRaised(inquiry=Inquiry(kind=InquiryKind.CLARIFICATION, text=text)),
        InquiryAnswered(kind=InquiryKind.CLARIFICATION, reply=Reply(text=text)),
        RunFinished(phase=Phase.FINALIZING, report=report()),
        RunFailed(phase=Phase.FINALIZING, error_type="e", message=text, retryable=False),
    ]
