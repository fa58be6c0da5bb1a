"""Lets a reasoner do a step, and the fallback where it cannot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TypeVar

from quaere.domain.report import Degradation
from quaere.errors import ContractError, ReasonError
from quaere.graphs.context import RunContext
from quaere.graphs.state import LoopState
from quaere.ports import Reasoner
from quaere.resilience.deadline import settle

T = TypeVar("T")

Call = Callable[[Reasoner], Coroutine[object, object, T]]

MIN_SECONDS = 0.3
"""What a step is given when the run's time is over: enough to finish without a model."""

logger = logging.getLogger(__name__)


async def reasoned(
    step: str, state: LoopState, context: RunContext, call: Call[T]
) -> tuple[T, tuple[Degradation, ...]]:
    """Return what ``call`` makes of the run's reasoner, or of its fallback (R0.12).

    The reasoner gets what is left of the run's time. When it fails or is late, the fallback takes
    the step over and the degradation is returned with the result. Once the time is over the
    fallback alone is asked.

    Raises:
        ReasonError: when there is no fallback, or when it fails too.
    """
    failures: list[str] = []
    for reasoner in filter(None, (context.reasoner, context.fallback)):
        left = context.remaining(state).seconds
        replaceable = reasoner is context.reasoner and context.fallback is not None
        try:
            if left <= 0 and replaceable:
                raise ReasonError("no time was left")
            result = await _attempt(call(reasoner), max(MIN_SECONDS, left))
        except ReasonError as error:
            failures.append(f"{reasoner.name}: {error.message}")
            logger.warning("%s could not %s: %s", reasoner.name, step, error.message)
        else:
            return result, tuple(Degradation(step=step, reason=reason) for reason in failures)
    raise ReasonError(f"No reasoner could {step}: {'; '.join(failures)}.")


def contract(kind: type[T], output: object) -> T:
    """Return ``output``, which a reasoner gave, if it is of ``kind``.

    Raises:
        ContractError: when it is not.
    """
    if not isinstance(output, kind):
        raise ContractError(f"it gave a {type(output).__name__} where a {kind.__name__} belongs")
    return output


async def _attempt(step: Coroutine[object, object, T], seconds: float) -> T:
    """Return the result of ``step``, whose every failure is a ``ReasonError``."""
    task = asyncio.create_task(step)
    await settle([task], seconds)
    if not task.done() or task.cancelled():
        raise ReasonError(f"no result within the {seconds:.1f} s that were left")
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, ReasonError):
        raise error
    logger.error("bug in a reasoner", exc_info=error)
    raise ReasonError(f"{type(error).__name__}, a bug in this reasoner") from error
