"""Sums runs over multi-hop questions up into figures. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from pydantic import BaseModel

from quaere_evals.scorers import Retrieved, has_all, recall, stopped_early, stopped_late


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The result of one question."""

    gold: frozenset[str]
    run: Retrieved
    baseline: Sequence[str]
    answered: bool | None
    """None where the answer is yes or no."""
    hops: int
    queries: int
    model_calls: int
    depth: int
    """Model calls one after another."""
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all gold is in the selection at the end."""
        return has_all(self.run.final, self.gold)

    def after(self, loop: int) -> Sequence[str]:
        """Return the selection after ``loop``; a run that has stopped stays as it is."""
        return self.run.rounds[min(loop, len(self.run.rounds) - 1)]


class HopScores(BaseModel):
    """The means over the questions of one number of hops."""

    n: int
    all_gold_at_10: float
    loops: float
    queries: float
    model_calls: float
    depth: float
    """Model calls one after another; of those side by side one counts."""


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
    model_calls_mean: float
    depth_mean: float
    by_hops: dict[int, HopScores]
    stopped_early: float
    stopped_late: float
    stopped_in_time: float
    """Share, of the runs that found all gold, that ended at most one loop later; 0 for none."""
    seconds: float
    """Mean wall time of a run."""

    @property
    def figures(self) -> dict[str, float]:
        """The figures that are one number, by name."""
        return {k: v for k, v in self.model_dump().items() if isinstance(v, int | float)}


def summed(rows: Sequence[Row]) -> MultihopScores:
    """Return the figures of ``rows``, of which there must be one at least."""
    loops = range(max(len(row.run.rounds) for row in rows))

    def mean(figure: Callable[[Row], float]) -> float:
        return fmean(map(figure, rows))

    def by_loop(figure: Callable[[Sequence[str], frozenset[str]], float]) -> tuple[float, ...]:
        return tuple(mean(lambda row, n=loop: figure(row.after(n), row.gold)) for loop in loops)

    complete = [row for row in rows if row.complete]
    return MultihopScores(
        n=len(rows),
        all_gold_at_10=mean(lambda row: row.complete),
        recall_at_5=mean(lambda row: recall(row.run.final[:5], row.gold)),
        recall_at_10=mean(lambda row: recall(row.run.final, row.gold)),
        baseline_all_gold_at_10=mean(lambda row: has_all(row.baseline, row.gold)),
        baseline_recall_at_5=mean(lambda row: recall(row.baseline[:5], row.gold)),
        baseline_recall_at_10=mean(lambda row: recall(row.baseline, row.gold)),
        answer_in_evidence=_share(row.answered for row in rows if row.answered is not None),
        all_gold_by_loop=by_loop(has_all),
        recall_by_loop=by_loop(recall),
        queries_mean=mean(lambda row: row.queries),
        loops_mean=mean(lambda row: len(row.run.rounds)),
        passages_mean=mean(lambda row: len(row.run.final)),
        model_calls_mean=mean(lambda row: row.model_calls),
        depth_mean=mean(lambda row: row.depth),
        by_hops={hops: _alike([r for r in rows if r.hops == hops]) for hops in _hops(rows)},
        stopped_early=mean(lambda row: stopped_early(row.run, row.gold)),
        stopped_late=mean(lambda row: stopped_late(row.run, row.gold)),
        stopped_in_time=_share(not stopped_late(row.run, row.gold) for row in complete),
        seconds=mean(lambda row: row.seconds),
    )


def _hops(rows: Iterable[Row]) -> Sequence[int]:
    return sorted({row.hops for row in rows})


def _alike(rows: Sequence[Row]) -> HopScores:
    return HopScores(
        n=len(rows),
        all_gold_at_10=fmean(row.complete for row in rows),
        loops=fmean(len(row.run.rounds) for row in rows),
        queries=fmean(row.queries for row in rows),
        model_calls=fmean(row.model_calls for row in rows),
        depth=fmean(row.depth for row in rows),
    )


def _share(told: Iterable[bool]) -> float:
    return fmean(found) if (found := list(told)) else 0.0
