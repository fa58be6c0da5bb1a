"""Asks every provider every query at once, and merges what came back into one ranking."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from time import monotonic

from quaere.domain.events import Event, IndexProgress, Phase, WarningRaised
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import QueryOutcome, RunWarning
from quaere.domain.source import Hit, Passage
from quaere.domain.url import Copy, canonical_url, page_key, same_works
from quaere.errors import QuaereError, SearchTimeout, named
from quaere.ports.search import Preparable, SearchProvider
from quaere.resilience.retry import count_retries
from quaere.resilience.timing import SYSTEM_CLOCK
from quaere.text.queries import as_understood, has_pubmed_tags, names_site

logger = logging.getLogger(__name__)

GRACE_S = 0.2
"""Seconds that a cancelled search or preparation may take to stop before it is left to itself."""
SILENT_S = 5.0
"""Seconds for which every service may be silent. One that failed is asked again within them, and
one that takes a request in three seconds speaks more often."""
TIMES_SLOWEST = 3.0
LOOK_S = 0.1
"""Seconds between two looks at whether a service is silent."""
SILENT = "it was silent for far longer than the others, so the search did not wait for it"
"""Why a service did not answer that others were not kept waiting for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one provider found for one query: maybe nothing."""

    query: Query
    provider: str
    hits: tuple[Hit, ...]
    seconds: float = field(default=0.0, compare=False)
    retries: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Failure:
    """One provider could not answer one query: never that it found nothing."""

    query: Query
    provider: str
    error_type: str
    """As on the wire for our own errors (``search_timeout``), else the name of the class."""
    message: str
    retryable: bool
    seconds: float = field(default=0.0, compare=False)
    retries: int = field(default=0, compare=False)
    recalled: bool = field(default=False, compare=False)
    """Whether this is what was recorded, and nobody was asked."""


Outcome = Answer | Failure


async def fan_out(
    queries: Sequence[Query],
    providers: Sequence[SearchProvider],
    *,
    limit: int,
    timeout_s: float,
    on_outcome: Callable[[Outcome], None] | None = None,
    now: Callable[[], datetime] = SYSTEM_CLOCK.now,
) -> tuple[Outcome, ...]:
    """Return an outcome for every pair of a query and a provider that it is meant for.

    The kinds of source that a query asks for decide who gets it; a query that asks for none, or
    for kinds that no provider has, goes to all. What is in PubMed's syntax goes to PubMed alone,
    what names a site to all others, where there are such providers (R4.2).

    The outcomes are in the order of the queries, then of the providers. Each answer has at most
    ``limit`` hits. A provider that has not answered after ``timeout_s`` seconds is cancelled, or
    earlier where those that are left `are_silent`; one that ignores this is left behind. Every
    outcome is given to ``on_outcome`` once, as soon as it is there, with its seconds by ``now``.
    """
    pairs = list(_pairs(queries, providers))
    if not pairs:
        return ()
    timeout_s = max(0.0, timeout_s)  # the time of a run may be up already
    asking = _Asking(pairs, limit, on_outcome, now)
    tasks = [asyncio.create_task(asking.ask(place)) for place in range(len(pairs))]
    try:
        waited_s = await _wait_for(tasks, pairs, asking.outcomes, timeout_s)
        asking.leave(tasks, waited_s, timeout_s)
    finally:
        await _cancel(tasks)
    return asking.settled(tasks)


class _Asking:
    """Queries at their providers, and the outcomes that are there already, by place of the pair."""

    def __init__(
        self,
        pairs: Sequence[tuple[Query, SearchProvider]],
        limit: int,
        on_outcome: Callable[[Outcome], None] | None,
        now: Callable[[], datetime],
    ) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self._pairs = pairs
        self._limit = limit
        self._on_outcome = on_outcome
        self._now = now

    async def ask(self, place: int) -> None:
        """Put the query at ``place`` to its provider, and settle what it answers."""
        began = self._now()
        with count_retries() as retries:
            outcome = await _ask(*self._pairs[place], self._limit)
        seconds = max(0.0, (self._now() - began).total_seconds())
        self._settle(place, replace(outcome, seconds=seconds, retries=retries.count))

    def leave(self, tasks: Sequence[asyncio.Task[None]], waited_s: float, timeout_s: float) -> None:
        """Settle what is not answered after ``waited_s`` seconds as failed."""
        error = _left(waited_s, timeout_s)
        for place, (query, provider) in enumerate(self._pairs):
            if not tasks[place].done():
                failed = _failed(query, provider.name, error)
                self._settle(place, replace(failed, seconds=min(waited_s, timeout_s)))

    def settled(self, tasks: Sequence[asyncio.Task[None]]) -> tuple[Outcome, ...]:
        """Return all outcomes in order, once every task is over or was left behind."""
        for place, (query, provider) in enumerate(self._pairs):
            if place not in self.outcomes:
                self._settle(place, _unanswered(tasks[place], query, provider.name))
        return tuple(map(self.outcomes.__getitem__, range(len(self._pairs))))

    def _settle(self, place: int, outcome: Outcome) -> None:
        if place in self.outcomes:  # one that was left behind may still answer
            return
        self.outcomes[place] = outcome
        if self._on_outcome is not None:
            self._on_outcome(outcome)


async def _wait_for(
    tasks: Sequence[asyncio.Task[None]],
    pairs: Sequence[tuple[Query, SearchProvider]],
    outcomes: Mapping[int, Outcome],
    timeout_s: float,
) -> float:
    """Wait for ``tasks``, which bring the ``outcomes`` of ``pairs``, as long as `fan_out` does.

    Returns the seconds that it took.
    """
    began = monotonic()
    while (waited_s := monotonic() - began) < timeout_s:
        left = [(task, pair) for task, pair in zip(tasks, pairs, strict=True) if not task.done()]
        if not left or are_silent([pair for _, pair in left], outcomes, waited_s):
            break
        await asyncio.wait(
            [task for task, _ in left],
            timeout=min(LOOK_S, timeout_s - waited_s),
            return_when=asyncio.FIRST_COMPLETED,
        )
    return waited_s


def are_silent(
    left: Sequence[tuple[Query, SearchProvider]], outcomes: Mapping[int, Outcome], waited_s: float
) -> bool:
    """Return whether what is ``left`` after ``waited_s`` seconds need not be waited for.

    So it is where others have found something for the same queries, and no service of those that
    are left has said anything for far longer than the slowest answer took: under load all are slow.
    A folder is never left: its time is our own.
    """
    answers = [each for each in outcomes.values() if isinstance(each, Answer) and each.hits]
    if not answers or any(_is_needed(*pair, answers) for pair in left):
        return False
    waiting = {provider.name for _, provider in left}
    silent_s = waited_s - _last_s(each for each in outcomes.values() if each.provider in waiting)
    return silent_s > max(SILENT_S, TIMES_SLOWEST * _last_s(answers))


def _last_s(outcomes: Iterable[Outcome]) -> float:
    """Return the seconds after which the last of ``outcomes`` came; 0 without one."""
    return max((each.seconds for each in outcomes), default=0.0)


def _is_needed(query: Query, provider: SearchProvider, answers: Sequence[Answer]) -> bool:
    """Whether ``provider`` is a folder, or nobody else has found anything for ``query``."""
    return SourceKind.FOLDER in provider.kinds or query not in [each.query for each in answers]


def _left(waited_s: float, timeout_s: float) -> SearchTimeout:
    """Return the error of a provider that was left after ``waited_s`` seconds."""
    return SearchTimeout(_no_answer(timeout_s) if waited_s >= timeout_s else SILENT)


def _no_answer(seconds: float) -> str:
    told = round(seconds, 2)
    return f"no answer within {told:g} s" if told else "no time was left to wait for an answer"


def _pairs(
    queries: Sequence[Query], providers: Sequence[SearchProvider]
) -> Iterator[tuple[Query, SearchProvider]]:
    for query in queries:
        for provider in _meant(query, providers):
            yield query, provider


def _meant(query: Query, providers: Sequence[SearchProvider]) -> Sequence[SearchProvider]:
    if has_pubmed_tags(query.text):
        pubmed = [p for p in providers if SourceKind.PUBMED in p.kinds]
        return pubmed or _of_kinds(query, providers)
    if names_site(query.text):
        others = [p for p in providers if SourceKind.PUBMED not in p.kinds]
        return _of_kinds(query, others or providers)
    return _of_kinds(query, providers)


def _of_kinds(query: Query, providers: Sequence[SearchProvider]) -> Sequence[SearchProvider]:
    """Return those of ``providers`` that search what ``query`` asks for; all where none does."""
    return [p for p in providers if not p.kinds.isdisjoint(query.source_kinds)] or providers


class _ProviderBugError(Exception):
    """A provider raised what it is not meant to; the message is the name of that."""


async def _ask(query: Query, provider: SearchProvider, limit: int) -> Outcome:
    try:
        return Answer(query, provider.name, await _hits_of(query, provider, limit))
    except QuaereError as error:
        return _failed(query, provider.name, error)
    except _ProviderBugError as bug:
        return Failure(query, provider.name, str(bug), f"{bug}, a bug in this provider", False)


async def _hits_of(query: Query, provider: SearchProvider, limit: int) -> tuple[Hit, ...]:
    understood = as_understood(query, provider.kinds)
    try:
        return _checked(islice(await provider.search(understood, limit=limit), limit))
    except QuaereError:
        raise
    # Providers are plug-ins, and a bug in one of them must not cost the run what the others found.
    # The message stays in the log, for it may hold a key or a private URL.
    except Exception as error:
        logger.exception("bug in search provider %s", provider.name)
        raise _ProviderBugError(type(error).__name__) from error


def _checked(hits: Iterable[object]) -> tuple[Hit, ...]:
    checked: list[Hit] = []
    for hit in hits:
        if not isinstance(hit, Hit):
            message = f"a hit is a Hit, not a {type(hit).__name__}"
            raise TypeError(message)
        checked.append(hit)
    return tuple(checked)


def _failed(query: Query, provider: str, error: QuaereError) -> Failure:
    kind, recalled = error.type, error.recalled
    return Failure(query, provider, kind, error.message, error.retryable, recalled=recalled)


def _unanswered(task: asyncio.Task[None], query: Query, provider: str) -> Outcome:
    if not task.cancelled():
        task.result()  # raises what is not an error of a provider, such as an interrupt
    # Cancelled by the provider itself: nobody else had a reason yet.
    name = asyncio.CancelledError.__name__
    return Failure(query, provider, name, "the provider cancelled itself", True)


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    left = [task for task in tasks if not task.done()]
    if not left:
        return
    for task in left:
        task.cancel()
    _, deaf = await asyncio.wait(left, timeout=GRACE_S)
    if deaf:
        logger.warning("%d searches go on although they were cancelled", len(deaf))


def summarize(
    queries: Sequence[Query],
    results: Sequence[Answer | Failure],
    *,
    known: Iterable[str],
    iteration: int,
) -> tuple[tuple[QueryOutcome, ...], tuple[RunWarning, ...]]:
    """Return one outcome a query and one warning a failure.

    A query has failed when no provider answered it; a query that one provider answered counts as
    answered, and the other's failure stays a warning, as does that an answer is incomplete. Where
    those that answered found nothing, the outcome says what failed, so that an outage does not
    pass for an empty result.
    ``known`` are the canonical URLs of sources that earlier rounds brought.
    """
    seen = set(known)
    outcomes: list[QueryOutcome] = []
    for query in queries:
        own = [result for result in results if result.query == query]
        urls = {canonical_url(hit.url) for hit in _hits(own)}
        fresh = urls - seen
        seen |= fresh
        outcomes.append(
            QueryOutcome(
                query=query,
                iteration=iteration,
                hits=len(urls),
                fresh=len(fresh),
                error=_error(own),
                unheard=_unheard(own),
            )
        )
    return tuple(outcomes), tuple(warned(results))


def warned(results: Iterable[Answer | Failure]) -> Iterator[RunWarning]:
    """Yield one warning a failure, and one for each reason why an answer is incomplete."""
    for result in results:
        if isinstance(result, Failure):
            yield _warning(result, result.message, retryable=result.retryable)
        else:
            for reason in dict.fromkeys(hit.incomplete for hit in result.hits if hit.incomplete):
                yield _warning(result, reason, retryable=True)


def _hits(results: Iterable[Answer | Failure]) -> Iterator[Hit]:
    for result in results:
        if isinstance(result, Answer):
            yield from result.hits


def _error(results: Sequence[Answer | Failure]) -> str:
    """Return why no provider answered; empty when one did."""
    failures = _failures(results)
    return _reasons(failures) if len(failures) == len(results) else ""


def _unheard(results: Sequence[Answer | Failure]) -> str:
    """Return why a provider did not answer, where others did and found nothing."""
    failures = _failures(results)
    answered = len(failures) < len(results)
    return _reasons(failures) if answered and not any(_hits(results)) else ""


def _failures(results: Sequence[Answer | Failure]) -> list[Failure]:
    return [result for result in results if isinstance(result, Failure)]


def _reasons(failures: Sequence[Failure]) -> str:
    reasons = [named(failure.provider, failure.message) for failure in failures]
    return "; ".join([*(each.rstrip(".") for each in reasons[:-1]), *reasons[-1:]])


def _warning(result: Answer | Failure, message: str, *, retryable: bool) -> RunWarning:
    return RunWarning(
        kind="search",
        message=named(result.provider, message),
        subject=result.query.text,
        retryable=retryable,
    )


async def prepare(provider: Preparable, name: str, seconds: float) -> AsyncGenerator[Event]:
    """Prepare ``provider`` within ``seconds`` and yield its progress and its warnings as events.

    After a timeout, or a bug in the provider, the run continues with what is ready by then, and a
    warning says so.

    Raises:
        QuaereError: what the provider raised.
    """
    queue: asyncio.Queue[IndexProgress | None] = asyncio.Queue()

    def progress(done: int, total: int, passages: int) -> None:
        queue.put_nowait(
            IndexProgress(
                phase=Phase.INDEXING, folder=name, done=done, total=total, passages=passages
            )
        )

    task = asyncio.ensure_future(provider.prepare(progress))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    timer = asyncio.get_running_loop().call_later(max(0.0, seconds), queue.put_nowait, None)
    last: IndexProgress | None = None
    try:
        while event := await queue.get():
            last = event
            yield event
    finally:
        timer.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=GRACE_S)
    late = f"indexing was not finished {_when(seconds)}{_how_far(last)}."
    for warning in _warnings(task, name, late):
        yield WarningRaised(phase=Phase.INDEXING, warning=warning)


def _warnings(
    task: asyncio.Future[Sequence[RunWarning]], name: str, late: str
) -> Sequence[RunWarning]:
    """Return what went wrong in ``task``, or that it is ``late``.

    Raises:
        QuaereError: what the provider raised.
    """
    if task.cancelled() or not task.done():
        return (RunWarning(kind="index", message=late, subject=name, retryable=True),)
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, QuaereError):
        raise error
    logger.error("bug in search provider %s", name, exc_info=error)
    bug = f"{name}: {type(error).__name__}, a bug in this provider"
    return (RunWarning(kind="index", message=bug, subject=name),)


def _when(seconds: float) -> str:
    """Return when ``seconds`` were over; they are none or fewer where the run's time was up."""
    if seconds <= 0:
        return "in time, as none was left to wait for it"
    return f"after {seconds:.0f} s" if seconds >= 1 else "after less than a second"


def _how_far(last: IndexProgress | None) -> str:
    """Return how much an answer can use of what was not indexed in time, and what brings more."""
    if last is None:
        return ", and the answer uses what was indexed before"
    done = f"the {last.done:,} of {last.total:,} files that are indexed"
    return f", and the answer uses {done}; ask again, or index the rest first"


def same_sources(hits: Sequence[Hit]) -> list[list[int]]:
    """Return the places in ``hits`` in groups, one for each source.

    A source is a work, wherever it is kept (`same_works`). In a folder the unit is not the file
    but the passage, and nothing else counts; a hit without an address is told by its words.
    """
    return same_works([_copy(hit) for hit in hits])


def _copy(hit: Hit) -> Copy:
    home = page_key(hit.url)
    if hit.kind is SourceKind.FOLDER:
        return Copy(f"passage\0{home}\0{hit.passage.id}" if hit.passage else home)
    return Copy(home or f"words\0{hit.title}\0{hit.snippet}", hit.url, hit.title)


RRF_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods", SIGIR 2009."""


@dataclass(frozen=True, slots=True, order=True)
class Sighting:
    """One hit of one provider for one query."""

    query: int
    """Place of the query among those asked, from 0."""
    provider: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Merged:
    """A source, or a passage in a folder, and who saw it."""

    hit: Hit
    """The hit with most of the source's text, or else the best one; with the longest snippet, and
    with what the others hold of the same text."""
    sightings: tuple[Sighting, ...]
    """In the order of the queries, then of the providers' names."""

    @property
    def score(self) -> float:
        """The best score that a provider gave it; 0.0 where none gives any."""
        return max(sighting.score for sighting in self.sightings)


def merge(queries: Sequence[Query], answers: Iterable[Answer]) -> tuple[Merged, ...]:
    """Return every source in ``answers`` once, best first.

    Reciprocal rank fusion orders them, for ranks are all that providers have in common. The places
    that a provider's own finds get by it are then filled in the order of its scores, if it gives
    any: within a folder a better passage never follows a worse one. Neither the order of
    ``answers`` nor giving one twice makes a difference.

    Raises:
        ValueError: when an answer is to none of the ``queries``.
    """
    hits: list[Hit] = []
    sightings: list[Sighting] = []
    for answer in answers:
        asked = queries.index(answer.query)
        hits += answer.hits
        sightings += (Sighting(asked, answer.provider, h.rank, _score(h)) for h in answer.hits)
    merged = [
        Merged(_best([hits[i] for i in group]), tuple(sorted({sightings[i] for i in group})))
        for group in same_sources(hits)
    ]
    merged.sort(key=lambda each: (-_fused(each.sightings), -each.score, _words(each.hit)))
    return tuple(_by_score_within_providers(merged))


def _score(hit: Hit) -> float:
    return hit.score if math.isfinite(hit.score) else 0.0


def _fused(sightings: Sequence[Sighting]) -> float:
    best: dict[tuple[int, str], int] = {}
    for sighting in sightings:
        ranking = (sighting.query, sighting.provider)
        best[ranking] = min(sighting.rank, best.get(ranking, sighting.rank))
    return math.fsum(1 / (RRF_K + 1 + rank) for rank in best.values())


def _by_score_within_providers(merged: Sequence[Merged]) -> list[Merged]:
    """Reorder by score, among themselves, the sources that one provider alone has seen."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(merged):
        providers = {sighting.provider for sighting in each.sightings}
        if len(providers) == 1:
            places[providers.pop()].append(place)
    ordered = list(merged)
    for own in places.values():
        by_score = sorted((merged[place] for place in own), key=lambda each: -each.score)
        for place, each in zip(own, by_score, strict=True):
            ordered[place] = each
    return ordered


def _best(hits: Sequence[Hit]) -> Hit:
    best = min(hits, key=lambda hit: (-_text_chars(hit), -_score(hit), hit.rank, _words(hit)))
    shared = {
        "snippet": max((hit.snippet for hit in hits), key=lambda text: (len(text), text)),
        "published": best.published or max(hit.published for hit in hits),
        "passages": _passages(best, hits),
        "full_text": best.full_text or max(hit.full_text for hit in hits),
    }
    return best.model_copy(update=shared)


def _passages(best: Hit, hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Return the passages of ``best``, then the others that are of the same text."""
    texts = {(passage.url, passage.content_hash) for passage in best.passages}
    others = (passage for hit in hits for passage in hit.passages)
    same = [passage for passage in others if (passage.url, passage.content_hash) in texts]
    same.sort(key=lambda passage: (passage.start, passage.id))
    return tuple({passage.id: passage for passage in (*best.passages, *same)}.values())


def _text_chars(hit: Hit) -> int:
    return sum(len(passage.text) for passage in hit.passages)


def _words(hit: Hit) -> tuple[str, ...]:
    """Return what settles a tie: everything that is written in ``hit``."""
    passages = (passage.id for passage in hit.passages)
    return (hit.url, hit.title, hit.provider, hit.snippet, hit.published, hit.kind, *passages)
