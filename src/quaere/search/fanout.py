"""Asks every provider every query at once, and keeps what came back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.errors import QuaereError, SearchTimeout
from quaere.ports.search import SearchProvider

logger = logging.getLogger(__name__)

GRACE_S = 0.2
"""Seconds that a cancelled search may take to clean up before it is left to itself."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one provider found for one query: maybe nothing."""

    query: Query
    provider: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """One provider could not answer one query: never that it found nothing."""

    query: Query
    provider: str
    error_type: str
    """As on the wire for our own errors (``search_timeout``), else the name of the class."""
    message: str
    retryable: bool


Outcome = Answer | Failure


async def fan_out(
    queries: Sequence[Query],
    providers: Sequence[SearchProvider],
    *,
    limit: int,
    timeout_s: float,
    on_answer: Callable[[Answer], None] | None = None,
) -> tuple[Outcome, ...]:
    """Return an outcome for every pair of a query and a provider that it is meant for.

    The kinds of source that a query asks for decide who gets it; a query that asks for none, or
    for kinds that nobody has, goes to all. The outcomes stand in the order of the queries, then of
    the providers. Each answer has at most ``limit`` hits. Whoever has not answered after
    ``timeout_s`` seconds is cancelled; one that ignores this is left behind. Every answer is given
    to ``on_answer`` as soon as it is there.
    """
    pairs = [(query, provider) for query in queries for provider in _meant(query, providers)]
    if not pairs:
        return ()
    tell = on_answer or _nobody
    tasks = [asyncio.create_task(_ask(query, provider, limit, tell)) for query, provider in pairs]
    try:
        done, _ = await asyncio.wait(tasks, timeout=timeout_s)
    finally:
        await _cancel([task for task in tasks if not task.done()])
    return tuple(
        _outcome(task, query, provider.name)
        if task in done
        else _failed(query, provider.name, SearchTimeout(f"no answer within {timeout_s:g} s"))
        for task, (query, provider) in zip(tasks, pairs, strict=True)
    )


def _meant(query: Query, providers: Sequence[SearchProvider]) -> Sequence[SearchProvider]:
    fitting = [p for p in providers if not p.kinds.isdisjoint(query.source_kinds)]
    return fitting or providers


def _nobody(answer: Answer) -> None:
    """Take an answer that nobody waits for."""


async def _ask(
    query: Query, provider: SearchProvider, limit: int, tell: Callable[[Answer], None]
) -> Outcome:
    try:
        hits = islice(await provider.search(query, limit=limit), limit)
        answer = Answer(query, provider.name, _checked(hits))
    except QuaereError as error:
        return _failed(query, provider.name, error)
    # The one broad except: providers are plug-ins, and a bug in one of them must not cost the run
    # what the others found. The message stays in the log, for it may hold a key or a private URL.
    except Exception as error:
        logger.exception("bug in search provider %s", provider.name)
        name = type(error).__name__
        return Failure(query, provider.name, name, f"{name}, a bug in this provider", False)
    tell(answer)
    return answer


def _checked(hits: Iterable[object]) -> tuple[Hit, ...]:
    checked: list[Hit] = []
    for hit in hits:
        if not isinstance(hit, Hit):
            message = f"a hit is a Hit, not a {type(hit).__name__}"
            raise TypeError(message)
        checked.append(hit)
    return tuple(checked)


def _failed(query: Query, provider: str, error: QuaereError) -> Failure:
    return Failure(query, provider, error.type, error.message, error.retryable)


def _outcome(task: asyncio.Task[Outcome], query: Query, provider: str) -> Outcome:
    if task.cancelled():  # by the provider itself: nobody else had a reason yet
        name = asyncio.CancelledError.__name__
        return Failure(query, provider, name, "the provider cancelled itself", True)
    return task.result()


async def _cancel(tasks: Sequence[asyncio.Task[Outcome]]) -> None:
    if not tasks:
        return
    for task in tasks:
        task.cancel()
    _, deaf = await asyncio.wait(tasks, timeout=GRACE_S)
    if deaf:
        logger.warning("%d searches go on although they were cancelled", len(deaf))
