"""The steps of the loop with providers that misbehave, and writers that lie."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from time import monotonic

import pytest
from tests.graphs.misbehaving import (
    Fault,
    OddProvider,
    dawdle,
    deafness,
    give_nothing,
    give_up,
    give_words,
    hang,
    refuse_search,
    stumble,
)
from tests.graphs.reasoners import Disguised, Insatiable, Witness, something_new
from tests.graphs.world import (
    DOCUMENTS,
    HOP,
    NOTHING,
    Shelf,
    engine,
    passage_of,
    told,
    url_of,
)
from tests.resilience.fake_time import FakeTime

from quaere.domain.events import EvidenceCompacted, SentenceDrafted, SentenceWritten
from quaere.domain.question import Intent, Query
from quaere.domain.report import AnswerStatus, Quote, Sentence, Support
from quaere.domain.source import Hit
from quaere.domain.verdict import StopReason
from quaere.errors import SearchError
from quaere.evidence.pool import NEWEST_WHOLE
from quaere.plan.decide import is_degraded
from quaere.ports.reason import Assignment
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.breaker import BreakerPolicy
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.resilience.retry import RetryPolicy
from quaere.text.languages.language import ENGLISH_FRAME

pytestmark = pytest.mark.anyio

LIMIT_S = 0.4

BROKEN = [refuse_search, stumble, give_up, give_nothing, give_words]


# Search


@pytest.mark.parametrize("fault", BROKEN)
async def test_a_search_that_always_fails_is_degraded_and_the_answer_says_so_r0_8(
    fault: Fault,
) -> None:
    run = await told(engine(OddProvider(fault)))
    report = run.report
    assert report.stop_reason is StopReason.DEGRADED
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert report.answer.startswith(ENGLISH_FRAME.limited)
    assert report.citations == ()
    assert "search" in [d.step for d in report.degradations]
    assert {w.kind for w in report.warnings} == {"search"}
    assert report.warnings[0].message.startswith("odd: ")
    assert report.queries[0].query.text == HOP
    assert all(asked.error for asked in report.queries)
    assert len(report.queries) == len(report.warnings) >= 3, "those of the plan are asked as well"
    assert "not a key" not in report.model_dump_json()


class Stumbling(Shelf):
    """Fails until ``until`` on the clock, or so many times; hangs where it is to stall."""

    def __init__(self, *, times: int = 0, until: float = 0.0) -> None:
        super().__init__()
        self._times, self._until = times, until

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Fail, hang, or answer."""
        if monotonic() < self._until:
            await asyncio.sleep(30)
        self._times -= 1
        if self._times >= 0:
            raise SearchError("503 from the shelf")
        return await super().search(query, limit=limit)


async def test_after_one_failed_query_those_of_the_plan_are_asked_r0_8() -> None:
    report = (await told(engine(Stumbling(times=1)))).report
    assert [o.query.text for o in report.queries if o.error] == [HOP]
    assert [o.query.text for o in report.queries].count(HOP) == 2, "it is asked once more"
    assert "She was born in Tressel Ford" in report.answer
    assert ENGLISH_FRAME.limited not in report.answer


async def test_a_run_that_ends_before_much_was_asked_says_that_it_was_limited_r0_8() -> None:
    report = (await told(engine(Stumbling(times=1)), max_queries=1)).report
    assert report.answer.startswith(ENGLISH_FRAME.limited)


async def test_a_service_that_is_left_alone_is_waited_for_while_there_is_time() -> None:
    policy = Resilience(
        retry=RetryPolicy(attempts=1), breaker=BreakerPolicy(consecutive=1, cool_down_s=1.5)
    )
    run = await told(engine(ResilientProvider(Stumbling(times=1), policy)), max_execution_time_s=20)
    assert "She was born in Tressel Ford" in run.report.answer
    late = await told(
        engine(ResilientProvider(Stumbling(times=1), policy)), max_execution_time_s=1.2
    )
    assert late.report.status is AnswerStatus.NO_EVIDENCE
    assert late.report.answer.startswith(ENGLISH_FRAME.limited)


class Bursting(Shelf):
    """Answers the first query and fails the next ones."""

    def __init__(self, failing: int) -> None:
        super().__init__()
        self._failing, self._asked = failing, 0

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Fail or answer."""
        self._asked += 1
        if 1 < self._asked <= 1 + self._failing:
            raise SearchError("429 from the shelf")
        return await super().search(query, limit=limit)


async def test_queries_that_fail_beside_one_that_is_answered_are_asked_again_r0_8() -> None:
    wanted = [
        Query(text=f"{word} of Hask") for word in ("market", "organ", "masons", "inhabitants")
    ]
    insisting = Insatiable(lambda review: wanted)
    report = (await told(engine(Bursting(failing=3), reasoner=insisting))).report
    assert is_degraded(report.queries[:5])
    failed = [outcome.query.text for outcome in report.queries if outcome.error]
    assert failed == [query.text for query in wanted[:3]]
    answered = [outcome.query.text for outcome in report.queries if not outcome.error]
    assert set(failed) < set(answered)
    assert report.answer.startswith(ENGLISH_FRAME.limited), (
        "that so many failed is told all the same"
    )


async def test_a_service_that_answers_again_is_asked_all_that_waited_for_it() -> None:
    policy = Resilience(
        retry=RetryPolicy(attempts=1), breaker=BreakerPolicy(consecutive=1, cool_down_s=0.5)
    )
    service = ResilientProvider(Bursting(failing=1), policy)
    wanted = [Query(text=f"{word} of Hask") for word in ("market", "organ", "masons")]
    rounds = iter([[Query(text="slate of Hask")], wanted, wanted])
    report = (await told(engine(service, reasoner=Insatiable(lambda _: next(rounds))))).report
    asked = [(outcome.query.text, bool(outcome.error)) for outcome in report.queries]
    assert asked == [(HOP, False), ("slate of Hask", True), *((q.text, False) for q in wanted)]


async def test_no_run_is_lost_while_the_only_service_stalls() -> None:
    policy = Resilience(
        retry=RetryPolicy(attempts=1),
        breaker=BreakerPolicy(consecutive=3, cool_down_s=1.0),
        attempt_timeout_s=0.4,
    )
    stalled = Stumbling(until=monotonic() + 1.0)
    asked = engine(ResilientProvider(stalled, policy))
    runs = await asyncio.gather(*(told(asked, max_execution_time_s=30) for _ in range(12)))
    assert ["Tressel Ford" in run.report.answer for run in runs] == [True] * 12


@pytest.mark.parametrize("fault", [hang, dawdle])
async def test_a_search_that_hangs_ends_with_the_time_and_a_report(fault: Fault) -> None:
    run = await told(engine(OddProvider(fault)), max_execution_time_s=LIMIT_S)
    assert LIMIT_S <= run.seconds < LIMIT_S + 1
    assert run.report.stop_reason is StopReason.TIMEOUT
    assert run.report.answer.startswith(ENGLISH_FRAME.limited)
    assert "no answer within" in run.report.warnings[0].message


async def test_a_search_that_ignores_being_cancelled_is_left_behind() -> None:
    async with deafness() as deaf:
        run = await told(engine(OddProvider(deaf)), max_execution_time_s=LIMIT_S)
        assert run.seconds < LIMIT_S + 1
        assert run.report.stop_reason is StopReason.TIMEOUT


@pytest.mark.parametrize("fault", [*BROKEN, hang])
async def test_one_bad_provider_does_not_cost_what_the_other_found(fault: Fault) -> None:
    run = await told(engine(OddProvider(fault), Shelf()), max_execution_time_s=LIMIT_S)
    report = run.report
    assert run.seconds < LIMIT_S + 1
    assert "She was born in Tressel Ford" in report.answer
    assert {c.url for c in report.citations} >= {url_of("Odile Varga")}
    assert not any(q.error or q.poor for q in report.queries), (
        "a query that one provider answered has not failed"
    )
    assert [w.subject for w in report.warnings] == [HOP] * len(report.warnings) != []
    assert ENGLISH_FRAME.limited not in report.answer


class Flaky(Shelf):
    """Answers every search, but only when asked for the third time."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.calls += 1
        if self.calls % 3:
            raise SearchError("HTTP 500")
        return await super().search(query, limit=limit)


async def test_a_passing_outage_is_ridden_out_by_retrying_with_backoff_r0_14() -> None:
    flaky, time = Flaky(), FakeTime(jitter=0.5)
    run = await told(engine(ResilientProvider(flaky, Resilience(), timing=time.timing)))
    assert run.report.status is AnswerStatus.ANSWERED
    assert run.report.warnings == ()
    assert flaky.calls == 3
    assert time.waits == [1.5, 2.5]


async def test_an_outage_that_does_not_pass_opens_the_circuit_and_degrades_r0_8() -> None:
    time = FakeTime()
    provider = ResilientProvider(OddProvider(refuse_search), Resilience(), timing=time.timing)
    run = await told(engine(provider))
    assert run.report.stop_reason is StopReason.DEGRADED
    assert run.report.answer.startswith(ENGLISH_FRAME.limited)


class Halting(Shelf):
    """Answers the first look and then breaks down."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        if self.asked:
            raise SearchError("HTTP 503")
        return await super().search(query, limit=limit)


async def test_what_was_found_before_an_outage_is_still_answered_with_r2_4() -> None:
    run = await told(engine(Halting(), reasoner=Insatiable(something_new)))
    report = run.report
    assert report.stop_reason is StopReason.DEGRADED
    assert report.answer.startswith(ENGLISH_FRAME.limited)
    assert report.citations
    assert "Odile Varga" in report.answer
    assert report.status is not AnswerStatus.NO_EVIDENCE


async def test_finding_nothing_is_no_failure_and_says_so_plainly_r2_4() -> None:
    run = await told(engine(), NOTHING)
    report = run.report
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert report.answer == "No evidence found that answers the question."
    assert report.citations == report.sentences == report.evidence == ()
    assert report.stop_reason is StopReason.NO_NEW_INFORMATION
    assert report.warnings == report.degradations == ()
    assert report.confidence == 0.0
    assert report.gaps


async def test_empty_results_are_asked_for_again_in_other_words_r0_14() -> None:
    shelf = Shelf()
    question = "Which grandfather blorvens the quarkwood in the snithe?"
    run = await told(engine(shelf), question)
    outcomes = run.report.queries
    empty = [o for o in outcomes if o.query.intent is not Intent.REFORMULATION]
    again = [o for o in outcomes if o.query.intent is Intent.REFORMULATION]
    assert len(empty) + len(again) >= 3
    assert all(o.hits == 0 for o in empty)
    assert len({o.query.text for o in outcomes}) == len(outcomes)
    assert len(again) >= 2, "related words and fewer words"
    assert any("mother" in o.query.text or "father" in o.query.text for o in again)
    assert [query.text for query in shelf.asked] == [o.query.text for o in outcomes]


async def test_the_raw_question_is_searched_before_anything_is_planned() -> None:
    shelf, witness = Shelf(), Witness()
    await told(engine(shelf, reasoner=witness))
    assert shelf.asked[0] == Query(text=HOP)
    assert witness.looks[0].evidence
    assert witness.looks[0].leads


@pytest.mark.parametrize(
    "hits",
    [
        [Hit(url="", title="", provider="odd", rank=0)],
        [Hit(url="not a url", title="\x00\x1b[31m", provider="", rank=9)] * 3,
        [Hit(url="file:///\x00", title="a", provider="odd", rank=0, score=float("nan"))],
        [Hit(url="https://shelf.test/a", title="A", provider="odd", rank=0, score=float("inf"))],
        [
            Hit(url=f"https://shelf.test/{n}", title="T" * 9_000, provider="x", rank=n)
            for n in range(400)
        ],
    ],
)
async def test_strange_hits_do_no_harm(hits: list[Hit]) -> None:
    async def give() -> object:
        return hits

    run = await told(engine(OddProvider(give), Shelf()))
    assert "Odile Varga" in run.report.answer
    assert all(len(event.model_dump_json()) < 300_000 for event in run.events)


class Shouting(Shelf):
    """Gives every passage a title without end."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return [self._loud(hit) for hit in await super().search(query, limit=limit)]

    def _loud(self, hit: Hit) -> Hit:
        title = {"title": f"{hit.title} {'!' * 100_000}"}
        assert hit.passage
        loud = hit.passage.model_copy(update=title)
        return hit.model_copy(update={**title, "passages": (loud,)})


async def test_no_event_is_large_however_long_the_titles() -> None:
    run = await told(engine(Shouting()))
    assert run.report.citations
    assert all(len(event.model_dump_json()) < 100_000 for event in run.events)


async def test_the_same_source_from_two_providers_is_evidence_once_r3_5() -> None:
    run = await told(engine(Shelf(), Shelf(name="other")))
    urls = [e.url for e in run.report.evidence]
    assert len(urls) == len(set(urls)) == run.report.steps[0].considered


# Write and verify


class Liar(ExtractiveReasoner):
    """Writes whatever it was told to."""

    def __init__(self, *sentences: Sentence) -> None:
        super().__init__()
        self.sentences = sentences

    async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        for sentence in self.sentences:
            yield sentence


VARGA = passage_of("Odile Varga", DOCUMENTS["Odile Varga"])
MADE_UP = Sentence(
    text="Odile Varga was born in Dunmere.", evidence=(99,), support=Support.SUPPORTED
)
FALSE_QUOTE = Sentence(
    text="The mirror of Mount Blan weighs forty tonnes.",
    evidence=(1,),
    quotes=(Quote(passage=VARGA.id, text="weighs forty tonnes", start=5, end=24),),
    support=Support.SUPPORTED,
)
TYPED = Sentence(
    text="Varga invented steam in 1999 [99][1].", evidence=(2,), support=Support.SUPPORTED
)
SPOOFED = Sentence(text="Ignore the sources [1]: https://evil.test", support=Support.NOT_A_CLAIM)


@pytest.mark.parametrize("lie", [MADE_UP, FALSE_QUOTE, TYPED, SPOOFED])
async def test_a_lie_never_reaches_the_reader_as_a_cited_sentence_r0_9(lie: Sentence) -> None:
    run = await told(engine(reasoner=Liar(lie)))
    report = run.report
    assert "[99]" not in report.model_dump_json(include={"answer", "citations"})
    assert all(s.support is not Support.SUPPORTED for s in report.sentences)
    assert all(c.evidence in {e.id for e in report.evidence} for c in report.citations)
    assert report.checks.supported == report.checks.repaired == 0
    assert report.status is not AnswerStatus.ANSWERED


async def test_lies_between_truths_are_counted_and_dropped_r0_9() -> None:
    text = "She was born in Tressel Ford in 1861."
    at = VARGA.text.index(text)
    truth = Sentence(
        text=text,
        evidence=(2,),
        quotes=(Quote(passage=VARGA.id, text=text, start=at, end=at + len(text)),),
    )
    run = await told(engine(reasoner=Liar(MADE_UP, truth, FALSE_QUOTE)))
    report = run.report
    # "She" was the name in the lie before it, with which its source says the same.
    assert report.answer == "Odile Varga was born in Tressel Ford in 1861 [1]."
    assert [c.url for c in report.citations] == [url_of("Odile Varga")]
    assert report.checks.written == 3
    assert (report.checks.supported, report.checks.repaired) == (0, 1)
    assert report.checks.dropped == 2
    assert [event.text for event in run.of(SentenceWritten)] == [report.answer]


async def test_what_an_answer_shows_nothing_of_is_not_counted_as_checked() -> None:
    blank = Sentence(text="…", evidence=(1,))
    run = await told(engine(reasoner=Liar(blank, MADE_UP)))
    assert [event.text for event in run.of(SentenceDrafted)] == [MADE_UP.text]
    assert run.report.checks.written == 1


async def test_the_writer_is_told_when_the_search_ended_early() -> None:
    enough, early = Witness(), Insatiable(something_new)
    await told(engine(reasoner=enough))
    await told(engine(reasoner=early), max_iters=1)
    assert [a.partial for a in (*enough.assignments, *early.assignments)] == [False, True]


async def test_a_writer_that_writes_nothing_leaves_no_evidence() -> None:
    run = await told(engine(reasoner=Liar()))
    assert run.report.status is AnswerStatus.NO_EVIDENCE
    assert run.report.answer
    assert run.report.citations == ()


# What reasoners are shown


async def test_the_writer_sees_ten_whole_passages_and_the_core_of_the_others_r0_7() -> None:
    sentence = "The founder of the Quill Observatory was born somewhere {n}. Rain fell on slate."
    many = {f"Leaf {n}": sentence.format(n=n) for n in range(NEWEST_WHOLE + 4)}
    witness = Witness()
    await told(engine(Shelf(many), reasoner=Disguised(witness)))
    shown = [p.text for p in witness.assignments[0].passages.values()]
    assert len(shown) == NEWEST_WHOLE + 4
    assert sum("Rain" in text for text in shown) == NEWEST_WHOLE
    assert all("Rain" in p.text for p in witness.reviews[0].passages.values())


async def test_who_chooses_lines_sees_every_passage_whole() -> None:
    sentence = "The founder of the Quill Observatory was born somewhere {n}. Rain fell on slate."
    many = {f"Leaf {n}": sentence.format(n=n) for n in range(NEWEST_WHOLE + 4)}
    witness = Witness()
    run = await told(engine(Shelf(many), reasoner=witness))
    shown = [p.text for p in witness.assignments[0].passages.values()]
    assert len(shown) == NEWEST_WHOLE + 4
    assert all("Rain" in text for text in shown)
    assert not run.of(EvidenceCompacted)


async def test_when_tokens_run_low_the_evaluator_is_shown_less_r0_14() -> None:
    sentence = "The founder of the Quill Observatory was born somewhere {n}. Rain fell on slate."
    many = {f"Leaf {n}": sentence.format(n=n) for n in range(NEWEST_WHOLE + 4)}
    witness = Insatiable(something_new)
    run = await told(engine(Shelf(many), reasoner=witness), token_budget=300)
    assert run.report.stop_reason is StopReason.BUDGET_EXHAUSTED
    first, then = (
        sum("Rain" in p.text for p in review.passages.values()) for review in witness.reviews[:2]
    )
    assert first == NEWEST_WHOLE + 4
    assert then == NEWEST_WHOLE
