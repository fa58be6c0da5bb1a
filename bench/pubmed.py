"""What the loop finds in PubMed, iteration by iteration, beside one query.

    python bench/pubmed.py --data DIR --json pubmed.json

Serves the corpus of a BioASQ set (``questions.jsonl``, ``corpus_snippets.jsonl``) behind a
look-alike of the E-utilities on loopback, asks its questions, and reports recall@10: the share of
the first ten articles that are gold, of the ten or fewer that could be. ``bm25`` ranks the corpus
itself by the words of the question, ``one_search`` is what the provider returns for it, and
``iterations`` what stands first in the evidence after each loop of a run; a run that has stopped
stays where it is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean
from typing import TypedDict, cast

from aiohttp import web

from eutils import Eutils, Record
from quaere.domain.budget import ProfileName
from quaere.domain.events import EvidenceCollected, RunFinished
from quaere.domain.evidence import Evidence
from quaere.domain.question import Query
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, Page
from quaere.errors import ReadError
from quaere.evidence.pool import best_passages
from quaere.ports.search import SearchProvider
from quaere.read.api_client import ApiClient
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.limits import RateLimit
from quaere.resilience.timing import SystemClock
from quaere.runtime.engine import Engine
from quaere.search.pubmed import PubMed
from quaere.search.results import ProvidedText
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

K = 10


class Asked(TypedDict):
    """A question and the articles that answer it."""

    question: str
    gold_pmids: list[str]


class Article(TypedDict):
    """An article of the corpus."""

    pmid: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """Recall for one question."""

    bm25: float
    one_search: float
    iterations: tuple[float, ...]
    queries: int
    seconds: float


class NothingToRead:
    """The reader of a run in which every hit brings its text along."""

    async def read(self, hit: Hit) -> Page:
        """Raise the error for a page that is not there."""
        raise ReadError(f"{hit.url} came without text", status="not_found")


def recall(found: Sequence[str], gold: frozenset[str]) -> float:
    """Return the share of what could be found among the first ten that was."""
    return len(gold.intersection(found[:K])) / min(K, len(gold))


class Corpus:
    """Articles, ranked by plain BM25 for comparison."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self.articles = articles
        self._bm25 = Bm25([terms(article["text"]) for article in articles])

    def first(self, question: str) -> list[str]:
        """Return the ids of the ten best."""
        scores = self._bm25.scores(terms(question))
        best = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
        return [self.articles[at]["pmid"] for at in best[:K]]

    @asynccontextmanager
    async def served(self) -> AsyncGenerator[str]:
        """Serve the articles like NCBI does and yield the base URL."""
        # The corpus has no titles, and a record without one would be passed over.
        eutils = Eutils(
            Record(each["pmid"], f"Article {each['pmid']}", (("", escape(each["text"])),))
            for each in self.articles
        )

        async def answer(request: web.Request) -> web.Response:
            if request.path == "/efetch.fcgi":
                return web.Response(body=eutils.efetch(request.query), content_type="text/xml")
            return web.json_response(eutils.esearch(request.query))

        app = web.Application(handler_args={"max_line_size": 65_536})
        app.router.add_get("/{name}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = cast("tuple[str, int]", runner.addresses[0])
        try:
            yield f"http://{host}:{port}"
        finally:
            await runner.cleanup()


async def ask(
    asked: Asked, corpus: Corpus, provider: SearchProvider, profile: ProfileName
) -> Outcome:
    """Return what is found for one question."""
    question, gold = asked["question"], frozenset(asked["gold_pmids"])
    alone = await provider.search(Query(text=question), limit=K)
    engine = Engine(
        providers=[provider],
        reasoner=ExtractiveReasoner(),
        reader=NothingToRead(),
        chunker=PassageChunker(),
    )
    by_loop: list[float] = []
    selection: tuple[Evidence, ...] = ()
    queries, begun = 0, time.perf_counter()
    async for event in engine.stream(RunSpec.of(question, profile=profile)):
        if isinstance(event, EvidenceCollected):
            selection = event.applied(selection)
            by_loop.append(recall(pmids(each.url for each in selection), gold))
        if isinstance(event, RunFinished):
            queries = len(event.report.queries)
    return Outcome(
        bm25=recall(corpus.first(question), gold),
        one_search=recall(pmids(hit.url for hit in alone), gold),
        iterations=tuple(by_loop),
        queries=queries,
        seconds=time.perf_counter() - begun,
    )


def pmids(urls: Iterable[str]) -> list[str]:
    """Return the PMIDs in addresses of PubMed, each once, in their order."""
    return list(dict.fromkeys(url.rstrip("/").rpartition("/")[2] for url in urls))


def report(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the means over all questions."""
    loops = max(len(outcome.iterations) for outcome in outcomes)
    return {
        "questions": len(outcomes),
        "bm25": round(fmean(o.bm25 for o in outcomes), 3),
        "one_search": round(fmean(o.one_search for o in outcomes), 3),
        "iterations": [
            round(fmean([*o.iterations, *[o.iterations[-1]] * loops][n] for o in outcomes), 3)
            for n in range(loops)
        ],
        "queries_a_question": round(fmean(o.queries for o in outcomes), 1),
        "seconds_a_question": round(fmean(o.seconds for o in outcomes), 2),
    }


def read(path: Path) -> list[object]:
    """Return the JSON values in the lines of ``path``."""
    return [cast("object", json.loads(line)) for line in path.read_text("utf-8").splitlines()]


async def measure(data: Path, profile: ProfileName, questions: int | None) -> dict[str, object]:
    """Ask the questions one after another and return the report."""
    corpus = Corpus(cast("list[Article]", read(data / "corpus_snippets.jsonl")))
    asked = cast("list[Asked]", read(data / "questions.jsonl"))[:questions]
    async with corpus.served() as base_url:
        client = ApiClient("pubmed", base_url, timeout_s=30)
        keep = ProvidedText(PassageChunker(), best_passages, SystemClock())
        # NCBI's pace is for NCBI; here it would only make the measuring long.
        provider = PubMed(client, keep, RateLimit(10_000))
        outcomes = [await ask(each, corpus, provider, profile) for each in asked]
        await client.aclose()
    return report(outcomes)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the BioASQ set")
    parser.add_argument("--profile", type=ProfileName, default=ProfileName.STANDARD)
    parser.add_argument("--questions", type=int, help="only the first so many")
    parser.add_argument("--json", type=Path, help="file for the report")
    options = parser.parse_args()
    told = json.dumps(
        asyncio.run(measure(options.data, options.profile, options.questions)), indent=2
    )
    print(told)
    if options.json:
        options.json.write_text(told + "\n", "utf-8")


if __name__ == "__main__":
    main()
