"""Fits the weights by which reports of findings lean to a yes or a no.

    python bench/fit_leaning.py --data DIR [--limit N]

Asks the questions for yes or no of the first half of BioASQ and PubMedQA without a model, takes the
signs of the lines that may tell of findings (``quaere.reason.extractive.leaning``), and fits a
logistic with a ridge. It prints the weights fitted on both sets; for each set, how often weights
fitted on the other are right; and how often a leaning is right by how much is believed in it, each
question judged by weights fitted without its tenth of both sets. The second half is measured by
``quaere eval answers --half second``.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
from collections.abc import Iterator, Mapping, Sequence
from math import exp
from pathlib import Path
from statistics import fmean, pstdev

from assignments import pools
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.leaning import PROBABLY, Signs, findings, signs_of
from quaere_evals.answer_scores import YES_NO
from quaere_evals.answer_sets import load_answer_sets
from quaere_evals.answers import Half, halved
from quaere_evals.datasets import MultihopSet
from quaere_evals.scorers import normalize_answer

SETS = ("bioasq", "pubmedqa")
RIDGE = 10.0
"""Penalty on the squared weights of standardised signs."""
ROUNDS, STEP, FOLDS = 400, 0.01, 10
BANDS = (0.55, 0.6, PROBABLY, 0.7, 0.75, 0.8, 0.85, 1.0)

Judged = tuple[Signs, bool]
"""The signs of a question, and whether its answer is yes."""
Fitted = tuple[Signs, float]
"""The weights and the base."""


def main() -> None:
    """Fit the weights and show them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--limit", type=int, help="questions a set")
    arguments = parser.parse_args()
    sets = [halved(each, Half.FIRST) for each in load_answer_sets(arguments.data, SETS)]
    found = {each.name: asyncio.run(gathered(each.first(arguments.limit))) for each in sets}
    asked = [question for each in found.values() for question in each]
    weights, base = fitted(asked)
    for name, weight in weights._asdict().items():
        print(f"{name:>11} {weight:6.2f}")
    print(f"{'base':>11} {base:6.2f}")
    show_across(found)
    show_bands(asked)


async def gathered(data: MultihopSet) -> list[Judged]:
    """Return the signs of each question of ``data`` whose answer is yes or no."""
    judged = list[Judged]()
    async for question, answers, pool in pools(data, lambda told: not YES_NO.isdisjoint(told)):
        goal = Goal(question, pool)
        if told := findings(question, goal, pool):
            is_yes = "yes" in map(normalize_answer, answers)
            judged.append((signs_of(question, goal, told), is_yes))
    return judged


def fitted(asked: Sequence[Judged]) -> Fitted:
    """Return the weights and the base under which the answers to ``asked`` are likeliest.

    The log-odds of the answers, less the ridge, are climbed by their gradient.
    """
    columns = list(zip(*(signs for signs, _ in asked), strict=True))
    means, spreads = [fmean(each) for each in columns], [pstdev(each) or 1.0 for each in columns]
    rows = [
        [(s - m) / d for s, m, d in zip(signs, means, spreads, strict=True)] for signs, _ in asked
    ]
    weights, base = [0.0] * len(means), 0.0
    for _ in range(ROUNDS):
        errors = [
            yes - _logistic(base + sum(w * x for w, x in zip(weights, row, strict=True)))
            for row, (_, yes) in zip(rows, asked, strict=True)
        ]
        slope = [-RIDGE * weight for weight in weights]
        for error, row in zip(errors, rows, strict=True):
            slope = [g + error * x for g, x in zip(slope, row, strict=True)]
        weights = [w + STEP * g for w, g in zip(weights, slope, strict=True)]
        base += STEP * sum(errors)
    told = Signs(*(w / d for w, d in zip(weights, spreads, strict=True)))
    return told, base - sum(w * m for w, m in zip(told, means, strict=True))


def _logistic(odds: float) -> float:
    return 1.0 / (1.0 + exp(-odds))


def likely(signs: Signs, weighed: Fitted) -> float:
    """Return how likely the answer is yes."""
    weights, base = weighed
    return _logistic(base + sum(w * s for w, s in zip(weights, signs, strict=True)))


def show_across(found: Mapping[str, Sequence[Judged]]) -> None:
    """Print how often the weights of each set are right about the others."""
    for name, asked in found.items():
        others = [q for other, rest in found.items() if other != name for q in rest]
        weighed = fitted(others)
        right = fmean((likely(signs, weighed) >= 0.5) is yes for signs, yes in asked)
        print(f"{name}: {right:.2f} of {len(asked)} right, fitted on the others")


def show_bands(asked: Sequence[Judged]) -> None:
    """Print how often leanings are right, by belief, each fitted without its tenth."""
    beliefs = list(_left_out(asked))
    for low, high in itertools.pairwise(BANDS):
        right = [is_right for belief, is_right in beliefs if low <= belief < high]
        if right:
            print(f"belief {low:.2f} to {high:.2f}: {fmean(right):.2f} of {len(right)} right")


def _left_out(asked: Sequence[Judged]) -> Iterator[tuple[float, bool]]:
    for fold in range(FOLDS):
        rest = [question for place, question in enumerate(asked) if place % FOLDS != fold]
        weighed = fitted(rest)
        for signs, yes in asked[fold::FOLDS]:
            belief = likely(signs, weighed)
            yield max(belief, 1.0 - belief), (belief >= 0.5) is yes


if __name__ == "__main__":
    main()
