"""What becomes of runs when half of all that is asked goes wrong.

    python bench/faults.py [--runs 200] [--json FILE]

Every run asks three look-alikes of search services on loopback and reads what they find from a site
beside them. Of all requests 10 % each are answered with 429, with 500, not at all, with half an
answer and with garbage: which ones is decided by a seed. Every run has an engine of its own and
must end in a report or a typed error, and all runs together may make at most 1.3 times the calls
that they make without faults, of each kind and for each query that a service is asked. The same
runs without a budget of retries stand beside it.

Time runs ten times as fast for retries, time-outs and breakers as it would.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import TypedDict, cast

from aiohttp import web

from quaere.domain.budget import Limits
from quaere.domain.report import Report
from quaere.domain.request import RunSpec
from quaere.errors import QuaereError
from quaere.ports.search import SearchProvider
from quaere.read.api_client import ApiClient
from quaere.read.chunker import PassageChunker
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher, FetchLimits
from quaere.read.guard import ReadPolicy
from quaere.read.reader import WebReader
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.resilience.retry import RetryBudget
from quaere.resilience.timing import Timing
from quaere.runtime.engine import Engine
from quaere.search.web_engines import Brave, SearXng, Serper
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

MAX_RATIO = 1.3
SPEED = 10.0
"""How many seconds of the policies pass in one."""
ATTEMPT_S = 8.0 / SPEED
PAGE_S = 12.0 / SPEED
RUN_S = 60.0
AT_ONCE = 16
"""Runs side by side; most of the time they wait for what never comes."""

PLACES = (
    *("Arnholt", "Brisk Haven", "Corrow", "Dunsel", "Eddermouth", "Farrow Hythe", "Gallin"),
    *("Harrowgill", "Istle", "Jarrock", "Kelder Sound", "Lorn Abbey", "Marrick", "Nessel"),
)
BUILDERS = (
    *("Ada Renn", "Bram Tolliver", "Cora Oakes", "Dirk Halloran", "Elsa Whitlock", "Finn Ostrey"),
    *("Greta Lund", "Hugo Marsh", "Ines Varley", "Jory Penn", "Kaja Storr", "Lev Arden"),
    *("Mira Sund", "Nils Torrance"),
)
WORKS = ("lighthouse", "tide mill", "observatory", "rope bridge", "salt works")


class Fault(StrEnum):
    """What becomes of a tenth of the requests each."""

    BUSY = "429"
    BROKEN = "500"
    STALLED = "timeout"
    TRUNCATED = "truncated"
    GARBAGE = "garbage"


GARBAGE = (
    b"<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>",
    b"\xff\xfe\x00\x01\x07\x80\x81" * 40,
    b'[1, "two", {"results": null}',
    b"null",
    b"{}",
)


def chance(*key: object) -> float:
    """Return a number in [0, 1) that depends on ``key`` alone."""
    digest = blake2b(repr(key).encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


def documents() -> list[tuple[str, str]]:
    """Return title and text of every page of the site."""
    pages: list[tuple[str, str]] = []
    for at, (place, builder) in enumerate(zip(PLACES, BUILDERS, strict=True)):
        work = WORKS[at % len(WORKS)]
        born = PLACES[(at * 5 + 3) % len(PLACES)]
        built = (
            f"The {work} of {place} was built by {builder} in {1790 + 7 * at}. It has been repaired"
            f" twice since then, and {3 + at} people look after it today. Visitors may climb its"
            f" {40 + 9 * at} steps in the summer months."
        )
        life = (
            f"{builder} was born in {born} in {1750 + 7 * at}. As a master builder {builder}"
            f" planned {2 + at % 4} harbours, and wrote a book about wood that lasts in salt water."
        )
        town = (
            f"{place} is a town of {1200 + 310 * at:,} people. Its market sells rope, barley and"
            f" lamp oil, and its oldest street is called Number {at + 1} Quay."
        )
        pages += [(f"The {work} of {place}", built), (builder, life), (place, town)]
    return pages


def question(run: int) -> str:
    """Return what the run of that number asks."""
    at = run % len(PLACES)
    work, place = WORKS[at % len(WORKS)], PLACES[at]
    forms = (
        f"Who built the {work} of {place}?",
        f"Where was the builder of the {work} of {place} born?",
        f"When was the {work} of {place} built and how many people live in {place}?",
        f"What does the market of {place} sell?",
    )
    return forms[(run // len(PLACES)) % len(forms)]


@dataclass
class World:
    """The services and the site, and what was asked of them."""

    faulty: bool
    seed: int
    base: str = ""
    calls: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    _asked: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self._pages = documents()
        self._index = Bm25([terms(f"{title} {title} {text}") for title, text in self._pages])

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer, or meet a fault."""
        run, _, rest = request.path.lstrip("/").partition("/")
        self.calls["pages" if rest.startswith("pages/") else "searches"] += 1
        params = dict(request.query)
        if request.can_read_body:
            params |= {
                k: str(v) for k, v in cast("dict[str, object]", await request.json()).items()
            }
        key = f"{run} {rest} {sorted(params.items())}"
        self._asked[key] += 1
        body, content_type = self._answer(run, rest, params)
        fault = self._fault(key, self._asked[key])
        if fault is None:
            return web.Response(body=body, content_type=content_type)
        self.faults[fault] += 1
        return await _meet(fault, request, body, content_type, chance(self.seed, key, "garbage"))

    def _fault(self, key: str, time: int) -> Fault | None:
        if not self.faulty:
            return None
        drawn = int(10 * chance(self.seed, key, time))
        return list(Fault)[drawn] if drawn < len(Fault) else None

    def _answer(self, run: str, rest: str, params: dict[str, str]) -> tuple[bytes, str]:
        if rest.startswith("pages/"):
            title, text = self._pages[int(rest.removeprefix("pages/"))]
            return _html(title, text), "text/html"
        found = [
            {"url": f"{self.base}/{run}/pages/{at}", "title": self._pages[at][0]}
            for at in self._find(params["q"])
        ]
        answers: dict[str, object] = {
            "brave/web/search": {"query": {"original": "x"}, "web": {"results": found}},
            "searxng/search": {"query": "x", "results": found},
            "serper/search": {"organic": [{**each, "link": each["url"]} for each in found]},
        }
        return json.dumps(answers[rest]).encode(), "application/json"

    def _find(self, text: str) -> Sequence[int]:
        scores = self._index.scores(terms(text))
        best = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
        return [at for at in best if scores[at] > 0][:5]


def _html(title: str, text: str) -> bytes:
    head = f"<!doctype html><html lang=en><head><title>{escape(title)}</title></head>"
    return f"{head}<body><article><h1>{title}</h1><p>{text}</p></article></body></html>".encode()


async def _meet(
    fault: Fault, request: web.Request, body: bytes, content_type: str, drawn: float
) -> web.StreamResponse:
    match fault:
        case Fault.BUSY | Fault.BROKEN:
            return web.Response(status=int(fault))
        case Fault.GARBAGE:
            garbage = GARBAGE[int(drawn * len(GARBAGE))]
            return web.Response(body=garbage, content_type=content_type)
        case Fault.STALLED:
            await asyncio.sleep(RUN_S)
            return web.Response(status=500)
        case Fault.TRUNCATED:
            response = web.StreamResponse(
                headers={"Content-Length": str(len(body)), "Content-Type": content_type}
            )
            await response.prepare(request)
            await response.write(body[: len(body) // 2])
            if request.transport:
                request.transport.abort()
            return response


@asynccontextmanager
async def served(world: World) -> AsyncGenerator[World]:
    """Serve ``world`` on loopback."""
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", world.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = cast("tuple[str, int]", runner.addresses[0])
    world.base = f"http://{host}:{port}"
    try:
        yield world
    finally:
        await runner.cleanup()


class Outcome(TypedDict):
    """How one run ended."""

    run: int
    ended: str
    """The status of its report, or the type of its error."""
    bug: bool
    asked: int
    """Searches that it wanted: queries times services."""


class Figures(TypedDict):
    """What all runs of one kind came to."""

    runs: int
    ended: dict[str, int]
    bugs: int
    asked: int
    calls: dict[str, int]
    faults: dict[str, int]
    seconds: float


async def play(
    run: int, world: World, extractor: SafeExtractor, budget: RetryBudget | None
) -> Outcome:
    """Ask one question with an engine of its own."""
    async with _engine(f"r{run}", world, extractor, budget) as engine:
        asked = 0
        try:
            limits = Limits(max_execution_time_s=RUN_S)
            report = await engine.run(RunSpec.of(question(run), run_id=f"r{run}", limits=limits))
            ended, bug = report.status.value, not _is_whole(report)
            asked = report.spend.queries * len(engine.providers)
        except QuaereError as error:
            # A defect of ours reaches the caller as the base class, with its own error as cause.
            ended, bug = error.type, type(error) is QuaereError
    return Outcome(run=run, ended=ended, bug=bug, asked=asked)


def _is_whole(report: Report) -> bool:
    """Whether ``report`` answers and cites, and no defect of a provider or reader is behind it."""
    cited = {number for sentence in report.sentences for number in sentence.evidence}
    known = {evidence.id for evidence in report.evidence}
    warnings = " ".join(warning.message for warning in report.warnings)
    return bool(report.answer) and cited <= known and "a bug in" not in warnings


@asynccontextmanager
async def _engine(
    run: str, world: World, extractor: SafeExtractor, budget: RetryBudget | None
) -> AsyncGenerator[Engine]:
    chances = random.Random(run)  # noqa: S311 - jitter
    timing = Timing(
        monotonic=lambda: SPEED * time.monotonic(),
        sleep=lambda seconds: asyncio.sleep(seconds / SPEED),
        jitter=chances.random,
    )
    policies = Resilience(attempt_timeout_s=ATTEMPT_S, budget=budget)
    kinds: dict[str, Callable[[ApiClient], SearchProvider]] = {
        "brave": Brave,
        "searxng": SearXng,
        "serper": Serper,
    }
    clients = {
        name: ApiClient(name, f"{world.base}/{run}/{name}", timeout_s=ATTEMPT_S) for name in kinds
    }
    providers = [
        ResilientProvider(make(clients[name]), policies, timing=timing)
        for name, make in kinds.items()
    ]
    port = int(world.base.rpartition(":")[2])
    policy = ReadPolicy(extra_hosts=frozenset({"127.0.0.1"}), extra_ports=frozenset({port}))
    # The one site of this world would close itself to a run whose robots.txt met a fault.
    fetcher = Fetcher(policy, FetchLimits(deadline_s=PAGE_S), obey_robots=False)
    engine = Engine(
        providers=providers,
        reasoner=ExtractiveReasoner(),
        reader=WebReader(fetcher, extractor),
        chunker=PassageChunker(),
    )
    try:
        yield engine
    finally:
        for client in clients.values():
            await client.aclose()
        await fetcher.aclose()


async def measure(
    runs: int, seed: int, *, faulty: bool, budget: Callable[[], RetryBudget | None]
) -> Figures:
    """Play ``runs`` runs and sum them up."""
    begun = time.monotonic()
    places = asyncio.Semaphore(AT_ONCE)
    with SafeExtractor() as extractor:
        async with served(World(faulty, seed)) as world:

            async def play_one(run: int) -> Outcome:
                async with places:
                    return await play(run, world, extractor, budget())

            outcomes = await asyncio.gather(*(play_one(run) for run in range(runs)))
    ended = Counter(outcome["ended"] for outcome in outcomes)
    return Figures(
        runs=len(outcomes),
        ended=dict(sorted(ended.items())),
        bugs=sum(outcome["bug"] for outcome in outcomes),
        asked=sum(outcome["asked"] for outcome in outcomes),
        calls=dict(sorted(world.calls.items())),
        faults={str(fault): count for fault, count in sorted(world.faults.items())},
        seconds=round(time.monotonic() - begun, 1),
    )


def main() -> None:
    """Measure, print, and exit with 1 when a run met a bug or the calls are too many."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    kinds: dict[str, tuple[bool, Callable[[], RetryBudget | None]]] = {
        "without_faults": (False, RetryBudget),
        "with_faults": (True, RetryBudget),
        "with_faults_without_budget": (True, lambda: None),
    }
    figures: dict[str, Figures] = {}
    for name, (faulty, budget) in kinds.items():
        measured = asyncio.run(measure(options.runs, options.seed, faulty=faulty, budget=budget))
        figures[name] = measured
        print(told(name, measured, figures["without_faults"]))
    worst = max(ratios(figures["with_faults"], figures["without_faults"]).values())
    if options.json:
        result = {"ratio": round(worst, 3), "max_ratio": MAX_RATIO, **figures}
        options.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    sys.exit(worst > MAX_RATIO or any(kind["bugs"] for kind in figures.values()))


def ratios(measured: Figures, without_faults: Figures) -> dict[str, float]:
    """Return how many times the calls without faults were made: of each kind, in all, for a query.

    The last is the harder figure, as a run that finds less asks less. It is a ratio as well, since
    a service that is asked for later pages of its list takes more than one call for a query.
    """
    calls, others = measured["calls"], without_faults["calls"]
    kinds = {kind: calls[kind] / count for kind, count in others.items()}
    total = sum(calls.values()) / sum(others.values())
    a_query = _calls_a_query(measured) / _calls_a_query(without_faults)
    return {**kinds, "all": total, "a_query": a_query}


def _calls_a_query(figures: Figures) -> float:
    return figures["calls"]["searches"] / figures["asked"]


def told(name: str, measured: Figures, without_faults: Figures) -> str:
    """Return ``measured`` as lines for a person."""
    times = ratios(measured, without_faults)
    counts = ", ".join(f"{times[kind]:.2f} {kind}" for kind in times)
    ended = ", ".join(f"{count} {how}" for how, count in measured["ended"].items())
    met = ", ".join(f"{count} {fault}" for fault, count in measured["faults"].items()) or "none"
    calls = sum(measured["calls"].values())
    return (
        f"{name}, {measured['seconds']:.0f} s\n  calls: {calls}; times: {counts}\n"
        f"  ended: {ended}; {measured['bugs']} bugs\n  faults: {met}"
    )


if __name__ == "__main__":
    main()
