"""Decides which proposed topics are researched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quaere.plan.novelty import Similarity, duplicate_of, topic_similarity


@dataclass(frozen=True, slots=True)
class Refusal:
    """A topic that says again what another one asks for."""

    topic: str
    repeats: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Screening:
    """The decision on each proposed topic, by its place in the proposal."""

    admitted: tuple[int, ...]
    refused: dict[int, Refusal]
    postponed: tuple[int, ...]
    """Those that are new, but too many at once."""


def screen(
    proposed: Sequence[str],
    dispatched: Sequence[str],
    *,
    threshold: float,
    at_once: int,
    similarity: Similarity = topic_similarity,
) -> Screening:
    """Return which of ``proposed`` should be researched now.

    What repeats a dispatched topic, or an earlier one of the proposal, is refused before the rest
    is cut down to ``at_once`` (R1.2).
    """
    fresh: list[int] = []
    refused: dict[int, Refusal] = {}
    for place, topic in enumerate(proposed):
        known = [*dispatched, *(proposed[other] for other in fresh)]
        repeated = duplicate_of(topic, known, threshold, similarity)
        if repeated is None:
            fresh.append(place)
        else:
            refused[place] = Refusal(topic, repeated, similarity(topic, repeated))
    return Screening(tuple(fresh[:at_once]), refused, tuple(fresh[at_once:]))
