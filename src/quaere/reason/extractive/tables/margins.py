"""By how much the first of two rows is ahead: "Which is longer, and by how much?"."""

from __future__ import annotations

from dataclasses import replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.columns import Type
from quaere.text.lazy_regex import lazy_regex

BY_HOW_MUCH = lazy_regex(r"(?i)(?<=\w),?\sand\sby\show\s(?:much|many)\W*$")
"""Asks for the margin besides which of two is ahead."""
_TWO = 2


def with_margin(found: RowsAnswer) -> RowsAnswer | None:
    """Return the choice that was ``found`` with the margin between its two rows.

    None where it is not a choice among two rows by one column of figures.
    """
    table = found.table
    rows = [table.lines.index(line) for line in found.lines]
    decisive = [c for c in table.of_type(Type.NUMBER) if c.head in found.columns]
    decisive = [c for c in decisive if c not in table.calling]
    if found.kind is not DirectKind.CHOICE or len(rows) != _TWO or len(decisive) != 1:
        return None
    values = [value for row in rows if (value := decisive[0].values[row]) is not None]
    if len(values) != _TWO:
        return None
    apart = abs(values[0][0] - values[1][0])
    margin = decisive[0].with_unit(f"{apart.normalize():,f}")
    return replace(found, text=f"{found.text}, by {margin}")
