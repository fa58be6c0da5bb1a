"""What stands between a run and its services, as its request says: scope, cache, earlier runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.graphs.world import HOP, Shelf
from tests.store.runs import PASSAGE

from quaere.domain.question import Query
from quaere.domain.report import Report
from quaere.domain.request import Cached, ReusedEvidence, RunRequest, RunSpec
from quaere.runtime.app import App
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, searched, settle

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


async def asked(app: App, **fields: object) -> Report:
    run = await app.start(RunRequest.of(question=HOP, **fields))
    report = await run.report()
    run.settle()
    return report


async def test_sources_out_of_the_scope_are_no_evidence(settings: Settings) -> None:
    async with App.open(settings, providers=[Shelf()]) as app:
        assert (await asked(app, scope={"sites": {"only": ["shelf.test"]}})).evidence
        assert not (await asked(app, scope={"sites": {"only": ["elsewhere.test"]}})).evidence
        assert not (await asked(app, scope={"sites": {"exclude": ["shelf.test"]}})).evidence


async def test_with_the_cache_off_services_are_asked_every_time(settings: Settings) -> None:
    for cached, times in ((Cached.OFF, 2), (Cached.USE, 1)):
        shelf = Shelf()
        async with App.open(settings, providers=[shelf]) as app:
            for _ in range(2):
                await asked(app, cached=cached)
            assert shelf.asked.count(shelf.asked[0]) == times


async def test_a_search_alone_is_cached_as_that_of_a_run_is(settings: Settings) -> None:
    for cached, times in ((Cached.OFF, 2), (Cached.USE, 1)):
        shelf = Shelf()
        resources = Resources(settings, providers=[shelf])
        spec = settle(resources, RunSpec.of(HOP, cached=cached))
        for _ in range(2):
            (provider,) = searched(resources, spec)
            assert await provider.search(Query(text="Hask"), limit=3)
        assert len(shelf.asked) == times
        await resources.aclose()


def test_what_an_earlier_run_found_is_searched_first(settings: Settings) -> None:
    resources = Resources(settings, providers=[Shelf()])
    spec = settle(resources, RunSpec.of(HOP))
    reused = ReusedEvidence(run_id="run-0", told="It draws on run-0.", passages=(PASSAGE,))
    with_earlier = spec.model_copy(update={"reused": reused})
    names = [
        [provider.name for provider in assemble(resources, each).providers]
        for each in (spec, with_earlier)
    ]
    assert names[0] == ["shelf"]
    assert names[1][1:] == ["shelf"]
    assert len(names[1]) == 2


@pytest.mark.anyio
async def test_files_that_are_searched_again_come_from_their_folder_alone(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "hask.md").write_text("Hask has a bridge.")
    resources = Resources(settings)
    spec = settle(resources, RunSpec.of(HOP, docs=(tmp_path / "docs",)))
    url = (tmp_path / "docs" / "hask.md").as_uri()
    kept = [PASSAGE.model_copy(update={"url": f"{url}#a"}), PASSAGE]
    reused = ReusedEvidence(run_id="run-0", told="It draws on run-0.", passages=tuple(kept))
    engine = assemble(resources, spec.model_copy(update={"reused": reused}))
    found = await engine.providers[0].search(Query(text=PASSAGE.text), limit=5)
    assert [hit.url for hit in found] == [PASSAGE.url]
    await resources.aclose()
