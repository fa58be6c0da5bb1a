"""Fits the weights by which the line that leads an answer is chosen.

    python bench/fit_leading.py --data DIR [--limit N] [--reading FILE]...

Asks the first half of the questions of HotpotQA, MuSiQue, 2WikiMultihopQA and BioASQ without a
model, takes the signs of every line that may lead (``quaere.reason.extractive.leading``), and fits
a softmax over the lines of each question with a ridge. It prints the weights fitted on all sets
and, for each set, the share of its questions whose first line holds the answer with weights fitted
on the other sets. The second half is measured by ``quaere eval answers --half second``.

With files of reading comprehension, in the form of SQuAD, it fits the weights by which a sentence
is chosen within its passage instead: on the files, the steps of MuSiQue and BioASQ.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from math import exp, sqrt
from pathlib import Path
from statistics import fmean, pstdev

from pydantic import BaseModel

from assignments import pools
from quaere.reason.extractive.leading import Signs, belief
from quaere.reason.extractive.ranking import Ranking
from quaere_evals.answer_scores import YES_NO
from quaere_evals.answer_sets import load_answer_sets
from quaere_evals.answers import Half, halved
from quaere_evals.datasets import Document, MultihopQuestion, MultihopSet
from quaere_evals.scorers import holds_answer

SETS = ("hotpotqa", "musique", "2wiki", "bioasq")
ONE_STEP_SETS = ("steps", "bioasq")
RIDGE = 15.0
"""Penalty on the squared weights of standardised signs."""
ROUNDS, STEP = 300, 0.02

Question = Sequence[tuple[Signs, bool]]
"""The lines that may lead: their signs, and whether they hold the answer."""


def main() -> None:
    """Fit the weights and show them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--limit", type=int, help="questions a set")
    parser.add_argument("--reading", type=Path, action="append", default=[], metavar="FILE")
    arguments = parser.parse_args()
    wanted = ONE_STEP_SETS if arguments.reading else SETS
    sets = [halved(each, Half.FIRST) for each in load_answer_sets(arguments.data, wanted)]
    sets += [reading_set(path) for path in arguments.reading]
    found = {each.name: asyncio.run(_gathered(each.first(arguments.limit))) for each in sets}
    everything = fitted([question for asked in found.values() for question in asked])
    for name, weight in everything._asdict().items():
        print(f"{name:>8} {weight:6.2f}")
    for name, asked in found.items():
        others = [q for other, rest in found.items() if other != name for q in rest]
        print(f"{name}: {right_first(asked, fitted(others)):.2f} right first, fitted on the others")


class _Answer(BaseModel):
    text: str


class _Asked(BaseModel):
    id: str
    question: str
    answers: tuple[_Answer, ...]


class _Paragraph(BaseModel):
    context: str
    qas: tuple[_Asked, ...]


class _Page(BaseModel):
    title: str = ""
    paragraphs: tuple[_Paragraph, ...]


class _Reading(BaseModel):
    """A file of reading comprehension, as SQuAD has it."""

    data: tuple[_Page, ...]


def reading_set(path: Path) -> MultihopSet:
    """Return the questions of the file at ``path`` that its pages answer, and the pages."""
    pages = _Reading.model_validate_json(path.read_bytes()).data
    return MultihopSet(
        name=path.stem,
        questions=tuple(
            MultihopQuestion(
                id=asked.id,
                dataset=path.stem,
                question=asked.question.strip(),
                answers=tuple(sorted({answer.text for answer in asked.answers})),
                gold_docs=frozenset({f"page{number}"}),
                hops=1,
            )
            for number, page in enumerate(pages)
            for paragraph in page.paragraphs
            for asked in paragraph.qas
            if asked.answers
        ),
        documents=tuple(
            Document(
                doc_id=f"page{number}",
                dataset=path.stem,
                title=page.title.replace("_", " "),
                text="\n\n".join(paragraph.context for paragraph in page.paragraphs),
            )
            for number, page in enumerate(pages)
        ),
    )


async def _gathered(data: MultihopSet) -> list[Question]:
    """Return the lines of each question of ``data`` whose answer is neither yes nor no."""
    return [
        [
            (signs, holds_answer(rated.chain.end.text, answers))
            for rated, signs in Ranking(pool, question).signs
        ]
        async for question, answers, pool in pools(data, YES_NO.isdisjoint)
    ]


def fitted(asked: Sequence[Question]) -> Signs:
    """Return the weights under which the lines that hold answers are likeliest to lead.

    The sum of the log-odds of each question's right lines, less the ridge, is climbed by its
    gradient, each coordinate divided by its running root mean square.
    """
    known = [question for question in asked if any(right for _, right in question)]
    columns = list(zip(*(signs for question in known for signs, _ in question), strict=True))
    spreads = [pstdev(column) or 1.0 for column in columns]
    scaled = [
        ([[s / d for s, d in zip(signs, spreads, strict=True)] for signs, _ in question],
         [right for _, right in question])
        for question in known
    ]  # fmt: skip
    weights, squares = [0.0] * len(spreads), [0.0] * len(spreads)
    for _ in range(ROUNDS):
        slope = [-RIDGE * weight for weight in weights]
        for rows, right in scaled:
            odds = [exp(sum(w * x for w, x in zip(weights, row, strict=True))) for row in rows]
            all_odds = sum(odds)
            right_odds = sum(o for o, r in zip(odds, right, strict=True) if r)
            for row, o, r in zip(rows, odds, right, strict=True):
                pull = o * r / right_odds - o / all_odds
                slope = [g + pull * x for g, x in zip(slope, row, strict=True)]
        squares = [0.9 * s + 0.1 * g * g for s, g in zip(squares, slope, strict=True)]
        steps = zip(weights, slope, squares, strict=True)
        weights = [w + STEP * g / (sqrt(s) + 1e-9) for w, g, s in steps]
    return Signs(*(w / d for w, d in zip(weights, spreads, strict=True)))


def right_first(asked: Sequence[Question], weights: Signs) -> float:
    """Return the share of questions whose likeliest line holds the answer."""
    firsts = (max(question, key=lambda line: belief(line[0], weights)) for question in asked)
    return fmean(right for _, right in firsts)


if __name__ == "__main__":
    main()
