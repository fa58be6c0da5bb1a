"""Cross-validates the rules of the page readers: what each gains on sites it was not chosen for.

Pages are divided into folds by site, PDF files by the program that made them: no site and no
program is in two folds. A rule that gains in most folds is one of reading, not of a few sites.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel
from pypdfium2 import PdfDocument, PdfiumError

from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.extract.html import HtmlExtractor, HtmlRules
from quaere.read.extract.pdf import PdfExtractor
from quaere_evals.page_data import (
    load_annotated_pages,
    load_articles,
    load_filed_pages,
    load_pdfs,
)
from quaere_evals.page_readers import plain_pdf, plain_web_page, printed_pages
from quaere_evals.page_scorers import Counts, averaged, chunk_counts, shingle_counts, summed
from quaere_evals.pages import checked, likened, text_checks

Made = TypeVar("Made")
Judged = TypeVar("Judged")

PdfJudge = Callable[[Mapping[str, Sequence[str]]], Sequence[float]]
"""Takes the printed pages of every file by its name, and judges each item."""

PLAIN, OWN, WITHOUT = "plain", "quaere", "without "


class Fold(BaseModel):
    """The figure of one fold, from 0 to 1, by reader: plain, quaere, and quaere without a rule."""

    n: int
    figures: dict[str, float]

    def gain(self, reader: str, over: str) -> float:
        """Return by how much ``reader`` is better than ``over``."""
        return self.figures[reader] - self.figures[over]


class Validation(BaseModel):
    """What ``quaere eval pages --folds N --json`` writes: folds by dataset."""

    datasets: dict[str, list[Fold]]


def cross_validate(
    folders: Mapping[str, Path], folds: int, progress: Callable[[str], None] | None = None
) -> Validation:
    """Return the figures of the sets in ``folders`` in ``folds`` folds, or as many as have groups.

    The figure is F1 in the sets of web pages (d1, d2) and of filings (a5), and the share of checks
    that hold, full texts by their F1, in e1.

    Raises:
        DataError: when a file of a set is absent or not in the expected form.
    """
    found: dict[str, list[Fold]] = {}
    for name, folder in folders.items():
        if progress:
            progress(name)
        found[name] = _SETS[name](folder, folds)
    return Validation(datasets=found)


@dataclass(frozen=True, slots=True)
class _Set(Generic[Made, Judged]):
    bodies: Sequence[Body]
    groups: Sequence[str]
    """Of each item that is judged: its site, or the program that made its file."""
    judge: Callable[[Sequence[Made]], Sequence[Judged]]
    """Takes what was made of all bodies and judges each item."""
    sum_up: Callable[[Sequence[Judged]], float]

    def folds(self, readers: Mapping[str, Callable[[Body], Made]], count: int) -> list[Fold]:
        """Return the folds, the empty ones left out."""
        judged = {
            name: self.judge([read(body) for body in self.bodies]) for name, read in readers.items()
        }
        fold_of = divided(self.groups, count)
        items = [
            [item for item, group in enumerate(self.groups) if fold_of[group] == fold]
            for fold in range(count)
        ]
        return [
            Fold(
                n=len(some),
                figures={
                    name: self.sum_up([found[item] for item in some])
                    for name, found in judged.items()
                },
            )
            for some in items
            if some
        ]


def divided(groups: Sequence[Hashable], count: int) -> dict[Hashable, int]:
    """Return the fold, from 0 to ``count`` - 1, of each group; folds are about equally large.

    The largest groups are given out first, those of equal size in the order of their hashes.
    """
    sizes = Counter(groups)
    filled = [0] * count
    folds: dict[Hashable, int] = {}
    for group in sorted(sizes, key=lambda group: (-sizes[group], _digest(str(group)))):
        folds[group] = filled.index(min(filled))
        filled[folds[group]] += sizes[group]
    return folds


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _web(
    bodies: Sequence[Body],
    count: Callable[[int, str], Counts],
    sum_up: Callable[[Sequence[Counts]], float],
    folds: int,
) -> list[Fold]:
    """Return the folds of web pages; ``count`` compares the text of a page by its number."""

    def judge(texts: Sequence[str]) -> list[Counts]:
        return [count(item, text) for item, text in enumerate(texts)]

    rules = [field.name for field in fields(HtmlRules)]
    readers: dict[str, Callable[[Body], str]] = {
        PLAIN: lambda body: plain_web_page(body).text,
        OWN: _text_by(HtmlExtractor()),
        **{
            f"{WITHOUT}{rule}": _text_by(HtmlExtractor(HtmlRules(**{rule: False})))
            for rule in rules
        },
    }
    sites = [_site(body.url) for body in bodies]
    return _Set(bodies, sites, judge, sum_up).folds(readers, folds)


def _text_by(extractor: Extractor) -> Callable[[Body], str]:
    def read(body: Body) -> str:
        try:
            return "".join(page.text for page in extractor.extract(body))
        except ReadError:
            return ""

    return read


def _articles(folder: Path, folds: int) -> list[Fold]:
    rows = load_articles(folder)
    golds = [gold.text for _, gold in rows]
    return _web(
        [body for body, _ in rows],
        lambda item, text: shingle_counts(golds[item], text),
        lambda counts: averaged(counts).f1,
        folds,
    )


def _annotated_pages(folder: Path, folds: int) -> list[Fold]:
    rows = load_annotated_pages(folder)
    golds = [gold for _, gold in rows]
    return _web(
        [body for body, _ in rows],
        lambda item, text: chunk_counts(golds[item].wanted, golds[item].unwanted, text),
        lambda counts: summed(counts).f1,
        folds,
    )


def _site(url: str) -> str:
    """Return the host of ``url`` without what is before its last two names, www for the most."""
    host = urlsplit(url).hostname or url
    return ".".join(host.split(".")[-2:])


def _pdfs(
    bodies: Mapping[str, Body],
    files: Sequence[str],
    judge: PdfJudge,
    folds: int,
) -> list[Fold]:
    """Return the folds of PDF files; ``judge`` scores each item, about one of ``files``."""
    readers: dict[str, Callable[[Body], Sequence[str]]] = {
        PLAIN: plain_pdf,
        OWN: lambda body: printed_pages(PdfExtractor(), body),
        f"{WITHOUT}join_words": lambda body: printed_pages(PdfExtractor(joins_words=False), body),
    }

    def judged(found: Sequence[Sequence[str]]) -> Sequence[float]:
        return judge(dict(zip(bodies, found, strict=True)))

    producers = {name: _producer(body) for name, body in bodies.items()}
    groups = [producers[name] for name in files]
    return _Set(list(bodies.values()), groups, judged, fmean).folds(readers, folds)


def _producer(body: Body) -> str:
    """Return the first word of what a PDF file names as the program that made it."""
    try:
        with PdfDocument(body.data) as document:
            return (document.get_metadata_dict().get("Producer", "").split() or [""])[0]
    except PdfiumError:
        return ""


def _checks(folder: Path, folds: int) -> list[Fold]:
    checks = text_checks(folder)
    bodies = load_pdfs(folder, (check.pdf for check in checks))
    return _pdfs(
        bodies, [check.pdf for check in checks], lambda found: checked(checks, found), folds
    )


def _filings(folder: Path, folds: int) -> list[Fold]:
    golds = load_filed_pages(folder)
    bodies = load_pdfs(folder / "pdfs", (gold.file for gold in golds))
    return _pdfs(bodies, [gold.file for gold in golds], lambda found: likened(golds, found), folds)


_SETS: Mapping[str, Callable[[Path, int], list[Fold]]] = MappingProxyType(
    {"d1": _articles, "d2": _annotated_pages, "e1": _checks, "a5": _filings}
)
