"""How sure the reasoner is that the evidence answers the question."""

from __future__ import annotations

from quaere.domain.question import Checklist

COVERAGE, MATCH, AGREEMENT = 0.6, 0.25, 0.15
"""Weights of the three parts; they sum to 1."""


def confidence(checklist: Checklist, *, match: float, origins: int) -> float:
    """Return a figure from 0 (nothing found) to 1 (all of it found, in several places).

    It is a weighted sum, not a probability: the share of the checklist that is answered, how
    fully the best sentence and what leads to it cover the words of the question, and in how many
    independent places the answer stands (one gives nothing, two half, three two thirds ...).

    Args:
        checklist: The checklist as ticked.
        match: Share, 0 to 1, of the question's terms that the best chain of sentences covers.
        origins: Number of independent origins of the passages that bear the answer.
    """
    if match <= 0.0 or origins < 1:
        return 0.0
    agreement = 1.0 - 1.0 / origins
    total = COVERAGE * checklist.coverage + MATCH * min(1.0, match) + AGREEMENT * agreement
    return round(total, 3)
