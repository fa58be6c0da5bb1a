"""Scores the pool of a run: each passage by itself, then along the links between them.

A passage scores by the share of the question's weight that its words cover, in the manner of BM25,
plus a bonus when the question names its title. A passage to which a good one leads inherits a share
of that score and adds what it covers beyond the chain that led to it. The numbers below were chosen
on half of four multi-hop question sets and kept where the other half agreed; all have wide
plateaus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from quaere.domain.evidence import Lead, Score
from quaere.domain.source import Passage
from quaere.domain.url import canonical_url
from quaere.evidence.features import (
    DocumentShare,
    Features,
    QueryTerms,
    Rarity,
    estimated_share,
    features_of,
    query_terms,
    stand_ins,
)
from quaere.evidence.links import Edge, Link, Postings, leading_names, links, min_rarity
from quaere.models.similarity import spread
from quaere.text.tokens import is_stop_word, stem

K1, B, MEAN_LENGTH = 1.2, 0.8, 110.0
"""BM25's saturation and length normalization, with the usual length of a passage in words."""

NAMED_SHARE, NAMED_FLAT, NAMED_FULL = 1.0, 0.3, 6.0
"""Bonus of a named title: its share of the question's weight, and up to ``NAMED_FLAT`` for its
rarity, paid in full from a rarity of ``NAMED_FULL``."""

NAMED_SHORT = 0.5
"""Factor of the bonus when only the title up to its comma is named."""

NAMED_INSIDE = 0.2
"""Factor of the bonus when the name is only part of a longer title that the question names."""

MEANING = 0.4
"""Worth of the passage that is nearest to the question in meaning, to an embedder; that of the one
farthest from it is 0."""

HOPS, PARENTS = 2, 5
"""How often scores are passed on along links, and how many of the best passages pass theirs on."""

INHERITED, INHERITED_SURE = 0.4, 0.7
"""Share of its parent's score that a linked passage inherits, and the part of that share that does
not depend on the strength of the link."""

STRONG_LINK = 0.075
"""Strength of a link from which the whole share is inherited."""

GAIN = 0.8
"""Weight of what a linked passage covers of the question beyond its chain."""

COVERED = 0.5
"""Coverage from which a word of the question counts as covered."""

FRESH_BONUS, SAME_LINK = 0.3, 0.9
"""For the order: bonus for what a passage covers that better ones don't, and factor for each better
passage that was reached over the same name of the same passage."""

STAND_IN = 0.01
"""Worth of a passage that has no word of the question, and one that documents have for such."""

CANDIDATES, ORDERED = 60, 25
"""The best passages by score, and how many places are filled from them with care; the rest follow
by score."""


class Ranking(NamedTuple):
    """The pool in order."""

    scores: Mapping[str, Score]
    parents: Mapping[str, str]
    """Id of the passage that leads to a passage, where that is what makes it stand high."""
    order: tuple[str, ...]
    """Passage ids, best first, repetition of the same put back."""
    leads: tuple[Lead, ...]
    """Names that lead on, strongest first."""


@dataclass(slots=True)
class _Standing:
    """What is known of one passage while scores are passed on."""

    passage: Features
    covers: Mapping[str, float]
    """Coverage, 0 to 1, of each of the question's terms that the passage holds."""
    own: float
    named: float
    prior: float = 0.0
    meaning: float = 0.0
    total: float = 0.0
    parent: str | None = None
    via: str = ""
    chain: Mapping[str, float] = field(default_factory=dict[str, float])
    """Coverage by the passage and all that leads to it."""


def rank(
    question: str,
    passages: Sequence[Passage],
    document_share: DocumentShare | None,
    priors: Mapping[str, float] = MappingProxyType({}),
    nearness: Mapping[str, float] = MappingProxyType({}),
) -> Ranking:
    """Score ``passages`` against ``question`` and each other.

    Args:
        question: What is asked.
        passages: The pool; the order does not matter.
        document_share: Share of all passages of the index that hold a word; estimated from the pool
            when None.
        priors: What relevant passages (by id) get on top where ``document_share`` is None.
            Next to a true count the place in a list tells nothing more.
        nearness: How near passages (by id) are to the question in meaning, as an embedder's
            cosines; those that are left out count as the farthest.
    """
    pool = {
        passage.id: features_of(passage.id, passage.title, passage.text)
        for passage in sorted(passages, key=lambda p: (p.url, p.start, p.id))
    }
    rarity = Rarity(document_share or estimated_share(question, pool.values()))
    scoring = _Scoring(query_terms(question, rarity), pool, rarity)
    return scoring.ranking({} if document_share else priors, spread(nearness))


class _Scoring:
    def __init__(self, asked: QueryTerms, pool: Mapping[str, Features], rarity: Rarity) -> None:
        self.asked = asked
        self.rarity = rarity
        self._stand_ins = stand_ins(asked)
        self.postings = Postings(pool)
        named = _named_titles(asked, pool)
        self.pool = {key: self._standing(passage, named) for key, passage in pool.items()}
        self._telling = min_rarity((self.pool[key].passage for key in self._parents()), rarity)
        self._edges: dict[str, dict[str, Edge]] = {}
        self._links: dict[str, dict[str, Link]] = {}

    def ranking(self, priors: Mapping[str, float], meaning: Mapping[str, float]) -> Ranking:
        for _ in range(HOPS):
            self._pass_on()
        self._add_beyond_words(priors, meaning)
        return Ranking(
            scores={key: _score(standing) for key, standing in self.pool.items()},
            parents={key: s.parent for key, s in self.pool.items() if s.parent},
            order=self._order(),
            leads=self._leads(),
        )

    def _add_beyond_words(self, priors: Mapping[str, float], meaning: Mapping[str, float]) -> None:
        """Add what tells for the passages besides the words of the question that they hold."""
        for key, standing in self.pool.items():
            if standing.total > 0:
                standing.prior = priors.get(key, 0.0)
                standing.meaning = MEANING * meaning.get(key, 0.0)
                standing.total += standing.prior + standing.meaning
            elif not self._stand_ins.isdisjoint(standing.passage.counts):
                standing.total = STAND_IN

    def _standing(self, passage: Features, named: Sequence[str]) -> _Standing:
        slack = K1 * (1 - B + B * passage.length / MEAN_LENGTH)
        counts = ((term, passage.counts.get(term, 0)) for term in self.asked.weights)
        covers = {term: count / (count + slack) for term, count in counts if count}
        own, bonus = self._weigh(covers), self._bonus(passage, named)
        return _Standing(passage, covers, own, bonus, total=own + bonus, chain=covers)

    def _weigh(self, covers: Mapping[str, float]) -> float:
        weights = self.asked.weights
        return sum(weights[term] * share for term, share in covers.items()) / self.asked.total

    def _weigh_beyond(self, known: Mapping[str, float], covers: Mapping[str, float]) -> float:
        """Return the weight of what ``covers`` has more of than ``known``."""
        weights, more = self.asked.weights, 0.0
        for term, share in covers.items():
            if (beyond := share - known.get(term, 0.0)) > 0.0:
                more += weights[term] * beyond
        return more / self.asked.total

    def _bonus(self, passage: Features, named: Sequence[str]) -> float:
        title = passage.title
        for name in dict.fromkeys((title.full, title.base, title.short)):
            weight = sum(
                self.asked.weights.get(stem(word), 0.0) for word in dict.fromkeys(name.split())
            )
            if name not in named or weight <= 0:
                continue
            if _is_part_of_another(name, named):
                weight *= NAMED_INSIDE
            if name not in title.exact:
                weight *= NAMED_SHORT
            flat = NAMED_FLAT * min(1.0, weight / NAMED_FULL)
            return NAMED_SHARE * weight / self.asked.total + flat
        return 0.0

    def _best(self, count: int) -> list[str]:
        return sorted(self.pool, key=lambda key: -self.pool[key].total)[:count]

    def _parents(self) -> list[str]:
        """Return the passages that may lead to others: those that have to do with the question."""
        return [key for key in self._best(PARENTS) if self.pool[key].total > 0]

    def _edges_of(self, key: str) -> dict[str, Edge]:
        if key not in self._edges:
            passage = self.pool[key].passage
            self._edges[key] = leading_names(
                self.asked, passage, self.rarity, self._telling, self.postings
            )
        return self._edges[key]

    def _links_of(self, key: str) -> dict[str, Link]:
        if key not in self._links:
            self._links[key] = links(
                self.pool[key].passage, self._edges_of(key), self.asked, self.postings
            )
        return self._links[key]

    def _pass_on(self) -> None:
        """Let the best passages raise those they lead to, all from the scores as they stand now."""
        before = {key: (self.pool[key].total, self.pool[key].chain) for key in self._parents()}
        for key, (total, chain) in before.items():
            above = self._ancestors(key)
            for other, link in self._links_of(key).items():
                child = self.pool[other]
                if other in above:
                    continue
                sure = INHERITED_SURE + (1 - INHERITED_SURE) * min(1, link.strength / STRONG_LINK)
                gained = self._weigh_beyond(chain, child.covers)
                value = INHERITED * sure * total + GAIN * gained + link.strength
                if value > child.total:
                    child.total, child.parent, child.via = value, key, link.name
                    child.chain = {
                        term: max(child.covers.get(term, 0.0), chain.get(term, 0.0))
                        for term in {**chain, **child.covers}
                    }

    def _ancestors(self, key: str) -> set[str]:
        seen = {key}
        parent = self.pool[key].parent
        while parent and parent not in seen:
            seen.add(parent)
            parent = self.pool[parent].parent
        return seen

    def _order(self) -> tuple[str, ...]:
        """Order the pool by score, with what says the same again put back."""
        best = self._best(len(self.pool))
        left = best[:CANDIDATES]
        covered: dict[str, float] = {}
        taken: dict[tuple[str, str], int] = {}
        order: list[str] = []

        def worth(key: str) -> float:
            standing = self.pool[key]
            repeated = taken.get((standing.parent, standing.via), 0) if standing.parent else 0
            fresh = self._weigh_beyond(covered, standing.covers)
            return standing.total * SAME_LINK**repeated + FRESH_BONUS * fresh

        while left and len(order) < ORDERED:
            chosen = max(left, key=worth)  # of equal ones the first
            left.remove(chosen)
            order.append(chosen)
            standing = self.pool[chosen]
            for term, share in standing.covers.items():
                covered[term] = max(share, covered.get(term, 0.0))
            if standing.parent:
                way = (standing.parent, standing.via)
                taken[way] = taken.get(way, 0) + 1
        return tuple(key for key in dict.fromkeys((*order, *best)) if self.pool[key].total > 0)

    def _leads(self) -> tuple[Lead, ...]:
        found: dict[str, Lead] = {}
        for key in self._parents():
            standing = self.pool[key]
            words = self.asked.words
            covered = tuple(words[t] for t, share in standing.covers.items() if share >= COVERED)
            for name, edge in self._edges_of(key).items():
                strength = standing.total * edge.nearness * edge.rarity
                if name not in found or strength > found[name].strength:
                    found[name] = Lead(name=name, passage=key, strength=strength, covered=covered)
        return tuple(sorted(found.values(), key=lambda lead: (-lead.strength, lead.name)))


def _named_titles(asked: QueryTerms, pool: Mapping[str, Features]) -> list[str]:
    """Return the titles of the pool, in any spelling, that the question names."""
    spellings = {
        name
        for passage in pool.values()
        for name in (*passage.title.exact, passage.title.short)
        if name and f" {name} " in asked.phrase and not is_stop_word(name)
    }
    return sorted(spellings)


def _is_part_of_another(name: str, named: Iterable[str]) -> bool:
    return any(name != other and f" {name} " in f" {other} " for other in named)


def _score(standing: _Standing) -> Score:
    inherited = standing.total - standing.own - standing.named - standing.prior - standing.meaning
    return Score(
        relevance=standing.own,
        named=standing.named,
        inherited=inherited if standing.parent else 0.0,
        prior=standing.prior,
        meaning=standing.meaning,
        total=standing.total,
    )


PRIOR_FIRST = 0.1
"""Worth of the first place; what covers a whole question scores about 0.6."""

PRIOR_HALF = 10
"""Places from the first on after which it is half as much."""


def rank_priors(passages: Iterable[Passage], considered: Sequence[str]) -> dict[str, float]:
    """Return what the places of their sources are worth to ``passages``, by id.

    Args:
        passages: Passages of any sources.
        considered: Canonical URLs in the order in which searches have brought them: what the
            question itself found comes first, best first. A source that is not there counts 0.
    """
    worth = {url: place_worth(place) for place, url in enumerate(considered)}
    return {passage.id: worth.get(canonical_url(passage.url), 0.0) for passage in passages}


def place_worth(place: int) -> float:
    """Return the worth of a place, from 0: ``PRIOR_FIRST`` at most, falling towards 0."""
    return PRIOR_FIRST * PRIOR_HALF / (PRIOR_HALF + place)
