"""Reads the statements of filings and looks single cells up in them, as the engine does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from pydantic import BaseModel

from quaere.domain.evidence import Evidence, Score
from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract.pdf import PdfExtractor
from quaere.reason.extractive.pool import Pool, cells
from quaere.reason.extractive.statements.figures import find_figure
from quaere.text.tokens import words
from quaere_evals.answers import Half
from quaere_evals.datasets import DataError
from quaere_evals.page_data import load_pdfs
from quaere_evals.page_readers import plain_pdf, timed_by_turns
from quaere_evals.statement_pages import Cell, PlainRow, cells_of, drawn, statements_in

LOOK_UPS = 150
"""Cells that are looked up in a half."""
SEED = 15
BEFORE = 11
"""Years before that of a cell that a filing does not tell of."""

_PRINTED = re.compile(r"[\d,]*\.?\d+")
Progress = Callable[[str], None]


class StatementScores(BaseModel):
    """What was read of one half of the filings, and found in them."""

    figures: dict[str, float]
    """Counts, shares from 0 to 1, and ``pages_per_s``: pages a second of processor time.

    ``of_plain`` is that as a share of what the plain library reads: it hangs less on the machine.
    """
    misses: tuple[str, ...]
    """Rows that were not read and cells that were not found, in words."""


class StatementsResult(BaseModel):
    """What ``quaere eval statements --json`` writes."""

    halves: dict[str, StatementScores]


@dataclass(frozen=True, slots=True)
class _Filing:
    """One file: its rows as its own text has them, and what the engine made of it."""

    name: str
    rows: Sequence[PlainRow]
    cells: Sequence[Cell]
    pool: Pool


def evaluate_statements(
    folder: Path, half: Half | None = None, progress: Progress | None = None
) -> StatementsResult:
    """Return the figures of the filings in ``folder``, by half.

    Every second company is in the second half, with all that it filed.

    Args:
        folder: Holds ``pdfs``, whose names begin with the company's and an underscore.
        half: Measure this one alone.
        progress: Told the name of each file before it is read.

    Raises:
        DataError: when there are no such files, or one cannot be read.
    """
    names = sorted(path.name for path in (folder / "pdfs").glob("*.pdf"))
    if not names:
        raise DataError(f"{folder / 'pdfs'} holds no PDF files.")
    companies = sorted({_company(name) for name in names})
    return StatementsResult(
        halves={
            each.value: _measured(
                [n for n in names if companies.index(_company(n)) % 2 == place], folder, progress
            )
            for place, each in enumerate(Half)
            if half in {None, each}
        }
    )


def _company(name: str) -> str:
    return name.partition("_")[0]


def _measured(names: Sequence[str], folder: Path, progress: Progress | None) -> StatementScores:
    bodies = load_pdfs(folder / "pdfs", names)
    filings: list[_Filing] = []
    sheets, seconds, plain_seconds = 0, 0.0, 0.0
    for name, body in bodies.items():
        if progress:
            progress(name)
        (page, taken), (plain, plain_taken) = timed_by_turns(_extracted, plain_pdf, body)
        sheets += len(plain)
        seconds, plain_seconds = seconds + taken, plain_seconds + plain_taken
        found = list(statements_in(plain))
        rows = [row for statement in found for row in statement.rows]
        if rows:
            filings.append(_Filing(name, rows, cells_of(found), _pool(page)))
    read, unread = _rows_read(filings)
    found, missed = _cells_found(filings)
    speed = (
        {"pages_per_s": sheets / seconds, "of_plain": plain_seconds / seconds} if seconds else {}
    )
    figures = read | found | {"pages": float(sheets)} | speed
    return StatementScores(figures=figures, misses=(*unread, *missed))


def _extracted(body: Body) -> Page:
    return next(iter(PdfExtractor().extract(body)))


def _pool(page: Page) -> Pool:
    """Return the passages of ``page`` that hold a part of a table."""
    passages = {each.id: each for each in PassageChunker()(page) if "|" in each.text}
    evidence = (
        Evidence(id=number, passage=each.id, url=each.url, title=each.title, score=Score())
        for number, each in enumerate(passages.values(), 1)
    )
    return Pool(list(evidence), passages)


def _rows_read(filings: Sequence[_Filing]) -> tuple[dict[str, float], list[str]]:
    """Tell which rows are among those of the engine's tables, with all figures.

    Of a label over several lines it is enough that it begins or ends as it does in the page's text.
    """
    rows = [(filing, row) for filing in filings for row in filing.rows]
    of_filing = {filing.name: _labels(filing.pool) for filing in filings}
    misses = [
        f"{filing.name}: not read: {row.label} {' '.join(row.figures)}"
        for filing, row in rows
        if not _is_among(row, of_filing[filing.name])
    ]
    share = 1 - len(misses) / len(rows) if rows else 0.0
    return {"filings": float(len(filings)), "rows": float(len(rows)), "rows_read": share}, misses


def _labels(pool: Pool) -> Mapping[tuple[float, ...], Sequence[str]]:
    """Return the labels of all rows in ``pool`` by their amounts."""
    found: dict[tuple[float, ...], list[str]] = {}
    for line in pool.lines:
        if line.text.startswith("|"):
            label, *values = cells(line.text)
            amounts = tuple(map(_amount, filter(_is_amount, values)))
            found.setdefault(amounts, []).append(_plain(label))
    return found


def _is_among(row: PlainRow, labels: Mapping[tuple[float, ...], Sequence[str]]) -> bool:
    told = _plain(row.label)
    found = labels.get(tuple(map(_amount, row.figures)), ())
    return any(label.startswith(told) or label.endswith(told) for label in found)


def _cells_found(filings: Sequence[_Filing]) -> tuple[dict[str, float], list[str]]:
    """Look cells up by label and year, with their statement named, and in a year that is absent."""
    chosen = drawn([(filing, cell) for filing in filings for cell in filing.cells], LOOK_UPS, SEED)
    right, named, declined = list[bool](), list[bool](), list[bool]()
    misses: list[str] = []

    def is_found(filing: _Filing, cell: Cell, question: str) -> bool:
        told = _told(question, filing.pool)
        if not (is_right := _is_right(told, cell.figure)):
            misses.append(f"{filing.name}: {question} {cell.figure}, not: {told or 'nothing'}")
        return is_right

    for filing, cell in chosen:
        asked = f"what was {cell.label} in"
        right.append(is_found(filing, cell, f"What{asked[4:]} {cell.year}?"))
        by_name = f"According to the {cell.kind}, {asked} {cell.year}?"
        named.append(is_found(filing, cell, by_name))
        declined.append(not _told(f"{asked} {cell.year - BEFORE}?", filing.pool))
    shares = {"cells_right": right, "named_right": named, "absent_declined": declined}
    figures = {name: fmean(each) if each else 0.0 for name, each in shares.items()}
    return {"cells": float(len(chosen))} | figures, misses


def _told(question: str, pool: Pool) -> str:
    found = find_figure(question, pool)
    return found.text if found else ""


def _is_right(told: str, figure: str) -> bool:
    """Whether ``told`` begins with the amount of ``figure``; its sign is ignored.

    Payments are told without the brackets that they are printed in, and a dash is told as one.
    """
    printed = told.partition(" (")[0]
    found = _PRINTED.search(printed)
    if found is None:
        return bool(told) and _is_amount(printed) and not _PRINTED.search(figure)
    return _amount(found[0]) == abs(_amount(figure))


def _is_amount(cell: str) -> bool:
    return bool(_PRINTED.search(cell)) or bool(re.fullmatch(r"[\s$€£¥]*[—–-]+[\s%]*", cell))


def _amount(figure: str) -> float:
    """Return the amount that is printed as ``figure``; a dash is none."""
    found = _PRINTED.search(figure)
    amount = float(found[0].replace(",", "")) if found else 0.0
    return -amount if found and "(" in figure[: found.start()] else amount


def _plain(label: str) -> str:
    return " ".join(words(re.sub(r"\(\w\)", "", label)))
