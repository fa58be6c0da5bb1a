"""Whether two rows have the same in one column: "Do Ada and Bo come from the same town?".

Each of the two is named in full, and every other word is for that column. English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    return _asked(text) is not None


def _asked(text: str) -> re.Match[str] | None:
    """Return the parts of ``text``, if it asks for that."""
    return _ASKS.match(text) if len(text) <= LONGEST else None


def same_cells_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return whether the two rows that ``text`` names have the same in the column that it names.

    None where a word is left, a cell says nothing, or cells list several things and differ.
    """
    found = _asked(text)
    one = _named(found["one"], table) if found else None
    if found is None or one is None:
        return None
    for other, column in _readings(found["rest"], found["what"], table):
        if one.rows.isdisjoint(other.rows):
            return _told(column, one, other, table)
    return None


def _readings(rest: str, what: str, table: Table) -> Iterator[tuple[_Named, Column]]:
    """Yield whom ``rest`` may name, and the column of what the two may have the same: ``what``."""
    for name, deed in _parted(rest):
        other = _named(name, table)
        column = _column(f"{deed} {what}", table) if other else None
        if other and column:
            yield other, column


def _parted(rest: str) -> list[tuple[str, str]]:
    """Return ``rest`` split into a name and what follows, at each space, the longest name first.

    "Luke Skywalker come from" is a name and a deed.
    """
    words = rest.split()
    return [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words), 0, -1)]


def _named(text: str, table: Table) -> _Named | None:
    """Return the rows that all of ``text`` names, by the key of ``table`` or a column of names.

    Several rows of one name are one: what they have is compared with what the others have.
    """
    wording = Wording(text, table)
    try:
        held = list(values_named(wording))
    except Undecided:
        return None
    if len(held) != 1 or wording.free or not _is_of_names(held[0].column, table):
        return None
    rows = held[0].rows
    return _Named(rows, len(wording.content)) if rows else None


def _is_of_names(column: Column, table: Table) -> bool:
    """Whether ``column`` names rows, or has the last names of people."""
    is_last = column.said in LAST_NAMES
    return is_last or column in (table.key, table.label) or column.names_most_rows


def _column(text: str, table: Table) -> Column | None:
    """Return the column that all words of ``text`` are for; None where none or several may be."""
    wording = Wording(text, table)
    best = foremost(_columns_named(wording), wording.share_left, least=HALF)
    if len(best) != 1:
        return None
    heads = wording.heads(best[0])
    left = {wording.stems[at] for at in wording.content[:-1] if at not in heads}
    return best[0] if left <= GENERAL | _IDLE else None


def _columns_named(wording: Wording) -> list[Column]:
    """Return the columns that the last word is for; of a place, those that the others are for."""
    *before, noun = wording.content or [0]
    named = _headed_by(wording, [noun])
    if named or wording.stems[noun] not in _PLACE:
        return named
    # "Born in the same place" is for the words below "birth", and not for its dates.
    return [column for column in _headed_by(wording, before) if column.type is Type.TEXT]


def _headed_by(wording: Wording, places: Sequence[int]) -> list[Column]:
    """Return the columns of what rows have for whose heads a word at ``places`` may stand."""
    own = [c for c in wording.table.columns if c is not wording.table.key and not c.numbers_rows]
    return [column for column in own if wording.heads(column, places)]


def _told(column: Column, one: _Named, other: _Named, table: Table) -> RowsAnswer | None:
    first, second = (_cell_of(column, each.rows) for each in (one, other))
    told = _verdict(column.head, first, second) if first and second else ""
    if not told:
        return None
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


def _cell_of(column: Column, rows: frozenset[int]) -> str:
    """Return what all of ``rows`` have in ``column``; nothing where they differ or one has none."""
    cells = {column.cells[row].strip() for row in rows}
    own = cells.pop() if len(cells) == 1 else ""
    return "" if is_empty(own) else own


def _verdict(head: str, first: str, second: str) -> str:
    """Return yes or no with the two cells below ``head``; nothing where they may share a part."""
    if first.casefold() == second.casefold():
        return f"Yes ({head}: {first})"
    are_single = _LISTED.isdisjoint(first + second)
    return f"No ({head}: {first}, {second})" if are_single else ""
