"""Kills and freezes workers while they work, and looks whether anything was lost or done twice.

    python bench/kill.py --runs 40 --kills 20 --stalls 5
    python bench/kill.py --runs 400 --kills 500 --stalls 100 --database postgresql://...

Workers (``bench/kill_worker.py``) share a database. At random moments one of them is killed with
SIGKILL and replaced, or stopped with SIGSTOP for longer than its lease and then woken. At the end:
every run is completed, and once; its events are numbered 1 to n without a gap; all answers are
equal; and at most one answered call was made again for each kill or stall.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from quaere.domain.events import RunFinished
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.store.db.database import Database
from quaere.store.jobs import Jobs
from quaere.store.traces.traces import Traces

WORKER = Path(__file__).with_name("kill_worker.py")
QUESTION = "Where was the keeper of Lantern Rock born?"
OWNER = Owner(user="bench")


@dataclass
class Crew:
    """The workers, and what is done to them."""

    url: str
    calls: Path
    lease_s: float
    rng: random.Random
    running: list[subprocess.Popen[str]] = field(default_factory=list[subprocess.Popen[str]])

    def hire(self) -> None:
        """Start a worker."""
        command = [sys.executable, str(WORKER), self.url, str(self.calls), str(self.lease_s)]
        self.running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True))

    def kill(self) -> None:
        """Kill one and start another."""
        victim = self.running.pop(self.rng.randrange(len(self.running)))
        victim.kill()
        victim.wait()
        self.hire()

    async def stall(self) -> None:
        """Freeze one for longer than its lease, then wake it."""
        victim = self.rng.choice(self.running)
        victim.send_signal(signal.SIGSTOP)
        await asyncio.sleep(1.6 * self.lease_s)
        victim.send_signal(signal.SIGCONT)

    def dismiss(self) -> None:
        """End them all."""
        for worker in self.running:
            worker.kill()
            worker.wait()


async def harass(options: argparse.Namespace) -> int:
    """Run the harness; 0 when nothing was lost or done twice."""
    with tempfile.TemporaryDirectory() as folder:
        url = options.database or f"sqlite:///{folder}/kill.db"
        rng = random.Random(options.seed)  # noqa: S311 - repeatable is wanted
        crew = Crew(url, Path(folder) / "calls.tsv", options.lease, rng)
        async with Database(url) as database:
            await database.upgrade()
            names = [f"run-{options.seed}-{number:04}" for number in range(options.runs)]
            began = time.monotonic()
            for name in names:
                request = RunSpec.of(QUESTION, run_id=name)
                await Jobs(database).submit(OWNER, request, params={"question": QUESTION})
            accepted_s = time.monotonic() - began
            try:
                await _trouble(crew, database, options)
            finally:
                crew.dismiss()
            faults = await _judge(database, names)
        made = Counter(crew.calls.read_text().splitlines())
        repeated = sum(count - 1 for count in made.values())
        seconds = time.monotonic() - began
    harm = options.kills + options.stalls
    if repeated > harm:
        faults.append(f"{repeated} answered calls were made again, after {harm} kills and stalls")
    print(
        f"{len(names)} runs, {options.workers} workers, {options.kills} kills, {options.stalls} "
        f"stalls, {seconds:.0f} s; {len(names) / accepted_s:.0f} runs accepted a second; "
        f"{repeated} answered calls made again"
    )
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


async def _trouble(crew: Crew, database: Database, options: argparse.Namespace) -> None:
    """Kill and freeze at random moments until all runs are made."""
    for _ in range(options.workers):
        crew.hire()
    await asyncio.sleep(options.pause)
    acts = ["kill"] * options.kills + ["stall"] * options.stalls
    crew.rng.shuffle(acts)
    deadline = time.monotonic() + options.limit
    for act in acts:
        await asyncio.sleep(crew.rng.uniform(0.2, 1.8) * options.pause)
        if act == "kill":
            crew.kill()
        else:
            await crew.stall()
    while await Jobs(database).waiting():
        if time.monotonic() > deadline:
            return
        await asyncio.sleep(0.2)


async def _judge(database: Database, names: Sequence[str]) -> list[str]:
    """Return what is wrong with the runs."""
    traces, faults = Traces(database), list[str]()
    answers: Counter[str] = Counter()
    for name in names:
        trace = await traces.get_trace(OWNER, name)
        events = await traces.events(OWNER, name)
        ends = [event for event in events if isinstance(event, RunFinished)]
        if trace.status is not TraceStatus.COMPLETED or len(ends) != 1:
            faults.append(f"{name} is {trace.status} with {len(ends)} ends: {trace.error_message}")
            continue
        if [event.seq for event in events] != list(range(1, len(events) + 1)):
            faults.append(f"{name} has a gap in its events")
        answers[ends[0].report.answer] += 1
    if len(answers) > 1:
        faults.append(f"answers differ: {answers.most_common(3)}")
    return faults


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--stalls", type=int, default=5)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--lease", type=float, default=3.0, help="seconds")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between acts, about")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds after the last act")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="", help="URL; a SQLite file when left out")
    return parser


if __name__ == "__main__":
    sys.exit(asyncio.run(harass(_parser().parse_args())))
