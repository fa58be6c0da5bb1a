"""What an amount comes to so many times or in part: for eight in place of four, less a tenth.

How many times, the sentence says ("for both days"), or the question with what its source counts
("for eight people" of a recipe that "serves four"); a part, the sentence or the source near it
("reduced by one half").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import product
from typing import Final

from quaere.text.amounts import in_unit
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.ground import Ground, begins_within
from quaere.verify.quantities import MOST, is_digit_for_digit, rounds_to

LARGEST: Final = 1_000
"""The largest count that is multiplied with."""
MOST_FACTORS: Final = 24
"""Factors that are tried; among more, any figure would come up by chance."""

_COUNTS: Final = frozenset({"", "h", "d", "wk", "mo", "yr"})
_CLOCK: Final = lazy_regex(r"(?i)(?:[:/]\d|\s?(?:[ap]\.?m\b|uhr\b|o['’]clock\b))")
"""Follows the hours of a time of day, and the upper part of a ratio or a date."""
_TWICE: Final = lazy_regex(r"(?i)\b(?:both|twice|doubled?|beiden?|doppelt\w*|zweimal|deux fois)\b")
_THRICE: Final = lazy_regex(r"(?i)\b(?:thrice|tripled?|dreimal|dreifach\w*|trois fois)\b")


def factors(
    claim: Ground,
    own: Iterable[Number],
    asked: Ground,
    sources: Sequence[Ground],
    near: Sequence[Ground],
) -> tuple[Decimal, ...]:
    """Return by what a reader of ``claim`` may multiply an amount of its sources.

    Args:
        claim: A sentence.
        own: Those of its figures that are in its sources or in the question.
        asked: The question.
        sources: What it cites.
        near: The places of its sources that come nearest to it.
    """
    found = dict.fromkeys(
        (*_times(claim, own, asked), *_scales(asked, sources), *_parts(claim, near), *rates(near))
    )
    return tuple(each for each in found if each not in {0, 1})[:MOST_FACTORS]


def is_multiple(
    wanted: Number, group: Iterable[Number], by: Sequence[Decimal], *, is_rounded: bool = False
) -> bool:
    """Return whether an amount of ``group`` times one of ``by`` is ``wanted``, units converted.

    It is the amount in all its digits but where it ``is_rounded``. A share counts for nothing here.
    """
    if wanted.value == 1 or wanted.unit == "%":
        return False
    amounts = filter(_is_amount, group)
    comes_to = rounds_to if is_rounded else is_digit_for_digit
    return any(_is_product(wanted, *pair, comes_to) for pair in product(amounts, by))


def _is_amount(number: Number) -> bool:
    return number.unit != "%" and number.value not in {0, 1}


def _is_product(
    wanted: Number, amount: Number, factor: Decimal, comes_to: Callable[[Number, Decimal], bool]
) -> bool:
    value = abs(amount.value) * factor
    if wanted.unit and amount.unit:
        converted = in_unit(value, amount.unit, wanted.unit)
        return converted is not None and comes_to(wanted, converted)
    return comes_to(wanted, value)


def _times(claim: Ground, own: Iterable[Number], asked: Ground) -> Iterator[Decimal]:
    """Yield how many times the sentence or the question counts, and the parts that this makes."""
    if _TWICE.search(claim.text):
        yield Decimal(2)
    if _THRICE.search(claim.text):
        yield Decimal(3)
    in_words = (n for n in claim.measures if claim.text[n.start : n.end].isalpha())
    for count in (*_counts(claim, (*own, *in_words)), *_counts(asked, asked.numbers)):
        yield count
        yield 1 / count


def _scales(asked: Ground, sources: Sequence[Ground]) -> Iterator[Decimal]:
    """Yield how many times as much as the sources count the question asks about."""
    for wanted in _counts(asked, asked.numbers):
        for source in sources:
            bare = (number for number in source.numbers[:MOST] if not number.unit)
            yield from (wanted / held for held in _counts(source, bare))


def _counts(text: Ground, numbers: Iterable[Number]) -> Iterator[Decimal]:
    """Yield those of ``numbers`` of ``text`` that count things or spans of time."""
    for number in numbers:
        is_whole = number.value == number.value.to_integral_value()
        is_count = number.unit in _COUNTS and not begins_within(number, text.dates)
        if is_count and is_whole and 2 <= number.value <= LARGEST and not _is_part(number, text):
            yield number.value


_EACH: Final = lazy_regex(
    r"(?i)(?:\s[^\W\d]+)?\s?(?:/|\b(?:per|each|an?|every|times|pro|je|mal|par|chacune?|fois|por|cada"
    r"|veces|al?|im|volte|vezes|keer|elk)\b)"
)
_AT: Final = lazy_regex(r"(?i)(?:\b(?:at|of|zu|à|de|each|je)|[x×@])\s\W?\Z")


def rates(near: Iterable[Ground]) -> Iterator[Decimal]:
    """Yield what is told for each of several: 54 of "54 marks a tonne", 32 of "9 hours at 32"."""
    for text in near:
        for number in text.measures[:MOST]:
            before = text.text[max(0, number.start - 8) : number.start]
            if _EACH.match(text.text, number.end) or _AT.search(before):
                yield abs(number.value)


def _is_part(number: Number, text: Ground) -> bool:
    """Return whether ``number`` is of a time of day, of a ratio or of a date in figures."""
    before = text.text[max(0, number.start - 2) : number.start]
    is_behind = before[:1].isdigit() and before[-1:] in {":", "/"}
    return is_behind or _CLOCK.match(text.text, number.end) is not None


def _parts(claim: Ground, near: Sequence[Ground]) -> Iterator[Decimal]:
    """Yield the shares that are named, and what is left or comes to it by each."""
    for text in (claim, *near):
        for number in (*text.worded, *text.numbers):
            if number.unit == "%" and 0 < number.value < 100:
                share = number.value / 100
                yield from (share, 1 - share, 1 + share)
