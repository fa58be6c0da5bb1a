"""Pairs of topics in small, in the layout of the evaluation data."""

from __future__ import annotations

from pathlib import Path

from tests.evals.questions import write_lines

EACH = 12


def write_pairs(root: Path) -> Path:
    """Write a file of pairs below ``root`` and return it.

    Of each four the first says the same in the same words, the second in other forms of them, the
    third nearly the same and means something else; of the fourth people were not sure.
    """
    folder = root / "h1_near_duplicates"
    folder.mkdir(parents=True)
    rows: list[dict[str, object]] = []
    for n in range(EACH):
        town = f"Town{n}"
        asked = f"the flooding of {town} and its bridges"
        rows += [
            _pair("letters", asked, f"{town}: bridges, flooding", 1),
            _pair("letters-1901", asked, f"floods, a bridge of {town}", 1),
            _pair("letters", asked, f"{town} bridges, building", 0),
            _pair("letters", asked, asked, None),
        ]
    write_lines(folder / "pairs.jsonl", rows)
    return root


def _pair(dataset: str, a: str, b: str, label: int | None) -> dict[str, object]:
    return {"set": dataset, "a": a, "b": b, "label": label}
