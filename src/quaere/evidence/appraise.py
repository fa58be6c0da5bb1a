"""Weighs what was found: each source by itself, then all of them against each other.

Which passages go back to one origin is found first: copies, mirrors, reprints, one paper on four
sites. There a wrong yes only loses a witness and a wrong no invents one: in doubt it is yes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from quaere.domain.evidence import (
    NEUTRAL,
    Agreement,
    Conflict,
    Contradiction,
    Evidence,
    Score,
    SiteKind,
)
from quaere.domain.question import Checklist
from quaere.domain.source import Passage
from quaere.domain.url import Copy, is_annals, needs_annals, page_key, same_works
from quaere.evidence.agreement import Comparison, Requirement, compare, completeness, requirements
from quaere.evidence.features import features_of, words_and_runs
from quaere.evidence.quality import (
    Quality,
    can_retract,
    last_read_day,
    quality,
    recency,
    retracted,
    site_kind,
    source_need,
)
from quaere.evidence.weights import ANNALS, WITNESS, corroboration, reorder, weigh

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
    runs = [frozenset[str]().union(*(words_and_runs(p.text)[1] for p in group)) for group in groups]
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


COMPARED = 60
"""The best pieces of evidence, by their totals, whose statements are compared with each other."""


class Appraisal(NamedTuple):
    """What evidence is worth, and how it agrees."""

    evidence: tuple[Evidence, ...]
    """As given and in that order, with all parts of its scores, its kind of site and its origin."""
    order: tuple[str, ...]
    """Passage ids in the order in which to select them, best first."""
    agreements: tuple[Agreement, ...]
    """One for each checklist item; one with an empty ``item`` while there is no checklist."""
    conflicts: tuple[Conflict, ...]

    @property
    def origins(self) -> int:
        """Number of independent origins."""
        return len({each.origin for each in self.evidence})


def appraise(
    question: str,
    checklist: Checklist,
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
    order: Sequence[str] | None = None,
    told: Iterable[Contradiction] = (),
) -> Appraisal:
    """Return what ``evidence`` is worth for ``question``.

    Doing so twice changes nothing, and the result for each piece does not depend on their order.

    Args:
        question: What is asked.
        checklist: What a complete answer must contain; may be empty.
        evidence: The pool, or a selection from it, scored by `quaere.evidence.score.rank`.
        passages: Its passages, by id.
        order: Passage ids as ranked, best first; by their totals when left out.
        told: Contradictions that a reasoner has read.
    """
    held = [passages[each.passage] for each in evidence]
    items = requirements(question, checklist)
    qualities = _qualities(held)
    origin_of = origins(held)
    best = sorted(evidence, key=lambda each: (-each.score.total, each.id))[:COMPARED]
    credible = [key for key, known in qualities.items() if known.value >= WITNESS]
    found = compare(best, passages, origin_of, items, credible, told)
    ages = _recencies(question, held)
    lowest = _lowest(evidence, origin_of)
    appraised = tuple(
        each.model_copy(
            update={
                "score": _set_back(
                    _score(each, passages[each.passage], items, qualities, ages, found),
                    question,
                    each.url,
                ),
                "site": qualities[each.passage].site,
                "remarks": qualities[each.passage].remarks,
                "origin": lowest[origin_of[each.passage]],
            }
        )
        for each in evidence
    )
    scores = {each.passage: each.score for each in appraised}
    return Appraisal(
        evidence=appraised,
        order=reorder(_ranked(scores, order), scores),
        agreements=found.agreements,
        conflicts=found.conflicts,
    )


def _set_back(score: Score, question: str, url: str) -> Score:
    """Return ``score``, of less weight for a file of changes or rights that is not asked for."""
    if not is_annals(url) or needs_annals(question):
        return score
    return score.model_copy(update={"weighed": ANNALS * score.weighed})


def _ranked(scores: Mapping[str, Score], order: Sequence[str] | None) -> list[str]:
    """Return the ids that have ``scores`` in ``order``, by their totals where that is left out."""
    if order is None:
        return sorted(scores, key=lambda key: (-scores[key].total, key))
    return [key for key in order if key in scores]


def _qualities(passages: Iterable[Passage]) -> dict[str, Quality]:
    """Return the quality of each passage's source, by passage id.

    A work is retracted wherever it is kept, once a publisher or an index of papers says so; anybody
    else can only take back what stands on the same page.
    """
    held = {passage.id: passage for passage in passages}
    own = {key: quality(passage) for key, passage in held.items()}
    gone = _of_retracted_works(held, own) | _on_retracted_pages(held, own)
    return {key: retracted(known) if key in gone else known for key, known in own.items()}


def _of_retracted_works(held: Mapping[str, Passage], own: Mapping[str, Quality]) -> set[str]:
    work_of = works(held.values())
    gone = {work_of[key] for key, known in own.items() if can_retract(known)}
    return {key for key in own if work_of[key] in gone}


def _on_retracted_pages(held: Mapping[str, Passage], own: Mapping[str, Quality]) -> set[str]:
    gone = {held[key].url for key, known in own.items() if known.retracted}
    return {key for key in own if held[key].url in gone}


def _recencies(question: str, passages: Sequence[Passage]) -> dict[str, float]:
    today: date | None = last_read_day(passages)
    if today is None:
        return {passage.id: NEUTRAL for passage in passages}
    needed = source_need(question, today)
    return {passage.id: recency(passage.published, needed, today) for passage in passages}


def _lowest(evidence: Iterable[Evidence], origin_of: Mapping[str, str]) -> dict[str, int]:
    ids: defaultdict[str, list[int]] = defaultdict(list)
    for each in evidence:
        ids[origin_of[each.passage]].append(each.id)
    return {origin: min(members) for origin, members in ids.items()}


def _score(
    each: Evidence,
    passage: Passage,
    items: Sequence[Requirement],
    qualities: Mapping[str, Quality],
    ages: Mapping[str, float],
    found: Comparison,
) -> Score:
    known = qualities[each.passage]
    prepared = features_of(passage.id, passage.title, passage.text)
    score = each.score.model_copy(
        update={
            "quality": known.value,
            "recency": ages[each.passage],
            "completeness": completeness(items, prepared.counts.keys()),
            "corroboration": corroboration(found.others.get(each.id, 0)),
            "contradiction": found.against.get(each.id, 0.0),
        }
    )
    worth = score.total if known.site is SiteKind.FOLDER else weigh(score)
    return score.model_copy(update={"weighed": worth})
