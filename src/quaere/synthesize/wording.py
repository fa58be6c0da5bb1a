"""How the outcomes of a run are put in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quaere.domain.question import ItemStatus
from quaere.domain.report import AnswerStatus, Checks
from quaere.domain.verdict import StopReason

STOP_REASONS: Mapping[StopReason, str] = MappingProxyType(
    {
        StopReason.SUFFICIENT: "the evidence answers the question",
        StopReason.NO_NEW_INFORMATION: "searching brought nothing new",
        StopReason.MAX_ITERATIONS: "the limit of loops was reached",
        StopReason.BUDGET_EXHAUSTED: "the budget was used up",
        StopReason.TIMEOUT: "the time was up",
        StopReason.DEGRADED: "searching failed too often",
        StopReason.CANCELLED: "the run was cancelled",
        StopReason.ERROR: "an error ended the search",
    }
)
"""Each completes "the search ended because"."""

STATUSES: Mapping[AnswerStatus, str] = MappingProxyType(
    {
        AnswerStatus.ANSWERED: "Answered",
        AnswerStatus.INSUFFICIENT: "Answered in part",
        AnswerStatus.NO_EVIDENCE: "Not answered",
    }
)

ITEM_STATUSES: Mapping[ItemStatus, str] = MappingProxyType(
    {
        ItemStatus.SATISFIED: "Answered",
        ItemStatus.PARTIAL: "Answered in part",
        ItemStatus.UNSATISFIED: "Open",
    }
)


def fared(checks: Checks) -> str:
    """Return how many sentences were checked and how each ended, in one sentence."""
    return (
        f"Of {checks.written} sentences written, {checks.supported} were supported as they were, "
        f"{checks.repaired} repaired, {checks.marked} marked and {checks.dropped} dropped."
    )
