"""Runs that are kept while they go on."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.graphs.minds import Mind, thinking
from tests.store.recording.test_journal import Kept, report_of

from quaere.domain.events import PlanMade, RunFinished
from quaere.domain.profile import ProfileName
from quaere.errors import ModelError, SettingsError, UsageError
from quaere.resilience.clock import SystemClock
from quaere.runtime.resumable import ResumableRun, engine_of, journaled, stopped_runs
from quaere.runtime.settings import Settings
from quaere.store.recording.recording import Journal
from quaere.store.recording.run_file import Begun, RunRequest
from quaere.testing import ScriptedEmbedder, ScriptedModel

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


@pytest.fixture
def request_(tmp_path: Path) -> RunRequest:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mill.md").write_text("# The mill\n\nThe mill of Orrin was built by Tamsin Wray.\n")
    return RunRequest(question="Who built the mill of Orrin?", docs=(docs,))


async def told(run: ResumableRun, *, until: type[object] = RunFinished) -> list[object]:
    told: list[object] = []
    async with run.engine, aclosing(run.stream()) as events:
        async for event in events:
            told.append(event)
            if isinstance(event, until):
                break
    return told


async def test_a_run_that_is_stopped_can_be_resumed_until_it_is_over(
    settings: Settings, request_: RunRequest
) -> None:
    run = ResumableRun.begin(settings, request_)
    whole = (await told(run))[-1]
    run.done()
    assert stopped_runs(settings) == []
    again = request_.model_copy(update={"run_id": "again"})
    await told(ResumableRun.begin(settings, again), until=PlanMade)
    (stopped,) = stopped_runs(settings)
    assert (stopped.request.run_id, stopped.answers) == ("again", 1)
    run = ResumableRun.resume(settings, "again")
    resumed = (await told(run))[-1]
    run.file.close()
    assert stopped_runs(settings), "until the report is where it belongs"
    run.done()
    assert isinstance(whole, RunFinished)
    assert isinstance(resumed, RunFinished)
    assert resumed.report.answer == whole.report.answer
    assert stopped_runs(settings) == []
    with pytest.raises(UsageError, match="no run 'again'"):
        ResumableRun.resume(settings, "again")


@pytest.mark.parametrize("name", ["", "../x", "a/b", "."])
def test_a_name_that_is_a_path_is_refused(settings: Settings, name: str) -> None:
    with pytest.raises(UsageError):
        ResumableRun.resume(settings, name)


async def test_a_run_goes_on_with_the_models_that_it_was_begun_with(
    settings: Settings, request_: RunRequest
) -> None:
    served = {"": "http://127.0.0.1:9/v1"}
    named = settings.model_copy(update={"model": "compatible:one", "model_base_url": served})
    run = ResumableRun.begin(named, request_)
    assert run.engine.reasoner.name == "compatible:one"
    run.file.close()
    other = settings.model_copy(update={"model": "compatible:two", "model_base_url": served})
    resumed = ResumableRun.resume(other, request_.run_id)
    assert resumed.engine.reasoner.name == "compatible:one"
    resumed.file.remove()
    without = ResumableRun.begin(settings, request_)
    without.file.close()
    resumed = ResumableRun.resume(other, request_.run_id)
    assert resumed.engine.reasoner.name == "extractive"
    resumed.file.remove()
    assert engine_of(other, request_).reasoner.name == "compatible:two", "a worker uses its own"


async def test_a_run_goes_on_with_the_limits_and_the_supervisor_that_it_was_begun_with(
    settings: Settings, request_: RunRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_MAX_CONCURRENT_RESEARCH_UNITS", "2")
    monkeypatch.setenv("QUAERE_ENABLE_EARLY_TERMINATION", "false")
    began = settings.model_copy(update={"deep_max_iters": 7, "embedder_same": 0.6})
    run = ResumableRun.begin(began, request_)
    before = run.engine
    assert before.configuration.max_concurrent_research_units == 2
    assert before.profiles[ProfileName.DEEP].max_iters == 7
    run.file.close()
    monkeypatch.setenv("QUAERE_MAX_CONCURRENT_RESEARCH_UNITS", "9")
    monkeypatch.delenv("QUAERE_ENABLE_EARLY_TERMINATION")
    resumed = ResumableRun.resume(settings, request_.run_id)
    after = resumed.engine
    assert after.configuration == before.configuration
    assert after.profiles == before.profiles
    assert after.same_cosine == before.same_cosine == 0.6
    resumed.file.remove()
    worker = engine_of(settings, request_)
    assert worker.configuration.max_concurrent_research_units == 9, "a worker uses its own"
    assert "begun" not in resumed.file.request.asking


async def test_a_supervisor_of_another_version_is_refused(
    settings: Settings, request_: RunRequest
) -> None:
    odd = Begun(configuration={"max_concurrent_research_units": 999}, budgets={})
    with pytest.raises(SettingsError, match="max_concurrent_research_units"):
        engine_of(settings, request_.model_copy(update={"begun": odd}))


async def test_a_run_goes_on_with_the_embedder_that_it_was_begun_with(
    settings: Settings, request_: RunRequest
) -> None:
    def named(embedder: str | None) -> Settings:
        served = {"": "http://127.0.0.1:9/v1"}
        return settings.model_copy(update={"embedder": embedder, "model_base_url": served})

    for began, found in (("compatible:one", "compatible:one"), (None, None)):
        run = ResumableRun.begin(named(began), request_)
        run.file.close()
        resumed = ResumableRun.resume(named("compatible:two"), request_.run_id)
        embedder = resumed.engine.embedder
        assert (embedder.name if embedder else None) == found
        resumed.file.remove()
    worker = engine_of(named("compatible:two"), request_).embedder
    assert worker
    assert worker.name == "compatible:two", "a worker uses its own"


async def test_what_an_embedder_has_told_is_kept_with_the_rest() -> None:
    asked = replace(thinking(ScriptedModel(Mind())), embedder=ScriptedEmbedder(lambda _a, _b: 1.0))
    kept = Kept()
    whole = await report_of(journaled(asked, Journal(kept, SystemClock()), "0a1b2c3d"))
    assert any('"similarities"' in line for line in kept.lines)
    silent = ScriptedEmbedder(lambda _a, _b: 0.0, error=ModelError("nobody may ask"))
    journal = Journal(kept, SystemClock(), kept.past())
    again = await report_of(journaled(replace(asked, embedder=silent), journal, "0a1b2c3d"))
    assert again.sentences == whole.sentences
    assert silent.asked == []
