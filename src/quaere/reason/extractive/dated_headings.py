"""Whether what is below a heading is still so, where it is asked how something is.

Below "Figures for 2019" nothing answers how many there are where "Figures for 2026" follows, and
below "Former staff" nobody is on the staff. English alone.
"""

from __future__ import annotations

from quaere.reason.extractive.pool import Line, Pool, page_of
from quaere.reason.extractive.questions.kinds import asks_earlier, last_question, looks_back
from quaere.text.dates import years_in
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, words

_NOW = lazy_regex(
    r"(?i)\b(?:now|nowadays|currently|current|today|at (?:present|the moment)|these days)\b"
)
FORMER = frozenset(map(stem, words("former formerly past previous retired ex left")))
"""Stems of headings over what is so no more."""


def is_of_former(heading: str, question: str) -> bool:
    """Return whether ``heading`` is over what is so no more, and ``question`` asks of none such."""
    over, asked = (frozenset(map(stem, words(text))) for text in (heading, question))
    return is_english() and bool(over & FORMER - asked)


def year_over(line: Line, pool: Pool) -> int:
    """Return the latest year in the headings over ``line``; 0 where they name none."""
    return max(years_in(pool.headings_over(line)), default=0)


def is_outdated(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is below a year or "former", and ``question`` asks how something is.

    The latest year of several on its page is now. Whether one alone is, is unknown, if it is asked
    how something is now.
    """
    text = last_question(question)
    if not is_english() or years_in(text) or looks_back(text) or asks_earlier(text):
        return False
    if is_of_former(pool.headings_over(line), text):
        return True
    own = year_over(line, pool)
    if not own:
        return False
    years = _years_on_page(line, pool)
    if len(years) > 1:
        return own < max(years)
    return _NOW.search(text) is not None


def _years_on_page(line: Line, pool: Pool) -> frozenset[int]:
    """Return the years in the headings of the page of ``line``."""
    page = page_of(pool.passages[line.owner])
    found = set[int]()
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        if page_of(passage) == page:
            headings = (each.text for each in lines if each.heading)
            found.update(*map(years_in, (passage.headings, *headings)))
    return frozenset(found)
