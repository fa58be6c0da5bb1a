"""Reads the files of public benchmarks as their authors publish them."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from quaere.domain.budget import ProfileName
from quaere_evals.datasets import DataError, Row, read_rows

KEY_CHARS = 12
"""Hexadecimal digits of a paragraph's text in its id: titles alone are not unique."""


class Benchmark(StrEnum):
    """A public benchmark, by the name it is asked for."""

    DEEPRESEARCH_BENCH = "deepresearch-bench"
    BROWSECOMP_PLUS = "browsecomp-plus"
    SIMPLEQA = "simpleqa"
    FRAMES = "frames"
    HOTPOTQA = "hotpotqa"
    TWO_WIKI = "2wiki"
    MUSIQUE = "musique"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One question of a benchmark."""

    id: str
    question: str
    answers: tuple[str, ...] = ()
    """Wordings of the right answer; none where a report is asked for."""
    gold: frozenset[str] = frozenset()
    """Ids of the documents that the answer takes, where the benchmark names them."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a benchmark's own corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How one benchmark is read and asked."""

    title: str
    read: Callable[[Path], Sequence[Task]]
    documents: Callable[[Path], Iterator[Document]] | None = None
    """Yields the corpus that is searched; None where the web, or folders of the user's, are."""
    own_corpus: bool = False
    """Whether the corpus is in the file of the questions; else it has a file or folder of its
    own."""
    profile: ProfileName = ProfileName.STANDARD
    """What it is asked with where the user names none."""
    reports: bool = False
    """Whether it asks for reports, of which the citations are checked."""


class _Prompt(BaseModel):
    """A task of DeepResearch Bench, ``data/prompt_data/query.jsonl``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int | str
    prompt: str


class _Held(BaseModel):
    """A document of BrowseComp-Plus."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    docid: str
    text: str = ""


class _Browsed(BaseModel):
    """A question of BrowseComp-Plus, as its script decrypts it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query_id: str
    query: str
    answer: str
    evidence_docs: tuple[_Held, ...] = ()


class _Hop(BaseModel):
    """A question of HotpotQA or 2WikiMultihopQA."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(alias="_id")
    question: str
    answer: str
    supporting_facts: tuple[tuple[str, int], ...] = ()
    context: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def paragraphs(self) -> Iterator[Document]:
        """The paragraphs of its context."""
        for title, told in self.context:
            yield _paragraph(title, " ".join(sentence.strip() for sentence in told))


class _MusiqueParagraph(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str
    text: str = Field(alias="paragraph_text")
    is_supporting: bool = False


class _Composed(BaseModel):
    """A question of MuSiQue."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    answer: str
    answer_aliases: tuple[str, ...] = ()
    answerable: bool = True
    paragraphs: tuple[_MusiqueParagraph, ...]


def _paragraph(title: str, text: str) -> Document:
    key = sha256(f"{title}\n{text}".encode()).hexdigest()[:KEY_CHARS]
    return Document(f"{title}#{key}", title, text)


def _deepresearch_bench(path: Path) -> list[Task]:
    return [Task(id=str(row.id), question=row.prompt) for row in read_rows(path, _Prompt)]


def _browsecomp_plus(path: Path) -> list[Task]:
    return [
        Task(
            id=row.query_id,
            question=row.query,
            answers=(row.answer,),
            gold=frozenset(document.docid for document in row.evidence_docs),
        )
        for row in read_rows(path, _Browsed)
    ]


def _browsecomp_plus_documents(path: Path) -> Iterator[Document]:
    files = [path] if path.is_file() else sorted([*path.glob("*.jsonl"), *path.glob("*.jsonl.gz")])
    if not files:
        raise DataError(
            f"There is no .jsonl or .jsonl.gz file in {path}: write the corpus as JSON Lines, with "
            "docid and text, by the datasets library's to_json."
        )
    for file in files:
        for number, line in enumerate(_lines(file), 1):
            held = _validated(_Held, line, file, number)
            yield Document(held.docid, _front_title(held.text), held.text)


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file that may be larger than memory."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for line in file:
            if line.strip():
                yield line.decode()


def _front_title(text: str) -> str:
    """Return the title in the front matter that documents of BrowseComp-Plus begin with."""
    head = text[:2_000].removeprefix("---").partition("\n---")[0]
    named = (line for line in head.splitlines() if line.startswith("title:"))
    return next(named, "").removeprefix("title:").strip()


def _hotpot(path: Path) -> list[Task]:
    return [
        Task(
            id=row.id,
            question=row.question,
            answers=(row.answer,),
            gold=frozenset(
                paragraph.id
                for paragraph in row.paragraphs
                if paragraph.title in {title for title, _ in row.supporting_facts}
            ),
        )
        for row in _array(path)
    ]


def _hotpot_documents(path: Path) -> Iterator[Document]:
    return (paragraph for row in _array(path) for paragraph in row.paragraphs)


def _array(path: Path) -> list[_Hop]:
    try:
        return TypeAdapter(list[_Hop]).validate_json(path.read_bytes())
    except ValidationError as error:
        raise DataError(f"{path} is not a JSON list of questions: {error}") from error


def _musique(path: Path) -> list[Task]:
    """Return the answerable questions.

    Those that are not become answerable when the paragraphs of all questions are searched.
    """
    return [
        Task(
            id=row.id,
            question=row.question,
            answers=(row.answer, *row.answer_aliases),
            gold=frozenset(
                _paragraph(each.title, each.text).id
                for each in row.paragraphs
                if each.is_supporting
            ),
        )
        for row in read_rows(path, _Composed)
        if row.answerable
    ]


def _musique_documents(path: Path) -> Iterator[Document]:
    for row in read_rows(path, _Composed):
        yield from (_paragraph(each.title, each.text) for each in row.paragraphs)


def _simpleqa(path: Path) -> list[Task]:
    return [
        Task(id=str(number), question=row["problem"], answers=(row["answer"],))
        for number, row in enumerate(_table(path, ",", ("problem", "answer")), 1)
    ]


def _frames(path: Path) -> list[Task]:
    return [
        Task(id=str(number), question=row["Prompt"], answers=(row["Answer"],))
        for number, row in enumerate(_table(path, "\t", ("Prompt", "Answer")), 1)
    ]


def _table(path: Path, delimiter: str, wanted: Sequence[str]) -> Iterator[Mapping[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, delimiter=delimiter)
        missing = [name for name in wanted if name not in (rows.fieldnames or ())]
        if missing:
            raise DataError(f"{path} has no column {', '.join(missing)}.")
        for row in rows:
            if any(row[name] is None for name in wanted):
                raise DataError(f"{path}, line {rows.line_num}, has too few columns.")
            yield row


def _validated(row: type[Row], line: str, path: Path, number: int) -> Row:
    try:
        return row.model_validate_json(line)
    except ValidationError as error:
        raise DataError(f"{path}, line {number}, is not a {row.__name__}: {error}") from error


FORMS: Mapping[Benchmark, Form] = MappingProxyType(
    {
        Benchmark.DEEPRESEARCH_BENCH: Form(
            title="DeepResearch Bench",
            read=_deepresearch_bench,
            profile=ProfileName.DEEP,
            reports=True,
        ),
        Benchmark.BROWSECOMP_PLUS: Form(
            title="BrowseComp-Plus",
            read=_browsecomp_plus,
            documents=_browsecomp_plus_documents,
            profile=ProfileName.DEEP,
        ),
        Benchmark.SIMPLEQA: Form(title="SimpleQA", read=_simpleqa),
        Benchmark.FRAMES: Form(title="FRAMES", read=_frames),
        Benchmark.HOTPOTQA: Form(
            title="HotpotQA", read=_hotpot, documents=_hotpot_documents, own_corpus=True
        ),
        Benchmark.TWO_WIKI: Form(
            title="2WikiMultihopQA", read=_hotpot, documents=_hotpot_documents, own_corpus=True
        ),
        Benchmark.MUSIQUE: Form(
            title="MuSiQue", read=_musique, documents=_musique_documents, own_corpus=True
        ),
    }
)


def read_tasks(benchmark: Benchmark, path: Path) -> list[Task]:
    """Return the questions in the file at ``path``, in an order that is the same for all sizes.

    The first hundred of it are a random sample, and so are the first two hundred: a sample can be
    made larger without asking anything again.

    Raises:
        DataError: when there is no such file, or it is not in the benchmark's form.
    """
    try:
        tasks = FORMS[benchmark].read(path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"Cannot read {path}: {error}.") from error
    if not tasks:
        raise DataError(f"There is no question in {path}.")
    if len({task.id for task in tasks}) < len(tasks):
        raise DataError(f"Two questions in {path} have the same id.")
    return sorted(tasks, key=lambda task: sha256(task.id.encode()).digest())
