"""Reads evaluation data: web pages and PDF files, with what a reader should make of them.

The layout of each set is that of the evaluation data; ``SETS`` names their folders.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from quaere.ports.read import Body
from quaere_evals.datasets import DataError, read_rows

SETS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "d1": ("d1_article_extraction", "index.jsonl"),
        "d2": ("d2_trafilatura_eval", "index.jsonl"),
        "e1": ("e1_pdf_text", "checks.jsonl"),
        "a5": ("a5_financebench", "questions.jsonl"),
    }
)
"""Folder and index file of each set."""


class Article(BaseModel):
    """A news page and the article in it, from the article extraction benchmark."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: str
    html: str
    text: Annotated[str, Field(alias="articleBody")]


class AnnotatedPage(BaseModel):
    """A web page with stretches of it that belong to its text or do not, from trafilatura."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: str
    file: str
    wanted: Annotated[tuple[str, ...], Field(alias="with")]
    unwanted: Annotated[tuple[str, ...], Field(alias="without")]
    title: str | None = None
    author: str | None = None
    date: str | None = None
    date_htmldate: str | None = None

    @property
    def published(self) -> str:
        """The date of publication, ISO 8601: htmldate's own annotation, else trafilatura's."""
        return self.date_htmldate or self.date or ""


class PdfCheck(BaseModel):
    """Something that must hold for the text of one printed page, or of all of them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    pdf: str
    page: Annotated[int | None, Field(ge=1)] = None
    """Counted from 1; None where the whole document is meant, as a ``fulltext`` may."""
    type: str
    source: str = ""
    text: str = ""
    before: str = ""
    after: str = ""
    max_diffs: int = 0
    first_n: int | None = None
    last_n: int | None = None
    case_sensitive: bool = True
    gold_file: str = ""


class FiledPage(BaseModel):
    """A printed page that answers a question, and its text."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    document: Annotated[str, Field(alias="doc_name")]
    page: Annotated[int, Field(alias="evidence_page_num", ge=0)]
    """Counted from 0."""
    text: Annotated[str, Field(alias="evidence_text_full_page")]

    @property
    def file(self) -> str:
        """The name of the file of ``document``."""
        return f"{self.document}.pdf"


class _FiledQuestion(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    evidence: tuple[FiledPage, ...]


def find_page_sets(root: Path | None) -> dict[str, Path]:
    """Return the folders of the sets that are in ``root``, or that ``root`` is, by short name.

    None of them when ``root`` is None: nobody said where the data is.
    """
    if root is None:
        return {}
    found: dict[str, Path] = {}
    for name, (folder, index) in SETS.items():
        path = root if root.name == folder else root / folder
        if (path / index).exists():
            found[name] = path
    return found


def load_articles(folder: Path) -> list[tuple[Body, Article]]:
    """Return the pages of ``d1_article_extraction``.

    Raises:
        DataError: as all loaders here do, when a file is absent or not in the expected form.
    """
    return [
        (_web_page(folder / "html" / Path(row.html).name, row.url), row)
        for row in read_rows(folder / "index.jsonl", Article)
    ]


def load_annotated_pages(folder: Path) -> list[tuple[Body, AnnotatedPage]]:
    """Return the pages of ``d2_trafilatura_eval``."""
    return [
        (_web_page(folder / "html" / row.file, row.url), row)
        for row in read_rows(folder / "index.jsonl", AnnotatedPage)
    ]


def load_checks(folder: Path) -> list[PdfCheck]:
    """Return the checks of ``e1_pdf_text``, gold files read into their ``text``."""
    return [
        check.model_copy(update={"text": _data(folder / check.gold_file).decode("utf-8")})
        if check.gold_file
        else check
        for check in read_rows(folder / "checks.jsonl", PdfCheck)
    ]


def load_filed_pages(folder: Path) -> list[FiledPage]:
    """Return the pages of evidence of ``a5_financebench``, as often as questions name them."""
    questions = read_rows(folder / "questions.jsonl", _FiledQuestion)
    return [page for question in questions for page in question.evidence]


def load_pdfs(folder: Path, names: Iterable[str]) -> dict[str, Body]:
    """Return the PDF files of ``names`` in ``folder``, each once, by their names."""
    return {
        name: Body(
            data=_data(folder / name),
            url=(folder / name).absolute().as_uri(),
            content_type="application/pdf",
        )
        for name in sorted(set(names))
    }


def _web_page(path: Path, url: str) -> Body:
    data = _data(path)
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    return Body(data=data, url=url, content_type="text/html")


def _data(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} belongs to the data but cannot be read: {error}") from error
