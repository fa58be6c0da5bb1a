"""What the parts of a sentence say, each by itself, and whether those of two sentences fit.

"A has 3 and B has 5" says two things. A sentence that exchanges the figures, or the names, has the
same words: what tells the two apart is which words are together in one part. So it is with "Alder
Dam needs new gates, and Birk Dam needs its spillway relined", which has all words of "Alder Dam
needs its spillway relined", but in no statement of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.text.languages.language import cached_by_language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tables import cells
from quaere.verify.align import content, stems
from quaere.verify.ground import ground, is_within
from quaere.verify.likeness import are_forms, has_opposite, is_irregular, root
from quaere.verify.quantities import amounts, figure_spans, in_base, same_kind, same_kind_of_date

_SEGMENTS: Final = lazy_regex(r"(?:[,;:](?!\d)|[、，；]|\s[–—])\s*|(?<=\d{4})\sto\s(?=[$€£]?\d)")
_JOINING: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "and|or|but|while|whereas",
        "de": "und|oder|während|aber",
        "fr": "et|ou|tandis que|mais",
        "es": "y|o|mientras que|pero",
        "it": "e|o|mentre|ma",
        "nl": "en|of|terwijl|maar",
        "pt": "e|ou|enquanto|mas",
    }
)
"""Words that join what could stand by itself, by ISO 639-1."""
_IN_ORDER: Final = lazy_regex(r"(?i)\b(?:respectively|in that order|jeweils|respectivamente)\b")
"""Says that what is told apart by its order is in no part of its own."""


def segments(text: str) -> Sequence[str]:
    """Return the parts of ``text``, each of which may say something of its own."""
    language = language_in_use()
    joining = _JOINING.get(language.code if language else "en", r"(?!)")
    parts = (re.split(rf"\s(?:{joining})\s", part) for part in _SEGMENTS.split(text))
    return [part for part in chain.from_iterable(parts) if part]


_COMPOUND: Final = lazy_regex(r"[^\W\d]\w*(?:[-.]\w+)+|[^\W\d]\w*_\w+")
"""A name of several words, as of a program or an option: "man-db" is not "man"."""

MOST: Final = 28
"""Parts of a sentence beyond which it is a list, of which any two are not compared with all."""
Part = frozenset[str]
"""The words of a part, as stems, and its amounts and dates, each in one form."""


def are_exchanged(said: str, lines: Iterable[str]) -> bool:
    """Return whether two parts of ``said`` have exchanged something.

    Each has some of its words from the one and some from the other of two parts of ``lines``, and
    all of them from no part.
    """
    mine = _parts(said)
    if not 2 <= len(mine) <= MOST or _IN_ORDER.search(said):
        return False
    lines = [line for line in lines if not _IN_ORDER.search(line)]
    theirs = [_parts(line) for line in lines]
    around = _around(lines, theirs)
    return any(_are_crossed(a, b, theirs, around) for a, b in combinations(mine, 2))


def _around(lines: Sequence[str], parts: Sequence[Sequence[Part]]) -> list[Part]:
    """Return what is around the ``parts`` of each line: the line, or all where it leans on one."""
    known = frozenset[str]().union(*chain.from_iterable(parts))
    return [
        known if _PRONOUN.search(line) else frozenset[str]().union(*own)
        for line, own in zip(lines, parts, strict=True)
    ]


_PRONOUN: Final = lazy_regex(r"(?i)\A\W*(?:it|he|she|they)\b")
"""At the head of a line it stands for something of another."""


def _are_crossed(
    one: Part, other: Part, theirs: Sequence[Sequence[Part]], around: Sequence[Part]
) -> bool:
    """Return whether two parts of a sentence are made of two of the parts of each line."""
    every = tuple(chain.from_iterable(theirs))
    known = frozenset[str]().union(*every)
    first, second = (common(each, known) for each in _apart(one, other))
    if min(len(first), len(second)) < 2:
        return any(_swap_figures(first, second, line) for line in theirs)
    if any(each == common(each, part) for each, part in product((first, second), every)):
        return False
    mixed = [_mixed(first, second, line) for line in theirs]
    return any(_is_crossed(first, second, *pair) for pair in _pairs(mixed, around))


def _swap_figures(first: Part, second: Part, line: Sequence[Part]) -> bool:
    """Return whether two parts have taken the figures of two parts of ``line`` from each other."""
    return any(
        _take_figures(one, other, a, b)
        for one, other in ((first, second), (second, first))
        if len(other) == 1
        for a, b in product(_having(_amounts(one), line), _having(other, line))
    )


def _having(figures: Part, line: Iterable[Part]) -> Sequence[Part]:
    """Return the parts of ``line`` with all ``figures``; none has no figures at all."""
    return [part for part in line if figures and figures <= part]


def _mixed(first: Part, second: Part, line: Sequence[Part]) -> list[Part]:
    """Return the parts of ``line`` that have something of both others."""
    return [part for part in line if common(first, part) and common(second, part)]


def _pairs(
    parts: Sequence[Sequence[Part]], around: Sequence[Part]
) -> Iterator[tuple[Part, Part, Part]]:
    """Yield any two of the ``parts``, those of each line, with what may be said of both.

    That is what the two say and, of parts of one line, what is ``around`` that.
    """
    for a, b in permutations(chain.from_iterable(parts), 2):
        yield a, b, a | b
    for words, own in zip(around, parts, strict=True):
        for a, b in permutations(own, 2):
            yield a, b, words


def _is_crossed(first: Part, second: Part, a: Part, b: Part, around: Part) -> bool:
    """Return whether each of two parts has some of ``a`` alone, and some of ``b`` alone.

    All that is in neither must be ``around`` them, in the same statement.
    """
    if not all(has(around, each) for each in first | second):
        return False
    return all(common(each, side) for each in (first, second) for side in _apart(a, b))


def _take_figures(first: Part, second: Part, a: Part, b: Part) -> bool:
    """Return whether ``first`` says of ``b`` the figure of ``a``, and ``second`` that of ``b``.

    Other words for what ``a`` is about leave the figure alone of ``second``.
    """
    here, there = _apart(a, b)
    if len(second) != 1 or not second <= _amounts(there):
        return False
    told = without(first, _amounts(first))
    return (
        _amounts(first) == _amounts(here) != frozenset()
        and bool(common(told, there))
        and not common(told, here)
    )


def _amounts(part: Part) -> Part:
    return frozenset(each for each in part if each[0].isdigit())


def _apart(one: Part, other: Part) -> tuple[Part, Part]:
    """Return what is in each of two parts alone: what both have does not tell them apart."""
    return without(one, other), without(other, one)


def common(elements: Part, part: Part) -> Part:
    """Return those of ``elements`` that ``part`` has."""
    return frozenset(each for each in elements if has(part, each))


def without(elements: Part, part: Part) -> Part:
    """Return those of ``elements`` that ``part`` has not."""
    return frozenset(each for each in elements if not has(part, each))


def has(part: Part, element: str) -> bool:
    """Return whether ``part`` has ``element``, in another form of the word if necessary."""
    return element in part or (element.isalpha() and any(are_forms(element, e) for e in part))


@cached_by_language(maxsize=1024)
def _parts(text: str) -> tuple[Part, ...]:
    row = cells(text)
    told = [" ".join(row)] if row else _told(segments(text))
    return tuple(dict.fromkeys(filter(None, map(elements, told))))


_ELLIPTIC: Final = lazy_regex(
    r"(?i)(?:can(?:not)?|could|may|might|must|shall|should|will|would|is|are|was|were|has|have|had"
    r"|does|do|did)\b"
)
"""Begins a part that has its subject from the one before: "A is red and has a bell"."""
_SUBJECT: Final = lazy_regex(
    r"(?i)\A\W*(?:(?:while|whereas|but|and|the|an?)\s)*(?P<who>[^\W\d]\w+)"
)


def _told(parts: Sequence[str]) -> Iterator[str]:
    """Yield ``parts`` with the first word of the one before where that is their subject."""
    who = ""
    for part in parts:
        if not _ELLIPTIC.match(part):
            match = _SUBJECT.match(part)
            who = match["who"] if match else ""
            yield part
        else:
            yield f"{who} {part}"


def elements(text: str) -> Part:
    """Return the stems of the words of ``text``, with amounts and dates in one form each."""
    names = list(_COMPOUND.finditer(text))
    words = _stems_outside(text, [*figure_spans(ground(text)), *(each.span() for each in names)])
    return frozenset(chain(words, (root(each[0].lower()) for each in names), _figures(text)))


def _stems_outside(text: str, spans: Sequence[tuple[int, int]]) -> Part:
    """Return the stems of the words of ``text`` that tell much and are in none of ``spans``."""
    return frozenset(
        word.stem
        for word in content(text)
        if (word.weight == 1 or has_opposite(word.stem)) and not is_within(word.start, spans)
    )


def _figures(text: str) -> Iterator[str]:
    held = ground(text)
    for number in amounts(held):
        value, unit = in_base(number)
        yield f"{value.normalize():f} {unit}"
    for date in held.dates:
        yield f"{date.year}-{date.month}-{date.day}"


def is_of_another_part(said: str, held: str) -> bool:
    """Return whether ``held`` has the one figure of ``said`` next to another label."""
    parts = segments(held)
    own = stems([said])
    return any(
        _is_labelled_otherwise(own, part, other)
        for part, other in permutations(parts, 2)
        if any(alike(ground(said), ground(part), ground(other)) for alike in _ALIKE)
    ) or _is_of_another_place(own, said, parts)


_ORDINAL: Final = lazy_regex(
    r"(?i)\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))\b"
)


def _is_of_another_place(own: frozenset[str], said: str, parts: Sequence[str]) -> bool:
    """Return whether one of ``parts`` has the ordinal of ``said`` next to another label."""
    mine = _ordinals(said)
    if len(mine) != 1:
        return False
    here = [stems([_ORDINAL.sub(" ", part)]) for part in parts if mine <= _ordinals(part)]
    there = [stems([_ORDINAL.sub(" ", part)]) for part in parts if _has_others(part, mine)]
    return any(_is_named_otherwise(own, one, other) for one, other in product(here, there))


def _has_others(part: str, mine: frozenset[str]) -> bool:
    return bool(others := _ordinals(part)) and mine.isdisjoint(others)


def _ordinals(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, _ORDINAL.findall(text)))


_ALIKE: Final = (same_kind, same_kind_of_date)


def _is_labelled_otherwise(own: frozenset[str], part: str, other: str) -> bool:
    """Return whether ``own`` names all that labels ``other``, and not all of ``part``."""
    mine, theirs = (_stems_outside(text, figure_spans(ground(text))) for text in (part, other))
    return _is_named_otherwise(own, mine, theirs)


def _is_named_otherwise(own: Part, mine: Part, theirs: Part) -> bool:
    here, there = mine - theirs, theirs - mine
    if not there & own:
        return False
    return not here & own or (there <= own and not here <= own)


_SPELT: Final = lazy_regex(r"[a-z][\w-]+")
_COUNTED: Final = lazy_regex(
    r"(?: (?:out )?of (?:the|its|his|her|their|these|those) [\d.,]+)?"
    r"(?P<what>(?: [a-z][\w-]+){1,3})"
)
"""What is after a figure that counts it: the ewes of "7 ewes" and of "7 of the 90 old ewes"."""


def counts_something_else(said: str, held: str) -> bool:
    """Return whether a figure of ``said`` counts what another figure of ``held`` does.

    "70 ewes and 17 rams fell ill" does not say that 17 of the ewes did.
    """
    mine, theirs = _after_figures(said), _after_figures(held)
    told = set(map(root, _SPELT.findall(said.lower())))
    return any(
        _is_of_another(figure, what, theirs) and told.isdisjoint(_firsts(theirs[figure]))
        for figure in mine.keys() & theirs.keys()
        for what in _firsts(mine[figure])
    )


def _is_of_another(figure: str, what: str, theirs: Mapping[str, list[list[str]]]) -> bool:
    """Return whether another figure than ``figure`` counts ``what``, and it is not near this one.

    What follows a figure may say more of what it counts: "12 rowing boats".
    """
    if any(what in near for near in theirs[figure]):
        return False
    return any(what in _firsts(each) for other, each in theirs.items() if other != figure)


def _firsts(followed: Iterable[list[str]]) -> set[str]:
    return {near[0] for near in followed}


def _after_figures(text: str) -> Mapping[str, list[list[str]]]:
    """Return the words after each figure of ``text``, up to three, as roots, by the figure."""
    found: dict[str, list[list[str]]] = {}
    for number in amounts(ground(text)):
        match = _COUNTED.match(text, number.end)
        if match and not number.unit:
            roots = list(map(root, match["what"].split()))
            found.setdefault(f"{number.value.normalize():f}", []).append(roots)
    return found


LEAST: Final = 0.5
"""Share of what a sentence says besides whom it is about that the statement must have."""
_AUXILIARY: Final = (
    "is|are|was|were|be|has|have|had|do|does|did|may|might|can|could|must|shall|should|will|would"
    "|cannot"
)
_VERB: Final = lazy_regex(
    rf"(?:{_AUXILIARY}|[a-z]+ed|(?<=\w )[a-z]{{2,}}[a-rt-z]s(?! (?:{_AUXILIARY}|of|and|or|in|at|on"
    r"|from|with|for|to|who|which|that|\w+ed)\b))\b"
)
"""What ends the subject with which a statement begins: a verb, as far as that can be told."""
_WORD: Final = lazy_regex(r"\b[a-z]+\b")
_NO_SUBJECT: Final = lazy_regex(
    r"(?i)\W*(?:it|he|she|they|we|you|i|this|that|these|those|who|which|whose|where|there|one|both"
    r"|such|most|some|all|many|others?|another|the (?:former|latter|others?|rest|first|second|same)"
    r"|if|when|because|as|after|before|while|since|until|although|though|in|on|at|by|for|from|to|of"
    r"|with|under|during|between|not|no|nobody|nothing|neither|only|so|then)\b"
)
_LEAD: Final = lazy_regex(
    r"(?i)\W*(?:(?:and|or|but|while|whereas|yet|the|an?|every|each|any|its|his|her|their)\s)*"
)
_POINTS_BACK: Final = lazy_regex(
    r"(?i)\b(?:it|him|her|them|his|their|he|she|they|this|these|those|former|latter)\b"
)
_MAY_BE_NOUN: Final = lazy_regex(r"\b(?:in|on|at|for|from|to|with|by|\w+ing)\s")
"""Before what may be a noun in the plural rather than a verb: "recording at Sun Records"."""
_LONGEST: Final = 48
"""Characters of the longest subject that is told."""


class _Statement(NamedTuple):
    """What a statement is about, and all that it says."""

    subject: Part
    words: Part
    points_back: bool


def is_of_another_subject(said: str, lines: Sequence[str]) -> bool:
    """Return whether ``said`` has the subject of one statement of ``lines``, the rest of another.

    Both have a subject of their own, and that of the other is not named.
    """
    if not is_english() or sum(_verb(part) is not None for part in segments(said)) != 1:
        return False
    told = [*_statements(lines)]
    own = elements(said)
    return any(_is_mixed(own, one, other, told) for one, other in permutations(told, 2))


def _is_mixed(own: Part, one: _Statement, other: _Statement, told: Iterable[_Statement]) -> bool:
    """Return whether ``own`` names the subject of ``one``, and else has what ``other`` says."""
    is_contrast = one.subject and other.subject and one.words & other.words
    if not is_contrast or other.points_back:
        return False
    here, there = without(one.subject, other.words), without(other.subject, one.words)
    if not common(own, here) or not there or common(own, there):
        return False
    elsewhere = frozenset[str]().union(*(each.words for each in told if each is not other))
    return _says_what(without(own, here), one.words, other.words, elsewhere)


def _says_what(rest: Part, one: Part, other: Part, elsewhere: Part) -> bool:
    """Return whether ``rest`` is most of what ``other`` says, and nothing of ``one`` alone.

    Some of it is not ``elsewhere``, in what all statements but the other say.
    """
    taken = common(rest, other)
    if without(common(rest, one), other) or len(taken) < LEAST * len(rest):
        return False
    return bool(without(taken, elsewhere))


def _statements(lines: Iterable[str]) -> Iterator[_Statement]:
    for line in dict.fromkeys(lines):
        for part in segments(line):
            start, end = _subject_in(part)
            points_back = _POINTS_BACK.search(part, end) is not None
            yield _Statement(stems([part[start:end]]), elements(part), points_back)


def _subject_in(part: str) -> tuple[int, int]:
    """Return where the subject of ``part`` begins and ends; both 0 where it has none of its own."""
    lead = _LEAD.match(part)
    start = lead.end() if lead else 0
    verb = None if _NO_SUBJECT.match(part) else _verb(part, start)
    if verb is None or not start < verb.start() <= start + _LONGEST:
        return 0, 0
    if verb[0].endswith("s") and _MAY_BE_NOUN.search(part, start, verb.start()):
        return 0, 0
    return start, verb.start()


def _verb(part: str, start: int = 0) -> re.Match[str] | None:
    words = _WORD.finditer(part, start)
    return next((w for w in words if _VERB.match(part, w.start()) or is_irregular(w[0])), None)
