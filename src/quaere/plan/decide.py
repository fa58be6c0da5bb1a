"""Decides whether a run searches on or stops, and why."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.budget import Remaining
from quaere.domain.question import Intent, Query
from quaere.domain.report import QueryOutcome
from quaere.domain.value import Value
from quaere.domain.verdict import Continue, Reflection, Stop, StopReason

FAILURES_IN_A_ROW = 3
"""Consecutive failed searches after which search counts as degraded (R0.8)."""

FAILED_SHARE = 0.5
"""Share of all queries failing from which search counts as degraded (R0.8)."""

SETTLED = 2
"""New pieces of evidence in the selection up to which a loop has changed next to nothing. On four
multi-hop question sets the loops after such a one brought no further gold passage."""


BARREN_LOOPS = 2
"""Loops in a row without a finding after which a reasoner that names its findings searches no more.
One may fail for its wording; a second has tried other words."""


class Standing(Value):
    """What the decision is made on."""

    reflection: Reflection
    remaining: Remaining
    settled: bool
    """Whether the last loop changed next to nothing in the selection."""
    degraded: bool
    next_queries: tuple[Query, ...]
    """Proposed queries that are new and within the budget."""
    finishing: bool = False
    """Whether the search is to end with what is there."""


def is_degraded(outcomes: Sequence[QueryOutcome]) -> bool:
    """Whether searching has failed so often that its results are partial at best (R0.8)."""
    failed = [bool(outcome.error) for outcome in outcomes]
    if not any(failed):
        return False
    return all(failed[-FAILURES_IN_A_ROW:]) or sum(failed) >= FAILED_SHARE * len(failed)


def is_settled(*, fresh: int, iteration: int) -> bool:
    """Whether a loop that brought ``fresh`` evidence into the selection changed next to nothing.

    ``iteration`` counts loops from 1; the first look changes everything.
    """
    return iteration > 1 and fresh <= SETTLED


def is_barren(findings: Sequence[int | None]) -> bool:
    """Whether the last loops, the first look aside, brought no finding; ``findings`` is by loop."""
    last = findings[1:][-BARREN_LOOPS:]
    return len(last) == BARREN_LOOPS and all(count == 0 for count in last)


def decide(standing: Standing) -> Continue | Stop:
    """Return the next step; sufficient evidence is the first stopping condition (R0.2)."""
    left = standing.remaining
    if standing.reflection.sufficient:
        return Stop(reason=StopReason.SUFFICIENT)
    if standing.finishing:
        return Stop(reason=StopReason.CANCELLED)
    if left.seconds <= 0:
        return Stop(reason=StopReason.TIMEOUT)
    if standing.degraded:
        return Stop(reason=StopReason.DEGRADED)
    if left.iterations == 0:
        return Stop(reason=StopReason.MAX_ITERATIONS)
    if left.queries == 0 or left.tokens == 0:
        return Stop(reason=StopReason.BUDGET_EXHAUSTED)
    reworded = any(q.intent is Intent.REFORMULATION for q in standing.next_queries)
    if not standing.next_queries or (standing.settled and not reworded):
        return Stop(reason=StopReason.NO_NEW_INFORMATION)
    return Continue(queries=standing.next_queries)
