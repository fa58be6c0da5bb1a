"""Reads which rows of a table have nothing in a column, where a question asks for these.

"How many cars are missing a horsepower value?", "Who has no age recorded?". English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Type
from quaere.reason.extractive.tables.wording import HALF, Condition, Wording, foremost, sole
from quaere.text.lexicon import word_set

_MISSING = word_set("missing unknown blank empty unrecorded unspecified")
_RECORDED = word_set("recorded known given listed stated noted value values data entry information")
_DENIED = word_set("no not without")


def gaps_named(wording: Wording) -> Iterator[Condition]:
    """Yield the rows that have nothing in the column of which ``wording`` says so.

    Raises:
        Undecided: when several columns could be meant.
    """
    able = [column for column in wording.table.columns if _has_gaps(column)]
    named = foremost(able, wording.share_left, least=HALF)
    if not named:
        return
    places = _said(wording, named)
    column = sole(named) if places else None
    if column is None:
        return
    wording.used.update(places, wording.heads(column))
    yield Condition(column, _rows_without(column))


def _rows_without(column: Column) -> frozenset[int]:
    """Return the rows that have nothing in ``column``."""
    return frozenset(row for row, cell in enumerate(column.cells) if is_empty(cell))


def _has_gaps(column: Column) -> bool:
    return len(column.filled) < len(column.cells)


def _said(wording: Wording, named: Sequence[Column]) -> set[int]:
    """Return the places of the words that say that nothing is there; none where none does."""
    missing = set(wording.places_of(_MISSING)) - wording.used
    recorded = set(wording.places_of(_RECORDED)) - wording.used
    if missing:
        return missing | recorded
    if not recorded and any(column.type is not Type.TEXT for column in named):
        return set()
    denied = wording.deniers(wording.head_places(named) | recorded)
    denied &= set(wording.places_of(_DENIED))
    return denied | recorded if denied else set()
