"""Finds the sentences in which a report names the segments of its company, and its business."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaere.reason.extractive.filings.reports import Found, Report
from quaere.reason.extractive.manuals.enumerations import names_all
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem

_OWN = lazy_regex(
    r"(?i)\b(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|our|the company['’]s)\s"
    r"(?:[a-z]+\s){0,2}segments)\b"
)
"""How all of them are spoken of."""
_GOES_ON = lazy_regex(r"(?<=[^\W_]), (?:and|which|with|as|each) (?-i:[a-z])")
"""How a sentence goes on after names, which begin with capitals."""
_SEGMENTS = frozenset({stem("segments")})


def segments(report: Report) -> Iterator[Found]:
    """Yield the names of the segments, in the order of the passages."""
    for said in report.sentences():
        own = _OWN.search(said.text)
        told = names_all(_GOES_ON.split(said.text, maxsplit=1)[0], _SEGMENTS) if own else None
        if told is not None:
            yield said.tells(told["named"].strip(" .;,"))


_TRADE = (
    r"(?:manufacturers?|makers?|marketers?|providers?|retailers?|compan(?:y|ies)|developers?|leaders?"
    r"|suppliers?|producers?|operators?|designers?|sellers?|distributors?|firms?|pioneers?|banks?"
    r"|insurers?|business(?:es)?|services?|platforms?|ecosystem|innovators?)"
)
_IS = lazy_regex(
    r"(?P<who>We are|[A-Z][\w.,&’' -]{1,60}? is) (?:currently )?(?:a|an|the|one of the)\b"
    rf"[^.;]{{0,140}}?\b{_TRADE}\b(?! to\b)"
)
_ACTIVITY = lazy_regex(
    r"(?:Our|The Company['’]s) (?:principal|main|primary) business(?: activity)? is\b"
)
_OF_ANOTHER_KIND = lazy_regex(
    r"(?i)\b(?:subsidiar(?:y|ies)|holding company|smaller reporting|shell company|party to|borrower"
    r"|guarantors?|issuers?|segment|lessee|tenant|accelerated filer)\b"
)


def business(report: Report) -> Iterator[Found]:
    """Yield the sentences that say what the company is or does: "We are a maker of lamps"."""
    for said in report.sentences():
        told = _ACTIVITY.match(said.text) or _IS.match(said.text)
        if told is not None and not _OF_ANOTHER_KIND.search(said.text) and _is_own(report, told):
            yield said.tells(said.text)


def _is_own(report: Report, told: re.Match[str]) -> bool:
    """Whether the sentence is one about the company itself: "we", or by its name."""
    who = told.groupdict().get("who")
    if who is None or who == "We are":
        return True
    named = [word.strip(".,’'") for word in who.removesuffix(" is").split()]
    return all(map(report.is_of, filter(None, named)))
