"""A worker for ``bench/kill.py``: its world is small, slow and counts what it is asked.

python bench/kill_worker.py DATABASE_URL CALLS_FILE LEASE_S [SECONDS_OF_A_CALL [CARRIER [BREAK]]]

Beside CALLS_FILE it writes, with the suffix ``.writes``, what it has written to traces, ``.up``,
that it has started, and ``.gaps``, when it was kept from working or a sign of life took long. It
freezes itself before it writes the end of a run when there is a file with the suffix ``.freeze``.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from pydantic import JsonValue

from kill_breaks import BREAKS
from quaere.domain.events import RunFinished
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query, SourceKind
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, Page
from quaere.ports.model import ChatModel
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime import worker as worker_module
from quaere.runtime.engine import Engine
from quaere.runtime.news import News
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import BEATS, Worker, WorkerPolicy
from quaere.store.carriers import Carrier, Delivery
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.carriers.nats import NatsCarrier
from quaere.store.db.database import Database
from quaere.store.traces.privacy import Kept
from quaere.store.traces.recorder import TraceLog
from quaere.testing import ScriptedModel

CALL_S = 0.15
CONCURRENCY = 3
GAP_S = 0.25
QUESTION = "Where was the keeper of Lantern Rock born?"
PAGES = {
    "Lantern Rock": "The light on Lantern Rock was lit first in 1811. Its keeper was Ansel Dray.",
    "Ansel Dray": "Ansel Dray kept lights for forty years. Ansel Dray was born in Pell Harbour.",
    "Pell Harbour": "Pell Harbour has nine hundred people and a rope works.",
}
STEPS = ("Its keeper was Ansel Dray", "Ansel Dray was born in Pell Harbour")


class Calls:
    """Writes down every call of a run when it is answered."""

    def __init__(self, path: Path, run_id: str, call_s: float) -> None:
        self._path, self._run_id, self._call_s = path, run_id, call_s

    async def made(self, key: str) -> None:
        """Take the time of a call, then count it as answered."""
        await asyncio.sleep(self._call_s)
        add_line(self._path, str(os.getpid()), self._run_id, key)


def add_line(path: Path, *fields: str) -> None:
    """Add a line to a file that several processes write, in one piece."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, ("\t".join(fields) + "\n").encode())
    os.close(file)


async def note_gaps(path: Path, longest_s: float) -> None:
    """Note each time that this process could do nothing for longer than ``longest_s``."""
    last = time.monotonic()
    while True:
        await asyncio.sleep(GAP_S)
        last = note_late(path, last, longest_s)


def note_late(path: Path, since: float, longest_s: float) -> float:
    """Note that ``since`` was more than ``longest_s`` ago, if so; return the time."""
    now = time.monotonic()
    if now - since > longest_s:
        add_line(path, str(os.getpid()), f"{now - since:.1f}")
    return now


def watch_beats(carrier: Carrier, path: Path, longest_s: float) -> None:
    """Note each sign of life of ``carrier`` that takes longer than ``longest_s`` to give."""
    beat = carrier.beat

    async def timed(held: Sequence[Delivery], *, lease_s: float) -> None:
        began = time.monotonic()
        try:
            await beat(held, lease_s=lease_s)
        finally:
            note_late(path, began, longest_s)

    carrier.beat = timed


class WatchedLog(TraceLog):
    """Tells of every write to a trace: run, fence, when it began and when it was done.

    Times are those of the machine's monotonic clock, which its processes share.
    """

    calls: Path

    async def append(self, kept: Sequence[Kept]) -> None:
        """Add events; freeze before the last one where that is asked for."""
        if any(isinstance(each.event, RunFinished) for each in kept):
            self._freeze()
        began = time.monotonic()
        await super().append(kept)
        times = (repr(began), repr(time.monotonic()))
        add_line(self.calls.with_suffix(".writes"), self._trace_id, str(self._fence), *times)

    def _freeze(self) -> None:
        try:
            self.calls.with_suffix(".freeze").unlink()
        except FileNotFoundError:
            return
        add_line(self.calls.with_suffix(".frozen"), str(os.getpid()))
        os.kill(os.getpid(), signal.SIGSTOP)


class Finder:
    """Finds one page a query, whose text has to be read."""

    name = "finder"
    kinds = frozenset({SourceKind.WEB})

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Find the page whose title has most words of the query."""
        await self._calls.made(f"search {query.text}")
        words = set(query.text.casefold().split())
        title = max(PAGES, key=lambda each: len(words & set(each.casefold().split())))
        url = f"https://lights.example/{title.replace(' ', '-')}"
        return [Hit(url=url, title=title, provider=self.name, rank=0)][:limit]


class Opener:
    """Opens pages."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def read(self, hit: Hit) -> Page:
        """Return the page."""
        await self._calls.made(f"read {hit.url}")
        return Page(url=hit.url, title=hit.title, text=PAGES[hit.title])


class Thinker:
    """A scripted model that counts its calls."""

    name = "bench:thinker"
    context_tokens = 50_000

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._inner = ScriptedModel(_say)

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer."""
        asked = hashlib.sha256(request.messages[1].content.encode()).hexdigest()[:12]
        await self._calls.made(f"model {request.step} {asked}")
        return await self._inner.complete(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Answer in one piece."""
        completion = await self.complete(request)
        yield completion.text
        yield completion


def _say(request: ModelRequest) -> dict[str, JsonValue]:
    text = request.messages[1].content
    known = [step in text for step in STEPS]
    found: list[JsonValue] = []
    for place, step in enumerate(STEPS, 1):
        at = text.find(step)
        if at >= 0:
            number = text.rfind('id="', 0, at)
            found.append(
                {"id": int(text[number + 4 : text.index('"', number + 4)]), "items": [place]}
            )
    done = all(known)
    said: dict[str, JsonValue] = {
        "findings": found,
        "satisfied": [place for place, held in enumerate(known, 1) if held],
        "gaps": [] if done else ["the birthplace"],
        "queries": [] if done else [{"query": "Ansel Dray"}],
        "sufficient": done,
        "confidence": 0.9,
        "answer": "Ansel Dray was born in Pell Harbour [1]." if done else "",
    }
    if request.step == "plan":
        said["checklist"] = ["the keeper", "the birthplace"]
    return said


def engine(calls_file: Path, spec: RunSpec, tap: Tap, call_s: float = CALL_S) -> Engine:
    """Return the engine of one run, whose calls take ``call_s`` seconds each."""
    calls = Calls(calls_file, spec.run_id, call_s)
    model: ChatModel = Thinker(calls)
    made = Engine(
        providers=(Finder(calls),),
        reasoner=ModelReasoner(Models(model, model, model, model)),
        fallback=ExtractiveReasoner(),
        reader=Opener(calls),
        chunker=PassageChunker(),
    )
    return tapped(made, spec, tap)


async def main(
    url: str,
    calls_file: str,
    lease_s: str,
    call_s: str = str(CALL_S),
    carrier_url: str = "",
    broken: str = "",
) -> None:
    """Work until killed."""
    WatchedLog.calls = Path(calls_file)
    worker_module.TraceLog = WatchedLog
    if broken:
        BREAKS[broken]()
    policy = WorkerPolicy(concurrency=CONCURRENCY, lease_s=float(lease_s))
    async with Database(url) as database:

        def made(spec: RunSpec, tap: Tap) -> Engine:
            return engine(Path(calls_file), spec, tap, float(call_s))

        carrier = NatsCarrier(carrier_url, database) if carrier_url else DatabaseCarrier(database)
        news = News()
        news.connect(carrier)
        worker = Worker(carrier, made, policy, news=news)
        gaps = Path(calls_file).with_suffix(".gaps")
        watch_beats(carrier, gaps, float(lease_s) / 2)  # the one before may be half of it ago
        add_line(Path(calls_file).with_suffix(".up"), str(os.getpid()))
        # One that is kept waiting for longer misses all signs of life in the time of a lease.
        longest_s = float(lease_s) * (BEATS - 1) / BEATS - GAP_S
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(note_gaps(gaps, longest_s))
            await worker.run()


def work(*told: str) -> None:
    """Work until killed."""
    asyncio.run(main(*told))


if __name__ == "__main__":
    work(*sys.argv[1:7])
