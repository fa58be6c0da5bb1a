"""Sums up what a round of searching brought, query by query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.question import Query
from quaere.domain.report import QueryOutcome, RunWarning
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
        answers = [r for r in results if isinstance(r, Answer) and r.query == query]
        failures = [r for r in results if isinstance(r, Failure) and r.query == query]
        urls = [canonical_url(hit.url) for answer in answers for hit in answer.hits]
        fresh = {url for url in urls if url not in seen}
        seen |= fresh
        outcomes.append(
            QueryOutcome(
                query=query,
                iteration=iteration,
                hits=len(set(urls)),
                fresh=len(fresh),
                error="" if answers else "; ".join(f"{f.provider}: {f.message}" for f in failures),
            )
        )
    return tuple(outcomes), tuple(_warning(r) for r in results if isinstance(r, Failure))


def _warning(failure: Failure) -> RunWarning:
    return RunWarning(
        kind="search",
        message=f"{failure.provider}: {failure.message}",
        subject=failure.query.text,
        retryable=failure.retryable,
    )
