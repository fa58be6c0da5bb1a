"""Finds in which year a company was founded, as its report says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaere.reason.extractive.filings.asked import Asked
from quaere.reason.extractive.filings.reports import Found, Report
from quaere.text.lazy_regex import lazy_regex

_DEED = r"(?:incorporated|founded|organi[sz]ed|established|formed)"
_FOUNDED = lazy_regex(
    r"\b(?P<who>We|we|(?:[Tt]he|[Oo]ur) (?:present |current )?(?:[Cc]orporation|[Cc]ompany)"
    r"|[A-Z][\w&’'-]{0,30}(?:,? (?:[A-Z&][\w.&’'-]{0,30})){0,4}) (?:was|were)"
    r" (?:first |originally )?"
    rf"(?P<deed>{_DEED})\b"
    r"(?P<rest>[^;]{0,100}?)\bin (?:[A-Z][a-z]{2,8},? )?(?P<year>(?:17|18|19|20)\d\d)\b"
)
_OF_LAW = "incorporated"
_OWN = frozenset({"we", "company", "corporation"})


def founding(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield the year in which the company was founded, or incorporated where that is asked for.

    Where it was founded in one year and incorporated in another, it is not clear which is meant.
    """
    told = list(_told(report))
    by_law = "corporat" in asked.text.casefold()
    wanted = [each for each, deed in told if (deed == _OF_LAW) == by_law]
    found = wanted or [each for each, _ in told]
    is_clear = len({each.text for each in found}) == 1
    for each in found:
        yield each._replace(is_clear=is_clear)


def _told(report: Report) -> Iterator[tuple[Found, str]]:
    """Yield the years that the sentences about the company itself tell, each with its verb."""
    for said in report.sentences():
        told = _FOUNDED.search(said.text)
        if told is not None and _is_own(report, told):
            yield said.tells(told["year"]), told["deed"]


def _is_own(report: Report, told: re.Match[str]) -> bool:
    """Whether it is said of the company itself: of "we", or of its name."""
    who = told["who"]
    if who.split()[-1].casefold() in _OWN:
        return True
    named = [word.strip(".,’'") for word in who.replace("Inc.", " ").split()]
    return any(named) and all(map(report.is_of, filter(None, named)))
