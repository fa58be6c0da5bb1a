"""Asks the embedder of a run, and does without it where it cannot answer (R0.12)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from quaere.domain.report import Degradation
from quaere.errors import ContractError, ReasonError
from quaere.graphs.context import RunContext
from quaere.graphs.reasoning import attempt
from quaere.graphs.state import LoopState
from quaere.ports import Embedder

SHARE = 0.3
"""Share of the time left that an embedder gets: words tell most of what it tells."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Likeness:
    """What an embedder says of some pairs of texts."""

    cosines: tuple[float, ...] | None
    """One for each pair; None when there is no embedder that could say."""
    degradations: tuple[Degradation, ...] = ()


UNKNOWN = Likeness(None)


async def likeness(
    step: str, pairs: Sequence[tuple[str, str]], state: LoopState, context: RunContext
) -> Likeness:
    """Return how near the texts of each pair are in meaning.

    An embedder that fails once in a run is not asked again in that run: it took its share of the
    time, and may do so again. The degradation is noted under the name of the ``step``.
    """
    embedder = context.embedder
    failed = any(_names(embedder, told) for told in state["degradations"])
    if embedder is None or failed or not pairs:
        return UNKNOWN
    try:
        cosines = await attempt(_asked(embedder, pairs), SHARE * context.remaining(state).seconds)
    except ReasonError as error:
        logger.warning("%s could not compare texts: %s", embedder.name, error.message)
        reason = f"{_mark(embedder)}{error.message}"
        return Likeness(None, (Degradation(step=step, reason=reason),))
    return Likeness(cosines)


async def _asked(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
    cosines = tuple(await embedder.similarities(pairs))
    if len(cosines) != len(pairs):
        raise ContractError(f"it gave {len(cosines)} cosines of {len(pairs)} pairs.")
    if not all(-1 <= cosine <= 1 for cosine in cosines):
        raise ContractError("it gave what is no cosine.")
    return cosines


def _mark(embedder: Embedder) -> str:
    return f"The embedder {embedder.name} was left out: "


def _names(embedder: Embedder | None, told: Degradation) -> bool:
    return embedder is not None and told.reason.startswith(_mark(embedder))
