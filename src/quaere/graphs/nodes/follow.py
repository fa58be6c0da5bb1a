"""Asks for what the first look leads to, before a model plans."""

from __future__ import annotations

from typing import Literal

from quaere.domain.question import Intent, Query
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Command, Runtime
from quaere.graphs.state import LoopState
from quaere.plan.queries import leads_to_follow, queries_to_follow, split
from quaere.reason.extractive.queries import bridge_queries
from quaere.resilience.thread import computed

PLACES = 3
"""Places in the selection that each query's best passages get: what answers a query stood among
its best three in 96 % of 180 searches."""


async def follow(state: LoopState, runtime: Runtime) -> Command[Literal["search", "plan"]]:
    """Search once more for the strongest names that the first look has brought up, or go on.

    A question of two steps then takes one call of a model instead of two. Without a model nothing
    is saved by it: its plan follows names at once.
    """
    queries = await computed(lambda: _queries(state, runtime.context))
    if queries:
        return Command(goto="search", update={"pending": queries})
    return Command(goto="plan", update={})


def _queries(state: LoopState, context: RunContext) -> tuple[Query, ...]:
    followed = any(outcome.query.intent is Intent.BRIDGE for outcome in state["outcomes"])
    if followed or context.finishing or not context.asks_models:
        return ()
    limit = queries_to_follow(context.remaining(state), state["budget"])
    if not limit:
        return ()
    question = state["question"]
    asked = question.model_copy(update={"text": question.full_text})
    leads = leads_to_follow(asked.text, state["leads"], state["selection"], limit=limit)
    queries = bridge_queries(asked, leads, state["outcomes"], limit=limit)
    placed = (query.model_copy(update={"places": PLACES}) for query in queries)
    return split(tuple(placed), context.kinds)[:limit]
