"""Fits the weights by which verification tells how likely a sentence is supported.

    python bench/calibrate.py --data DIR [--embedder NAME] [--write]

Fits a ridge logistic regression to the signals of ``quaere.verify.signals`` on one half of
AttributionBench and WiCE; what is kept back is measured by ``quaere eval attribution``. Claims fall
into halves by a hash of their question or of the page they come from, so that claims which share
a source stay together. With an embedder, the weights of its signal and of the others beside it are
fitted, too, and stand under the name that it is known as; all claims are embedded for that. Within
each set, supported claims weigh as much as the others; the sets
weigh as their sizes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from quaere.models.similarity import known_as
from quaere.ports.model import Embedder
from quaere.runtime.settings import load_settings
from quaere.runtime.wiring_models import build_embedder
from quaere.verify.calibration import calibration
from quaere.verify.second_opinion import candidate_lines
from quaere.verify.signals import SIGNALS, measure
from quaere.verify.support import compare
from quaere_evals.attribution_data import Claim, ClaimSet, find_claim_sets, load_claims

FITTED = ("f1", "f2")
RIDGE = 10.0
"""Penalty on the squared weights of standardised signals."""
ROUNDS = 25
"""Steps of Newton's method; it converges in about eight."""
CUT = 0.5
DOUBT = (0.3, 0.7)
TARGET = Path(__file__).parents[1] / "src" / "quaere" / "verify" / "calibration.json"

Row = Sequence[float]
Sets = Mapping[str, ClaimSet]


def main() -> None:
    """Fit the weights and show them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--embedder", help="vendor:model, as QUAERE_EMBEDDER has it")
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.name} anew")
    arguments = parser.parse_args()
    found = find_claim_sets(arguments.data)
    sets = {name: load_claims(name, found[name]) for name in FITTED}
    weights = fitted(sets)
    known = calibration()
    # Those of other embedders stay, as long as they come from the same claims.
    with_embedder: dict[str, object] = {
        name: kept.model_dump()
        for name, kept in known.with_embedder.items()
        if known.fitted_on == weights["fitted_on"]
    }
    if arguments.embedder:
        settings = load_settings().model_copy(update={"embedder": arguments.embedder})
        embedder = build_embedder(settings)
        assert embedder is not None
        with_embedder[known_as(embedder.name)] = asyncio.run(fitted_with(embedder, sets))
    weights["with_embedder"] = with_embedder
    text = json.dumps(weights, indent=2) + "\n"
    print(text, end="")
    if arguments.write:
        TARGET.write_text(text, "utf-8")


def fitted(sets: Sets) -> dict[str, object]:
    """Return the calibration as its file has it."""
    rows = {name: [signals(claim) for claim in used(chosen)] for name, chosen in sets.items()}
    return {
        "fitted_on": {name: chosen.digest for name, chosen in sets.items()},
        **regressed(sets, rows, tuple(SIGNALS)),
        "cut": CUT,
        "doubt": DOUBT,
    }


async def fitted_with(embedder: Embedder, sets: Sets) -> dict[str, object]:
    """Return the weights with what ``embedder`` tells."""
    rows: dict[str, list[Row]] = {}
    for name, chosen in sets.items():
        claims = used(chosen)
        rows[name] = []
        for number, claim in enumerate(claims):
            if number % 250 == 0:
                print(f"{name}: {number} of {len(claims)}", file=sys.stderr)
            lines = candidate_lines(compare(claim.text, claim.passages))
            cosines = await embedder.similarities(lines) if lines else [0.0]
            rows[name].append((*signals(claim), max(cosines)))
    return regressed(sets, rows, (*SIGNALS, "nearest_line"))


def used(chosen: ClaimSet) -> list[Claim]:
    """Return the claims that are fitted on."""
    return [claim for claim in chosen.claims if not claim.kept_back]


def regressed(
    sets: Sets, rows_of: Mapping[str, Sequence[Row]], names: Sequence[str]
) -> dict[str, object]:
    """Return intercept and weights of the signals ``names``, whose values are in ``rows_of``."""
    rows: list[Row] = []
    labels: list[bool] = []
    weights: list[float] = []
    for name, chosen in sets.items():
        claims = used(chosen)
        rows += rows_of[name]
        labels += [claim.supported for claim in claims]
        shares = {kind: sum(claim.supported is kind for claim in claims) for kind in (True, False)}
        weights += [len(claims) / 2 / shares[claim.supported] for claim in claims]
    means, spreads = standards(rows)
    scaled = [
        [1.0, *((x - m) / s for x, m, s in zip(row, means, spreads, strict=True))] for row in rows
    ]
    first, *rest = newton(scaled, labels, weights)
    slopes = [weight / spread for weight, spread in zip(rest, spreads, strict=True)]
    return {
        "intercept": round(first - sum(map(math.prod, zip(slopes, means, strict=True))), 4),
        "weights": {name: round(slope, 4) for name, slope in zip(names, slopes, strict=True)},
    }


def signals(claim: Claim) -> Row:
    """Return the signals of ``claim`` in the order of ``SIGNALS``."""
    found = measure(compare(claim.text, claim.passages))
    return [found[name] for name in SIGNALS]


def standards(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    """Return mean and standard deviation of every column."""
    columns = list(zip(*rows, strict=True))
    means = [sum(column) / len(rows) for column in columns]
    spreads = [
        math.sqrt(sum((x - mean) ** 2 for x in column) / len(rows)) or 1.0
        for column, mean in zip(columns, means, strict=True)
    ]
    return means, spreads


def newton(rows: Sequence[Row], labels: Sequence[bool], weights: Sequence[float]) -> list[float]:
    """Return the weights of a logistic regression; the first column is not penalised."""
    size = len(rows[0])
    beta = [0.0] * size
    for _ in range(ROUNDS):
        gradient = [-RIDGE * b * (i > 0) for i, b in enumerate(beta)]
        hessian = [[RIDGE * (i == j > 0) for j in range(size)] for i in range(size)]
        for row, label, weight in zip(rows, labels, weights, strict=True):
            p = 1 / (1 + math.exp(-sum(map(math.prod, zip(beta, row, strict=True)))))
            for i, x in enumerate(row):
                gradient[i] += weight * (label - p) * x
                for j in range(size):
                    hessian[i][j] += weight * p * (1 - p) * x * row[j]
        step = solved(hessian, gradient)
        beta = [b + s for b, s in zip(beta, step, strict=True)]
    return beta


def solved(matrix: Sequence[Row], right: Row) -> list[float]:
    """Return x of ``matrix`` x = ``right``, by elimination with the largest pivot."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k, row in enumerate(rows):
            if k != i:
                rows[k] = [a - row[i] * b for a, b in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


if __name__ == "__main__":
    main()
