"""Runs the loop over multi-hop questions, beside one plain BM25 query for as many passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter

from pydantic import BaseModel

from quaere.build import build_engine, build_folder
from quaere.domain.budget import Limits
from quaere.domain.events import EvidenceCollected, RunFinished
from quaere.domain.profile import ProfileName
from quaere.domain.question import Query
from quaere.engine import Engine
from quaere.errors import DataError
from quaere.evals.datasets import MultihopQuestion, MultihopSet, write_corpus
from quaere.evals.scorers import (
    Retrieved,
    has_all,
    holds_answer,
    recall,
    stopped_early,
    stopped_late,
)
from quaere.search.providers.folder import FolderProvider
from quaere.settings import Settings

PASSAGES = 10
"""Passages that the loop may keep and that the baseline may return."""

Progress = Callable[[str, int, int], None]


class MultihopScores(BaseModel):
    """The figures of one dataset; shares and recalls are from 0 to 1."""

    n: int
    all_gold_at_10: float
    recall_at_5: float
    recall_at_10: float
    baseline_all_gold_at_10: float
    baseline_recall_at_5: float
    baseline_recall_at_10: float
    answer_in_evidence: float
    """Share of questions with one of the answers in the text of the evidence; yes/no left out."""
    all_gold_by_loop: tuple[float, ...]
    """Share with all gold in the evidence after each loop; a run that has stopped stays as it
    is."""
    recall_by_loop: tuple[float, ...]
    queries_mean: float
    loops_mean: float
    passages_mean: float
    stopped_early: float
    stopped_late: float
    seconds: float
    """Mean wall time of a run."""

    @property
    def figures(self) -> dict[str, float]:
        """The figures that are one number, by name."""
        return {k: v for k, v in self.model_dump().items() if isinstance(v, int | float)}


class MultihopResult(BaseModel):
    """What ``quaere eval multihop --json`` writes."""

    datasets: dict[str, MultihopScores]


class _Row(BaseModel):
    gold: frozenset[str]
    run: Retrieved
    baseline: tuple[str, ...]
    answered: bool | None
    queries: int
    seconds: float

    def after(self, loop: int) -> Sequence[str]:
        """Return the selection after ``loop``; a run that has stopped stays as it is."""
        return self.run.rounds[min(loop, len(self.run.rounds) - 1)]


async def evaluate_multihop(
    sets: Sequence[MultihopSet],
    settings: Settings,
    *,
    work: Path,
    profile: ProfileName | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> MultihopResult:
    """Return the figures of every dataset.

    Args:
        sets: The datasets; each is searched within its own corpus.
        settings: Where indexes are kept, among others.
        work: Folder for the corpora as files.
        profile: Budget of the runs; standard when left out.
        limits: Limits in place of the profile's; evidence is always limited to 10 passages.
        progress: Told the dataset, the questions done and their number.
    """
    scores: dict[str, MultihopScores] = {}
    for data in sets:
        path = work / f"{data.name}.jsonl"
        write_corpus(data.documents, path)
        folder = build_folder(settings, [path])
        await folder.prepare(_quietly)
        ids = {f"{path.as_uri()}#line={n}": d.doc_id for n, d in enumerate(data.documents, 1)}
        trial = _Trial(build_engine(settings, docs=[path]), folder, ids, profile, limits)
        rows: list[_Row] = []
        for done, question in enumerate(data.questions, 1):
            rows.append(await trial.run(question))
            if progress:
                progress(data.name, done, len(data.questions))
        scores[data.name] = _summed(rows)
    return MultihopResult(datasets=scores)


def _quietly(done: int, total: int, passages: int) -> None:
    """Take the progress of an index and tell nobody."""


class _Trial:
    """Asks questions of one corpus, both ways."""

    def __init__(
        self,
        engine: Engine,
        folder: FolderProvider,
        ids: dict[str, str],
        profile: ProfileName | None,
        limits: Limits | None,
    ) -> None:
        self._engine, self._folder, self._ids = engine, folder, ids
        self._profile, self._limits = profile, limits or {}

    async def run(self, question: MultihopQuestion) -> _Row:
        started = perf_counter()
        events = self._engine.stream(
            question.question,
            profile=self._profile,
            limits={**self._limits, "max_sources": PASSAGES},
        )
        rounds: list[list[str]] = []
        report = None
        async for event in events:
            if isinstance(event, EvidenceCollected):
                rounds.append([self._ids[evidence.url] for evidence in event.selected])
            elif isinstance(event, RunFinished):
                report = event.report
        if report is None:
            raise DataError(f"The run on {question.id} ended without a report.")
        seconds = perf_counter() - started
        hits = await self._folder.search(Query(text=question.question), limit=PASSAGES)
        pages = [self._folder.page(evidence.url) for evidence in report.evidence]
        text = "\n".join(f"{page.title} {page.text}" for page in pages if page)
        yes_no = {"yes", "no", "true", "false"} & {answer.lower() for answer in question.answers}
        return _Row(
            gold=question.gold_docs,
            run=Retrieved(rounds, report.stop_reason, text),
            baseline=tuple(self._ids[hit.url] for hit in hits),
            answered=None if yes_no else holds_answer(text, question.answers),
            queries=report.spend.queries,
            seconds=seconds,
        )


def _summed(rows: Sequence[_Row]) -> MultihopScores:
    loops = max(len(row.run.rounds) for row in rows)

    def mean(figure: Callable[[_Row], float]) -> float:
        return fmean(map(figure, rows))

    def by_loop(figure: Callable[[Sequence[str], frozenset[str]], float]) -> tuple[float, ...]:
        return tuple(
            mean(lambda row, n=loop: figure(row.after(n), row.gold)) for loop in range(loops)
        )

    answered = [row.answered for row in rows if row.answered is not None]
    return MultihopScores(
        n=len(rows),
        all_gold_at_10=mean(lambda row: has_all(row.run.final, row.gold)),
        recall_at_5=mean(lambda row: recall(row.run.final[:5], row.gold)),
        recall_at_10=mean(lambda row: recall(row.run.final, row.gold)),
        baseline_all_gold_at_10=mean(lambda row: has_all(row.baseline, row.gold)),
        baseline_recall_at_5=mean(lambda row: recall(row.baseline[:5], row.gold)),
        baseline_recall_at_10=mean(lambda row: recall(row.baseline, row.gold)),
        answer_in_evidence=fmean(answered) if answered else 0.0,
        all_gold_by_loop=by_loop(has_all),
        recall_by_loop=by_loop(recall),
        queries_mean=mean(lambda row: row.queries),
        loops_mean=mean(lambda row: len(row.run.rounds)),
        passages_mean=mean(lambda row: len(row.run.final)),
        stopped_early=mean(lambda row: stopped_early(row.run, row.gold)),
        stopped_late=mean(lambda row: stopped_late(row.run, row.gold)),
        seconds=mean(lambda row: row.seconds),
    )
