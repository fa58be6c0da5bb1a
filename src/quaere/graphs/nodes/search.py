"""Asks the pending queries, and begins to read what they find first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.budget import Remaining, Spend
from quaere.domain.events import Phase, SearchFinished
from quaere.domain.question import Query
from quaere.domain.source import Hit, Passage
from quaere.domain.url import canonical_url
from quaere.evidence.pool import best_passages
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Narrator
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.state import LoopState
from quaere.plan.patience import patience_s
from quaere.plan.reads import reads_now
from quaere.search.fanout import Answer, fan_out
from quaere.search.merge import Merged, merge
from quaere.search.outcomes import summarize

FIRST_HITS = 3
"""Hits of each answer whose pages are opened before the other queries are answered; fewer where
the budget does not have so many for each. Which they are depends on no answer but their own."""


async def search(state: LoopState, runtime: Runtime) -> Update:
    """Ask the pending queries at all providers, side by side."""
    context, loop, queries = runtime.context, state["spend"].iterations, state["pending"]
    narrator = Narrator(Phase.ITERATING if loop else Phase.SEARCHING, state, runtime)
    narrator.begin(f"asking {len(queries)} {'query' if len(queries) == 1 else 'queries'}")
    left = context.remaining(state)
    early = min(FIRST_HITS, _reads(left) // max(1, len(queries) * len(context.providers)))

    def open_first(answer: Answer) -> None:
        """Begin to read the first hits of a query while others are still being asked."""
        context.ahead.begin(_untried(state, answer.hits[:early]))

    results = await fan_out(
        queries,
        context.providers,
        limit=context.hits_per_query,
        timeout_s=patience_s(left_s=left.seconds, providers=len(context.providers)),
        on_answer=open_first,
    )
    found = merge(queries, [result for result in results if isinstance(result, Answer)])
    known = frozenset(state["considered"])
    outcomes, warnings = summarize(queries, results, known=known, iteration=loop)
    urls = dict.fromkeys(canonical_url(merged.hit.url) for merged in found)
    fresh = tuple(url for url in urls if url not in known)
    narrator.count(sources_considered=len(known) + len(fresh))
    for outcome in outcomes:
        narrator.tell(
            SearchFinished(
                query=outcome.query.text,
                intent=outcome.query.intent,
                hits=outcome.hits,
                fresh=outcome.fresh,
                error=outcome.error,
            )
        )
    narrator.warn(warnings)
    passages = [passage for merged in found for passage in merged.hit.passages]
    context.store.add(passages)
    passages += [passage for merged in found for passage in _kept(merged, queries, context)]
    return {
        "outcomes": outcomes,
        "considered": fresh,
        "unread": _untried(state, (merged.hit for merged in found)),
        "arrivals": tuple(passage.id for passage in passages),
        "warnings": warnings,
        "spend": Spend(queries=len(queries)),
    }


def _reads(left: Remaining) -> int:
    return reads_now(left=left.reads, loops_left=left.iterations)


def _kept(merged: Merged, queries: Sequence[Query], context: RunContext) -> Sequence[Passage]:
    """Return what a page that was opened before holds for the queries that find it again."""
    if merged.hit.passages:
        return ()
    wanted = dict.fromkeys(queries[seen.query].text for seen in merged.sightings)
    return best_passages(context.store.of(merged.hit.url), *wanted)


def _untried(state: LoopState, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits that came without text and that no loop has tried to open."""
    tried = frozenset(state["tried"])
    return tuple(h for h in hits if not h.passages and canonical_url(h.url) not in tried)
