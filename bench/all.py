"""Runs every bench at a small size and prints one table: name, figure, bar, whether it was kept.

    python bench/all.py --data ../shared [--only injection] [--json FILE]

What needs the corpora is run on both halves: the development corpus and the fresh cases beside it
(`fresh.py`). A bench judges itself, by how it ends; the figure is taken from what it prints.
Without ``--data`` those that need corpora are left out; the lab of SSRF needs root.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import fresh

HERE = Path(__file__).parent
LIMIT_S = 900.0
MODES = ("obedient", "restless", "verbatim", "extractive")


@dataclass(frozen=True, slots=True)
class Bench:
    """One row of the table."""

    name: str
    command: Sequence[str]
    figure: str
    """A regular expression; what its groups find is shown, of every place."""
    bar: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one bench ended."""

    name: str
    figure: str
    bar: str
    ok: bool
    seconds: float


def by_itself() -> Iterator[Bench]:
    """Yield what needs nothing but this project."""
    yield Bench(
        "loop, ordinary",
        ("loop.py", "ordinary"),
        r"busy_max_ms (\S+).*busy_p99_ms (\S+)",
        "one < 20 ms, fifty p99 < 100 ms",
    )
    yield Bench(
        "loop, hostile",
        ("loop.py", "hostile"),
        r"seconds (\S+).*citations (\d+)",
        "10 s + 1 s, cited",
    )
    yield Bench("faults", ("faults.py", "--runs", "20"), r"times: (.*)", "<= 1.3 a query, 0 bugs")
    yield Bench("outage, locked", ("outage.py", "locked", "--runs", "2"), r"(\d+ .*)", "no loss")
    yield Bench("outage, full", ("outage.py", "full", "--runs", "2"), r"full: (.*)", "no loss")
    yield Bench("index", ("index.py", "--passages", "10000"), r"quaere +(.*)", "told")
    yield Bench("fetch", ("fetch.py",), r"(pages_per_s \S+)", "told")
    yield Bench("startup", ("startup.py", "--repeats", "3"), r"(\w+ +median \S+)", "told")


def over(half: str, corpora: Path) -> Iterator[Bench]:
    """Yield what is run on one half of the corpora."""
    yield Bench(
        f"garbage, {half}",
        ("garbage.py", str(corpora.parent)),
        r"(\w+ +\d+/\d+).*, (\d+ wrong, \d+ untyped)",
        ">= 97 %, 0 wrong",
    )
    for mode in MODES:
        yield Bench(
            f"injection, {half}, {mode}",
            ("injection.py", str(corpora), "--mode", mode),
            r"(\d+) of them forbidden|(facts kept .*)",
            "0 forbidden, 95 % of facts",
        )
    yield Bench(
        f"hostile, {half}", ("hostile.py", str(corpora)), r"(\d+ of \d+) as expected", "all"
    )
    table = str(corpora / "ssrf_urls.tsv")
    if os.geteuid() == 0:
        lab = str(corpora / "tools" / "ssrf_lab.py")
        yield Bench(
            f"SSRF, {half}",
            (lab, "run", "--dns", table, "--", sys.executable, str(HERE / "ssrf.py"), table),
            r'"(leaked|wrongly_refused)": (\d+)',
            "0 leaked, 0 wrongly refused",
        )


def play(bench: Bench) -> Outcome:
    """Run ``bench`` in a process of its own, and return how it ended."""
    script, *arguments = bench.command
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        try:
            done = subprocess.run(
                [sys.executable, str(HERE / script), *arguments],
                env={**os.environ, "SSRF_LAB_LOG": str(Path(folder) / "lab.jsonl")},
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(bench.name, f"not over after {LIMIT_S:g} s", bench.bar, False, LIMIT_S)
    seconds = time.perf_counter() - began
    found = re.findall(bench.figure, done.stdout)
    figure = "; ".join(
        " ".join([each] if isinstance(each, str) else each).strip() for each in found
    )
    if not found:
        figure = (done.stderr.strip().splitlines() or ["said nothing"])[-1]
    return Outcome(bench.name, figure, bench.bar, done.returncode == 0, round(seconds, 1))


def main() -> None:
    """Run them one after the other; exit with 1 when a bar was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="the folder that holds corpora")
    parser.add_argument("--only", default="", help="part of a name")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        benches = list(by_itself())
        if options.data:
            corpora = options.data.resolve() / "corpora"
            benches += over("corpus", corpora)
            benches += over("fresh", fresh.write(corpora, Path(folder)))
        for bench in benches:
            if options.only in bench.name:
                outcomes.append(play(bench))
                print(_line(outcomes[-1]), flush=True)
    if options.json:
        told = [asdict(outcome) for outcome in outcomes]
        options.json.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    sys.exit(not all(outcome.ok for outcome in outcomes))


def _line(outcome: Outcome) -> str:
    mark = "ok" if outcome.ok else "FAIL"
    return f"{mark:4} {outcome.name:30} {outcome.figure}  [{outcome.bar}]  {outcome.seconds:g} s"


if __name__ == "__main__":
    main()
