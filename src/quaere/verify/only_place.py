"""Where one of several passages has a figure or a date that a sentence takes from it alone.

"It was built in 1874, though the guide says 1881" has most of its words from one passage. The other
one, which it cites for the year, would be taken for a citation out of place.
"""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.report import Quote
from quaere.domain.source import Passage
from quaere.verify.facts import missing_figures
from quaere.verify.ground import Ground, Line, ground, said
from quaere.verify.quotes import quoted


def only_place(text: str, passage: Passage, others: Sequence[Passage]) -> Quote | None:
    """Return the line of ``passage`` with a figure or a date of ``text`` that ``others`` lack.

    None where there is no such figure, and where ``text`` cites nothing else.
    """
    claim, source = said(text), ground(passage.text)
    if not others or not (claim.numbers or claim.dates):
        return None
    lacking = set(missing_figures(claim, [ground(each.text) for each in others]))
    alone = lacking.difference(missing_figures(claim, [source]))
    if not alone:
        return None
    line = max(source.lines, key=lambda each: _rank(each, source, claim, alone), default=None)
    return quoted(passage, line.span.start, line.span.end) if line else None


def _rank(line: Line, source: Ground, claim: Ground, alone: set[str]) -> tuple[int, int]:
    """Return how many of the figures and how many words of ``claim`` are in ``line``."""
    held = ground(source.text[line.span.start : line.span.end])
    figures = alone.difference(missing_figures(claim, [held]))
    return len(figures), len(claim.terms & line.terms)
