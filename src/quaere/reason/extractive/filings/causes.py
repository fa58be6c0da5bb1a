"""Finds the sentences in which a report says why a figure rose or fell, and what brings it in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quaere.reason.extractive.filings.asked import FELL, ROSE, Asked
from quaere.reason.extractive.filings.reports import Found, Report
from quaere.reason.extractive.pool import after_mark
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import sentences
from quaere.text.tokens import is_stop_word, stem, stems_of, terms, words

LONGEST = 700
"""Characters of a sentence that gives a reason, at most: a longer one is a table run together."""
_MOVES = (
    "increase increased increases decrease decreased decreases decline declined rise rose grow grew"
    " growth higher lower fell fall drop dropped up down improved"
)
_BECAUSE = lazy_regex(
    r"(?i)\b(?:due to|driven by|because of|as a result of|resulted from|resulting from"
    r"|attributable to|owing to|reflecting|thanks to|caused by)\b"
)
_UP, _DOWN = lazy_regex(rf"(?i)\b(?:{ROSE})\b"), lazy_regex(rf"(?i)\b(?:{FELL})\b")
_DERIVES = lazy_regex(
    r"(?i)\b(?:derives?|generates?|earns?|receives?) "
    r"(?:(?:most|substantially|all|of|the|majority|its|our|their|primarily|mainly|net) ){0,6}"
    r"(?:revenues?|sales|income)\b(?: [a-z]+){0,3}? (?:from|through|by)\b"
)
_CALLED: Sequence[frozenset[str]] = (
    stems_of("sell sells sold sale sales revenue revenues"),
    stems_of("earn earns earned earnings income profit profits"),
    stems_of("cost costs expense expenses spend spent spending"),
)
"""Stems of what is one line of a statement, however it is called."""
_ITEM = lazy_regex(r"[;•●]\s?")
_STOP = lazy_regex(r"(?<=\w)\s?[.]\s(?=[A-Z])")
_ASIDE = lazy_regex(
    r"(?i)\b(?:by|was|were|is|are|for the|in the year|to|when|as compared|compared)\b|[,$%(]|\d"
)
"""Where a sentence says next how much it was, and when."""
_IDLE = stems_of("segment division business year fiscal quarter compared company")
_USUAL = stems_of(f"net total our the consolidated reported overall segment {_MOVES}") | _IDLE


class _Reason(NamedTuple):
    """A clause that gives a reason, and where it is."""

    start: int
    end: int
    said: str
    before: str
    """What it says before the first reason."""

    @property
    def years(self) -> frozenset[int]:
        """The years that it names."""
        return years_in(self.said)

    def may_be_of(self, years: frozenset[int]) -> bool:
        """Return whether it names one of ``years``, or none at all; always without ``years``."""
        return not (years and self.years) or not years.isdisjoint(self.years)


def cause(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield the sentences that say why what is ``asked`` for rose or fell, best first.

    All that it is called comes before the first reason, and of the year that is asked for, where
    the sentence names years.
    """
    topic, years = _topic(report, asked), years_in(asked.text)
    if not topic:
        return
    moved = _DOWN if _DOWN.search(asked.text) else _UP
    told = [
        Found(each.said, owner, each.start, each.end, _is_clear(each, topic, years, report))
        for owner, passage in report.passages
        for each in _reasons(passage.text, moved)
        if _speaks_of(each.before, topic) and each.may_be_of(years)
    ]
    yield from sorted(told, key=lambda found: not found.is_clear)


def _reasons(text: str, moved: re.Pattern[str]) -> Iterator[_Reason]:
    """Yield the clauses of ``text`` that give a reason for what, as they say before, ``moved``."""
    for start, end in _clauses(text):
        said = " ".join(text[start:end].split())
        because = _BECAUSE.search(said) if len(said) <= LONGEST else None
        before = _last_clause(said[: because.start()]) if because else ""
        if moved.search(before):
            yield _Reason(start, end, said, before)


def _is_clear(
    reason: _Reason, topic: Mapping[str, frozenset[str]], years: frozenset[int], report: Report
) -> bool:
    """Whether ``reason`` is of the ``topic`` as a whole, and of one of ``years``, if any."""
    is_dated = not years or not years.isdisjoint(reason.years)
    return is_dated and _is_of_that(reason.before, topic, report)


def earning(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield the sentences that say from what the company, or the part that is asked for, earns."""
    topic = _topic(report, asked)
    for said in report.sentences():
        derives = _DERIVES.search(said.text) if len(said.text) <= LONGEST else None
        if derives and _is_about(said.text[: derives.start()], topic):
            yield said.tells(said.text, is_clear=bool(topic))


def _last_clause(said: str) -> str:
    """Return what of ``said`` is after the last full stop in it, be it one with a space before."""
    return _STOP.split(said)[-1]


def _is_of_that(before: str, topic: Mapping[str, frozenset[str]], report: Report) -> bool:
    """Whether what moved ``before`` the reason is what is asked for, and no part of it.

    No other word says of what it is, up to the verb, or to the name behind "the increase in".
    """
    known = _USUAL.union(*topic.values())
    said = _ASIDE.split(before.strip(), maxsplit=1)[0]
    left = (word for word in words(said) if not word.isdecimal() and not is_stop_word(word))
    return all(stem(word) in known or report.is_of(word) for word in left)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of ``text`` are, and the items of those that list some."""
    for span in sentences(text):
        start = after_mark(text, span)
        for mark in _ITEM.finditer(text, span.start, span.end):
            yield start, mark.start()
            start = mark.end()
        yield start, span.end


def _topic(report: Report, asked: Asked) -> Mapping[str, frozenset[str]]:
    """Return the stems of what is asked for, each with those by which it is told as well."""
    own = (word for word in asked.of if not report.is_of(word) and not word.isdecimal())
    stems = {stem(word) for word in own} - _IDLE
    return {each: _alike(each) for each in stems}


def _alike(own: str) -> frozenset[str]:
    return next((group for group in _CALLED if own in group), frozenset({own}))


def _speaks_of(said: str, topic: Mapping[str, frozenset[str]]) -> bool:
    held = frozenset(terms(said))
    return all(not held.isdisjoint(alike) for alike in topic.values())


def _is_about(subject: str, topic: Mapping[str, frozenset[str]]) -> bool:
    """Whether ``subject`` is the part of the company that is asked for, or the company itself."""
    if topic:
        return _speaks_of(subject, topic)
    return subject.strip().casefold() in {"we", "the company", "our company"}
