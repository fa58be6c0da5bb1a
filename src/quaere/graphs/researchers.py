"""Sends researchers out, each a loop of its own, and takes from them what they have in the end.

The answer of the only one is the run's where its topic is the whole question. Who judged its
evidence sufficient has just read all of it, as in the loop. To have the same evidence written up
once more would take a call and bring nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from quaere.domain.budget import Budget, Limits, ProfileName, Spend, remaining
from quaere.domain.events import Event, EvidenceCollected, PhaseStarted
from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import MAX_CONTEXT_CHARS, Question
from quaere.domain.verdict import Stop
from quaere.errors import QuaereError
from quaere.graphs.context import RunContext, answer_words
from quaere.graphs.flow import Runtime
from quaere.graphs.loop import GOING_ON, RESEARCHER
from quaere.graphs.reasoning import EMBEDDING
from quaere.graphs.state import LoopState, SupervisorState, initial_state
from quaere.plan.delegation import topic_similarity
from quaere.reason.llm.sentences import with_ids
from quaere.resilience.timing import settle

LATE_S = 1.0
"""Seconds that a researcher may be late: its last step is given time of its own."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a researcher came back with."""

    topic: str
    state: LoopState
    """Its last one; as far as it came."""
    calls: tuple[ModelCall, ...]
    """All its model calls, also those of a step that it did not end."""
    error: str = ""
    """Why it was interrupted; empty when it was not."""


async def send_out(
    topics: Sequence[str], state: SupervisorState, budget: Budget, runtime: Runtime
) -> tuple[Finding, ...]:
    """Return what researchers find on ``topics``, side by side, each within ``budget``.

    One that fails or does not come back in time leaves what it had by then, and the others alone.
    """
    relay = _Relay(state, runtime)
    whole = is_whole(topics, state)
    begun = (_task(topic, state, runtime.context, budget) for topic in topics)
    team = [
        _Researcher(topic, _taken_up(each, state) if whole else each, runtime, relay)
        for topic, each in zip(topics, begun, strict=True)
    ]
    tasks = [asyncio.create_task(each.run()) for each in team]
    await settle(tasks, budget.max_execution_time_s + LATE_S)
    late = f"it did not finish within {budget.max_execution_time_s:.0f} s"
    return tuple(each.finding(_error(task, late)) for each, task in zip(team, tasks, strict=True))


class _Researcher:
    def __init__(self, topic: str, state: LoopState, runtime: Runtime, relay: _Relay) -> None:
        self._topic, self._state, self._relay = topic, state, relay
        self._context = runtime.context.for_topic()
        self._runtime = replace(runtime, context=self._context, emit=partial(relay.tell, topic))
        self._begun = state

    async def run(self) -> None:
        flow = GOING_ON if self._begun["research_plan"] else RESEARCHER
        await self._runtime.driver(flow, self._state, self._runtime, self._note)

    def _note(self, state: LoopState) -> None:
        self._state = state
        self._relay.note(self._topic, state)

    def finding(self, error: str) -> Finding:
        state = _since(self._begun, self._state)
        if not error and not isinstance(state["decision"], Stop):
            error = "it ended without a decision"
        meter = self._context.meter
        meter.listener = None  # calls that end from here on are not accounted for
        calls = (*state["calls"], *meter.drain())
        return Finding(self._topic, state, calls, error)


class _Relay:
    """Tells the events of several researchers as those of one run."""

    def __init__(self, state: SupervisorState, runtime: Runtime) -> None:
        self._state, self._context, self._emit = state, runtime.context, runtime.emit
        self._considered, self._opened = set(state["considered"]), set(state["opened"])
        self._spent: dict[str, Spend] = {}

    def note(self, topic: str, state: LoopState) -> None:
        """Take in how far the researcher of ``topic`` is."""
        self._considered.update(state["considered"])
        self._opened.update(state["opened"])
        self._spent[topic] = state["spend"]

    def tell(self, topic: str, event: Event) -> None:
        """Tell ``event`` with the topic, and the round and the counts of the whole run.

        What a researcher selects goes by numbers of its own, so that is left out.
        """
        if isinstance(event, EvidenceCollected):
            return
        budget = self._state["budget"]
        stamp: dict[str, object] = {
            "topic": topic,
            "loop": min(self._state["spend"].iterations + 1, budget.max_iters),
            "max_loops": budget.max_iters,
            "sources_considered": len(self._considered),
            "sources_read": len(self._opened),
        }
        if isinstance(event, PhaseStarted):
            spent = sum(self._spent.values(), start=self._state["spend"])
            stamp["remaining"] = remaining(budget, spent, self._context.elapsed())
        self._emit(event.model_copy(update=stamp))


def _task(topic: str, state: SupervisorState, context: RunContext, budget: Budget) -> LoopState:
    """Return the state in which the researcher of ``topic`` starts.

    An embedder that failed the supervisor is not asked again.
    """
    question = state["question"]
    brief = state["brief"] if topic != question.text else ""
    need = "\n".join(filter(None, (brief, question.context)))[:MAX_CONTEXT_CHARS]
    fresh = initial_state(
        Question(text=topic, context=need, language=question.language),
        requested=ProfileName.SIMPLE,
        limits=cast("Limits", budget.model_dump()),
        profiles=context.profiles,
    )
    return {**fresh, "degradations": tuple(d for d in state["degradations"] if d.step == EMBEDDING)}


def _taken_up(fresh: LoopState, state: SupervisorState) -> LoopState:
    """Return ``fresh`` with the first look that the supervisor took and what was made of it.

    Who researches the whole question would look for the same and plan on it once more.
    """
    opening = state["opening"]
    if opening is None:
        return fresh
    return {
        **fresh,
        "outcomes": state["outcomes"],
        "considered": state["considered"],
        "opened": state["opened"],
        "tried": state["tried"],
        "unread": state["unread"],
        "pool": state["pool"],
        "selection": state["selection"],
        "leads": state["leads"],
        "calls": state["calls"],
        "research_plan": opening.plan,
        "checklist": opening.plan.checklist,
        "reflection": opening.reflection,
    }


def _since(begun: LoopState, state: LoopState) -> LoopState:
    """Return ``state`` without what the supervisor had before, which the run has already."""
    return {
        **state,
        "outcomes": tuple(state["outcomes"][len(begun["outcomes"]) :]),
        "calls": tuple(state["calls"][len(begun["calls"]) :]),
    }


def _error(task: asyncio.Task[None], late: str) -> str:
    """Return why ``task`` came to no end of its own; empty when it did."""
    if not task.done() or task.cancelled():
        return late
    error = task.exception()
    if error is None:
        return ""
    if isinstance(error, QuaereError):
        return error.message
    logger.error("bug in a researcher", exc_info=error)
    return f"{type(error).__name__}, a bug in this researcher"


def is_whole(topics: Sequence[str], state: SupervisorState) -> bool:
    """Return whether ``topics`` are one whose answer is that of the question.

    It is where the supervisor has said so, or asks the question itself, and nothing was researched
    before: an answer that builds on an earlier topic does not tell what that one has found.
    """
    if len(topics) != 1 or state["topics"]:
        return False
    asked = state["question"].full_text
    return wants_no_more(state) or topic_similarity(topics[0], asked) == 1


def wants_no_more(state: SupervisorState) -> bool:
    """Return whether the question is answered as soon as all topics are that were dispatched.

    It is not while a topic waits that the supervisor has named and that was put off.
    """
    said = state["delegation"]
    if said is None or not said.last:
        return False
    return set(said.topics) <= {*state["dispatched_topics"], *state["skipped_topics"]}


def for_whole(budget: Budget, state: SupervisorState) -> Budget:
    """Return ``budget``, of the only researcher, with the length of the run's answer.

    That of a topic stays where the run's answer will be written in a step of its own.
    """
    words = answer_words(state)
    return budget if words is None else budget.model_copy(update={"answer_words": words})


def carried_answer(
    findings: Sequence[Finding], pool: Sequence[Evidence], state: SupervisorState
) -> str:
    """Return the answer that the only one of ``findings`` came with, by the ids of ``pool``.

    It is empty where there is none, where it is not that of the whole question, and where the run's
    answer will be written in a step of its own.
    """
    if not is_whole([each.topic for each in findings], state) or answer_words(state) is None:
        return ""
    (found,) = findings
    reflection = found.state["reflection"]
    if found.error or reflection is None or not reflection.sufficient:
        return ""
    return with_ids(reflection.answer, ids_in(pool, found))


def ids_in(pool: Sequence[Evidence], found: Finding) -> Mapping[int, int]:
    """Return by which id of ``pool`` the run knows each piece of evidence of a researcher."""
    ids = {entry.passage: entry.id for entry in pool}
    return {entry.id: ids[entry.passage] for entry in found.state["pool"]}
