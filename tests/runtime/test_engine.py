"""The engine as its callers see it: questions in, one whole log of events and a report out."""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.contracts.clock import ClockContract
from tests.graphs.misbehaving import Deaf, deafness
from tests.graphs.reasoners import Witness
from tests.graphs.world import DOCUMENTS, HOP, PLAIN, Shelf, Still, engine, told

from quaere.domain.budget import ProfileName
from quaere.domain.events import IndexProgress, Phase, RunFailed, RunStarted, WarningRaised
from quaere.domain.question import MAX_QUESTION_CHARS, AnswerForm, Query
from quaere.domain.report import AnswerStatus, RunWarning
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import Hit
from quaere.domain.team import Strategy
from quaere.errors import FolderIndexError, QuaereError, QuestionError, SettingsError
from quaere.resilience.timing import Clock, SystemClock
from quaere.runtime.engine import PREPARING_SHARE, checked_question

pytestmark = pytest.mark.anyio


class TestSystemClock(ClockContract):
    @pytest.fixture
    def clock(self) -> Clock:
        return SystemClock()


# Questions


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n\u2003",
        "?!…",
        "\x00\x07\x1b",
        "🦋🦋",
        "x" * (MAX_QUESTION_CHARS + 1),
        "y" * 1_000_000,
    ],
    ids=lambda text: repr(text[:12]),
)
async def test_what_is_no_question_is_refused_before_the_run_begins(text: str) -> None:
    shelf = Shelf()
    events = engine(shelf).stream(RunSpec.of(text))
    with pytest.raises(QuestionError) as caught:
        await anext(events)
    assert caught.value.message.endswith((".", "?"))
    assert shelf.asked == []


async def test_half_characters_become_question_marks() -> None:
    witness = Witness()
    run = await told(engine(reasoner=witness), "Where is Hask\ud800?", context="a talk \udfff")
    assert run.report.question == "Where is Hask??"
    assert witness.looks[0].question.context == "a talk ?"


async def test_a_context_without_end_is_refused() -> None:
    with pytest.raises(QuestionError, match="The context has 100,001 characters"):
        await engine().run(RunSpec.of(PLAIN, context="x" * 100_001))
    longest = "x" * 100_000
    assert checked_question(RunRequest.of(question=PLAIN, context=longest)).context == longest


def test_the_last_question_is_asked_again_in_the_form_that_a_follow_up_asks_for() -> None:
    turn = {"question": PLAIN, "answer": "It was."}
    again = RunRequest.of(question="as a table please", conversation=(turn,))
    question = checked_question(again)
    assert (question.full_text, question.form) == (PLAIN, AnswerForm.TABLE)
    chosen = checked_question(again.model_copy(update={"form": AnswerForm.LIST}))
    assert chosen.form is AnswerForm.LIST
    assert checked_question(RunRequest.of(question="as a table please")).form is None


@pytest.mark.parametrize("strategy", [Strategy.LOOP, Strategy.SUPERVISOR])
async def test_what_asks_nothing_is_answered_so_and_not_searched_for(strategy: Strategy) -> None:
    shelf = Prepared()
    turn = {"question": "Wer hat die Mühle gebaut?", "answer": "Das war Tamsin."}
    for request, said in (
        (RunRequest.of(question="Thanks!", strategy=strategy), "so nothing was searched for"),
        (
            RunRequest.of(question="Super, danke", conversation=(turn,), strategy=strategy),
            "deshalb wurde nichts gesucht",
        ),
    ):
        report = await engine(shelf).run(RunSpec(request=request))
        assert said in report.answer
        assert (report.status, report.spend.queries) == (AnswerStatus.NO_EVIDENCE, 0)
        assert (report.sentences, report.gaps, report.read_as) == ((), (), "")
    assert (shelf.asked, shelf.ready) == ([], False)
    await engine(shelf).run(RunSpec.of("Nice"))
    assert shelf.asked


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "42",
        "Hask " * 4_000,
        "\x00Where\x1b[31m is\x08 Hask?\x7f",
        "\u202eHask\u202c?",
        "أين تقع هاسك؟",
        "ハスクはどこですか",
        "'; DROP TABLE passages; -- Hask",
        "Hask AND (OR NOT) title:Hask^9",
        "e\u0301" * 5_000,
        "?" * 9_000 + "Hask",
        "Who?" * 2_000,
        "Compare Hask and Hask.",
        "Hask and Hask and Hask and " * 250,
        "the of and to",
    ],
    ids=lambda text: repr(text[:12]),
)
async def test_odd_questions_come_to_a_report(text: str) -> None:
    run = await told(engine(clock=Still()), text, context=text)
    assert run.report.question == text
    assert run.report.answer
    assert bool(run.report.citations) == (run.report.status is not AnswerStatus.NO_EVIDENCE)
    assert all(len(event.model_dump_json()) < 400_000 for event in run.events)
    assert run.seconds < 10


@pytest.mark.parametrize(
    "limits", [{"max_iters": 0}, {"max_execution_time_s": float("nan")}, {"max_sources": -1}]
)
async def test_a_limit_out_of_its_range_is_named(limits: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match=next(iter(limits))):
        await engine().run(RunSpec.of(HOP, limits=limits))


# Runs


async def test_a_run_returns_what_its_last_event_carries() -> None:
    clock = Still()
    run = await told(engine(clock=clock), run_id="r-1")
    assert run.report == await engine(clock=clock).run(RunSpec.of(HOP, run_id="r-1"))
    assert run.report.run_id == "r-1"
    assert run.report.reasoner == "extractive"


async def test_a_run_says_what_it_is_asked_and_may_spend() -> None:
    run = await told(engine(), PLAIN, profile=ProfileName.CHAT, max_sources=3)
    first = run.events[0]
    assert isinstance(first, RunStarted)
    assert (first.question, first.profile) == (PLAIN, ProfileName.CHAT)
    assert first.budget == run.report.budget
    assert first.budget.max_sources == 3


async def test_runs_have_names_of_their_own() -> None:
    first, other = await told(engine()), await told(engine())
    assert first.report.run_id != other.report.run_id != ""


async def test_events_bear_the_time_of_the_clock() -> None:
    run = await told(engine(clock=Still()))
    assert {event.at for event in run.events} == {"2031-05-04T03:02:01.000+00:00"}
    run = await told(engine())
    times = [datetime.fromisoformat(event.at) for event in run.events]
    assert times == sorted(times)
    assert abs((datetime.now(UTC) - times[-1]).total_seconds()) < 60


async def test_the_same_run_makes_the_same_report_to_the_byte() -> None:
    first, again = [await told(engine(clock=Still()), run_id="r") for _ in range(2)]
    assert first.report.model_dump_json() == again.report.model_dump_json()
    assert [e.model_dump_json() for e in first.events] == [
        e.model_dump_json() for e in again.events
    ]


def name_of(question: str) -> str:
    return "-".join(re.findall(r"\w+", question))[:60]


async def test_runs_side_by_side_do_not_mix() -> None:
    asked = engine(clock=Still())
    questions = [HOP, PLAIN, "When was Anselm Pryce born?", "What does Hask sell?", HOP]
    alone = [(await told(asked, q, run_id=name_of(q))).report for q in questions]
    together = await asyncio.gather(*(told(asked, q, run_id=name_of(q)) for q in questions))
    assert [run.report for run in together] == alone


async def test_the_context_reaches_the_reasoner() -> None:
    witness = Witness()
    await told(engine(reasoner=witness), context="for a talk on astronomers")
    assert witness.looks[0].question.context == "for a talk on astronomers"
    assert witness.reviews[0].question.context == "for a talk on astronomers"
    assert witness.assignments[0].question.context == "for a talk on astronomers"


async def test_a_run_without_providers_finds_nothing() -> None:
    bare = engine()
    run = await told(type(bare)(providers=(), **{n: getattr(bare, n) for n in KEPT}))
    assert run.report.status is AnswerStatus.NO_EVIDENCE


KEPT = ("reasoner", "reader", "chunker", "clock")


# Ending early


class Waiting(Shelf):
    """Never answers; notes when it is told to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.stopped = asyncio.Event(), asyncio.Event()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped.set()
        raise AssertionError


async def test_cancelling_a_run_stops_its_searches() -> None:
    shelf = Waiting()
    task = asyncio.create_task(engine(shelf).run(RunSpec.of(HOP)))
    await asyncio.wait_for(shelf.began.wait(), 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert shelf.stopped.is_set()


async def test_closing_the_stream_ends_the_run() -> None:
    shelf = Waiting()
    events = engine(Shelf(), shelf).stream(RunSpec.of(HOP))
    async for event in events:
        if event.phase is Phase.SEARCHING:
            break
    await asyncio.wait_for(shelf.began.wait(), 2)
    await events.aclose()
    assert shelf.stopped.is_set()
    with pytest.raises(StopAsyncIteration):
        await anext(events)


# Bugs


class BadStatistics(Shelf):
    """Knows how common words are, and stumbles over telling it."""

    def document_share(self, word: str) -> float:
        raise KeyError(word)


async def test_a_bug_ends_the_run_in_a_typed_error_and_the_log_with_it() -> None:
    run = await told(engine(BadStatistics()))
    assert type(run.error) is QuaereError
    assert isinstance(run.error.__cause__, KeyError)
    last = run.events[-1]
    assert isinstance(last, RunFailed)
    assert (last.error_type, last.retryable) == ("quaere_error", False)
    assert "KeyError" in last.message
    assert "founder" not in last.message


# Getting ready


Behaviour = Callable[[Callable[[int, int, int], None]], "asyncio.Future[Sequence[RunWarning]]"]


class Prepared(Shelf):
    """Gets ready in three steps before it can be searched."""

    def __init__(self, fault: BaseException | Deaf | None = None, wait_s: float = 0.0) -> None:
        super().__init__()
        self.ready, self.stopped = False, False
        self._fault, self._wait_s = fault, wait_s

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        progress(0, 2, 0)
        try:
            await asyncio.sleep(self._wait_s)
        finally:
            self.stopped = True
        if isinstance(self._fault, Deaf):
            await self._fault()
        elif self._fault:
            raise self._fault
        progress(2, 2, len(DOCUMENTS))
        self.ready = True
        return [RunWarning(kind="index", message="torn.pdf is damaged", subject="torn.pdf")]


async def test_a_provider_gets_ready_before_it_is_searched() -> None:
    shelf = Prepared()
    run = await told(engine(shelf))
    assert shelf.ready
    steps = run.of(IndexProgress)
    assert [(e.done, e.total, e.passages) for e in steps] == [(0, 2, 0), (2, 2, len(DOCUMENTS))]
    assert {(e.phase, e.folder) for e in steps} == {(Phase.INDEXING, "shelf")}
    assert [type(e) for e in run.events[:4]] == [
        RunStarted,
        IndexProgress,
        IndexProgress,
        WarningRaised,
    ]
    assert [w.subject for w in run.report.warnings] == ["torn.pdf"]
    assert run.report.status is AnswerStatus.ANSWERED


async def test_a_provider_that_never_gets_ready_leaves_time_for_the_answer() -> None:
    shelf = Prepared(wait_s=30)
    run = await told(engine(shelf), max_execution_time_s=0.6)
    assert 0.6 * PREPARING_SHARE <= run.seconds < 0.6 + 1
    assert shelf.stopped
    assert "not finished" in run.report.warnings[0].message
    assert run.report.citations, "it can be searched as far as it is"


async def test_a_provider_that_cannot_be_stopped_is_left_behind() -> None:
    async with deafness() as deaf:
        run = await told(engine(Prepared(deaf)), max_execution_time_s=0.3)
        assert run.seconds < 0.3 + 1
        assert "not finished" in run.report.warnings[0].message


async def test_a_provider_that_cannot_get_ready_ends_the_run() -> None:
    run = await told(engine(Prepared(FolderIndexError("The disk is full."))))
    assert isinstance(run.error, FolderIndexError)
    assert isinstance(run.events[-1], RunFailed)
    assert run.events[-1].error_type == "folder_index_error"


async def test_a_bug_in_getting_ready_is_a_warning() -> None:
    run = await told(engine(Prepared(KeyError("secret"))))
    assert run.report.status is AnswerStatus.ANSWERED
    assert run.report.warnings[0].message == "shelf: KeyError, a bug in this provider"


# Warming


async def test_what_still_warms_when_the_run_ends_is_ended_without_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended: list[str] = []

    async def hang() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("hang")

    async def fail() -> None:
        raise QuaereError("nothing to warm")

    run = await told(replace(engine(), warming=(hang, fail)))
    assert run.report.status is AnswerStatus.ANSWERED
    await asyncio.sleep(0.01)
    gc.collect()
    assert ended == ["hang"]
    assert not caplog.records
