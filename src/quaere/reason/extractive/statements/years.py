"""For which years a table has figures: "Which years does the table cover?".

English alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.statements.rows import StatementRow, label_stems, rows_of_years
from quaere.text.dates import years_in
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex

_YEARS_ASKED = lazy_regex(
    r"(?i)^\W*(?:in|for|over|during)? ?(?:which|what) (?:fiscal |financial )?(?:years|periods)\b"
)
_REPORTED = lazy_regex(
    r"(?i)\b(?:tables?|covered|provided?|recorded|presented|listed|calculated|reported|disclosed"
    r"|available|shown|given)\b"
)
_OF_TABLE = lazy_regex(r"(?i)\btable\b")


class Years(NamedTuple):
    """The years of a table or of a row of it, and the row that shows them."""

    text: str
    line: Line


def lacks_years(question: str, told: str) -> bool:
    """Return whether ``question`` asks for several years, and ``told`` has one or none."""
    asked = is_english() and _YEARS_ASKED.search(last_question(question)) is not None
    return asked and len(years_in(told)) < 2


def find_years(question: str, pool: Pool) -> Years | None:
    """Return the years for which a table, or the row of it that is named, has figures.

    None where the tables of ``pool`` have others, so that it is not known which is meant.
    """
    text = last_question(question)
    if not _asks_of_figures(text):
        return None
    rows, said = rows_of_years(pool), label_stems(text)
    named = [row for row in rows if row.label_stems and row.label_stems <= said]
    row = max(named, key=lambda each: len(each.label_stems), default=None)
    if row is not None:
        return _told(row, list(filter(row.holds, row.values)))
    return _of_all(rows) if _OF_TABLE.search(text) else None


def _asks_of_figures(text: str) -> bool:
    """Whether ``text`` asks for the years of what is reported."""
    asks = is_english() and _YEARS_ASKED.search(text) is not None
    return asks and _REPORTED.search(text) is not None


def _of_all(rows: Sequence[StatementRow]) -> Years | None:
    """Return the years that all ``rows`` are of; None where they differ."""
    if len({(row.document, frozenset(row.values)) for row in rows}) != 1:
        return None
    return _told(rows[0], list(rows[0].values))


def _told(row: StatementRow, years: Sequence[int]) -> Years | None:
    *first, last = (str(year) for year in sorted(years)) if years else ("",)
    return Years(f"{', '.join(first)} and {last}", row.line) if first else None
