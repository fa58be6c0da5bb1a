"""How long a person waits: ``quaere --help``, the first sign of life of ``ask``, and its answer.

    python bench/startup.py [--repeats 7] [--json FILE]

Asks a question over this project's own docs, indexed beforehand, in a process of its own each time.
Prints medians and the slowest run, in seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent
QUAERE = [sys.executable, "-m", "quaere"]
ASK = [*QUAERE, "ask", "Why does a run never exceed its time limit?", "--docs", str(ROOT / "docs")]


def whole(command: list[str], env: Mapping[str, str]) -> float:
    """Return the seconds that ``command`` takes from start to end."""
    started = perf_counter()
    subprocess.run(command, env=env, check=True, capture_output=True)
    return perf_counter() - started


def first_sign(command: list[str], env: Mapping[str, str]) -> float:
    """Return the seconds until ``command`` first writes to standard error."""
    started = perf_counter()
    with subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr
        process.stderr.readline()
        seconds = perf_counter() - started
        process.stderr.read()
    return seconds


def installed(folder: Path) -> dict[str, str]:
    """Return an environment that keeps all in ``folder``, bytecode too.

    Where none may be written, each command would compile all that it imports, which takes longer
    than all else and is not what an installed package does.
    """
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    kept = {"QUAERE_CACHE_DIR": "cache", "QUAERE_DATA_DIR": "data", "PYTHONPYCACHEPREFIX": "code"}
    return {**env, **{key: str(folder / name) for key, name in kept.items()}}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how long a person waits.")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = installed(Path(folder))
        whole(ASK, env)
        measures: dict[str, Callable[[], float]] = {
            "help": lambda: whole([*QUAERE, "--help"], env),
            "first_sign": lambda: first_sign(ASK, env),
            "ask": lambda: whole(ASK, env),
            "python": lambda: whole([sys.executable, "-c", ""], env),
        }
        seconds = {name: [run() for _ in range(options.repeats)] for name, run in measures.items()}
    figures = {
        name: {"median": round(median(runs), 3), "slowest": round(max(runs), 3)}
        for name, runs in seconds.items()
    }
    for name, figure in figures.items():
        print(f"{name:12s} median {figure['median']:.3f} s   slowest {figure['slowest']:.3f} s")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
