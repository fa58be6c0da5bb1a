"""What the engine reads of statements, and finds in them, in two files of a page each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.read.documents import pdf

from quaere_evals.answers import Half
from quaere_evals.datasets import DataError
from quaere_evals.statements import evaluate_statements

NAMES = ("Cash at hand", "Grain", "Loans to hands", "Stones", "Current assets", "Race", "Tithes",
         "Rents", "Total assets")  # fmt: skip
GAP = " " * 12


def sheet(scale: int) -> list[str]:
    """Return the lines of a statement whose figures are in columns, however long its labels."""
    return [
        "Consolidated Balance Sheets",
        f"(in thousands of crowns){' ' * 40}2023{GAP}2022",
        *(
            f"{name}{' ' * (60 - len(name))}{scale + n}{GAP}{2 * scale + n}"
            for n, name in enumerate(NAMES)
        ),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pdfs").mkdir()
    for name, scale in (("BRELL_2023_10K", 1000), ("ORRIN_2023_10K", 5000)):
        (tmp_path / "pdfs" / f"{name}.pdf").write_bytes(pdf([sheet(scale)]))
    return tmp_path


def test_every_second_company_is_in_the_second_half(folder: Path) -> None:
    told: list[str] = []
    result = evaluate_statements(folder, progress=told.append)
    assert told == ["BRELL_2023_10K.pdf", "ORRIN_2023_10K.pdf"]
    assert list(result.halves) == ["first", "second"]
    again = evaluate_statements(folder, Half.SECOND).halves
    assert list(again) == ["second"]
    assert again["second"].misses == result.halves["second"].misses


def test_rows_cells_and_years_that_are_absent_are_counted(folder: Path) -> None:
    figures = evaluate_statements(folder, Half.FIRST).halves["first"].figures
    assert (figures["filings"], figures["pages"], figures["rows"]) == (1, 1, len(NAMES))
    assert figures["rows_read"] == figures["absent_declined"] == 1
    assert figures["cells"] == 2 * len(NAMES)
    assert figures["cells_right"] == figures["named_right"] == 1
    assert figures["pages_per_s"] > 0
    assert figures["of_plain"] > 0


def test_what_is_not_read_or_found_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def has_none(text: str, _signs: str, _box_at: object) -> bool:
        return not text

    monkeypatch.setattr("quaere.read.extract.pdf.may_have_tables", has_none)
    scores = evaluate_statements(folder, Half.FIRST).halves["first"]
    assert scores.figures["rows_read"] == scores.figures["cells_right"] == 0
    assert "BRELL_2023_10K.pdf: not read: Grain 1001 2001" in scores.misses
    assert "BRELL_2023_10K.pdf: What was Grain in 2022? 2001, not: nothing" in scores.misses


def test_a_folder_without_filings_is_told(folder: Path) -> None:
    shutil.rmtree(folder / "pdfs")
    with pytest.raises(DataError, match="holds no PDF files"):
        evaluate_statements(folder)


def test_a_dash_is_found_as_a_dash(tmp_path: Path) -> None:
    (tmp_path / "pdfs").mkdir()
    dash = "    \N{EM DASH}"  # about as wide as four digits
    lines = [line.replace("1001", dash).replace("2001", dash) for line in sheet(1000)]
    (tmp_path / "pdfs" / "BRELL_2023_10K.pdf").write_bytes(pdf([lines]))
    figures = evaluate_statements(tmp_path, Half.FIRST).halves["first"].figures
    assert (figures["rows"], figures["cells_right"]) == (len(NAMES), 1)
