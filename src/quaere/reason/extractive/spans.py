"""Picks the words of a sentence that a question of a kind asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quaere.domain.report import DirectKind
from quaere.reason.extractive.answer_fit import answer_fit
from quaere.reason.extractive.answer_kinds import Kind
from quaere.text.dates import Date, dates
from quaere.text.names import names
from quaere.text.numbers import numbers
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, tokenize, words

TYPED, NEAR, ASIDE = 2.0, 1.5, 0.5
"""What it is worth to be of the kind asked for, to be near the words of the question, and to
say what no title on the way says. Guessed once, as the notes on a similar rule have them."""

_NAMED = frozenset({Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.NAME})
_YEAR = re.compile(r"(?i)\b(?:what|which) year\b")
_COUNTRY = re.compile(r"(?i)\b(?:country|nationality|nation|citizenship)\b")
_PLACED = re.compile(r"(?i)\b(?:in|at|near|from|to|into)\s*$")
_OF_DEATH = re.compile(r"(?i)\b(?:die[ds]?|death|dead)\b")
_LIFE = re.compile(r"[(（][^()（）]*?[–—-][^()（）]*[)）]")


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a sentence that may be the answer."""

    kind: DirectKind
    text: str
    worth: float
    """Higher is better."""


def best_span(kind: Kind, question: str, sentence: str, titles: frozenset[str]) -> Span | None:
    """Return the words of ``sentence`` that answer ``question`` best; None where none can.

    Args:
        kind: What is asked for.
        question: What was asked.
        sentence: One that answers it.
        titles: Lower-case words of what the sentence and those before it are about.
    """
    known = frozenset(words(question))
    asked = frozenset(map(stem, known))
    found = (
        Span(shape, text, TYPED * fit + NEAR * _nearness(sentence, start, end, asked) + ASIDE * new)
        for shape, text, start, end, fit in _candidates(kind, question, sentence)
        for new in (not titles.issuperset(words(text)),)
        if not known.issuperset(words(text))
    )
    return max(found, key=lambda span: span.worth, default=None)


def _candidates(
    kind: Kind, question: str, sentence: str
) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    """Yield kind, text, start, end and fit, 0 to 1, of each span of that kind."""
    if kind is Kind.DATE:
        for date in _asked_dates(question, sentence):
            text = sentence[date.start : date.end]
            if _YEAR.search(question) and date.year is not None and date.years == 1:
                text = str(date.year)
            yield DirectKind.DATE, text, date.start, date.end, 1.0 if date.year else 0.6
    elif kind is Kind.NUMBER:
        dated = [(date.start, date.end) for date in dates(sentence)]
        for number in numbers(sentence):
            if not any(start <= number.start < end for start, end in dated):
                text = sentence[number.start : number.end]
                yield DirectKind.NUMBER, text, number.start, number.end, 1.0 if number.unit else 0.8
    elif kind in _NAMED:
        yield from _named(kind, question, sentence)


def _named(
    kind: Kind, question: str, sentence: str
) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    """Yield the names that can be meant; for a country, what it or its people are called."""
    for name in names(sentence):
        is_nation = bool(nations(name.text))
        if _COUNTRY.search(question) and kind is Kind.PLACE:
            fit = float(is_nation)
        elif kind is Kind.PLACE:
            placed = _PLACED.search(sentence[: name.start]) is not None
            fit = float(placed and (not is_nation or name.text in nations(name.text)))
        elif kind is Kind.PERSON:
            fit = float(answer_fit(kind, name.text) == 1.0 and not is_nation)
        else:
            fit = 0.0 if is_nation else answer_fit(kind, name.text)
        if fit:
            yield DirectKind.NAME, name.text, name.start, name.end, fit


def _asked_dates(question: str, sentence: str) -> list[Date]:
    """Return the dates of ``sentence``; of those of a life, the one that is asked for."""
    life = _LIFE.search(sentence)
    told = dates(sentence)
    if life is None:
        return told
    lived = [date for date in told if life.start() <= date.start < life.end()]
    if len(lived) < 2:
        return told
    if _OF_DEATH.search(question):
        return lived[-1:]
    return lived[:1] if re.search(r"(?i)\b(?:born|birth)", question) else told


def _nearness(sentence: str, start: int, end: int, asked: frozenset[str]) -> float:
    """Return how near ``[start, end)`` stands to a word that was asked for: 1 next to it."""
    tokens = tokenize(sentence)
    inside = [at for at, token in enumerate(tokens) if token.start < end and token.end > start]
    if not inside:
        return 0.0
    far = [
        min(abs(at - inside[0]), abs(at - inside[-1]))
        for at, token in enumerate(tokens)
        if at not in inside
        and stem(token.text.casefold()) in asked
        and token.text[0].islower()
        and len(token.text) > 3
    ]
    return 1.0 / (1.0 + 0.25 * min(far)) if far else 0.0
