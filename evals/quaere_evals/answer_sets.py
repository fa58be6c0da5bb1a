"""Reads the sets of questions that answers are measured on, whatever their form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from quaere_evals.datasets import (
    Document,
    MultihopQuestion,
    MultihopSet,
    find_data,
    load_multihop,
    read_rows,
)

OWN = Path(__file__).parents[1] / "own"
"""Files of five kinds and questions about them, written for this project."""

TABLES = Path(__file__).parents[1] / "tables"
"""Tables in Markdown, HTML and CSV, written for this project: questions for a cell, and some for a
row or a column that no table has."""
ROWS = Path(__file__).parents[1] / "rows"
"""Six more tables, written before any question over them was answered: questions in other words
than their heads, for the row that leads, the rows that hold, how many and how much.

Ten of forty ask for what no table has. The odd ones were looked at while rules were made, the even
ones were kept back.
"""
LANGUAGES = Path(__file__).parents[1] / "languages"
"""Ten pages and ten questions in each language but English, written for this project.

Rules were made while looking at the first seven questions of each; the last three were kept back.
"""

STEPS = "steps"
"""The steps that people made MuSiQue's questions of: questions of one step, as most are."""

_FIGURE = re.compile(r"\$?(-?[\d,]+(?:\.\d+)?)%?")


class _Biomedical(BaseModel):
    """A question of BioASQ."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    type: str
    """``yesno``, ``factoid``, ``list`` or ``summary``; the last has no exact answer."""
    question: str
    exact_answer: str | list[str | list[str]] | None
    gold_pmids: frozenset[str]

    @property
    def answers(self) -> tuple[str, ...]:
        """Every wording of every answer."""
        given = self.exact_answer or []
        each = [given] if isinstance(given, str) else given
        return tuple(w for one in each for w in ([one] if isinstance(one, str) else one))


class _Abstract(BaseModel):
    """A question of PubMedQA with the abstract that it was drawn from."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    pmid: str
    question: str = Field(alias="QUESTION")
    contexts: tuple[str, ...] = Field(alias="CONTEXTS")
    decision: str = Field(alias="final_decision")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    pmid: str
    text: str


class _Filing(BaseModel):
    """A question of FinanceBench about a filing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(alias="financebench_id")
    doc_name: str
    question: str
    answer: str


def _bioasq(folder: Path) -> MultihopSet:
    asked = read_rows(folder / "questions.jsonl", _Biomedical)
    records = read_rows(folder / "corpus_snippets.jsonl", _Record)
    return MultihopSet(
        name="bioasq",
        questions=tuple(
            _question(each.id, "bioasq", each.question, each.answers, each.gold_pmids)
            for each in asked
            if each.answers
        ),
        documents=tuple(_document(each.pmid, "bioasq", each.text) for each in records),
    )


def _pubmedqa(folder: Path) -> MultihopSet:
    """Return the set without the questions to which the answer is "maybe"."""
    rows = list(read_rows(folder / "items.jsonl", _Abstract))
    return MultihopSet(
        name="pubmedqa",
        questions=tuple(
            _question(row.pmid, "pubmedqa", row.question, (row.decision,), frozenset([row.pmid]))
            for row in rows
            if row.decision != "maybe"
        ),
        documents=tuple(_document(r.pmid, "pubmedqa", "\n\n".join(r.contexts)) for r in rows),
    )


def _financebench(folder: Path) -> MultihopSet:
    """Return the questions whose answer is a figure, over the filings as PDF."""
    figures = [
        (row, figure)
        for row in read_rows(folder / "questions.jsonl", _Filing)
        if (figure := _FIGURE.fullmatch(row.answer.strip()))
    ]
    return MultihopSet(
        name="financebench",
        questions=tuple(
            _question(
                row.id,
                "financebench",
                row.question,
                (figure[1].removesuffix(".00"),),
                frozenset([f"{row.doc_name}.pdf"]),
            )
            for row, figure in figures
        ),
        documents=(),
        folder=folder / "pdfs",
    )


def _own(name: str, folder: Path) -> MultihopSet:
    questions = tuple(read_rows(folder / "questions.jsonl", MultihopQuestion))
    return MultihopSet(name=name, questions=questions, documents=(), folder=folder / "files")


def _question(
    identity: str, dataset: str, text: str, answers: Sequence[str], gold: frozenset[str]
) -> MultihopQuestion:
    return MultihopQuestion(
        id=identity,
        dataset=dataset,
        question=text,
        answers=tuple(answers),
        gold_docs=gold,
        hops=1,
    )


def _document(identity: str, dataset: str, text: str) -> Document:
    return Document(doc_id=identity, dataset=dataset, title="", text=text)


_SETS: Mapping[str, tuple[str, Callable[[Path], MultihopSet]]] = MappingProxyType(
    {
        "bioasq": ("b2_bioasq", _bioasq),
        "pubmedqa": ("b1_pubmedqa", _pubmedqa),
        "financebench": ("a5_financebench", _financebench),
    }
)
"""The folder of each set and what reads it."""


def load_answer_sets(root: Path | None, wanted: Sequence[str] = ()) -> Iterator[MultihopSet]:
    """Yield the sets ``wanted``, or all that are in the evaluation data at ``root``, and our own.

    Raises:
        DataError: when a file is absent or a line is not in the expected form.
    """
    folder = find_data(root, "a1_multihop")
    multihop = load_multihop(folder) if folder else ()
    yield from (data for data in multihop if not wanted or data.name in wanted)
    for name, (folder, load) in _SETS.items():
        path = root.resolve() / folder if root else None  # pages are cited by whole addresses
        if path is not None and path.is_dir() and (not wanted or name in wanted):
            yield load(path)
    yield from (_own(n, folder) for n, folder in own_sets().items() if not wanted or n in wanted)
    if not wanted or STEPS in wanted:  # far from the set whose corpus it has: each asks the next's
        yield from (_steps(data) for data in multihop if data.name == "musique")


def _steps(data: MultihopSet) -> MultihopSet:
    """Return the steps of the questions of ``data``, each with the answers before it filled in.

    Those that name a relation instead of asking ("Ada Novak >> spouse") are left out.
    """
    asked = list[MultihopQuestion]()
    for question in data.questions:
        known = list[str]()
        for step in question.sub_questions:
            text = step.q
            for number, answer in enumerate(known, 1):
                text = text.replace(f"#{number}", answer)
            known.append(step.a)
            if step.a and ">>" not in text and "#" not in text:
                wording = f"{text[0].upper()}{text[1:].rstrip('?')}?"
                update = {"question": wording, "answers": (step.a,), "sub_questions": ()}
                asked.append(question.model_copy(update=update))
    return data.model_copy(update={"name": STEPS, "questions": tuple(asked)})


def own_sets() -> Mapping[str, Path]:
    """Return the folders of the sets that were written for this project, by the sets' names."""
    languages = {f"own_{each.name}": each for each in sorted(LANGUAGES.iterdir())}
    return {"own": OWN, "tables": TABLES, "rows": ROWS} | languages
