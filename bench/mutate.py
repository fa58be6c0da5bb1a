"""Counts how many small changes to the code the tests notice (mutation testing); run by hand.

    python bench/mutate.py [--count 100] [--seed 1] [--jobs 2] [--last-stage module] [--json FILE]
    python bench/mutate.py --rooms faces store graphs   # only modules in these folders

Each change is made in a private copy of the project that has a Python environment of its own, so
that processes which tests start run the mutant too. A change within a function is tried in a
process forked from one that has imported the package (``bench/mutate_forked.py``), which saves the
seconds of a start; what that lets live, and any other change, in a process of its own. First run
the tests of the changed module (``tests/<room>/test_<module>*.py``, or those of its room that
import it, and those that look at every module of its package), then, for a survivor or where there
are none, up to ten files: tests of the modules that import it, then those that mention it most, by
importing it or using a name of it together with something of its room. Names are those of what is
changed and of what in the module leads there, so that they are not tests of its other functions.
Then come the tests of its room, then the whole suite.
A mutant is killed if a test fails that passes without the change, or if tests no longer end that
pass without it.
The checkout may be edited meanwhile: sources are read from the copies.
``--quick`` does not repeat in a process of its own what lived in forked ones, which takes most of
the time; ``--again`` does so with what it let live.
``--minutes`` starts no further mutants after that time; those that were started are finished.
``--again FILE`` judges the survivors in the JSON of an earlier run once more, on the same sources.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from importlib.util import cache_from_source
from itertools import islice
from pathlib import Path
from typing import TypedDict

from mutation_tests import PACKAGE, ROOT, Stage, dotted, tests_of
from mutations import Mutation, mutations

LEFT_OUT = (".git", ".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py(?:::[^\s\[]+)?)", re.MULTILINE)

TIMEOUT_S = {
    Stage.MODULE: 240.0,
    Stage.MENTIONS: 600.0,
    Stage.ROOM: 1200.0,
    Stage.SUITE: 3600.0,
}


FORKED_TIMEOUT_S = 150.0
USAGE_ERROR = 4
"""Exit code of pytest for a path that is not there."""


class Outcome(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mutant, at which stage, and the test that noticed."""

    mutation: Mutation
    diff: str
    outcome: Outcome
    stage: Stage
    test: str
    seconds: float


class _Fields(TypedDict):
    """A mutation in JSON."""

    path: str
    kind: str
    line: int
    start: int
    end: int
    text: str


class _Row(TypedDict):
    """What is read of a result in JSON."""

    mutation: _Fields
    outcome: str


@dataclass(frozen=True, slots=True)
class Copy:
    """A private copy of the project, on which one mutant after another is run."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Copy:
        """Copy the project into ``folder``, and give it an environment that imports the copy."""
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        copied = cls(folder)
        copied._make_environment()
        return copied

    @property
    def python(self) -> Path:
        """The interpreter whose ``quaere`` is this copy's."""
        return self.folder / ".venv" / "bin" / "python"

    def _make_environment(self) -> None:
        """Lay the copy before the packages of the environment that this script runs in."""
        ours, theirs = Path(sys.prefix), self.folder / ".venv"
        packages = Path(sysconfig.get_path("purelib"))
        within = theirs / packages.relative_to(ours)
        within.mkdir(parents=True)
        shutil.copy(ours / "pyvenv.cfg", theirs)
        paths = [str(self.folder / "src"), str(self.folder / "evals")]
        first = [*paths, f"import site; site.addsitedir({str(packages)!r})"]
        (within / "mutant.pth").write_text("\n".join(first) + "\n", "utf-8")
        shutil.copytree(ours / "bin", theirs / "bin", symlinks=True)
        for command in (theirs / "bin").iterdir():
            content = command.read_bytes()
            if content.startswith(b"#!"):
                command.write_bytes(content.replace(bytes(ours), bytes(theirs), 1))

    def read(self, path: Path) -> str:
        """Return the copy of the checkout's ``path``, which may have been edited since."""
        return self._of(path).read_text("utf-8")

    def write(self, path: Path, source: str) -> None:
        """Give the copy of the checkout's ``path`` the text ``source``."""
        target = self._of(path)
        target.write_text(source, "utf-8")
        # Byte code is told from stale by whole seconds and length, which a mutant may share.
        Path(cache_from_source(str(target))).unlink(missing_ok=True)

    def _of(self, path: Path) -> Path:
        return self.folder / path.relative_to(ROOT)


class _Answer(TypedDict):
    """What a process that forks says of one run of tests."""

    returncode: int | str | None
    output: str


@dataclass(slots=True)
class Forking:
    """Runs tests of a copy in processes forked from one that has imported the package.

    That process starts at once: later, a mutant might be what it imports.
    """

    copy: Copy
    _process: subprocess.Popen[str] = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Start the process, and wait until it has imported the package."""
        self._process = self._started()

    def run(
        self, module: str | None, tests: Sequence[str], deselected: Iterable[str], timeout_s: float
    ) -> _Answer:
        """Run ``tests`` on ``module`` as it is on disk now, or on the package as imported."""
        asked = {
            "module": module,
            "tests": list(tests),
            "deselected": list(deselected),
            "timeout_s": timeout_s,
        }
        with self._lock:
            process = self._process
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [str(self.copy.python), str(self.copy.folder / "bench" / "mutate_forked.py")],
            cwd=self.copy.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            sys.exit("The process that runs tests on mutants did not start.")
        return process

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@dataclass(slots=True)
class Baseline:
    """Which tests pass without any change; asked only for tests that failed with one."""

    copy: Copy
    forking: Forking
    _passes: dict[str, bool] = field(default_factory=dict[str, bool])
    _passes_forked: dict[str, bool] = field(default_factory=dict[str, bool])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def passes(self, test: str) -> bool:
        """Tell whether ``test`` passes on the unchanged package."""
        with self._lock:
            if test not in self._passes:
                ended = run_tests(self.copy, [test], (), TIMEOUT_S[Stage.ROOM])
                self._passes[test] = ended is not None and ended.returncode == 0
            return self._passes[test]

    def passes_forked(self, test: str) -> bool:
        """Tell whether ``test`` passes on the unchanged package in a forked process."""
        if test not in self._passes_forked:
            ended = self.forking.run(None, [test], (), TIMEOUT_S[Stage.ROOM])
            self._passes_forked[test] = ended["returncode"] == 0
        return self._passes_forked[test]

    def ends_forked(self, tests: Sequence[str]) -> bool:
        """Tell whether ``tests`` end in time on the unchanged package in a forked process."""
        ended = self.forking.run(None, tests, self.failing_forked(), FORKED_TIMEOUT_S)
        return ended["returncode"] == 0

    def failing_forked(self) -> list[str]:
        """Return the tests that are known to fail in a forked process without any change."""
        return [test for test, passes in list(self._passes_forked.items()) if not passes]

    def failing(self) -> list[str]:
        """Return the tests that are known to fail without any change."""
        with self._lock:
            return [test for test, passes in self._passes.items() if not passes]


def run_tests(
    copy: Copy, tests: Sequence[str], deselected: Iterable[str], timeout_s: float
) -> subprocess.CompletedProcess[str] | None:
    """Run ``tests`` of ``copy``; return None if they took over ``timeout_s`` seconds."""
    with tempfile.TemporaryDirectory() as work:
        command = [str(copy.python), "-m", "pytest", "-x", "-q", "--tb=no"]
        command += ["-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]  # half of the start
        command += [f"--basetemp={work}/tests", *(f"--deselect={test}" for test in deselected)]
        env = {**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": f"{work}/hypothesis"}
        with subprocess.Popen(
            [*command, *tests],
            cwd=copy.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return None
    return subprocess.CompletedProcess(command, process.returncode, output)


def judge(
    mutation: Mutation, forking: Forking, baseline: Baseline, last: Stage, *, quick: bool = False
) -> Result:
    """Run the tests of each stage up to ``last`` on a mutant until one of them fails."""
    copy = forking.copy
    source = copy.read(mutation.path)
    started = time.monotonic()
    copy.write(mutation.path, mutation.applied(source))
    try:
        outcome, stage, test = _judged(mutation, forking, baseline, last, quick=quick)
    finally:
        copy.write(mutation.path, source)
    seconds = time.monotonic() - started
    return Result(mutation, shown(mutation, source), outcome, stage, test, seconds)


def _judged(
    mutation: Mutation, forking: Forking, baseline: Baseline, last: Stage, *, quick: bool
) -> tuple[Outcome, Stage, str]:
    within = list(Stage)[: list(Stage).index(last) + 1]
    judged: tuple[Outcome, str] | None = None
    for stage in [one for one in within if one is not Stage.SUITE]:
        judged = _judge_stage_forked(mutation, forking, baseline, stage)
        if judged is None:
            break
        outcome, test = judged
        if outcome is not Outcome.SURVIVED:
            return outcome, stage, test
    if quick and judged is not None:
        return Outcome.SURVIVED, last, ""
    for stage in within:
        outcome, test = _judge_stage(mutation, forking.copy, baseline, stage)
        if outcome is not Outcome.SURVIVED:
            return outcome, stage, test
    return Outcome.SURVIVED, last, ""


def _judge_stage_forked(
    mutation: Mutation, forking: Forking, baseline: Baseline, stage: Stage
) -> tuple[Outcome, str] | None:
    """Return what becomes of a mutant in a forked process; None if that cannot tell."""
    tests = tests_of(mutation, stage)
    while tests:
        failing = baseline.failing_forked()
        ended = forking.run(dotted(mutation.path), tests, failing, FORKED_TIMEOUT_S)
        if ended["returncode"] is None and baseline.ends_forked(tests):
            return Outcome.TIMED_OUT, ""
        if not isinstance(ended["returncode"], int):
            return None
        failed = FAILED.search(ended["output"])
        if ended["returncode"] in {0, 5} or failed is None or "::" not in failed[1]:
            return Outcome.SURVIVED, ""
        if baseline.passes_forked(failed[1]):
            return Outcome.KILLED, failed[1]
    return Outcome.SURVIVED, ""


def _judge_stage(
    mutation: Mutation, copy: Copy, baseline: Baseline, stage: Stage
) -> tuple[Outcome, str]:
    while True:
        tests = tests_of(mutation, stage)
        if not tests:
            return Outcome.SURVIVED, ""
        ended = run_tests(copy, tests, baseline.failing(), TIMEOUT_S[stage])
        if ended is None:
            without = run_tests(baseline.copy, tests, baseline.failing(), TIMEOUT_S[stage])
            passes = without is not None and without.returncode == 0
            return (Outcome.TIMED_OUT if passes else Outcome.SURVIVED), ""
        if ended.returncode in {0, 5}:  # 5: no tests
            return Outcome.SURVIVED, ""
        if ended.returncode in {-signal.SIGTERM, -signal.SIGKILL, -signal.SIGINT}:
            sys.exit("The tests were stopped from outside; that says nothing about the mutant.")
        if ended.returncode == USAGE_ERROR:
            sys.exit(f"pytest does not find {tests}; was one added since the copy was made?")
        failed = FAILED.search(ended.stdout)
        if failed is None:
            return Outcome.KILLED, f"pytest exits with {ended.returncode}"
        if baseline.passes(failed[1]):
            return Outcome.KILLED, failed[1]
        if "::" not in failed[1]:
            sys.exit(f"{failed[1]} cannot be collected, with or without a change")


def shown(mutation: Mutation, source: str) -> str:
    """Return the mutation of ``source`` as a diff without context."""
    name = _within_root(mutation)
    changed = mutation.applied(source).splitlines(keepends=True)
    return "".join(difflib.unified_diff(source.splitlines(keepends=True), changed, name, name, n=0))


def _within_root(mutation: Mutation) -> str:
    return str(mutation.path.relative_to(ROOT))


def judge_all(
    chosen: Sequence[Mutation], jobs: int, last: Stage, minutes: float | None, *, quick: bool
) -> list[Result]:
    """Judge the mutations, ``jobs`` at a time, and print each result as it comes."""
    until = time.monotonic() + minutes * 60 if minutes else float("inf")
    free: queue.SimpleQueue[Forking] = queue.SimpleQueue()

    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ExitStack() as stack:

        def copied(name: str) -> Forking:
            forking = Forking(Copy.make(Path(folder, name)))
            stack.callback(forking.close)
            return forking

        unchanged = copied("unchanged")
        baseline = Baseline(unchanged.copy, unchanged)
        for number in range(jobs):
            free.put(copied(str(number)))

        def one(mutation: Mutation) -> Result | None:
            if time.monotonic() > until:
                return None
            forking = free.get()
            try:
                result = judge(mutation, forking, baseline, last, quick=quick)
            finally:
                free.put(forking)
            print(row(result), flush=True)
            return result

        with ThreadPoolExecutor(jobs) as pool:
            return [result for result in pool.map(one, chosen) if result]


def row(result: Result) -> str:
    """Return a line of the table."""
    mutation = result.mutation
    where = f"{mutation.path.relative_to(PACKAGE)}:{mutation.line}"
    test = result.test.removeprefix("tests/")
    return (
        f"{result.outcome:9} {result.stage:8} {result.seconds:5.0f} s  {mutation.kind:17} "
        f"{where:40} {test}"
    )


def print_summary(results: Sequence[Result]) -> None:
    """Print the survivors as diffs and the counts by outcome and stage."""
    survivors = [result for result in results if result.outcome is Outcome.SURVIVED]
    for result in survivors:
        print(f"\n{result.mutation.kind}, survived up to stage {result.stage}")
        print(result.diff, end="")
    counts = Counter((result.outcome, result.stage) for result in results)
    print()
    for (outcome, stage), count in sorted(counts.items()):
        print(f"{outcome:9} {stage:8} {count:4}")
    noticed = len(results) - len(survivors)
    print(f"{noticed} of {len(results)} noticed ({noticed / max(1, len(results)):.0%})")


def as_json(results: Iterable[Result]) -> str:
    """Return the results as a JSON list."""
    rows = [
        asdict(result)
        | {"mutation": asdict(result.mutation) | {"path": _within_root(result.mutation)}}
        for result in results
    ]
    return json.dumps(rows, indent=1)


def survivors_in(file: Path) -> list[Mutation]:
    """Return the mutations that survived the run whose JSON is in ``file``."""
    rows: list[_Row] = json.loads(file.read_text("utf-8"))
    survived = [row["mutation"] for row in rows if row["outcome"] == Outcome.SURVIVED]
    return [
        Mutation(
            ROOT / one["path"], one["kind"], one["line"], one["start"], one["end"], one["text"]
        )
        for one in survived
    ]


def chosen_at_random(count: int, seed: int, only: str, rooms: Sequence[str] = ()) -> list[Mutation]:
    """Return up to ``count`` valid mutations of modules in ``rooms`` whose path contains ``only``.

    Without ``rooms`` they may be in any.
    """
    found = [one for one in mutations(PACKAGE) if only in _within_root(one)]
    if rooms:
        found = [one for one in found if one.path.relative_to(PACKAGE).parts[0] in rooms]
    random.Random(seed).shuffle(found)  # noqa: S311 - a sample, not a secret
    return list(islice((one for one in found if one.is_valid()), count))


def main() -> None:
    """Choose mutations at random, judge them and print what survived."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="number of mutations")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choice")
    parser.add_argument("--only", default="", help="only modules whose path contains this text")
    parser.add_argument("--rooms", nargs="+", default=(), help="only modules in these folders")
    parser.add_argument("--again", type=Path, help="judge the survivors in this JSON file instead")
    parser.add_argument("--jobs", type=int, default=2, help="mutants tested at the same time")
    parser.add_argument("--last-stage", type=Stage, choices=list(Stage), default=Stage.SUITE)
    parser.add_argument(
        "--quick", action="store_true", help="leave what lives in forked processes to --again"
    )
    parser.add_argument("--minutes", type=float, help="start no further mutants after this time")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    os.environ.pop("PYTHONPATH", None)  # it would come before the copy, and no mutant would be run
    # A shell leaves what it starts in the background without it, and tests interrupt processes.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if options.again:
        chosen = survivors_in(options.again)
    else:
        chosen = chosen_at_random(options.count, options.seed, options.only, options.rooms)
    if not chosen:
        parser.error("there is nothing to judge: no such module, or no survivor in the file")
    print(f"{len(chosen)} mutations", flush=True)
    results = judge_all(
        chosen, options.jobs, options.last_stage, options.minutes, quick=options.quick
    )
    print_summary(results)
    if options.json:
        options.json.write_text(as_json(results), "utf-8")


if __name__ == "__main__":
    main()
