"""By how much the first of two rows is ahead: "Which is longer, and by how much?"."""

from __future__ import annotations

from dataclasses import replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Type
from quaere.text.lazy_regex import lazy_regex

BY_HOW_MUCH = lazy_regex(r"(?i)(?<=\w),?\sand\sby\show\s(?:much|many)\W*$")
"""Asks for the margin besides which of two is ahead."""
_TWO = 2


def with_margin(found: RowsAnswer) -> RowsAnswer | None:
    """Return the choice that was ``found`` with the margin between its two rows.

    None where it is not a choice among two rows by one column of figures.
    """
    column = _decisive(found) if found.kind is DirectKind.CHOICE else None
    if column is None or len(found.lines) != _TWO:
        return None
    first, second = (column.values[found.table.lines.index(line)] for line in found.lines)
    if first is None or second is None:
        return None
    margin = column.with_unit(f"{abs(first[0] - second[0]).normalize():,f}")
    return replace(found, text=f"{found.text}, by {margin}")


def _decisive(found: RowsAnswer) -> Column | None:
    """Return the one column of figures by which was chosen what is ``found``; None of several."""
    table = found.table
    shown = [column for column in table.of_type(Type.NUMBER) if column.head in found.columns]
    able = [column for column in shown if column not in table.calling]
    return able[0] if len(able) == 1 else None
