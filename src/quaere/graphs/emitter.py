"""Emits the events of one step."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from quaere.domain.events import (
    Event,
    EvidenceCompacted,
    ModelCalled,
    Phase,
    PhaseStarted,
    WarningRaised,
)
from quaere.domain.model import ModelCall
from quaere.domain.report import RunWarning
from quaere.domain.source import Passage
from quaere.domain.verdict import Stop
from quaere.evidence.pool import passage_tokens
from quaere.graphs.flow import Runtime
from quaere.graphs.state import LoopState
from quaere.ports.read import PageStore

logger = logging.getLogger(__name__)


class Emitter:
    """Stamps phase, loop and counts on a step's events and sends them."""

    def __init__(self, phase: Phase, state: LoopState, runtime: Runtime) -> None:
        self._send = runtime.emit
        self._failed: set[str] = set()
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
        """Announce the phase and what is left of the budget, as an event and in the log."""
        fields = {
            "phase": str(self._stamp["phase"]),
            "iteration": self._stamp["loop"],
            "tokens_left": self._remaining.tokens,
            "results": self._stamp["sources_considered"],
        }
        logger.info(
            "phase=%(phase)s iteration=%(iteration)d tokens_left=%(tokens_left)d "
            "results=%(results)d",
            fields,
            extra={"fields": fields},
        )
        self.emit(PhaseStarted(message=message, remaining=self._remaining))

    def count(self, **figures: int) -> None:
        """Correct the numbers of sources, or the loop, for the events that follow."""
        self._stamp.update(figures)

    def emit(self, event: Event) -> None:
        """Send ``event``."""
        self._send(event.model_copy(update=self._stamp))

    def called(self, call: ModelCall) -> None:
        """Send ``call``, which has just ended."""
        retried = call.attempt > 1 or call.step in self._failed
        self.emit(ModelCalled(call=call, retried=retried))
        (self._failed.add if call.error else self._failed.discard)(call.step)

    def compacted(self, shown: Mapping[str, Passage], store: PageStore) -> None:
        """Send by how much passages were shortened for a step, where they were."""
        whole = {key: store.passage(key) for key in shown}
        cut = sum(len(shown[key].text) < len(whole[key].text) for key in shown)
        if cut:
            before, after = (passage_tokens(each.values()) for each in (whole, shown))
            self.emit(EvidenceCompacted(passages=cut, tokens_before=before, tokens_after=after))

    def warn(self, warnings: Iterable[RunWarning]) -> None:
        """Send one event for each warning."""
        for warning in warnings:
            self.emit(WarningRaised(warning=warning))
