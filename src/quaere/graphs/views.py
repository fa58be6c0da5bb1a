"""What several steps see of the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic_core import to_json

from quaere.domain.budget import ANSWERING_EARLY, Remaining
from quaere.domain.evidence import Contradiction, Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import AnswerForm, Plan
from quaere.domain.source import Passage
from quaere.domain.verdict import Stop, StopReason
from quaere.errors import ReasonError
from quaere.evidence.compact import compact, is_pressed, passage_tokens
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.state import LoopState, SupervisorState
from quaere.plan.shares import left_to_search
from quaere.ports.model import thinking_tokens
from quaere.ports.reason import Checker, Overview
from quaere.text.tokens import estimate_tokens

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


def bearing(state: LoopState) -> tuple[str, ...]:
    """Return the ids of the passages that the checklist rests on."""
    return tuple(key for item in state["checklist"].items for key in item.evidence)


def shown(state: LoopState, context: RunContext, *, writing: bool = False) -> dict[str, Passage]:
    """Return the selected passages as a reasoner is to see them: shortened when tokens run low.

    A writer sees in full what was seen by who judged it, unless they do: what decided that the
    question is answered may be in any of its sentences.
    """
    passages = passages_of(state["selection"], context)
    room = {
        "state": state_tokens(state) + passage_tokens(passages.values()),
        "left": context.remaining(state).tokens,
        "budget": state["budget"].token_budget,
    }
    if not is_pressed(**room, writing=writing):
        return passages
    whole = bearing(state) if state["calls"] else ()
    if state["calls"] and not is_pressed(**room, writing=False):
        whole = (*whole, *_judged(state))
    return compact(state["selection"], passages, state["question"].full_text, bearing=whole)


def _judged(state: LoopState) -> Iterator[str]:
    """Yield the selected passages that were judged; researchers have judged all that they bring."""
    reviewed, by_team = frozenset(state["reviewed"]), bool(state.get("topics"))
    return (e.passage for e in state["selection"] if by_team or e.id in reviewed)


def state_tokens(state: LoopState) -> int:
    """Return about how many tokens ``state`` takes when it is serialized."""
    written = to_json(state, serialize_unknown=True, inf_nan_mode="strings")
    return estimate_tokens(written.decode("utf-8", "replace"))


def searchable(
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
