"""Asks questions with known answers and scores what the reports say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from math import log
from pathlib import Path

from pydantic import BaseModel

from quaere.domain.budget import Limits
from quaere.domain.events import RunFinished
from quaere.domain.question import Query
from quaere.domain.report import AnswerStatus, Report
from quaere.domain.request import RunSpec
from quaere.index.folder_index import FolderProvider
from quaere.runtime.engine import Engine
from quaere.runtime.settings import Settings
from quaere.text.sentences import sentences
from quaere.text.tokens import terms
from quaere_evals.answer_scores import AnswerRow, AnswerScores, row_of, summed
from quaere_evals.datasets import DataError, MultihopQuestion, MultihopSet
from quaere_evals.multihop import PASSAGES, Conditions, Progress, Trial, prepared

FOREIGN_EVERY = 3
"""One question of another corpus is asked for every three of a set's own."""


class Half(StrEnum):
    """A half of the questions: constants are chosen on one and shown on the other."""

    FIRST = "first"
    SECOND = "second"


class AnswerResult(BaseModel):
    """What ``quaere eval answers --json`` writes."""

    sets: dict[str, AnswerScores]


def halved(data: MultihopSet, half: Half | None) -> MultihopSet:
    """Return ``data`` with the questions of ``half`` alone; all of them for None.

    Which half a question falls into depends on its id, so that it is the same whatever is left out.
    """
    if half is None:
        return data
    kept = (question for question in data.questions if _half_of(question) is half)
    return data.model_copy(update={"questions": tuple(kept)})


def _half_of(question: MultihopQuestion) -> Half:
    odd = sha256(question.id.encode()).digest()[-1] % 2
    return Half.SECOND if odd else Half.FIRST


async def evaluate_answers(
    sets: Sequence[MultihopSet],
    settings: Settings,
    *,
    work: Path,
    progress: Progress | None = None,
) -> AnswerResult:
    """Return the figures of every dataset that has questions.

    Args:
        sets: The datasets. Each is asked its own questions and, to see whether it declines them,
            some of the set that follows.
        settings: Where indexes are kept, among others.
        work: Folder for the corpora as files.
        progress: Told the dataset, the questions done and their number.
    """
    asked = [data for data in sets if data.questions]
    scores: dict[str, AnswerScores] = {}
    for data, other in zip(asked, [*asked[1:], *asked[:1]], strict=True):
        trial = await prepared(data, settings, work / f"{data.name}.jsonl", Conditions())
        pages = _pages(data, trial)
        rows: list[AnswerRow] = []
        for done, question in enumerate(data.questions, 1):
            report = await _ask(trial.engine, question)
            gold = {pages[doc] for doc in question.gold_docs if doc in pages}
            plain = await _plain_answer(trial.folder, question.question, report)
            rows.append(row_of(report, question, gold, plain))
            if progress:
                progress(data.name, done, len(data.questions))
        declined = await _declined(
            trial.engine, [] if other is data else other.questions[::FOREIGN_EVERY]
        )
        scores[data.name] = summed(rows, declined)
    return AnswerResult(sets=scores)


def _pages(data: MultihopSet, trial: Trial) -> Mapping[str, str]:
    """Return the URL of each document that a question may name, by its id."""
    if data.folder is None:
        return {document.doc_id: url for url, document in trial.documents.items()}
    named = {doc for question in data.questions for doc in question.gold_docs}
    return {doc: (data.folder / doc).absolute().as_uri() for doc in named}


async def _plain_answer(folder: FolderProvider, question: str, report: Report) -> str:
    """Return the sentences with the rarest words of ``question``, no more words than ``report``.

    They are taken, best first, from the ten passages that one BM25 query returns; one at least.
    """
    hits = await folder.search(Query(text=question), limit=PASSAGES)
    asked = {term: log(1 / (folder.document_share(term) + 1e-4)) for term in terms(question)}
    texts = (passage.text for hit in hits for passage in hit.passages)
    told = [text[span.start : span.end] for text in texts for span in sentences(text)]
    told.sort(key=lambda one: -sum(asked[term] for term in asked.keys() & set(terms(one))))
    room = sum(len(sentence.text.split()) for sentence in report.sentences)
    taken = told[:1]
    for one in told[1:]:
        if sum(len(each.split()) for each in [*taken, one]) > room:
            break
        taken.append(one)
    return " ".join(taken)


async def _declined(engine: Engine, foreign: Iterable[MultihopQuestion]) -> list[bool]:
    """Return for each question of another corpus whether it was declined."""
    reports = [await _ask(engine, question) for question in foreign]
    return [report.status is AnswerStatus.NO_EVIDENCE for report in reports]


async def _ask(engine: Engine, question: MultihopQuestion) -> Report:
    spec = RunSpec.of(question.question, limits=Limits(max_sources=PASSAGES))
    async for event in engine.stream(spec):
        if isinstance(event, RunFinished):
            return event.report
    raise DataError(f"The run on {question.id} ended without a report.")
