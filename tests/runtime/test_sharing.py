"""Two runs at a time in one process: one rate limit, one breaker, one pool of parser processes."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pytest
from aiohttp import web
from tests.graphs.world import Shelf
from tests.look_alikes import web_engines
from tests.look_alikes.libraries import pubmed, record_of
from tests.look_alikes.server import LookAlikeServer, as_json
from tests.look_alikes.shelf import WORKS
from tests.look_alikes.shelf import Shelf as Library

from quaere.domain.budget import Limits
from quaere.domain.events import SearchFinished
from quaere.domain.report import Report
from quaere.domain.request import RunRequest
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.search.pubmed import REQUESTS_PER_S

pytestmark = pytest.mark.anyio

MOTH = "What does the lantern moth feed on?"
LICHEN = "Where does salt-tolerant lichen grow?"
LATE_S = 0.25
"""What a busy machine may take off the time between the first request and the last."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


class Timed(LookAlikeServer):
    """Notes when it was asked."""

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        self.times = [*getattr(self, "times", []), monotonic()]
        return await super()._handle(request)

    times: Sequence[float]


async def side_by_side(app: App, *requests: RunRequest) -> list[Report]:
    runs = [await app.start(request) for request in requests]
    reports = await asyncio.gather(*(run.report() for run in runs))
    for run in runs:
        run.settle()
    return reports


async def test_two_runs_keep_to_one_rate_r0_10(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Timed(pubmed([record_of(work) for work in WORKS])) as server:
        monkeypatch.setenv("PUBMED_BASE_URL", server.base_url)
        async with App.open(settings) as app:
            reports = await side_by_side(
                app,
                *(RunRequest.of(question=each, providers=["pubmed"]) for each in (MOTH, LICHEN)),
            )
    assert all(report.citations for report in reports)
    times = server.times
    assert len(times) > 2 * REQUESTS_PER_S, "one rate for each run would let the first six through"
    assert times[-1] - times[0] > (len(times) - REQUESTS_PER_S) / REQUESTS_PER_S - LATE_S


async def test_a_breaker_that_one_run_opens_keeps_the_other_from_asking_r0_8(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "sk-nobody")
    requests = [RunRequest.of(question=each, providers=["tavily"]) for each in (MOTH, LICHEN)]
    async with LookAlikeServer(web_engines.tavily(Library())) as server:
        monkeypatch.setenv("TAVILY_BASE_URL", server.base_url)
        server.instead = as_json({"detail": "down"}, status=503)
        async with App.open(settings) as app:
            await side_by_side(app, requests[0])
            server.instead = None
            asked = len(server.asked)
            brief = requests[1].model_copy(update={"limits": Limits(max_execution_time_s=3.0)})
            (kept_from,) = await side_by_side(app, brief)  # no time to wait for the service
            assert len(server.asked) == asked
            assert kept_from.citations == ()
        async with App.open(settings) as another:
            (report,) = await side_by_side(another, requests[1])
    assert len(server.asked) > asked
    assert report.citations


def parsers() -> set[int]:
    """Return the ids of the processes that this one has started and that run now."""
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(pid) for children in tasks for pid in children.read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="child processes are listed by /proc")
async def test_two_runs_share_the_processes_that_parse(settings: Settings, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        for number in range(12):
            page = f"<html><body><h1>Mill {number}</h1><p>Mill {number} of {folder.name} was built"
            (folder / f"{number}.html").write_text(f"{page} by Tamsin Wray.</p></body></html>")
    before, seen = parsers(), set[int]()

    async def watch() -> None:
        while True:
            seen.update(parsers() - before)
            await asyncio.sleep(0.005)

    async with App.open(settings) as app:
        watching = asyncio.create_task(watch())
        reports = await side_by_side(
            app, *(RunRequest.of(question="Who built mill 3?", docs=(each,)) for each in folders)
        )
        watching.cancel()
    assert all("Tamsin Wray" in report.answer for report in reports)
    assert 0 < len(seen) <= min(4, os.cpu_count() or 1)


async def test_a_provider_of_ones_own_is_searched_next_to_a_folder_where_it_is_named(
    settings: Settings, tmp_path: Path
) -> None:
    """Its hits bring their text, so that no page of the web has to be opened."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "mill.md").write_text("# The bridge\n\nThe bridge of Tressel Ford was painted green.\n")
    mine = Shelf(name="mine")
    asked = RunRequest.of(question="Of what colour was the bridge painted?", docs=[docs])
    async with App.open(settings, providers=[mine]) as app:
        (alone,) = await side_by_side(app, asked)
        assert mine.asked == []
        assert all(each.url.startswith("file:") for each in alone.citations)
        named = asked.model_copy(update={"providers": ("mine",)})
        run = await app.start(named)
        found = [e async for e in run.events() if isinstance(e, SearchFinished) and e.hits]
        both = await run.report()
    assert mine.asked
    assert {each.provider for each in found} == {"folder", "mine"}
    assert not both.warnings
