"""The pool of a run: every passage found, each with an id for life, and what is selected of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quaere.domain.evidence import Evidence, Score
from quaere.domain.source import Passage

MAX_TITLE_CHARS = 300
"""Longer titles are cut in the pool, for every event and checkpoint carries them."""


def take_in(
    pool: Sequence[Evidence], passages: Iterable[Passage], *, iteration: int
) -> tuple[Evidence, ...]:
    """Return ``pool`` with ``passages`` that were not in it yet appended under the next ids.

    New passages are taken in by URL and place, so that ids do not depend on which search came back
    first. Taking the same passages in twice changes nothing.
    """
    known = {evidence.passage for evidence in pool}
    fresh = {passage.id: passage for passage in passages if passage.id not in known}
    ordered = sorted(fresh.values(), key=lambda p: (p.url, p.start, p.id))
    added = (
        Evidence(
            id=number,
            passage=passage.id,
            url=passage.url,
            title=passage.title[:MAX_TITLE_CHARS],
            locator=passage.locator,
            score=Score(),
            iteration=iteration,
        )
        for number, passage in enumerate(ordered, len(pool) + 1)
    )
    return (*pool, *added)


def rescore(
    pool: Iterable[Evidence], scores: Mapping[str, Score], parents: Mapping[str, str]
) -> tuple[Evidence, ...]:
    """Return ``pool`` with the scores and parents given by passage id; ids and order stay."""
    return tuple(
        evidence.model_copy(
            update={
                "score": scores.get(evidence.passage, Score()),
                "parent": parents.get(evidence.passage),
            }
        )
        for evidence in pool
    )


def select(
    pool: Iterable[Evidence], order: Iterable[str], *, limit: int, first: Iterable[str] = ()
) -> tuple[Evidence, ...]:
    """Return ``limit`` pieces of evidence in ``order`` (passage ids, best first).

    What ``first`` names is chosen before the others, whatever stands in ``limit`` sources at the
    most; ``order`` says where it stands, and at the end what it leaves out.
    """
    by_passage = {evidence.passage: evidence for evidence in pool}
    chosen = dict.fromkeys(
        _of_sources([key for key in first if key in by_passage], by_passage, limit)
    )
    ordered = [key for key in order if key in by_passage]
    ranks = {key: rank for rank, key in enumerate(dict.fromkeys([*ordered, *chosen]))}
    others = (key for key in ordered if key not in chosen)
    chosen |= dict.fromkeys(itertools.islice(others, max(0, limit - len(chosen))))
    return tuple(by_passage[key] for key in sorted(chosen, key=ranks.__getitem__))


def _of_sources(
    keys: Iterable[str], by_passage: Mapping[str, Evidence], limit: int
) -> Iterator[str]:
    """Yield those of ``keys`` that stand in one of the first ``limit`` sources."""
    urls: set[str] = set()
    for key in keys:
        url = by_passage[key].url
        if url in urls or len(urls) < limit:
            urls.add(url)
            yield key


def beside(selection: Iterable[Evidence], passages: Iterable[str]) -> tuple[str, ...]:
    """Return the passages of ``selection`` that stand in one source with some of ``passages``.

    Whoever says that a source bears on the answer names one of its passages and has read them all.
    """
    selected = tuple(selection)
    named = frozenset(passages)
    urls = {evidence.url for evidence in selected if evidence.passage in named}
    return tuple(evidence.passage for evidence in selected if evidence.url in urls)
