"""An amount in the unit that is asked for: "How long is it in km?" of "31 miles". English alone."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby, pairwise

from quaere.text.amounts import BASES, in_unit
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, numbers, undated_numbers

_ASKS = lazy_regex(
    r"(?i)\bhow (?:long|far|high|tall|wide|deep|heavy|big|large)\b|\bwhat (?:is|was|are|were)\b"
)
_IN_UNIT = lazy_regex(r"(?i)\bin (?P<unit>[a-z²]{1,20})\W{0,9}\Z")
_END_CHARS = 40
"""How much of a question's end is read for its unit."""
_HOW_MANY = lazy_regex(
    r"(?i)\bhow many (?P<unit>[a-z]+) (?:long|high|tall|wide|deep|of|is|was|are|were|does|do|did)\b"
)
_AND = lazy_regex(r"(?i),? (?:and )?")
_FIGURES = 3
"""Figures of a converted amount that are told: as exact as such amounts are, as a rule."""


def converted(question: str, said: str) -> str | None:
    """Return the amount that is ``said``, in the unit that ``question`` asks for, with its own.

    None where no unit is asked for, where it is ``said`` in that, or more than one amount is.
    """
    word = in_english(_unit_asked, question)
    if word is None:
        return None
    unit = _unit(word)
    runs = [run for run in _runs(said) if _are_convertible(run, unit)]
    if len(runs) != 1 or {each.unit for each in runs[0]} == {unit}:
        return None
    run = runs[0]
    values = (in_unit(each.value, each.unit, unit) or Decimal() for each in run)
    return f"{_rounded(sum(values, Decimal()))} {word} ({said[run[0].start : run[-1].end]})"


def _unit_asked(question: str) -> str | None:
    """Return the unit that ``question`` asks for, as it names it."""
    asks = _HOW_MANY.search(question)
    if asks is None and _ASKS.search(question):
        asks = _IN_UNIT.search(question[-_END_CHARS:])
    return asks["unit"] if asks and _unit(asks["unit"]) in BASES else None


def _unit(word: str) -> str:
    """Return the unit that ``word`` is; empty where it is none."""
    told = numbers(f"2 {word}")
    return told[0].unit if told else ""


def _are_convertible(run: list[Number], unit: str) -> bool:
    return in_unit(Decimal(1), run[0].unit, unit) is not None


def _runs(said: str) -> Iterator[list[Number]]:
    """Yield the amounts in ``said``, those together that are one: "two hours and forty minutes"."""
    told = [each for each in undated_numbers(said) if each.unit]
    starts = [0]
    for before, after in pairwise(told):
        goes_on = _AND.fullmatch(said, before.end, after.start) and _is_smaller(after, before)
        starts.append(starts[-1] + (not goes_on))
    for _, run in groupby(zip(starts, told, strict=False), key=lambda pair: pair[0]):
        yield [number for _, number in run]


def _is_smaller(number: Number, other: Number) -> bool:
    """Whether the unit of ``number`` is a smaller one of the same kind."""
    (base, size), (other_base, other_size) = (BASES.get(n.unit, ("", 0)) for n in (number, other))
    return base != "" and base == other_base and size < other_size


def _rounded(value: Decimal) -> str:
    """Return ``value`` in as few figures as it needs, whole where it is large."""
    shown = value.quantize(Decimal(1)) if value >= 10 ** (_FIGURES - 1) else round(value, _FIGURES)
    return f"{shown:,.0f}" if shown == shown.to_integral_value() else f"{float(value):.{_FIGURES}g}"
