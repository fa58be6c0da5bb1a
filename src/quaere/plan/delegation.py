"""Which topics are researched, by whom, in which depth and with what share of the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quaere.domain.budget import Budget, ProfileName, Remaining
from quaere.domain.team import Strategy
from quaere.plan.topics import Similarity, duplicate_of, topic_similarity


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


LEAST_SOURCES = 10
"""Sources that a researcher may keep. With six, one in thirty questions of three hops lost a gold
passage that ten still show."""
REPORT_SHARE = 0.2
"""Share of tokens, money and time that is kept for the report."""
FINDING_WORDS = 60
"""Length of what a researcher writes about its topic."""


def split(
    budget: Budget,
    left: Remaining,
    *,
    topics: int,
    rounds_left: int,
    tool_calls: int,
    paid: int = 0,
) -> Budget:
    """Return the budget of each of ``topics`` researchers that work side by side.

    Half of what is left goes to this round and the rest to those after it; all of it in the last.
    Time is not divided, for they share it.

    Args:
        budget: Of the whole run.
        left: What is left of it.
        topics: Researchers of this round, one at least, and no more than queries are left.
        rounds_left: Rounds that may follow, this one included.
        tool_calls: Searches that one researcher may make.
        paid: Searches of each that were made before: it begins with them, and they are not made
            again.
    """
    share = 1.0 if rounds_left <= 1 else 0.5
    kept = share * (1 - REPORT_SHARE)
    queries = max(1, min(tool_calls, left.queries // topics))
    reads = min(-(-int(left.reads * share) // topics), left.reads // topics)
    return budget.model_copy(
        update={
            "max_iters": queries,
            "max_queries": queries + paid,
            "max_sources": min(
                budget.max_sources, max(LEAST_SOURCES, budget.max_sources // topics)
            ),
            "max_reads": reads,
            "max_execution_time_s": max(0.1, left.seconds * kept),
            "token_budget": int(left.tokens * kept) // topics,
            "max_cost_usd": None if left.usd is None else left.usd * kept / topics,
            "answer_words": min(FINDING_WORDS, budget.answer_words),
        }
    )


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


def choose_tier(requested: ProfileName | None, detected: ProfileName | None) -> ProfileName:
    """Return the profile: as requested, else as planning found, else standard (R0.6)."""
    return requested or detected or ProfileName.STANDARD
