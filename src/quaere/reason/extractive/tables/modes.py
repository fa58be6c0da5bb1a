"""Which cell of a column most rows have: "Which method found the most planets?".

Nothing in the table says so; the rows are counted. English alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, Asked, RowsAnswer
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table
from quaere.reason.extractive.tables.wording import HALF
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set

_OFTEN = word_set("common commonly frequent frequently often usual usually")
_DEGREES = {"most": 1, "commonest": 1, "least": -1, "fewest": -1}
"""Words that ask for what most rows have, and for what the fewest have."""
MOST_TIED = 3
"""Cells that are named where as many rows have each of them."""


_ASKS = lazy_regex(r"(?i)\W*(?:which|what)\b[^?]*\b(?:most|commonest|least|fewest)\b")


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
    degree = next((at for at, word in enumerate(words) if word in _DEGREES), 0)
    counted = list(_counted(asked, degree))
    columns = [column for column in table.columns if asked.wording.share_left(column) > HALF]
    columns = [each for each in columns if len(set(each.filled)) < len(each.filled)]
    if not counted or len(columns) != 1 or len(asked.rows) < 2:
        return None
    asked.wording.used.update([degree, *counted, *asked.wording.heads(columns[0])])
    asked.wording.used.update(_verb(asked, degree))
    asked.by.append(columns[0])
    found = _told(asked, columns[0], _DEGREES[words[degree]])
    return found if found is not None and asked.is_accounted() else None


def _counted(asked: Asked, degree: int) -> Iterator[int]:
    """Yield the places of the words for what is counted: "common", or what the rows are."""
    words, stems = asked.wording.words, asked.wording.stems
    if words[degree] == "commonest":
        yield degree
        return
    after = degree + 1
    if words[after : after + 1] and words[after] in _OFTEN:
        yield after
        return
    while after < len(words) and stems[after] in asked.table.things and words[after] != "by":
        yield after
        after += 1


def _verb(asked: Asked, degree: int) -> set[int]:
    """Return the place of a verb between the column and what is counted: "found the most"."""
    before = [at for at in asked.wording.free if at < degree]
    return {at for at in before[-1:] if asked.wording.words[at].endswith(("ed", "s", "d"))}


def _told(asked: Asked, column: Column, sign: int) -> RowsAnswer | None:
    """Return the cell with most rows, or with the fewest, and how many these are."""
    rows = [row for row in asked.rows if not is_empty(column.cells[row])]
    counts = Counter(column.cells[row] for row in rows)
    best = max(counts.values(), key=lambda count: sign * count, default=0)
    names = [cell for cell, count in counts.items() if count == best]
    if not 0 < len(names) <= MOST_TIED or len(counts) == len(names):
        return None
    whole = f"{len(rows):,} {asked.table.counted} of {asked.table.name}"
    each = " each" if len(names) > 1 else ""
    held = [row for row in rows if column.cells[row] in names]
    text = f"{', '.join(names)} ({best:,}{each} of {whole})"
    answer = asked.answered(DirectKind.NAME, text, held, CALCULATED)
    return replace(answer, columns=frozenset({column.head, *(c.column.head for c in asked.held)}))
