"""Whether a table has a row of which something holds: "Is there a car with 16 cylinders?".

English alone.
"""

from __future__ import annotations

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, RowsAnswer, listing
from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.reading import Reading
from quaere.text.lazy_regex import lazy_regex

_THERE = lazy_regex(
    r"(?i)^\W*(?:is|are|was|were) there (?:any |a |an |some )?(?P<rest>[^?\s][^?]*)\?*\s*$"
)
FEW = 5
"""Rows that are named in such an answer, at most."""


def existence_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return yes where rows of ``table`` are what ``text`` asks for, and how many.

    Where none is, nothing: what a table lacks may well be elsewhere.

    Raises:
        Undecided: when several columns could be meant.
    """
    found = _THERE.match(text)
    asked = Reading(f"how many {found['rest']}", table) if found else None
    if asked is None or not asked.held or asked.counted() is None:
        return None
    names = asked.names_of(table.key, asked.rows)
    told = f"{len(asked.rows):,} of {len(table.lines):,} {table.counted} of {table.name}"
    few = f": {listing(names)}" if len(names) <= FEW and not table.is_nameless else ""
    return asked.answered(DirectKind.YES_NO, f"Yes ({told}{few})", asked.rows, CALCULATED)
