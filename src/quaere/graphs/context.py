"""What the nodes of a run work with: ports and the deadline, and what several see of the state.

It is never part of the state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic_core import to_json

from quaere.domain.budget import (
    ANSWERING_EARLY,
    PROFILES,
    Budget,
    ProfileName,
    Remaining,
    remaining,
)
from quaere.domain.evidence import Contradiction, Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import AnswerForm, Plan, SourceKind
from quaere.domain.report import Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import Stop, StopReason
from quaere.errors import ReasonError
from quaere.evidence.features import DocumentShare
from quaere.evidence.pool import compact, is_pressed, passage_tokens
from quaere.graphs.configuration import Configuration
from quaere.graphs.state import LoopState, SupervisorState
from quaere.models.meter import Meter
from quaere.plan.decide import left_to_search
from quaere.ports.human import Human
from quaere.ports.model import Embedder, EntailmentModel, thinking_tokens
from quaere.ports.read import Chunker, PageStore
from quaere.ports.reason import Checker, Comparable, Overview, Reasoner
from quaere.ports.search import SearchProvider
from quaere.read.batch import PrefetchingReader
from quaere.resilience.timing import Clock, unless
from quaere.synthesize.compose import Written
from quaere.text.tokens import estimate_tokens
from quaere.verify.repair import Outcome

T = TypeVar("T")


@dataclass(slots=True)
class Waits:
    """The time that a run has waited for a person, which is not its own."""

    seconds: float = 0.0


@dataclass(slots=True)
class Told:
    """What a run has told of its answer."""

    drafts: list[Sentence] = field(default_factory=list[Sentence])
    """The sentences that were heard while they were written."""
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    """What checking has made of the first of them, for good."""
    written: list[Written] = field(default_factory=list[Written])
    """The answer so far."""
    is_begun: bool = False
    is_held: bool = False
    """Whether no more may be told before all is checked."""
    broken: str = ""
    """Why no more came of the answer that was heard; empty where it is whole."""

    @property
    def settled(self) -> tuple[Sentence, ...]:
        """The drafts that need no more checking."""
        return tuple(self.drafts[: len(self.outcomes)])


@dataclass(frozen=True, slots=True)
class RunContext:
    """The outside world of one run."""

    providers: Sequence[SearchProvider]
    reasoner: Reasoner
    fallback: Reasoner | None
    """Takes over a step that ``reasoner`` cannot do."""
    ahead: PrefetchingReader
    """Opens hits that came without text, the first ones before they are asked for."""
    chunker: Chunker
    store: PageStore
    clock: Clock
    meter: Meter
    """Keeps account of the run's model calls."""
    started: float
    """``clock.monotonic()`` when the run began."""
    document_share: DocumentShare | None = None
    """How common a word is in what is searched, where a provider knows."""
    hits_per_query: int = 50
    profiles: Mapping[ProfileName, Budget] = field(default_factory=lambda: PROFILES)
    """What the limits of a run are set in place of."""
    reasoner_on: Callable[[Meter], Reasoner] | None = None
    """Makes what ``reasoner`` is for a researcher with a meter of its own."""
    asks_models: bool = False
    """Whether a call of a model is what a step of ``reasoner`` takes."""
    embedder: Embedder | None = None
    """Tells how near texts are in meaning, where the operator has one."""
    same_cosine: float | None = None
    """Cosine from which two topics are the same to that embedder; None where unknown."""
    entailment: EntailmentModel | None = None
    """Tells whether a claim follows from a text, where the operator has one."""
    delegated: bool = False
    """Whether one topic of a larger question is researched."""
    human: Human | None = None
    """The user, where the run may ask back."""
    waits: Waits = field(default_factory=Waits)
    told: Told = field(default_factory=Told)
    stop_requested: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the search is to end and the answer to be written from what is there."""

    @property
    def finishing(self) -> bool:
        """Whether the search is to end and the answer to be written from what is there."""
        return self.stop_requested.is_set()

    async def unless_finishing(self, work: Coroutine[object, object, T]) -> T | None:
        """Return what ``work`` comes to; None, and cancel it, once the search is to end."""
        return await unless(self.stop_requested, work)

    @property
    def kinds(self) -> frozenset[SourceKind]:
        """Kinds of source that its providers search."""
        return frozenset[SourceKind]().union(*(provider.kinds for provider in self.providers))

    def for_topic(self) -> RunContext:
        """Return the context of a researcher: its own time and meter, all else in common."""
        meter = self.meter.branch()
        return replace(
            self,
            reasoner=self.reasoner_on(meter) if self.reasoner_on else self.reasoner,
            meter=meter,
            started=self.clock.monotonic(),
            waits=Waits(),
            told=Told(),
            delegated=True,
        )

    def elapsed(self) -> float:
        """Return the seconds since the run began, without those it has waited for a person."""
        return max(0.0, self.clock.monotonic() - self.started - self.waits.seconds)

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Stop the run's time for as long as a person is asked."""
        began = self.clock.monotonic()
        try:
            yield
        finally:
            self.waits.seconds += self.clock.monotonic() - began

    def remaining(self, state: LoopState) -> Remaining:
        """Return what is left of the run's budget."""
        return remaining(state["budget"], state["spend"], self.elapsed())


SHORT_WORDS = 45
"""Length of a short answer: a sentence or two."""


def stop_reason(state: LoopState) -> StopReason:
    """Return why the search ended; an error where no decision was reached."""
    decision = state["decision"]
    return decision.reason if isinstance(decision, Stop) else StopReason.ERROR


def plan_of(state: LoopState) -> Plan:
    """Return the plan.

    Raises:
        ReasonError: when none was made yet.
    """
    made = state["research_plan"]
    if made is None:
        raise ReasonError("This step needs a plan, and the planning step has not run.")
    return made


def gaps_of(state: LoopState) -> tuple[str, ...]:
    """Return what the last reflection found missing."""
    return state["reflection"].gaps if state["reflection"] else ()


def told_of(state: LoopState) -> tuple[Contradiction, ...]:
    """Return the contradictions that the last reflection read."""
    return state["reflection"].contradictions if state["reflection"] else ()


def answer_words(state: LoopState) -> int | None:
    """Return the length of an answer that may come with an evaluation, if one may.

    One that is to have a form of its own is written in a step of its own.
    """
    plain = state["question"].form in {None, AnswerForm.SHORT}
    return words_wanted(state) if plain and state["profile"] in ANSWERING_EARLY else None


def words_wanted(state: LoopState) -> int:
    """Return the length that the answer is to have."""
    words = state["budget"].answer_words
    return min(words, SHORT_WORDS) if state["question"].form is AnswerForm.SHORT else words


def passages_of(evidence: Iterable[Evidence], context: RunContext) -> dict[str, Passage]:
    """Return the passages behind ``evidence`` by their ids."""
    return {item.passage: context.store.passage(item.passage) for item in evidence}


def ids_relied_on(state: LoopState) -> tuple[str, ...]:
    """Return the ids of the passages that the checklist rests on."""
    return tuple(key for item in state["checklist"].items for key in item.evidence)


def passages_to_show(
    state: LoopState, context: RunContext, *, writing: bool = False
) -> dict[str, Passage]:
    """Return the selected passages as a reasoner is to see them: shortened when tokens run low.

    A writer sees in full what was seen by who judged it, unless they do: what decided that the
    question is answered may be in any of its sentences. Who chooses lines reads any number of them:
    for it only a small budget is a reason.
    """
    passages = passages_of(state["selection"], context)
    chooses_lines = isinstance(context.reasoner, Comparable)
    writing = writing and not chooses_lines
    size = 0 if chooses_lines else state_tokens(state) + passage_tokens(passages.values())
    room = {
        "state": size,
        "left": context.remaining(state).tokens,
        "budget": state["budget"].token_budget,
    }
    if not is_pressed(**room, writing=writing):
        return passages
    whole = ids_relied_on(state) if state["calls"] else ()
    if state["calls"] and not is_pressed(**room, writing=False):
        whole = (*whole, *_judged(state))
    return compact(state["selection"], passages, state["question"].full_text, bearing=whole)


def _judged(state: LoopState) -> Iterator[str]:
    """Yield the selected passages that were judged; researchers have judged all that they bring."""
    reviewed, by_team = frozenset(state["reviewed"]), bool(state.get("topics"))
    return (e.passage for e in state["selection"] if by_team or e.id in reviewed)


def state_tokens(state: LoopState) -> int:
    """Return about how many tokens ``state`` takes when it is serialized."""
    return estimate_tokens(to_json(state).decode())


def budget_to_search(
    left: Remaining,
    state: LoopState,
    context: RunContext,
    calls: Sequence[ModelCall],
    passages: Iterable[Passage],
) -> Remaining:
    """Return what of ``left`` is there to search on with, when an answer has to be written as well.

    All of it where no model is asked. ``calls`` are those that the state does not have yet, and
    ``passages`` what a call is shown.
    """
    made = (*state["calls"], *calls)
    if not made:
        return left
    return left_to_search(
        left,
        calls=made,
        shown_tokens=passage_tokens(passages),
        answer_words=state["budget"].answer_words,
        thinking_tokens=thinking_tokens(context.reasoner),
        checked=isinstance(context.reasoner, Checker),
    )


def overview_of(
    state: SupervisorState, configuration: Configuration, context: RunContext
) -> Overview:
    """Return how far the research is."""
    return Overview(
        question=state["question"],
        brief=state["brief"],
        topics=state["topics"],
        skipped=state["skipped_topics"],
        approved=state["approved_topics"],
        dropped=state["dropped_topics"],
        at_once=configuration.max_concurrent_research_units,
        rounds_left=rounds_left(state),
        remaining=context.remaining(state),
        may_ask=configuration.allow_clarification and not state["clarified"],
    )


def rounds_left(state: SupervisorState) -> int:
    """Return how often the supervisor may still be asked; its budget counts these as loops."""
    return max(0, state["budget"].max_iters - state["research_iterations"])
