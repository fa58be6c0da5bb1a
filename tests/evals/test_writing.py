"""The pairs of our own writing, and how they are measured."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from quaere_evals.datasets import DataError
from quaere_evals.writing import HALVES, PARTS, Twins, measured, read_twins

PAIRS = Path(__file__).parents[2] / "evals" / "writing"
DOCUMENT = "The mill was not built by Ada. It burned in 1790 and was never rebuilt."


def test_the_halves_have_two_hundred_pairs_of_eight_kinds_and_no_document_in_common() -> None:
    first, second = (read_twins(PAIRS / f"pairs_{half}.txt") for half in HALVES)
    assert len(first) + len(second) >= 200
    for half in (first, second):
        counts = Counter(each.kind for each in half)
        assert len(counts) == 8
        assert min(counts.values()) >= 13
        assert all(each.true != each.false for each in half)
    assert not {e.document for e in first} & {e.document for e in second}


def test_all_parts_are_read_and_share_no_document() -> None:
    documents = [{e.document for e in read_twins(PAIRS / f"pairs_{part}.txt")} for part in PARTS]
    assert len(frozenset[str]().union(*documents)) == sum(map(len, documents))


def test_a_document_may_have_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("= a\nA table.\\n\\n| x |\ndenial\tOne.\tTwo.\n", "utf-8")
    assert [each.document for each in read_twins(path)] == ["A table.\n\n| x |"]


def test_words_and_an_oracle_are_measured_on_both_twins() -> None:
    pairs = [
        Twins("denial", DOCUMENT, "The mill was not built by Ada.", "The mill was built by Ada."),
        Twins("figure", DOCUMENT, "It burned in 1790 and was never rebuilt.", "It burned in 1850."),
    ]
    figures = measured(pairs)
    assert list(figures) == ["words", "oracle", "denial", "figure"]
    assert figures["words"]["n"] == 2
    assert figures["words"]["true_supported"] == figures["words"]["false_withheld"] == 1
    assert figures["denial"]["false_contradicted"] == 1


@pytest.mark.parametrize("text", ["denial\tOne.\tTwo.\n", "= a\nA text.\ndenial\tOne.\n"])
def test_a_line_that_is_not_a_pair_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError, match="line"):
        read_twins(path)
    with pytest.raises(DataError, match="no file"):
        read_twins(tmp_path / "none.txt")
