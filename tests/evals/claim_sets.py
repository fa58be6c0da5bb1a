"""The sets of claims in small, in the layout of the evaluation data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.evals.questions import write_lines

PAGE = (
    "(meta data) TITLE: Bridges of Velling",
    "Sign up for our letters",
    "The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin.",
    "It spans 312 metres and cost 2.4 million crowns.",
    "Heavy carts were not allowed on it before 1903.",
    "More about bridges",
    "All rights reserved",
    "Help",
)
SAID = "The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin"
UNSAID = "Glass from the coast was carried over the mountains by Pieter Vance in 1955"


def write_claim_sets(root: Path) -> Path:
    """Write one file of every form below ``root`` and return it."""
    _write(root / "f1_attributionbench", [_generated(f"Question {n}?") for n in range(4)])
    _write(root / "f2_wice", [_cited(SAID, "supported"), _cited(UNSAID, "not_supported")])
    _write(root / "f3_healthver", [_paired(SAID, "Supports"), _paired(UNSAID, "Refutes")])
    climate = {
        "claim": SAID,
        "evidences": [
            {"evidence": PAGE[2], "evidence_label": "SUPPORTS"},
            {"evidence": UNSAID, "evidence_label": "REFUTES"},
            {"evidence": PAGE[3], "evidence_label": "NOT_ENOUGH_INFO"},
        ],
    }
    _write(root / "f3_climate_fever", [climate])
    return root


def _write(folder: Path, rows: Sequence[Mapping[str, object]]) -> None:
    folder.mkdir(parents=True)
    write_lines(folder / "items.jsonl", rows)


def _generated(question: str) -> dict[str, object]:
    odd = question < "Question 2"
    return {
        "question": question,
        "claim": f"**{SAID if odd else UNSAID}** [2].",
        "references": [f"[2] {' '.join(PAGE[2:5])}"],
        "attribution_label": "attributable" if odd else "not attributable",
        "src_dataset": "Gazette" if odd else "Ledger",
    }


def _cited(claim: str, label: str) -> dict[str, object]:
    return {
        "claim": claim,
        "label": label,
        "evidence": list(PAGE),
        "supporting_sentences": [[2, 0], [2]] if label == "supported" else [[]],
        "meta": {"claim_title": label},
    }


def _paired(claim: str, label: str) -> dict[str, object]:
    return {"claim": claim, "evidence": PAGE[2], "label": label}
