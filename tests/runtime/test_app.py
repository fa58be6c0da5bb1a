"""What a process shares, and what every run of it gets, whoever asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest
from pydantic import SecretStr
from tests.graphs.minds import Mind
from tests.graphs.world import HOP, Shelf
from tests.services.postgres import Server

from quaere.domain.events import Event, ModelCalled, PlanMade, RunFailed, RunFinished
from quaere.domain.question import Query
from quaere.domain.report import Report
from quaere.domain.request import Cached, ModelChoice, Reuse, RunRequest, RunSpec
from quaere.domain.source import Hit
from quaere.domain.team import Inquiry, Reply, Strategy
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import (
    QuestionError,
    RunCancelled,
    SettingsError,
    TraceConflict,
    TraceNotFound,
    UsageError,
)
from quaere.runtime.app import App
from quaere.runtime.recorder import TraceRecorder
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings
from quaere.runtime.worker import WorkerPolicy
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
TWO = ("Who built the mill of Orrin", "when was the Plover launched")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mill.md").write_text("# The mill\n\nThe mill of Orrin was built by Tamsin Wray.\n")
    return docs


@pytest.fixture
def request_(notes: Path) -> RunRequest:
    return RunRequest(question="Who built the mill of Orrin?", docs=(notes,))


async def test_a_search_takes_one_folder_as_it_takes_a_list(
    settings: Settings, notes: Path
) -> None:
    async with App.open(settings) as app:
        for docs in (str(notes), notes, [str(notes)]):
            found = await app.search("mill of Orrin", docs=docs)
            assert [hit.title for hit in found.hits] == ["The mill"]


class Waiting(Shelf):
    """Answers no search until it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.asking = asyncio.Event()
        self.let = asyncio.Event()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asking.set()
        await self.let.wait()
        return await super().search(query, limit=limit)


async def told(run: LiveRun, *, until: type[Event] = RunFinished) -> list[Event]:
    told: list[Event] = []
    async for event in run.events():
        told.append(event)
        if isinstance(event, until):
            break
    return told


# What a run gets


async def test_a_run_leaves_a_trace_with_its_owner_whoever_asks_r4_3(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        run = await app.start(request_, ANN)
        report = await run.report()
        run.settle()
        traces = await app.traces()
        trace = await traces.get_trace(ANN, run.id)
        assert (trace.status, trace.user_id) == (TraceStatus.COMPLETED, "ann")
        assert trace.question == request_.question
        assert trace.result
        assert trace.result["answer"] == report.answer
        with pytest.raises(TraceNotFound):
            await traces.get_trace(Owner(user="ben"), run.id)


async def test_events_are_one_log_for_every_reader_live_and_late(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        run = await app.start(request_)
        first, second = await asyncio.gather(told(run), told(run))
        late = await told(run)
        behind = [event async for event in run.events(after=3)]
        run.settle()
        stored = await (await app.traces()).events(Owner(), run.id)
    assert first == second == late
    assert [event.seq for event in first] == list(range(1, len(first) + 1))
    assert behind == first[3:]
    assert [event.seq for event in stored] == [event.seq for event in first]


async def test_another_process_reads_the_same_run_from_the_database(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        run = await app.start(request_)
        report = await run.report()
        run.settle()
    async with App.open(settings) as other:
        stored = await other.run(run.id)
        assert await stored.report() == report
        assert [event.seq async for event in stored.events(after=2)][:2] == [3, 4]
        with pytest.raises(TraceConflict, match="already ended"):
            await stored.finish()
        with pytest.raises(TraceNotFound):
            await other.run(run.id, ANN)


async def test_a_second_run_is_answered_from_the_cache_r2_5(settings: Settings) -> None:
    shelf = Shelf()
    async with App.open(settings, providers=[shelf]) as app:
        for cached, asked in ((Cached.USE, 1), (Cached.USE, 1), (Cached.REFRESH, 2)):
            run = await app.start(RunRequest(question=HOP, cached=cached, profile=None))
            await run.report()
            run.settle()
            assert shelf.asked.count(shelf.asked[0]) == asked


async def test_what_must_not_be_kept_stays_in_the_process(tmp_path: Path) -> None:
    """A server of the cache that cannot be reached is not even tried."""
    shelf = Shelf()
    nowhere = Settings(
        cache_dir=tmp_path, data_dir=tmp_path, cache_url="redis://127.0.0.1:9/0", store_pages=False
    )
    async with App.open(nowhere, providers=[shelf]) as app:
        for _ in range(2):
            run = await app.start(RunRequest(question=HOP))
            await run.report()
            assert not run.resumable
            assert any("QUAERE_STORE_PAGES=false" in notice for notice in run.notices)
        assert shelf.asked.count(shelf.asked[0]) == 1


async def test_models_are_asked_again_unless_their_answers_are_kept_too(
    settings: Settings,
) -> None:
    for kept, times in ((False, 2), (True, 1)):
        model = ScriptedModel(Mind())
        with_model = settings.model_copy(update={"model": "test:mind", "cache_models": kept})
        async with App.open(with_model, providers=[Shelf()], models={"test:mind": model}) as app:
            counts: list[int] = []
            for _ in range(2):
                run = await app.start(RunRequest(question=HOP))
                await run.report()
                run.settle()
                counts.append(len(model.requests))
        assert counts[1] == times * counts[0]


# Stopping, resuming, cancelling


async def test_a_run_that_is_stopped_can_be_resumed_until_its_report_is_taken(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        whole = await app.start(request_)
        report = await whole.report()
        whole.settle()
        assert app.stopped() == []
        spec = RunSpec(request=request_, run_id="again-1")
        await told(await app.start(spec), until=PlanMade)
    async with App.open(settings) as app:
        (stopped,) = app.stopped()
        assert (stopped.spec.run_id, stopped.answers) == ("again-1", 1)
        run = await app.resume("again")
        assert (await run.report()).answer == report.answer
        await run.stop()
        assert app.stopped(), "until the report is where it belongs"
        run.settle()
        assert app.stopped() == []
        with pytest.raises(UsageError, match="again-1"):
            await app.resume("again-1")
        trace = await (await app.traces()).get_trace(Owner(), "again-1")
        assert trace.status is TraceStatus.COMPLETED


async def test_a_resumed_run_tells_each_model_call_once(settings: Settings) -> None:
    with_model = settings.model_copy(update={"model": "test:mind"})
    model = ScriptedModel(Mind())
    async with App.open(with_model, providers=[Shelf()], models={"test:mind": model}) as app:
        await told(
            await app.start(RunSpec(request=RunRequest(question=HOP), run_id="called")),
            until=ModelCalled,
        )
    async with App.open(with_model, providers=[Shelf()], models={"test:mind": model}) as app:
        run = await app.resume("called")
        report = await run.report()
        run.settle()
        stored = await (await app.traces()).events(Owner(), "called")
    calls = [event.call for event in stored if isinstance(event, ModelCalled)]
    assert [each.step for each in calls] == [each.step for each in report.calls]
    under_way = len(model.requests) - len(report.calls)  # when it was stopped
    assert under_way in {0, 1}


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".", "*", "\x00"])
async def test_an_id_that_is_no_id_is_refused(settings: Settings, name: str) -> None:
    async with App.open(settings) as app:
        with pytest.raises(UsageError):
            await app.resume(name)


async def test_a_cancelled_run_ends_its_log_and_is_not_resumed(settings: Settings) -> None:
    shelf = Waiting()
    async with App.open(settings, providers=[shelf]) as app:
        run = await app.start(RunRequest(question=HOP))
        await shelf.asking.wait()
        await run.cancel()
        events = await told(run, until=RunFailed)
        last = events[-1]
        assert isinstance(last, RunFailed)
        assert last.error_type == "run_cancelled"
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        with pytest.raises(RunCancelled):
            await run.report()
        assert app.stopped() == []
        trace = await (await app.traces()).get_trace(Owner(), run.id)
        assert trace.status is TraceStatus.CANCELLED


async def test_runs_that_ended_long_ago_are_told_of_by_their_traces(
    settings: Settings, request_: RunRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may make any number of runs: it holds the last ones and those at work alone."""
    monkeypatch.setattr("quaere.runtime.app.REMEMBERED", 2)
    shelf = Waiting()
    async with App.open(settings, providers=[shelf]) as app:
        at_work = await app.start(RunRequest(question=HOP, providers=("shelf",)))
        ended = [await app.start(request_) for _ in range(4)]
        reports = [await run.report() for run in ended]
        await app.start(request_)
        assert await app.run(at_work.id) is at_work
        told_of = [await app.run(run.id) for run in ended]
        assert [isinstance(run, LiveRun) for run in told_of] == [False, False, True, True]
        assert [(await run.report()).answer for run in told_of] == [r.answer for r in reports]


async def test_closing_the_app_stops_its_runs_and_they_can_be_resumed(settings: Settings) -> None:
    shelf = Waiting()
    async with App.open(settings, providers=[shelf]) as app:
        run = await app.start(RunRequest(question=HOP))
        await shelf.asking.wait()
    assert run.over
    shelf.let.set()
    async with App.open(settings, providers=[shelf]) as app:
        assert [each.spec.run_id for each in app.stopped()] == [run.id]
        again = await app.resume(run.id)
        assert (await again.report()).citations
        again.settle()


async def test_a_run_that_was_stopped_with_its_app_was_not_cancelled(settings: Settings) -> None:
    shelf = Waiting()
    async with App.open(settings, providers=[shelf]) as app:
        run = await app.start(RunRequest(question=HOP))
        await shelf.asking.wait()
    with pytest.raises(RunCancelled, match="stopped before it had a report"):
        await run.report()


async def test_an_app_that_is_closed_begins_nothing(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        pass
    for asked_for in (app.start(request_), app.submit(request_), app.traces(), app.search("mill")):
        with pytest.raises(UsageError, match="closed"):
            await asked_for
    assert not (settings.data_dir or Path()).exists(), "nothing was kept of it"
    await app.aclose()


async def test_a_run_is_not_begun_whose_app_was_closed_while_it_was_prepared(
    settings: Settings, request_: RunRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, preparing, closed = App(settings), threading.Event(), threading.Event()

    class Slow(TraceRecorder):
        def __init__(
            self, settings: Settings, spec: RunSpec, owner: Owner, notice: Callable[[str], None]
        ) -> None:
            preparing.set()
            closed.wait(10)
            super().__init__(settings, spec, owner, notice)

    monkeypatch.setattr("quaere.runtime.app.TraceRecorder", Slow)
    starting = asyncio.create_task(app.start(request_))
    await asyncio.to_thread(preparing.wait, 10)
    await app.aclose()
    closed.set()
    with pytest.raises(UsageError, match="closed"):
        await starting
    assert list((settings.data_dir or Path()).rglob("*.events")) == []


class Saying:
    """Replies with the same to whatever is asked."""

    def __init__(self, said: object) -> None:
        self._said = said

    async def ask(self, inquiry: Inquiry) -> Reply:
        return cast("Reply", self._said)


@pytest.mark.parametrize(
    ("said", "kept"),
    [("2", 1), (Reply(text="2"), 1), (Reply(), 2), ("yes", 2), ("no", None), (None, None)],
)
async def test_what_a_human_of_ones_own_says_is_read_as_at_a_terminal(
    settings: Settings, notes: Path, said: object, kept: int | None
) -> None:
    shown = RunRequest(
        question=f"{TWO[0]}, and {TWO[1]}?",
        docs=(notes,),
        strategy=Strategy.SUPERVISOR,
        approve_plan=True,
    )
    async with App.open(settings) as app:
        run = await app.start(shown, human=Saying(said))
        if kept is None:
            with pytest.raises(UsageError):
                await run.report()
        else:
            assert len((await run.report()).dispatched_topics) == kept


async def test_a_run_is_resumed_as_it_was_begun_whatever_the_settings_say_now(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_MAX_CONCURRENT_RESEARCH_UNITS", "2")
    shelf, model = Waiting(), ScriptedModel(Mind())
    began = settings.model_copy(update={"model": "test:one", "deep_max_iters": 7})
    async with App.open(began, providers=[shelf], models={"test:one": model}) as app:
        run = await app.start(RunRequest.of(question=HOP, profile="deep"))
        await shelf.asking.wait()
    monkeypatch.setenv("QUAERE_MAX_CONCURRENT_RESEARCH_UNITS", "9")
    shelf.let.set()
    other = settings.model_copy(update={"model": "test:two"})
    models = {"test:one": model, "test:two": ScriptedModel(Mind())}
    async with App.open(other, providers=[shelf], models=models) as app:
        resumed = await app.resume(run.id)
        report = await resumed.report()
        resumed.settle()
    assert report.budget.max_iters == 7
    assert resumed.spec.settled == run.spec.settled
    assert resumed.spec.settled
    assert resumed.spec.settled.supervision["max_concurrent_research_units"] == 2
    assert model.requests
    assert models["test:two"].requests == []


# What cannot be asked


async def test_what_cannot_be_asked_is_refused_before_anything_is_kept(
    settings: Settings, notes: Path
) -> None:
    async with App.open(settings) as app:
        for error, fields in (
            (QuestionError, {"question": "  "}),
            (UsageError, {"question": "Who?", "docs": [notes / "nowhere"]}),
            (UsageError, {"question": "Who?", "providers": ["nobody"]}),
            (SettingsError, {"question": "Who?", "docs": [notes], "limits": {"max_iters": 0}}),
            (SettingsError, {"question": "Who?", "models": {"general": "nobody:x"}}),
        ):
            with pytest.raises(error):
                await app.start(RunRequest.of(**fields))
            if fields.get("docs") == [notes / "nowhere"]:  # its worker may have that folder
                continue
            with pytest.raises(error):
                await app.submit(RunRequest.of(**fields))
        assert app.stopped() == []
        assert (await (await app.traces()).list_traces(Owner())).traces == ()


@pytest.mark.parametrize("step", ModelChoice.model_fields)
async def test_a_misspelt_model_is_refused_when_it_is_asked_for(
    settings: Settings, notes: Path, step: str
) -> None:
    own = {"test:house": ScriptedModel(Mind())}
    async with App.open(settings, models=own) as app:
        for name in ("zzz", "openai:", "\x86", "opnai:gpt-4.1"):
            request = RunRequest.of(question="Who?", docs=[notes], models={step: name})
            with pytest.raises(SettingsError):
                await app.submit(request)
            with pytest.raises(SettingsError):
                await app.estimate(request)
        usable = dict.fromkeys(ModelChoice.model_fields, "openai:gpt-4.1-mini")
        request = RunRequest.of(question="Who?", docs=[notes], models=usable | {step: "test:house"})
        await app.submit(request)


async def test_a_question_may_be_asked_as_text(settings: Settings, notes: Path) -> None:
    own = settings.model_copy(update={"docs": (notes,)})
    async with App.open(own) as app:
        run = await app.start("Who built the mill of Orrin?")
        assert "Tamsin Wray" in (await run.report()).answer
        assert (await app.estimate("Who built the mill of Orrin?")).providers == ("folder",)
        for call in (app.start, app.submit, app.estimate):
            with pytest.raises(UsageError, match=r"the question as text.+not with int"):
                await call(cast("str", 5))


async def test_one_id_is_one_run(settings: Settings) -> None:
    shelf = Waiting()
    async with App.open(settings, providers=[shelf]) as app:
        spec = RunSpec.of(HOP, run_id="one")
        await app.start(spec)
        with pytest.raises(UsageError, match="one"):
            await app.start(spec)
        shelf.let.set()


# What is shared


async def test_runs_side_by_side_share_one_guard_of_a_service(settings: Settings) -> None:
    async with App.open(settings, providers=[Shelf()]) as app:
        web = app.resources.web
        assert web.providers(["shelf"])[0] is web.providers(["shelf"])[0]


async def test_submitted_runs_are_made_by_the_worker_of_an_app(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        trace = await app.submit(request_, ANN)
    async with App.open(settings) as worker:
        await (await worker.worker(WorkerPolicy(drain=True))).run()
        report = await (await worker.run(trace.id, ANN)).report()
    assert "Tamsin Wray" in report.answer


async def test_a_similar_earlier_question_is_offered_to_its_owner_alone_r4_5(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        assert await app.similar(request_.question) is None
        run = await app.start(request_)
        await run.report()
        run.settle()
        before = await app.similar("Who built the mill of Orrin")
        assert before
        assert before.run_id == run.id
        await app.traces()  # takes the files in
        stored = await app.similar(request_.question)
        assert stored
        assert stored.run_id == run.id
        assert await app.similar("Who built the bridge of Orrin?") is None
        assert await app.similar(request_.question, ANN) is None


async def asked(app: App, request: RunRequest, owner: Owner = ANN) -> Report:
    run = await app.start(request, owner)
    report = await run.report()
    run.settle()
    return report


async def test_the_report_and_the_last_event_offer_an_earlier_run_r4_5(
    settings: Settings, request_: RunRequest
) -> None:
    async with App.open(settings) as app:
        first = await asked(app, request_)
        assert first.earlier_run is None
        run = await app.start(request_, ANN)
        *_, last = [event async for event in run.events()]
        assert isinstance(last, RunFinished)
        assert last.report.earlier_run
        assert last.report.earlier_run.run_id == first.run_id
        assert (await run.report()).earlier_run == last.report.earlier_run
        for reuse in (Reuse.NEVER, Reuse.USE):
            other = await asked(app, request_.model_copy(update={"reuse": reuse}))
            assert other.earlier_run is None
        assert (await asked(app, request_, BEN)).earlier_run is None


async def test_an_earlier_run_is_offered_from_a_shared_database_r4_5(
    settings: Settings, request_: RunRequest, postgres: Server, tmp_path: Path
) -> None:
    """Issue 12: only the files of one machine were looked into."""
    shared = settings.model_copy(update={"database_url": SecretStr(postgres.create())})
    async with App.open(shared) as app:
        await (await app.database()).upgrade()
        first = await asked(app, request_)
        await app.traces()  # takes the files in
    elsewhere = shared.model_copy(update={"data_dir": tmp_path / "elsewhere"})
    async with App.open(elsewhere) as app:
        second = await asked(app, request_)
        assert second.earlier_run
        assert second.earlier_run.run_id == first.run_id
        assert (await asked(app, request_, BEN)).earlier_run is None
        trace = await app.submit(request_, ANN)
        await (await app.worker(WorkerPolicy(drain=True))).run()
        made = await (await app.run(trace.id, ANN)).report()
        assert made.earlier_run
        assert made.earlier_run.run_id in {first.run_id, second.run_id}


async def test_a_database_that_is_away_costs_the_offer_and_no_answer(
    settings: Settings, request_: RunRequest
) -> None:
    gone = SecretStr("postgresql://nobody@127.0.0.1:1/none")
    async with App.open(settings.model_copy(update={"database_url": gone})) as app:
        report = await asked(app, request_)
    assert "Tamsin Wray" in report.answer
    assert report.earlier_run is None
