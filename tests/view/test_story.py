"""A run told from its event log, and two runs compared."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

from tests.store.runs import EVIDENCE, numbered, whole_run

from quaere.domain.budget import Spend
from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    PhaseStarted,
    PlanMade,
    RunFinished,
    SearchFinished,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Query
from quaere.domain.report import Sentence, Support
from quaere.domain.trace import Source, Trace, TraceStatus
from quaere.view.story import (
    EVIDENCE_SHOWN,
    EXCERPT_CHARS,
    Side,
    compare,
    comparison_text,
    side,
    story,
)

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


WHOLE = """\
Who?
  run-1, completed, 2031-05-04 00:00:00 UTC
  Who?
  standard profile, 5 loops at most
  indexing: 3 of 3 files, 40 passages
  warning: Orrin: Orrin

[   3.0 s] searching, loop 1 of 5, left: 60 s, 10 queries, 150,000 tokens
  query (raw): mill Orrin: 6 found, 6 new

[   5.0 s] reading, left: 60 s, 9 queries, 150,000 tokens
  page, ok: Orrin (u): 0 passages
  page, blocked_by_site: file:///Orrin: Orrin
  findings: 5 new, 5 in the pool, 1 selected
    #1 0.50 The mill <file:///notes/mill.md>
        “The mill at Orrin was built.”

[   9.0 s] planning, left: 60 s, 9 queries, 150,000 tokens
  checklist of 2, queries to ask: 1
  plan: Orrin
  ✓ who built the mill
  ◐ when it was built
  will ask: Orrin

[  11.0 s] evaluating, left: 60 s, 9 queries, 150,000 tokens
  2 passages shortened, 9,000 to 1,200 tokens
  model call (evaluate): test:m: 0.0 s, 70 tokens, price not known, again, Orrin
  1 of 3 items answered, going on
  ✓ who built the mill
  ◐ when it was built
  ✗ what it milled
  coverage 50%, confidence 40%
  missing: Orrin
  decision: go on
  will ask: Orrin

[  15.0 s] iterating, loop 2 of 5, left: 60 s, 7 queries, 150,000 tokens
  query (gap): Orrin: Orrin

[  17.0 s] evaluating, left: 60 s, 7 queries, 150,000 tokens
  1 of 3 items answered, stopping: searching brought nothing new
  ✓ who built the mill
  ◐ when it was built
  ✗ what it milled
  coverage 50%, confidence 40%
  decision: stop, no_new_information

[  19.0 s] synthesizing, left: 60 s, 7 queries, 150,000 tokens

[  20.0 s] verifying, left: 60 s, 7 queries, 150,000 tokens
  sentence (not judged): Orrin
  1 of 2 sentences supported
  2 written, 1 supported, 0 repaired, 1 marked, 0 dropped
  0 claims checked against 0 sources
  waiting for an answer (clarification): Orrin
  answered (clarification): Orrin
  answer, insufficient: The mill at Orrin was built by Tamsin Wray. [1]
    [1] The mill at Orrin was built by Tamsin Wray. </notes/mill.pdf, \
page 3 The mill at Orrin was built by Tamsin Wray.>
  cost: 2.5 s, 2 loops, 3 queries, 4 pages opened, 1,234 tokens, $0.25
"""


def test_a_run_from_its_first_phase_to_its_cost() -> None:
    sources = [Source(evidence=EVIDENCE, text="The mill at Orrin was built.")]
    assert story(trace(), whole_run(), sources) == WHOLE


def test_reasons_and_purposes_are_told_where_there_are_any() -> None:
    query = Query(text="mill Orrin", purpose="who built it")
    events = [
        event.model_copy(update={"reason": "all is known", "next_queries": ()})
        if isinstance(event, Evaluated)
        else event.model_copy(update={"queries": (query,)})
        if isinstance(event, PlanMade)
        else event
        for event in whole_run()
    ]
    told = story(trace(), events, [])
    assert "  will ask: mill Orrin (who built it)\n" in told
    assert "  decision: go on: all is known\n" in told
    assert "  decision: stop, no_new_information: all is known\n" in told


def test_sentences_that_were_left_out_are_told_with_why() -> None:
    said = Sentence(text="It fell.", support=Support.CONTRADICTED, reason="it stands")
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    report = finished.report.model_copy(update={"dropped": (said,)})
    told = story(trace(), [finished.model_copy(update={"report": report})], [])
    assert re.search(r"^    left out \(contradicted.*it stands\): It fell\.$", told, re.MULTILINE)


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


def test_what_is_as_long_as_may_be_shown_is_shown_whole() -> None:
    selected = tuple(
        EVIDENCE.model_copy(update={"id": number, "passage": f"p{number}"})
        for number in range(1, EVIDENCE_SHOWN + 1)
    )
    texts = ["m" * EXCERPT_CHARS, "m" * (EXCERPT_CHARS + 1)]
    sources = [
        Source(evidence=each, text=text) for each, text in zip(selected, texts, strict=False)
    ]
    events = numbered([EvidenceCollected.between((), selected, fresh=10, pool=10)])
    told = story(trace(), events, sources)
    assert told.count("    #") == EVIDENCE_SHOWN
    assert " more" not in told
    assert f"“{'m' * EXCERPT_CHARS}”" in told
    assert f"“{'m' * EXCERPT_CHARS}…”" in told


def run(name: str, events: list[Event]) -> Side:
    trace = Trace(
        id=name,
        user_id="local",
        tool_name="deep_research",
        input_params={"question": "Who?"},
        created_at=datetime(2031, 5, 4, tzinfo=UTC),
    )
    return side(trace, events)


def searched(*queries: str) -> list[Event]:
    return numbered([SearchFinished(query=q, intent="raw", hits=1, fresh=1) for q in queries])


def test_queries_are_told_apart_in_their_order() -> None:
    outcome = compare(
        run("a", searched("mill", "weir", "mill", "sket")), run("b", searched("sket", "pell"))
    )
    assert outcome.queries.first == ("mill", "weir")
    assert outcome.queries.second == ("pell",)
    assert outcome.queries.both == ("sket",)


def test_runs_that_are_alike_differ_in_nothing() -> None:
    outcome = compare(run("a", whole_run()), run("b", whole_run()))
    assert outcome.sources.first == outcome.sources.second == ()
    assert outcome.sources.both == ("file:///notes/mill.pdf",)
    assert all(figure.first == figure.second for figure in outcome.figures)
    assert not [
        line for line in comparison_text(outcome).splitlines()[2:] if line.startswith(("- ", "+ "))
    ]


def test_answers_and_costs_stand_side_by_side() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    spend = finished.report.spend.model_copy(update={"tokens": 2_000_000, "cost_usd": 0.5})
    report = finished.report.model_copy(update={"answer": "Nobody knows.", "spend": spend})
    other: list[Event] = [finished.model_copy(update={"report": report})]
    shown = comparison_text(compare(run("a", whole_run()), run("b", other))).splitlines()
    assert "- The mill at Orrin was built by Tamsin Wray. [1]" in shown
    assert "+ Nobody knows." in shown
    assert [line.split() for line in shown if line.startswith(("tokens", "dollars"))] == [
        ["tokens", "1,234", "2,000,000"],
        ["dollars", "0.25", "0.5"],
    ]


def test_what_calls_without_a_price_cost_is_not_told_as_nothing() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    call = ModelCall(step="plan", model="house:tuned", usage=Usage(prompt_tokens=9))
    report = finished.report.model_copy(update={"calls": (call,)})
    unpriced: list[Event] = [finished.model_copy(update={"report": report})]
    both = compare(run("a", whole_run()), run("b", unpriced))
    assert [(each.first, each.second) for each in both.figures if each.name == "dollars"] == [
        (0.25, None)
    ]
    assert "dollars       0.25  –" in re.sub(" {2,}(?=–)", "  ", comparison_text(both))


def test_two_runs_are_told_line_by_line() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    spend = Spend(iterations=2, queries=3, reads=4, tokens=1_234, model_calls=1, cost_usd=0.125)
    report = finished.report.model_copy(
        update={"spend": spend, "seconds": 1_234.56, "confidence": 0.5, "answer": "It stood.\nSo."}
    )
    first = run("a", [*searched("mill", "weir"), finished.model_copy(update={"report": report})])
    assert comparison_text(compare(first, run("b", searched("weir", "pell")))) == (
        """\
- a, pending
+ b, pending

Question
  Who?

Queries
- mill
+ pell
  weir

Sources
- file:///notes/mill.pdf

Answer
- It stood.
- So.

Cost
              -        +
confidence    0.5      –
loops         2        –
queries       3        –
pages opened  4        –
citations     1        –
model calls   1        –
tokens        1,234    –
dollars       0.125    –
seconds       1,234.6  –
"""
    )


def test_what_neither_run_has_is_not_told() -> None:
    shown = comparison_text(compare(run("a", []), run("b", [])))
    assert not {"Queries", "Sources", "Answer"} & set(shown.splitlines())
    assert "Question\n  Who?" in shown


def test_the_last_report_and_each_source_once_are_compared() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    (citation,) = finished.report.citations
    again = citation.model_copy(update={"id": 2, "url": f"{citation.url}#p"})
    report = finished.report.model_copy(
        update={"citations": (citation, citation, again), "answer": "Later."}
    )
    events: list[Event] = [finished, finished.model_copy(update={"report": report})]
    outcome = compare(run("a", events), run("b", events))
    assert outcome.answers == ("Later.", "Later.")
    assert len(outcome.sources.both) == len(set(outcome.sources.both))
