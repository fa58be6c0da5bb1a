"""Figures that are in no source as they are written, and that a reader may still find there.

Who understands reckons with the cells of a table, reads "in thousands" over it, knows that brackets
stand for a minus, and that "17.500" in a German sentence is "17,500" in an English source. Who
reads a list of three items may write "three"; who reads "--chat-timeout=20" and
"--deep-timeout=150" may say that the one is 7.5 times the other; what exceeds 40 is at least 41;
"mode12" names a twelfth mode; between two dates lie so many days, and so many days from one ends
another; and for eight people it takes twice what four need. A reader who says that a
sentence is supported is believed of a figure that comes of such a step, where the sentence speaks
of it ("in all", "more than", "left") and where the step gives hardly any other figure as well; of
any other it has overlooked that it is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial
from itertools import combinations, groupby, pairwise, product
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple, TypeVar

from quaere.text.dates import Date, entails
from quaere.text.languages.language import Language, language_in_use, language_of, speaking
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.text.tokens import terms
from quaere.verify.facts import is_dated, is_same_figure
from quaere.verify.ground import Ground, begins_within
from quaere.verify.operands import (
    between,
    factors,
    is_multiple,
    named,
    of_table,
    outside_tables,
    parallel_entries,
    rates,
    records,
    tables,
)
from quaere.verify.operations import Reckoning, is_telling
from quaere.verify.quantities import (
    MOST,
    MOST_FIGURES,
    caption_scales,
    comes_to,
    kind_of,
    may_count_as,
    results,
    rounds_to,
)
from quaere.verify.spans import is_moved, is_span

MOST_ITEMS: Final = 12
"""Items of the longest list that a reader counts in words: "three", "a dozen"."""
AROUND: Final = 24
"""Characters before a figure in which the words that bound it stand."""

_BACK: Final = lazy_regex(
    r"(?i)\b(?:the (?:first|last|former|latter|other|remaining)|these|those|the|alle|diese"
    r"|die (?:ersten|letzten|anderen|übrigen))\s\Z"
)
_NO_NOUN: Final = lazy_regex(
    r"(?i),?\s(?:are|were|have|had|do|did|can|could|may|might|must|will|would|should|also|of them"
    r"|of these|sind|waren|haben|hatten|können|dürfen|müssen|sollen|werden|wurden)\b"
)
_ITEM: Final = lazy_regex(
    r"(?m)^(?P<indent>[ \t]*)(?P<mark>[-*+•·]|\(?\d{1,2}[.)]|\(?[a-z][.)])[ \t]+\S"
)
_MORE_THAN: Final = (
    r"(?:more|greater|larger|higher|longer|older|later) than|exceed\w*|over|above|beyond"
    r"|mehr als|größer als|höher als|länger als|über|plus de|más de|più di|mais de|meer dan|>"
)
_LESS_THAN: Final = (
    r"(?:less|fewer|smaller|lower|shorter|younger|earlier) than|under|below|before"
    r"|weniger als|kleiner als|kürzer als|unter|vor|moins de|menos de|meno di|minder dan|<"
)
_EXCEEDS_BEHIND: Final = lazy_regex(
    r"(?i)\s(?:\w+\s)?(?:übersteig\w*|überschreit\w*|exceeded|is exceeded)"
)
_ABOVE: Final = lazy_regex(rf"(?i)(?:^|[\s(])(?:{_MORE_THAN})\s?\W?\Z")
_BELOW: Final = lazy_regex(rf"(?i)(?:^|[\s(])(?:{_LESS_THAN})\s?\W?\Z")
_FROM: Final = lazy_regex(
    r"(?i)(?:\b(?:at least|no less than|no fewer than|minimum(?: of)?|from|mindestens|wenigstens|ab"
    r"|au moins|à partir de|al menos|almeno|pelo menos|minstens)|≥|>=)\s?\W?\Z"
)
_TO: Final = lazy_regex(
    r"(?i)(?:\b(?:at most|no more than|up to|maximum(?: of)?|until|höchstens|maximal|bis(?: zu)?"
    r"|au plus|jusqu['’]à|como máximo|al massimo|no máximo|hoogstens)|≤|<=)\s?\W?\Z"
)
_OR_MORE: Final = lazy_regex(r"(?i)\s(?:\w+\s)?(?:or|oder) (?:more|over|above|mehr)\b")
_OR_LESS: Final = lazy_regex(r"(?i)\s(?:\w+\s)?(?:or|oder) (?:less|fewer|under|weniger)\b")


def refers_back(number: Number, claim: Ground) -> bool:
    """Return whether ``number`` of ``claim`` counts what was named before: "the last two are".

    Which those are, the answer shows; where a noun follows, the count is one of things in a source.
    """
    before, behind = claim.text[: number.start], claim.text[number.end :]
    in_words = claim.text[number.start : number.end].isalpha() and not number.unit
    return in_words and bool(_BACK.search(before) and _NO_NOUN.match(behind))


def is_count_of_items(number: Number, claim: Ground, sources: Iterable[Ground]) -> bool:
    """Return whether ``number`` of ``claim`` is in words, and as many as a list has items.

    Or as many as ``sources`` have rows that are written out: "of the three" is said of three rows.
    """
    in_words = claim.text[number.start : number.end].replace(" ", "").isalpha()
    if not in_words or number.unit or not 2 <= number.value <= MOST_ITEMS:
        return False
    sources = list(sources)
    return number.value == len(records(sources)) or any(
        number.value in set(_lengths(source.text)) for source in sources
    )


def _lengths(text: str) -> Iterator[int]:
    """Yield of how many items each list of ``text`` is, those inside an item counted apart."""
    marks = [
        (len(m["indent"].expandtabs()), m["mark"].lstrip("(")[-1], m.start())
        for m in _ITEM.finditer(text)
    ]
    run: list[tuple[int, str, int]] = []
    for mark in marks:
        if run and (mark[0] < run[0][0] or _is_parted(text, run[-1][2], mark[2])):
            yield from _by_depth(run)
            run = []
        run.append(mark)
    yield from _by_depth(run)


def _by_depth(run: Iterable[tuple[int, str, int]]) -> Iterator[int]:
    for _, items in groupby(sorted(run, key=itemgetter(0, 1)), key=itemgetter(0, 1)):
        yield sum(1 for _ in items)


def _is_parted(text: str, start: int, end: int) -> bool:
    """Return whether two items have a line between them that is neither an item nor indented."""
    lines = text[start:end].splitlines()[1:]
    return any(line[:1].strip() for line in lines)


def is_named_by(number: Number, claim: Ground, sources: Iterable[Ground]) -> bool:
    """Return whether ``number`` ends a name that a source has in one word: 12 of "mode12"."""
    digits = claim.text[number.start : number.end]
    if len(digits) < 2 or not digits.isdigit():
        return False
    name = re.compile(rf"[^\W\d]{digits}(?![\d.,]?\d)")
    return any(name.search(source.text) for source in sources)


def is_next_whole(number: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``number`` is the first whole one beyond a bound: over 40 is at least 41."""
    before = claim.text[max(0, number.start - AROUND) : number.start]
    step = _step_to_bound(before, claim.text[number.end :])
    return step != 0 and any(
        bound.value == number.value + step and _is_bound(bound, source.text, above=step < 0)
        for source in sources
        for bound in source.counts
    )


def _step_to_bound(before: str, behind: str) -> int:
    """Return how far from a number its bound is, by the words around it; 0 where they tell none."""
    if _FROM.search(before) or _OR_MORE.match(behind):
        return -1
    if _TO.search(before) or _OR_LESS.match(behind):
        return 1
    return 0


def _is_bound(bound: Number, text: str, *, above: bool) -> bool:
    before = text[max(0, bound.start - AROUND) : bound.start]
    if above:
        behind = text[bound.end :]
        return bool(_ABOVE.search(before) or _EXCEEDS_BEHIND.match(behind))
    return _BELOW.search(before) is not None


LOOKED_AT: Final = 2_000
"""Characters of a text by which its language is told."""
FARTHEST: Final = 1_000
"""How many times as large the one of two amounts may be from which the other is taken away."""
SMALLEST: Final = 3
"""Digits from which a figure is looked for among those of a table that gives a scale."""

_SCALES: Final = {
    "tausend": 10**3, "mille": 10**3, "mila": 10**3, "duizend": 10**3,
    "million": 10**6, "millionen": 10**6, "mio": 10**6, "millions": 10**6, "millones": 10**6,
    "millón": 10**6, "milioni": 10**6, "milione": 10**6, "milhões": 10**6, "milhão": 10**6,
    "miljoen": 10**6, "milliarde": 10**9, "milliarden": 10**9, "mrd": 10**9, "milliard": 10**9,
    "milliards": 10**9, "miliardi": 10**9, "miliardo": 10**9, "miljard": 10**9,
    "bilhões": 10**9, "bilhão": 10**9,
}  # fmt: skip
_SCALED: Final = lazy_regex(rf"(?i)\s?({'|'.join(sorted(_SCALES, key=len, reverse=True))})\b")


class _Sources(NamedTuple):
    """Sources, each taken apart in its own language, and what may be reckoned with together."""

    grounds: Sequence[Ground]
    """The sources, and what was asked and told before."""
    near: Sequence[Ground]
    asked: Ground
    groups: Sequence[Sequence[Number]]
    scales: Sequence[Decimal]


def unaccounted(
    figures: Sequence[str],
    text: str,
    sources: Sequence[str],
    near: Sequence[str],
    asked: str = "",
) -> tuple[str, ...]:
    """Return those of ``figures`` that neither are in ``sources`` nor come of what is there.

    Args:
        figures: Figures and dates of ``text``, as it has them, that comparing words has not found.
        text: A sentence.
        sources: What it cites, with what stands around that.
        near: The places of it that come nearest to the sentence, which may be reckoned with
            together.
        asked: What was asked and told before, whose figures may be repeated and reckoned with.
    """
    if not figures or len(figures) > MOST_FIGURES:
        return tuple(figures)
    readings = [_in_language(text, language_of(text)), _in_language(text, language_in_use())]
    held = _taken_apart(sources, near, asked, frozenset(terms(text)))
    return tuple(
        figure
        for figure in figures
        if not any(_is_accounted(figure, reading, held) for reading in readings)
    )


def _taken_apart(
    sources: Sequence[str], near: Sequence[str], asked: str, said: frozenset[str]
) -> _Sources:
    """Return ``sources`` as figures, with the places ``near`` a sentence of the words ``said``."""
    grounds = [_in_language(each, language_of(each[:LOOKED_AT])) for each in sources]
    nearest = [_in_language(each, language_of(each)) for each in near]
    question = _in_language(asked, language_of(asked))
    return _Sources(
        grounds=[*grounds, question],
        near=nearest or grounds,
        asked=question,
        groups=list(_together(grounds, nearest, said)),
        scales=[Decimal(1), *caption_scales(sources)],
    )


def _together(
    grounds: Sequence[Ground], near: Iterable[Ground], said: frozenset[str]
) -> Iterator[Sequence[Number]]:
    """Yield the figures that may be reckoned with together, those of the places ``near`` first."""
    places = [number for each in near for number in outside_tables(each)]
    yield places
    for each in grounds:
        yield from _groups(each, said, prose=not places)
    yield from of_table(records(grounds), said)


def _in_language(text: str, language: Language | None) -> Ground:
    """Return ``text`` with its figures and dates read as ``language`` writes them."""
    taken_apart = Ground(text)
    with speaking(language):
        _ = (taken_apart.counts, taken_apart.dates, taken_apart.figures, taken_apart.lines)
    return taken_apart


def _is_accounted(figure: str, claim: Ground, held: _Sources) -> bool:
    """Return whether all that ``claim`` has at the place of ``figure`` is there or comes of it."""
    start = claim.text.find(figure)
    if start < 0:
        return False
    end = start + len(figure)
    dates, counted = _touching(claim.dates, start, end), _touching(claim.numbers, start, end)
    if not (dates or counted) or _touching(claim.moments, start, end):
        return False
    return all(_is_told_date(date, claim, held.grounds) for date in dates) and _are_explained(
        counted, dates, claim, held
    )


def _is_told_date(date: Date, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``sources`` give ``date``, if only by their own year or by a span from it."""
    return is_dated(date, sources) or is_moved(date, claim, sources) or _has_year(date, sources)


def _has_year(date: Date, sources: Sequence[Ground]) -> bool:
    """Return whether ``sources`` give the day and month of ``date``, and elsewhere its year."""
    day = replace(date, year=None)
    told = [each for source in sources for each in source.dates]
    has_year = date.year in {each.year for each in told}
    return has_year and any(each.year is None and entails(each, day) for each in told)


_Placed = TypeVar("_Placed", Date, Number)


def _touching(placed: Iterable[_Placed], start: int, end: int) -> list[_Placed]:
    return [each for each in placed if each.start < end and start < each.end]


def _are_explained(
    counted: Sequence[Number], dates: Sequence[Date], claim: Ground, held: _Sources
) -> bool:
    """Return whether each number that is of no date is there, or comes of what is there."""
    own = [n for n in claim.measures if n not in counted and _is_there(n, claim, held)]
    return all(
        _is_there(number, claim, held)
        or _is_told_otherwise(number, claim, held.grounds)
        or _is_reckoned(number, own, claim, held)
        for number in counted
        if not begins_within(number, dates)
    )


class _Means(NamedTuple):
    """By what a sentence may come to a figure."""

    said: str
    ways: Sequence[Reckoning]
    """What it speaks of."""
    by: Sequence[Decimal]
    """Factors."""
    rates: frozenset[Decimal]
    """What its sources tell for each of several."""
    scales: Sequence[Decimal]


def _is_reckoned(number: Number, own: Sequence[Number], claim: Ground, held: _Sources) -> bool:
    """Return whether ``number`` comes of figures that belong together, or of the sentence's own."""
    means = _Means(
        claim.text,
        [way for way in Reckoning if way.is_told(claim.text)],
        factors(claim, own, held.asked, held.grounds, held.near),
        frozenset(rates((*held.near, *held.grounds))),
        held.scales,
    )
    differs = Reckoning.DIFFERENCE in means.ways
    years = [_years(claim, held.near)] if differs else []
    groups = [own, [*own, *_amounts(held.asked)], *held.groups, *years]
    return (
        any(is_telling(number, partial(_comes_of, group[:MOST], means)) for group in groups)
        or (differs and is_telling(number, partial(_is_left, own, held.grounds)))
        or _is_worked_out(number, own)
    )


def _years(claim: Ground, near: Iterable[Ground]) -> list[Number]:
    """Return the years of the dates of ``claim`` and of the places ``near`` it."""
    dates = (date for text in (claim, *near) for date in text.dates if date.year)
    years = dict.fromkeys(date.year for date in dates if date.year)
    return [Number(Decimal(year), "", 0, 0) for year in years]


LEAST_AMOUNT: Final = 10
"""The smallest bare figure of a question that is an amount: "two adults" count what is paid."""


def _amounts(asked: Ground) -> list[Number]:
    """Return the figures of ``asked``, but those of dates, that others may be reckoned with."""
    plain = (each for each in asked.measures if not begins_within(each, asked.dates))
    return [each for each in plain if each.unit or abs(each.value) >= LEAST_AMOUNT]


def _is_left(own: Iterable[Number], sources: Iterable[Ground], number: Number) -> bool:
    """Return whether ``number`` is what is left of one that the sentence names, or comes to it.

    As in "500 of the 800 euros are left", where a source has a bill of 300 euros.
    """
    others = [n for each in sources for n in each.measures]
    return any(
        comes_to(number, value)
        for one, other in product(_of_unit(number.unit, own), _of_unit(number.unit, others))
        for value in (one.value + other.value, abs(one.value - other.value))
    )


def _of_unit(unit: str, numbers: Iterable[Number]) -> list[Number]:
    return [each for each in numbers if unit and each.unit == unit]


MOST_SHOWN: Final = 6
"""Figures of a sentence that are looked through for its working."""


def _is_worked_out(number: Number, own: Sequence[Number]) -> bool:
    """Return whether a sentence shows how it comes to ``number``: 45 and 20 for each of three.

    What is multiplied stands next to each other; else any figure would come up by chance.
    """
    shown = [_unsigned(each) for each in own[:MOST_SHOWN]]
    return any(
        rounds_to(number, one.value * other.value + by)
        for one, other in pairwise(shown)
        for third in shown
        if third not in {one, other}
        for by in (third.value, -third.value)
    )


def _is_told_otherwise(number: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``sources`` give ``number`` by a list, a name, a bound or two dates."""
    return (
        refers_back(number, claim)
        or is_count_of_items(number, claim, sources)
        or is_named_by(number, claim, sources)
        or is_next_whole(number, claim, sources)
        or is_span(number, claim, sources)
    )


def _is_there(number: Number, claim: Ground, held: _Sources) -> bool:
    """Return whether a source has ``number``, whatever its sign, its scale and its language."""
    meant = list(_meant(number, claim.text))
    return any(
        is_same_figure(_unsigned(each), _unsigned(other)) or _is_scaled(each, other, held.scales)
        for source in held.grounds
        for count in _counts_like(number, source, held)
        for other in _meant(count, source.text)
        for each in meant
    )


def _counts_like(number: Number, source: Ground, held: _Sources) -> Iterable[Number]:
    """Return what ``source`` counts that ``number`` may repeat: of a question, with its unit."""
    if source is not held.asked or not number.unit:
        return source.counts
    return (count for count in source.counts if count.unit == number.unit)


def _meant(number: Number, text: str) -> Iterator[Number]:
    """Yield ``number``, and what it comes to with the word for a scale after it."""
    yield number
    if match := _SCALED.match(text, number.end):
        scale = _SCALES[match[1].lower()]
        yield Number(number.value * scale, number.unit, number.start, number.end)


def _unsigned(number: Number) -> Number:
    return Number(abs(number.value), number.unit, number.start, number.end)


def _is_scaled(number: Number, other: Number, scales: Iterable[Decimal]) -> bool:
    """Return whether ``number`` is a figure of a table that gives one of ``scales``."""
    if len(number.value.normalize().as_tuple().digits) < SMALLEST:
        return False
    return any(rounds_to(_unsigned(number), abs(other.value) * scale) for scale in scales)


def _comes_of(group: Sequence[Number], means: _Means, number: Number) -> bool:
    """Return whether plain arithmetic with figures of ``group`` gives ``number``."""
    wanted = _unsigned(number)
    is_ratio = Reckoning.RATIO in means.ways or wanted.unit == "%"
    return (
        _is_added_up(wanted, group, means.scales, means.ways)
        or any(comes_to(wanted, each) for each in _in_other_times(group, means))
        or (is_ratio and _is_divided_out(wanted, group, means.said))
        or is_multiple(number, group, means.by, is_rounded=_ABOUT.search(means.said) is not None)
    )


def _is_added_up(
    wanted: Number, group: Sequence[Number], scales: Sequence[Decimal], ways: Sequence[Reckoning]
) -> bool:
    """Return whether a sum or a difference of ``group`` is ``wanted``, in one of ``scales``."""
    return any(
        (comes_to if scale == 1 else rounds_to)(wanted, each * scale)
        for each in _added(group, wanted, ways)
        for scale in scales
    )


def _is_divided_out(wanted: Number, group: Sequence[Number], said: str) -> bool:
    """Return whether a ratio of ``group`` is ``wanted``, or near it where it is ``said`` so."""
    return any(
        comes_to(wanted, each) or (_ABOUT.search(said) and wanted.value in _wholes(each))
        for each in _divided(group, wanted.unit == "%")
    )


def _added(group: Sequence[Number], wanted: Number, ways: Sequence[Reckoning]) -> Iterator[Decimal]:
    """Yield sums and differences, as ``ways`` has them, of the kind that is ``wanted``."""
    alike = _addable(group, wanted)
    pairs = [pair for pair in combinations(alike, 2) if _may_be_added(*pair)]
    if Reckoning.SUM in ways:
        yield from (one.value + other.value for one, other in pairs)
        yield from _total(alike)
    if Reckoning.DIFFERENCE in ways:
        yield from (abs(one.value - other.value) for one, other in pairs)
        if wanted.unit == "%":
            yield from _apart(group)


def _total(alike: Sequence[Number]) -> Iterator[Decimal]:
    """Yield what more than two figures come to."""
    if len(alike) > 2:
        yield sum((each.value for each in alike), Decimal(0))


def _apart(group: Iterable[Number]) -> Iterator[Decimal]:
    """Yield how far apart two shares are, one of them below nothing, and what all of them leave."""
    shares = [n for n in group if n.unit in {"", "%"}]
    yield Decimal(100) - sum((n.value for n in shares if n.unit), Decimal(0))
    values = combinations(map(attrgetter("value"), shares), 2)
    yield from (abs(one - other) for one, other in values if one * other < 0)


def _addable(group: Iterable[Number], wanted: Number) -> list[Number]:
    """Return the amounts of ``group`` that may be of one kind with what is ``wanted``, unsigned."""
    is_share = wanted.unit == "%"
    alike = (n for n in group if not n.unit or (n.unit == "%") is is_share)
    return [_unsigned(n) for n in alike if may_count_as(n, wanted.unit)]


def _may_be_added(one: Number, other: Number) -> bool:
    """Return whether two amounts are of one kind, and neither is too small next to the other."""
    is_of_one_kind = not one.unit or not other.unit or kind_of(one) == kind_of(other)
    low, high = sorted((one.value, other.value))
    return is_of_one_kind and high < FARTHEST * low


def _divided(group: Sequence[Number], is_share: bool) -> Iterator[Decimal]:
    values = [abs(number.value) for number in group if number.unit != "%"]
    yield from results(Reckoning.PERCENT if is_share else Reckoning.RATIO, values)


_IN_A: Final = tuple(map(Decimal, (7, 12, 24, 52, 60, 365, 1_440, 3_600, 8_760, 86_400)))
"""How many of one span of time are in another: days in a week, hours in a year."""
_SPAN: Final = lazy_regex(
    r"(?i)\b(?:minutes?|hours?|days?|weeks?|months?|years?|hourly|daily|weekly|monthly|yearly|annual\w*"
    r"|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|jährlich|heures?|jours?|semaines?|mois|ans?"
    r"|horas?|días?|semanas?|mes(?:es)?|años?|ore|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])\b"
)


def _in_other_times(group: Sequence[Number], means: _Means) -> Iterator[Decimal]:
    """Yield what rates of ``group`` come to for another span: 40 a second are 144,000 an hour."""
    times = _IN_A if _SPAN.search(means.said) else ()
    quarters = _QUARTERS if _QUARTER.search(means.said) else ()
    amounts = (number for number in group if abs(number.value) in means.rates)
    for number, factor in product(amounts, (*times, *quarters)):
        yield abs(number.value) * factor
        yield abs(number.value) / factor


_QUARTERS: Final = (Decimal(3), Decimal(4))
"""Months in a quarter, and quarters in a year."""
_QUARTER: Final = lazy_regex(r"(?i)\b(?:quarter(?:s|ly)?|quartal\w*|trim[ei]str\w*|kwarta\w*)\b")


_ABOUT: Final = lazy_regex(
    r"(?i)\b(?:about|around|roughly|some|almost|nearly|over|more than|at least|up to|well"
    r"|gut|knapp|rund|etwa|fast|über|mehr als|mindestens|environ|près|plus de|casi|unos|unas|más de"
    r"|circa|quasi|oltre|ongeveer|bijna|ruim|cerca|mais de)\b"
)


def _wholes(result: Decimal) -> tuple[Decimal, Decimal]:
    """Return the whole numbers around ``result``: 8.6 loads are "well over eight"."""
    if not 1 <= result < 10**6:
        return result, result
    return (
        result.to_integral_value(ROUND_FLOOR),
        result.to_integral_value(ROUND_CEILING),
    )


def _groups(source: Ground, said: frozenset[str], *, prose: bool) -> Iterator[Sequence[Number]]:
    """Yield the figures of ``source`` that may be reckoned with together.

    Those of a row, and those that its rows have in one column: of the rows whose name has a word of
    what is ``said``, or of all in a table where none has. Those of two entries of nearly the same
    name, and those of all lines with such a word. With ``prose``, those of a sentence and the next
    one as well.
    """
    yield from parallel_entries(source, said)
    yield named(source, said)
    for table in tables(source):
        yield from of_table(table, said)
    if prose:
        amounts = outside_tables(source)
        for one, two in pairwise((*source.lines, *source.lines[-1:])):
            yield between(amounts, one.span.start, two.span.end)
