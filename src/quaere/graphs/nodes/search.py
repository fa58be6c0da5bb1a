"""Asks the pending queries, and begins to read what they find first."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b

from quaere.domain.budget import Remaining, Spend
from quaere.domain.events import Found, Phase, SearchFinished
from quaere.domain.question import Query
from quaere.domain.source import Hit, Passage
from quaere.domain.url import canonical_url
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.nodes.read import best_of
from quaere.graphs.state import LoopState
from quaere.plan.shares import patience_s, reads_now
from quaere.resilience.thread import computed
from quaere.search.fanout import Answer, Failure, Outcome, fan_out, summarize
from quaere.search.merge import Merged, merge

TITLE_CHARS = 200
"""Of a title that is told; a page chooses its own, and some put an article there."""

FIRST_HITS = 3
"""Hits of each answer whose pages are opened before the other queries are answered; fewer where
the budget does not have so many for each. Which they are depends on no answer but their own."""


async def search(state: LoopState, runtime: Runtime) -> Update:
    """Ask the pending queries at all providers, side by side; none once the search is to end."""
    context, loop, queries = runtime.context, state["spend"].iterations, state["pending"]
    if context.finishing:
        return {}
    emitter = Emitter(Phase.ITERATING if loop else Phase.SEARCHING, state, runtime)
    emitter.begin(f"asking {len(queries)} {'query' if len(queries) == 1 else 'queries'}")
    left = context.remaining(state)
    early = min(FIRST_HITS, _reads(left) // max(1, len(queries) * len(context.providers)))

    listed = set(state["considered"])
    arrived: list[Outcome] = []

    def on_outcome(outcome: Outcome) -> None:
        """Report it, and begin to read its first hits while others are still being asked."""
        arrived.append(outcome)
        emitter.emit(_finished(outcome, listed, context))
        if isinstance(outcome, Answer):
            listed.update(canonical_url(hit.url) for hit in outcome.hits)
            context.ahead.begin(_untried(state, outcome.hits[:early]))

    asking = fan_out(
        queries,
        context.providers,
        limit=context.hits_per_query,
        timeout_s=patience_s(left_s=left.seconds, providers=len(context.providers)),
        on_outcome=on_outcome,
        now=context.clock.now,
    )
    results = await context.unless_finishing(asking)
    if results is None:
        results = arrived
    return await _taken_in(state, results, emitter, context)


async def _taken_in(
    state: LoopState, results: Sequence[Outcome], emitter: Emitter, context: RunContext
) -> Update:
    """Return what ``results`` of the pending queries add to the state; tell what failed."""
    queries, known = state["pending"], frozenset(state["considered"])
    answers = [result for result in results if isinstance(result, Answer)]
    found = await computed(lambda: merge(queries, answers))
    heard = [each.query for each in results]
    outcomes, warnings = summarize(
        [query for query in queries if query in heard],
        results,
        known=known,
        iteration=state["spend"].iterations,
    )
    urls = dict.fromkeys(canonical_url(merged.hit.url) for merged in found)
    fresh = tuple(url for url in urls if url not in known)
    emitter.count(sources_considered=len(known) + len(fresh))
    emitter.warn(warnings)
    passages = [passage for merged in found for passage in merged.hit.passages]
    context.store.add(passages)
    passages += await _kept(found, queries, context, context.remaining(state).seconds)
    return {
        "outcomes": outcomes,
        "considered": fresh,
        "unread": _untried(state, (merged.hit for merged in found)),
        "arrivals": tuple(passage.id for passage in passages),
        "warnings": warnings,
        "spend": Spend(queries=len(queries)),
    }


def _finished(outcome: Outcome, listed: Collection[str], context: RunContext) -> SearchFinished:
    """Return what there is to tell of ``outcome``, where these sources were ``listed`` before."""
    hits = reversed(outcome.hits if isinstance(outcome, Answer) else ())
    found = {each.url: each for each in map(_found, hits)}
    best_first = sorted(found.values(), key=lambda each: each.rank)
    provider = next(each for each in context.providers if each.name == outcome.provider)
    return SearchFinished(
        query=outcome.query.text,
        intent=outcome.query.intent,
        provider=outcome.provider,
        kinds=tuple(sorted(provider.kinds)),
        hits=len(found),
        fresh=len(found.keys() - set(listed)),
        found=tuple(each for each in best_first if each.url not in listed),
        known=tuple(each.id for each in best_first if each.url in listed),
        seconds=outcome.seconds,
        retries=outcome.retries,
        retrieved_at=context.clock.now().isoformat(timespec="milliseconds"),
        error=outcome.message if isinstance(outcome, Failure) else "",
    )


def _found(hit: Hit) -> Found:
    url = canonical_url(hit.url)
    key = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return Found(
        id=key, url=url, title=hit.title[:TITLE_CHARS], provider=hit.provider, rank=hit.rank
    )


def _reads(left: Remaining) -> int:
    return reads_now(left=left.reads, loops_left=left.iterations)


async def _kept(
    found: Iterable[Merged], queries: Sequence[Query], context: RunContext, seconds: float
) -> list[Passage]:
    """Return what pages that were opened before hold for the queries that find them again.

    After ``seconds`` the rest is left: it was looked at once already.
    """
    kept: list[Passage] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            for merged in found:
                held = () if merged.hit.passages else context.store.of(merged.hit.url)
                if held:
                    wanted = dict.fromkeys(queries[seen.query].text for seen in merged.sightings)
                    kept += await best_of(held, list(wanted))
    return kept


def _untried(state: LoopState, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits that came without text and that no loop has tried to open."""
    tried = frozenset(state["tried"])
    return tuple(h for h in hits if not h.passages and canonical_url(h.url) not in tried)
