"""Whether runs keep to their time, and the event loop free, whatever pages say.

    python bench/loop.py ordinary              # one run and then fifty at once
    python bench/loop.py hostile --limit 10    # one run over fifty hostile pages

The whole way is gone: provider, page, passage, evidence, answer. A server in a process of its own
serves the pages; a provider finds all of them for every query. ``ordinary`` pages are articles of
20 kB. Of the ``hostile`` ones each is within what a page may be and dear to one step: a megabyte of
short sentences, of signs without a word, of one line, of names, of headings, of table rows. One
ordinary page is among them, and must be cited.

Judged is processor time: the event loop's between two wake-ups, and by how much the processor time
and the clock of a hostile run went beyond its limit, worker processes included. What fifty runs
keep is told by fifty others after them: freed memory that the allocator holds ready is used again,
and only what runs left behind comes on top.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import random
import resource
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NotRequired, TypedDict

from fetch import WORDS, serve_pages
from hostile import free_port, listening
from quaere.domain.question import Query, SourceKind
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import Hit
from quaere.read.chunker import PassageChunker
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher, FetchLimits
from quaere.read.guard import ReadPolicy
from quaere.read.reader import WebReader
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.thread import computed, keep_responsive
from quaere.runtime.engine import Engine
from watch import Polls, Watch, own_mb, quantile, watching

PAGES = 50
RUNS = 50
PLACE = 20
"""Of the ordinary page among what is found: within what the first loop opens, behind twenty others
that it waits for if it has to."""
QUESTION = "Who built the lamp of the harbour bridge, and in which winter?"
ONE_RUN_S, MANY_RUNS_S = 0.02, 0.1
"""What one ordinary run may hold the loop for at most, and fifty at once in 99 of 100 turns."""
OVER_S, OVER_SHARE = 1.0, 0.1
"""By how much a run may exceed its limit: the greater of the two."""
MEGABYTE = 1_000_000


class Figures(TypedDict):
    """What was seen of a measurement."""

    seconds: float
    cpu_s: float
    held_max_ms: float
    """Processor time between two polls of the event loop: its longest block."""
    busy_max_ms: float
    """Processor time between two wake-ups of a timer."""
    busy_p99_ms: float
    lag_p99_ms: float
    grown_mb: float
    """At the peak, worker processes included."""
    kept_mb: NotRequired[float]
    """By how much this process is larger after as many runs again."""
    citations: int
    faults: list[str]


def article(number: int) -> str:
    """Return an ordinary article of some 20 kB."""
    chance = random.Random(number)  # noqa: S311 - made-up text
    paragraphs: list[str] = []
    for _ in range(20):
        sentences = (
            f"{' '.join(chance.choices(WORDS, k=chance.randint(6, 24))).capitalize()}."
            for _ in range(12)
        )
        paragraphs.append(f"<p>{' '.join(sentences)}</p>")
    fact = f"<p>Keeper {number} built the lamp of the harbour bridge in winter {1800 + number}.</p>"
    head = f"<html><head><title>Harbour article {number}</title></head><body><article>"
    return f"{head}<h1>Harbour {number}</h1>{fact}{''.join(paragraphs)}</article></body></html>"


def _paragraphs(text: str, times: int) -> str:
    return f"<html><body><article><h1>Lamp</h1>{text * times}</article></body></html>"


KINDS: Mapping[str, Callable[[], str]] = {
    "short sentences": lambda: _paragraphs(f"<p>{'The lamp is lit. ' * 500}</p>", 115),
    "one line": lambda: _paragraphs(f"<p>{'harbour lamp bridge winter ' * 35_000}</p>", 1),
    "signs": lambda: _paragraphs(f"<p>lamp {'! ? - + * ' * 95_000}</p>", 1),
    "names": lambda: _paragraphs(
        f"<p>{'Ann Lamp of Harbour Bridge met Bo Winter. ' * 200}</p>", 110
    ),
    "headings": lambda: _paragraphs("<h2>The lamp of winter</h2><p>Bridge.</p>", 20_000),
    "table rows": lambda: _paragraphs(
        f"<table>{'<tr><td>lamp</td><td>1911</td><td>winter</td></tr>' * 18_000}</table>", 1
    ),
    "marks": lambda: _paragraphs(f"<p>{'Lamp [1] of [2] winter [3]. ' * 33_000}</p>", 1),
    "stops": lambda: _paragraphs(f"<p>{'A. B. C. lamp. Mr. ' * 50_000}</p>", 1),
    "no spaces": lambda: _paragraphs(f"<p>{'港灯橋冬。' * 60_000}</p>", 1),
    "long words": lambda: _paragraphs(f"<p>{'lampwinterbridge' * 60_000}</p>", 1),
}


def hostile_page(number: int) -> str:
    """Return one page of the kinds above, each with a word of its own; the first is ordinary."""
    make = list(KINDS.values())[number % len(KINDS)]
    return make().replace("lamp", f"lamp{number}", 50) if number else article(0)


class Shore:
    """Finds every page for every query, in another order each time."""

    name, kinds = "shore", frozenset({SourceKind.WEB})

    def __init__(self, site: str, prefix: str) -> None:
        self._urls = [f"{site}/{prefix}{number}" for number in range(PAGES)]

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return all pages, the first at its place and the others from a different one on.

        They are made off the event loop, as answers of services are parsed.
        """
        return await computed(lambda: self._hits(query, limit))

    def _hits(self, query: Query, limit: int) -> Sequence[Hit]:
        first, *others = self._urls
        shift = len(query.text) % len(others)
        urls = [*others[shift:], *others[:shift]]
        urls.insert(PLACE, first)
        return [
            Hit(url=url, title=f"Lamp of the harbour bridge, {url[-2:]}", provider="shore", rank=n)
            for n, url in enumerate(urls[:limit])
        ]


@asynccontextmanager
async def engine(port: int, prefix: str) -> AsyncGenerator[Engine]:
    """Yield an engine that finds the pages on ``port`` and reads them as any run does."""
    policy = ReadPolicy(extra_hosts=frozenset({"127.0.0.1"}), extra_ports=frozenset({port}))
    reader = WebReader(Fetcher(policy, FetchLimits(per_host=PAGES)), SafeExtractor())
    chunker = PassageChunker()
    try:
        yield Engine(
            providers=(Shore(f"http://127.0.0.1:{port}", prefix),),
            reasoner=ExtractiveReasoner(),
            reader=reader,
            chunker=chunker,
        )
    finally:
        await reader.aclose()


def spec(limit_s: float, name: str, reads: int) -> RunSpec:
    """Return one run."""
    request = RunRequest.of(
        question=QUESTION, limits={"max_execution_time_s": limit_s, "max_reads": reads}
    )
    return RunSpec(request=request, run_id=name)


def cpu_s() -> float:
    """Return the processor time of this process and of all children that have ended."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, who))


async def measured(maker: Engine, specs: Sequence[RunSpec], polls: Polls) -> Figures:
    """Make all runs of ``specs`` at once, on the loop of ``polls``."""
    await asyncio.sleep(0)  # what made the specs is no run's doing
    polls.held_s.clear()
    async with watching() as watch:
        begun, busy = time.perf_counter(), cpu_s()
        reports = await asyncio.gather(*(maker.run(each) for each in specs))
        seconds, spent = time.perf_counter() - begun, cpu_s() - busy
    return _figures(watch, polls, seconds, spent, min(len(report.citations) for report in reports))


def _figures(watch: Watch, polls: Polls, seconds: float, spent: float, citations: int) -> Figures:
    return Figures(
        seconds=round(seconds, 2),
        cpu_s=round(spent, 2),
        held_max_ms=round(max(polls.held_s) * 1e3, 1),
        busy_max_ms=round(max(watch.busy_s) * 1e3, 1),
        busy_p99_ms=round(quantile(watch.busy_s, 0.99) * 1e3, 1),
        lag_p99_ms=round(quantile(watch.lags_s, 0.99) * 1e3, 1),
        grown_mb=round(watch.grown_mb, 1),
        citations=citations,
        faults=[] if citations else ["a run cites nothing"],
    )


async def ordinary(port: int, polls: Polls) -> dict[str, Figures]:
    """Measure one run, warmed up, and fifty at once."""
    results: dict[str, Figures] = {}
    async with engine(port, "o") as maker:
        await maker.run(spec(60.0, "warm", 12))
        keep_responsive()  # as a server and a worker do
        one = results["one ordinary run"] = await measured(maker, [spec(60.0, "one", 12)], polls)
        if one["busy_max_ms"] > ONE_RUN_S * 1e3:
            one["faults"].append(f"held the loop for {one['busy_max_ms']} ms")
        names = (f"many-{number}" for number in range(RUNS))
        many = await measured(maker, [spec(300.0, name, 12) for name in names], polls)
        results[f"{RUNS} ordinary runs"] = many
        gc.collect()
        before_mb = own_mb()
        await asyncio.gather(*(maker.run(spec(300.0, f"more-{n}", 12)) for n in range(RUNS)))
        gc.collect()
        many["kept_mb"] = round(own_mb() - before_mb, 1)
        if many["busy_p99_ms"] > MANY_RUNS_S * 1e3:
            many["faults"].append(f"held the loop for {many['busy_p99_ms']} ms (p99)")
    return results


async def hostile(port: int, limit_s: float, polls: Polls) -> dict[str, Figures]:
    """Measure a run over hostile pages; its workers are ended before its time is counted."""
    async with engine(port, "h") as maker:
        figures = await measured(maker, [spec(limit_s, "hostile", PAGES)], polls)
    over = figures["seconds"] - limit_s
    if over > max(OVER_S, OVER_SHARE * limit_s):
        figures["faults"].append(f"took {over:.1f} s more than its limit")
    if figures["busy_max_ms"] > MANY_RUNS_S * 1e3:
        figures["faults"].append(f"held the loop for {figures['busy_max_ms']} ms")
    return {f"{PAGES} hostile pages within {limit_s:g} s": figures}


def _serve(port: int) -> None:
    pages = {f"/o{number}": article(number).encode() for number in range(PAGES)}
    pages |= {f"/h{number}": hostile_page(number).encode() for number in range(PAGES)}
    serve_pages(port, pages)


def main() -> None:
    """Measure and write the figures; exit with 1 when a bound was not kept."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("measure", choices=["ordinary", "hostile"])
    parser.add_argument("--limit", type=float, default=10.0, help="seconds of a hostile run")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    port = free_port()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(port,))
    server.start()
    try:
        asyncio.run(listening(port))
        polls = Polls()
        measure = (
            ordinary(port, polls)
            if options.measure == "ordinary"
            else hostile(port, options.limit, polls)
        )
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(polls)) as runner:
            results = runner.run(measure)
    finally:
        server.terminate()
        server.join()
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    for name, figures in results.items():
        print(f"{name:32}", "  ".join(f"{key} {value}" for key, value in figures.items()))
    sys.exit(any(figures["faults"] for figures in results.values()))


if __name__ == "__main__":
    main()
