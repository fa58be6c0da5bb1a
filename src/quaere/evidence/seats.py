"""Gives the passages that answer a query their places in the selection.

The pool is scored by the question as it was asked. A query that a reasoner made of what it has
learned looks for other words, and what it brings must be seen before it can be judged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

from quaere.domain.question import Intent, Query
from quaere.domain.source import Passage
from quaere.domain.url import canonical_url
from quaere.evidence.asked import DocumentShare
from quaere.evidence.prior import priors
from quaere.evidence.score import rank


def seated(
    queries: Sequence[Query],
    arrivals: Sequence[Passage],
    document_share: DocumentShare | None = None,
    seen: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the ids of the ``arrivals`` that fit the ``queries`` best, each once.

    Every query gets as many as it has places, and all of them their first before any its second.
    They are scored by the query as a pool is by its question.

    Args:
        queries: Those that brought the arrivals.
        arrivals: In the order of their sources, what the searches put first first.
        document_share: How common a word is in what was searched, where somebody knows.
        seen: Ids of passages that have been weighed. They get no place for a query that says in
            other words what they did not answer.
    """
    wanting = [query for query in queries if query.places]
    if not wanting:
        return ()
    listed = priors(arrivals, list(dict.fromkeys(canonical_url(p.url) for p in arrivals)))
    known = frozenset(seen)
    rows: list[list[str]] = []
    for query in wanting:
        order = rank(query.text, arrivals, document_share, listed).order
        stale = known if query.intent is Intent.REFORMULATION else frozenset[str]()
        rows.append([key for key in order if key not in stale][: query.places])
    return tuple(dict.fromkeys(key for row in zip_longest(*rows) for key in row if key))
