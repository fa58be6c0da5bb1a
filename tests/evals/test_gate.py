"""Floors under the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaere_evals.datasets import DataError
from quaere_evals.gate import misses, raised, read_floors, write_floors

FLOORS = {"isles": {"recall": 0.8}, "hills": {"recall": 0.5, "f1": 0.4}}


def test_floors_are_read_by_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "floors.json"
    path.write_text('{"pages": {"d1": {"f1": 0.9}}}')
    assert read_floors(path, "pages") == {"d1": {"f1": 0.9}}
    assert read_floors(path, "multihop") == {}


@pytest.mark.parametrize(
    "text", ["no JSON", '{"pages": {"d1": 0.9}}', '{"pages": {"d1": {"f1": "x"}}}']
)
def test_what_are_no_floors_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "floors.json"
    path.write_text(text)
    with pytest.raises(DataError, match="does not hold floors"):
        read_floors(path, "pages")


def test_an_absent_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file of floors"):
        read_floors(tmp_path / "floors.json", "pages")


def test_reaching_a_floor_is_enough() -> None:
    assert not list(misses({"isles": {"recall": 0.8, "other": 0.0}}, {"isles": {"recall": 0.8}}))


def test_every_miss_is_told() -> None:
    figures = {"isles": {"recall": 0.799}, "hills": {"recall": 0.6}}
    assert list(misses(figures, FLOORS)) == [
        "isles: recall is 0.799, below its floor of 0.800",
        "hills: f1 was not measured; its floor is 0.400",
    ]
    assert len(list(misses({}, FLOORS))) == 3


def test_floors_rise_and_never_fall() -> None:
    figures = {"isles": {"recall": 0.95, "new": 1.0}, "hills": {"recall": 0.3}}
    assert raised(figures, FLOORS, margin=0.01) == {
        "isles": {"recall": 0.94},
        "hills": {"recall": 0.5, "f1": 0.4},
    }


def test_written_floors_leave_other_evaluations_alone(tmp_path: Path) -> None:
    path = tmp_path / "floors.json"
    write_floors(path, "multihop", FLOORS)
    write_floors(path, "pages", {"d1": {"f1": 0.9}})
    write_floors(path, "multihop", {"isles": {"recall": 0.9}})
    assert read_floors(path, "pages") == {"d1": {"f1": 0.9}}
    assert read_floors(path, "multihop") == {"isles": {"recall": 0.9}}
    assert path.read_text().endswith("}\n")
