"""Reading the sets of pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.evals.page_sets import SECOND, write_page_sets

from quaere_evals.datasets import DataError
from quaere_evals.page_data import (
    AnnotatedPage,
    find_page_sets,
    load_annotated_pages,
    load_articles,
    load_checks,
    load_filed_pages,
    load_pdfs,
)


def test_sets_are_found_together_or_alone(tmp_path: Path) -> None:
    write_page_sets(tmp_path)
    found = find_page_sets(tmp_path)
    assert list(found) == ["d1", "d2", "e1", "a5"]
    assert find_page_sets(found["e1"]) == {"e1": found["e1"]}
    assert find_page_sets(tmp_path / "nowhere") == {}
    assert find_page_sets(None) == {}


def test_a_folder_without_its_index_is_no_set(tmp_path: Path) -> None:
    write_page_sets(tmp_path)
    (tmp_path / "d1_article_extraction" / "index.jsonl").unlink()
    assert "d1" not in find_page_sets(tmp_path)


def test_packed_pages_are_unpacked(tmp_path: Path) -> None:
    folder = write_page_sets(tmp_path) / "d1_article_extraction"
    ((body, article),) = load_articles(folder)
    assert body.data.startswith(b"<!doctype html>")
    assert (body.url, body.content_type) == ("https://gazette.example/ferry", "text/html")
    assert article.text.endswith(SECOND)


def test_annotations_may_be_missing(tmp_path: Path) -> None:
    folder = write_page_sets(tmp_path) / "d2_trafilatura_eval"
    (_, full), (body, bare) = load_annotated_pages(folder)
    assert full.wanted == ("third time this winter", "no such words")
    assert body.data == b"<html><body></body></html>"
    assert (bare.title, bare.published) == (None, "")


def test_the_date_is_that_of_the_reference_library_for_dates() -> None:
    row: dict[str, object] = {"url": "", "file": "", "with": (), "without": ()}
    row["date"] = "2020-01-01"
    assert AnnotatedPage.model_validate(row).published == "2020-01-01"
    both = {**row, "date_htmldate": "2021-02-03"}
    assert AnnotatedPage.model_validate(both).published == "2021-02-03"


def test_gold_files_are_read(tmp_path: Path) -> None:
    checks = load_checks(write_page_sets(tmp_path) / "e1_pdf_text")
    assert len(checks) == 10
    assert [check.page for check in checks[-2:]] == [None, 1], "a whole document has no page"
    assert checks[-1].text == "Ledger of the harbour Dues of the year came to 4,120 crowns."


def test_every_pdf_is_read_once(tmp_path: Path) -> None:
    folder = write_page_sets(tmp_path) / "a5_financebench"
    pages = load_filed_pages(folder)
    assert [page.page for page in pages] == [1, 0, 1]
    bodies = load_pdfs(folder / "pdfs", (f"{page.document}.pdf" for page in pages))
    assert list(bodies) == ["LEDGER_1788.pdf"]
    assert bodies["LEDGER_1788.pdf"].data.startswith(b"%PDF-1.4")
    assert bodies["LEDGER_1788.pdf"].url.endswith("/pdfs/LEDGER_1788.pdf")


def test_an_absent_page_is_said_by_its_name(tmp_path: Path) -> None:
    folder = write_page_sets(tmp_path) / "d2_trafilatura_eval"
    (folder / "html" / "void.html").unlink()
    with pytest.raises(DataError, match=r"void\.html belongs to the data"):
        load_annotated_pages(folder)
