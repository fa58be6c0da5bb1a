"""Gives the passages that answer a query their places in the selection.

The pool is scored by the question as it was asked. A query that a reasoner made of what it has
learned looks for other words, and what it brings must be seen before it can be judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from quaere.domain.question import Query
from quaere.domain.source import Passage
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms


def seated(queries: Sequence[Query], arrivals: Sequence[Passage]) -> tuple[str, ...]:
    """Return the ids of the ``arrivals`` that fit the ``queries`` best, each once.

    Every query gets as many as it has places, and all of them their first before any its second.
    """
    wanting = [query for query in queries if query.places]
    if not wanting or not arrivals:
        return ()
    index = Bm25([terms(f"{passage.title}\n{passage.text}") for passage in arrivals])
    rows = [_best(index.scores(terms(q.text)), arrivals, q.places) for q in wanting]
    return tuple(dict.fromkeys(key for row in zip_longest(*rows) for key in row if key))


def _best(scores: Sequence[float], arrivals: Sequence[Passage], places: int) -> list[str]:
    ranked = sorted(range(len(arrivals)), key=lambda n: (-scores[n], arrivals[n].id))
    return [arrivals[n].id for n in ranked[:places] if scores[n] > 0]
