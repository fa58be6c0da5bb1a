"""What the queue holds: runs that come at a steady rate, whether or not it keeps up.

    python bench/arrivals.py --rate 116 --seconds 600 --carrier database|nats
    python bench/arrivals.py --rate 3.5 --seconds 600 --runs scripted --carrier database|nats

Runs are empty: a process takes one and ends it, so that what is measured is the carrier and the
database (PostgreSQL, started for this), as 10,000,000 runs a day would use them. Or they are whole
runs of workers with a journal and a trace, whose search service, pages and model are scripted
(``bench/kill_worker.py``). Prints how many were accepted and ended a second, how many were left,
and how long they waited.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import ExitStack, aclosing
from pathlib import Path

from sqlalchemy import func, select

from kill_worker import CALL_S, QUESTION, add_line
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.runtime.admission import Intake
from quaere.runtime.news import QUEUE, Bell, News
from quaere.store.carriers import Carrier
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.carriers.nats import NatsCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import tool_traces
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry

ROOT = Path(__file__).parents[1]
OWNER = Owner(user="bench")
WORKER = Path(__file__).with_name("kill_worker.py")
LEASE_S = 15.0
IDLE_S = 0.25
TICK_S = 0.05


def carrier_of(url: str, database: Database) -> Carrier:
    """Return NATS at ``url``, or the database without one."""
    return NatsCarrier(url, database) if url else DatabaseCarrier(database)


async def take_all(database_url: str, carrier_url: str, places: int, up: Path) -> None:
    """Take runs and end them, until killed."""
    async with Database(database_url) as database:
        carrier, jobs, news = carrier_of(carrier_url, database), Jobs(database), News()
        name = f"taker-{os.getpid()}"
        news.connect(carrier)

        looking = asyncio.Lock()

        async def place(bell: Bell) -> None:
            while True:
                async with looking:  # as in a worker, one that is free looks for all
                    while not (delivery := await carrier.take(name, lease_s=LEASE_S)):
                        await bell.wait(IDLE_S)
                await jobs.end(delivery.job, TraceStatus.COMPLETED)
                await delivery.done()

        add_line(up, name)
        with news.heard(QUEUE) as bell:
            await asyncio.gather(*(place(bell) for _ in range(places)))


async def offer(intake: Intake, options: argparse.Namespace) -> tuple[int, float]:
    """Submit runs at the rate; return how many, and the seconds until all were accepted."""
    began = time.monotonic()
    submitting: set[asyncio.Task[object]] = set()
    count = 0
    while (spent_s := time.monotonic() - began) < options.seconds:
        while count < spent_s * options.rate:
            spec = RunSpec.of(QUESTION, run_id=f"run-{count:07}")
            entry = Entry.of(OWNER, spec, params={"question": QUESTION})
            task: asyncio.Task[object] = asyncio.create_task(intake.submit(entry))
            submitting.add(task)
            task.add_done_callback(submitting.discard)
            count += 1
        await asyncio.sleep(TICK_S)
    await asyncio.gather(*submitting)
    return count, time.monotonic() - began


async def told(database: Database) -> str:
    """Return how long runs waited."""
    waited = func.extract("epoch", tool_traces.c.started_at - tool_traces.c.created_at)
    wanted = select(
        func.count().label("ended"),
        func.count().filter(tool_traces.c.status == str(TraceStatus.COMPLETED)).label("completed"),
        func.percentile_cont(0.5).within_group(waited).label("median"),
        func.percentile_cont(0.99).within_group(waited).label("most"),
    ).where(tool_traces.c.completed_at.is_not(None))
    async with database.read() as connection:
        row = (await connection.execute(wanted)).one()
    if not row.ended:
        return "none ended"
    return (
        f"{row.completed} completed; "
        f"{1000 * row.median:.0f} ms from submit to start (median), {1000 * row.most:.0f} ms (99 %)"
    )


async def started(command: Sequence[str], count: int, up: Path) -> list[Process]:
    """Start processes that take runs, and wait until each has added a line to ``up``."""
    takers = [await asyncio.create_subprocess_exec(sys.executable, *command) for _ in range(count)]
    up.touch()  # noqa: ASYNC240
    while len(up.read_text("utf-8").splitlines()) < count:  # noqa: ASYNC110, ASYNC240
        await asyncio.sleep(TICK_S)
    return takers


async def measure(
    options: argparse.Namespace, database_url: str, carrier_url: str, folder: Path
) -> None:
    """Offer runs while processes take them, and print the outcome."""
    async with Database(database_url) as database, aclosing(carrier_of(carrier_url, database)) as c:
        await database.upgrade()
        news = News()
        intake = Intake(database, c, news)
        calls = str(folder / "calls")
        scripted = (str(WORKER), database_url, calls, str(LEASE_S), str(CALL_S), carrier_url)
        empty = (__file__, "--take", database_url, carrier_url, str(options.places), calls)
        command = scripted if options.runs == "scripted" else empty
        takers = await started(command, options.takers, folder / "calls.up")
        jobs = Jobs(database)
        try:
            count, accepted_s = await offer(intake, options)
            left = await jobs.waiting()
            began = time.monotonic()
            late = began + options.seconds
            while not await jobs.idle() and time.monotonic() < late:  # noqa: ASYNC110
                await asyncio.sleep(TICK_S)
            rest_s = time.monotonic() - began
            lost = await jobs.waiting()
        finally:
            for taker in takers:
                taker.kill()
                await taker.wait()
            await intake.aclose()
        own = resource.getrusage(resource.RUSAGE_SELF)
        theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime
        ended_s = accepted_s + rest_s
        print(
            f"{options.carrier}: {count} runs at {options.rate:g} a second, "
            f"{count / accepted_s:.1f} a second accepted, {(count - lost) / ended_s:.1f} a second "
            f"ended; {left} left when the last was accepted, {lost} after {rest_s:.0f} s more; "
            f"{await told(database)}; {1000 * cpu_s / count:.0f} ms of CPU a run without the "
            f"servers; load {os.getloadavg()[0]:.0f}"
        )


def main() -> None:
    """Start the servers, and measure."""
    if sys.argv[1:2] == ["--take"]:
        database_url, carrier_url, places, calls = sys.argv[2:6]
        asyncio.run(take_all(database_url, carrier_url, int(places), Path(calls + ".up")))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rate", type=float, default=116.0, help="runs a second")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--carrier", default="database", choices=["database", "nats"])
    parser.add_argument("--runs", default="empty", choices=["empty", "scripted"])
    parser.add_argument("--takers", type=int, default=2, help="processes")
    parser.add_argument("--places", type=int, default=8, help="empty runs of a process at a time")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from tests.services import nats, postgres  # noqa: PLC0415 - it is in the path only now

    with ExitStack() as exits:
        folder = Path(exits.enter_context(tempfile.TemporaryDirectory()))
        database_url = exits.enter_context(postgres.server()).create()
        with_nats = options.carrier == "nats"
        carrier_url = exits.enter_context(nats.server()).create() if with_nats else ""
        asyncio.run(measure(options, database_url, carrier_url, folder))


if __name__ == "__main__":
    main()
