"""Finds where an exported report tells how it was made: what it says there is not checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from quaere.text.languages.language import ENGLISH_FRAME, Frame, languages

_HEADING = re.compile(r"(?m)^[ ]{0,3}(?P<level>#{1,6})[ \t]+(?P<title>[^\n]*?)[ \t]*$")


class _Heading(NamedTuple):
    start: int
    level: int
    title: str


def about_itself(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of ``text`` in which it tells how it was made, if it is an exported report.

    It is one if it has a heading of how the search ended, as reports in one of the languages call
    that, or one of what was checked with what reports say there: others have that heading, too.
    Left are the answer, in short and by its parts, and its sources.
    """
    headings = [
        _Heading(found.start(), len(found["level"]), found["title"])
        for found in _HEADING.finditer(text)
    ]
    titles = {heading.title for heading in headings}
    frame = next((each for each in _frames() if _is_of(each, titles, text)), None)
    if frame is None:
        return
    yield from _before_the_answer(headings, frame)
    account = _account(frame)
    for place, heading in enumerate(headings):
        if heading.title in account:
            after = (each.start for each in headings[place + 1 :] if each.level <= heading.level)
            yield heading.start, next(after, len(text))


def _before_the_answer(headings: Sequence[_Heading], frame: Frame) -> Iterator[tuple[int, int]]:
    """Yield what precedes the title, and the line below it on how far the question is answered."""
    title = next((place for place, each in enumerate(headings) if each.level == 1), None)
    if title is None:
        return
    yield 0, headings[title].start
    if title + 1 < len(headings) and headings[title + 1].title == frame.headings.short:
        yield headings[title].start, headings[title + 1].start


@cache
def _frames() -> tuple[Frame, ...]:
    return ENGLISH_FRAME, *(language.frame for language in languages().values())


def _is_of(frame: Frame, titles: AbstractSet[str], text: str) -> bool:
    """Whether ``text`` with these ``titles`` has what every report has, and hardly any other."""
    named = frame.headings
    says_so = named.checked in titles and frame.account.not_checked in " ".join(text.split())
    return named.ended in titles or says_so


@cache
def _account(frame: Frame) -> frozenset[str]:
    """Return the headings under which a report tells of itself, in its short form or its long."""
    named, account = frame.headings, frame.account
    long = {named.findings, named.agreement, named.look, named.limits, named.method}
    short = {account.coverage, account.missing, account.checking, account.cost}
    return frozenset(long | short | {named.ended, named.warnings})
