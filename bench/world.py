"""How near the engine comes to a perfect orchestrator, in a simulated world.

    python bench/world.py --world DIR --json world.jsonl
    python bench/world.py --world DIR --brain restless
    python bench/world.py --world DIR --faults standard --search searxng

DIR holds the world: a server on loopback that plays the web, the services that search it and a
model that says what a perfect reader could say, and counts all that is asked of them. It is copied
to a temporary folder, where the engine (``bench/world_peer.py``) and the world's own reference,
``ideal``, answer the same questions at the same time. Seconds are simulated ones. All combinations
in one table are ``bench/world_matrix.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, cast

import quaere

OURS, IDEAL = "quaere", "ideal"
BRAINS = (
    "perfect", "nothink", "eager", "restless", "tireless", "lister", "sloppy", "tirelister",
)  # fmt: skip
"""How the model behaves; the world describes each."""
SERVICES = ("tavily", "searxng")
FAULTS = ("none", "standard", "harsh")
SETS = ("eval", "more")
PEER = Path(__file__).with_name("world_peer.py")
FIRST_WORDS = "first_words.jsonl"
"""As the engine's adapter writes it."""
START_S = 180.0
CHARS_PER_TOKEN, TOKENS_PER_S = 4, 80
"""As the world has it."""


class Row(TypedDict, total=False):
    """What the world says of one run; a run in which nothing was asked has only the first three."""

    qid: str
    kind: str
    error: str | None
    sim_s: float
    idle_s: float
    cpu_s: float
    llm: int
    depth: int
    prompt_tok: int
    compl_tok: int
    search: int
    page: int
    over_llm: int
    over_search: int
    recall_end: float
    t_suff: float | None
    t_last: float
    correct: bool
    cited_gold: float
    prose_chars: int
    """Characters of the answer itself, without heading, links and list of sources; counted here."""
    first_word: float
    """Simulated seconds to the first checked sentence, where the engine tells it."""
    level_s: float
    """``sim_s`` if the answer had the length of ideal's: a second for 80 tokens more or less."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is run."""

    world: Path
    questions: int
    only: str
    set_: str
    brain: str
    faults: str
    time_scale: float
    search: str
    words: int
    jobs: int
    profile: str
    keep: Path | None
    ideal: Path | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure, and what it may be."""

    name: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the figure keeps to its limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def main() -> int:
    """Run both, print the table and the claims; return 1 when one of them does not hold."""
    options, output = _options()
    with tempfile.TemporaryDirectory(prefix="quaere-world-") as folder:
        root = options.keep or Path(folder)
        _copy(options.world, root)
        with _served(root, options.time_scale) as address:
            rows = _run(root, address, options)
    ours, ideal = rows[OURS], rows[IDEAL]
    if not ours:
        sys.exit("No question of the set has one of these ids.")
    _print_table({IDEAL: ideal, OURS: ours})
    if output:
        lines = (json.dumps({"engine": name, **row}) for name in rows for row in rows[name])
        output.write_text("\n".join(lines) + "\n", "utf-8")
    made = claims(ours, ideal, options)
    for claim in made:
        sign = ">=" if claim.at_least else "<="
        verdict = "holds" if claim.holds else "FAILS"
        print(f"{verdict}  {claim.name:52} {claim.value:7.2f} {sign} {claim.limit:g}")
    return 0 if all(claim.holds for claim in made) else 1


def claims(ours: Sequence[Row], ideal: Sequence[Row], options: Options) -> list[Claim]:
    """Return what is claimed of ``ours`` beside ``ideal``, both on the same questions in order.

    Where calls fail, some have to be made again: only that all is right in the end is claimed.
    """
    right = Claim("share that is right", _share(ours), 1.0, at_least=True)
    if options.faults != "none":
        return [right]
    restless = options.brain == "restless"
    pairs = list(zip(ours, ideal, strict=True))
    deeper = [own.get("depth", 99) - best.get("depth", 0) for own, best in pairs]
    return [
        right,
        Claim("simulated time at ideal's length, of ideal's", _ratio(ours, ideal, "level_s"), 1.2),
        Claim("most calls in sequence beyond ideal's", max(deeper), 1.0 + restless),
        Claim(
            "most calls after the evidence was there, the writing one out",
            max(row.get("over_llm", 99) for row in ours),
            2.0 + restless,  # the check of the opening, during the writing, and that of the rest
        ),
    ]


def _options() -> tuple[Options, Path | None]:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--world", type=Path, required=True, help="folder of the world")
    parser.add_argument("--questions", type=int, default=0, help="only so many; all when 0")
    parser.add_argument("--only", default="", help="ids of questions, with commas between them")
    parser.add_argument("--set", default="eval", choices=SETS)
    parser.add_argument("--brain", default="perfect", choices=BRAINS)
    parser.add_argument("--faults", default="none", choices=FAULTS)
    parser.add_argument("--time-scale", type=float, default=0.5)
    parser.add_argument("--search", default="tavily", choices=SERVICES)
    parser.add_argument("--words", type=int, default=250, help="length of the report")
    parser.add_argument(
        "--jobs", type=int, default=1, help="questions at once, for each of the two"
    )
    parser.add_argument("--profile", default="standard", help="what the engine may spend")
    parser.add_argument("--keep", type=Path, help="an empty folder for the copy, with all logs")
    parser.add_argument("--json", type=Path, help="file for the rows of every run")
    parser.add_argument(
        "--ideal", type=Path, help="such a file, whose rows of ideal are taken in place of new ones"
    )
    given = parser.parse_args()
    return Options(
        world=given.world,
        questions=given.questions,
        only=given.only,
        set_=given.set,
        brain=given.brain,
        faults=given.faults,
        time_scale=given.time_scale,
        search=given.search,
        words=given.words,
        jobs=given.jobs,
        profile=given.profile,
        keep=given.keep,
        ideal=given.ideal,
    ), given.json


def _copy(world: Path, root: Path) -> None:
    """Copy the world to ``root`` and the engine's adapter into it."""
    for part in ("world", "peers", "data"):
        shutil.copytree(
            world / part,
            root / part,
            copy_function=shutil.copyfile,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    for folder in (root, *(path for path in root.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    shutil.copyfile(PEER, root / "peers" / f"{OURS}.py")
    # The world starts its peers with the interpreter in ".venv": the present one has all they need.
    (root / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    # They find packages there first: so it is the engine of this checkout that runs.
    (root / "quaere").symlink_to(Path(quaere.__file__).parent, target_is_directory=True)


@contextmanager
def _served(root: Path, time_scale: float) -> Generator[str]:
    """Serve the world and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = cast("int", free.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    command = ["serve", "--port", str(port), "--time-scale", str(time_scale)]
    server = _world(root, command, stdout=subprocess.DEVNULL)
    try:
        _await(f"{address}/_world/info", server)
        yield address
    finally:
        server.terminate()
        server.wait()


def _world(root: Path, command: Sequence[str], stdout: int | None = None) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "world", *command],
        cwd=root,
        env=environment,
        stdout=stdout,
        text=True,
    )


def _await(url: str, server: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own address
                return
        except OSError:
            time.sleep(0.2)
    sys.exit("The world did not start.")


def _run(root: Path, address: str, options: Options) -> dict[str, list[Row]]:
    """Let both peers answer at the same time, so that they share what the machine can give."""
    common = ["--world", address, "--set", options.set_, "--jobs", str(options.jobs)]
    common += ["--brain", options.brain, "--faults", options.faults, "--only", options.only]
    common += ["--n", str(options.questions), "--opt", f"words={options.words}"]
    own = [f"search={options.search}", f"profile={options.profile}", f"cache={root / 'cache'}"]
    ideals = ["pages=3"] if options.search == "searxng" else []
    peers = [(OURS, own)] if options.ideal else [(IDEAL, ideals), (OURS, own)]
    runs = [
        _world(root, ["run", peer, "--name", peer, *common, *_opts(opts)]) for peer, opts in peers
    ]
    for run in runs:
        run.wait()
    ours, ideal = (_rows(root / "results", name) for name in (OURS, IDEAL))
    if options.ideal:
        ideal = _taken_from(options.ideal, ours)
    _add_first_words(ours, root, options.time_scale)
    for own, best in zip(ours, ideal, strict=True):
        for row in (own, best):
            longer = best.get("prose_chars", 0) - row.get("prose_chars", 0)
            row["level_s"] = row.get("sim_s", 0.0) + longer / CHARS_PER_TOKEN / TOKENS_PER_S
    return {OURS: ours, IDEAL: ideal}


def _taken_from(kept: Path, ours: Sequence[Row]) -> list[Row]:
    """Return the rows that ``kept`` has of ideal, on the questions of ``ours`` in their order."""
    rows = [cast("Row", cast("object", row)) for row in _lines(kept) if row["engine"] == IDEAL]
    by_question = {row.get("qid"): row for row in rows}
    return [by_question[row.get("qid")] for row in ours]


def _opts(opts: Sequence[str]) -> list[str]:
    return [part for opt in opts for part in ("--opt", opt)]


def _rows(results: Path, name: str) -> list[Row]:
    """Return what the world has written of the peer called ``name``."""
    logs = _lines(results / "logs" / f"{name}.events.jsonl")
    reports = {str(log["qid"]): str(log["report"] or "") for log in logs}
    rows = [cast("Row", cast("object", row)) for row in _lines(results / f"{name}.jsonl")]
    for row in rows:
        row["prose_chars"] = len(_prose(reports.get(row.get("qid", ""), "")))
    return rows


def _add_first_words(rows: Sequence[Row], root: Path, time_scale: float) -> None:
    """Add to ``rows`` when the first sentence was told, in simulated seconds.

    Time in which something is asked of the world is simulated; the engine's own counts as it is.
    """
    told = {str(x["question"]): x["seconds"] for x in _lines(root / "cache" / FIRST_WORDS)}
    texts = {
        str(each["qid"]): str(each["question"])
        for name in ("eval", "more")
        for each in _lines(root / "data" / f"{name}.jsonl")
    }
    logs = _lines(root / "results" / "logs" / f"{OURS}.events.jsonl")
    spans = {str(log["qid"]): cast("list[dict[str, float]]", log["events"]) for log in logs}
    for row in rows:
        qid = row.get("qid", "")
        at = told.get(texts.get(qid, ""))
        if isinstance(at, float):
            asked = [(e["t0"], min(e["t1"], at)) for e in spans.get(qid, []) if e["t0"] < at]
            busy = _covered(asked)
            row["first_word"] = at - busy + busy / time_scale


def _covered(spans: Sequence[tuple[float, float]]) -> float:
    """Return the length of what ``spans`` cover together."""
    covered, end = 0.0, 0.0
    for first, last in sorted(spans):
        covered += max(0.0, last - max(first, end))
        end = max(end, last)
    return covered


def _lines(path: Path) -> list[dict[str, object]]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [cast("dict[str, object]", json.loads(line)) for line in lines if line]


def _prose(report: str) -> str:
    """Return the paragraphs between the title of ``report`` and its next heading."""
    text = re.sub(r"\A# .*\n", "", report)
    return re.sub(r"\s*\[[^\]]*\](?:\([^)]*\))?", "", re.split(r"(?m)^##", text)[0]).strip()


def _print_table(rows: dict[str, list[Row]]) -> None:
    columns: list[tuple[str, Callable[[Sequence[Row]], str]]] = [
        ("right", lambda own: f"{sum(row.get('correct', False) for row in own)}/{len(own)}"),
        *(
            (title, lambda own, key=key: f"{_median(own, key):.1f} ({_p90(own, key):.1f})")
            for key, title in (
                ("sim_s", "simulated s (p90)"),
                ("idle_s", "own s"),
                ("t_suff", "s to evidence"),
                ("t_last", "s to the last call"),
                ("first_word", "s to the first checked word"),
                ("llm", "calls"),
                ("depth", "in sequence"),
                ("over_llm", "after evidence"),
                ("search", "searches"),
                ("page", "pages"),
                ("prompt_tok", "prompt tokens"),
                ("compl_tok", "written tokens"),
                ("prose_chars", "answer chars"),
                ("level_s", "s at ideal's length"),
                ("recall_end", "gold at end"),
                ("cited_gold", "gold cited"),
            )
        ),
    ]
    print("\n| engine | " + " | ".join(title for title, _ in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, own in rows.items():
        print(f"| {name} | " + " | ".join(cell(own) for _, cell in columns) + " |")
    print()


def _values(rows: Sequence[Row], key: str) -> list[float]:
    found = (cast("float | None", row.get(key)) for row in rows)
    return sorted(float(value) for value in found if value is not None)


def _median(rows: Sequence[Row], key: str) -> float:
    values = _values(rows, key)
    return statistics.median(values) if values else 0.0


def _p90(rows: Sequence[Row], key: str) -> float:
    values = _values(rows, key)
    return values[-(-9 * len(values) // 10) - 1] if values else 0.0


def _ratio(ours: Sequence[Row], ideal: Sequence[Row], key: str) -> float:
    return _median(ours, key) / (_median(ideal, key) or 1.0)


def _share(rows: Sequence[Row]) -> float:
    return sum(row.get("correct", False) for row in rows) / max(1, len(rows))


if __name__ == "__main__":
    sys.exit(main())
