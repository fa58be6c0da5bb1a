"""Merges the results of many searches into one ranking with each source once."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit, Passage
from quaere.domain.url import Copy, page_key, same_works
from quaere.search.fanout import Answer


def same_sources(hits: Sequence[Hit]) -> list[list[int]]:
    """Return the places in ``hits`` in groups, one for each source.

    A source is a work, wherever it is kept (`quaere.domain.url`). In a folder the unit is not the
    file but the passage, and nothing else counts; a hit without an address is told by its words.
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
