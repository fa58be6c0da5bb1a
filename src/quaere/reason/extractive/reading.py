"""Passages as the reasoner reads them: sentences, what they speak of, and which leads to which.

A question with several hops is answered by sentences that share no word: "Ada Novak founded Orbis"
and "Novak was born in Brno" answer "Where was the founder of Orbis born?" only together. So a
sentence is weighed as the end of a chain: it brings its own words, the rest of its passage, and
sentences elsewhere that name what it is about.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage
from quaere.ports import TermStatistics
from quaere.reason.extractive.kinds import sought
from quaere.reason.extractive.parts import depths
from quaere.text.names import names
from quaere.text.relations import related_words
from quaere.text.sentences import sentences
from quaere.text.tokens import STOP_WORDS, stem, terms, tokenize, words

_SPACE = re.compile(r"\s+")
_LIST_MARK = re.compile(r"(?:[-*•–]|\d{1,2}[.)]|#{1,6}|>)\s+")
_LIFE = re.compile(r"\((?:[^()]{0,60}\b)?\d{3,4}\s*[–—-]\s*[^()]{0,40}\d{3,4}\)")
_BRACKETS = re.compile(r"\s*[(\[（][^)\]）]*[)\]）]\s*")
_GENERIC_WORDS = """
    place time name named names called known year kind type sort different many much person people
    thing things one two part also likely possible main major best good own use used make made find
    found give given describe explain summarize summarise list tell please provide example cause
    effect result associate relate like along among around still would could common
"""
_DEGREE_WORDS = """
    earlier later earliest latest first last older younger oldest youngest newer recently larger
    largest smaller smallest bigger biggest longer longest shorter higher highest lower taller
    tallest greater greatest fewer most more less same both
"""
_DEGREES = frozenset(stem(word) for word in _DEGREE_WORDS.split())
_GENERIC = frozenset(stem(word) for word in _GENERIC_WORDS.split())


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a passage; ``text`` is passage text ``[start, end)``, its spaces made one."""

    owner: int
    """Place of its passage in the pool."""
    place: int
    """Place among the sentences of its passage."""
    start: int
    end: int
    text: str
    flat: str
    """Its words in lower case, a space around each."""
    terms: frozenset[str]
    names: frozenset[str]
    """Names of two words and more, in lower case: what ties sentences of different passages."""


@lru_cache(maxsize=1024)
def _read(text: str, owner: int) -> tuple[Line, ...]:
    lines: list[Line] = []
    for span in sentences(text):
        mark = _LIST_MARK.match(text, span.start, span.end)
        start = mark.end() if mark else span.start
        stretch = text[start : span.end]
        if not stretch.strip():
            continue
        named = (" ".join(words(name.text)) for name in names(stretch))
        lines.append(
            Line(
                owner=owner,
                place=len(lines),
                start=start,
                end=span.end,
                text=_SPACE.sub(" ", stretch).strip(),
                flat=f" {' '.join(words(stretch))} ",
                terms=_spoken(stretch),
                names=frozenset(name for name in named if " " in name),
            )
        )
    return tuple(lines)


def _spoken(text: str) -> frozenset[str]:
    """Return the stems of ``text``; the years of a life tell of a birth and a death."""
    return frozenset(terms(text)).union(("born", "die") if _LIFE.search(text) else ())


def subject(title: str) -> str:
    """Return what a page of that title is about: the title without what stands in brackets."""
    return _BRACKETS.sub(" ", title).strip() or title.strip()


class Pool:
    """Passages read once: their lines, how rare each term is, and the ties between passages."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        passages: Mapping[str, Passage],
        statistics: TermStatistics | None = None,
    ) -> None:
        """Read the texts of ``evidence``, best first; evidence without its text is passed over.

        Args:
            evidence: The selection of a run.
            passages: Texts by passage id.
            statistics: How common words are in what was searched; without, what the selection
                itself shows.
        """
        self.evidence = tuple(e for e in evidence if e.passage in passages)
        self.passages = tuple(passages[e.passage] for e in self.evidence)
        self._statistics = statistics
        self.lines_of = tuple(_read(p.text, i) for i, p in enumerate(self.passages))
        self.title_terms = tuple(frozenset(terms(p.title)) for p in self.passages)
        self._frequency = Counter(
            term
            for lines, title in zip(self.lines_of, self.title_terms, strict=True)
            for term in title.union(*(line.terms for line in lines))
        )
        self._ties: dict[int, tuple[Line, ...]] | None = None

    @property
    def lines(self) -> Iterable[Line]:
        """All lines, passage by passage."""
        return (line for lines in self.lines_of for line in lines)

    def rarity(self, term: str, word: str) -> float:
        """Return how much ``term``, the stem of ``word``, tells a passage from others; over 0."""
        here = math.log(1 + (len(self.passages) + 1) / (self._frequency[term] + 0.5))
        if self._statistics is None:
            return here
        everywhere = math.log(1 + 1 / (self._statistics.document_share(word) + 1e-4))
        return math.sqrt(here * everywhere)

    def tied(self, owner: int) -> tuple[tuple[Line, str], ...]:
        """Return the lines of other passages that are tied to ``owner``, each with what ties it.

        A line ties when it names what the other passage is about, is in a passage that a line of
        ``owner`` is about to name, or shares a name of two words with one of its lines.
        """
        if self._ties is None:
            self._ties = self._tie()
        return self._ties[owner]

    def _tie(self) -> dict[int, tuple[tuple[Line, str], ...]]:
        flats = [_title_forms(p.title) for p in self.passages]
        tied: dict[int, list[tuple[Line, str]]] = {o: [] for o in range(len(self.passages))}
        for line in self.lines:
            for owner, forms in enumerate(flats):
                form = next((f for f in forms if f in line.flat), None)
                if owner != line.owner and form is not None:
                    tied[owner].append((line, form.strip()))
                    tied[line.owner].extend((other, form.strip()) for other in self.lines_of[owner])
        named: dict[str, list[Line]] = {}
        for line in self.lines:
            for name in sorted(line.names):
                named.setdefault(name, []).append(line)
        for name, sharing in named.items():
            for line in sharing:
                for owner in sorted({other.owner for other in sharing} - {line.owner}):
                    tied[owner].append((line, name))
        return {owner: tuple(dict.fromkeys(lines)) for owner, lines in tied.items()}


@lru_cache(maxsize=1024)
def _title_forms(title: str) -> tuple[str, ...]:
    """Return the ways in which a sentence may name what ``title`` stands for."""
    parts = words(subject(title))
    if not any(part not in STOP_WORDS and len(part) > 1 for part in parts):
        return ()
    forms = [f" {' '.join(parts)} "]
    if len(parts) == 3:
        forms.append(f" {parts[0]} {parts[2]} ")
    return tuple(forms)


class Goal:
    """What is looked for: terms, each with a weight, as bits of a mask."""

    def __init__(self, text: str, pool: Pool, wanted: Iterable[str] = ()) -> None:
        self.known = frozenset(words(text))
        self._named = {stem(w) for name in names(text) for w in words(name.text)}
        spelled = {stem(token.text.casefold()): token.text for token in tokenize(text)}
        chosen = dict.fromkeys(wanted) or dict.fromkeys(terms(text))
        self.terms = tuple(chosen)
        self.words = {term: spelled.get(term, term) for term in self.terms}
        self._bits = {term: 1 << place for place, term in enumerate(self.terms)}
        self._alike = {
            term: frozenset(stem(other) for other in related_words(self.words[term].casefold()))
            for term in self.terms
        }
        self._sought = frozenset(map(stem, sought(text)))
        far = depths(text)
        self._weights = [self._weigh(term, pool) for term in self.terms]
        self._pulls = [
            weight * 0.5 ** far.get(term, 3)
            for term, weight in zip(self.terms, self._weights, strict=True)
        ]
        self._shares: dict[int, float] = {}

    def _weigh(self, term: str, pool: Pool) -> float:
        if term in _DEGREES and len(self.terms) > 1:
            return 0.05
        factor = (
            0.3 if term in _GENERIC or term in self._sought else 1.4 if term in self._named else 1.0
        )
        return factor * pool.rarity(term, self.words[term].casefold())

    def mask(self, found: frozenset[str]) -> int:
        """Return the bits of the terms that are in ``found``."""
        bits = 0
        for term, bit in self._bits.items():
            if term in found or not self._alike[term].isdisjoint(found):
                bits |= bit
        return bits

    def share(self, mask: int) -> float:
        """Return the share, 0 to 1, of the weight that the terms of ``mask`` carry."""
        if mask not in self._shares:
            self._shares[mask] = _share(self._weights, mask)
        return self._shares[mask]

    def focus(self, mask: int) -> float:
        """Return the same with terms counting the more, the nearer they are to what is asked."""
        return _share(self._pulls, mask)

    def named(self, mask: int) -> float:
        """Return the same of the terms that are part of names; 1.0 when nothing is named."""
        weights = [
            weight if term in self._named else 0.0
            for term, weight in zip(self.terms, self._weights, strict=True)
        ]
        return _share(weights, mask) if any(weights) else 1.0

    def missing(self, mask: int) -> tuple[str, ...]:
        """Return the words, as they were asked, whose terms are not in ``mask``."""
        return tuple(self.words[t] for t, bit in self._bits.items() if not mask & bit)


@dataclass(frozen=True, slots=True)
class Chain:
    """A line and the lines that lead to it."""

    end: Line
    helpers: tuple[Line, ...]
    own: float
    """Share of the goal that the line and the title of its passage cover."""
    focus: float
    """Share of what is asked for that the line alone covers."""
    near: float
    """The same with the whole passage."""
    covered: float
    """The same with the helpers."""
    mask: int


class Search:
    """Finds the lines, and the chains that end in them, that cover a goal."""

    def __init__(self, pool: Pool, goal: Goal) -> None:
        self.pool = pool
        self.goal = goal
        self._led: dict[int, tuple[Line, ...]] = {}
        self._titles = [goal.mask(found) for found in pool.title_terms]
        self._lines = [[goal.mask(line.terms) for line in lines] for lines in pool.lines_of]
        self._wholes = [
            _union(masks) | title for masks, title in zip(self._lines, self._titles, strict=True)
        ]

    def mask(self, line: Line) -> int:
        """Return the terms that ``line`` and the title over it hold."""
        return self._lines[line.owner][line.place] | self._titles[line.owner]

    def chain(self, line: Line, helpers: int = 2) -> Chain:
        """Return the best chain of at most ``helpers`` lines of other passages to ``line``."""
        share = self.goal.share
        own = self.mask(line)
        near = own | self._wholes[line.owner]
        mask, used, reached = near, list[Line](), [line.owner]
        for _ in range(helpers):
            best, gain = None, 0.02
            for owner in reached:
                for other in self._leads(owner):
                    if other.owner in reached:
                        continue
                    more = share(mask | self.mask(other)) - share(mask)
                    if more > gain:
                        best, gain = other, more
            if best is None:
                break
            used.append(best)
            reached.append(best.owner)
            mask |= self.mask(best)
        focus = self.goal.focus(self._lines[line.owner][line.place])
        return Chain(line, tuple(used), share(own), focus, share(near), share(mask), mask)

    def _leads(self, owner: int) -> tuple[Line, ...]:
        """Return the lines tied to ``owner`` by something that the question did not name."""
        if owner not in self._led:
            self._led[owner] = tuple(
                dict.fromkeys(
                    line
                    for line, tie in self.pool.tied(owner)
                    if not self.goal.known.issuperset(tie.split())
                )
            )
        return self._led[owner]

    def chains(self) -> list[Chain]:
        """Return the chains to every line of the pool."""
        return [self.chain(line) for line in self.pool.lines]


def _share(weights: Sequence[float], mask: int) -> float:
    total = sum(weights)
    return sum(w for at, w in enumerate(weights) if mask >> at & 1) / total if total else 0.0


def _union(masks: Iterable[int]) -> int:
    bits = 0
    for mask in masks:
        bits |= mask
    return bits
