"""The plain facts that a text states: who, how many, when, and what not."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from quaere.text.dates import dates
from quaere.text.names import names
from quaere.text.negation import negation
from quaere.text.numbers import numbers
from quaere.text.tokens import words


@dataclass(frozen=True, slots=True)
class Facts:
    """What two texts must have in common to mean the same, whatever else they say."""

    figures: frozenset[tuple[Decimal, str]]
    """Numbers with their units."""
    dates: frozenset[tuple[int | None, int | None, int | None]]
    """Year, month and day, as far as they are given."""
    denied: frozenset[str]
    """Stems that a negation precedes."""


def stated_facts(text: str) -> Facts:
    """Return what ``text`` states."""
    return Facts(
        figures=frozenset((number.value, number.unit) for number in numbers(text)),
        dates=frozenset((date.year, date.month, date.day) for date in dates(text)),
        denied=frozenset(negation(text).denied),
    )


def name_words(text: str) -> frozenset[str]:
    """Return the words of all names in ``text``."""
    return frozenset(word for name in names(text) for word in words(name.text))
