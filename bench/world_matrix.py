"""All brains, services, levels of faults and sets of the simulated world, in one table.

    python bench/world_matrix.py --world DIR --into runs/
    python bench/world_matrix.py --world DIR --into runs/ --sets eval --faults none --repeats 3
    python bench/world_matrix.py --into runs/

Each combination is a run of ``bench/world.py``, whose rows go to the folder, into
``SET-SERVICE-BRAIN-FAULTS-N.json``. What is there is not run again, so that a matrix that was
stopped goes on, and without ``--world`` only the table is printed. The reference, ``ideal``, is
asked once for each set, service and level of faults, with a perfect brain: against that all others
are held. Of several repeats all figures are medians. Counts do not depend on how fast the machine
is; the columns in seconds take a quiet one, which has room for some eight runs ``--at-once``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

from world import BRAINS, FAULTS, IDEAL, OURS, SERVICES, SETS, Row

Name = tuple[str, str, str, str]
"""Set, service, brain and level of faults."""

COLUMNS = (
    "right", "right, ideal", "calls in a row beyond ideal's, most", "questions beyond by 2 or more",
    "calls after the evidence, most", "questions with 2 or more", "gold found", "errors",
    "calls, mean", "searches, mean", "prompt tokens", "s to the first checked word",
    "time of ideal's, at its length",
)  # fmt: skip


def main() -> int:
    """Run what is missing and print the table; return 1 where a run did not end."""
    given = _given()
    names = list(itertools.product(given.sets, given.services, given.brains, given.faults))
    if given.world:
        given.into.mkdir(parents=True, exist_ok=True)
        run = partial(_run, given.world, given.into, given.time_scale)
        for batch in _batches(names, given.repeats):
            with ThreadPoolExecutor(given.at_once) as lanes:
                list(lanes.map(run, *zip(*batch, strict=True)))
    print("\n".join(table(given.into, names)))
    return 0 if all(_files(given.into, name) for name in names) else 1


def table(folder: Path, names: Sequence[Name]) -> Iterator[str]:
    """Yield the lines of the table over the runs in ``folder``."""
    yield "| " + " | ".join(["set", "service", "brain", "faults", "runs", *COLUMNS]) + " |"
    yield "|---" * (5 + len(COLUMNS)) + "|"
    for name in names:
        if runs := [figures(file) for file in _files(folder, name)]:
            medians = (statistics.median(column) for column in zip(*runs, strict=True))
            cells = (*name, str(len(runs)), *(f"{round(each, 2):g}" for each in medians))
            yield f"| {' | '.join(cells)} |"


def figures(file: Path) -> tuple[float, ...]:
    """Return what ``COLUMNS`` say of one run; an engine that asked nothing counts as lost."""
    by_engine = defaultdict[str, list[Row]](list)
    for line in file.read_text("utf-8").splitlines():
        row = cast("dict[str, object]", json.loads(line))
        by_engine[str(row["engine"])].append(cast("Row", cast("object", row)))
    ours, ideal = by_engine[OURS], by_engine[IDEAL]
    pairs = zip(ours, ideal, strict=True)
    deeper = [own.get("depth", 99) - best.get("depth", 0) for own, best in pairs]
    over = [row.get("over_llm", 99) for row in ours]
    return (
        sum(row.get("correct", False) for row in ours),
        sum(row.get("correct", False) for row in ideal),
        max(deeper),
        sum(each > 1 for each in deeper),
        max(over),
        sum(each > 1 for each in over),
        statistics.mean(row.get("recall_seen", 0.0) for row in ours),
        sum(bool(row.get("error")) for row in ours),
        statistics.mean(row.get("llm", 0) for row in ours),
        statistics.mean(row.get("search", 0) for row in ours),
        statistics.median(row.get("prompt_tok", 0) for row in ours),
        statistics.median(row.get("first_word", math.inf) for row in ours),
        statistics.median(row.get("level_s", math.inf) for row in ours)
        / statistics.median(row.get("sim_s", math.inf) for row in ideal),
    )


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--world", type=Path, help="folder of the world; without it, only print")
    parser.add_argument("--into", type=Path, required=True, help="folder for the rows of all runs")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--services", nargs="+", default=SERVICES, choices=SERVICES)
    parser.add_argument("--brains", nargs="+", default=BRAINS, choices=BRAINS)
    parser.add_argument("--faults", nargs="+", default=FAULTS, choices=FAULTS)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1, help="combinations at a time")
    parser.add_argument("--time-scale", type=float, default=0.5)
    return parser.parse_args()


def _batches(names: Sequence[Name], repeats: int) -> Iterator[list[tuple[Name, int]]]:
    """Yield what may run side by side: first what asks the reference, then all the rest."""
    asked = dict.fromkeys((set_, service, BRAINS[0], faults) for set_, service, _, faults in names)
    yield [(name, 1) for name in asked]
    yield [(name, repeat) for repeat in range(1, repeats + 1) for name in names]


def _run(world: Path, into: Path, time_scale: float, name: Name, repeat: int) -> None:
    """Run one combination, unless its rows are there."""
    file = into / f"{'-'.join((*name, str(repeat)))}.json"
    if file.exists():
        return
    set_, service, brain, faults = name
    reference = into / f"{'-'.join((set_, service, BRAINS[0], faults, '1'))}.json"
    command = [sys.executable, str(Path(__file__).with_name("world.py")), "--world", str(world)]
    command += ["--set", set_, "--search", service, "--brain", brain, "--faults", faults]
    command += ["--time-scale", str(time_scale), "--json", str(file)]
    command += ["--ideal", str(reference)] if reference.exists() else []
    print(file.stem, file=sys.stderr, flush=True)
    # It ends with 1 where a claim does not hold; the table shows that.
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


def _files(folder: Path, name: Name) -> list[Path]:
    return sorted(folder.glob(f"{'-'.join(name)}-[0-9]*.json"))


if __name__ == "__main__":
    sys.exit(main())
