"""Lets a reasoner do a step, or an embedder compare texts, and does without where they cannot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from quaere.domain.budget import Remaining, Spend
from quaere.domain.model import ModelCall
from quaere.domain.report import Degradation
from quaere.domain.verdict import Reflection
from quaere.errors import ContractError, QuaereError, ReasonError, named
from quaere.graphs.context import RunContext
from quaere.graphs.state import LoopState
from quaere.models.failures import is_unusable
from quaere.models.meter import Listener, spend_of
from quaere.models.similarity import cosines_of
from quaere.ports.reason import Reasoner
from quaere.resilience.timing import Clock, settle

T = TypeVar("T")

Call = Callable[[Reasoner], Coroutine[object, object, T]]

MIN_SECONDS = 1.0
"""What a step is given when the run's time is over: enough to finish without a model, also where
many runs want to compute at once."""

PATIENT_SHARE = 0.6
"""Share of the time left that a step gets which others must follow: a reasoner that hangs in it
leaves the fallback time to search on and to write."""

SEARCHING = frozenset({"brief", "plan", "evaluate", "supervise"})
"""Steps that no model is asked for any more once the search is to end."""

logger = logging.getLogger(__name__)


EMBEDDING = "embed"
"""What a degradation calls it that texts could not be compared by their meaning."""
EMBEDDING_SHARE = 0.3
"""Share of the time left that an embedder gets: words tell most of what it tells."""


@dataclass(frozen=True, slots=True)
class Reasoned(Generic[T]):
    """The result of a step, and what it took."""

    result: T
    degradations: tuple[Degradation, ...]
    calls: tuple[ModelCall, ...]

    @property
    def spend(self) -> Spend:
        """The tokens and the money of its calls."""
        return spend_of(self.calls)


async def reasoned(
    step: str,
    state: LoopState,
    context: RunContext,
    call: Call[T],
    told: Listener,
) -> Reasoned[T]:
    """Return what ``call`` makes of the run's reasoner, or of its fallback (R0.12).

    The reasoner gets what is left of the run's money and tokens, and its share of the time. When
    it fails or is late, the fallback takes the step over and the degradation is returned with the
    result. Once the time is over, or the search is to end, the fallback alone is asked. What a
    model refuses for good is told once a run, also where another model replaces it. ``told`` takes
    each model call as it ends, also one that ends after the step and before the next one.

    Raises:
        ReasonError: when there is no fallback, or when it fails too.
    """
    failures: list[str] = []
    passing: list[str] = []
    left = context.remaining(state)
    context.meter.open(left.tokens, left.usd)
    context.meter.listener = told
    for reasoner in _able(step, context):
        left = context.remaining(state)
        replaceable = reasoner is context.reasoner and context.fallback is not None
        tried = attempt(call(reasoner), _seconds(step, left, replaceable=replaceable))
        try:
            result = await _unless_needless(tried, step, context, replaceable=replaceable)
        except ReasonError as error:
            failures.append(named(reasoner.name, error.message))
            if not is_unusable(error):
                passing.append(failures[-1])
            logger.warning("%s could not %s: %s", reasoner.name, step, error.message)
        else:
            if result is None:
                continue
            reasons = (*map(_lasting, context.meter.refusals.drain()), *passing)
            instead = reasoner.name if failures else ""
            degradations = tuple(
                Degradation(step=step, reason=reason, instead=instead) for reason in reasons
            )
            return Reasoned(result, degradations, context.meter.drain())
    raise ReasonError(f"No reasoner could {step}: {'; '.join(failures)}.")


def _able(step: str, context: RunContext) -> Iterator[Reasoner]:
    """Yield who may do ``step``, in the order in which they are asked."""
    if context.fallback is None or not (context.finishing and step in SEARCHING):
        yield context.reasoner
    if context.fallback is not None:
        yield context.fallback


async def _unless_needless(
    tried: Coroutine[object, object, T], step: str, context: RunContext, *, replaceable: bool
) -> T | None:
    """Return what ``tried`` comes to; None when the search ends first and another can do it."""
    if replaceable and step in SEARCHING:
        return await context.unless_finishing(tried)
    return await tried


def signed(
    reflection: Reflection, made_by: Iterable[ModelCall], step: str, clock: Clock
) -> Reflection:
    """Return ``reflection`` with who made it, when, and at how many tokens of ``step`` (R0.3).

    What it says of this already stays; a model was asked in vain where somebody else has made it.
    """
    told = reflection.metadata
    calls = [call for call in made_by if call.step == step]
    known = {
        "timestamp": told.timestamp or clock.now().isoformat(timespec="milliseconds"),
        "model": told.model or (calls[-1].model if calls else ""),
        "token_count": spend_of(calls).tokens if calls else told.token_count,
    }
    return reflection.model_copy(update={"metadata": told.model_copy(update=known)})


def contract(kind: type[T], output: object) -> T:
    """Return ``output``, which a reasoner gave, if it is of ``kind``.

    Raises:
        ContractError: when it is not.
    """
    if not isinstance(output, kind):
        raise ContractError(f"it returned a {type(output).__name__} instead of a {kind.__name__}")
    return output


def _seconds(step: str, left: Remaining, *, replaceable: bool) -> float:
    """Return how long a reasoner may take for ``step``; nothing where another can do without."""
    if not replaceable:
        return max(MIN_SECONDS, left.seconds)
    return left.seconds if step == "synthesize" else PATIENT_SHARE * left.seconds


def _lasting(refusal: str) -> str:
    return f"{refusal.removesuffix('.')}. It was not asked again."


async def attempt(step: Coroutine[object, object, T], seconds: float) -> T:
    """Return the result of ``step``.

    Raises:
        ReasonError: when it fails, however it does, or has no result within ``seconds``.
    """
    if seconds <= 0:
        step.close()
        raise ReasonError("no time was left")
    task = asyncio.create_task(step)
    await settle([task], seconds)
    if not task.done() or task.cancelled():
        raise ReasonError("no result within the time that was left for it")
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, ReasonError):
        raise error
    if isinstance(error, QuaereError):  # such as what a recording of another question lacks
        raise ReasonError(error.message.rstrip(".")) from error
    logger.error("bug in a reasoner", exc_info=error)
    raise ReasonError(f"{type(error).__name__}, a bug in this reasoner") from error


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an embedder says of some pairs of texts."""

    cosines: tuple[float, ...] | None
    """One for each pair; None when there is no embedder that could say."""
    degradations: tuple[Degradation, ...] = ()


UNKNOWN = Comparison(None)


async def compare(
    pairs: Sequence[tuple[str, str]], state: LoopState, context: RunContext
) -> Comparison:
    """Return how near the texts of each pair are in meaning.

    An embedder that fails once in a run is not asked again in that run: it took its share of the
    time, and may do so again.
    """
    embedder = context.embedder
    failed = any(known.step == EMBEDDING for known in state["degradations"])
    if embedder is None or failed or not pairs:
        return UNKNOWN
    try:
        left_s = context.remaining(state).seconds
        return Comparison(await attempt(cosines_of(embedder, pairs), EMBEDDING_SHARE * left_s))
    except ReasonError as error:
        logger.warning("%s could not compare texts: %s", embedder.name, error.message)
        return Comparison(
            None, (Degradation(step=EMBEDDING, reason=named(embedder.name, error.message)),)
        )
