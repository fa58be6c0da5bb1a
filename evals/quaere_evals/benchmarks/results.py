"""The folder of one benchmark run: under what conditions it is made, and every answer so far."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from quaere.domain.report import AnswerStatus
from quaere.errors import UsageError
from quaere_evals.benchmarks.intervals import Estimate
from quaere_evals.benchmarks.tasks import Benchmark
from quaere_evals.datasets import DataError, read_rows

CONDITIONS, ANSWERS, SUMMARY = "conditions.json", "answers.jsonl", "summary.json"

Verdict = Literal["correct", "incorrect", "not_attempted"]
"""As SimpleQA grades."""


class Conditions(BaseModel):
    """Under what conditions the questions of one folder are asked."""

    model_config = ConfigDict(frozen=True)

    benchmark: Benchmark
    questions: str
    """SHA-256 of the file of the questions."""
    corpus: str = ""
    """Name and size of what is searched where the questions do not contain it."""
    asked: dict[str, JsonValue]
    """What is asked of every run, by field of `quaere.domain.request.RunRequest`."""
    models: dict[str, str]
    """Model by step; none where none is used."""
    judge: str = ""
    """The model that grades; empty where words are compared."""
    version: str
    """Of the engine."""


class Cited(BaseModel):
    """What checking a report against its sources found."""

    cited: int
    """Sentences with a citation and a source that could be read."""
    supported: int
    """Those of them that their sources support."""
    unread: int
    """Sentences with a citation, but without a source that could be read."""


class Answered(BaseModel):
    """What was answered to one question."""

    id: str
    run_id: str
    status: AnswerStatus | None = None
    """None where the run failed."""
    error: str = ""
    """Why it failed; it is asked again the next time."""
    direct: str = ""
    lead: str = ""
    answer: str = ""
    """With markers; the whole report as Markdown where a report is asked for."""
    confidence: float = 0.0
    found: tuple[str, ...] = ()
    """Documents of the benchmark's corpus among the evidence, best first."""
    cited: tuple[str, ...] = ()
    """Documents of the corpus, or URLs, that the answer cites."""
    queries: int = 0
    model_calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    verdict: Verdict = "not_attempted"
    graded_by: str = ""
    """``words``, or the model that gave the verdict."""
    ungraded: str = ""
    """Why there is no verdict; it is graded again the next time."""
    checked: Cited | None = None


class Summary(BaseModel):
    """The figures of a benchmark run."""

    conditions: Conditions
    name: str
    questions: int
    """In the file."""
    asked: int
    failed: int
    """Of them, those whose run or grading failed; they count as not attempted."""
    figures: dict[str, Estimate]


class Results:
    """The answers in a folder; each is on the disk before the next question is done."""

    def __init__(self, folder: Path, conditions: Conditions) -> None:
        """Open ``folder``, or begin it.

        Raises:
            UsageError: when it was begun under other conditions.
            DataError: when a file in it is damaged.
        """
        self.folder, self.conditions = folder, conditions
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / CONDITIONS
        if path.exists():
            _check_same(_read(path), conditions, folder)
        else:
            path.write_text(conditions.model_dump_json(indent=2) + "\n", "utf-8")
        self._path = folder / ANSWERS
        _cut_torn_line(self._path)
        rows = read_rows(self._path, Answered) if self._path.exists() else ()
        self._rows = {row.id: row for row in rows}

    @property
    def rows(self) -> Mapping[str, Answered]:
        """The last answer to each question, by its id."""
        return self._rows

    def is_done(self, task_id: str) -> bool:
        """Whether the question has an answer; one whose run failed has none."""
        row = self._rows.get(task_id)
        return row is not None and not row.error

    def add(self, row: Answered) -> None:
        """Keep ``row``; when this returns, it is on the disk. It blocks."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(row.model_dump_json() + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._rows[row.id] = row

    def write_summary(self, summary: Summary) -> None:
        """Put ``summary`` in place of the one before."""
        (self.folder / SUMMARY).write_text(summary.model_dump_json(indent=2) + "\n", "utf-8")


def earlier(folder: Path) -> dict[str, tuple[Summary, Mapping[str, Answered]]]:
    """Return the summaries and answers of the runs that are kept next to ``folder``, by name.

    Raises:
        DataError: when one of them is damaged.
    """
    found: dict[str, tuple[Summary, Mapping[str, Answered]]] = {}
    for path in sorted(folder.parent.glob(f"*/{SUMMARY}")):
        if path.parent.absolute() == folder.absolute():
            continue
        try:
            summary = Summary.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise DataError(f"{path} is not a summary of a benchmark: {error}") from error
        rows = {row.id: row for row in read_rows(path.parent / ANSWERS, Answered)}
        found[summary.name] = summary, rows
    return found


def _read(path: Path) -> Conditions:
    try:
        return Conditions.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise DataError(f"{path} does not hold the conditions of a benchmark: {error}") from error


def _check_same(before: Conditions, now: Conditions, folder: Path) -> None:
    changed = [
        name for name in Conditions.model_fields if getattr(before, name) != getattr(now, name)
    ]
    if changed:
        raise UsageError(
            f"{folder} was begun under other conditions ({', '.join(changed)}), with which these "
            "answers would be mixed. Give this run another --name."
        )


def _cut_torn_line(path: Path) -> None:
    """Take away a last line that a process was killed in the middle of."""
    if path.exists() and (data := path.read_bytes()) and not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)
