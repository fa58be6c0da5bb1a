"""Figures of the sets of claims, on sets of a few claims."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.evals.claim_sets import PAGE, SAID, write_claim_sets
from tests.evals.questions import write_lines

from quaere.errors import SettingsError
from quaere.testing import ScriptedEmbedder
from quaere_evals.attribution import AttributionResult, evaluate_attribution
from quaere_evals.attribution_data import find_claim_sets, load_claims
from quaere_evals.datasets import DataError


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_claim_sets(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def result(root: Path) -> AttributionResult:
    return asyncio.run(evaluate_attribution(find_claim_sets(root)))


def test_sets_are_found_in_a_root_or_as_one(root: Path) -> None:
    assert list(find_claim_sets(root)) == ["f1", "f2", "f3_healthver", "f3_climate_fever"]
    assert list(find_claim_sets(root / "f2_wice")) == ["f2"]
    assert find_claim_sets(None) == {}


def test_markers_are_no_part_of_a_claim(root: Path) -> None:
    claim = load_claims("f1", find_claim_sets(root)["f1"]).claims[0]
    assert claim.text == f"{SAID}."
    assert claim.sources == (" ".join(PAGE[2:5]),)
    assert claim.origin == "Gazette"
    assert [passage.text for passage in claim.passages] == list(claim.sources)


def test_of_a_set_that_was_fitted_on_one_half_is_left(root: Path) -> None:
    loaded = load_claims("f1", find_claim_sets(root)["f1"])
    assert loaded.unseen(None) == loaded.unseen("another file") == loaded.claims
    left = loaded.unseen(loaded.digest)
    assert 0 < len(left) < len(loaded.claims)
    assert all(claim.kept_back for claim in left)


def test_the_figures_of_a_set_and_of_its_sources(result: AttributionResult) -> None:
    f1 = result.datasets["f1"]
    assert f1["n"] == 4
    assert f1["balanced_accuracy"] == f1["baseline_balanced_accuracy"] == 1.0
    assert f1["unsupported_precision"] == f1["unsupported_recall"] == f1["auroc"] == 1.0
    assert f1["sure"] == 1.0
    assert f1["brier"] < 0.1
    assert result.datasets["f1/Gazette"]["n"] == result.datasets["f1/Ledger"]["n"] == 2
    assert "contradicted_recall" not in f1


def test_the_sentences_that_carry_a_claim(result: AttributionResult) -> None:
    f2 = result.datasets["f2"]
    assert f2["sentence_recall"] == f2["sentences_complete"] == 1.0
    assert f2["baseline_sentence_recall"] == f2["baseline_sentences_complete"] == 1.0


def test_supports_against_refutes(result: AttributionResult) -> None:
    found = result.datasets["f3_climate_fever"]
    assert found["n"] == 3
    assert found["supports_or_refutes_auroc"] == 1.0
    assert found["contradicted_recall"] == 0.0


def test_claims_that_are_laid_half_next_to_their_evidence_are_told_apart(tmp_path: Path) -> None:
    rows = [
        {"claim": SAID, "evidence": evidence, "label": label}
        for evidence, label in (
            (f"{SAID} of Velling.", "Supports"),
            (SAID.replace("was opened", "was not opened"), "Refutes"),
            ("Trams were never opened in Velling.", "Refutes"),
        )
    ]
    (tmp_path / "f3_healthver").mkdir()
    write_lines(tmp_path / "f3_healthver" / "items.jsonl", rows)
    measured = asyncio.run(evaluate_attribution(find_claim_sets(tmp_path)))
    found = measured.datasets["f3_healthver"]
    assert found["aligned_n"] == 2
    assert found["aligned_supports_or_refutes_auroc"] == 1.0


def test_the_file_has_sources_within_sets(result: AttributionResult) -> None:
    written = result.as_json()["sets"]
    assert isinstance(written, dict)
    assert written["f1"]["by_source"]["Gazette"] == result.datasets["f1/Gazette"]
    assert written["f2"]["balanced_accuracy"] == result.datasets["f2"]["balanced_accuracy"]


def test_a_line_in_another_form_is_said(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"claim": "a"}\n')
    with pytest.raises(DataError, match="line 1"):
        load_claims("f3_healthver", path)


def test_with_an_embedder_the_figures_of_words_stand_beside(root: Path) -> None:
    embedder = ScriptedEmbedder(lambda _a, _b: 1.0)
    files = {"f2": find_claim_sets(root)["f2"]}
    f2 = asyncio.run(evaluate_attribution(files, embedder=embedder)).datasets["f2"]
    assert {"words_balanced_accuracy", "words_auroc", "words_in_doubt"} <= set(f2)
    assert f2["words_balanced_accuracy"] == f2["balanced_accuracy"] == 1.0
    assert embedder.asked == [], "words alone can tell"


def test_only_what_is_in_doubt_is_asked_of_an_embedder(tmp_path: Path) -> None:
    write_claim_sets(tmp_path)
    doubtful = "The crossing by Maude Tellin, an engineer, cost 2.4 million crowns to erect."
    path = tmp_path / "f2_wice" / "items.jsonl"
    path.write_text(path.read_text().replace(f'"claim": "{SAID}"', f'"claim": "{doubtful}"'))
    likely: list[float] = []
    for cosine in (-1.0, 1.0):
        embedder = ScriptedEmbedder(lambda _a, _b, cosine=cosine: cosine)
        result = asyncio.run(evaluate_attribution({"f2": path}, embedder=embedder))
        assert {claim for claim, _ in embedder.asked} == {doubtful}
        likely.append(result.datasets["f2"]["brier"])
    assert likely[1] < likely[0]


def test_an_embedder_without_weights_says_how_to_get_some(root: Path) -> None:
    embedder = ScriptedEmbedder(lambda _a, _b: 1.0, name="test:another")
    with pytest.raises(SettingsError, match=r"bench/calibrate\.py --embedder"):
        asyncio.run(evaluate_attribution(find_claim_sets(root), embedder=embedder))
