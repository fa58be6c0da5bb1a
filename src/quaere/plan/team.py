"""Decides whether a question is worth a team."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.profile import ProfileName
from quaere.domain.team import Strategy
from quaere.plan.novelty import topic_similarity

LEAST_TOPICS = 2
DISTINCT = 0.5
"""Similarity from which two topics would be searched for with much the same words."""


def is_team_work(topics: Sequence[str]) -> bool:
    """Return whether ``topics`` are several that one can research without knowing the others."""
    distinct: list[str] = []
    for topic in topics:
        if all(topic_similarity(topic, other) < DISTINCT for other in distinct):
            distinct.append(topic)
    return len(distinct) >= LEAST_TOPICS


def choose_strategy(
    requested: Strategy,
    profile: ProfileName | None,
    topics: Sequence[str],
    *,
    single_pass: bool = False,
) -> Strategy:
    """Return how to research: as requested, and left to the engine, with a team where it pays.

    Args:
        requested: By the caller.
        profile: The profile that was asked for; one that planning may yet find starts no team.
        topics: Into which the question falls apart.
        single_pass: Whether the operator has switched looping off, which researchers would do.
    """
    if single_pass:
        return Strategy.LOOP
    if requested is not Strategy.AUTO:
        return requested
    deep = profile is ProfileName.DEEP
    return Strategy.SUPERVISOR if deep and is_team_work(topics) else Strategy.LOOP
