"""Reads real pages with known text, next to plain trafilatura and PDFium in the same process.

Every figure of the engine has one of the plain library next to it, named ``baseline_...``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Generic, TypeVar

from pydantic import BaseModel

from quaere.ports.read import Body
from quaere_evals.datasets import DataError
from quaere_evals.page_data import (
    AnnotatedPage,
    FiledPage,
    PdfCheck,
    load_annotated_pages,
    load_articles,
    load_checks,
    load_filed_pages,
    load_pdfs,
)
from quaere_evals.page_readers import (
    WebText,
    plain_pdf,
    plain_web_page,
    read_pdf,
    read_web_page,
    timed,
)
from quaere_evals.page_scorers import (
    Quality,
    averaged,
    chunk_counts,
    holds,
    same_words,
    shingle_counts,
    summed,
    token_f1,
)

BASELINE = "baseline_"
"""What the names of the plain library's figures begin with."""

Figures = dict[str, float]
Made = TypeVar("Made")
Progress = Callable[[str], None]

_HELD = frozenset({"present", "absent", "order"})
_OLMOCR = "olmocr"


class PagesResult(BaseModel):
    """What ``quaere eval pages --json`` writes: figures by dataset and name.

    Shares are from 0 to 1; ``pages_per_s`` is pages a second of processor time, so on one core.
    """

    datasets: dict[str, Figures]


def evaluate_pages(folders: Mapping[str, Path], progress: Progress | None = None) -> PagesResult:
    """Return the figures of the sets in ``folders``.

    Args:
        folders: Where each set is, by the names that ``find_page_sets`` gives them.
        progress: Told the name of each set before it is read.

    Raises:
        DataError: when a file of a set is absent or not in the expected form, or it has no page.
    """
    datasets: dict[str, Figures] = {}
    for name, folder in folders.items():
        if progress:
            progress(name)
        datasets[name] = _MEASURES[name](folder)
    return PagesResult(datasets=datasets)


@dataclass(frozen=True, slots=True)
class _Both(Generic[Made]):
    """What the engine and the plain library made of the same bodies, in order."""

    own: Sequence[Made]
    plain: Sequence[Made]
    own_seconds: float
    plain_seconds: float

    def figures(self, judge: Callable[[Sequence[Made]], Figures]) -> Figures:
        """Return the figures of both."""
        return judge(self.own) | _baseline(judge(self.plain))

    def speeds(self, pages: int) -> Figures:
        """Return the speed of both, at which ``pages`` were read; 0 for no time on the clock.

        Pages that cannot be read may be done before it has moved.
        """
        own, plain = (
            {"pages_per_s": pages / seconds if seconds else 0.0}
            for seconds in (self.own_seconds, self.plain_seconds)
        )
        return own | _baseline(plain)


def _articles(folder: Path) -> Figures:
    rows = load_articles(folder)
    golds = [gold for _, gold in rows]
    both = _read_both(read_web_page, plain_web_page, (body for body, _ in rows))

    def judge(found: Sequence[WebText]) -> Figures:
        pairs = zip(golds, found, strict=True)
        return _quality(averaged(shingle_counts(gold.text, page.text) for gold, page in pairs))

    return {"n": len(rows)} | both.figures(judge) | both.speeds(len(rows))


def _annotated_pages(folder: Path) -> Figures:
    """Measure text and metadata; ``dates_kept`` is of those dates that trafilatura has right."""
    rows = load_annotated_pages(folder)
    golds = [gold for _, gold in rows]
    both = _read_both(read_web_page, plain_web_page, (body for body, _ in rows))

    def judge(found: Sequence[WebText]) -> Figures:
        pairs = list(zip(golds, found, strict=True))
        counts = (chunk_counts(gold.wanted, gold.unwanted, page.text) for gold, page in pairs)
        return _quality(summed(counts)) | _metadata(pairs)

    kept = _share(
        own.published == gold.published
        for gold, own, plain in zip(golds, both.own, both.plain, strict=True)
        if gold.published and plain.published == gold.published
    )
    figures = both.figures(judge) | {"dates_kept": kept}
    return {"n": len(rows)} | figures | both.speeds(len(rows))


def _pdf_checks(folder: Path) -> Figures:
    """Measure which checks hold, by kind.

    ``strings`` are stretches of text that the tests of other projects expect, ``fulltext`` is the
    F1 of runs of four words. Checks of tables and formulas are left out: they ask for markup, which
    the text layer of a PDF has not.
    """
    checks = text_checks(folder)
    bodies = load_pdfs(folder, (check.pdf for check in checks))

    def judge(found: Sequence[Sequence[str]]) -> Figures:
        scores: dict[str, list[float]] = defaultdict(list)
        judged = checked(checks, dict(zip(bodies, found, strict=True)))
        for check, score in zip(checks, judged, strict=True):
            scores[_kind(check)].append(score)
        return {kind: fmean(scores[kind]) for kind in sorted(scores)}

    both = _read_both(read_pdf, plain_pdf, bodies.values())
    asked = Counter(map(_kind, checks))
    return {f"{kind}_n": asked[kind] for kind in sorted(asked)} | both.figures(judge)


def _filed_pages(folder: Path) -> Figures:
    golds = load_filed_pages(folder)
    bodies = load_pdfs(folder / "pdfs", (gold.file for gold in golds))

    def judge(found: Sequence[Sequence[str]]) -> Figures:
        return {"page_f1": fmean(likened(golds, dict(zip(bodies, found, strict=True))))}

    both = _read_both(read_pdf, plain_pdf, bodies.values())
    pages = sum(map(len, both.plain))
    return {"n": len(golds)} | both.figures(judge) | both.speeds(pages)


_MEASURES: Mapping[str, Callable[[Path], Figures]] = MappingProxyType(
    {"d1": _articles, "d2": _annotated_pages, "e1": _pdf_checks, "a5": _filed_pages}
)


def _read_both(
    own: Callable[[Body], Made], plain: Callable[[Body], Made], bodies: Iterable[Body]
) -> _Both[Made]:
    bodies = list(bodies)
    if not bodies:
        raise DataError("The set holds no page.")
    made, seconds = timed(own, bodies)
    plainly_made, plain_seconds = timed(plain, bodies)
    return _Both(made, plainly_made, seconds, plain_seconds)


def _metadata(pairs: Sequence[tuple[AnnotatedPage, WebText]]) -> Figures:
    """Return the shares of dates, titles and authors that are right, of those that are known."""
    return {
        "dates_right": _share(
            page.published == gold.published for gold, page in pairs if gold.published
        ),
        "titles_right": _share(
            same_words(gold.title, page.title) for gold, page in pairs if gold.title
        ),
        "authors_right": _share(
            same_words(gold.author, page.author) for gold, page in pairs if gold.author
        ),
    }


def text_checks(folder: Path) -> list[PdfCheck]:
    """Return the checks of ``e1_pdf_text`` that are about text.

    Raises:
        DataError: when a file is absent or not in the expected form.
    """
    return [check for check in load_checks(folder) if check.type in {*_HELD, "fulltext"}]


def checked(checks: Sequence[PdfCheck], sheets: Mapping[str, Sequence[str]]) -> list[float]:
    """Return how well each check holds, 0 to 1, for the printed pages of the file it names."""
    return [_checked(check, _checked_text(check, sheets[check.pdf])) for check in checks]


def likened(golds: Sequence[FiledPage], sheets: Mapping[str, Sequence[str]]) -> list[float]:
    """Return the F1 of the words of each printed page, for the pages of the files by name."""
    return [token_f1(gold.text, _sheet(sheets[gold.file], gold.page)) for gold in golds]


def _checked(check: PdfCheck, text: str) -> float:
    if check.type == "fulltext":
        return averaged([shingle_counts(check.text, text)]).f1
    return float(holds(check, text))


def _kind(check: PdfCheck) -> str:
    return "strings" if check.type == "present" and check.source != _OLMOCR else check.type


def _checked_text(check: PdfCheck, texts: Sequence[str]) -> str:
    return "\n".join(texts) if check.page is None else _sheet(texts, check.page - 1)


def _sheet(texts: Sequence[str], index: int) -> str:
    return texts[index] if index < len(texts) else ""


def _quality(quality: Quality) -> Figures:
    return {"f1": quality.f1, "precision": quality.precision, "recall": quality.recall}


def _share(outcomes: Iterable[bool]) -> float:
    outcomes = list(outcomes)
    return fmean(outcomes) if outcomes else 0.0


def _baseline(figures: Figures) -> Figures:
    return {f"{BASELINE}{name}": figure for name, figure in figures.items()}
