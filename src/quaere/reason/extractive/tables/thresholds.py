"""Rows of which one cell is set against another: "below their reorder level", "over budget"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.reason.extractive.tables.columns import ORDERED, Column, foremost
from quaere.reason.extractive.tables.lexicon import named
from quaere.reason.extractive.tables.wording import HALF, Condition, Wording, sole
from quaere.text.lazy_regex import lazy_regex

_AGAINST = lazy_regex(
    r"(?i)\b(?:(?:fell|fall(?:en|s|ing)?|dropp(?:ed|ing)|drops?|sunk|risen|rose|gone|went|run|ran)\s+)?"
    r"(?P<level>at or )?"
    r"(?:(?P<below>(?:less|fewer|lower|smaller|earlier|cheaper|shorter) than"
    r"|under|below|short of|behind|beneath)"
    r"|(?:(?:more|greater|higher|later|larger|longer|dearer|better) than|over|above|beyond"
    r"|exceed(?:s|ed|ing)?|past|ahead of))\s+"
    r"(?:(?:their|its|his|her|the|what (?:was|were|is)|was|were|is)\s+){0,2}(?P<rest>[^?]+)"
)
_LIMITS = named("level limit point mark threshold value figure target amount")
"""Words that follow the name of a bound: the "level" of "reorder level"."""
_NEAR = 3
"""How many words after the comparative such a word is of the bound, at most."""


def against_each_other(wording: Wording) -> Iterator[Condition]:
    """Yield the rows in which one column is below, or above, another that the question names.

    Raises:
        Undecided: when several columns may be set against it.
    """
    found = _AGAINST.search(wording.text)
    if found is None:
        return
    behind = [at for at in wording.free if wording.tokens[at].start >= found.start("rest")]
    sides = _sides(wording, behind)
    if sides is None:
        return
    column, bound = sides
    wording.use(found.start(), found.start("rest"), column)
    limits = (at for at in behind[:_NEAR] if wording.words[at] in _LIMITS)
    wording.used.update((*wording.heads(bound), *limits))
    rows = _rows_beyond(column, bound, below=found["below"] is not None)
    yield Condition(column, rows | _rows_level(column, bound) if found["level"] else rows)


def _sides(wording: Wording, behind: Sequence[int]) -> tuple[Column, Column] | None:
    """Return the column that is compared, and its bound, which the words at ``behind`` name."""
    bound = _bound(wording, behind)
    if bound is None:
        return None
    column = _compared(wording, bound, [at for at in wording.free if at not in behind])
    return None if column is None else (column, bound)


def _rows_beyond(column: Column, bound: Column, *, below: bool) -> frozenset[int]:
    """Return the rows whose cell in ``column`` is below that in ``bound``, or else above it."""
    sides = enumerate(zip(column.values, bound.values, strict=True))
    known = [(row, own, other) for row, (own, other) in sides if own and other]
    return frozenset(row for row, own, other in known if (own < other if below else own > other))


def _rows_level(column: Column, bound: Column) -> frozenset[int]:
    """Return the rows that have the same in ``column`` and in ``bound``."""
    sides = enumerate(zip(column.values, bound.values, strict=True))
    return frozenset(row for row, (own, other) in sides if own and own == other)


def _bound(wording: Wording, places: Sequence[int]) -> Column | None:
    """Return the column whose head the words at ``places`` begin with; None without one.

    A value is not one: what comes after it has a figure.
    """
    if any(any(map(str.isdigit, wording.words[at])) for at in places[:1]):
        return None
    able = wording.table.of_type(*ORDERED)
    told = [column for column in able if wording.heads(column, places[:2])]
    return sole(foremost(told, lambda c: wording.share(c, places), least=HALF))


def _compared(wording: Wording, bound: Column, places: Sequence[int]) -> Column | None:
    """Return the column that is set against ``bound``: one that is named, else the only such."""
    able = [
        column
        for column in wording.table.of_type(bound.type)
        if column is not bound and column.is_money == bound.is_money
    ]
    told = [column for column in able if wording.heads(column, places)]
    return sole(foremost(told, lambda c: wording.share(c, places)) or able)
