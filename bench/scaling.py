"""Measures the queue: runs accepted and made a second, the first event, and what a long run keeps.

    python bench/scaling.py speed --runs 60                 # PostgreSQL and NATS, started for this
    python bench/scaling.py speed --runs 60 --sqlite
    python bench/scaling.py growth --loops 2 4 8 16

``speed`` has runs made whose calls take no time (those of ``bench/kill_worker.py``), so that what
is measured is the engine, the queue and the database. ``growth`` makes one run after another that
reads a page of 20,000 characters in each loop, and weighs what the database holds of it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

from pydantic import JsonValue
from sqlalchemy import ColumnElement, func, select

from arrivals import carrier_of, started
from kill import OWNER, WORKER
from kill_worker import QUESTION
from quaere.domain.events import Evaluated
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query, SourceKind
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, Page
from quaere.domain.trace import Trace
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime.admission import Intake
from quaere.runtime.engine import Engine
from quaere.runtime.news import News
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import Worker, WorkerPolicy
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import pages, run_answers, run_events, tool_traces
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces
from quaere.testing import ScriptedModel

ROOT = Path(__file__).parents[1]
PAGE_CHARS, CHECKLIST = 20_000, 7
SINGLE = 100
"""Runs that are submitted when nothing else waits."""
START_S = 1.0
"""CPU that a worker takes to start, about."""


async def speed(options: argparse.Namespace) -> None:
    """Print how fast runs are accepted, begun and made."""
    with ExitStack() as exits:
        folder = Path(exits.enter_context(tempfile.TemporaryDirectory()))
        sys.path.insert(0, str(ROOT))
        from tests.services import nats, postgres  # noqa: PLC0415 - it is in the path only now

        with_nats = "nats" in options.carriers and not options.sqlite
        make_url = None if options.sqlite else exits.enter_context(postgres.server()).create
        make_carrier = exits.enter_context(nats.server()).create if with_nats else None
        carriers = ["database"] if options.sqlite else options.carriers
        for workers, carrier in product(options.workers, carriers):
            place = folder / f"{carrier}-{workers}"
            place.mkdir()
            url = make_url() if make_url else f"sqlite:///{place}/speed.db"
            carrier_url = make_carrier() if make_carrier and carrier == "nats" else ""
            async with (
                Database(url) as database,
                aclosing(carrier_of(carrier_url, database)) as carries,
            ):
                await database.upgrade()
                async with aclosing(Intake(database, carries, News())) as intake:
                    queue = Queue(database, intake, url, carrier_url)
                    print(f"{carrier}, {await measured(queue, place, workers, options.runs)}")


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue that is measured."""

    database: Database
    intake: Intake
    url: str
    carrier_url: str

    async def submit(self, name: str) -> Trace:
        """Have one run accepted."""
        spec = RunSpec.of(QUESTION, run_id=name)
        return await self.intake.submit(Entry.of(OWNER, spec, params={"question": QUESTION}))

    async def accepted(self, name: str, runs: int, *, at_once: int) -> float:
        """Have runs accepted and return the seconds it took."""
        gate = asyncio.Semaphore(at_once)

        async def one(number: int) -> None:
            async with gate:
                await self.submit(f"{name}-{number}")

        began = time.perf_counter()
        await asyncio.gather(*map(one, range(runs)))
        return time.perf_counter() - began

    async def idle(self) -> None:
        """Wait until all runs are made."""
        while not await Jobs(self.database).idle():  # noqa: ASYNC110 - other processes make them
            await asyncio.sleep(0.05)

    async def traces(self, name: str, runs: int) -> list[Trace]:
        """Return the traces of runs that were submitted as ``name``."""
        traces = Traces(self.database)
        return [await traces.get_trace(OWNER, f"{name}-{number}") for number in range(runs)]


async def measured(queue: Queue, folder: Path, workers: int, runs: int) -> str:
    """Return the figures of so many workers; those of the first runs are still starting."""
    one_s = await queue.accepted("one", runs, at_once=1)
    many_s = await queue.accepted("many", runs, at_once=8)
    command = (str(WORKER), queue.url, str(folder / "calls"), "15", "0", queue.carrier_url)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    crew = await started(command, workers, folder / "calls.up")
    try:
        await queue.idle()
        await queue.accepted("timed", 2 * runs, at_once=8)
        await queue.idle()
        for number in range(SINGLE):
            await asyncio.sleep(random.Random(number).uniform(0.1, 0.4))  # noqa: S311 - repeatable
            await queue.submit(f"single-{number}")
            await queue.idle()
    finally:
        for worker in crew:
            worker.kill()
            await worker.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - workers * START_S
    waits = sorted(map(wait_s, await queue.traces("single", SINGLE)))
    return (
        f"{workers} workers: {made_a_second(await queue.traces('timed', 2 * runs)):.1f} runs made "
        f"a second, for {1000 * cpu_s / (4 * runs + SINGLE):.0f} ms of CPU each; accepted a "
        f"second: {runs / one_s:.0f} one after another, {runs / many_s:.0f} eight at once; "
        f"started after {1000 * median(waits):.0f} ms (median), "
        f"{1000 * waits[99 * len(waits) // 100]:.0f} ms (99 %)"
    )


def made_a_second(traces: Sequence[Trace]) -> float:
    """Return how fast runs were made."""
    ends = sorted(trace.completed_at.timestamp() for trace in traces if trace.completed_at)
    return (len(ends) - 1) / (ends[-1] - ends[0])


def wait_s(trace: Trace) -> float:
    """Return the seconds from the acceptance of a run to its start."""
    assert trace.started_at
    return (trace.started_at - trace.created_at).total_seconds()


class Shore:
    """Finds a long page that nobody has seen for every query, and opens it."""

    name = "shore"
    kinds = frozenset({SourceKind.WEB})

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Find the page that the query numbers."""
        number = query.text.rsplit(" ", 1)[-1]
        number = number if number.isdigit() else "0"
        title = f"Lamp {number} of Lantern Rock"
        url = f"https://lights.example/lamp/{number}"
        return [Hit(url=url, title=title, provider=self.name, rank=0)][:limit]

    async def read(self, hit: Hit) -> Page:
        """Return a page whose words are no other page's."""
        number = int(hit.url.rsplit("/", 1)[-1])
        rng = random.Random(number)  # noqa: S311 - repeatable is wanted
        text = f"Lamp {number} of Lantern Rock was lit by keeper {number}.\n\n"
        while len(text) < PAGE_CHARS:
            words = ("".join(rng.choices("abcdefghilmnoprstu", k=6)) for _ in range(12))
            text += f"{' '.join(words).capitalize()}.\n\n"
        return Page(url=hit.url, title=hit.title, text=text)


class Restless:
    """A model that always has one more question."""

    name = "bench:restless"
    context_tokens = 1_000_000

    def __init__(self, loops: int) -> None:
        self._lamps = range(1, loops + 1)
        self._inner = ScriptedModel(self._say)

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer."""
        return await self._inner.complete(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Answer in one piece."""
        completion = await self.complete(request)
        yield completion.text
        yield completion

    def _say(self, request: ModelRequest) -> dict[str, JsonValue]:
        text = request.messages[1].content
        found: list[JsonValue] = []
        for lamp in self._lamps:
            at = text.find(f"was lit by keeper {lamp}.")
            if at >= 0:
                number = text.rfind('id="', 0, at) + 4
                passage = int(text[number : text.index('"', number)])
                found.append({"id": passage, "items": [min(lamp, CHECKLIST)]})
        items: list[JsonValue] = [f"the keeper of lamp {lamp}" for lamp in range(1, CHECKLIST + 1)]
        held = min(len(found), CHECKLIST - 1)
        return {
            "checklist": items,
            "findings": found,
            "satisfied": [*range(1, held + 1)],
            "gaps": items[held:],
            "queries": [{"query": f"keeper lamp {len(found) + 1}"}],
            "sufficient": False,
            "confidence": 0.3,
            "answer": "",
        }


def restless(loops: int) -> Engine:
    """Return an engine that goes on as long as it may."""
    shore, model = Shore(), Restless(loops)
    return Engine(
        providers=(shore,),
        reasoner=ModelReasoner(Models(model, model, model, model)),
        fallback=ExtractiveReasoner(),
        reader=shore,
        chunker=PassageChunker(),
    )


async def growth(options: argparse.Namespace) -> None:
    """Print what the database holds of runs of so many loops."""
    print(
        "loops  answers (at most, while it runs)  events  trace row  pages, packed  answers after"
    )
    with tempfile.TemporaryDirectory() as folder:
        for loops in options.loops:
            async with Database.file(Path(folder) / f"growth-{loops}.db") as database:
                print(await weighed(database, loops, options.sources))


async def weighed(database: Database, loops: int, sources: int) -> str:
    """Return the figures of one run."""
    limits: dict[str, int | float | None] = {
        "max_iters": loops,
        "max_queries": 1000,
        "max_sources": sources,
        "max_reads": 1000,
        "token_budget": 100_000_000,
        "max_execution_time_s": 600.0,
    }
    request = RunSpec.of(QUESTION, run_id="long", limits=limits)
    await Jobs(database).submit(Entry.of(OWNER, request, params={"question": QUESTION}))
    policy = WorkerPolicy(concurrency=1, drain=True)

    def engine(spec: RunSpec, tap: Tap) -> Engine:
        return tapped(restless(loops), spec, tap)

    working = asyncio.create_task(Worker(DatabaseCarrier(database), engine, policy).run())
    most = 0
    while not working.done():
        most = max(most, await size(database, func.length(run_answers.c.body)))
        await asyncio.sleep(0.02)
    await working
    events = await Traces(database).events(OWNER, "long")
    made = sum(isinstance(event, Evaluated) for event in events)
    row = func.length(tool_traces.c.state) + func.length(tool_traces.c.result)
    sizes = [
        most,
        await size(database, func.length(run_events.c.body)),
        await size(database, row),
        await size(database, func.length(pages.c.body)),
        await size(database, func.length(run_answers.c.body)),
    ]
    return f"{made:5}  " + "  ".join(f"{each / 1000:10.1f} kB" for each in sizes)


async def size(database: Database, length: ColumnElement[int]) -> int:
    """Return the sum of ``length`` over its table; 0 before there is one."""
    async with database.read() as connection:
        return (await connection.execute(select(func.coalesce(func.sum(length), 0)))).scalar_one()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    measures = parser.add_subparsers(required=True)
    fast = measures.add_parser("speed")
    fast.add_argument("--runs", type=int, default=40)
    fast.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    fast.add_argument("--carriers", nargs="+", default=["database", "nats"])
    fast.add_argument("--sqlite", action="store_true", help="in place of PostgreSQL and NATS")
    fast.set_defaults(measure=speed)
    long = measures.add_parser("growth")
    long.add_argument("--loops", type=int, nargs="+", default=[2, 4, 8, 16])
    long.add_argument("--sources", type=int, default=1000, help="kept as evidence at most")
    long.set_defaults(measure=growth)
    return parser


if __name__ == "__main__":
    given = _parser().parse_args()
    asyncio.run(given.measure(given))
