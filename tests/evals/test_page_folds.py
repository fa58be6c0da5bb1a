"""Cross-validation of the page rules, on sets of a page or two."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals.page_sets import SECOND, STORY, write_page_sets
from tests.evals.questions import write_lines
from tests.read.documents import pdf, web_page

from quaere_evals.page_data import find_page_sets
from quaere_evals.page_folds import Fold, Validation, cross_validate, divided

HIDDEN = "<p style='text-indent:-9999px'>Buy a boat of Orrin, and buy it today at half price.</p>"
DIVIDED = "A well-known harbour has a well-", "known pier."


@pytest.fixture(scope="module")
def validation(tmp_path_factory: pytest.TempPathFactory) -> Validation:
    root = write_page_sets(tmp_path_factory.mktemp("data"))
    _add_article(root / "d1_article_extraction")
    _add_filing(root / "a5_financebench")
    return cross_validate(find_page_sets(root), 3)


def _add_article(folder: Path) -> None:
    """Write a second site, whose page holds what no reader sees."""
    page = web_page(f"<p>{STORY}</p>{HIDDEN * 3}<p>{SECOND}</p>", title="Skarrow ferry")
    (folder / "html" / "herald.html").write_text(page)
    row = {"html": "raw/html/herald.html", "articleBody": f"{STORY}\n\n{SECOND}"}
    known = (folder / "index.jsonl").read_text()
    write_lines(folder / "index.jsonl", [{**row, "url": "https://herald.example.org/ferry"}])
    with (folder / "index.jsonl").open("a") as file:
        file.write(known)


def _add_filing(folder: Path) -> None:
    """Write a second file, in which the end of a line falls on a hyphen."""
    (folder / "pdfs" / "DUTIES.pdf").write_bytes(pdf([DIVIDED]))
    text = "A well-known harbour has a well-known pier."
    evidence = {"doc_name": "DUTIES", "evidence_page_num": 0, "evidence_text_full_page": text}
    with (folder / "questions.jsonl").open("a") as file:
        write_lines(folder / "more.jsonl", [{"evidence": [evidence]}])
        file.write((folder / "more.jsonl").read_text())


def best(folds: list[Fold], rule: str) -> float:
    return max(fold.gain("quaere", f"without {rule}") for fold in folds)


def test_a_rule_gains_where_it_applies_and_nowhere_else(validation: Validation) -> None:
    folds = validation.datasets["d1"]
    assert [fold.n for fold in folds] == [1, 1]
    assert best(folds, "drop_hidden") > 0.05
    assert min(fold.gain("quaere", "without drop_hidden") for fold in folds) == 0
    assert best(validation.datasets["a5"], "join_words") > 0.01


def test_every_fold_has_the_plain_library_beside_ours(validation: Validation) -> None:
    assert set(validation.datasets) == {"d1", "d2", "e1", "a5"}
    for folds in validation.datasets.values():
        for fold in folds:
            assert {"plain", "quaere"} < set(fold.figures)
            assert all(0 <= figure <= 1 for figure in fold.figures.values())


@given(st.lists(st.sampled_from("abcdefgh")), st.integers(1, 5))
def test_no_group_is_in_two_folds_and_none_is_lost(groups: list[str], count: int) -> None:
    folds = divided(groups, count)
    assert set(folds) == set(groups)
    assert set(folds.values()) <= set(range(count))
    sizes = Counter(folds[group] for group in groups)
    largest = max(Counter(groups).values(), default=0)
    assert max(sizes.values(), default=0) - min(sizes[n] for n in range(count)) <= largest
