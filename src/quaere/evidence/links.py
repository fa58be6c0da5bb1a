"""Where a passage leads: the names in it that stand near the question, and what they lead to.

Title links, mention links and the score that a linked passage inherits bring the second and third
hop of a question into the pool; fusing the ranks of bridge queries does not.

Recall counts when names are looked for here, and one wrong name in ten does no harm: a name that
leads nowhere finds no passage. `quaere.text.names` aims at precision and gives each name once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quaere.evidence.features import Features, QueryTerms, Rarity
from quaere.text.languages.language import cached_by_language
from quaere.text.lexicon import CALENDAR, PARTICLES, STARTERS
from quaere.text.sentences import sentences
from quaere.text.tokens import INSIDE, is_stop_word, stem, words

MIN_RARITY = 4.0
"""A name leads nowhere if all its words are more common (4.0: in 1 passage of 55)."""

TELLING_SHARE = 2 / 3
"""The same as a share of the rarity of the rarest name, for collections so small that no word is
rarer than ``MIN_RARITY``."""

FULL_RARITY = 8.0
"""Summed rarity of its words from which a name counts in full."""

WINDOW_SHARE = 0.5
"""How much of a name's nearness comes from the words next to it; the rest from its
sentence."""

WINDOW_HALF = 3.0
"""Distance, in words, at which a word near a name counts half."""

FIRST_SENTENCE = 0.15
"""Extra nearness of names in the first sentence, which says what the passage is about."""

TITLE_LINK = 0.25
SHORT_TITLE_LINK = 0.125
MENTION_LINK = 0.15
BACK_LINK = 0.018
"""Strength of a link: the name is the title, is the title up to a comma, is mentioned; and of the
link to a passage that mentions this one's title."""

SIBLING_LINK = 0.018
"""Strength of the link between passages of one page."""

FAN_OUT = 0.5
"""Mention links are divided by the number of passages that mention the name, to this power."""


class Edge(NamedTuple):
    """A name that may lead on."""

    nearness: float
    """0 to about 1.2: how much of the question is in its sentence and close to it."""
    rarity: float
    """0 to 1: how telling the name is."""


class Link(NamedTuple):
    """A way from one passage to another."""

    strength: float
    name: str


class Postings:
    """Finds the passages of a pool that hold a name."""

    def __init__(self, pool: Mapping[str, Features]) -> None:
        self._pool = pool
        self._holders: dict[str, list[str]] = {}
        self._common: dict[str, bool] = {}
        for key, passage in pool.items():
            for word in passage.vocabulary:
                self._holders.setdefault(word, []).append(key)

    def holding(self, name: str) -> Iterator[Features]:
        """Yield the passages in which ``name``, in folded words, stands."""
        holders = [self._holders.get(word, ()) for word in name.split()]
        wanted = f" {name} "
        for key in min(holders, key=len, default=()):
            if wanted in self._pool[key].phrase:
                yield self._pool[key]

    def is_common(self, name: str) -> bool:
        """Whether some passage has ``name`` in lower case, or what it is the adverb of."""
        if name not in self._common:  # a page may begin every sentence with it
            self._common[name] = name in STARTERS or self._is_held_small(name)
        return self._common[name]

    def _is_held_small(self, name: str) -> bool:
        return any(
            re.search(rf"(?<!\w){re.escape(word)}(?!\w)", passage.text)
            for word in dict.fromkeys((name, name.removesuffix("ly")))
            for passage in self.holding(word)
        )


def min_rarity(passages: Iterable[Features], rarity: Rarity) -> float:
    """Return how rare a word of a name must be for it to lead on, judged by ``passages``."""
    lines = (names for passage in passages for names in names_by_sentence(passage.text))
    named = {word for names in lines for name in names for word in name.split()}
    return min(MIN_RARITY, TELLING_SHARE * max(map(rarity.of, named), default=0.0))


def leading_names(
    asked: QueryTerms, passage: Features, rarity: Rarity, telling: float, postings: Postings
) -> dict[str, Edge]:
    """Return the names of ``passage`` with a word of rarity ``telling``: they may lead on.

    A word that only begins a sentence does not count if the pool holds it without its capital.
    """
    lines = [_Line(asked, sentence) for sentence in passage.sentences]
    found: dict[str, Edge] = {}
    for number, name in _new_names(asked, passage):
        content, line = name.split(), lines[number]
        if not _is_telling(content, asked, rarity, telling):
            continue
        if line.begins_with(content) and postings.is_common(name):
            continue
        nearness = line.nearness(content) / asked.total
        nearness += FIRST_SENTENCE if number == 0 else 0.0
        edge = Edge(nearness, min(1.0, rarity.of_all(content) / FULL_RARITY))
        found[name] = max(found.get(name, edge), edge, key=lambda each: each.nearness)
    return found


def _new_names(asked: QueryTerms, passage: Features) -> Iterator[tuple[int, str]]:
    """Yield the names in ``passage`` besides its title and the question's, with their sentence."""
    for number, named in enumerate(names_by_sentence(passage.text)):
        for name in named:
            if name not in passage.title.exact and f" {name} " not in asked.phrase:
                yield number, name


def _is_telling(name: Sequence[str], asked: QueryTerms, rarity: Rarity, telling: float) -> bool:
    """Return whether a word of ``name`` that the question does not have is rare enough."""
    fresh = (word for word in name if stem(word) not in asked.weights)
    return max(map(rarity.of, fresh), default=0.0) >= telling


class _Line:
    """One sentence, with the words of it that the question asks about."""

    def __init__(self, asked: QueryTerms, sentence: Sequence[str]) -> None:
        self.words = tuple(sentence)
        self.hits = [
            (position, term, weight)
            for position, term in enumerate(map(stem, sentence))
            if (weight := asked.weights.get(term) or asked.related.get(term))
        ]
        self.weight = sum({term: weight for _, term, weight in self.hits}.values())

    def begins_with(self, name: Sequence[str]) -> bool:
        """Return whether the sentence begins with ``name``."""
        return self.words[: len(name)] == tuple(name)

    def nearness(self, name: Sequence[str]) -> float:
        """Return the weight of the question's words around the best place of ``name``."""
        if not self.hits:
            return 0.0
        size, wanted = len(name), tuple(name)
        starts = (
            start
            for start in range(len(self.words) - size + 1)
            if self.words[start] == wanted[0] and self.words[start : start + size] == wanted
        )
        beside = max((self._beside(start, start + size - 1) for start in starts), default=0.0)
        return (1 - WINDOW_SHARE) * self.weight + WINDOW_SHARE * beside

    def _beside(self, first: int, last: int) -> float:
        best: dict[str, float] = {}
        for position, term, weight in self.hits:
            distance = first - position if position < first else max(0, position - last)
            value = weight * WINDOW_HALF / (WINDOW_HALF + distance)
            best[term] = max(value, best.get(term, 0.0))
        return sum(best.values())


def links(
    passage: Features, leads: Mapping[str, Edge], asked: QueryTerms, postings: Postings
) -> dict[str, Link]:
    """Return the passages of the pool that ``passage`` leads to, each by its strongest link."""
    best: dict[str, Link] = {}
    for name, edge in leads.items():
        for other, strength in _named(name, edge, passage, postings):
            _offer(best, other.id, strength, name)
    for other, strength in _titled(passage, asked, postings):
        _offer(best, other.id, strength, passage.title.base)
    return best


def _offer(best: dict[str, Link], key: str, strength: float, name: str) -> None:
    if strength > best.get(key, Link(0.0, "")).strength:
        best[key] = Link(strength, name)


def _titled(
    passage: Features, asked: QueryTerms, postings: Postings
) -> Iterator[tuple[Features, float]]:
    """Yield the passages that hold the title of ``passage``, with the strength of each link."""
    title = passage.title.base
    is_asked = f" {title} " in asked.phrase
    for other in postings.holding(title):
        if other.title.base == title:
            if other.id != passage.id:
                yield other, SIBLING_LINK
        elif not is_asked:
            yield other, BACK_LINK


def _named(
    name: str, edge: Edge, passage: Features, postings: Postings
) -> Iterator[tuple[Features, float]]:
    """Yield the passages that ``name`` leads to, with the strength of each link."""
    mentioning: list[Features] = []
    for other in postings.holding(name):
        if other.title.base == passage.title.base:
            continue
        if name in other.title.exact:
            yield other, TITLE_LINK * edge.nearness
        elif name == other.title.short:
            yield other, SHORT_TITLE_LINK * edge.nearness
        else:
            mentioning.append(other)
    for other in mentioning:
        yield other, MENTION_LINK * edge.rarity * edge.nearness / len(mentioning) ** FAN_OUT


JOINERS = PARTICLES | frozenset(["a", "and", "for", "in", "on", "at", "&", "to"])
"""Lower-case words that may occur between the capitalized words of a name."""

_WORD = re.compile(rf"[^\W_]++(?:[{INSIDE}]*+['’.-]?+[^\W_]++)*+[{INSIDE}]*+\.?|[&,;:()\"“”!?.]")
_NUMERAL = re.compile(r"[\d.,]+(?:s|st|nd|rd|th)?")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")


def mentions(sentence: str) -> tuple[str, ...]:
    """Return what ``sentence`` may be naming, in folded words, each spelling once.

    Capitalized runs are given whole and in their parts ("University of Paris", "Paris"), after a
    comma also with the run before it ("Springfield, Illinois"), and so is quoted text.
    Bare numbers, decades and dates name nothing, nor does a word that labels what follows.
    """
    found: dict[str, None] = {}
    before: Sequence[str] = ()
    for run, end in _runs(sentence):
        for spelling in (run, *_parts(run), [*before, *run] if before else ()):
            found.update(dict.fromkeys(_key(spelling)))
        before = run if end == "," else ()
    for quoted in _QUOTED.findall(sentence):
        found.update(dict.fromkeys(_key(quoted.split())))
    return tuple(found)


def _runs(sentence: str) -> Iterator[tuple[list[str], str]]:
    """Yield the capitalized runs of ``sentence``, and what follows them."""
    run: list[str] = []
    for piece in _WORD.findall(sentence):
        if _is_of_name(piece):
            run.append(piece.rstrip(".") if len(piece) > 3 else piece)
        elif run and piece.lower() in JOINERS:
            run.append(piece)
        else:
            yield [] if _is_label(run, piece) else run, piece
            run = []
    yield run, ""


def _is_of_name(piece: str) -> bool:
    return piece[0].isupper() or piece[0].isdigit()


def _is_label(run: Sequence[str], end: str) -> bool:
    """Tell whether ``run`` is of the kind of "Conclusion: ..."."""
    return end == ":" and len(run) == 1


def _parts(run: Sequence[str]) -> list[list[str]]:
    """Return the pieces of ``run`` between its joiners; none where that would be ``run`` itself."""
    parts: list[list[str]] = [[]]
    for word in run:
        if word.lower() in JOINERS and not word[0].isupper():
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if len(parts) > 1 else []


def _key(run: Sequence[str]) -> Iterator[str]:
    """Yield ``run`` as a name in folded words, cut down to what can belong to one."""
    name = list(run)
    while name and _cannot_begin(name[0]):
        del name[0]
    while name and _cannot_end(name):
        del name[-1]
    folded = words(" ".join(name))
    key = " ".join(folded)
    if len(key) > 2 and not all(map(_is_empty, folded)):
        yield key


def _cannot_begin(word: str) -> bool:
    return _is_edge(word) or word.isdigit() or is_stop_word(word)


def _cannot_end(name: Sequence[str]) -> bool:
    # A number is never the first word of a name.
    return _is_edge(name[-1]) or (name[-1].isdigit() and _is_edge(name[-2]))


def _is_empty(word: str) -> bool:
    return is_stop_word(word) or _NUMERAL.fullmatch(word) is not None


def _is_edge(word: str) -> bool:
    return word.lower() in JOINERS or word.lower() in CALENDAR


@cached_by_language(maxsize=1024)
def names_by_sentence(text: str) -> tuple[tuple[str, ...], ...]:
    """Return what each sentence of ``text`` may be naming; see `mentions`."""
    return tuple(mentions(text[span.start : span.end]) for span in sentences(text))
