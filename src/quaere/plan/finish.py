"""Decides whether a supervisor is asked again, and why not."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quaere.domain.budget import Remaining
from quaere.domain.value import Value
from quaere.domain.verdict import StopReason


class Progress(Value):
    """How far a supervised research is after a round."""

    answered: bool
    """Whether every topic is."""
    last: bool = False
    """Whether the supervisor has said that nothing is left once they are."""
    novelty: Annotated[float, Field(ge=0, le=1)] | None = None
    """Share of the round's findings that the earlier notes lack; None where there are none."""
    rounds_left: int
    remaining: Remaining
    """Without what the report takes; no tokens where the money for more calls is spent."""
    degraded: bool = False
    finishing: bool = False
    """Whether the search is to end with what is there."""


class Ending(Value):
    """Why the research ends."""

    reason: StopReason
    why: str
    """In words, for the trace."""
    truncated: bool = True
    """Whether it is cut short: the supervisor has not called it complete."""


def completed(*, answered: bool) -> Ending:
    """Return the ending of a research that its supervisor calls complete."""
    if answered:
        return Ending(reason=StopReason.SUFFICIENT, why="complete", truncated=False)
    return Ending(reason=StopReason.NO_NEW_INFORMATION, why="complete", truncated=False)


def ending(progress: Progress, *, early: bool, min_novelty: float) -> Ending | None:
    """Return why the research ends, or None when the supervisor should be asked again.

    Args:
        progress: Where it stands.
        early: Whether it may end before a limit is reached (R1.5).
        min_novelty: Novelty of a round below which it does.
    """
    if early and progress.answered and progress.last:
        why = "every topic is answered, and the supervisor wanted no more than these."
        return Ending(reason=StopReason.SUFFICIENT, why=why, truncated=False)
    if progress.finishing:
        return Ending(reason=StopReason.CANCELLED, why="the run was asked to finish.")
    if early and progress.novelty is not None and progress.novelty < min_novelty:
        why = (
            f"the last round brought little that is new: its novelty score is "
            f"{progress.novelty:.2f}, below the threshold of {min_novelty:.2f}."
        )
        return Ending(reason=StopReason.NO_NEW_INFORMATION, why=why)
    return _exhausted(progress)


def _exhausted(progress: Progress) -> Ending | None:
    left = progress.remaining
    if left.seconds <= 0:
        return Ending(reason=StopReason.TIMEOUT, why="the time is over.")
    if progress.degraded:
        return Ending(reason=StopReason.DEGRADED, why="too many searches failed.")
    if progress.rounds_left == 0:
        return Ending(reason=StopReason.MAX_ITERATIONS, why="the limit of rounds is reached.")
    if left.queries == 0 or left.tokens == 0:
        return Ending(reason=StopReason.BUDGET_EXHAUSTED, why="the budget is used up.")
    return None
