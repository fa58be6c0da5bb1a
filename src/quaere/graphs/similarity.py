"""Asks the embedder of a run, and does without it where it cannot answer (R0.12)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from quaere.domain.report import Degradation
from quaere.errors import ReasonError, named
from quaere.graphs.context import RunContext
from quaere.graphs.reasoning import attempt
from quaere.graphs.state import LoopState
from quaere.models.similarity import cosines_of

STEP = "embed"
"""What a degradation calls it that texts could not be compared by their meaning."""
SHARE = 0.3
"""Share of the time left that an embedder gets: words tell most of what it tells."""

logger = logging.getLogger(__name__)


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
    failed = any(known.step == STEP for known in state["degradations"])
    if embedder is None or failed or not pairs:
        return UNKNOWN
    try:
        left_s = context.remaining(state).seconds
        return Comparison(await attempt(cosines_of(embedder, pairs), SHARE * left_s))
    except ReasonError as error:
        logger.warning("%s could not compare texts: %s", embedder.name, error.message)
        return Comparison(
            None, (Degradation(step=STEP, reason=named(embedder.name, error.message)),)
        )
