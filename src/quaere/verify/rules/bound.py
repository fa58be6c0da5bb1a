"""Two words of a sentence that its source has each with what is said of the other.

"Revenue beat the forecast, while profit fell short" has nearly all words of "profit beat the
forecast, while revenue fell short". What tells the two apart is what stands together: the source
has revenue with what the sentence says of profit, and profit with what it says of revenue. Either
alone is common in paraphrases, both hardly ever, however long the sentence is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from itertools import chain, combinations, groupby
from typing import Final, NamedTuple

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import Name
from quaere.text.numbers import Number
from quaere.verify.align import Word, content
from quaere.verify.ground import ground
from quaere.verify.likeness import is_irregular, likeness

_PARTS: Final = lazy_regex(
    r"(?i)[,;:()](?!\d)|\s[–—]\s|\b(?:and|or|but|while|whereas|as|after|before|because|since|when"
    r"|if|although|though|which|who|that)\b"
)
"""Between what may say something of its own."""
_COMPARES: Final = lazy_regex(r"(?i)\bthan\b|\bas \w+(?: \w+)? as\b|\brespectively\b")
"""Has its two sides in an order of its own."""
_JOINED: Final = lazy_regex(r"\w+(?:[-./]\w+)*")
"""One word, whatever it is joined of: "man-db" is not "man"."""
_DEED: Final = lazy_regex(r"[a-z]+(?:ed|ing)")
_SPELT: Final = lazy_regex(r"\w+")
REACH: Final = 2
"""Words before and after a word that are next to it."""


class _Kind(Enum):
    """What a word may be; only words of one kind can change places."""

    FIGURE = auto()
    NAME = auto()
    OTHER = auto()
    LIGHT = auto()
    """Verbs, of which many say much the same, and other words that tell little: none moves."""


class _Bound(NamedTuple):
    """A word and those that stand with it."""

    stem: str
    kind: _Kind
    beside: frozenset[str]
    """The stems of what stands with it, which may have its own."""


def are_bound_otherwise(said: str, lines: Sequence[str]) -> bool:
    """Return whether two words of ``said`` would each fit better in the place of the other.

    Each is in ``lines`` with something that the sentence says of the other alone, and with less of
    what it says of the word itself.
    """
    if not is_english() or _COMPARES.search(said):
        return False
    return any(
        _are_exchanged([*binding(said)], [each for line in lines for each in binding(line)])
        for binding in (_in_parts, _in_a_row)
    )


def _in_parts(text: str) -> Iterator[_Bound]:
    """Yield every word of ``text`` with those of its part."""
    ends = [match.start() for match in _PARTS.finditer(text)]
    kind = _kinds(text)
    for _, part in groupby(_units(text), key=lambda word: bisect_right(ends, word.start)):
        words = tuple(part)
        beside = frozenset(word.stem for word in words)
        yield from (_Bound(word.stem, kind(word), beside) for word in words)


def _in_a_row(text: str) -> Iterator[_Bound]:
    """Yield every word of ``text`` with the next ones of its clause on either side."""
    words = _units(text)
    kind = _kinds(text)
    for place, word in enumerate(words):
        around = words[max(0, place - REACH) : place + REACH + 1]
        beside = frozenset(each.stem for each in around if each.clause == word.clause)
        yield _Bound(word.stem, kind(word), beside)


def _units(text: str) -> Sequence[Word]:
    """Return the words of ``text``; those that are joined are one."""
    joined = {at: match.start() for match in _JOINED.finditer(text) for at in range(*match.span())}
    parts = groupby(content(text), key=lambda word: joined.get(word.start, word.start))
    return [_whole(tuple(part)) for _, part in parts]


def _whole(words: Sequence[Word]) -> Word:
    return replace(words[0], stem="-".join(word.stem for word in words))


def _kinds(text: str) -> Callable[[Word], _Kind]:
    """Return what tells the kind of a word of ``text``."""
    known = ground(text)
    figures, named = _within(known.numbers), _within(known.names)

    def kind(word: Word) -> _Kind:
        if word.start in figures or word.start in named:
            return _Kind.FIGURE if word.start in figures else _Kind.NAME
        spelt = _SPELT.match(text, word.start)
        is_deed = spelt is not None and (_DEED.fullmatch(spelt[0]) or is_irregular(spelt[0]))
        return _Kind.LIGHT if is_deed or word.weight < 1 else _Kind.OTHER

    return kind


def _within(spans: Iterable[Number | Name]) -> frozenset[int]:
    return frozenset(at for each in spans for at in range(each.start, each.end))


class _Source:
    """What stands together in the lines of a source, by the words of a sentence."""

    def __init__(self, mine: Iterable[_Bound], theirs: Sequence[_Bound]) -> None:
        known = frozenset(each.stem for each in theirs)
        said = frozenset(chain.from_iterable(each.beside for each in mine))
        self._forms = {stem: _forms(stem, known) for stem in said}
        places: dict[str, set[frozenset[str]]] = {}
        for each in theirs:
            places.setdefault(each.stem, set()).add(each.beside)
        self._places = {
            stem: [beside for form in forms for beside in places[form]]
            for stem, forms in self._forms.items()
        }

    def shared(self, stem: str, with_: Iterable[str]) -> int:
        """Return how many ``with_`` it stand with ``stem`` where most of them do."""
        forms = [self._forms[each] for each in with_]
        counts = (
            sum(not form.isdisjoint(beside) for form in forms) for beside in self._places[stem]
        )
        return max(counts, default=0)


def _forms(stem: str, known: frozenset[str]) -> frozenset[str]:
    """Return what is ``known`` and stands for the same as ``stem``: itself, else what is like it.

    Where a source has both "earnings" and "revenue", they are two things.
    """
    if stem in known:
        return frozenset((stem,))
    likenesses = ((other, likeness(stem, other)) for other in known)
    return frozenset(other for other, (weight, turned) in likenesses if weight and not turned)


def _are_exchanged(mine: Sequence[_Bound], theirs: Sequence[_Bound]) -> bool:
    source = _Source(mine, theirs)
    movable = [each for each in mine if each.kind is not _Kind.LIGHT]
    return any(
        one.kind is other.kind and _prefers(one, other, source) and _prefers(other, one, source)
        for one, other in combinations(movable, 2)
    )


def _prefers(one: _Bound, other: _Bound, source: _Source) -> bool:
    """Return whether the source has ``one`` with more of what is said of ``other`` alone."""
    both = {one.stem, other.stem}
    own, others = one.beside - other.beside - both, other.beside - one.beside - both
    if not own:
        return False
    return source.shared(one.stem, others) > 2 * source.shared(one.stem, own)
