"""Figures of the page sets, on sets of a page or two."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.evals.page_sets import write_page_sets

from quaere_evals.datasets import DataError
from quaere_evals.page_data import find_page_sets
from quaere_evals.pages import evaluate_pages

Figures = dict[str, dict[str, float]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page_sets(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def figures(root: Path) -> Figures:
    return evaluate_pages(find_page_sets(root)).datasets


def test_every_set_is_told_before_it_is_read(root: Path) -> None:
    told: list[str] = []
    only = {name: folder for name, folder in find_page_sets(root).items() if name in {"e1", "a5"}}
    assert list(evaluate_pages(only, told.append).datasets) == told == ["e1", "a5"]


def test_a_set_without_a_page_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").touch()
    with pytest.raises(DataError, match="no page"):
        evaluate_pages({"d1": tmp_path})


def test_pages_that_cannot_be_read_take_no_time_and_end_in_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that has not moved is no divisor."""
    write_page_sets(tmp_path)
    for file in tmp_path.rglob("*.pdf"):
        file.write_bytes(b"")
    monkeypatch.setattr(time, "process_time", lambda: 7.0)
    a5 = evaluate_pages({"a5": tmp_path / "a5_financebench"}).datasets["a5"]
    assert (a5["page_f1"], a5["pages_per_s"], a5["baseline_pages_per_s"]) == (0, 0, 0)


def test_articles_are_held_against_their_text(figures: Figures) -> None:
    d1 = figures["d1"]
    assert d1["n"] == 1
    assert d1["recall"] == d1["baseline_recall"] == 1.0
    # The headline is no part of the article, and both put it there or leave it.
    assert 0.8 < d1["precision"] <= 1.0
    assert d1["f1"] == pytest.approx(2 * d1["precision"] / (d1["precision"] + 1))
    assert d1["pages_per_s"] > 0
    assert d1["baseline_pages_per_s"] > 0


def test_annotated_pages_are_scored_with_their_dates_and_authors(figures: Figures) -> None:
    d2 = figures["d2"]
    assert (d2["n"], d2["precision"]) == (2, 1.0)
    assert d2["recall"] == pytest.approx(1 / 3)
    assert d2["f1"] == pytest.approx(0.5)
    # Of two pages one has a date, a title and an author.
    assert (d2["dates_right"], d2["titles_right"], d2["authors_right"]) == (1.0, 1.0, 1.0)
    assert d2["baseline_dates_right"] == d2["dates_kept"] == 1.0


def test_each_sort_of_check_of_a_pdf_is_counted(figures: Figures) -> None:
    e1 = figures["e1"]
    numbers = {name: e1[name] for name in e1 if name.endswith("_n")}
    assert numbers == {"absent_n": 2, "fulltext_n": 2, "order_n": 1, "present_n": 2, "strings_n": 2}
    assert e1["present"] == e1["baseline_present"] == 0.5
    assert e1["strings"] == e1["baseline_strings"] == 0.5
    assert (e1["absent"], e1["order"], e1["fulltext"]) == (1.0, 1.0, 1.0)


def test_pages_of_evidence_are_compared_word_by_word(figures: Figures) -> None:
    a5 = figures["a5"]
    assert a5["n"] == 3
    # Two pages of evidence are read word by word; the third shares "of" with the page it is not.
    assert 2 / 3 <= a5["page_f1"] < 0.75
    assert a5["page_f1"] == pytest.approx(a5["baseline_page_f1"])
    assert a5["pages_per_s"] > 0


def test_every_judgement_has_a_baseline(figures: Figures) -> None:
    """Plain trafilatura and PDFium stand beside the engine in the same run."""
    for found in figures.values():
        own = {name for name in found if not name.startswith("baseline_")}
        alone = {name for name in own if f"baseline_{name}" not in found}
        assert alone <= {"n", "dates_kept"} | {name for name in own if name.endswith("_n")}
