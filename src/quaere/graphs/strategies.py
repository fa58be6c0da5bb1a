"""The two ways to research a question: one loop, or a supervisor with a team of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from quaere.domain.budget import Budget, Limits, ProfileName
from quaere.domain.events import Event
from quaere.domain.model import ModelCall
from quaere.domain.question import Question
from quaere.domain.report import Degradation, Report, RunWarning
from quaere.domain.url import canonical_url
from quaere.domain.verdict import Stop, StopReason
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext, stop_reason
from quaere.graphs.flow import Driver, Flow, Runtime, run_flow
from quaere.graphs.loop import LOOP
from quaere.graphs.state import (
    LoopState,
    SupervisorState,
    TeamState,
    initial_state,
    supervisor_state,
)
from quaere.models.guard import BETWEEN_NAMES
from quaere.synthesize.direct import direct_of
from quaere.synthesize.standing import standing
from quaere.text.languages.language import frame, language_of, speaking

CUT_SHORT = frozenset(
    {
        StopReason.MAX_ITERATIONS,
        StopReason.BUDGET_EXHAUSTED,
        StopReason.TIMEOUT,
        StopReason.CANCELLED,
    }
)
"""Reasons to stop that are limits, not findings."""


def to_report(state: LoopState, *, run_id: str, seconds: float, reasoner: str) -> Report:
    """Return the report of a run that has come to its end."""
    reflection, research_plan = state["reflection"], state["research_plan"]
    with speaking(language_of(state["question"].full_text)):
        direct = direct_of(state["sentences"], reflection.confidence if reflection else 0.0)
        checklist, gaps = standing(
            state["checklist"],
            reflection.gaps if reflection else (),
            state["sentences"],
            state["dropped"],
            state["selection"],
        )
    return Report(
        run_id=run_id,
        question=state["question"].text,
        read_as=state["question"].whole,
        answer=state["answer"],
        direct=direct,
        status=state["status"],
        sentences=state["sentences"],
        dropped=state["dropped"],
        citations=state["citations"],
        agreements=state["agreements"],
        conflicts=state["conflicts"],
        checklist=checklist,
        gaps=gaps,
        nearest=state["nearest"],
        confidence=direct.confidence,
        stop_reason=stop_reason(state),
        profile=state["profile"],
        budget=state["budget"],
        spend=state["spend"],
        seconds=seconds,
        steps=state["steps"],
        queries=state["outcomes"],
        evidence=state["selection"],
        checks=state["checks"],
        warnings=tuple(_standing(state["warnings"], state["opened"])),
        degradations=tuple(dict.fromkeys(state["degradations"])),
        calls=state["calls"],
        refined_question=research_plan.refined_question if research_plan else "",
        reasoner=reasoned_by(reasoner, state["calls"], state["degradations"]),
        truncated=state["truncated"] or stop_reason(state) in CUT_SHORT,
    )


def answer_nothing(state: LoopState) -> None:
    """Let ``state`` end where its question asks nothing: the answer says that."""
    question = state["question"]
    before = [turn.question for turn in question.conversation[-1:]]
    with speaking(language_of(" ".join((*before, question.text)))):
        state["answer"] = frame().nothing_asked
    state["decision"] = Stop(reason=StopReason.NO_NEW_INFORMATION)


def _standing(warnings: Iterable[RunWarning], opened: Iterable[str]) -> Iterator[RunWarning]:
    """Yield ``warnings`` but those of pages that were opened in the end; one for each other page.

    The first says whether what a search service quoted of the page is used.
    """
    told = set(opened)
    for warning in warnings:
        page = canonical_url(warning.subject) if warning.kind == "read" else ""
        if page not in told:
            yield warning
        if page:
            told.add(page)


def reasoned_by(named: str, calls: Sequence[ModelCall], degradations: Iterable[Degradation]) -> str:
    """Return who really reasoned in a run: of the models that were ``named``, those that were used.

    Who did a step in place of one is among them.
    """
    taken_over = {each.step: each.instead for each in degradations if each.instead}
    if not taken_over and not any(call.error for call in calls):
        return named
    used = [call.model.lower() for call in calls if not (call.error or call.step in taken_over)]
    return BETWEEN_NAMES.join(dict.fromkeys((*used, *taken_over.values()))) or named


def to_supervised_report(state: TeamState, *, run_id: str, seconds: float, reasoner: str) -> Report:
    """Return the report of a supervised run that has come to its end.

    Its topics may have come back from a checkpoint as lists.
    """
    report = to_report(state, run_id=run_id, seconds=seconds, reasoner=reasoner)
    return report.model_copy(
        update={
            "dispatched_topics": tuple(state["dispatched_topics"]),
            "skipped_topics": tuple(state["skipped_topics"]),
        }
    )


S = TypeVar("S", bound=LoopState)


class Reporting(Protocol):
    """Turns the last state into a report."""

    def __call__(self, *, run_id: str, seconds: float, reasoner: str) -> Report:
        """Return the report of a run that has come to its end."""
        ...


@dataclass(frozen=True, slots=True)
class Research(Generic[S]):
    """A graph, and the state that it starts from and leaves its last values in."""

    flow: Flow[S]
    state: S
    report: Reporting
    shared: bool
    """Whether several researchers ask the same providers, so that one answer serves them all."""
    configuration: Configuration

    async def drive(self, context: RunContext, driver: Driver = run_flow) -> AsyncGenerator[Event]:
        """Run the graph, yield its events and leave its last values in ``state``.

        Closing the generator ends the run.
        """
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        runtime = Runtime(context, events.put_nowait, driver, self.configuration)
        task = asyncio.create_task(driver(self.flow, self.state, runtime, self.state.update))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
                if not events.empty():  # fifty runs that told much at once would hold the loop
                    await asyncio.sleep(0)
            await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


AnyResearch = Research[LoopState] | Research[SupervisorState]


def by_loop(
    question: Question,
    requested: ProfileName | None,
    limits: Limits,
    profiles: Mapping[ProfileName, Budget],
) -> Research[LoopState]:
    """Return the research of one loop.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    state = initial_state(question, requested=requested, limits=limits, profiles=profiles)
    return Research(
        LOOP, state, partial(to_report, state), shared=False, configuration=Configuration()
    )


def by_supervisor(
    question: Question,
    requested: ProfileName | None,
    limits: Limits,
    profiles: Mapping[ProfileName, Budget],
    configuration: Configuration,
) -> Research[SupervisorState]:
    """Return the research of a supervisor, as ``configuration`` has it.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    from quaere.graphs.supervisor import SUPERVISOR

    state = supervisor_state(
        question,
        requested=requested,
        limits=limits,
        configuration=configuration,
        profiles=profiles,
    )
    report = partial(to_supervised_report, state)
    return Research(SUPERVISOR, state, report, shared=True, configuration=configuration)
