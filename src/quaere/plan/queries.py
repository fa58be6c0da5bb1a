"""Decides which proposed queries are asked."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.domain.question import Checklist, ItemStatus, Query, SourceKind
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


def needed(planned: Iterable[Query], checklist: Checklist) -> tuple[Query, ...]:
    """Return the ``planned`` queries that the first search has not made needless (R0.3).

    Those for an item that it has satisfied are; those in reserve are while others are left.
    """
    done = {item.id for item in checklist.with_status(ItemStatus.SATISFIED)}
    open_ = tuple(query for query in planned if query.item not in done)
    return tuple(query for query in open_ if not query.reserve) or open_


def aimed(queries: Iterable[Query], targets: Iterable[str]) -> tuple[Query, ...]:
    """Return ``queries``, those for no kind of source aimed at the kinds in ``targets`` (R3.2).

    Anything but a kind of source is ignored.
    """
    kinds = tuple(SourceKind(each) for each in dict.fromkeys(targets) if each in list(SourceKind))
    return tuple(
        query if query.source_kinds else query.model_copy(update={"source_kinds": kinds})
        for query in queries
    )


def queries_now(*, left: int, loops_left: int) -> int:
    """Return how many of the ``left`` queries a loop may ask, the first of ``loops_left``.

    Half of what is left, and so few that one remains for every later loop; everything in the last
    one. Eager models fill every list, the best first, and the last step of a chain is known last.
    """
    if loops_left <= 1:
        return left
    return max(min(1, left), min(-(-left // 2), left - loops_left + 1))
