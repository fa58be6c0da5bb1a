"""Whether two rows have the same in one column: "Do Ada and Bo come from the same town?".

Each of the two is named in full, and every other word is for that column. English alone.
"""

from __future__ import annotations

from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import FOUND, RowsAnswer
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import GENERAL, LAST_NAMES, PLACES
from quaere.reason.extractive.tables.values import values_named
from quaere.reason.extractive.tables.wording import HALF, Undecided, Wording, foremost
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stems_of

LONGEST = 200
"""Characters of such a question, at most."""
_ASKS = lazy_regex(
    r"(?i)^\W*(?:do|does|did|are|is|were|was|have|has|had)\s(?:both\s)?(?P<one>[^?,]{1,60}?)"
    r"\sand\s(?P<rest>[^?,]{3,120}?)\sthe\ssame\s(?P<what>\w+(?:\s\w+){0,2}?)\W*$"
)
_LISTED = frozenset(",;/|")
"""Marks that part what a cell lists: two such cells may share some of it."""
_IDLE = stems_of("play work study belong share live lived come came be both each")
_PLACE = stems_of("place") | PLACES


class _Named(NamedTuple):
    """The rows of one that is named, and how many words of the question name it."""

    rows: frozenset[int]
    words: int


def asks_for_same_cells(text: str) -> bool:
    """Return whether ``text`` asks whether two have the same of something."""
    return len(text) <= LONGEST and _ASKS.match(text) is not None


def same_cells_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return whether the two rows that ``text`` names have the same in the column that it names.

    None where a word is left, a cell says nothing, or cells list several things and differ.
    """
    found = _ASKS.match(text) if len(text) <= LONGEST else None
    if found is None:
        return None
    one = _named(found["one"], table)
    for other, deed in _parted(found["rest"]):
        second = _named(other, table) if one else None
        column = _column(f"{deed} {found['what']}", table) if second else None
        if one and second and column and one.rows.isdisjoint(second.rows):
            return _told(column, one, second, table)
    return None


def _parted(rest: str) -> list[tuple[str, str]]:
    """Return ``rest`` split into a name and what follows, at each space, the longest name first.

    "Luke Skywalker come from" is a name and a deed.
    """
    words = rest.split()
    return [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words), 0, -1)]


def _named(text: str, table: Table) -> _Named | None:
    """Return the rows that all of ``text`` names by the key of ``table``, or by a column of names.

    Several rows of one name are one: what they have is compared with what the others have.
    """
    wording = Wording(text, table)
    try:
        held = list(values_named(wording))
    except Undecided:
        return None
    if not held or not all(each.is_value for each in held) or wording.free:
        return None
    rows = frozenset[int].intersection(*(each.rows for each in held))
    is_name = len(held) == 1 and _is_of_names(held[0].column, table)
    return _Named(rows, len(wording.content)) if is_name and rows else None


def _is_of_names(column: Column, table: Table) -> bool:
    """Whether ``column`` names rows, or has the last names of people."""
    is_last = column.said in LAST_NAMES
    return is_last or column in (table.key, table.label) or column.names_most_rows


def _column(text: str, table: Table) -> Column | None:
    """Return the column that all words of ``text`` are for; None where none or several may be."""
    wording = Wording(text, table)
    able = [c for c in table.columns if c is not table.key and not c.numbers_rows]
    *before, noun = wording.content or [0]
    named = [c for c in able if wording.heads(c, [noun])]
    if not named and wording.stems[noun] in _PLACE:
        # "Born in the same place" is for the words below "birth", and not for its dates.
        named = [c for c in able if c.type is Type.TEXT and wording.heads(c, before)]
    best = foremost(named, wording.share_left, least=HALF)
    if len(best) != 1:
        return None
    left = [at for at in before if at not in wording.heads(best[0])]
    return best[0] if all(wording.stems[at] in GENERAL | _IDLE for at in left) else None


def _told(column: Column, one: _Named, other: _Named, table: Table) -> RowsAnswer | None:
    cells = [{column.cells[row].strip() for row in each.rows} for each in (one, other)]
    if any(len(each) != 1 for each in cells):
        return None
    first, second = (next(iter(each)) for each in cells)
    is_same = first.casefold() == second.casefold()
    if any(map(is_empty, (first, second))) or not (is_same or _are_single(first, second)):
        return None
    told = f"Yes ({column.head}: {first})" if is_same else f"No ({column.head}: {first}, {second})"
    rows = sorted((min(one.rows), min(other.rows)))
    return RowsAnswer(
        kind=DirectKind.YES_NO,
        text=told,
        table=table,
        lines=tuple(table.lines[row] for row in rows),
        columns=frozenset(c.head for c in (*table.calling, column)),
        confidence=FOUND,
        fit=one.words + other.words + 1,
    )


def _are_single(*cells: str) -> bool:
    """Whether none of ``cells`` lists several things."""
    return all(_LISTED.isdisjoint(cell) for cell in cells)
