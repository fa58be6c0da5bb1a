"""Figures of the topic check and of other signals, on a few pairs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.evals.topic_pairs import EACH, write_pairs

from quaere.testing import ScriptedEmbedder
from quaere_evals.datasets import DataError
from quaere_evals.duplicates import DuplicatesResult, Pair, evaluate_duplicates, find_pairs


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pairs(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def result(root: Path) -> DuplicatesResult:
    path = find_pairs(root)
    assert path
    return asyncio.run(evaluate_duplicates(path))


def test_pairs_are_found_in_a_root_or_as_one(root: Path) -> None:
    path = root / "h1_near_duplicates" / "pairs.jsonl"
    assert find_pairs(root) == find_pairs(path.parent) == path
    assert find_pairs(root / "elsewhere") is find_pairs(None) is None


def test_a_line_that_is_no_pair_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"a": "salt"}\n')
    with pytest.raises(DataError, match="line 1, is not a Pair"):
        asyncio.run(evaluate_duplicates(path))


def test_halves_are_told_by_the_first_text_alone() -> None:
    one = Pair(a="salt", b="peat", set="x", label=True)
    assert one.kept_back is one.model_copy(update={"b": "dyke", "set": "y"}).kept_back
    halves = [one.model_copy(update={"a": str(n)}).kept_back for n in range(100)]
    assert 30 < sum(halves) < 70


def test_the_topic_check_is_measured_on_all_pairs_people_agreed_on(
    result: DuplicatesResult,
) -> None:
    letters = result.datasets["letters"]
    assert (letters["n"], letters["duplicates"]) == (2 * EACH, EACH)
    assert (letters["precision"], letters["recall"], letters["false_merges"]) == (1.0, 1.0, 0)
    other_forms = result.datasets["letters-1901"]
    assert (other_forms["precision"], other_forms["recall"]) == (1.0, 0.0), "nothing was found"


def test_other_signals_are_cut_on_one_half_and_measured_on_the_other(
    result: DuplicatesResult,
) -> None:
    words, stems = result.signals["words"], result.signals["stems"]
    assert words.cut == 0.75
    assert words.sets["letters-1901"]["recall"] == 0.0
    assert stems.cut == 0.51, "one above what two of four stems in common come to"
    assert stems.sets["letters-1901"]["recall"] == stems.sets["letters"]["precision"] == 1.0
    assert 0 < stems.sets["letters"]["n"] < 2 * EACH
    assert stems.sets["letters"]["n"] == words.sets["letters"]["n"]


def test_a_signal_that_merges_more_wrongly_gets_no_cut(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    same = Pair(a="salt trade of Varn", b="salt trade of Varn", set="x", label=True)
    other = Pair(a="salt trade of Varn", b="trading salts of Varn", set="x", label=False)
    halves = [
        pair.model_copy(update={"a": f"{pair.a} {n}", "b": f"{pair.b} {n}"})
        for n in range(20)
        for pair in (same, other)
    ]
    path.write_text("".join(f"{pair.model_dump_json()}\n" for pair in halves))
    stems = asyncio.run(evaluate_duplicates(path)).signals["stems"]
    assert stems.cut is None
    assert (stems.sets["x"]["precision"], stems.sets["x"]["recall"]) == (1.0, 0.0)


def test_an_embedder_makes_two_more_signals(root: Path) -> None:
    path = find_pairs(root)
    assert path

    def knows(a: str, b: str) -> float:
        return 0.9 if "building" not in b else 0.1

    result = asyncio.run(evaluate_duplicates(path, ScriptedEmbedder(knows)))
    for name in ("meaning", "words or meaning"):
        signal = result.signals[name]
        assert signal.cut is not None
        assert 0.1 < signal.cut <= 0.9
        assert all(found["recall"] == found["precision"] == 1.0 for found in signal.sets.values())
