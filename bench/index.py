"""How fast the folder index is built and searched, on made-up corpora.

    python bench/index.py --passages 100000 1000000 --json index.json

For each size: seconds to build, size on disk, time of a query (p50, p95), seconds of a refresh that
finds nothing to do, and the peak of memory; for sizes up to 100,000 SQLite FTS5 beside it, with the
same passages and the same terms. Each size runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from statistics import quantiles
from typing import NotRequired, TypedDict

from quaere.domain.question import Query
from quaere.index.analysis import terms
from quaere.index.file_readers import Sources
from quaere.index.folder_index import FolderIndex
from quaere.read.chunker import PassageChunker
from quaere.read.extractor import SafeExtractor
from quaere.read.reader import read_file
from quaere.text.tokens import STOP_WORDS

SEED = 7
VOCABULARY = 200_000
WORDS = (50, 110)
"""Words of a passage."""
SHARD = 10_000
QUERIES = 500
QUERY_WORDS = 8
LIMIT = 10
FTS5_UP_TO = 100_000


class Timing(TypedDict):
    """One index at one size."""

    build_s: float
    size_mb: float
    p50_ms: float
    p95_ms: float


class Figures(Timing):
    """The folder index at one size."""

    passages: int
    refresh_s: float
    rss_build_mb: float
    rss_peak_mb: float
    fts5: NotRequired[Timing]


class Corpus:
    """Passages of words whose frequency falls with their rank, as in a language (Zipf)."""

    def __init__(self) -> None:
        random_ = random.Random(SEED)  # noqa: S311 - reproducible, not secret
        made = dict.fromkeys(_word(random_) for _ in range(VOCABULARY))
        self._words = [*sorted(STOP_WORDS), *made]
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(self._words))))

    def passages(self, count: int) -> Iterator[tuple[str, str]]:
        """Yield title and text of ``count`` passages, always the same ones."""
        random_ = random.Random(SEED)  # noqa: S311
        for _ in range(count):
            length = random_.randint(*WORDS)
            words = random_.choices(self._words, cum_weights=self._weights, k=length + 3)
            yield " ".join(words[:3]).title(), " ".join(words[3:]) + "."

    def queries(self, count: int) -> list[str]:
        """Return queries, each made of words of one passage."""
        random_ = random.Random(SEED + 1)  # noqa: S311
        texts = [text.rstrip(".").split() for _, text in self.passages(min(count, QUERIES))]
        return [" ".join(random_.sample(text, QUERY_WORDS)) for text in texts]


def _word(random_: random.Random) -> str:
    consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
    pairs = random_.choices([a + b for a in consonants for b in vowels], k=random_.randint(2, 4))
    return "".join(pairs) + random_.choice(consonants)


def write_shards(corpus: Corpus, count: int, folder: Path) -> None:
    """Write the corpus as JSON Lines files of `SHARD` records."""
    passages = corpus.passages(count)
    for number in range(0, count, SHARD):
        with (folder / f"shard-{number // SHARD:04}.jsonl").open("w") as file:
            for title, text in islice(passages, SHARD):
                file.write(json.dumps({"title": title, "text": text}) + "\n")


def measure(count: int, folder: Path) -> Figures:
    """Build and search an index over ``count`` passages."""
    corpus = Corpus()
    docs = folder / "docs"
    docs.mkdir()
    write_shards(corpus, count, docs)
    sources = Sources(read_file, SafeExtractor(), PassageChunker())
    begun = time.perf_counter()
    warnings = FolderIndex([docs], cache=folder / "cache").refresh(sources, progress=_show)
    build_s = time.perf_counter() - begun
    assert not warnings, warnings[:3]
    rss_build_mb = _peak_rss_mb()
    index = FolderIndex([docs], cache=folder / "cache")
    begun = time.perf_counter()
    index.refresh(sources)
    refresh_s = time.perf_counter() - begun
    queries = [Query(text=text) for text in corpus.queries(count)]
    times = _timed([lambda query=query: len(index.search(query, LIMIT)) for query in queries])
    figures = Figures(
        passages=count,
        build_s=round(build_s, 2),
        size_mb=_size_mb(folder / "cache"),
        refresh_s=round(refresh_s, 3),
        rss_build_mb=rss_build_mb,
        rss_peak_mb=_peak_rss_mb(),
        **_percentiles(times),
    )
    if count <= FTS5_UP_TO:
        figures["fts5"] = measure_fts5(corpus, count, folder / "fts5.db")
    return figures


def measure_fts5(corpus: Corpus, count: int, path: Path) -> Timing:
    """Build and search an SQLite FTS5 table of the same passages, for comparison."""
    database = sqlite3.connect(path)
    passages = list(corpus.passages(count))
    begun = time.perf_counter()
    database.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = 'porter')")
    database.executemany("INSERT INTO t VALUES (?, ?)", passages)
    database.commit()
    build_s = time.perf_counter() - begun
    search = "SELECT title, body FROM t WHERE t MATCH ? ORDER BY bm25(t, 3.0, 1.0) LIMIT ?"
    matches = [" OR ".join(f'"{term}"' for term in terms(text)) for text in corpus.queries(count)]
    calls = [
        lambda match=match: len(database.execute(search, (match, LIMIT)).fetchall())
        for match in matches
        if match
    ]
    return Timing(
        build_s=round(build_s, 2),
        size_mb=round(path.stat().st_size / 1e6, 1),
        **_percentiles(_timed(calls)),
    )


def _timed(calls: Sequence[Callable[[], int]]) -> list[float]:
    """Return the milliseconds of each call; the first ones, on a cold index, are not counted."""
    for call in calls[:20]:
        call()
    times: list[float] = []
    for call in calls:
        begun = time.perf_counter()
        assert call() > 0
        times.append((time.perf_counter() - begun) * 1000)
    return times


class _Percentiles(TypedDict):
    p50_ms: float
    p95_ms: float


def _percentiles(times: list[float]) -> _Percentiles:
    cuts = quantiles(times, n=20)
    return {"p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2)}


def _size_mb(folder: Path) -> float:
    return round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6, 1)


def _peak_rss_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e3), 1)  # bytes there, kB elsewhere


def _show(done: int, total: int, passages: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total} files, {passages:,} passages", end="", file=sys.stderr)


def main() -> None:
    """Measure each size and print a table."""
    parser = argparse.ArgumentParser(description="Measure the folder index.")
    parser.add_argument("--passages", type=int, nargs="+", default=[100_000])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results: list[Figures] = []
    spawn = multiprocessing.get_context("spawn")
    print(f"{'passages':>10} {'':8} {'build s':>8} {'MB':>8} {'p50 ms':>8} {'p95 ms':>8}")
    for count in options.passages:
        with tempfile.TemporaryDirectory() as folder, spawn.Pool(1) as pool:
            figures = pool.apply(measure, (count, Path(folder)))
        results.append(figures)
        rows = [("quaere", figures), *([("fts5", figures["fts5"])] if "fts5" in figures else [])]
        for name, row in rows:
            print(
                f"{count:>10,} {name:8} {row['build_s']:8.2f} {row['size_mb']:8.1f}"
                f" {row['p50_ms']:8.2f} {row['p95_ms']:8.2f}"
            )
        print(
            f"{'':10} refresh {figures['refresh_s']:.3f} s, peak memory"
            f" {figures['rss_build_mb']:.0f} MB building, {figures['rss_peak_mb']:.0f} MB in all"
        )
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
