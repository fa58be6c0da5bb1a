"""Reads evaluation data: multi-hop questions and the passages they were made from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quaere.errors import QuaereError

Row = TypeVar("Row", bound=BaseModel)


class DataError(QuaereError):
    """Evaluation data is absent or not in the expected form."""


class SubQuestion(BaseModel):
    """One of the steps that a person broke a question into."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    q: str
    """What is asked; ``#1`` stands for the answer to the first step."""
    a: str = ""
    """The answer, where somebody wrote it down."""


class MultihopQuestion(BaseModel):
    """A question that takes several passages to answer, with the passages that do."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    dataset: str
    question: str
    answers: tuple[str, ...]
    gold_docs: Annotated[frozenset[str], Field(min_length=1)]
    hops: int
    wants_all: bool = False
    """Whether all of ``answers`` are asked for; else each is a wording of the one answer."""
    sub_questions: tuple[SubQuestion, ...] = ()
    facts: tuple[str, ...] = ()
    """What somebody found out on the way to the answer."""


class Document(BaseModel):
    """One passage of a corpus."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    doc_id: str
    dataset: str
    title: str
    text: str


class MultihopSet(BaseModel):
    """The questions of one dataset and the corpus that is searched for them."""

    model_config = ConfigDict(frozen=True)

    name: str
    questions: tuple[MultihopQuestion, ...]
    documents: tuple[Document, ...]
    folder: Path | None = None
    """Files that are searched in place of the documents; ``gold_docs`` names them."""

    def first(self, count: int | None) -> MultihopSet:
        """Return the set with its first ``count`` questions alone; all of them for None."""
        return self.model_copy(update={"questions": self.questions[:count]})


def find_data(root: Path | None, name: str) -> Path | None:
    """Return the folder ``name`` of the evaluation data: in ``root``, or ``root`` itself.

    None when there is no data there; ``root`` is None where nobody said where the data is.
    """
    if root is None:
        return None
    candidates = (root / name, root) if root.name != name else (root,)
    return next((path for path in candidates if (path / "questions.jsonl").exists()), None)


def load_multihop(folder: Path) -> Sequence[MultihopSet]:
    """Return the datasets in ``folder``, which holds ``questions.jsonl`` and ``corpus.jsonl``.

    Raises:
        DataError: when a file is absent or a line is not in the expected form.
    """
    questions: Mapping[str, list[MultihopQuestion]] = defaultdict(list)
    for question in read_rows(folder / "questions.jsonl", MultihopQuestion):
        questions[question.dataset].append(question)
    documents: Mapping[str, list[Document]] = defaultdict(list)
    for document in read_rows(folder / "corpus.jsonl", Document):
        documents[document.dataset].append(document)
    return [
        MultihopSet(name=name, questions=tuple(asked), documents=tuple(documents[name]))
        for name, asked in questions.items()
    ]


def read_rows(path: Path, row: type[Row]) -> Iterator[Row]:
    """Yield the lines of a JSON Lines file, each as a ``row``.

    Raises:
        DataError: when there is no such file, or a line is not in the expected form.
    """
    try:
        lines = path.read_text("utf-8").split("\n")  # str.splitlines also splits at U+2028
    except FileNotFoundError:
        raise DataError(
            f"There is no {path}. Name its folder with --data, or set QUAERE_EVAL_DATA."
        ) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield row.model_validate_json(line)
        except ValidationError as error:
            raise DataError(f"{path}, line {number}, is not a {row.__name__}: {error}") from error


def write_corpus(documents: Sequence[Document], path: Path) -> None:
    """Write ``documents`` as JSON lines, title and text each, for the folder index to read.

    The n-th document becomes line n; a file that says the same already is left alone, so that its
    index stays good.
    """
    rows = (json.dumps({"title": d.title, "text": d.text}, ensure_ascii=False) for d in documents)
    text = "\n".join(rows) + "\n"
    if not path.exists() or path.read_text("utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
