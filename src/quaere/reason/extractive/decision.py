"""A direct answer with the lines that prove it, and how sure one is of such answers."""

from __future__ import annotations

from dataclasses import dataclass

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.comparisons.contrast import Contrast
from quaere.reason.extractive.pool import Line
from quaere.text.languages.language import language_in_use

AGREED = 0.75
"""Confidence in a yes or no that one sentence says nearly all of, and the least in a line that says
all that is asked, as no other does, or to which relations lead. Like those of other decisions,
it is, rounded down, the share of right answers on the first half of the development questions."""
NEARLY = SURE - 0.05
"""Most confidence in a line that lacks what an answer has: just under what counts as answered."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A direct answer, the lines that prove it in the order to be read, and how sure it is."""

    kind: DirectKind
    text: str
    lines: tuple[Line, ...]
    confidence: float
    """How likely the answer and its proof are right, from 0 to 1."""
    whole: bool = False
    """Whether the lines answer by their headings or their rows, and nothing need be added."""
    under: str = ""
    """The heading over the first line, where that decides."""
    table: Contrast | None = None
    """Where rows of a table answer: they are shown as one."""
    both_sides: bool = False
    """Whether the lines tell of both sides of a comparison."""


def said(yes: bool) -> str:
    """Return yes or no in the language of the question."""
    language = language_in_use()
    if language is None:
        return "Yes" if yes else "No"
    return language.frame.yes if yes else language.frame.no
