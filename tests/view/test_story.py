"""A run told from its log."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

from tests.store.runs import EVIDENCE, numbered, whole_run

from quaere.domain.events import EvidenceCollected, PhaseStarted, RunFinished
from quaere.domain.model import ModelCall, Usage
from quaere.domain.trace import Source, Trace, TraceStatus
from quaere.view.story import EVIDENCE_SHOWN, EXCERPT_CHARS, story

HOSTILE = "\x1b[2J\x9b31m [1] <b>\u202ecba\u202c \x00 \ud800 \r\n# x"


def trace(question: str = "Who?") -> Trace:
    return Trace(
        id="run-1",
        user_id="local",
        tool_name="deep_research",
        input_params={"question": question},
        status=TraceStatus.COMPLETED,
        error_message=question,
        created_at=datetime(2031, 5, 4, tzinfo=UTC),
    )


def test_nothing_that_a_page_or_a_person_wrote_commands_the_terminal() -> None:
    text = HOSTILE.encode("utf-8", "replace").decode()
    source = Source(evidence=EVIDENCE, text=text)
    told = story(trace(text), whole_run(text), [source])
    for char in told.replace("\n", ""):
        assert unicodedata.category(char) not in {"Cc", "Cf", "Cs"}, repr(char)
    assert "cba" in told


def test_a_log_without_events_is_told_as_far_as_it_goes() -> None:
    assert story(trace(), [], []).splitlines()[:2] == [
        "Who?",
        "  run-1, completed, 2031-05-04 00:00:00 UTC",
    ]


def test_much_evidence_and_long_text_are_cut() -> None:
    selected = tuple(
        EVIDENCE.model_copy(update={"id": number, "passage": f"p{number}"})
        for number in range(1, EVIDENCE_SHOWN + 4)
    )
    sources = [Source(evidence=each, text="mill " * 100) for each in selected]
    events = numbered([EvidenceCollected.between((), selected, fresh=13, pool=13)])
    told = story(trace(), events, sources)
    assert told.count("#") == EVIDENCE_SHOWN
    assert "and 3 more" in told
    assert max(map(len, told.splitlines())) < EXCERPT_CHARS + 20


def test_a_topic_is_named_where_there_are_several() -> None:
    started = next(event for event in whole_run() if isinstance(event, PhaseStarted))
    events = [started.model_copy(update={"topic": "the weir"})]
    assert "searching, loop 1 of 5, topic: the weir, left: " in story(trace(), events, [])


def test_calls_without_a_known_price_are_not_said_to_be_free() -> None:
    call = ModelCall(step="plan", model="test:model", usage=Usage(prompt_tokens=70), seconds=1.0)
    events = [
        event.model_copy(update={"report": event.report.model_copy(update={"calls": (call,)})})
        if isinstance(event, RunFinished)
        else event
        for event in whole_run()
    ]
    told = story(trace(), events, [])
    assert "opened, 1 model call, 70 tokens, price not known" in told
    assert "$" not in told
