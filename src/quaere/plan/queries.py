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


def queries_now(*, left: int, loops_left: int) -> int:
    """Return how many of the ``left`` queries a loop may ask, the first of ``loops_left``.

    Half of what is left, and so few that one remains for every later loop; everything in the last
    one. Eager models fill every list, the best first, and the last step of a chain is known last.
    """
    if loops_left <= 1:
        return left
    return max(min(1, left), min(-(-left // 2), left - loops_left + 1))
