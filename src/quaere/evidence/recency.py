"""How well the date of a source suits what a question needs, and whether an earlier answer does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from quaere.domain.evidence import NEUTRAL
from quaere.domain.source import Passage
from quaere.evidence.weights import CURRENT_DAYS, FRESH_DAYS, TOO_EARLY
from quaere.text.dates import dates, first_and_last_day
from quaere.text.facts import name_words, stated_facts
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import jaccard
from quaere.text.tokens import terms

_FRESH = lazy_regex(
    r"(?i)\b(?:now|nowadays|today|tonight|current(?:ly)?|latest|newest|recent(?:ly)?"
    r"|up[- ]to[- ]date|these days|at the moment|so far|this (?:year|month|week|season)"
    r"|state of the art)\b"
)
_CHANGING = lazy_regex(
    r"(?i)\b(?:who (?:is|are) the (?:\w+ ){0,3}?(?:presidents?|prime ministers?|ministers?|ceo"
    r"|chancellor|mayor|governor|chair\w*|leaders?|head|owner|champions?|record holder)"
    r"|price|prices|cost|costs|salary|exchange rate|interest rates?|inflation|unemployment"
    r"|market share|version|guidelines?|deadline|how many (?:people|users|employees|inhabitants)"
    r"|how (?:much|expensive) (?:is|are|does|do))\b"
)
_ISO = lazy_regex(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_SLACK = timedelta(days=2)
"""A page may be dated a little later than it was read: zones, and editions of tomorrow."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a question needs of the dates of its sources."""

    half_life: float | None = None
    """Days after which a source is worth half; None where age alone makes no difference."""
    year: int | None = None
    """The latest year that is asked about."""


def need(question: str, today: date) -> Need:
    """Return what ``question``, asked ``today``, needs."""
    year = _latest_year(question)
    if year is not None:
        return Need(FRESH_DAYS if year >= today.year else None, year)
    if _FRESH.search(question):
        return Need(FRESH_DAYS)
    return Need(CURRENT_DAYS if _CHANGING.search(question) else None)


def recency(published: str, needed: Need, today: date) -> float:
    """Return how well a source ``published`` then suits what is ``needed``, 0 to 1.

    ``published`` is ISO 8601, as exact as it is known. A date that is not known, that cannot be or
    that has not come yet says nothing, which is worth `NEUTRAL`.
    """
    span = _span(published)
    if span is None or span[0] > today + _SLACK:
        return NEUTRAL
    latest = min(span[1], today)
    worth = NEUTRAL
    if needed.half_life is not None:
        worth = 0.5 ** ((today - latest).days / needed.half_life)
    if needed.year is not None and latest.year < needed.year <= today.year:
        worth = min(worth, TOO_EARLY)
    return worth


def last_read_day(passages: Iterable[Passage]) -> date | None:
    """Return the last day on which any of ``passages`` was read; None when no day is known.

    For the age of what was read that is today, and a run that is resumed or replayed gives the same
    scores.
    """
    spans = (_span(passage.retrieved_at) for passage in passages)
    return max((span[1] for span in spans if span), default=None)


def _latest_year(question: str) -> int | None:
    years = (d.year for d in dates(question) if d.year is not None and d.years == 1)
    return max(years, default=None)


def _span(written: str) -> tuple[date, date] | None:
    """Return the first and the last day that an ISO date can be; None when it is none."""
    match = _ISO.match(written.strip())
    if not match:
        return None
    try:
        return first_and_last_day(*map(int, match.groups("0")))
    except ValueError:
        return None


SAME = 0.8
"""Share of stems that two questions must have in common. Word sets tell few rewordings, and below
this they take questions for the same that are not: see docs/lab-book.md on repeated topics."""

FRESH_KEPT = timedelta(hours=12)
"""For how long the evidence serves a question whose answer changes."""
KEPT = timedelta(days=30)
"""The same for any other."""

_ASKING = lazy_regex(
    r"(?i)\b(who|whom|whose|what|which|when|where|why|how(?: (?:many|much|long|far|old|often))?"
    r"|wer|wen|wem|was|welche[rsmn]?|wann|wo|warum|wie(?: viele?)?)\b"
)


def same_question(asked: str, earlier: str) -> bool:
    """Whether ``earlier`` asks what ``asked`` asks.

    Their stems must nearly agree; what they ask for, whom they name, the figures, the dates and
    what they deny must agree altogether.
    """
    if _asked_for(asked) != _asked_for(earlier):
        return False
    if name_words(asked) != name_words(earlier) or stated_facts(asked) != stated_facts(earlier):
        return False
    return jaccard(frozenset(terms(asked)), frozenset(terms(earlier))) >= SAME


def is_fresh(asked: str, *, read: datetime, now: datetime) -> bool:
    """Whether what was read at ``read`` may still serve the question ``asked``."""
    ages = need(asked, now.date()).half_life is not None
    return now - read <= (FRESH_KEPT if ages else KEPT)


def _asked_for(text: str) -> frozenset[str]:
    return frozenset(" ".join(match[0].casefold().split()) for match in _ASKING.finditer(text))
