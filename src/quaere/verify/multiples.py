"""What an amount comes to so many times or in part: for eight in place of four, less a tenth.

How many times, the sentence says ("for both days"), or the question with what its source counts
("for eight people" of a recipe that "serves four"); a part, the sentence or the source near it
("reduced by one half").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.ground import Ground, begins_within
from quaere.verify.quantities import MOST, is_equal, rounds_to

LARGEST: Final = 1_000
"""The largest count that is multiplied with."""
MOST_FACTORS: Final = 24
"""Factors that are tried; among more, any figure would come up by chance."""

_COUNTS: Final = frozenset({"", "h", "d", "wk", "mo", "yr"})
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
        (*_times(claim, own, asked), *_scales(asked, sources), *_parts(claim, near))
    )
    return tuple(each for each in found if each not in {0, 1})[:MOST_FACTORS]


def is_multiple(wanted: Number, group: Iterable[Number], by: Sequence[Decimal]) -> bool:
    """Return whether an amount of ``group`` times one of ``by`` is ``wanted``, units converted."""
    if wanted.value == 1:
        return False
    amounts = [each for each in group if each.unit != "%" and each.value not in {0, 1}]
    return any(_is_amount(wanted, each, factor) for each in amounts for factor in by)


def _is_amount(wanted: Number, amount: Number, factor: Decimal) -> bool:
    value = abs(amount.value) * factor
    if wanted.unit == amount.unit or not (wanted.unit and amount.unit):
        return rounds_to(wanted, value)
    return is_equal(wanted, Number(value, amount.unit, amount.start, amount.end))


def _times(claim: Ground, own: Iterable[Number], asked: Ground) -> Iterator[Decimal]:
    """Yield how many times the sentence or the question counts, and the parts that this makes."""
    if _TWICE.search(claim.text):
        yield Decimal(2)
    if _THRICE.search(claim.text):
        yield Decimal(3)
    for count in (*_counts(claim, own), *_counts(asked, asked.numbers)):
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
        if is_count and is_whole and 2 <= number.value <= LARGEST:
            yield number.value


def _parts(claim: Ground, near: Sequence[Ground]) -> Iterator[Decimal]:
    """Yield the shares that are named, and what is left or comes to it by each."""
    for text in (claim, *near):
        for number in (*text.worded, *text.numbers):
            if number.unit == "%" and 0 < number.value < 100:
                share = number.value / 100
                yield from (share, 1 - share, 1 + share)
