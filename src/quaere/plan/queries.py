"""Decides which proposed queries are asked."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.domain.question import Query
from quaere.text.tokens import words

Key = tuple[frozenset[str], frozenset[str]]


def query_key(query: Query) -> Key:
    """Return what makes two queries the same: their words, and the titles they look for."""
    return (
        frozenset(words(query.text)),
        frozenset(" ".join(words(title)) for title in query.titles),
    )


def admit(
    proposed: Iterable[Query], asked: Iterable[Query], *, allowance: int
) -> tuple[Query, ...]:
    """Return the first ``allowance`` proposed queries that were not asked before.

    Two queries with the same words in another order are the same query.
    """
    known = {query_key(query) for query in asked}
    admitted: list[Query] = []
    for query in proposed:
        key = query_key(query)
        if len(admitted) >= allowance:
            break
        if key not in known:
            known.add(key)
            admitted.append(query)
    return tuple(admitted)
