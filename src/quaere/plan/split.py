"""Splits what is left of a run's budget among the topics of a round.

Nothing is set aside for good: the next round splits what this one has left.
"""

from __future__ import annotations

from quaere.domain.budget import Budget, Remaining

LEAST_SOURCES = 10
"""Sources that a researcher may keep. With six, one in thirty questions of three hops lost a gold
passage that ten still show."""
REPORT_SHARE = 0.2
"""Share of tokens, money and time that is kept for the report."""
FINDING_WORDS = 60
"""Length of what a researcher writes about its topic."""


def split(
    budget: Budget, left: Remaining, *, topics: int, rounds_left: int, tool_calls: int
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
    """
    share = 1.0 if rounds_left <= 1 else 0.5
    kept = share * (1 - REPORT_SHARE)
    queries = max(1, min(tool_calls, left.queries // topics))
    reads = min(-(-int(left.reads * share) // topics), left.reads // topics)
    return budget.model_copy(
        update={
            "max_iters": queries,
            "max_queries": queries,
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
