"""How certain a line that leads is to answer: a logistic, and what speaks against any."""

from __future__ import annotations

from math import exp, log
from operator import attrgetter
from typing import NamedTuple

from quaere.reason.extractive.plain_answers import CLOCK
from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.ranking import FIGURES, MAY_LEAD, Ranking
from quaere.reason.extractive.weekdays import days_in
from quaere.text.dates import dates
from quaere.text.numbers import numbers
from quaere.text.tokens import terms


class Signs(NamedTuple):
    """What tells how likely the first line answers, each from 0 to 1.

    It is also the form of the weights by which these are summed.
    """

    share: float
    """The belief that it leads, by words alone."""
    spread: float
    """How evenly belief is spread over all lines that may lead."""
    covered: float
    """What its chain covers of the question."""
    by_itself: float
    """What it covers by itself beyond half, where the question describes nothing by others."""


WEIGHTS, BASE = Signs(share=1.1, spread=-2.4, covered=0.7, by_itself=3.0), 0.35
"""Fitted on the first half of four sets; the base is a quarter lower, because the weights of the
lines were fitted there as well. That of what it covers by itself was chosen on 200 questions of one
step over 18 pages, and on the first half of five sets: of those in these pages .39 are then called
answered in place of .27, of which .92 are right (.95); of 200 over 18 other pages .45 and .32, .92
and .92. Questions written to look as if such a page answered them (100 and 100) cannot be told from
others by any sign: 44 and 41 of them are called answered (26 and 31). ``bench/fit_certainty.py``
compares them with what it fits anew."""
HALF = 0.5
"""What a line has to cover by itself before that counts."""
FEW = 3
"""Words, at most, in which two lines differ that say the same but for the answer: "ask Mr Abara on
0142" and "ask Ms Lind on 0177"."""


def signs_of(ranking: Ranking) -> Signs:
    """Return what tells how likely the first line of ``ranking`` answers."""
    first, shares = ranking.leading[0], [each.by_words for each in ranking.leading]
    chain = first.rated.chain
    return Signs(
        share=first.by_words,
        spread=-sum(share * log(share) for share in shares if share) / log(MAY_LEAD),
        covered=chain.covered,
        by_itself=0.0 if ranking.describes else max(0.0, chain.own - HALF),
    )


def likely(ranking: Ranking) -> float:
    """Return how likely the first line of ``ranking`` answers, from 0 to 1."""
    odds = BASE + sum(w * sign for w, sign in zip(WEIGHTS, signs_of(ranking), strict=True))
    return 1.0 / (1.0 + exp(-odds))


def is_contested(question: str, ranking: Ranking) -> bool:
    """Return whether a page that covers as much says the same as the first but for the answer.

    Where the choir meets "on Tuesdays" here and "on Thursdays" there, neither is certain; "in the
    hall" and "at school" do not matter to when, where the days are the same.
    """
    first, *others = (each.rated.chain for each in ranking.leading)
    if first.end.columns:
        return False
    rivals = (other.end for other in others if other.own >= first.own)
    page = _page(first.end, ranking)
    return any(
        _page(rival, ranking) != page and _contradicts(rival, first.end, question)
        for rival in rivals
    )


def _contradicts(rival: Line, line: Line, question: str) -> bool:
    if expected_kind(question) is Kind.DATE and _tell_other_years(line.text, rival.text):
        return True
    if not _differ_in_answer(line.terms, rival.terms, frozenset(terms(question))):
        return False
    return expected_kind(question) not in FIGURES or not _tell_the_same(line.text, rival.text)


def _page(line: Line, ranking: Ranking) -> str:
    return ranking.pool.passages[line.owner].url.partition("#")[0]


def _differ_in_answer(one: frozenset[str], other: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether two lines of these stems differ in a few, and in no word that is ``asked``.

    How many wheels a mill has does not contradict how many sails.
    """
    most = min(FEW, len(one & other))
    return all(
        0 < len(apart) <= most and asked.isdisjoint(apart) for apart in (one - other, other - one)
    )


def _tell_other_years(one: str, other: str) -> bool:
    """Whether one of two sentences says all that the other does, each of one year, another one.

    "It was opened on 4 May 1891 by the mayor", and "it was opened in 1893".
    """
    (year, said), (rival, also) = map(_without_dates, (one, other))
    return year is not None and rival not in {None, year} and (said <= also or also <= said)


def _without_dates(text: str) -> tuple[int | None, frozenset[str]]:
    """Return the one year of ``text``, if it names one alone, and the stems of its other words."""
    found = dates(text)
    years = {date.year for date in found if date.year is not None}
    rest = text
    for date in sorted(found, key=attrgetter("start"), reverse=True):
        rest = f"{rest[: date.start]} {rest[date.end :]}"
    return next(iter(years)) if len(years) == 1 else None, frozenset(terms(rest))


def _tell_the_same(one: str, other: str) -> bool:
    """Whether two lines have the same numbers, dates, week days and hours, and any at all."""
    told = _figures(one)
    return any(told) and told == _figures(other)


def _figures(text: str) -> tuple[frozenset[object], ...]:
    return (
        frozenset(number.value for number in numbers(text)),
        frozenset((date.year, date.month, date.day) for date in dates(text)),
        days_in(text),
        frozenset(hour[0].casefold() for hour in CLOCK.finditer(text)),
    )
