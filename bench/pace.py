"""How often a service is asked by several workers together, counted where it is asked.

    python bench/pace.py --database postgresql://... [--workers 4] [--runs 80] [--places 20]

Starts a look-alike of PubMed and workers of the real command line, which ask nothing else, and
submits runs. Prints how many requests came in the fullest second, and exits with 1 when there were
more than PubMed allows without a key.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import cast

from aiohttp import web
from pydantic import SecretStr

from eutils import Eutils, Record
from quaere.domain.request import RunRequest
from quaere.domain.trace import ENDED
from quaere.runtime.app import LOCAL, App
from quaere.runtime.settings import Settings
from quaere.search.pubmed import REQUESTS_PER_S
from quaere.store.jobs import Jobs

SUBJECTS = ("lantern moths", "tidal weirs", "rope works", "river silt", "heath bees")
RECORDS = [
    Record(
        str(70_000_000 + number),
        f"{subject} in year {number}",
        (("", f"What is known of {subject} was counted {number} times."),),
    )
    for number, subject in enumerate(SUBJECTS * 20)
]


class Service:
    """Answers as PubMed does, and notes when it was asked."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._eutils = Eutils(RECORDS)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one request."""
        self.asked.append(time.monotonic())
        if request.path.endswith("efetch.fcgi"):
            return web.Response(body=self._eutils.efetch(request.query), content_type="text/xml")
        return web.json_response(self._eutils.esearch(request.query))


def fullest(asked: Sequence[float], window_s: float = 1.0) -> int:
    """Return the most requests in any ``window_s`` seconds."""
    most = first = 0
    for last, at in enumerate(asked):
        while at - asked[first] >= window_s:
            first += 1
        most = max(most, last - first + 1)
    return most


async def start(database: str, base_url: str, places: int, folder: Path) -> Process:
    """Start a worker."""
    environment = {
        **os.environ,
        "QUAERE_DATABASE_URL": database,
        "QUAERE_PROVIDERS": "pubmed",
        "QUAERE_CACHE_URL": "memory",
        "QUAERE_DATA_DIR": str(folder / "data"),
        "QUAERE_CACHE_DIR": str(folder / "cache"),
        "PUBMED_BASE_URL": base_url,
    }
    command = ("-m", "quaere", "worker", "--concurrency", str(places), "--drain")
    with (folder / "log").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            sys.executable, *command, env=environment, stdout=log, stderr=log
        )


async def told(quaere: App) -> str:
    """Return how runs have ended, how many cite something, and how long they took."""
    ends = Counter[str]()
    seconds: list[float] = []
    for trace in (await (await quaere.traces()).list_traces(LOCAL, limit=200)).traces:
        if trace.status not in ENDED or not trace.started_at or not trace.completed_at:
            continue
        report = await (await quaere.run_of(trace)).report()
        ends[f"{trace.status}, {'cited' if report.citations else 'not cited'}"] += 1
        seconds.append((trace.completed_at - trace.started_at).total_seconds())
    return f"{dict(ends)}; {median(seconds or [0]):.0f} s (median), {max(seconds or [0]):.0f} s"


async def measure(options: argparse.Namespace, folder: Path) -> Service:
    """Have workers make runs; return what was asked."""
    counter = Service()
    app = web.Application(handler_args={"max_line_size": 65_536})
    app.router.add_get("/{name}", counter.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = cast("tuple[str, int]", runner.addresses[0])
    settings = Settings(database_url=SecretStr(options.database), data_dir=folder / "data")
    async with App.open(settings) as quaere:
        await (await quaere.database()).upgrade()
        for number in range(options.runs):
            question = f"What is known of {SUBJECTS[number % len(SUBJECTS)]} number {number}?"
            await quaere.submit(RunRequest.of(question=question, providers=("pubmed",)))
        url = f"http://{host}:{port}"
        starts = (
            start(options.database, url, options.places, folder) for _ in range(options.workers)
        )
        workers = await asyncio.gather(*starts)
        deadline = time.monotonic() + options.seconds
        jobs = Jobs(await quaere.database())
        while time.monotonic() < deadline and not await jobs.idle():  # noqa: ASYNC110
            await asyncio.sleep(0.5)
        left = await jobs.waiting()
        print(f"{options.runs - left} of {options.runs} runs have ended: {await told(quaere)}")
    for worker in workers:
        if worker.returncode is None:
            worker.kill()
        await worker.wait()
    await runner.cleanup()
    return counter


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--database", required=True, help="URL of an empty database")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--places", type=int, default=20, help="runs of a worker at a time")
    parser.add_argument("--runs", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=120.0, help="when to stop")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counter = asyncio.run(measure(options, Path(folder)))
        if not counter.asked:
            print((Path(folder) / "log").read_text()[-2_000:])
    asked = counter.asked
    spent_s = asked[-1] - asked[0] if len(asked) > 1 else 0.0
    print(
        f"{len(asked)} requests of {options.workers} workers in {spent_s:.0f} s, "
        f"{(len(asked) - 1) / spent_s if spent_s else 0:.2f} a second; {fullest(asked)} in the "
        f"fullest second, of {REQUESTS_PER_S} that are allowed; load {os.getloadavg()[1]:.0f}"
    )
    return 0 if asked and fullest(asked) <= REQUESTS_PER_S else 1


if __name__ == "__main__":
    sys.exit(main())
