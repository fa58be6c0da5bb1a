"""Tells the events of one step."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from quaere.domain.events import Event, Phase, PhaseStarted, WarningRaised
from quaere.domain.report import RunWarning
from quaere.domain.verdict import Stop
from quaere.graphs.flow import Runtime
from quaere.graphs.state import LoopState

logger = logging.getLogger(__name__)


class Narrator:
    """Stamps phase, loop and counts on a step's events and sends them."""

    def __init__(self, phase: Phase, state: LoopState, runtime: Runtime) -> None:
        self._emit = runtime.emit
        budget, done = state["budget"], state["spend"].iterations
        under_way = not isinstance(state["decision"], Stop)
        self._remaining = runtime.context.remaining(state)
        self._stamp: dict[str, Phase | int] = {
            "phase": phase,
            "loop": min(done + under_way, budget.max_iters),
            "max_loops": budget.max_iters,
            "sources_considered": len(state["considered"]),
            "sources_read": len(state["opened"]),
        }

    def begin(self, message: str = "") -> None:
        """Say that the phase has begun and what is left of the budget, to readers and the log."""
        logger.info(
            "phase=%s iteration=%d tokens_left=%d results=%d",
            self._stamp["phase"],
            self._stamp["loop"],
            self._remaining.tokens,
            self._stamp["sources_considered"],
        )
        self.tell(PhaseStarted(message=message, remaining=self._remaining))

    def count(self, **figures: int) -> None:
        """Correct the numbers of sources, or the loop, for the events that follow."""
        self._stamp.update(figures)

    def tell(self, event: Event) -> None:
        """Send ``event``."""
        self._emit(event.model_copy(update=self._stamp))

    def warn(self, warnings: Iterable[RunWarning]) -> None:
        """Send one event for each warning."""
        for warning in warnings:
            self.tell(WarningRaised(warning=warning))
