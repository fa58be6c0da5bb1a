"""Lets a reasoner do a step, and the fallback where it cannot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from quaere.domain.report import Degradation
from quaere.errors import ReasonError
from quaere.graphs.context import RunContext
from quaere.graphs.state import LoopState
from quaere.ports import Reasoner

T = TypeVar("T")

MIN_SECONDS = 0.5
"""What a step is given when the run's time is over: enough to finish without a model."""

_log = structlog.get_logger(__name__)


async def reasoned(
    step: str,
    state: LoopState,
    context: RunContext,
    call: Callable[[Reasoner], Awaitable[T]],
) -> tuple[T, tuple[Degradation, ...]]:
    """Return what ``call`` makes of the run's reasoner, or of its fallback (R0.12).

    The reasoner gets what is left of the run's time. When it fails or is late, the fallback takes
    the step over and the degradation is returned with the result.

    Raises:
        ReasonError: when there is no fallback, or when it fails too.
    """
    seconds = max(MIN_SECONDS, context.remaining(state).seconds)
    try:
        async with asyncio.timeout(seconds):
            return await call(context.reasoner), ()
    except TimeoutError:
        reason = f"no result within the {seconds:.1f} s that were left"
    except ReasonError as error:
        reason = error.message
    if context.fallback is None:
        raise ReasonError(f"{context.reasoner.name} could not {step}: {reason}.")
    _log.warning("reasoner_replaced", step=step, reason=reason, fallback=context.fallback.name)
    return await call(context.fallback), (Degradation(step=step, reason=reason),)
