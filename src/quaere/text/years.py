"""Years that heads of columns name, in whichever form they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from quaere.text.lazy_regex import lazy_regex

YEAR = lazy_regex(r"(?<!\d)(?<!\d,)(?:19|20)\d\d(?!\d|,\d)")
"""A year of four digits, also behind letters: "FY2023"."""
_SPLIT = lazy_regex(r"(?<!\d)((?:19|20)\d\d) ?[/–-] ?(\d\d)(?![\d/.–-])")
_SHORT = lazy_regex(
    r"\bFY ?['’]?(\d\d)\b"
    r"|\b(?:\d{1,2}[./-](?:\d{1,2}|[A-Z][a-z]{2})|(?:Jan|Feb|Mar|Apr|May|Ju[nl]|Aug|Sept?|Oct|Nov|Dec))"
    r"[./’'-](\d\d)\b"
)
KEPT = 4096
"""Heads whose years are remembered."""
CENTURY = 2000
"""The one of years of two digits."""


@lru_cache(maxsize=KEPT)
def years_in(text: str) -> frozenset[int]:
    """Return the years that ``text`` names; of one such as 2019/20 the later.

    Two digits are a year in "FY23", "31/12/23" and "Dec-23".
    """
    return frozenset(_years(text))


def _years(text: str) -> Iterator[int]:
    def later(found: re.Match[str]) -> str:
        year, following = int(found[1]), int(found[2])
        return str(year + 1) if (year + 1) % 100 == following else found[0]

    text = _SPLIT.sub(later, text)
    yield from map(int, YEAR.findall(text))
    if not YEAR.search(text):
        yield from (CENTURY + int(each[1] or each[2]) for each in _SHORT.finditer(text))
