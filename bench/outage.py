"""Takes the database away from workers while they work, and looks whether anything was lost.

    python bench/outage.py restart --runs 30 --times 6        # PostgreSQL, every few seconds
    python bench/outage.py locked --seconds 10                # SQLite, by an outsider
    python bench/outage.py full --runs 8                      # SQLite, on a disk without room

Workers are those of ``bench/kill.py``, one process of them, which must live to the end. Every run
that was accepted is then completed, once; its events are numbered 1 to n without a gap, all runs
have the same events and the same answer; answered calls that were made again are told.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from kill import OWNER, WORKER
from kill_worker import QUESTION
from quaere.domain.events import RunFinished
from quaere.domain.request import RunSpec
from quaere.domain.trace import TraceStatus
from quaere.errors import StoreUnavailable
from quaere.store.db.database import Database
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces

ROOT = Path(__file__).parents[1]


@dataclass
class Scene:
    """A database with runs in it, and the process that makes them."""

    url: str
    folder: Path
    limit_s: float
    lease_s: float
    names: list[str] = field(default_factory=list[str])
    """Runs that were accepted."""

    @property
    def calls(self) -> Path:
        """Where the workers write down the calls that were answered."""
        return self.folder / "calls.tsv"

    async def submit(self, runs: int) -> None:
        """Have runs accepted."""
        async with Database(self.url) as database:
            await database.upgrade()
            for _ in range(runs):
                name = f"run-{len(self.names):04}"
                request = RunSpec.of(QUESTION, run_id=name)
                await Jobs(database).submit(Entry.of(OWNER, request, params={"question": QUESTION}))
                self.names.append(name)

    def hire(self) -> subprocess.Popen[bytes]:
        """Start the process."""
        command = [sys.executable, str(WORKER), self.url, str(self.calls), str(self.lease_s)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL)

    async def made(self) -> bool:
        """Wait until no run waits; False when that takes too long."""
        deadline = time.monotonic() + self.limit_s
        async with Database(self.url) as database:
            while time.monotonic() < deadline:
                if not await Jobs(database).waiting():
                    return True
                await asyncio.sleep(0.3)
        return False

    async def faults(self) -> list[str]:
        """Return what is wrong with the runs."""
        faults: list[str] = []
        seen: Counter[tuple[str, tuple[tuple[str, int], ...]]] = Counter()
        async with Database(self.url) as database:
            for name in self.names:
                trace = await Traces(database).get_trace(OWNER, name)
                events = await Traces(database).events(OWNER, name)
                ends = [event for event in events if isinstance(event, RunFinished)]
                if trace.status is not TraceStatus.COMPLETED or len(ends) != 1:
                    faults.append(f"{name} is {trace.status}: {trace.error_message}")
                    continue
                if [event.seq for event in events] != list(range(1, len(events) + 1)):
                    faults.append(f"{name} has a gap in its events")
                kinds = Counter(type(event).__name__ for event in events)
                seen[(ends[0].report.answer, tuple(sorted(kinds.items())))] += 1
        if len(seen) > 1:
            faults.append(f"runs differ: {seen.most_common(3)}")
        return faults

    def repeated(self) -> int:
        """Return how many answered calls were made again."""
        made = Counter(self.calls.read_text().splitlines())
        return sum(count - 1 for count in made.values())


async def restart(scene: Scene, options: argparse.Namespace) -> list[str]:
    """Restart PostgreSQL again and again, in order and as in a crash."""
    sys.path.insert(0, str(ROOT))
    from tests.services.postgres import server  # noqa: PLC0415 - it is in the path only now

    with server() as running:
        scene.url = running.create()
        await scene.submit(options.runs)
        with working(scene) as worker:
            for number in range(options.times):
                await asyncio.sleep(options.every)
                how = signal.SIGQUIT if number % 2 else signal.SIGINT
                await asyncio.to_thread(running.stop, how)
                await asyncio.sleep(options.seconds)
                await asyncio.to_thread(running.start)
            return await judged(scene, worker)


async def locked(scene: Scene, options: argparse.Namespace) -> list[str]:
    """Lock the SQLite file again and again."""
    await scene.submit(options.runs)
    with working(scene) as worker:
        for _ in range(options.times):
            await asyncio.sleep(options.every)
            outsider = sqlite3.connect(
                scene.folder / "outage.db",
                isolation_level=None,
                timeout=30,
                check_same_thread=False,
            )
            with closing(outsider):
                await asyncio.to_thread(outsider.execute, "BEGIN EXCLUSIVE")
                await asyncio.sleep(options.seconds)
        return await judged(scene, worker)


async def full(scene: Scene, options: argparse.Namespace) -> list[str]:
    """Fill the disk of the SQLite file again and again; only root can make one that is small."""
    disk = scene.folder / "disk"
    disk.mkdir()
    with mounted(disk):
        scene.url = f"sqlite:///{disk}/outage.db"
        await scene.submit(options.runs)
        with working(scene) as worker:
            for _ in range(options.times):
                await asyncio.sleep(options.every)
                fill(disk / "ballast")
                await asyncio.sleep(options.seconds)
                await refused(scene)
                (disk / "ballast").unlink()
            return await judged(scene, worker)


@contextmanager
def mounted(folder: Path) -> Generator[None]:
    """Lay a disk of 16 MB over the folder: SQLite alone wants 4 MB for its log."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def fill(path: Path) -> None:
    """Write zeros until there is no room."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


async def refused(scene: Scene) -> None:
    """See that a run which there is no room for is refused with a typed error."""
    try:
        await scene.submit(200)
    except StoreUnavailable as error:
        print(f"refused: {error.message}")
    else:
        raise SystemExit("the disk was to be full, but it took everything")


@contextmanager
def working(scene: Scene) -> Generator[subprocess.Popen[bytes]]:
    """Have the runs made by a process."""
    worker = scene.hire()
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()


async def judged(scene: Scene, worker: subprocess.Popen[bytes]) -> list[str]:
    """Wait for the runs to end, and return what is wrong."""
    ended = await scene.made()
    faults = await scene.faults()
    if not ended:
        faults.append("runs are not over")
    if worker.poll() is not None:
        faults.append(f"the worker died: {worker.returncode}")
    return faults


TROUBLES = {"restart": restart, "locked": locked, "full": full}


async def main(options: argparse.Namespace) -> int:
    """Make the trouble; 0 when nothing was lost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/outage.db"
        scene = Scene(url, folder, options.limit, options.lease)
        began = time.monotonic()
        faults = await TROUBLES[options.trouble](scene, options)
        print(
            f"{options.trouble}: {len(scene.names)} runs, {options.times} times "
            f"{options.seconds:g} s, {time.monotonic() - began:.0f} s; "
            f"{scene.repeated()} answered calls made again"
        )
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("trouble", choices=sorted(TROUBLES))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--every", type=float, default=3.0, help="seconds before each")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each lasts")
    parser.add_argument("--lease", type=float, default=3.0, help="seconds")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds after the last")
    return parser


if __name__ == "__main__":
    sys.exit(asyncio.run(main(_parser().parse_args())))
