"""The engine as a tool for assistants, with progress while it works (R4.1, R4.4)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from uuid import uuid4

from pydantic import JsonValue, ValidationError

from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.budget import Limits, ProfileName
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
from quaere.domain.report import Citation, Nearby, Report
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.tool import (
    DEFAULT_ITERATIONS,
    ToolCoverage,
    ToolInput,
    ToolOutput,
    ToolPlace,
    ToolProgress,
    ToolResult,
    ToolSource,
    ToolStatus,
)
from quaere.domain.trace import Owner
from quaere.domain.value import faults_in_words
from quaere.domain.verdict import StopReason
from quaere.errors import QuaereError, QuestionError
from quaere.runtime.app import LOCAL, App
from quaere.synthesize.inert import MARKER, plain
from quaere.synthesize.nearest import shown_line
from quaere.synthesize.wording import counted
from quaere.text.inline import outside_code
from quaere.text.languages.language import ENGLISH_FRAME

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


MAX_SECONDS = 600.0
"""R4.4: ten minutes at most."""
QUERIES_PER_ITERATION = 4
"""R4.2: one or two PubMed queries and one or two web queries."""

_STATUSES = {
    StopReason.MAX_ITERATIONS: ToolStatus.MAX_ITERATIONS_REACHED,
    StopReason.BUDGET_EXHAUSTED: ToolStatus.MAX_ITERATIONS_REACHED,
    StopReason.TIMEOUT: ToolStatus.MAX_ITERATIONS_REACHED,
    StopReason.ERROR: ToolStatus.ERROR,
}
"""Status by stop reason; the contract has one status for every limit, ``stop_reason`` says which
one it was. All other reasons are a regular end; ``cancelled`` is one that was told to finish."""
_NOTICES = {
    StopReason.TIMEOUT: "Note: the research stopped at its time limit (stop reason: timeout). The "
    "answer covers only what was found by then.",
    StopReason.BUDGET_EXHAUSTED: "Note: the research stopped because its budget was used up. The "
    "answer covers only what was found by then.",
    StopReason.CANCELLED: "Note: the research was asked to finish early. The answer covers only "
    "what was found by then.",
    StopReason.ERROR: "Note: an error ended the research before it was complete.",
}


async def deep_research(
    params: ToolInput | Mapping[str, JsonValue], *, app: App | None = None, owner: Owner = LOCAL
) -> AsyncGenerator[ToolProgress | ToolResult]:
    """Research and yield progress, then the result.

    Whatever goes wrong is a result with the status ``error``, for the assistant to read.

    Args:
        params: The tool's input.
        app: Used and left open; one by the environment's settings when left out.
        owner: Whose run it is.
    """
    trace_id, state = str(uuid4()), CallState()
    message = "Refining the question and planning the research"
    yield ToolProgress(stage=REFINING, message=message, progress=0.0)
    try:
        asked = _input(params)
        spec = RunSpec(request=request_of(asked), run_id=trace_id)
        async with nullcontext(app) if app else App.open() as used:
            run = await used.start(spec, owner)
            try:
                async for event in run.events():
                    state = state.after(event)
                    if progress := state.report(event):
                        yield progress
                result = result_of(await run.report())
                try:
                    yield result
                finally:
                    run.settle()  # who has the result may leave
            finally:
                if not run.over:
                    await run.stop()
    except QuaereError as error:
        failed = ToolOutput(trace_id=trace_id, answer="", status=ToolStatus.ERROR)
        yield ToolResult(text=f"The research failed: {error.message}", payload=failed)


def run_tool(
    params: ToolInput | Mapping[str, JsonValue],
    *,
    app: Callable[[], App] = App,
    owner: Owner = LOCAL,
) -> Generator[ToolProgress, None, ToolResult]:
    """Research and yield progress; the generator's return value is the result.

    Closing the generator ends the research.

    Args:
        params: The tool's input.
        app: Makes the App that is used, and closed at the end: it belongs to one event loop.
        owner: Whose run it is.

    Raises:
        RuntimeError: when called from a running event loop; use ``deep_research`` there.
    """
    if _in_loop():
        raise RuntimeError(
            "The tool cannot block a running event loop; there, await deep_research, "
            "async_executor, or ainvoke in LangChain."
        )
    with asyncio.Runner() as runner:
        used = app()
        steps = deep_research(params, app=used, owner=owner)
        try:
            while True:
                step = runner.run(anext(steps))
                if isinstance(step, ToolResult):
                    return step
                yield step
        finally:
            runner.run(steps.aclose())
            runner.run(used.aclose())


def request_of(asked: ToolInput, limits: KeyLimits = UNLIMITED) -> RunRequest:
    """Return the request that the tool makes of its input (R4.2), as deep as ``limits`` allow.

    Its callers name no profile, so that they could not ask for a lower one.
    """
    return RunRequest.of(
        question=asked.question,
        context=asked.context,
        profile=limits.within(ProfileName.DEEP),
        limits=limits_of(asked),
        default_limits=default_limits_of(asked),
        language=asked.language,
        form=asked.form,
        scope={
            "urls": asked.urls,
            "sites": {"only": asked.sites, "exclude": asked.exclude_sites},
            "published_after": asked.published_after,
            "published_before": asked.published_before,
            "languages": asked.source_languages,
        },
        reuse=asked.reuse,
        continues=asked.continues,
        approve_plan=False,  # an assistant cannot be asked back
    )


def limits_of(asked: ToolInput) -> Limits:
    """Return the limits that a call names; where it names none, those of the operator hold.

    The default is no such name: frameworks and models fill it in.
    """
    return Limits(
        max_iters=asked.max_iterations if asked.max_iterations != DEFAULT_ITERATIONS else None
    )


def default_limits_of(asked: ToolInput) -> Limits:
    """Return the limits of a call where its operator sets none (R4.2, R4.4).

    They are its rounds, four queries a round, and ten minutes.
    """
    return Limits(
        max_iters=asked.max_iterations,
        max_queries=QUERIES_PER_ITERATION * asked.max_iterations,
        max_execution_time_s=MAX_SECONDS,
    )


def result_of(report: Report) -> ToolResult:
    """Return ``report`` as the result of the tool."""
    answer = outside_code(report.answer, lambda text: MARKER.sub(r"[src_\1]", text))
    output = ToolOutput(
        trace_id=report.run_id,
        answer=answer,
        sources=tuple(_source(citation) for citation in report.citations),
        checklist_coverage=_coverage(report.checklist),
        iterations_used=report.iterations,
        status=_STATUSES.get(report.stop_reason, ToolStatus.COMPLETED),
        stop_reason=report.stop_reason,
        earlier_run=report.earlier_run,
        nearest=tuple(map(_place, report.nearest)),
    )
    parts = (answer, where_to_look(output.nearest), _NOTICES.get(report.stop_reason))
    return ToolResult(text="\n\n".join(filter(None, parts)), payload=output)


def where_to_look(places: Sequence[ToolPlace]) -> str:
    """Return ``places`` for who reads text alone, told not to be an answer; empty without any."""
    if not places:
        return ""
    return "\n".join((f"Where to look. {ENGLISH_FRAME.near}", *map(_told, places)))


def _told(place: ToolPlace) -> str:
    called = ", ".join(filter(None, (place.title, place.heading)))
    return f"- {called} ({place.location}): {place.line}"


def _place(place: Nearby) -> ToolPlace:
    return ToolPlace(
        title=place.title,
        heading=place.heading,
        url=place.url,
        location=plain(place.location),
        line=plain(shown_line(place)),
    )


def _coverage(checklist: Checklist) -> ToolCoverage:
    by_status = {
        status: tuple(item.description for item in checklist.items if item.status is status)
        for status in ItemStatus
    }
    partial = (f"{told} - partial coverage" for told in by_status[ItemStatus.PARTIAL])
    return ToolCoverage(
        satisfied=by_status[ItemStatus.SATISFIED],
        gaps=(*partial, *by_status[ItemStatus.UNSATISFIED]),
    )


def _input(params: ToolInput | Mapping[str, JsonValue]) -> ToolInput:
    if isinstance(params, ToolInput):
        return params
    try:
        return ToolInput.model_validate(params)
    except ValidationError as error:
        raise QuestionError(
            f"Invalid input for the tool: {faults_in_words(error.errors())}."
        ) from None


def _source(citation: Citation) -> ToolSource:
    return ToolSource(
        id=f"src_{citation.id}",
        type=citation.type,
        title=citation.title,
        url=citation.url,
        snippet=citation.quote.text,
    )


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
