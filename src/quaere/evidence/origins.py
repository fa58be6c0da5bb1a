"""Which passages go back to one origin: copies, mirrors, reprints, one paper on four sites.

Here a wrong yes only loses a witness, and a wrong no invents one: in doubt the answer is yes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from quaere.domain.evidence import SiteKind
from quaere.domain.source import Passage
from quaere.domain.url import Copy, page_key, same_works
from quaere.evidence.quality import site_kind
from quaere.text.similarity import shingles

RUN = 5
"""Words of a run that is looked for in other texts."""

MIN_SHARED = 8
"""Runs that two texts share at least: twelve words in a row. A shared name is shorter."""

CONTAINED = 0.5
"""Share of the smaller text's runs from which it counts as taken from the other. One who quotes a
sentence of another stays below."""


def works(passages: Iterable[Passage]) -> dict[str, str]:
    """Return for each passage, by id, the lowest id of a passage of the same page or work."""
    return {passage.id: group[0].id for group in _grouped(passages) for passage in group}


def origins(passages: Iterable[Passage]) -> dict[str, str]:
    """Return for each passage, by id, the lowest id of a passage of the same origin.

    Passages are of one origin when they are of one page or work (`same_works`), or when one is made
    of the other's words. Neither their order nor giving one twice makes a difference.
    """
    groups = _grouped(passages)
    clusters = _by_text(groups)
    lowest: dict[int, str] = {}
    for group, cluster in zip(groups, clusters, strict=True):
        lowest[cluster] = min(group[0].id, lowest.get(cluster, group[0].id))
    return {
        passage.id: lowest[cluster]
        for group, cluster in zip(groups, clusters, strict=True)
        for passage in group
    }


def _grouped(passages: Iterable[Passage]) -> list[list[Passage]]:
    """Return the passages of each work, lowest id first, and the works in that order, too."""
    by_id: dict[str, Passage] = {}
    for passage in sorted(passages, key=lambda p: (p.id, p.url, p.title)):
        by_id.setdefault(passage.id, passage)
    ordered = list(by_id.values())
    return [[ordered[i] for i in group] for group in same_works([_copy(p) for p in ordered])]


def _copy(passage: Passage) -> Copy:
    home = _home(passage.url) or f"passage\0{passage.id}"
    if site_kind(passage.url) is SiteKind.FOLDER:
        return Copy(home)
    return Copy(home, passage.url, passage.title)


_home = lru_cache(maxsize=2048)(page_key)


def _by_text(groups: Sequence[Sequence[Passage]]) -> list[int]:
    """Return for each of the works the number of its cluster by text.

    The longest come first, so that what is taken from them finds them there.
    """
    runs = [frozenset[str]().union(*(_runs(p.text) for p in group)) for group in groups]
    times = Counter(chain.from_iterable(runs))
    common = {run for run, count in times.items() if count > 1}  # no other can share the rest
    cluster_of = [0] * len(groups)
    holders: defaultdict[str, set[int]] = defaultdict(set)
    founders: dict[frozenset[str], int] = {}
    for place in sorted(range(len(groups)), key=lambda place: (-len(runs[place]), place)):
        own = runs[place]
        kept = own & common
        cluster = founders.get(own) if own else place
        if cluster is None:
            cluster = _source(kept, len(own), holders, place)
            founders[own] = cluster
        cluster_of[place] = cluster
        for run in kept:
            holders[run].add(cluster)
    return cluster_of


def _source(
    kept: Collection[str], whole: int, holders: Mapping[str, Collection[int]], place: int
) -> int:
    """Return the cluster that a text is taken from, ``place`` if it is from none.

    Args:
        kept: Its runs that others have, too.
        whole: How many runs it has.
        holders: Which clusters have a run.
        place: Its own number.
    """
    shared = Counter(cluster for run in kept for cluster in holders.get(run, ()))
    if not shared:
        return place
    source, most = min(shared.items(), key=lambda found: (-found[1], found[0]))
    return source if most >= max(MIN_SHARED, CONTAINED * whole) else place


@lru_cache(maxsize=1024)
def _runs(text: str) -> frozenset[str]:
    return shingles(text, RUN)
