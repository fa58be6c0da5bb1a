"""What the model calls of a run took, in words."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.model import ModelCall

LEAST_USD = 0.0001
"""Less than that is not told apart."""


def ledger(calls: Sequence[ModelCall]) -> str:
    """Return how many ``calls`` there were and what they took; empty when there was none.

    Tokens that no vendor counted make it "about"; calls without a known price are said to be left
    out of the sum.
    """
    if not calls:
        return ""
    tokens = sum(call.usage.total_tokens for call in calls)
    about = "about " if any(call.usage.estimated for call in calls) else ""
    noun = "call" if len(calls) == 1 else "calls"
    return f"{len(calls)} model {noun}, {about}{tokens:,} tokens, {_cost(calls)}"


def dollars(usd: float) -> str:
    """Return ``usd`` to a hundredth of a cent, from a dollar on to a cent."""
    if usd == 0:
        return "$0"
    if usd < LEAST_USD:
        return f"under ${LEAST_USD}"
    if usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.4f}".rstrip("0").ljust(len("$0.00"), "0")


def _cost(calls: Sequence[ModelCall]) -> str:
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    if not known:
        return "price not known"
    unknown = len(calls) - len(known)
    rest = f" and {unknown} of unknown price" if unknown else ""
    return f"{dollars(sum(known))}{rest}"
