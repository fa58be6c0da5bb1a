"""How far a call of the ``deep_research`` tool has come, from the events of its run (R4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from quaere.domain.events import (
    Evaluated,
    Event,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    SearchFinished,
    SourceRead,
)
from quaere.domain.question import Checklist, ItemStatus, SourceKind
from quaere.domain.tool import ToolProgress
from quaere.view.layout import counted

SEARCHING_SHARE = 0.85
"""Share of the progress that the loops make up; the rest is writing and checking."""

REFINING = "refining"
"""The stage before the first iteration (R4.4)."""
_PLACES: Mapping[SourceKind, str] = {
    SourceKind.PUBMED: "PubMed",
    SourceKind.WEB: "Web",
    SourceKind.FOLDER: "documents",
}
"""What a line of progress calls a provider of each kind (R4.4)."""

_WITHIN_LOOP: Mapping[Phase, float] = {
    Phase.INDEXING: 0.0,
    Phase.SEARCHING: 0.1,
    Phase.ITERATING: 0.1,
    Phase.READING: 0.4,
    Phase.PLANNING: 0.6,
    Phase.EVALUATING: 0.8,
}
_AFTERWARDS: Mapping[Phase, float] = {
    Phase.SYNTHESIZING: SEARCHING_SHARE,
    Phase.VERIFYING: 0.95,
    Phase.FINALIZING: 0.99,
}


@dataclass(frozen=True, slots=True)
class CallState:
    """What the events of a call add up to so far."""

    progress: float = 0.0
    """From 0 to 1; never decreases."""
    iteration: int = 0
    queries: tuple[str, ...] = ()
    """Queries of the current iteration that have come back, each once."""
    results: int = 0
    """Search results of the current iteration."""
    checklist: Checklist = field(default_factory=Checklist)

    def after(self, event: Event) -> CallState:
        """Return the state once ``event`` has happened."""
        state = replace(self, progress=max(self.progress, _share(event)))
        if event.loop not in {0, self.iteration}:
            state = replace(state, iteration=event.loop, queries=(), results=0)
        match event:
            case SearchFinished():
                queries = tuple(dict.fromkeys((*state.queries, event.query)))
                return replace(state, queries=queries, results=state.results + event.hits)
            case PlanMade() | Evaluated():
                return replace(state, checklist=event.checklist)
            case RunFinished():
                return replace(state, checklist=event.report.checklist)
            case _:
                return state

    @property
    def satisfied(self) -> str:
        """Satisfied items of the checklist out of all: "2/5 items"."""
        done = len(self.checklist.with_status(ItemStatus.SATISFIED))
        return f"{done}/{len(self.checklist.items)} items"

    def report(self, event: Event) -> ToolProgress | None:
        """Return the progress to report for ``event``, the last one in this state, if any."""
        described = self._described(event)
        if described is None:
            return None
        message, details = described
        data: dict[str, JsonValue] = {
            "iteration": self.iteration,
            "queries": list(self.queries),
            "checklist": self.satisfied,
        }
        return ToolProgress(
            stage=_stage(event), message=message, progress=self.progress, data=data | details
        )

    def _described(self, event: Event) -> tuple[str, dict[str, JsonValue]] | None:
        match event:
            case PlanMade():
                items: list[JsonValue] = [item.description for item in event.checklist.items]
                return f"Planned a checklist of {counted(len(items), 'item')}", {"items": items}
            case SearchFinished():
                return _searched(event)
            case SourceRead():
                details: dict[str, JsonValue] = {"url": event.url, "status": str(event.status)}
                return f"Read {event.url} ({event.status})", details
            case Evaluated():
                gaps: list[JsonValue] = list(event.gaps)
                return f"Checklist: {self.satisfied} satisfied", {
                    "coverage": event.coverage,
                    "gaps": gaps,
                }
            case PhaseStarted():
                return self._entered(event.phase)
            case RunFinished():
                return "Research complete", {"stop_reason": str(event.report.stop_reason)}
            case _:
                return None

    def _entered(self, phase: Phase) -> tuple[str, dict[str, JsonValue]] | None:
        messages = {
            Phase.READING: f"Processing {counted(self.results, 'result')}",
            Phase.SYNTHESIZING: "Research complete. Synthesizing answer",
            Phase.VERIFYING: "Checking every sentence against its source",
        }
        return (messages[phase], {}) if phase in messages else None


def _searched(event: SearchFinished) -> tuple[str, dict[str, JsonValue]]:
    outcome = f"failed ({event.error})" if event.error else f"{event.hits} found"
    where = next((name for kind, name in _PLACES.items() if kind in event.kinds), "Web")
    details: dict[str, JsonValue] = {
        "query": event.query,
        "hits": event.hits,
        "new": event.fresh,
    }
    return f"Searching {where}: {event.query!r}, {outcome}", details


def _stage(event: Event) -> str:
    within = event.loop and event.phase in _WITHIN_LOOP
    if within:
        return f"iteration_{event.loop}"
    return REFINING if event.phase in _WITHIN_LOOP else str(event.phase)


def _share(event: Event) -> float:
    """Return the share of the call that lies behind ``event``."""
    if isinstance(event, RunFinished):
        return 1.0
    if isinstance(event, RunFailed):
        return 0.0  # it got no further than what came before
    if event.phase in _AFTERWARDS:
        return _AFTERWARDS[event.phase]
    if not event.loop:
        return 0.0  # how many loops there may be is not known yet
    done = event.loop - 1 + _WITHIN_LOOP.get(event.phase, 0.0)
    return SEARCHING_SHARE * min(1.0, done / max(1, event.max_loops))
