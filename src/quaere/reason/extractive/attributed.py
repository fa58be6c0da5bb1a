"""Whose nationality a sentence tells: of a film, or of who is in it. English alone.

"A British film about a Hungarian painter" makes no Hungarian film, and its painter is not British.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, words

_WORD: Final = lazy_regex(r"[^\W_][\w'’-]*|[,;:.?!()]")
_ENDS: Final = word_set(
    "a an the and or but of in on at by for from with about to as that which who whose where when"
    " set is are was were has have had it its"
) | frozenset(",;:.?!()")
"""What ends the phrase in which something is said of a thing."""
_RUN: Final = 4
"""Words after one for a nation of which one may be what it is said of."""
_IS: Final = lazy_regex(r"(?i)\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+(?P<what>[^,.;]+)")
_FURTHER: Final = lazy_regex(
    r"(?i)\s(?:about|by|of|from|in|on|set|with|that|which|who|for|written|directed|produced|made"
    r"|based|starring|and)\s"
)


class _Said(NamedTuple):
    """A nation, and the stems of the words of which one is what it is said of."""

    nation: str
    of: frozenset[str]


def tell_nations_so(text: str, sentences: Sequence[str]) -> bool:
    """Return whether ``sentences`` call the same things by the nations that ``text`` does."""
    asked = list(_said_in(text)) if is_english() else []
    if asked and not asked[-1].of and not any(_calls_so(text, each) for each in sentences):
        return False
    found = [each for sentence in sentences for each in _said_in(sentence)]
    return all(_is_told(each, found) for each in asked)


_IS_ADJECTIVE: Final = lazy_regex(
    r"(?i)\W*(?:is|was|are|were)\s[^?]*(?<!\bin)(?<!\bof)(?<!\bfrom)(?<!\bto)(?<!\bthe)"
    r"\s(?P<nation>[^\s?]+)\W*\Z"
)
"""Asks whether something is of a nation, and no more: "Is Ada Novak Swedish?"."""
_PIECE: Final = lazy_regex(r"[,;:(]")
_ON_ANOTHER: Final = lazy_regex(r"(?i)\s(?:about|by|for|with|to|starring|her|his|their)\s")
"""Begins what is said of somebody else."""


def _calls_so(text: str, sentence: str) -> bool:
    """Return whether ``sentence`` may say that something is of the nation that ``text`` asks for.

    "She was married to the Hungarian painter Benko" makes nobody else a Hungarian.
    """
    asked = _IS_ADJECTIVE.match(text)
    wanted = frozenset(nations(asked["nation"])) if asked else frozenset[str]()
    own = (_ON_ANOTHER.split(piece)[0] for piece in _PIECE.split(sentence))
    return not wanted or any(not wanted.isdisjoint(nations(each)) for each in own)


_SUBJECT: Final = lazy_regex(r"(?i)\W*(?:is|was|are|were)\s+(?P<subject>.{1,80}?)\s+(?:an?|the)\s")


def is_of_another_nation(text: str, sentence: str) -> bool:
    """Return whether ``sentence`` says that what ``text`` asks of is of another nation.

    It begins with that: "Quiet Water is a British film" says no to whether it is an American one,
    whatever else is asked.
    """
    asked = in_english(_SUBJECT.match, text)
    found = _IS.search(sentence)
    if asked is None or found is None:
        return False
    subject = " ".join(words(asked["subject"]))
    is_same = f" {subject} " in f" {' '.join(words(sentence[: found.start()]))} "
    first = next(_said_in(text), None)
    return is_same and first is not None and _is_otherwise(first, sentence)


def names_nations(text: str) -> bool:
    """Return whether ``text`` says of something of which nation it is."""
    return is_english() and any(said.of for said in _said_in(text))


def _is_told(asked: _Said, found: Iterable[_Said]) -> bool:
    """Whether one of those ``found`` calls the thing so as well, or names the nation alone."""
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
