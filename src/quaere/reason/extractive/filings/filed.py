"""Answers what the reports of companies tell alike: by their cover, signatures and staff."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.decision import NEARLY
from quaere.reason.extractive.filings.asked import Asked, Fact, asked_fact, months_asked
from quaere.reason.extractive.filings.business import business, segments
from quaere.reason.extractive.filings.causes import cause, earning
from quaere.reason.extractive.filings.cover import exchange, offices, phone, state, ticker, year_end
from quaere.reason.extractive.filings.founding import founding
from quaere.reason.extractive.filings.people import auditor, officer, staff
from quaere.reason.extractive.filings.policies import dividends, union
from quaere.reason.extractive.filings.reports import (
    Found,
    Report,
    by_report,
    line_of,
    reports_asked,
)
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.tokens import words

_READ: Mapping[Fact, Callable[[Report, Asked], Iterator[Found]]] = {
    Fact.OFFICES: lambda report, _: offices(report),
    Fact.STATE: lambda report, _: state(report),
    Fact.PHONE: lambda report, _: phone(report),
    Fact.TICKER: lambda report, _: ticker(report),
    Fact.EXCHANGE: lambda report, _: exchange(report),
    Fact.YEAR_END: lambda report, _: year_end(report),
    Fact.AUDITOR: lambda report, _: auditor(report),
    Fact.OFFICER: officer,
    Fact.STAFF: staff,
    Fact.SEGMENTS: lambda report, _: segments(report),
    Fact.BUSINESS: lambda report, _: business(report),
    Fact.FOUNDING: founding,
    Fact.DIVIDENDS: lambda report, _: dividends(report),
    Fact.UNION: union,
    Fact.EARNING: earning,
    Fact.CAUSE: cause,
}
TOLD = 0.9
"""Confidence in what a report tells where nothing else in it tells another."""
_KINDS = {
    Fact.YEAR_END: DirectKind.DATE,
    Fact.STAFF: DirectKind.NUMBER,
    Fact.BUSINESS: DirectKind.SENTENCE,
    Fact.FOUNDING: DirectKind.DATE,
    Fact.DIVIDENDS: DirectKind.YES_NO,
    Fact.UNION: DirectKind.YES_NO,
    Fact.EARNING: DirectKind.SENTENCE,
    Fact.CAUSE: DirectKind.SENTENCE,
}


class Filed(NamedTuple):
    """A fact of a company."""

    kind: DirectKind
    text: str
    line: Line
    confidence: float


def find_filed(question: str, pool: Pool) -> Filed | None:
    """Return the fact that ``question`` asks of a company; None where no report tells it.

    Of several companies the question must name one, and it must ask for nothing besides.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = asked_fact(question)
    if asked is None:
        return None
    read = _READ[asked.fact]
    told = {
        report.name: found
        for report in reports_asked(asked, pool)
        if (found := next(read(report, asked), None)) is not None
    }
    found = by_report(told)
    if found is None:
        return None
    kind, line = _KINDS.get(asked.fact, DirectKind.NAME), line_of(found, pool)
    is_clear = found.is_clear and _is_of_month(asked, line)
    return Filed(kind, found.text, line, TOLD if is_clear else NEARLY)


def _is_of_month(asked: Asked, line: Line) -> bool:
    """Whether ``line`` is of the month that the question names, if it names one."""
    return months_asked(asked) <= frozenset(words(line.text))


def counts_staff(question: str) -> bool:
    """Whether ``question`` asks how many a company employs, which no sum of money tells."""
    asked = asked_fact(question)
    return asked is not None and asked.fact is Fact.STAFF


def is_told_in_words(question: str) -> bool:
    """Whether ``question`` asks why, or with what, a company earns: no figure answers that."""
    asked = asked_fact(question)
    return asked is not None and asked.fact in {Fact.CAUSE, Fact.EARNING}
