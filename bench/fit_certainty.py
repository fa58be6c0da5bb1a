"""Fits the weights by which it is told how likely the line that leads an answer is right.

    python bench/fit_certainty.py --data DIR [--limit N] [--judged FILE]...

Asks the first half of the questions of five sets without a model and, where files of judged
answers are given, their questions. Such a file has a question a line: what it is asked of, its
wording, the answer, how what led was judged ("right", "half", "wrong"), and what led, with tabs
between. One whose answer is led by something else since is left out, and what is looked up in a
table, list or manual always is. What a later document replaces is still read here.

For each set it prints how well the weights in use tell right lines from wrong ones, and those that
are fitted on the other sets, as the area under the curve (.5 is chance); then how many lines count
as answered by the weights in use, and how many of these are right. At last come the weights fitted
on all.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assignments import pools
from calibrate import newton, standards
from quaere.domain.report import SURE
from quaere.reason.extractive.certainty import BASE, WEIGHTS, Signs, signs_of
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.ranking import Ranking
from quaere_evals.answer_scores import YES_NO, auc
from quaere_evals.answer_sets import load_answer_sets
from quaere_evals.answers import Half, halved
from quaere_evals.datasets import MultihopQuestion, MultihopSet
from quaere_evals.scorers import holds_answer

SETS = ("hotpotqa", "musique", "2wiki", "bioasq", "steps")

Line = tuple[Signs, float, bool]
"""The signs of a line that leads, the confidence in it, and whether it answers rightly."""


def main() -> None:
    """Fit the weights and show them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--limit", type=int, help="questions a set")
    parser.add_argument("--judged", type=Path, action="append", default=[], metavar="FILE")
    arguments = parser.parse_args()
    sets = [halved(each, Half.FIRST) for each in load_answer_sets(arguments.data, SETS)]
    found = {each.name: asyncio.run(_known(each.first(arguments.limit))) for each in sets}
    for path in arguments.judged:
        found[path.stem] = [line for each in judged(path) for line in asyncio.run(_judged(each))]
    for name, lines in found.items():
        others = [line for other, rest in found.items() if other != name for line in rest]
        show(name, lines, fitted(others))
    base, weights = fitted([line for lines in found.values() for line in lines])
    print(f"{'base':>10} {base:6.2f} in use {BASE:6.2f}")
    for name, weight in weights._asdict().items():
        print(f"{name:>10} {weight:6.2f} in use {getattr(WEIGHTS, name):6.2f}")


def judged(path: Path) -> Iterator[MultihopSet]:
    """Yield the questions of the file at ``path``, those of one folder at a time.

    The answers of each are how what led was judged, and what led.
    """
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line]
    for folder in dict.fromkeys(row[0] for row in rows):
        asked = tuple(
            MultihopQuestion(
                id=f"{path.stem}{number}",
                dataset=path.stem,
                question=question,
                answers=(judgement, led),
                gold_docs=frozenset({folder}),
                hops=1,
            )
            for number, (where, question, _, judgement, led) in enumerate(rows)
            if where == folder
        )
        yield MultihopSet(name=path.stem, questions=asked, documents=(), folder=Path(folder))


async def _known(data: MultihopSet) -> list[Line]:
    """Return the lines that lead the answers to ``data``, and whether they hold the known ones."""
    return [
        (signs, sure, holds_answer(said, answers))
        async for question, answers, pool in pools(data, YES_NO.isdisjoint)
        for signs, sure, said in _led(question, pool)
    ]


async def _judged(data: MultihopSet) -> list[Line]:
    """Return the lines that lead the answers to ``data`` still, and how they were judged."""
    return [
        (signs, sure, judgement == "right")
        async for question, (judgement, led), pool in pools(data, lambda _: True)
        for signs, sure, said in _led(question, pool)
        if said[: len(led)] in led
    ]


def _led(question: str, pool: Pool) -> Iterable[tuple[Signs, float, str]]:
    """Return the line that leads, if it is not looked up: its signs, confidence in it, its text."""
    ranking = Ranking(pool, question)
    if not ranking.ranked:
        return ()
    line, decision = ranking.leading[0].rated.chain.end, decide(question, pool, ranking)
    if decision.whole or decision.lines != (line,):
        return ()
    return ((signs_of(ranking), decision.confidence, line.text),)


def fitted(lines: Sequence[Line]) -> tuple[float, Signs]:
    """Return the base and the weights under which what is known of ``lines`` is likeliest."""
    rows = [signs for signs, _, _ in lines]
    means, spreads = standards(rows)
    scaled = [
        [1.0, *((x - m) / s for x, m, s in zip(row, means, spreads, strict=True))] for row in rows
    ]
    first, *rest = newton(scaled, [right for _, _, right in lines], [1.0] * len(lines))
    weights = Signs(*(weight / spread for weight, spread in zip(rest, spreads, strict=True)))
    return first - odds(weights, Signs(*means)), weights


def odds(weights: Signs, signs: Signs) -> float:
    """Return what ``signs`` come to by these ``weights``, as log-odds."""
    return sum(w * s for w, s in zip(weights, signs, strict=True))


def show(name: str, lines: Sequence[Line], others: tuple[float, Signs]) -> None:
    """Print how well the set ``name`` is told, by the weights in use and those of ``others``."""
    in_use = auc((odds(WEIGHTS, signs), right) for signs, _, right in lines)
    anew = auc((odds(others[1], signs), right) for signs, _, right in lines)
    sure = [right for _, confidence, right in lines if confidence >= SURE]
    print(
        f"{name}: {in_use:.2f} in use, {anew:.2f} fitted on the others; "
        f"of {len(lines)} lines {len(sure)} count as answered, {sum(sure)} of them rightly"
    )


if __name__ == "__main__":
    main()
