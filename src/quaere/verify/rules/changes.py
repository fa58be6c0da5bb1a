"""By how much something has changed, and whether it is that much more or that much less.

"Income rose from 1,200 to 1,500 while costs stayed at 900" does not say that income rose by 600,
though 600 is the difference of two of its figures. And "700 over budget" is the contrary of "700
less than budgeted".
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Final, NamedTuple

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.align import Alignment, content
from quaere.verify.ground import Ground, ground
from quaere.verify.likeness import likeness
from quaere.verify.quantities import amounts, is_among, is_equal, kind_of, rounds_to

_FROM: Final = lazy_regex(r"(?i)\bfrom\s\W?\Z")
_TO: Final = lazy_regex(
    r"(?i)\s*(?:\((?:[^()]{1,20})\)\s*)?(?:(?:in|on|at)\s[\w ]{1,20}\s)?to\s\W?\Z"
)
_BY: Final = lazy_regex(
    r"(?i)\b(?:(?:ris|rose|gr[oe]w|increas|climb|f[ae]ll|dropp?|declin|decreas|shr[aiu]nk"
    r"|went (?:up|down)|go(?:es|ne)? (?:up|down)|redu[cs]|cut)\w*)\s(?:[\w’']+\s){0,2}?by\s\W?\Z"
)
_POINTS: Final = lazy_regex(r"(?i)(?:%|percent(?:age)?|per cent)[\s-]?points?\b")
_UNIT: Final = 24
"""Characters after a figure within which its unit ends."""
_BEFORE_CHARS: Final = 40
"""Characters before a figure in which the words stand that tell what it is."""


def misstates_change(alignment: Alignment) -> bool:
    """Return whether a sentence says another change than that between two figures of its source.

    Those are in the one line that says from which figure to which something has changed.
    """
    if not is_english():
        return False
    changes = [*_changes(ground(alignment.held))]
    if len(changes) != 1:
        return False
    told = [*amounts(ground(alignment.held))]
    said = ground(alignment.said)
    return any(
        not is_among(number, told) and not _is_change(number, said.text, *changes[0])
        for number in amounts(said)
        if _BY.search(said.text[max(0, number.start - _BEFORE_CHARS) : number.start])
    )


def _changes(line: Ground) -> Iterator[tuple[Number, Number]]:
    """Yield the figures of each "from 1,200 to 1,500", and of "from 12 in May to 15 in June"."""
    for one, other in pairwise(sorted(amounts(line), key=lambda number: number.start)):
        begins = _FROM.search(line.text, max(0, one.start - _BEFORE_CHARS), one.start)
        if begins and _TO.fullmatch(line.text, one.end, other.start):
            yield one, other


def _is_change(number: Number, text: str, first: Number, last: Number) -> bool:
    """Return whether ``number`` of ``text`` is what lies between ``first`` and ``last``."""
    between = abs(last.value - first.value)
    if _is_share(number, text, first):
        return bool(first.value) and rounds_to(number, 100 * between / abs(first.value))
    difference = Number(between, first.unit or last.unit, first.start, last.end)
    is_bare = not number.unit or not difference.unit
    return is_equal(number, difference) or (is_bare and rounds_to(number, Decimal(between)))


def _is_share(number: Number, text: str, first: Number) -> bool:
    """Return whether ``number`` is a share of ``first``, and no difference of two shares."""
    is_of_points = _POINTS.search(text, number.start, number.end + _UNIT) is not None
    return number.unit == "%" and not (is_of_points and first.unit == "%")


_MORE: Final = "more|over|above|higher|longer|older|larger|heavier|later|ahead|up"
_LESS: Final = "less|fewer|under|below|lower|shorter|younger|smaller|lighter|earlier|behind|short"
_SIDED: Final = lazy_regex(
    rf"(?i)\s(?:[a-z]+\s)?(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\s(?:than\s|of\s)?"
)


class _Difference(NamedTuple):
    """How much more or less than something else."""

    number: Number
    is_more: bool
    than: str
    """Stem of that other thing."""


def turns_difference(alignment: Alignment) -> bool:
    """Return whether something is as much more than another thing as it is less in the source."""
    if not is_english():
        return False
    held = [*_differences(alignment.held)]
    return any(
        is_equal(mine.number, other.number)
        and kind_of(mine.number) == kind_of(other.number)
        and mine.is_more is not other.is_more
        and likeness(mine.than, other.than)[0] > 0
        for mine in _differences(alignment.said)
        for other in held
    )


def _differences(text: str) -> Iterator[_Difference]:
    for number in amounts(ground(text)):
        if sided := _SIDED.match(text, number.end):
            than = next((word.stem for word in content(text) if word.start >= sided.end()), "")
            if than:
                yield _Difference(number, sided["more"] is not None, than)
