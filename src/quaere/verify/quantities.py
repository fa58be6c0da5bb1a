"""Figures with their units: whether two are the same amount, and what follows from several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations, permutations, product, starmap
from typing import Final

from quaere.text import dates
from quaere.text.amounts import BASES, single_units, worded_amounts
from quaere.text.dates import Date
from quaere.text.languages.language import cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ONES, TENS
from quaere.text.numbers import CURRENCIES, SCALES, Number, agrees
from quaere.text.sentences import Span
from quaere.verify.ground import Ground, ground, is_within
from quaere.verify.operations import Reckoning, is_telling

CONVERTED: Final = Decimal("0.006")
"""How far two amounts in different units may be apart, as a share: one of them was rounded."""

_IMPERIAL: Final = frozenset({"mi", "ft", "in", "lb"})
_POUNDS: Final = frozenset({"lb", "GBP"})
_DEGREES: Final = frozenset({"°C", "°F"})
_CAPTION: Final = lazy_regex(
    r"(?i)\bin (?:(?-i:[A-Z]{3}|[$€£]) ?(?P<of_money>thousand|million|billion)s?"
    r"|(thousand|million|billion)s)\b|['’]000s?\b"
    r"|\((?:[^\W\d]\w* )?(?:in )?(?P<in_head>thousand|million|billion)s?(?: [^\W\d]\w*)?\)"
)


def is_equal(a: Number, b: Number) -> bool:
    """Return whether ``a`` and ``b`` are one amount, units converted.

    Pounds are money or a weight, as the other one has it.
    """
    units = frozenset((a.unit, b.unit))
    if units == _POUNDS:
        return a.value == b.value
    if units == _DEGREES:
        return _is_as_warm(a, b)
    if len(units) > 1 and units <= BASES.keys():
        return _is_converted(a, b)
    return agrees(a, b)


def is_among(number: Number, numbers: Iterable[Number]) -> bool:
    """Return whether one of ``numbers`` is the amount that ``number`` is."""
    return any(is_equal(number, other) for other in numbers)


def _is_as_warm(a: Number, b: Number) -> bool:
    """Return whether ``a`` and ``b``, one of them in °C and one in °F, are one temperature."""
    celsius, fahrenheit = (a, b) if a.unit == "°C" else (b, a)
    return abs(celsius.value * 9 / 5 + 32 - fahrenheit.value) <= 1


def _is_converted(a: Number, b: Number) -> bool:
    """Return whether ``a`` and ``b``, in two units that have a base, are one amount."""
    (base, factor), (other_base, other_factor) = BASES[a.unit], BASES[b.unit]
    one, two = a.value * factor, b.value * other_factor
    if base != other_base:
        return False
    is_mixed = (a.unit in _IMPERIAL) is not (b.unit in _IMPERIAL)
    if is_mixed and (rounds_to(a, two / factor) or rounds_to(b, one / other_factor)):
        return True
    return abs(one - two) <= CONVERTED * max(abs(one), abs(two))


def kind_of(number: Number) -> str:
    """Return what ``number`` measures: "m" for any length, "money" for any currency."""
    if number.unit in CURRENCIES:
        return "money"
    if number.unit in _DEGREES:
        return "temperature"
    return BASES[number.unit][0] if number.unit in BASES else number.unit


def in_base(number: Number) -> tuple[Decimal, str]:
    """Return value and unit of ``number`` in the base of its unit: 1.5 km are 1500 m."""
    base, factor = BASES.get(number.unit, (number.unit, Decimal(1)))
    return number.value * factor, base


def conflicting(claim: Ground, line: Ground) -> bool:
    """Return whether ``line`` has another figure in the place of one of ``claim``.

    Of the same kind: a length for a length, a bare number for a bare number.
    """
    if other_dates(claim, line):
        return True
    mine = [n for n in amounts(claim) if n.value != 1]
    theirs = list(amounts(line))
    known = explained(claim, [line])
    lost = [n for n in _left(mine, theirs) if claim.text[n.start : n.end] not in known]
    return any(starmap(_kinds_meet, product(lost, _spare(theirs, mine))))


def _left(mine: Iterable[Number], theirs: Sequence[Number]) -> Iterator[Number]:
    """Yield those of ``mine`` that none of ``theirs`` may be."""
    return (number for number in mine if not any(_may_be(number, other) for other in theirs))


def _spare(theirs: Iterable[Number], mine: Sequence[Number]) -> Sequence[Number]:
    """Return those of ``theirs`` that none of ``mine`` may be."""
    return [number for number in theirs if not any(_may_be(own, number) for own in mine)]


@dataclass(frozen=True, slots=True)
class Told:
    """An amount or a date at ``[start, end)`` of a sentence."""

    start: int
    end: int
    told: bool
    """Whether its source has it too, in whatever form."""
    is_date: bool = False


@cached_by_language(maxsize=1024)
def told_amounts(said: str, held: str) -> tuple[Told, ...]:
    """Return the amounts and dates of ``said``, and whether ``held`` has them."""
    claim, line = ground(said), ground(held)
    theirs = list(amounts(line))
    return (
        *(
            Told(n.start, n.end, told=any(_is_told(n, other) for other in theirs))
            for n in amounts(claim)
        ),
        *(
            Told(
                d.start,
                d.end,
                told=any(dates.entails(other, d) for other in line.dates),
                is_date=True,
            )
            for d in claim.dates
        ),
    )


def other_dates(claim: Ground, line: Ground) -> Sequence[Date]:
    """Return the dates of ``claim`` where ``line`` has others, and none that agrees."""
    if not line.dates:
        return ()
    return [d for d in claim.dates if not any(dates.agrees(d, other) for other in line.dates)]


def figure_spans(text: Ground) -> Sequence[tuple[int, int]]:
    """Return where the amounts and dates of ``text`` start and end."""
    return [(each.start, each.end) for each in (*amounts(text), *text.dates)]


def same_kind(claim: Ground, part: Ground, other: Ground) -> bool:
    """Return whether the one amount of ``claim`` is in ``part``, and another like it in ``other``.

    Neither may have the amount of the other.
    """
    mine, rest = _counted(claim), list(amounts(other))
    if any(starmap(_may_be, product(mine, rest))):
        return False
    alone = [number for number in mine if not _has_like(number, mine)]
    told = [pair for pair in product(alone, amounts(part)) if _is_told(*pair)]
    if _NONE.search(other.text):
        return bool(told)
    # What it counts, "4,000 operating hours", may be plainer where the source has it.
    return any(_has_like(each, rest) for each in chain.from_iterable(told))


def _counted(text: Ground) -> list[Number]:
    """Return the amounts of ``text`` without a "one" that counts nothing, as in "one of them"."""
    return [n for n in amounts(text) if n.value != 1 or n.unit or _COUNTING.match(text.text, n.end)]


def _has_like(number: Number, numbers: Iterable[Number]) -> bool:
    return any(each is not number and _kinds_meet(number, each) for each in numbers)


def same_kind_of_date(claim: Ground, part: Ground, other: Ground) -> bool:
    """Return whether the one date of ``claim`` is in ``part``, and another like it in ``other``."""
    if len(claim.dates) != 1:
        return False
    date = claim.dates[0]
    return any(dates.entails(each, date) for each in part.dates) and any(
        _is_as_precise(each, date) and not dates.agrees(each, date) for each in other.dates
    )


def _is_as_precise(a: Date, b: Date) -> bool:
    return [part is None for part in (a.year, a.month, a.day)] == [
        part is None for part in (b.year, b.month, b.day)
    ]


_COUNTING: Final = lazy_regex(r"\s(?!(?:of|or|and|who|can|may|must|day|more|an?other)\b)[^\W\d]")
"""Follows a "one" that counts, as in "one peak"."""
_NONE: Final = lazy_regex(
    r"(?i)\b(?:nothing|free|none|nichts|kostenlos|frei|rien|gratuit\w*|nada|gratis|gratuito|niente"
    r"|niets)\b"
)


def amounts(text: Ground) -> Iterator[Number]:
    """Yield the amounts of ``text``, in figures or words, that are not part of a date."""
    yield from text.worded
    for number in text.numbers:
        if not any(span.start <= number.start < span.end for span in (*text.dates, *text.worded)):
            yield number


def _kinds_meet(a: Number, b: Number) -> bool:
    return frozenset((a.unit, b.unit)) == _POUNDS or kind_of(a) == kind_of(b)


def _may_be(a: Number, b: Number) -> bool:
    return _is_told(a, b) or rounds_to(a, b.value)


def explained(
    claim: Ground, sources: Sequence[Ground], captions: Sequence[Ground] = ()
) -> frozenset[str]:
    """Return the figures of ``claim``, as written, that follow from those of ``sources``.

    By another unit, by the scale that a caption gives ("$ in millions"), or by plain arithmetic
    where the sentence says that something was reckoned: sum, difference, ratio, percentage, age.
    A scale, and a year that is told from another, is looked for in ``captions``, too.
    """
    held = [*chain.from_iterable(_all_amounts(each.text, each.counts) for each in sources)]
    own = _all_amounts(claim.text, claim.numbers)
    scales = list(caption_scales(source.text for source in (*sources, *captions)))
    told_apart = {*_given_by_difference(sources), *moved_years((*sources, *captions))}
    measured = list(chain.from_iterable(each.measures for each in sources))
    scaled = [other.value * scale for other, scale in product(held, scales)]

    def follows(number: Number) -> bool:
        told = any(_is_told(whole, other) for whole in _wholes(number, own) for other in held)
        computed = any(rounds_to(number, value) for value in (*scaled, *told_apart))
        is_known = told or computed or number.value == _listed(claim.text, number.end)
        return is_known or is_telling(number, reckoned)

    def reckoned(number: Number) -> bool:
        return any(comes_to(number, v) for v in _reckoned(claim.text, measured, number.unit))

    return frozenset(claim.text[n.start : n.end] for n in claim.numbers if follows(n))


_LISTED: Final = lazy_regex(
    r"(?:[^:.;]*:|(?:\s\w+){1,4}?\s(?:are|were|include))\s(?P<items>[^:;]+?)[.]?\s*\Z"
)
_BETWEEN_ITEMS: Final = lazy_regex(r",\s(?:and\s|or\s)?|\s(?:and|or)\s")


def _listed(text: str, behind: int) -> int | None:
    """Return how many things ``text`` lists after the count that ends ``behind``.

    As in "in three colours: red, green and blue", or "the three colours are red, green and blue".
    """
    match = _LISTED.match(text, behind)
    return len(_BETWEEN_ITEMS.split(match["items"])) if match else None


def _all_amounts(text: str, numbers: Iterable[Number]) -> Sequence[Number]:
    return [*numbers, *worded_amounts(text), *single_units(text)]


def _wholes(number: Number, amounts: Iterable[Number]) -> Iterator[Number]:
    """Yield the ``amounts`` that ``number`` is part of, as "three" is of "three quarters"."""
    return (each for each in amounts if each.start <= number.start and number.end <= each.end)


def _is_told(a: Number, b: Number) -> bool:
    """Return whether ``a`` is ``b``; shares may be rounded: two thirds are 67 percent."""
    rounded = a.unit == b.unit == "%" and (rounds_to(a, b.value) or rounds_to(b, a.value))
    return rounded or is_equal(a, b)


def caption_scales(texts: Iterable[str]) -> Iterator[Decimal]:
    """Yield what heads of ``texts`` ("$ in millions") multiply the figures below by."""
    for text in texts:
        for match in _CAPTION.finditer(text):
            named = next(filter(None, match.groups()), "thousand")
            yield Decimal(SCALES[named.lower()])


MOST_FIGURES: Final = 40
"""Missing figures of one sentence that are reckoned with; of more none is taken for a result."""
MOST: Final = 12
"""Figures that are reckoned with; among more, any result would come up by chance."""


def _reckoned(said: str, held: Iterable[Number], unit: str) -> Iterator[Decimal]:
    """Yield what amounts come to in the ways that are ``said``, sums of the kind of ``unit``."""
    held = list(held)
    for way in Reckoning:
        if way.is_told(said):
            is_alike = way in {Reckoning.SUM, Reckoning.DIFFERENCE}
            fit = [n for n in held if not is_alike or may_count_as(n, unit)]
            yield from results(way, _values(fit))


def may_count_as(number: Number, unit: str) -> bool:
    """Return whether ``number`` may be of the kind of ``unit``; a bare one may be of any."""
    wanted = Number(number.value, unit, number.start, number.end)
    return not number.unit or not unit or kind_of(number) == kind_of(wanted)


def _values(held: Iterable[Number]) -> Sequence[Decimal]:
    return list(dict.fromkeys(number.value for number in held if number.unit != "th"))[:MOST]


def results(way: Reckoning, values: Sequence[Decimal]) -> Iterator[Decimal]:
    """Yield what ``values``, at most MOST of them, come to, reckoned in this ``way``."""
    if way is Reckoning.SUM:
        yield sum(values, Decimal(0))
        yield from (sum(some, Decimal(0)) for n in (2, 3) for some in combinations(values, n))
    else:
        for a, b in permutations(values, 2):
            yield from _results_of_two(way, a, b)


def _results_of_two(way: Reckoning, a: Decimal, b: Decimal) -> Iterator[Decimal]:
    if way is Reckoning.DIFFERENCE:
        if a > b:
            yield a - b
    elif b and way is Reckoning.RATIO:
        yield a / b
    elif b:
        yield 100 * a / b
        yield abs(100 * (a - b) / b)


_MOVED: Final = lazy_regex(
    rf"(?i)\b(?P<some>an?|\d{{1,3}}|{'|'.join((*ONES, *TENS))}) years? "
    r"(?:(?P<then>later|earlier)|(?P<side>after|before)\b)(?! than)(?P<rest>[^.;]*)"
)


def moved_years(sources: Iterable[Ground]) -> Iterator[Decimal]:
    """Yield the years that ``sources`` tell from another: "in 1948, three years after her sister".

    The other is the last one before these words, or the one that follows them: "three years after
    the war of 1945".
    """
    for source in sources:
        for match in _MOVED.finditer(source.text):
            year = _moved_year(source, match)
            if year is not None:
                yield Decimal(year)


def _moved_year(source: Ground, match: re.Match[str]) -> int | None:
    by = _moved_by(match)
    behind = _years(source, match.start("rest"), match.end()) if match["side"] else []
    if behind:
        return behind[0] + by
    before = _years(source, 0, match.start())
    if not before:
        return None
    return before[-1] + (by if match["then"] else -by)


def _moved_by(match: re.Match[str]) -> int:
    """Return by how many years something is later, less than 0 where it is earlier."""
    told = next(iter(ground(match["some"]).numbers), None)
    years = int(told.value) if told else 1
    return years if (match["then"] or match["side"]).lower() in {"later", "after"} else -years


def _years(source: Ground, start: int, end: int) -> list[int]:
    return [d.year for d in source.dates if d.year is not None and start <= d.start < end]


def _given_by_difference(sources: Sequence[Ground]) -> Iterator[Decimal]:
    """Yield what a sentence gives as another figure and a difference: "812, 96 fewer than"."""
    for source in sources:
        for line in source.lines:
            if way := _MORE_OR_LESS.search(source.text, *line.span):
                sign = 1 if way["less"] else -1
                figures = _figures_at(source, line.span)
                if 2 <= len(figures) <= 3:
                    yield from (a + sign * b for a, b in permutations(figures, 2))


def _figures_at(source: Ground, span: Span) -> Sequence[Decimal]:
    """Return the values of the figures at ``span`` of ``source``, without ordinals."""
    within = (number for number in source.numbers if is_within(number.start, [span]))
    return [number.value for number in within if number.unit != "th"]


_MORE_OR_LESS: Final = lazy_regex(
    r"(?i)\b(?:(?P<less>fewer|less|shorter|younger|lower|smaller|earlier|cheaper|lighter)|more"
    r"|longer|older|higher|larger|later|dearer|heavier)\b.*\bthan\b"
)


def rounds_to(number: Number, value: Decimal) -> bool:
    """Return whether ``value`` written with the digits of ``number`` is ``number``."""
    exponent = number.value.normalize().as_tuple().exponent
    if not isinstance(exponent, int):
        return False
    half = Decimal(1).scaleb(min(exponent, 0)) / 2
    if exponent > 0:
        half = min(Decimal(1).scaleb(exponent) / 2, abs(value) * Decimal("0.05"))
    return abs(value - number.value) <= half and (value == 0) == (number.value == 0)


def is_digit_for_digit(wanted: Number, value: Decimal) -> bool:
    """Return whether ``value`` is ``wanted`` in as many decimal places, and no whole is rounded."""
    exponent = wanted.value.normalize().as_tuple().exponent
    return (
        isinstance(exponent, int)
        and abs(value - wanted.value) <= Decimal(1).scaleb(min(exponent, 0)) / 2
    )


LARGE: Final = 1_000
"""From here a figure may be rounded to whole tens or more without a word for it."""


def comes_to(wanted: Number, value: Decimal) -> bool:
    """Return whether ``value`` is ``wanted`` digit for digit, or a large one rounds to it."""
    compared = is_digit_for_digit if abs(wanted.value) < LARGE else rounds_to
    return compared(wanted, value)
