"""Takes what was read into the pool and selects from it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import filterfalse

from quaere.domain.events import EvidenceCollected, Phase
from quaere.domain.evidence import Evidence, Lead
from quaere.domain.question import Intent
from quaere.domain.report import Degradation, RunWarning
from quaere.domain.source import Passage
from quaere.evidence.appraise import Appraisal, appraise
from quaere.evidence.features import features_of
from quaere.evidence.pool import (
    add_passages,
    in_same_sources,
    repeats,
    rescore,
    reserve_places,
    select,
)
from quaere.evidence.score import rank, rank_priors
from quaere.graphs.context import RunContext, ids_relied_on, told_of
from quaere.graphs.flow import Emitter, Runtime, Update
from quaere.graphs.reasoning import compare
from quaere.graphs.state import LoopState
from quaere.resilience.thread import computed, in_slices

COMPARED, COMPARED_CHARS = 40, 800
"""Passages that an embedder compares with the question, more than are selected, and characters of
each: for a small one on one core some two thirds of a second's work."""

MIN_SECONDS = 0.5
"""What preparing passages gets when the run's time is over: some hundred ordinary ones."""

KEPT = 9
"""The best of the first look, as many as a plan is made on. They keep their places while the names
that they brought up are followed."""


async def collect(state: LoopState, runtime: Runtime) -> Update:
    """Take the loop's passages into the pool, score the whole pool anew and select from it."""
    context, emitter = runtime.context, Emitter(Phase.READING, state, runtime)
    arrivals = [context.store.passage(key) for key in state["arrivals"]]
    prepared = await _prepared(arrivals, max(MIN_SECONDS, context.remaining(state).seconds))
    warnings = _left_out(len(arrivals) - len(prepared))
    emitter.warn(warnings)
    told = await _compared(state, context, prepared)
    pool, selection, leads = await computed(
        lambda: _collected(state, context, prepared, told.by_passage)
    )
    emitter.emit(
        EvidenceCollected.between(
            state["selection"], selection, fresh=len(pool) - len(state["pool"]), pool=len(pool)
        )
    )
    return {
        "pool": pool,
        "selection": selection,
        "leads": leads,
        "arrivals": (),
        "warnings": warnings,
        "degradations": told.degradations,
    }


@dataclass(frozen=True, slots=True)
class _Told:
    """What an embedder reports on the passages of a pool."""

    by_passage: Mapping[str, float] = field(default_factory=dict[str, float])
    """How near they are to the question in meaning, by id."""
    degradations: tuple[Degradation, ...] = ()


async def _compared(state: LoopState, context: RunContext, arrivals: Sequence[Passage]) -> _Told:
    """Return how near the passages that words find best are to the question in meaning."""
    if context.embedder is None:
        return _Told()
    asked = state["question"].full_text
    found = await computed(lambda: _most_likely(state, context, arrivals))
    pairs = [(asked, f"{passage.title}\n{passage.text[:COMPARED_CHARS]}") for passage in found]
    compared = await compare(pairs, state, context)
    if compared.cosines is None:
        return _Told(degradations=compared.degradations)
    ids = (passage.id for passage in found)
    return _Told(dict(zip(ids, compared.cosines, strict=True)), compared.degradations)


def _most_likely(
    state: LoopState, context: RunContext, arrivals: Sequence[Passage]
) -> Sequence[Passage]:
    """Return the passages that an embedder compares, the likeliest by words first."""
    held = [context.store.passage(evidence.passage) for evidence in state["pool"]]
    passages = {each.id: each for each in (*held, *arrivals) if not each.whole_table}
    listed = rank_priors(passages.values(), state["considered"])
    asked = state["question"].full_text
    order = rank(asked, [*passages.values()], context.document_share, listed).order
    return [passages[key] for key in order[:COMPARED]]


async def _prepared(passages: Sequence[Passage], seconds: float) -> Sequence[Passage]:
    """Return those of ``passages`` that could be prepared for scoring within ``seconds``."""
    ready: list[Passage] = []

    def prepare(passage: Passage) -> None:
        features_of(passage.id, passage.title, passage.text)
        ready.append(passage)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await in_slices(map(prepare, passages))
    return tuple(ready)


def _left_out(count: int) -> tuple[RunWarning, ...]:
    if not count:
        return ()
    message = f"the run ran out of time before {count} passages were weighed"
    return (RunWarning(kind="read", message=message),)


def _collected(
    state: LoopState,
    context: RunContext,
    arrivals: Sequence[Passage],
    nearness: Mapping[str, float],
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...], tuple[Lead, ...]]:
    """Return the pool with ``arrivals`` in it, the selection from it, and the leads."""
    pool = add_passages(state["pool"], arrivals, iteration=state["spend"].iterations)
    held = [context.store.passage(evidence.passage) for evidence in pool]
    passages = [passage for passage in held if not passage.whole_table]
    listed = rank_priors(passages, state["considered"])
    asked = _asked(state)
    ranking = rank(asked, passages, context.document_share, listed, nearness)
    appraisal = appraise(
        asked,
        state["checklist"],
        rescore(pool, ranking.scores, ranking.parents),
        {passage.id: passage for passage in held},
        ranking.order,
        told_of(state),
    )
    seated = _seated(state, context, arrivals, appraisal.evidence)
    selection = _selected(state, appraisal, held, seated)
    return appraisal.evidence, selection, ranking.leads


def _asked(state: LoopState) -> str:
    """Return the question; as the plan reads it in the words of the sources, where words decide."""
    plan = state["research_plan"]
    if plan is not None and plan.refined_question and not state["calls"]:
        return plan.refined_question
    return state["question"].full_text


def _selected(
    state: LoopState, appraisal: Appraisal, held: Sequence[Passage], seated: Iterable[str]
) -> tuple[Evidence, ...]:
    """Return the best evidence that repeats nothing, what is ``seated`` before the rest.

    Whole tables repeat what passages say: they neither compete with these nor take their places.
    What is ticked takes no place from what is looked for: of a question of many parts the answers
    to some would leave no room to find those to the others. A run ends with no more than it may.
    """
    tables = [passage.id for passage in held if passage.whole_table]
    passages = {passage.id: passage for passage in held if not passage.whole_table}
    limit = state["budget"].max_sources
    sure = frozenset(_sure(state))
    again = repeats(appraisal.order[: LOOKED_THROUGH * limit], passages) - sure
    return select(
        appraisal.evidence,
        filterfalse(again.__contains__, appraisal.order),
        limit=limit + len(tables),
        first=(*filterfalse(again.__contains__, seated), *tables),
        beyond=min(limit, len({each.url for each in passages.values() if each.id in sure})),
    )


LOOKED_THROUGH = 4
"""Passages, for each place in the selection, that are looked through for repetitions."""


def _sure(state: LoopState) -> tuple[str, ...]:
    """Return what stays: a model has read and ticked it. Ticks by words are no better than rank."""
    return ids_relied_on(state) if state["calls"] else ()


def _seated(
    state: LoopState,
    context: RunContext,
    arrivals: Sequence[Passage],
    pool: Sequence[Evidence],
) -> tuple[str, ...]:
    """Return the passages that have a place in the selection wherever they are ranked."""
    sure = _sure(state)
    # Of what names of the first look bring, only what fits them best displaces what it has shown.
    best = state["selection"][:KEPT] if state["research_plan"] is None else ()
    kept = [evidence.passage for evidence in best]
    weighed = frozenset(state["reviewed"])
    seen = [evidence.passage for evidence in pool if evidence.id in weighed]
    seats = reserve_places(state["pending"], arrivals, context.document_share, seen)
    earlier = _seated_before(state, context, pool)
    return (*sure, *in_same_sources(state["selection"], sure), *kept, *seats, *earlier)


def _seated_before(
    state: LoopState, context: RunContext, pool: Sequence[Evidence]
) -> tuple[str, ...]:
    """Return what parts of the question were given places for by queries of earlier loops.

    With a model it is what that has read of them that stays.
    """
    asked = [each.query for each in state["outcomes"] if each.query.intent is Intent.PART]
    if state["calls"] or not any(query.places for query in asked):
        return ()
    held = [context.store.passage(evidence.passage) for evidence in pool]
    return reserve_places(asked, held, context.document_share)
