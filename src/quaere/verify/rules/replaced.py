"""What a sentence has in the place of something of its source: one word, or what another line says.

"The gates are made of oak" has all words but one of "The gates are made of larch", and says another
thing. Words alone can't tell whether the two mean the same, so that it is left open. "Deposits are
returned within sixty days. The lease ends with three months' notice." does not say that deposits
are returned within three months.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from quaere.text import dates
from quaere.text.dates import Date
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.names import Name
from quaere.text.numbers import Number
from quaere.verify.align import MONTH_OF_MAY, Alignment, Word, content, stems
from quaere.verify.ground import Ground, ground, is_within
from quaere.verify.likeness import root
from quaere.verify.quantities import amounts, figure_spans, is_among, is_equal, kind_of, other_dates

SHARED: Final = 2
"""Words that both must share, so that they say something of the same."""
_SHORTEST: Final = 3
"""Letters of a stem that is more than a sign."""


def replaces(aligned: Sequence[Alignment]) -> bool:
    """Return whether a clause is the sentence but for one word, which no line has.

    A longer clause may say with others of its words what the sentence says with that one.

    Args:
        aligned: The sentence, next to each line that comes near to it.
    """
    if not is_english() or not any(map(_has_other_word, aligned)):
        return False
    laid = [{match.said for match in each.matches} for each in aligned]
    return any(all(word not in each for each in laid) for word in aligned[0].words)


def _has_other_word(alignment: Alignment) -> bool:
    """Return whether a clause has another thing in the place of one, and is else the sentence."""
    mine, theirs = alignment.words, _clause_beside(alignment)
    shared = len(alignment.matches)
    if shared < SHARED or not shared + 1 == len(mine) == len(theirs):
        return False
    if _POINTS_BACK.search(alignment.held):
        return False
    held = {match.said: match.held for match in alignment.matches}
    changed = [pair for pair in zip(mine, theirs, strict=True) if held.get(pair[0]) != pair[1]]
    return len(changed) == 1 and all(map(_is_thing, (alignment.said, alignment.held), changed[0]))


def _clause_beside(alignment: Alignment) -> Sequence[Word]:
    """Return the words of the one clause that a sentence is next to; none where it is several."""
    clauses = {match.held.clause for match in alignment.matches}
    return [word for word in content(alignment.held) if {word.clause} == clauses]


_BEFORE_THING: Final = lazy_regex(
    r"(?i)\b(?:an?|the|this|that|its|his|her|their|of|in|on|at|from|with|by|for|into|as)\s+\W*$"
)
"""What is before nouns and their adjectives, and seldom before verbs, of which many say much
the same."""
_MONTHS: Final = frozenset({MONTH_OF_MAY, *map(root, MONTHS)})
"""Stems of what is a thing whatever is before it: "June sales"."""
_POINTS_BACK: Final = lazy_regex(r"(?i)\b(?:it|they|them|he|him|she|these|those|there|here)\b")
"""May be what the sentence calls by its name."""


def _is_thing(text: str, word: Word) -> bool:
    """Whether ``word`` names what something is or how it is: no figure, no light word, no verb."""
    if word.stem in _MONTHS:
        return True
    if word.weight < 1 or word.stem[0].isdigit() or len(word.stem) < _SHORTEST:
        return False
    return _BEFORE_THING.search(text, endpos=word.start) is not None


HELD: Final = 0.5
"""Share of a sentence besides its figures that the line it is about must have."""
LEAST: Final = 2
"""Words of it that the line must have."""
_PREPOSITION: Final = lazy_regex(r"(?i)\b(?P<word>in|at|to|from|by|with|near|of|for)\s(?:the\s)?\Z")
_PREPOSITIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "de": "an|aus|bei|durch|für|in|mit|nach|von|vom",
        "es": "a|con|de|en|para|por",
        "fr": "avec|chez|de|en|par|pour|à",
        "it": "a|con|da|dal|dalla|di|in|per",
        "nl": "bij|door|in|met|naar|uit|van|voor",
        "pt": "a|com|da|de|do|em|para|pel[ao]|por",
    }
)
"""By ISO 639-1; what somebody is may be between one of them and the name."""
_TIME: Final = frozenset({"s", "mo"})


def is_borrowed(best: Alignment, sources: Sequence[Ground]) -> bool:
    """Return whether a figure, a date or a name is taken from a line about something else.

    The line that the sentence is about has another there, and those that have it have no word of
    the sentence besides that the line has not.

    Args:
        best: The sentence next to the line that it is about.
        sources: What it cites.
    """
    own = _words(best)
    about = own.intersection(match.said.stem for match in best.matches)
    if len(about) < LEAST or len(about) < HELD * len(own):
        return False
    return any(
        _is_elsewhere(places, sources, own - stems([lost]), about)
        for lost, places in _lost(ground(best.said), ground(best.held), sources)
    )


def _words(best: Alignment) -> frozenset[str]:
    """Return the stems of the words of a sentence but those of its figures and dates."""
    spans = figure_spans(ground(best.said))
    return frozenset(
        word.stem for word in best.words if word.weight == 1 and not is_within(word.start, spans)
    )


_Places = Sequence[Sequence[int]]
"""Where each of the sources has something."""


def _is_elsewhere(
    places: _Places, sources: Sequence[Ground], own: frozenset[str], about: frozenset[str]
) -> bool:
    """Return whether all lines at ``places`` are about less of a sentence than ``about``."""
    shared = [stems([line]) & own for line in _lines_at(places, sources)]
    return bool(shared) and all(each <= about and 2 * len(each) < len(about) for each in shared)


def _lines_at(places: _Places, sources: Sequence[Ground]) -> Iterator[str]:
    """Yield the lines of ``sources`` that one of ``places`` is in."""
    for source, starts in zip(sources, places, strict=True):
        for line in source.lines:
            if any(line.span.start <= start < line.span.end for start in starts):
                yield source.text[line.span.start : line.span.end]


def _lost(said: Ground, held: Ground, sources: Sequence[Ground]) -> Iterator[tuple[str, _Places]]:
    """Yield each part of ``said`` of which ``held`` has another instead, and where it is."""
    for number in _replaced_amounts(said, held):
        yield said.text[number.start : number.end], _amount_in(sources, number)
    for date in other_dates(said, held):
        yield said.text[date.start : date.end], _date_in(sources, date)
    for name in (*_replaced_names(said, held), *_replaced_days(said, held)):
        yield name, _name_in(sources, name)


def _amount_in(sources: Sequence[Ground], number: Number) -> _Places:
    return [[n.start for n in amounts(each) if is_equal(n, number)] for each in sources]


def _date_in(sources: Sequence[Ground], date: Date) -> _Places:
    return [[d.start for d in each.dates if dates.agrees(date, d)] for each in sources]


def _name_in(sources: Sequence[Ground], name: str) -> _Places:
    found = re.compile(rf"\b{re.escape(name)}s?\b")
    return [[match.start() for match in found.finditer(each.text)] for each in sources]


def _replaced_amounts(said: Ground, held: Ground) -> Iterator[Number]:
    """Yield the amounts of ``said`` of which ``held`` has another of the same kind instead."""
    mine, theirs = list(amounts(said)), list(amounts(held))
    spare = {_kind(number) for number in theirs if not is_among(number, mine)}
    for number in mine:
        if not _is_bare_one(number) and _kind(number) in spare and not is_among(number, theirs):
            yield number


def _is_bare_one(number: Number) -> bool:
    return number.value == 1 and not number.unit


def _kind(number: Number) -> str:
    kind = kind_of(number)
    return "time" if kind in _TIME else kind


def _replaced_names(said: Ground, held: Ground) -> Iterator[str]:
    """Yield the names of ``said`` for which ``held`` has others after the same preposition."""
    spare = {_before(held, each) for each in _absent(held.names, said)}
    return (
        each.text for each in _absent(said.names, held) if (_before(said, each) or "-") in spare
    )


_DAY: Final = lazy_regex(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?=s?\b)")


def _replaced_days(said: Ground, held: Ground) -> Iterator[str]:
    """Yield the days of the week of ``said`` where ``held`` has others, and none of these."""
    theirs = set(_DAY.findall(held.text))
    mine = set(_DAY.findall(said.text))
    if theirs and theirs.isdisjoint(mine):
        yield from mine


def _absent(names: Iterable[Name], text: Ground) -> Iterator[Name]:
    return (each for each in names if each.text not in text.text)


def _before(text: Ground, name: Name) -> str:
    """Return the preposition before ``name``; empty where there is none."""
    pattern, before = _PREPOSITION, 12
    if (language := language_in_use()) is not None:
        pattern, before = _preposition(language.code), 40
    match = pattern.search(text.text, max(0, name.start - before), name.start)
    return match["word"].lower() if match else ""


@cache
def _preposition(code: str) -> re.Pattern[str]:
    words = _PREPOSITIONS.get(code, "(?!)")
    return re.compile(rf"(?i)\b(?P<word>{words})\s(?:(?-i:[^\W\d_A-Z])[^\W\d_]*\s){{0,2}}\Z")
