"""The four sets of pages in small, in the layout of the evaluation data."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.evals.questions import write_lines
from tests.read.documents import pdf, web_page

STORY = (
    "The ferry to Skarrow has been out of service since the storm of last Tuesday, the harbour "
    "office said. A replacement is expected from Pellham within the week, but it will carry no "
    "vehicles. Islanders who need medicine are asked to call the office before noon."
)
SECOND = (
    "It is the third time this winter that the crossing had to be closed. The council will debate "
    "a new pier in March, and the fishermen have offered to carry mail until then."
)
SHEETS = (
    ("Ledger of the harbour", "Dues of the year came to 4,120 crowns."),
    ("Ledger of the harbour", "The mole was mended with granite from Orrin."),
)


def write_page_sets(root: Path) -> Path:
    """Write all four sets below ``root`` and return it."""
    page = web_page(
        f"<p>{STORY}</p><p>{SECOND}</p>",
        title="Skarrow ferry stays in port",
        head='<meta property="article:published_time" content="2021-02-03T08:00:00Z">'
        '<meta name="author" content="Mara Lind">',
    ).encode()
    _write_articles(root / "d1_article_extraction", page)
    _write_annotated(root / "d2_trafilatura_eval", page)
    _write_checks(root / "e1_pdf_text")
    _write_filed(root / "a5_financebench")
    return root


def _write_articles(folder: Path, page: bytes) -> None:
    (folder / "html").mkdir(parents=True)
    (folder / "html" / "ferry.html.gz").write_bytes(gzip.compress(page))
    row = {
        "url": "https://gazette.example/ferry",
        "html": "raw/html/ferry.html.gz",
        "articleBody": f"{STORY}\n\n{SECOND}",
    }
    write_lines(folder / "index.jsonl", [row])


def _write_annotated(folder: Path, page: bytes) -> None:
    (folder / "html").mkdir(parents=True)
    (folder / "html" / "ferry.html").write_bytes(page)
    (folder / "html" / "void.html").write_bytes(b"<html><body></body></html>")
    rows = [
        {
            "url": "https://gazette.example/ferry",
            "file": "ferry.html",
            "with": ["third time this winter", "no such words"],
            "without": ["Ten boats you must see"],
            "title": "Skarrow Ferry stays in port",
            "author": "Mara Lind",
            "date": "2020-01-01",
            "date_htmldate": "2021-02-03",
        },
        {
            "url": "https://gazette.example/void",
            "file": "void.html",
            "with": ["nothing to be had"],
            "without": ["Subscribe today"],
            "date_htmldate": None,
        },
    ]
    write_lines(folder / "index.jsonl", rows)


def _write_checks(folder: Path) -> None:
    (folder / "own").mkdir(parents=True)
    (folder / "own" / "ledger.pdf").write_bytes(pdf(SHEETS))
    (folder / "own" / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    (folder / "own" / "ledger.txt").write_text(" ".join(SHEETS[0]), "utf-8")
    (folder / "own" / "whole.txt").write_text(" ".join(map(" ".join, SHEETS)), "utf-8")
    ledger = {"pdf": "own/ledger.pdf", "page": 2, "source": "olmocr"}
    rows = [
        {**ledger, "type": "present", "text": "granite from Orrin"},
        {**ledger, "type": "present", "text": "4,120 crowns"},
        {**ledger, "type": "absent", "text": "whale oil"},
        {**ledger, "type": "order", "before": "mended", "after": "granite"},
        {**ledger, "type": "table", "cell": "4,120"},
        {**ledger, "type": "present", "source": "elsewhere", "page": 1, "text": "Dues of the"},
        {**ledger, "type": "present", "source": "elsewhere", "page": 9, "text": "Dues of the"},
        {"pdf": "own/torn.pdf", "page": 1, "source": "olmocr", "type": "absent", "text": "more"},
        {"pdf": "own/ledger.pdf", "type": "fulltext", "gold_file": "own/whole.txt"},
        {**ledger, "page": 1, "type": "fulltext", "gold_file": "own/ledger.txt"},
    ]
    write_lines(folder / "checks.jsonl", rows)


def _write_filed(folder: Path) -> None:
    (folder / "pdfs").mkdir(parents=True)
    (folder / "pdfs" / "LEDGER_1788.pdf").write_bytes(pdf(SHEETS))

    def evidence(page: int, text: str) -> dict[str, object]:
        return {
            "doc_name": "LEDGER_1788",
            "evidence_page_num": page,
            "evidence_text_full_page": text,
        }

    rows = [
        {"evidence": [evidence(1, " ".join(SHEETS[1]))]},
        {"evidence": [evidence(0, " ".join(SHEETS[0])), evidence(1, "not a word of it")]},
    ]
    write_lines(folder / "questions.jsonl", rows)
