"""Asks the pending queries, and begins to read what they find first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice

from quaere.domain.budget import Remaining, Spend
from quaere.domain.events import Found, Phase, SearchFinished
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Passage
from quaere.domain.url import canonical_url, without_site
from quaere.errors import CircuitOpen, ServiceAway, named
from quaere.evidence.features import phrase, title_forms
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Emitter, Runtime, Update
from quaere.graphs.nodes.read import best_of
from quaere.graphs.state import LoopState
from quaere.plan.decide import patience_s, pause_s, reads_now
from quaere.resilience.thread import computed
from quaere.search.fanout import Answer, Failure, Merged, Outcome, fan_out, merge, summarize
from quaere.text.tokens import is_stop_word, words

TITLE_CHARS = 200
"""Of a title that is told; a page chooses its own, and some put an article there."""

FIRST_HITS = 3
"""Hits of each answer whose pages are opened before the other queries are answered; fewer where
the budget does not have so many for each. Which they are depends on no answer but their own."""


FULL_TEXTS = 3
"""Works of one round whose full texts are opened besides their abstracts, after the pages that
came without any text."""


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
            first = named_first(outcome.hits, [outcome.query.text])[:early]
            context.ahead.begin(_untried(state, first))

    worked = any(not each.error for each in state["outcomes"])
    asking = _asked(queries, context, left.seconds, on_outcome, emitter.warn, worked=worked)
    results = await context.unless_finishing(asking)
    if results is None:
        results = arrived
    return await _taken_in(state, results, emitter, context)


_AWAY = ServiceAway("").type
_LEFT_ALONE = frozenset({CircuitOpen("").type, _AWAY})
PAUSE_S = 1.0
"""Seconds after which services that are left alone for a while are tried again."""
SHORT_PAUSES = 3
"""Pauses that are not told: after the next, a service's first probe has failed as well."""


async def _asked(
    queries: Sequence[Query],
    context: RunContext,
    left_s: float,
    on_outcome: Callable[[Outcome], None],
    warn: Callable[[Iterable[RunWarning]], None],
    *,
    worked: bool,
) -> Sequence[Outcome]:
    """Return what the providers answer; wait, while there is time, where all are left alone.

    A service that has failed too often is not asked for a while (R0.8). Where no other answers,
    queries that were not sent to it are asked again: to end the run would throw them away. One that
    was left alone is tried with a single query; once it answers that one, it is asked the others.
    Services to which there is no connection are not waited for, unless searching has ``worked``
    before: what refuses connections from the beginning is not there, or the network is not.
    Queries are told once, with how they ended; ``warn`` takes a wait that may be long.
    """
    now = context.clock.monotonic
    ends, pauses = now() + left_s, _Pauses(left_s, now)
    settled: list[Outcome] = []
    pending = queries
    while pending:
        heard, refused = await _turn(pending, context, ends - now(), on_outcome)
        settled += heard
        pending = _unanswered(refused, settled)
        if pending and not _has_answer(heard):
            is_worth_it = not _has_answer(settled) and (worked or _heals(refused))
            if not (is_worth_it and await pauses.take(refused)):
                pending = []
            elif pauses.are_long:
                warn(_waiting(refused, pauses.left_s))
        for outcome in refused:
            if outcome.query not in pending:
                settled.append(outcome)
                on_outcome(outcome)
    return _in_order(settled, queries, context)


class _Pauses:
    """The pauses for which there is time, before services that are left alone are tried again."""

    def __init__(self, left_s: float, now: Callable[[], float]) -> None:
        """Pause as `pause_s` allows where ``left_s`` seconds are left."""
        self._left = int(pause_s(left_s=left_s) / PAUSE_S)
        self._taken = 0
        self._until = now() + self._left * PAUSE_S
        self._now = now

    @property
    def are_long(self) -> bool:
        """Whether they have just become more than those that are not told."""
        return self._taken == SHORT_PAUSES + 1

    @property
    def left_s(self) -> float:
        """Seconds for which they may go on at most."""
        return self._left * PAUSE_S

    async def take(self, refused: Iterable[Failure]) -> bool:
        """Wait for ``PAUSE_S``; return whether there was time for it.

        Where all that was ``refused`` is told from a recording, the run has waited then.
        """
        if not self._left or self._now() >= self._until:
            return False
        self._left -= 1
        self._taken += 1
        if not all(each.recalled for each in refused):
            await asyncio.sleep(PAUSE_S)
        return True


def _waiting(refused: Iterable[Failure], left_s: float) -> Iterator[RunWarning]:
    """Yield one warning for each service that is waited for, ``left_s`` more seconds at most."""
    for each in {each.provider: each for each in refused}.values():
        why = named(each.provider, each.message).rstrip(".")
        message = f"{why}. It is tried again for up to {left_s:.0f} s."
        yield RunWarning(kind="search", message=message, retryable=True)


async def _turn(
    queries: Sequence[Query],
    context: RunContext,
    left_s: float,
    on_outcome: Callable[[Outcome], None],
) -> tuple[list[Outcome], list[Failure]]:
    """Ask ``queries`` once; return how they ended, and apart where a service was left alone."""
    heard: list[Outcome] = []
    refused: list[Failure] = []

    def hear(outcome: Outcome) -> None:
        if isinstance(outcome, Failure) and outcome.error_type in _LEFT_ALONE:
            refused.append(outcome)
        else:
            heard.append(outcome)
            on_outcome(outcome)

    await fan_out(
        queries,
        context.providers,
        limit=context.hits_per_query,
        timeout_s=patience_s(left_s=left_s, providers=len(context.providers)),
        on_outcome=hear,
        now=context.clock.now,
    )
    return heard, refused


def _has_answer(outcomes: Iterable[Outcome]) -> bool:
    return any(isinstance(outcome, Answer) for outcome in outcomes)


def _heals(refused: Iterable[Failure]) -> bool:
    """Return whether one of the services that ``refused`` was ever there."""
    return any(each.error_type != _AWAY for each in refused)


def _unanswered(refused: Iterable[Failure], settled: Iterable[Outcome]) -> list[Query]:
    """Return the queries of ``refused``, each once, that no service has answered."""
    answered = [outcome.query for outcome in settled if isinstance(outcome, Answer)]
    return list(dict.fromkeys(each.query for each in refused if each.query not in answered))


def _in_order(
    outcomes: Iterable[Outcome], queries: Sequence[Query], context: RunContext
) -> Sequence[Outcome]:
    """Return ``outcomes`` in the order of the queries, then of the providers."""
    names = [provider.name for provider in context.providers]
    places = {query: place for place, query in enumerate(queries)}
    return sorted(outcomes, key=lambda each: (places[each.query], names.index(each.provider)))


async def _taken_in(
    state: LoopState, results: Sequence[Outcome], emitter: Emitter, context: RunContext
) -> Update:
    """Return what ``results`` of the pending queries add to the state; tell what failed."""
    queries, known = state["pending"], frozenset(state["considered"])
    answers = [result for result in results if isinstance(result, Answer)]
    found = await computed(lambda: merge(queries, answers))
    hits = [merged.hit for merged in found]
    heard = [each.query for each in results]
    outcomes, warnings = summarize(
        [query for query in queries if query in heard],
        results,
        known=known,
        iteration=state["spend"].iterations,
    )
    fresh = _fresh(hits, known)
    emitter.count(sources_considered=len(known) + len(fresh))
    emitter.warn(warnings)
    passages = list(chain.from_iterable(hit.passages for hit in hits))
    context.store.add(passages)
    passages += await _kept(found, queries, context, context.remaining(state).seconds)
    passages += await _overlooked(queries, state, context)
    return {
        "outcomes": outcomes,
        "considered": fresh,
        "unread": _to_read(state, hits),
        "arrivals": tuple(passage.id for passage in passages),
        "warnings": warnings,
        "spend": Spend(queries=len(queries)),
    }


def _fresh(hits: Iterable[Hit], known: Collection[str]) -> tuple[str, ...]:
    """Return the addresses of ``hits``, each once, that are not ``known``."""
    urls = dict.fromkeys(canonical_url(hit.url) for hit in hits)
    return tuple(url for url in urls if url not in known)


def _finished(outcome: Outcome, listed: Collection[str], context: RunContext) -> SearchFinished:
    """Return what there is to tell of ``outcome``, where these sources were ``listed`` before."""
    best_first = _sources(outcome)
    fresh = tuple(each for each in best_first if each.url not in listed)
    provider = next(each for each in context.providers if each.name == outcome.provider)
    return SearchFinished(
        query=outcome.query.text,
        intent=outcome.query.intent,
        provider=outcome.provider,
        kinds=tuple(sorted(provider.kinds)),
        hits=len(best_first),
        fresh=len(fresh),
        found=fresh,
        known=tuple(each.id for each in best_first if each.url in listed),
        seconds=outcome.seconds,
        retries=outcome.retries,
        retrieved_at=context.clock.now().isoformat(timespec="milliseconds"),
        error=outcome.message if isinstance(outcome, Failure) else "",
    )


def _sources(outcome: Outcome) -> list[Found]:
    """Return the sources that ``outcome`` has brought, each once, the best first."""
    hits = reversed(outcome.hits if isinstance(outcome, Answer) else ())
    found = {each.url: each for each in map(_found, hits)}
    return sorted(found.values(), key=lambda each: each.rank)


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


async def _overlooked(
    queries: Sequence[Query], state: LoopState, context: RunContext
) -> list[Passage]:
    """Return what was left of the pages that were opened and fits the queries of a model.

    What it asks for may have been read already, on a page that was opened for something else.
    """
    wanted = [query.text for query in queries]
    held = [each for url in state["opened"] for each in context.store.of(url)]
    if not (wanted and held and state["calls"]):
        return []
    with suppress(TimeoutError):
        async with asyncio.timeout(context.remaining(state).seconds):
            return list(await best_of(held, wanted))
    return []


def _untried(state: LoopState, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits that came without text and that no loop has tried to open."""
    tried = frozenset(state["tried"])
    return tuple(h for h in hits if not h.passages and canonical_url(h.url) not in tried)


def _full_texts(state: LoopState, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return where the open full texts of the first works are that came with their abstract."""
    tried = frozenset(state["tried"])
    found = (
        hit.model_copy(update={"url": hit.full_text, "passages": (), "snippet": ""})
        for hit in hits
        if hit.passages and hit.full_text and canonical_url(hit.full_text) not in tried
    )
    return tuple(islice(found, FULL_TEXTS))


def _to_read(state: LoopState, found: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return what to open: first what was found, then what the last loop could not open."""
    wanted = [query.text for query in state["pending"]]
    fresh = (*named_first(_untried(state, found), wanted), *_full_texts(state, found))
    listed = {canonical_url(hit.url) for hit in fresh}
    failed = (hit for hit in state["unread"] if canonical_url(hit.url) not in listed)
    return (*fresh, *failed)


NAMED_CHARS = 300
"""Of a title that is looked at; no query is longer than that by much."""


def named_first(hits: Sequence[Hit], queries: Sequence[str]) -> tuple[Hit, ...]:
    """Return ``hits`` with those first whose whole title is in one of ``queries``, word for word.

    "Where is Iceland located" finds pages on many things in Iceland, and services rank them by
    their words; the one that is called "Iceland" is about it.
    """
    asked = [phrase(words(query)) for query in queries]
    return tuple(sorted(hits, key=lambda hit: not _is_named(hit, asked)))


def _is_named(hit: Hit, asked: Sequence[str]) -> bool:
    names = _names(hit.title[:NAMED_CHARS], hit.url)
    return any(f" {name} " in query for name in names for query in asked)


@lru_cache(maxsize=4096)  # each page is found by several queries, and looked at twice for each
def _names(title: str, url: str) -> frozenset[str]:
    forms = title_forms(without_site(title, url))
    return frozenset(name for name in (forms.full, forms.base) if name and not is_stop_word(name))
