"""Whether anything became slower: processor time, against a reference in the same run.

    python bench/ratios.py [--repeats 9] [--only query] [--keep]

Each row is the quotient of two processor times, measured one after the other, so that another
machine, or one with other work, shows about the same: a command against a bare interpreter, a query
of the folder index against tantivy alone, fetching against aiohttp alone, extracting against
trafilatura alone; a run, and what of it holds the event loop, against trafilatura too, which is
Python as it is: queries of an index are fast on other machines than a run is.
``bench/kept.json`` holds what was measured last: the median and the quartiles of the repeats. A row
got worse by more than its noise when its median is more than a tenth above the kept one and its
lower quartile above the kept upper one. Then the exit code is 1. ``--keep`` writes the file anew.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

import aiohttp
import tantivy
import trafilatura
from pydantic import BaseModel, TypeAdapter

from fetch import AT_ONCE, PAGES, article, our_fetcher, serve
from hostile import free_port, listening
from index import Corpus, write_shards
from quaere.domain.question import Query
from quaere.domain.request import Cached, RunRequest
from quaere.index.analysis import terms
from quaere.index.file_readers import Sources
from quaere.index.folder_index import FolderIndex
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract.html import HtmlExtractor
from quaere.read.extractor import SafeExtractor
from quaere.read.reader import read_file
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from startup import installed

ROOT = Path(__file__).parent.parent
KEPT = Path(__file__).with_name("kept.json")
DOCS = ROOT / "evals" / "own" / "files"
"""Files that hardly ever change, unlike this project's own docs."""
QUESTION = "What is the fare from Harbour to Skarrow?"
PASSAGES, QUERIES, ARTICLES, BATCH, HITS = 10_000, 200, 20, 5, 10
WORSE = 1.1
"""A median that is not above the kept one by this factor is no worse, however quiet the machine."""

Cpu = Callable[[], float]
"""Does the work once and returns the seconds of processor time that it took."""


class Ratio(BaseModel):
    """The quotients of all repeats: their median and quartiles."""

    ratio: float
    low: float
    high: float

    def is_worse_than(self, kept: Ratio) -> bool:
        """Whether it is above ``kept`` by more than the noise of both."""
        return self.ratio > kept.ratio * WORSE and self.low > kept.high


class Pair(BaseModel):
    """A row: what is ours, and what it is compared with."""

    model_config = {"arbitrary_types_allowed": True}

    ours: Cpu
    reference: Cpu


def measured(pair: Pair, repeats: int) -> Ratio:
    """Return the quotients of ``repeats`` measurements, after one that warms both up."""
    pair.ours()
    pair.reference()
    found = [pair.ours() / pair.reference() for _ in range(repeats)]
    low, _, high = quantiles(found, n=4, method="inclusive")
    return Ratio(ratio=round(median(found), 3), low=round(low, 3), high=round(high, 3))


def here(work: Callable[[], object]) -> Cpu:
    """Return what measures ``work`` in this process, all threads."""

    def cpu() -> float:
        begun = time.process_time()
        work()
        return time.process_time() - begun

    return cpu


def on_loop(work: Callable[[], object]) -> Cpu:
    """Return what measures ``work`` in the thread that calls it, which the event loop is in."""

    def cpu() -> float:
        begun = time.thread_time()
        work()
        return time.thread_time() - begun

    return cpu


def started(command: Sequence[str], folder: Path) -> Cpu:
    """Return what measures ``command`` in a process of its own and those that it starts."""
    env = installed(folder)

    def cpu() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)

    return cpu


@contextmanager
def commands() -> Generator[dict[str, Pair]]:
    """Yield what a command costs, against an interpreter that does nothing."""
    quaere = [sys.executable, "-m", "quaere"]
    with tempfile.TemporaryDirectory() as folder:
        bare = started([sys.executable, "-c", ""], Path(folder))
        ask = [*quaere, "ask", QUESTION, "--docs", str(DOCS), "--quiet"]
        yield {
            "help / interpreter": Pair(
                ours=started([*quaere, "--help"], Path(folder)), reference=bare
            ),
            "ask, warm folder / interpreter": Pair(ours=started(ask, Path(folder)), reference=bare),
        }


@contextmanager
def queries() -> Generator[dict[str, Pair]]:
    """Yield a query of the folder index, against tantivy with the same passages and terms."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as name:
        docs = Path(name) / "docs"
        docs.mkdir()
        write_shards(corpus, PASSAGES, docs)
        index = FolderIndex([docs], cache=Path(name) / "cache")
        index.refresh(Sources(read_file, SafeExtractor(), PassageChunker()))
        texts = corpus.queries(PASSAGES)[:QUERIES]
        alone = bare_tantivy(corpus)

        def ours() -> None:
            for text in texts:
                assert index.search(Query(text=text), HITS)

        def reference() -> None:
            searcher = alone.searcher()
            for text in texts:
                wanted = alone.parse_query(" ".join(terms(text)), ["text"])
                found = searcher.search(wanted, HITS).hits
                assert [searcher.doc(place)["text"] for _, place in found]

        yield {"folder query / tantivy": Pair(ours=here(ours), reference=here(reference))}


def bare_tantivy(corpus: Corpus) -> tantivy.Index:
    """Return an index in memory over the passages of ``corpus``, stemmed as ours are."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer(num_threads=1)
    for title, text in islice(corpus.passages(PASSAGES), PASSAGES):
        writer.add_document(tantivy.Document(text=f"{title}\n{text}"))
    writer.commit()
    index.reload()
    return index


@contextmanager
def fetching() -> Generator[dict[str, Pair]]:
    """Yield fetching a hundred pages, against aiohttp alone."""
    port = free_port()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(port,))
    server.start()
    urls = [f"http://127.0.0.1:{port}/p{number}" for number in range(PAGES)]

    async def ours() -> None:
        async with our_fetcher(port) as fetcher:
            await asyncio.gather(*map(fetcher.fetch, urls))

    async def reference() -> None:
        connector = aiohttp.TCPConnector(limit=AT_ONCE)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def read(url: str) -> None:
                async with session.get(url) as response:
                    await response.read()

            await asyncio.gather(*map(read, urls))

    try:
        asyncio.run(listening(port))
        yield {
            "fetch / aiohttp": Pair(
                ours=here(lambda: asyncio.run(ours())),
                reference=here(lambda: asyncio.run(reference())),
            )
        }
    finally:
        server.terminate()
        server.join()


@contextmanager
def extracting() -> Generator[dict[str, Pair]]:
    """Yield extracting articles, against trafilatura alone, without metadata."""
    pages = [article(number) for number in range(ARTICLES)]
    bodies = [
        Body(data=page, url=f"https://bench.example/{number}", content_type="text/html")
        for number, page in enumerate(pages)
    ]
    extractor = HtmlExtractor()

    def ours() -> None:
        for body in bodies:
            assert next(iter(extractor.extract(body))).text

    def reference() -> None:
        for page in pages:
            assert trafilatura.extract(page)

    yield {"extract / trafilatura": Pair(ours=here(ours), reference=here(reference))}


@contextmanager
def runs() -> Generator[dict[str, Pair]]:
    """Yield runs without a model over a warm folder, against reading an article a run."""
    with tempfile.TemporaryDirectory() as name, asyncio.Runner() as runner:
        settings = Settings(docs=(DOCS,), data_dir=Path(name), cache_dir=Path(name), trace=False)
        stack = App.open(settings)
        app = runner.run(stack.__aenter__())
        page = article(0)

        async def ask() -> None:
            for _ in range(BATCH):
                run = await app.start(RunRequest(question=QUESTION, cached=Cached.OFF))
                await run.report()
                run.settle()

        def reference() -> None:
            for _ in range(BATCH):
                assert trafilatura.extract(page)

        try:
            yield {
                "run, warm folder / trafilatura": Pair(
                    ours=here(lambda: runner.run(ask())), reference=here(reference)
                ),
                "run, on the event loop / trafilatura": Pair(
                    ours=on_loop(lambda: runner.run(ask())), reference=here(reference)
                ),
            }
        finally:
            runner.run(stack.__aexit__(None, None, None))


GROUPS = {
    ("help / interpreter", "ask, warm folder / interpreter"): commands,
    ("folder query / tantivy",): queries,
    ("fetch / aiohttp",): fetching,
    ("extract / trafilatura",): extracting,
    ("run, warm folder / trafilatura", "run, on the event loop / trafilatura"): runs,
}
"""What makes the rows, by their names."""
_KEPT = TypeAdapter(dict[str, Ratio])


def main() -> None:
    """Measure and print; exit with 1 when a row got worse."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--only", default="", help="part of a row's name")
    parser.add_argument("--keep", action="store_true", help="keep what is measured now")
    parser.add_argument("--kept", type=Path, default=KEPT, help="the file of kept ratios")
    options = parser.parse_args()
    kept = _KEPT.validate_json(options.kept.read_bytes()) if options.kept.exists() else {}
    found: dict[str, Ratio] = {}
    worse = False
    for names, group in GROUPS.items():
        with ExitStack() as stack:
            if not any(options.only in name for name in names):
                continue
            for name, pair in stack.enter_context(group()).items():
                if options.only in name:
                    found[name] = measured(pair, max(3, options.repeats))
                    is_worse = name in kept and found[name].is_worse_than(kept[name])
                    worse = worse or is_worse
                    print(_line(name, found[name], kept.get(name), worse=is_worse), flush=True)
    if options.keep:
        whole = {name: ratio.model_dump() for name, ratio in (kept | found).items()}
        options.kept.write_text(json.dumps(whole, indent=2) + "\n", "utf-8")
    sys.exit(worse and not options.keep)


def _line(name: str, now: Ratio, kept: Ratio | None, *, worse: bool) -> str:
    before = f"kept {kept.ratio:8.3f} ({kept.low:.3f} to {kept.high:.3f})" if kept else "not kept"
    told = f"{now.ratio:8.3f} ({now.low:.3f} to {now.high:.3f})"
    return f"{'WORSE' if worse else 'ok':5} {name:36} {told:28} {before}"


if __name__ == "__main__":
    main()
