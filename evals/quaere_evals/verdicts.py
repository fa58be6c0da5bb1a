"""Scores yes and no, and how likely yes is, against what people said. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def balanced_accuracy(labels: Sequence[bool], said: Sequence[bool]) -> float:
    """Return the mean of the share of yes that was found and that of no; 0.5 is chance."""
    opposite = recall([not label for label in labels], [not verdict for verdict in said])
    return (recall(labels, said) + opposite) / 2


def precision(labels: Sequence[bool], said: Sequence[bool]) -> float:
    """Return the share of what was called yes that is; 0.0 when nothing was."""
    return recall(said, labels)


def recall(labels: Sequence[bool], said: Sequence[bool]) -> float:
    """Return the share of yes that was called so; 0.0 when there is no yes."""
    hits = sum(label and verdict for label, verdict in zip(labels, said, strict=True))
    return hits / sum(labels) if hits else 0.0


def auroc(labels: Sequence[bool], scores: Sequence[float]) -> float:
    """Return how often a yes scores above a no, ties as half; 0.5 when there is only one kind."""
    pairs = list(zip(labels, scores, strict=True))
    below = sorted(score for label, score in pairs if not label)
    above = [score for label, score in pairs if label]
    if not below or not above:
        return 0.5
    won = sum(bisect_left(below, score) + bisect_right(below, score) for score in above)
    return won / (2 * len(above) * len(below))
