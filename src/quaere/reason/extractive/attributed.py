"""Whose nationality a sentence tells: of a film, or of who is in it. English alone.

"A British film about a Hungarian painter" makes no Hungarian film, and its painter is not British.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, words

_WORD: Final = lazy_regex(r"[^\W_][\w'’-]*|[,;:.?!()]")
_ENDS: Final = frozenset(
    "a an the and or but of in on at by for from with about to as that which who whose where when set"
    " is are was were has have had it its , ; : . ? ! ( )".split()
)
_RUN: Final = 4
"""Words after one for a nation of which one may be what it is said of."""
_IS: Final = lazy_regex(r"(?i)\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+(?P<what>[^,.;]+)")
_FURTHER: Final = lazy_regex(
    r"(?i)\s(?:about|by|of|from|in|on|set|with|that|which|who|for|written|directed|produced|made"
    r"|based|starring|and)\s"
)


class Told(Enum):
    """How what a question says of nations is told."""

    SO = auto()
    """As it says, or nothing is said of nations."""
    NOT_SO = auto()
    """Of another thing, or not at all."""
    OTHERWISE = auto()
    """What it asks of is said to be of another nation."""


class _Said(NamedTuple):
    """A nation, and the stems of the words of which one is what it is said of."""

    nation: str
    of: frozenset[str]


def nations_told(text: str, sentences: Iterable[str]) -> Told:
    """Return whether ``sentences`` tell of the nations in ``text`` as that does."""
    asked = list(_said_in(text)) if is_english() else []
    told = tuple(sentences)
    found = [each for sentence in told for each in _said_in(sentence)]
    if all(_is_told(each, found) for each in asked):
        return Told.SO
    if any(_is_otherwise(asked[0], sentence) for sentence in told):
        return Told.OTHERWISE
    return Told.NOT_SO


def names_nations(text: str) -> bool:
    """Return whether ``text`` says of something of which nation it is."""
    return is_english() and any(said.of for said in _said_in(text))


def _is_told(asked: _Said, found: Iterable[_Said]) -> bool:
    """Whether one of those ``found`` says the same of the same thing, or names the nation alone."""
    if not asked.of:
        return True
    same = [each for each in found if each.nation == asked.nation]
    return any(not each.of or each.of & asked.of for each in same)


def _is_otherwise(asked: _Said, sentence: str) -> bool:
    """Whether ``sentence`` says what is ``asked`` about first to be of other nations alone."""
    found = _IS.search(sentence)
    if found is None:
        return False
    what = _FURTHER.split(f" {found['what']} ")[0]
    told = [each for each in _said_in(what) if each.of & asked.of]
    return bool(told) and asked.nation not in nations(what)


def _said_in(text: str) -> Iterator[_Said]:
    """Yield the nations of ``text``, each with the words after it up to the end of its phrase."""
    said = _WORD.findall(text)
    for at, word in enumerate(said):
        for nation in nations(word.replace("-", " ")):
            yield _Said(nation, frozenset(_phrase(said[at + 1 : at + 1 + _RUN])))


def _phrase(following: Iterable[str]) -> Iterator[str]:
    for word in following:
        if word.casefold() in _ENDS:
            return
        if not nations(word):
            yield from map(stem, words(word))
