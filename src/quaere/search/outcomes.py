"""Summarizes the results of one round of searches, query by query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quaere.domain.question import Query
from quaere.domain.report import QueryOutcome, RunWarning
from quaere.domain.source import Hit
from quaere.domain.url import canonical_url
from quaere.search.fanout import Answer, Failure


def summarize(
    queries: Sequence[Query],
    results: Sequence[Answer | Failure],
    *,
    known: Iterable[str],
    iteration: int,
) -> tuple[tuple[QueryOutcome, ...], tuple[RunWarning, ...]]:
    """Return one outcome a query and one warning a failure.

    A query has failed when no provider answered it; a query that one provider answered counts as
    answered, and the other's failure stays a warning. ``known`` are the canonical URLs of sources
    that earlier rounds brought.
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
            )
        )
    return tuple(outcomes), tuple(_warning(r) for r in results if isinstance(r, Failure))


def _hits(results: Iterable[Answer | Failure]) -> Iterator[Hit]:
    for result in results:
        if isinstance(result, Answer):
            yield from result.hits


def _error(results: Sequence[Answer | Failure]) -> str:
    """Return why no provider answered; empty when one did."""
    failures = [result for result in results if isinstance(result, Failure)]
    if len(failures) < len(results):
        return ""
    return "; ".join(f"{failure.provider}: {failure.message}" for failure in failures)


def _warning(failure: Failure) -> RunWarning:
    return RunWarning(
        kind="search",
        message=f"{failure.provider}: {failure.message}",
        subject=failure.query.text,
        retryable=failure.retryable,
    )
