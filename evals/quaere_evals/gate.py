"""Floors of quality: figures that may rise and never fall."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from quaere_evals.datasets import DataError

Figures = Mapping[str, Mapping[str, float]]
"""Figures by dataset and name."""

_FLOORS: TypeAdapter[dict[str, dict[str, dict[str, float]]]] = TypeAdapter(
    dict[str, dict[str, dict[str, float]]]
)


def read_floors(path: Path, evaluation: str) -> Figures:
    """Return the floors of ``evaluation`` in the file at ``path``; none when it names none.

    Raises:
        DataError: when there is no such file, or it is not in the expected form.
    """
    try:
        return _FLOORS.validate_json(path.read_bytes()).get(evaluation, {})
    except FileNotFoundError:
        raise DataError(f"There is no file of floors at {path}.") from None
    except ValidationError as error:
        raise DataError(
            f"{path} does not hold floors by evaluation and dataset: {error}"
        ) from error


def misses(figures: Figures, floors: Figures) -> Iterator[str]:
    """Yield, in words, every floor that ``figures`` does not reach or does not have."""
    for dataset, wanted in floors.items():
        for name, floor in wanted.items():
            figure = figures.get(dataset, {}).get(name)
            if figure is None:
                yield f"{dataset}: {name} was not measured; its floor is {floor:.3f}"
            elif figure < floor:
                yield f"{dataset}: {name} is {figure:.3f}, below its floor of {floor:.3f}"


def raised(figures: Figures, floors: Figures, *, margin: float) -> dict[str, dict[str, float]]:
    """Return ``floors`` lifted to ``figures`` less ``margin`` wherever that is higher."""
    return {
        dataset: {
            name: max(floor, round(figures.get(dataset, {}).get(name, floor) - margin, 3))
            for name, floor in wanted.items()
        }
        for dataset, wanted in floors.items()
    }


def write_floors(path: Path, evaluation: str, floors: Figures) -> None:
    """Put ``floors`` in place of those of ``evaluation`` in the file at ``path``."""
    whole = _FLOORS.validate_json(path.read_bytes()) if path.exists() else {}
    whole[evaluation] = {name: dict(wanted) for name, wanted in floors.items()}
    path.write_text(json.dumps(whole, indent=2) + "\n", "utf-8")
