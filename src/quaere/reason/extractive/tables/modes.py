"""Which cell of a column most rows have: "Which method found the most planets?".

Nothing in the table says so; the rows are counted. English alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, Asked, RowsAnswer
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import PEOPLE
from quaere.reason.extractive.tables.wording import HALF
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stems_of

_OFTEN = word_set("common commonly frequent frequently often usual usually")
_DEGREES = {"most": 1, "commonest": 1, "least": -1, "fewest": -1}
"""Words that ask for what most rows have, and for what the fewest have."""
_ANY_ROWS = stems_of("item entry row company firm record thing")
"""Stems of what rows may be called in any table."""
MOST_TIED = 3
"""Cells that are named where as many rows have each of them, at most."""
_ASKS = lazy_regex(r"(?i)\W*(?:which|what|who)\b[^?]*\b(?:most|commonest|least|fewest)\b")


def asks_for_a_mode(text: str) -> bool:
    """Return whether ``text`` may ask for what most rows have, or the fewest."""
    return _ASKS.match(text) is not None


def mode_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return the cell that most rows of ``table`` have, or the fewest, in the column asked for.

    None where each row has a cell of its own there, or the most of something else is asked for.
    """
    if not asks_for_a_mode(text):
        return None
    asked = Asked(text, table)
    words = asked.wording.words
    degree = next(iter(asked.wording.places_of(_DEGREES)), 0)
    counted = list(_counted(asked, degree))
    asked.wording.used.update([degree, *counted])
    column = _column_asked(asked)
    if not counted or column is None or len(asked.rows) < 2:
        return None
    asked.wording.used.update(asked.wording.heads(column))
    asked.wording.used.update(_verb(asked, degree))
    asked.by.append(column)
    return _told(asked, column, _DEGREES[words[degree]]) if asked.is_accounted() else None


def _column_asked(asked: Asked) -> Column | None:
    """Return the one column of groups that is named; of several, the one that is so in full."""
    tried = (_named_in_full, _named_as_written, _named_by_noun, _naming_people)
    found = (each(asked, _groups_named(asked)) for each in tried)
    return next((named[0] for named in found if len(named) == 1), None)


def _named_in_full(asked: Asked, named: list[Column]) -> list[Column]:
    """Return the one of ``named``; of several, those that are so in full."""
    full = [column for column in named if asked.wording.share_left(column) == 1.0]
    return named if len(named) == 1 else full


def _named_as_written(asked: Asked, named: list[Column]) -> list[Column]:
    """Return those of ``named`` whose heads the question has as they are written."""
    said = frozenset(asked.wording.stems)
    return [column for column in named if column.stems <= said]


def _named_by_noun(asked: Asked, named: list[Column]) -> list[Column]:
    """Return the columns of groups whose heads end in the noun that is asked for: "GICS Sector"."""
    noun = asked.wording.words[1:2]
    able = asked.table.of_type(Type.TEXT) if not named else []
    return [c for c in able if list(c.said[-1:]) == noun and len(set(c.filled)) < len(c.filled)]


def _naming_people(asked: Asked, named: list[Column]) -> list[Column]:
    """Return the column by which rows are called, where people are and it is asked for them."""
    key = asked.table.key
    is_asked = asked.asks_who or not PEOPLE.isdisjoint(asked.wording.stems[1:2])
    if named or not is_asked or not (key.has_people and key.groups_rows):
        return []
    asked.wording.used.add(1)
    return [key]


def _groups_named(asked: Asked) -> list[Column]:
    """Return the columns that are named for the most part, of which several rows share a cell."""
    able = (c for c in asked.table.columns if len(set(c.filled)) < len(c.filled))
    return [column for column in able if asked.wording.share_left(column) > HALF]


def _counted(asked: Asked, degree: int) -> Iterator[int]:
    """Yield the places of the words for what is counted: "common", or what the rows are."""
    words = asked.wording.words
    if words[degree] == "commonest":
        yield degree
        return
    after = degree + 1
    if words[after : after + 1] and words[after] in _OFTEN:
        yield after
        return
    while after < len(words) and _is_of_rows(asked, after) and words[after] != "by":
        yield after
        after += 1


def _is_of_rows(asked: Asked, at: int) -> bool:
    """Whether the word at ``at`` says what rows are: as the table does, or as it fits any."""
    own = asked.wording.stems[at]
    others = [column for column in asked.table.columns if column is not asked.table.key]
    if own not in asked.table.named and any(own in column.stems for column in others):
        return False
    return own in asked.table.things or _fits_any_rows(own, others)


def _fits_any_rows(own: str, others: Sequence[Column]) -> bool:
    """Whether rows of any table may be called ``own``, and no head of ``others`` speaks of that."""
    return own in _ANY_ROWS and not any(own in column.alike for column in others)


def _verb(asked: Asked, degree: int) -> set[int]:
    """Return the places of the verb: before "the most", or last where a head is of it."""
    words = asked.wording.words
    at, last = degree - 1 - (words[degree - 1] == "the"), len(words) - 1
    told = {at} if at > 0 and asked.wording.tokens[at].text.islower() else set[int]()
    is_last = bool(asked.wording.head_places(asked.table.columns) & {last})
    return told | {last} if is_last else told


def _told(asked: Asked, column: Column, sign: int) -> RowsAnswer | None:
    """Return the cell with most rows, or with the fewest, and how many these are."""
    rows = _filled(asked, column)
    names, count = _first(Counter(column.cells[row] for row in rows), sign)
    held = [row for row in rows if column.cells[row] in names]
    if not held:
        return None
    whole = f"{len(rows):,} {asked.table.counted} of {asked.table.name}"
    text = f"{', '.join(names)} ({count:,}{' each' if names[1:] else ''} of {whole})"
    answer = asked.answered(DirectKind.NAME, text, held, CALCULATED)
    return replace(answer, columns=frozenset(each.head for each in (column, *_of_held(asked))))


def _filled(asked: Asked, column: Column) -> list[int]:
    """Return the rows that hold and have something in ``column``."""
    return [row for row in asked.rows if not is_empty(column.cells[row])]


def _of_held(asked: Asked) -> Iterator[Column]:
    """Yield the columns by which rows were chosen."""
    return (each.column for each in asked.held)


def _first(counts: Counter[str], sign: int) -> tuple[list[str], int]:
    """Return the cells with the most rows, or the fewest, and their number; none where many tie."""
    best = max(counts.values(), key=lambda count: sign * count, default=0)
    names = [cell for cell, count in counts.items() if count == best]
    return (names if len(names) <= MOST_TIED and len(names) < len(counts) else [], best)
