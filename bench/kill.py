"""Kills and freezes workers while they work, and looks whether anything was lost or done twice.

    python bench/kill.py --kills 20 --stalls 5
    python bench/kill.py --kills 500 --stalls 100 --database postgresql://...
    python bench/kill.py --carrier nats --outages 2

Workers (``bench/kill_worker.py``) share a database. At random moments one of them that has begun is
killed with SIGKILL and replaced, or stopped with SIGSTOP for longer than its lease and then woken;
every other freeze hits one that is about to write the end of a run. There is one worker more than
runs need, and nobody is killed before all workers are up, so that a run of a dead worker waits for
its lease and not for a place or the start of a process. Runs are submitted as others end, until
everything has been done to the workers and there were enough of them. At the end: every run is
completed, and once; its events are numbered 1 to n without a gap, from one beginning to one end;
all answers are equal; nobody wrote to a run that another had been given; no run was taken from a
worker that was well; and at most one answered call was made again for each run of a worker that
was killed or stopped. A worker that a busy machine or a slow disk keeps from giving signs of life
for half of its lease or longer counts as one that was stopped.

``--carrier nats`` has NATS JetStream bring the runs, on a server that is started for it. Every
tenth run is never offered, as if its submitter had died in between; ``--outages`` is how often NATS
is killed with SIGKILL and its store deleted in the middle, and started again after a second.

``--cluster`` starts three servers of NATS, of which an outage kills each in turn, one at a time;
nothing is deleted. ``--partitions`` is how often one of them is cut off from the others for
`PARTITION_S` seconds, while workers still reach it. That wants a network of one's own:

    unshare --net sh -c 'ip link set lo up && python bench/kill.py --carrier nats --cluster ...'

``--cuts`` is how often a worker that has begun is cut off from the database, the carrier or both,
for longer than its lease and, every other time, until connections are given up. It wants such a
network, too; PostgreSQL is started for it. With it, ``--skew`` is by how many seconds the clocks of
workers are wrong, in turn ahead and behind (it wants the Debian package libfaketime).

``--break NAME`` takes one protection away (``bench/kill_breaks.py``), which must be noticed.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from sqlalchemy import select

from kill_breaks import BREAKS
from kill_network import NETWORK, Network, port_of, seen_from_workers, wrong_clock
from kill_worker import CALL_S, CONCURRENCY, QUESTION, work
from quaere.domain.events import RunFinished, RunStarted
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import StoreError
from quaere.store.carriers import Carrier
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.carriers.nats import NatsCarrier
from quaere.store.db.database import Database
from quaere.store.db.postgres import LOST_S
from quaere.store.db.schema import tool_traces
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces

if TYPE_CHECKING:
    from tests.services.nats import Cluster, Server

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("kill_worker.py")
FORKS = multiprocessing.get_context("forkserver")
"""Workers begin with all their imports done: that takes most of the time of a kill."""
OWNER = Owner(user="bench")
OUTAGE_S = 1.0
PARTITION_S = 10.0
"""Longer than the servers take to choose another leader."""
CUT_S = LOST_S + 10.0
"""Longer than connections are kept that are silent."""
SERVED_BY = (65_531, 65_532, 65_533)
"""Ids of users that run the servers of a cluster where the network tells them apart."""
NEVER_OFFERED = 10
"""One of so many runs is in the database, and was never offered to the carrier."""
BEGUN_CALLS = 4
"""Answers after which a worker counts as one that has begun."""


@dataclass(frozen=True)
class Robbed:
    """A run whose worker was killed."""

    run: str
    fence: int
    at: float


@dataclass(frozen=True)
class Hand:
    """The process of a worker."""

    pid: int
    reap: Callable[[], object]
    """Waits for its end."""

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        self.send_signal(signal.SIGKILL)
        self.reap()


@dataclass
class Crew:
    """The workers, and what is done to them."""

    database: Database
    url: str
    calls: Path
    lease_s: float
    rng: random.Random
    broken: str = ""
    carrier: str = ""
    nats: Server | None = None
    cluster: Cluster | None = None
    network: Network | None = None
    skew_s: float = 0.0
    cuts: int = 0
    call_s: float = CALL_S
    robbed: list[Robbed] = field(default_factory=list[Robbed])
    running: list[Hand] = field(default_factory=list[Hand])

    def hire(self) -> None:
        """Start a worker."""
        told = (self.url, str(self.calls), str(self.lease_s), str(self.call_s), self.carrier)
        told = (*told, self.broken)
        if self.network:
            self.skew_s = -self.skew_s
            clock = wrong_clock(self.skew_s) if self.skew_s else {}
            command = (sys.executable, str(WORKER), *map(seen_from_workers, told))
            worker = self.network.start(command, {**os.environ, **clock})
            self.running.append(Hand(worker.pid, worker.wait))
        else:
            forked = FORKS.Process(target=work, args=told, daemon=True)
            forked.start()
            assert forked.pid
            self.running.append(Hand(forked.pid, forked.join))

    async def ready(self) -> None:
        """Return when all workers have started."""
        up = self.calls.with_suffix(".up")
        while not {str(each.pid) for each in self.running} <= {*_lines(up)}:  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    async def begun(self) -> Hand:
        """Return one that is at work: it has had several answers, and had another just now."""
        before = len(_lines(self.calls))
        while True:
            lines = [line.split("\t")[0] for line in _lines(self.calls)]
            busy = [
                each
                for each in self.running
                if str(each.pid) in lines[before:] and lines.count(str(each.pid)) >= BEGUN_CALLS
            ]
            if busy:
                return self.rng.choice(busy)
            await asyncio.sleep(0.05)

    async def kill(self) -> None:
        """Kill one that has begun and start another."""
        await self.ready()
        victim = await self.begun()
        self.running.remove(victim)
        victim.kill()
        await self._note(victim.pid)
        self.hire()

    async def _note(self, pid: int) -> None:
        """Note the runs that a worker had, which is dead."""
        mine = tool_traces.c.lease_owner.contains(f"-{pid}-", autoescape=True)
        wanted = select(tool_traces.c.id, tool_traces.c.fence).where(
            mine, tool_traces.c.status == str(TraceStatus.IN_PROGRESS)
        )
        async with self.database.read() as connection:
            rows = (await connection.execute(wanted)).all()
        self.robbed += [Robbed(row.id, row.fence, time.monotonic()) for row in rows]

    async def stall(self) -> None:
        """Freeze one that has begun for longer than its lease, then wake it."""
        victim = await self.begun()
        victim.send_signal(signal.SIGSTOP)
        await asyncio.sleep(1.6 * self.lease_s)
        victim.send_signal(signal.SIGCONT)

    async def stall_at_the_end(self) -> None:
        """Freeze the next that is about to write the end of a run, then wake it."""
        frozen = self.calls.with_suffix(".frozen")
        before = len(_lines(frozen))
        self.calls.with_suffix(".freeze").touch()
        while len(pids := _lines(frozen)) == before:  # noqa: ASYNC110 - a worker writes it
            await asyncio.sleep(0.05)
        (victim,) = (each for each in self.running if str(each.pid) == pids[-1])
        await asyncio.sleep(1.6 * self.lease_s)
        victim.send_signal(signal.SIGCONT)

    async def outage(self) -> None:
        """Kill NATS with all that it keeps, and start it again."""
        if self.nats is None:
            return
        await self.begun()
        self.nats.kill(wipe=True)
        await asyncio.sleep(OUTAGE_S)
        await asyncio.to_thread(self.nats.start)

    async def outages_in_turn(self) -> None:
        """Kill one server of the cluster after the other, each when all are up to date."""
        if self.cluster is None:
            return
        await self.begun()
        for server in self.cluster.servers:
            server.kill()
            await asyncio.sleep(OUTAGE_S)
            await asyncio.to_thread(server.start)
            await asyncio.to_thread(self.cluster.settle)

    async def partition(self) -> None:
        """Cut one server of the cluster off from the others for a while."""
        if self.cluster is None:
            return
        await self.begun()
        with self.cluster.cut_off(self.rng.randrange(len(self.cluster.servers))):
            await asyncio.sleep(PARTITION_S)
        await asyncio.to_thread(self.cluster.settle)

    async def cut(self) -> None:
        """Cut one that has begun off from the database, the carrier or both for a while."""
        if self.network is None:
            return
        self.cuts += 1
        victim = await self.begun()
        ports = [port_of(each) for each in (self.url, self.carrier) if each]
        chosen = self.rng.choice([ports, *([port] for port in ports)])
        with self.network.cut(victim.pid, chosen):
            await asyncio.sleep(CUT_S if self.cuts % 2 else 2.5 * self.lease_s)

    def dismiss(self) -> None:
        """End them all."""
        for worker in self.running:
            worker.kill()


async def harass(options: argparse.Namespace) -> int:
    """Run the harness; 0 when nothing was lost or done twice."""
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(options.seed)  # noqa: S311 - repeatable is wanted
        async with AsyncExitStack() as exits:
            network = exits.enter_context(Network()) if options.cuts else None
            url = options.database or f"sqlite:///{folder}/kill.db"
            url = _remember(exits) if network else url
            database = await exits.enter_async_context(Database(url))
            crew = Crew(
                database, url, Path(folder) / "calls.tsv", options.lease, rng, options.broken
            )
            crew.network, crew.skew_s, crew.call_s = network, options.skew, options.call
            await database.upgrade()
            carrier: Carrier = DatabaseCarrier(database)
            if options.carrier == "nats":
                crew.carrier = _serve(crew, options, exits)
                carrier = NatsCarrier(crew.carrier, database)
                exits.push_async_callback(carrier.aclose)
            began = time.monotonic()
            source = Source(carrier, options)
            feeding = asyncio.create_task(source.feed())
            try:
                faults = await _trouble(crew, source, options)
            finally:
                feeding.cancel()
                crew.dismiss()
            names = source.names
            faults += await _judge(database, names)
            taken = await _taken_over(database, names)
        made = Counter(line.partition("\t")[2] for line in _lines(crew.calls))
        writes = _lines(crew.calls.with_suffix(".writes"))
        faults += _overwritten(writes)
        late = len(_lines(crew.calls.with_suffix(".gaps")))
        gaps = max(0, late - options.stalls - options.cuts)
        takeovers = _takeovers(crew.robbed, writes)
        repeated = sum(count - 1 for count in made.values())
        seconds = time.monotonic() - began
    # An outage of the carrier may take from each worker what it has.
    outages = options.outages + options.partitions
    harm = options.kills + options.stalls + options.cuts + outages * (options.workers + 1)
    harm += gaps  # a busy machine or a slow disk stops workers, too
    # Runs in the hands of who was killed or stopped. To who is cut off one may be on its way.
    lost = harm * CONCURRENCY + options.cuts
    if taken > lost:
        faults.append(f"runs were taken over {taken} times, after {harm} kills and stalls")
    if repeated > lost:
        faults.append(f"{repeated} answered calls were made again, after {harm} kills and stalls")
    print(
        f"{len(names)} runs, {options.workers} + 1 workers, {options.kills} kills, "
        f"{options.stalls} stalls, {options.cuts} cuts, {seconds:.0f} s; "
        f"{taken} times a run was taken over, {repeated} answered calls made again; "
        f"{gaps} times a worker was kept from giving signs of life; "
        f"load {os.getloadavg()[1]:.0f}"
    )
    print(takeovers)
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


@dataclass
class Source:
    """Submits runs, so many that all workers but one are busy, until it is told that it is enough.

    Every tenth is never offered to the carrier.
    """

    carrier: Carrier
    options: argparse.Namespace
    names: list[str] = field(default_factory=list[str])
    enough: bool = False

    async def feed(self) -> None:
        """Submit runs as others end."""
        jobs, places = Jobs(self.carrier.database), self.options.workers * CONCURRENCY
        while not self.enough or len(self.names) < self.options.runs:
            for _ in range(places - await jobs.waiting()):
                await self._submit(jobs)
            await asyncio.sleep(0.1)

    async def _submit(self, jobs: Jobs) -> None:
        name = f"run-{self.options.seed}-{len(self.names):04}"
        request = RunSpec.of(QUESTION, run_id=name)
        await jobs.submit(Entry.of(OWNER, request, params={"question": QUESTION}))
        self.names.append(name)
        if len(self.names) % NEVER_OFFERED:
            with suppress(StoreError):  # NATS may be down: the sweep offers it
                await self.carrier.offer(name, 0)

    async def over(self) -> bool:
        """Return whether all runs were submitted, and have ended."""
        return (
            self.enough
            and len(self.names) >= self.options.runs
            and await Jobs(self.carrier.database).idle()
        )


async def _trouble(crew: Crew, source: Source, options: argparse.Namespace) -> list[str]:
    """Kill and freeze at random moments until all runs are made; return what hindered that."""
    for _ in range(options.workers + 1):
        crew.hire()
    at_the_end = options.stalls // 2
    acts = [crew.kill] * options.kills + [crew.stall] * (options.stalls - at_the_end)
    acts += [crew.stall_at_the_end] * at_the_end
    acts += [crew.outages_in_turn if crew.cluster else crew.outage] * options.outages
    acts += [crew.partition] * options.partitions + [crew.cut] * options.cuts
    crew.rng.shuffle(acts)
    for act in acts:
        try:
            await asyncio.wait_for(act(), options.patience)
        except TimeoutError:
            return [f"no worker came far enough to {act.__name__}"]
        await asyncio.sleep(crew.rng.uniform(0.2, 1.8) * options.pause)
    source.enough, deadline = True, time.monotonic() + options.limit
    while not await source.over():
        if time.monotonic() > deadline:
            return ["runs were still unfinished after the time that they had"]
        await asyncio.sleep(0.2)
    return []


async def _judge(database: Database, names: Sequence[str]) -> list[str]:
    """Return what is wrong with the runs."""
    traces, faults = Traces(database), list[str]()
    answers: Counter[str] = Counter()
    for name in names:
        trace = await traces.get_trace(OWNER, name)
        events = await traces.events(OWNER, name)
        ends = [event for event in events if isinstance(event, RunFinished)]
        begins = sum(isinstance(event, RunStarted) for event in events)
        if begins != 1:
            faults.append(f"{name} begins {begins} times")
        if trace.status is not TraceStatus.COMPLETED or len(ends) != 1:
            faults.append(f"{name} is {trace.status} with {len(ends)} ends: {trace.error_message}")
            continue
        if [event.seq for event in events] != list(range(1, len(events) + 1)):
            faults.append(f"{name} has a gap in its events")
        answers[ends[0].report.answer] += 1
    if len(answers) > 1:
        faults.append(f"answers differ: {answers.most_common(3)}")
    return faults


async def _taken_over(database: Database, names: Sequence[str]) -> int:
    """Return how often runs were given to another worker than their first."""
    given = [(await Traces(database).get_trace(OWNER, name)).fence for name in names]
    return sum(max(0, fence - 1) for fence in given)


def _remember(exits: AsyncExitStack) -> str:
    """Start PostgreSQL where workers with cables reach it; return the address of a database."""
    sys.path.insert(0, str(ROOT))
    from tests.services.postgres import server  # noqa: PLC0415 - it is in the path only now

    return exits.enter_context(server(NETWORK)).create()


def _serve(crew: Crew, options: argparse.Namespace, exits: AsyncExitStack) -> str:
    """Start NATS; return its address."""
    sys.path.insert(0, str(ROOT))
    from tests.services.nats import cluster, server  # noqa: PLC0415 - it is in the path only now

    if options.cluster:
        users = SERVED_BY if options.partitions else None
        crew.cluster = exits.enter_context(cluster(users))
        return crew.cluster.create()
    crew.nats = exits.enter_context(server(anywhere=crew.network is not None))
    return crew.nats.create()


def _takeovers(robbed: Sequence[Robbed], writes: Sequence[str]) -> str:
    """Return how long it took from each kill to the first write of who has the run then."""
    first: dict[tuple[str, int], float] = {}
    for line in writes:
        run, fence, _, done = line.split("\t")
        first[run, int(fence)] = min(float(done), first.get((run, int(fence)), float(done)))
    ends = [
        min((at for (run, fence), at in first.items() if run == each.run and fence > each.fence))
        - each.at
        for each in robbed
        if any(run == each.run and fence > each.fence for run, fence in first)
    ]
    if not ends:
        return "no run was taken over after a kill"
    return (
        f"{len(ends)} runs of killed workers went on after {median(ends):.1f} s (median), "
        f"{max(ends):.1f} s (worst)"
    )


def _overwritten(writes: Sequence[str]) -> Iterator[str]:
    """Yield the writes that began after the next worker of their run had written."""
    first: dict[tuple[str, int], float] = {}
    rows = [line.split("\t") for line in writes]
    for run, fence, _, done in rows:
        key = (run, int(fence))
        first[key] = min(float(done), first.get(key, float(done)))
    for run, fence, began, _ in rows:
        later = [at for (name, given), at in first.items() if name == run and given > int(fence)]
        if later and float(began) > min(later):
            yield f"{run} was written to with fence {fence}, after another worker had written"


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=40, help="at least")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--stalls", type=int, default=5)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--lease", type=float, default=3.0, help="seconds")
    parser.add_argument("--call", type=float, default=CALL_S, help="seconds of each call of a run")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between acts, about")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds after the last act")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds for a worker to hit")
    parser.add_argument("--break", dest="broken", default="", choices=["", *BREAKS])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--carrier", default="database", choices=["database", "nats"])
    parser.add_argument("--outages", type=int, default=0, help="of NATS, its store deleted")
    parser.add_argument("--cluster", action="store_true", help="three servers of NATS")
    parser.add_argument("--partitions", type=int, default=0, help="of the cluster")
    parser.add_argument("--cuts", type=int, default=0, help="of a worker off from the servers")
    parser.add_argument("--skew", type=float, default=0.0, help="seconds, of the workers' clocks")
    parser.add_argument("--database", default="", help="URL; a SQLite file when left out")
    return parser


if __name__ == "__main__":
    sys.exit(asyncio.run(harass(_parser().parse_args())))
