"""Events are written as JSON, read back the same, and told apart by their type."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.domain.audit import Audit, summarized
from quaere.domain.budget import PROFILES, ProfileName, Spend, remaining
from quaere.domain.events import (
    RUN_EVENT,
    Evaluated,
    Event,
    EvidenceCollected,
    EvidenceCompacted,
    Found,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    ModelCalled,
    Phase,
    PhaseStarted,
    PlanMade,
    RunEvent,
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
from quaere.domain.question import Checklist, Item, Query, SourceKind
from quaere.domain.report import (
    AnswerStatus,
    Checks,
    Citation,
    Quote,
    Report,
    RunWarning,
    Sentence,
    Support,
)
from quaere.domain.source import ReadStatus
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.verdict import StopReason

BUDGET = PROFILES[ProfileName.SIMPLE]
CHECKLIST = Checklist(items=(Item(id="1", description="height of the tide", terms=("tide",)),))
QUERIES = (Query(text="height of the tide at Morn"),)
EVIDENCE = Evidence(id=1, passage="p1", url="file:///a.md", title="A", score=Score(total=1.5))
QUOTE = Quote(passage="p1", text="The tide rose four metres.", start=0, end=26)
SENTENCE = Sentence(
    text="The tide rose four metres.", evidence=(1,), quotes=(QUOTE,), support=Support.SUPPORTED
)
CITATION = Citation(
    id=1, evidence=1, title="A", url="file:///a.md", type="folder", location="a.md", quote=QUOTE
)
REPORT = Report(
    run_id="r1",
    question="How high did the tide rise?",
    answer="The tide rose four metres. [1]",
    status=AnswerStatus.ANSWERED,
    sentences=(SENTENCE,),
    citations=(CITATION,),
    checklist=CHECKLIST,
    confidence=0.8,
    stop_reason=StopReason.SUFFICIENT,
    profile=ProfileName.SIMPLE,
    budget=BUDGET,
    spend=Spend(queries=1, reads=1),
    evidence=(EVIDENCE,),
)
EXAMPLES: tuple[RunEvent, ...] = (
    RunStarted(question=REPORT.question, profile=ProfileName.SIMPLE, budget=BUDGET),
    IndexProgress(folder="notes", done=1, total=2, passages=3),
    PhaseStarted(phase=Phase.SEARCHING, remaining=remaining(BUDGET, Spend(), 0.25)),
    PlanMade(refined_question=REPORT.question, checklist=CHECKLIST, queries=QUERIES),
    SearchFinished(
        query=QUERIES[0].text,
        intent="raw",
        provider="folder",
        kinds=(SourceKind.FOLDER,),
        hits=1,
        fresh=1,
        found=(Found(id="a1", url="file:///a.md", title="A", provider="folder", rank=0),),
        seconds=0.25,
    ),
    SourceRead(url="file:///a.md", title="A", status=ReadStatus.OK, passages=4, bytes=812),
    EvidenceCollected.between((), (EVIDENCE,), fresh=4, pool=4),
    EvidenceCompacted(passages=3, tokens_before=9_000, tokens_after=1_100),
    ModelCalled(
        call=ModelCall(step="plan", model="test:m", usage=Usage(prompt_tokens=7), cost_usd=0.1),
        retried=True,
    ),
    Evaluated(checklist=CHECKLIST, coverage=0.5, confidence=0.4, gaps=("when",), next_queries=()),
    SentenceDrafted(text="The tide rose four metres.", evidence=(1,)),
    SentenceWritten(text="The tide rose four metres. [1]", sentence=SENTENCE),
    Verified(checks=Checks(written=1, supported=1)),
    TextChecked(audit=Audit(summary=summarized((), ()), sentences=(), sources=())),
    InquiryRaised(
        inquiry=Inquiry(kind=InquiryKind.TOPICS, text=REPORT.question, topics=("the tide",))
    ),
    InquiryAnswered(kind=InquiryKind.TOPICS, reply=Reply(topics=("the ebb",))),
    WarningRaised(warning=RunWarning(kind="read", message="The file is encrypted.")),
    RunFinished(report=REPORT),
    RunFailed(error_type="search_error", message="No provider answered.", retryable=True),
)


OLD_LINE = """{"type": "evidence_collected", "fresh": 1, "pool": 2, "selected": [{"id": 2,
"passage": "p2", "url": "file:///b.md", "title": "B", "score": {"total": 1.0, "weighed": 0.5}}]}"""


@st.composite
def selections(draw: st.DrawFn) -> tuple[Evidence, ...]:
    """Selections out of one pool, whose scores change from one to the next."""
    ids = draw(st.lists(st.integers(1, 9), unique=True, max_size=6))
    totals = st.sampled_from([0.5, 1.5])
    return tuple(
        EVIDENCE.model_copy(
            update={"id": n, "passage": f"p{n}", "score": Score(total=draw(totals), weighed=0.5)}
        )
        for n in ids
    )


@given(st.lists(selections(), max_size=6))
def test_what_changes_restores_every_selection(rounds: list[tuple[Evidence, ...]]) -> None:
    """Each event tells what is added, dropped and rescored; the next selection follows from it."""
    before: tuple[Evidence, ...] = ()
    restored: tuple[Evidence, ...] = ()
    for after in rounds:
        event = EvidenceCollected.between(before, after, fresh=0, pool=9)
        assert {e.id for e in event.added} == {e.id for e in after} - {e.id for e in before}
        assert set(event.dropped) == {e.id for e in before} - {e.id for e in after}
        restored = event.applied(restored)
        assert restored == after
        before = after


def test_logs_of_version_1_can_be_read() -> None:
    event = RUN_EVENT.validate_json(OLD_LINE)
    assert isinstance(event, EvidenceCollected)
    assert event.selected == (2,)
    (evidence,) = event.applied((EVIDENCE,))
    assert (evidence.id, evidence.url) == (2, "file:///b.md")
    assert RUN_EVENT.validate_json(
        '{"type": "search_finished", "query": "a", "intent": "raw", "hits": 3, "fresh": 2}'
    )


def test_there_is_an_example_of_every_event() -> None:
    union = get_args(RunEvent)[0]
    assert {type(event) for event in EXAMPLES} == set(get_args(union))


def test_types_are_told_apart() -> None:
    assert len({event.type for event in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.type)
def test_events_come_back_from_json_as_they_were(event: RunEvent) -> None:
    written = RUN_EVENT.dump_json(event)
    read = RUN_EVENT.validate_json(written)
    assert type(read) is type(event)
    assert read == event
    assert RUN_EVENT.dump_json(read) == written


@given(
    st.sampled_from(EXAMPLES),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(0, 10**6),
    st.sampled_from(Phase),
)
def test_what_the_engine_fills_in_comes_back(
    event: RunEvent, run_id: str, number: int, phase: Phase
) -> None:
    filled = event.model_copy(
        update={"run_id": run_id, "seq": number, "loop": number, "phase": phase}
    )
    assert RUN_EVENT.validate_json(RUN_EVENT.dump_json(filled)) == filled


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.type)
def test_events_share_their_first_fields(event: RunEvent) -> None:
    """R3.7: phase, loop, max_loops, sources_considered and sources_read in each."""
    assert isinstance(event, Event)
    assert list(type(event).model_fields)[: len(Event.model_fields)] == list(Event.model_fields)


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        '{"type": "run_danced"}',
        '{"type": "run_failed", "error_type": "x", "message": "y", "retryable": true, "more": 1}',
        '{"type": "index_progress", "folder": "notes", "done": -1, "total": 2}',
        '{"type": "search_finished", "query": "tide"}',
    ],
)
def test_what_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(ValidationError):
        RUN_EVENT.validate_json(line)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf")])
def test_coverage_and_confidence_are_shares(share: float) -> None:
    with pytest.raises(ValidationError):
        Evaluated(checklist=CHECKLIST, coverage=share, confidence=0.5, gaps=(), next_queries=())
    with pytest.raises(ValidationError):
        Evaluated(checklist=CHECKLIST, coverage=0.5, confidence=share, gaps=(), next_queries=())


def test_the_schema_names_every_event() -> None:
    mapping = RUN_EVENT.json_schema()["discriminator"]["mapping"]
    assert set(mapping) == {event.type for event in EXAMPLES}


def test_a_call_repeats_none_where_nothing_says_so() -> None:
    assert ModelCalled(call=ModelCall(step="plan", model="test:m")).retried is False
