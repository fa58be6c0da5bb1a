"""How much every signal weighs, and how likely a sentence with some of them is supported."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import Field

from quaere.domain.value import Value
from quaere.domain.verdict import Confidence

Cosine = Annotated[float, Field(ge=-1, le=1)]


class Weights(Value):
    """A logistic model."""

    intercept: float
    weights: dict[str, float]
    """Weight of every signal, by name."""

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return how likely a sentence with these signals is supported.

        Of sentences of which as many are supported as not; where more are, it is more likely.
        """
        score = self.intercept + sum(self.weights[name] * signals[name] for name in self.weights)
        return 1 / (1 + math.exp(-score))


class EmbeddingSignal(Value):
    """What an embedder adds on one sentence."""

    weights: Weights
    """Those for this embedder, of the signals of the words and of the following."""
    nearest_line: Cosine
    """How near the nearest line of its sources comes to it."""

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return how likely a sentence whose words have these ``signals`` is supported."""
        return self.weights.probability({**signals, "nearest_line": self.nearest_line})


class Calibration(Weights):
    """The weights of what words alone tell, others, and where doubt begins and ends."""

    fitted_on: dict[str, str]
    """SHA-256 of every file of labelled items that the weights come from, by name of the set. Of
    these items one half was fitted on and the other kept back."""
    cut: Confidence
    """Probability from which a sentence counts as supported."""
    doubt: tuple[Confidence, Confidence]
    """Below the first a sentence is seldom supported, from the second on it mostly is; in between
    the signals cannot tell."""
    with_embedder: dict[str, Weights] = Field(default_factory=dict[str, Weights])
    """The weights that take an embedder into account besides the words, by its known name (see
    `quaere.models.similarity.known_as`). One that is not named was not measured."""


@cache
def calibration() -> Calibration:
    """Return the calibration that comes with the package."""
    text = files("quaere.verify").joinpath("calibration.json").read_text("utf-8")
    return Calibration.model_validate_json(text)
