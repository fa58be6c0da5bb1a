"""Chat and deep research over a web on loopback, with the engine that anybody gets (R3.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.graphs.world import Told, told, url_of
from tests.look_alikes.server import Asked, LookAlikeServer, Reply, as_json

from quaere.domain.budget import ProfileName
from quaere.domain.events import Phase, PhaseStarted, SourceRead
from quaere.domain.request import RunSpec
from quaere.domain.team import Strategy
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

pytestmark = pytest.mark.anyio

MASTERS = (
    *("Odo Marl", "Berta Quint", "Casimir Dohl", "Delia Strand", "Emmerich Vane", "Fausta Krell"),
    *("Gideon Plum", "Hilde Arnaut", "Ivo Tessel", "Jorunn Bask"),
)
"""Painters, each of whom was taught by the next."""
CHAIN = (
    f"Who taught the painter who taught the painter who taught {MASTERS[0]}, "
    "and how heavy was the cat of the eldest?"
)
PAGES = {
    title: text
    for pupil, master in pairwise(MASTERS)
    for title, text in (
        (pupil, f"{pupil} was a painter. {pupil} was taught by {master} in the school of Hask."),
        (f"Letters of {pupil}", f"{pupil} wrote forty letters to {master} on pigments."),
        (f"Pupils of {master}", f"{master} taught {pupil} for six years and paid for the paint."),
        (f"House of {pupil}", f"The house of the painter {pupil} has a blue door."),
    )
}
PAGE_HITS = 4
"""Pages that one search finds: each query leads only a little further."""
AMPLE_S = 300.0
"""Seconds for a run: a busy machine is not to decide what comes of it."""
CYCLE = [
    *(Phase.SEARCHING, Phase.READING, Phase.PLANNING, Phase.EVALUATING),
    *(Phase.SYNTHESIZING, Phase.VERIFYING),
]
"""The phases of R3.7 that every run goes through; iterating comes where it goes round again."""


class Web:
    """SearXNG and the pages that it finds, of which none comes with its text."""

    def __init__(self) -> None:
        self.base = ""
        self._titles = list(PAGES)
        self._index = Bm25([terms(f"{title} " * 3 + text) for title, text in PAGES.items()])

    def __call__(self, asked: Asked) -> Reply:
        """Answer a search, or a page."""
        if asked.path == "search":
            found = self._found(asked.params["q"])
            return as_json({"query": asked.params["q"], "results": [*map(self._result, found)]})
        for title, text in PAGES.items():
            if asked.path == urlsplit(url_of(title)).path.strip("/"):
                page = f"<html><title>{title}</title><article><p>{text}</p></article></html>"
                return Reply(page.encode(), "text/html")
        return Reply(b"", "text/plain", status=404)

    def _found(self, query: str) -> Sequence[str]:
        scores = self._index.scores(terms(query))
        ranked = sorted(zip(scores, self._titles, strict=True), reverse=True)
        return [title for score, title in ranked if score > 0][:PAGE_HITS]

    def _result(self, title: str) -> dict[str, object]:
        path = urlsplit(url_of(title)).path
        return {"url": self.base + path, "title": title, "content": PAGES[title][:40]}


async def researched(folder: Path, profile: ProfileName) -> tuple[Told, Sequence[Asked]]:
    """Return what a run under ``profile`` told, and what the web was asked for."""
    web = Web()
    async with LookAlikeServer(web) as server:
        web.base = server.base_url
        site = urlsplit(server.base_url)
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("SEARXNG_BASE_URL", server.base_url)
            settings = Settings(
                cache_dir=folder,
                http_cache=False,
                obey_robots=False,
                read_hosts=(site.hostname or "",),
                read_ports=(site.port or 80,),
            )
            resources = Resources(settings)
            spec = RunSpec.of(CHAIN, providers=["searxng"], models={"general": "none"})
            engine = assemble(resources, settle(resources, spec))
            run = await told(
                replace(engine, strategy=Strategy.LOOP),
                CHAIN,
                profile=profile,
                max_execution_time_s=AMPLE_S,
            )
            await resources.aclose()
            return run, list(server.asked)


async def test_chat_makes_its_whole_cycle_and_deep_does_more_loops_and_reads_r3_11(
    tmp_path: Path,
) -> None:
    chat, chat_asked = await researched(tmp_path / "chat", ProfileName.CHAT)
    deep, deep_asked = await researched(tmp_path / "deep", ProfileName.DEEP)
    for run in (chat, deep):
        begun = [event.phase for event in run.of(PhaseStarted)]
        assert [phase for phase in CYCLE if phase in begun] == CYCLE
        assert run.report.citations
        assert all(citation.type == "web" for citation in run.report.citations)
    assert chat.report.iterations <= 2
    assert chat.report.spend.reads <= 4
    assert chat.report.spend.queries <= 4
    assert deep.report.iterations > chat.report.iterations
    assert len(deep.of(SourceRead)) > len(chat.of(SourceRead))
    assert pages(deep_asked) > pages(chat_asked), "as the web itself has counted"


def pages(asked: Sequence[Asked]) -> int:
    """Return how many pages were fetched."""
    return sum(each.path != "search" for each in asked)
