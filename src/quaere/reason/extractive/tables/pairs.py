"""Two cells of one table set against each other: of two rows, or of two columns of one row.

By how much, and whether one is above the other. What a side leaves unsaid is as the other has it:
"a monthly pass for adults than for juniors".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, FOUND, RowsAnswer, printed
from quaere.reason.extractive.tables.cell_values import Value
from quaere.reason.extractive.tables.columns import ORDERED, Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.conditions import days_named
from quaere.reason.extractive.tables.lexicon import (
    GENERAL,
    OF_CELLS,
    OF_MONEY,
    Degree,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.values import values_named
from quaere.reason.extractive.tables.wording import HALF, Wording, foremost, of_total
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stem, stems_of, words

_BARE = word_set("more less fewer ahead behind above below over under short beat exceed lead trail")
_OF_ANYTHING = word_set("high low big large small good")
"""Adjectives that compare whatever has figures."""
_OF_SPANS = stems_of("year yearly annual month monthly week weekly day daily")
"""What may be said of figures in a table with a row for each such time."""
_UNSAID = word_set("one ones that those it they")
"""Stand for what the other side has named."""


class _Side(NamedTuple):
    """What a part of the question names, and the stems of the rest of its words."""

    row: int | None
    column: Column | None
    left: frozenset[str]
    told: int
    """How many of its words name something."""


class _Cell(NamedTuple):
    row: int
    column: Column


def pair_answer(asked: PairQuestion, table: Table) -> RowsAnswer | None:
    """Return how the two cells of ``table`` that are ``asked`` for differ.

    None where they are not both named, or a word of the question is unknown to the table.

    Raises:
        Undecided: when several rows or columns could be meant.
    """
    ordered = table.of_type(*ORDERED) if asked.whether else table.of_type(Type.NUMBER)
    sides = [_side(text, table, ordered) for text in (asked.first, asked.second)]
    about = _side(f"{asked.of} {asked.about}", table, ordered)
    cells = _cells(sides, about, _by_degree(asked, ordered), table)
    if cells is None or not _is_accounted([*sides, about], cells, asked, table):
        return None
    fit = sum(side.told for side in (*sides, about))
    return _ordered(asked, cells, table, fit) if asked.whether else _apart(asked, cells, table, fit)


def _side(text: str, table: Table, columns: Sequence[Column]) -> _Side:
    """Return what ``text`` names of ``table``, where one of ``columns`` is asked for."""
    wording = Wording(text, table)
    row = _row_named(wording)
    column = _column_named(wording, columns)
    if column is not None:
        wording.used.update(wording.heads(column))
    left = frozenset(wording.stems[at] for at in wording.free if wording.words[at] not in _UNSAID)
    return _Side(row, column, left, len(wording.content) - len(left))


def _row_named(wording: Wording) -> int | None:
    """Return the only row that is named; of several, the one that is named by what rows are called.

    Its words are accounted for.
    """
    told = [*days_named(wording), *values_named(wording)]
    held = [each for each in told if len(each.rows) == 1]
    if told and not held:
        rows = frozenset[int].intersection(*(each.rows for each in told))
        return next(iter(rows)) if len(rows) == 1 else None
    if len(held) > 1:
        held = [each for each in held if each.column is wording.table.key]
    return next(iter(held[0].rows)) if len(held) == 1 else None


def _column_named(wording: Wording, columns: Sequence[Column]) -> Column | None:
    """Return the column whose head the question has most of, and at least half of."""
    able = [column for column in columns if wording.heads(column)]
    best = of_total(foremost(able, lambda c: (wording.share_left(c), 0, _is_exact(wording, c))))
    return _only([column for column in best if wording.share_left(column) >= HALF])


def _is_exact(wording: Wording, column: Column) -> bool:
    return not column.stems.isdisjoint(wording.stems[at] for at in wording.free)


def _cells(
    sides: Sequence[_Side], about: _Side, by_degree: list[Column], table: Table
) -> tuple[_Cell, _Cell] | None:
    """Return the two cells: two rows of one column, or one row of two columns."""
    rows = list(dict.fromkeys(side.row for side in sides if side.row is not None))
    if len(rows) == 2:
        named = _columns_named((*sides, about))
        column = _only(named or by_degree or _other_figures(table))
        return (_Cell(rows[0], column), _Cell(rows[1], column)) if column else None
    row = next(iter(rows), about.row)
    return None if row is None else _of_one_row(row, sides[0].column, sides[1].column)


def _columns_named(sides: Sequence[_Side]) -> list[Column]:
    """Return the columns that any of ``sides`` names, each once."""
    return list({side.column.at: side.column for side in sides if side.column}.values())


def _of_one_row(
    row: int, first: Column | None, second: Column | None
) -> tuple[_Cell, _Cell] | None:
    """Return what ``row`` has in two columns; None where these are one, or not of a kind."""
    if first is None or second is None or first is second:
        return None
    is_same = first.type is second.type and first.is_money == second.is_money
    return (_Cell(row, first), _Cell(row, second)) if is_same else None


def _only(columns: Sequence[Column]) -> Column | None:
    return columns[0] if len(columns) == 1 else None


def _other_figures(table: Table) -> list[Column]:
    """Return the columns of figures of ``table``: what is compared is not said."""
    return [column for column in table.of_type(Type.NUMBER) if column is not table.key]


def _by_degree(asked: PairQuestion, columns: Sequence[Column]) -> list[Column]:
    """Return the columns that tell what the comparative compares: a price of "dearer"."""
    degree = _degree(asked.about)
    if degree is None:
        return [c for c in columns if c.is_money] if "much" in asked.of.split() else []
    return [c for c in columns if degree.is_told_by(c.stems, money=c.is_money)]


def _degree(about: str) -> Degree | None:
    """Return what the adjective of ``about`` compares: of "dearer", or of "less expensive"."""
    last = about.rsplit(maxsplit=1)[-1] if about else ""
    base = base_of(about.split(maxsplit=1)[0], "er") if about else ""
    return degrees().get(base or last)


def _is_accounted(
    sides: Sequence[_Side], cells: Sequence[_Cell], asked: PairQuestion, table: Table
) -> bool:
    """Whether all that is left of the question is of the table or of its columns."""
    columns = [cell.column for cell in cells]
    degree = _degree(asked.about)
    left = frozenset[str]().union(*(side.left for side in sides)) - _speaks_of(columns, table)
    return left <= _compares(asked, degree) and _may_compare(asked, degree, columns, table)


def _speaks_of(columns: Sequence[Column], table: Table) -> frozenset[str]:
    """Return the stems of words that may be said of what ``table`` has in ``columns``."""
    told = table.things | table.beside | GENERAL | OF_CELLS
    told = told.union(*(column.alike for column in columns))
    if any(may_be_money(column, table) for column in columns):
        told |= OF_MONEY
    return told | _OF_SPANS if table.key.type is Type.DATE else told


def _may_compare(
    asked: PairQuestion, degree: Degree | None, columns: Sequence[Column], table: Table
) -> bool:
    """Whether the comparative is one of these ``columns``: "warmer" is none of prices."""
    if degree is None or base_of(asked.about.split()[0], "er") in _OF_ANYTHING:
        return True
    return all(degree.is_told_by(c.stems, money=may_be_money(c, table)) for c in columns)


def _compares(asked: PairQuestion, degree: Degree | None) -> frozenset[str]:
    """Return the stems of the words that compare, as far as they are understood."""
    said = words(asked.about)
    return frozenset(map(stem, said if degree is not None else _BARE.intersection(said)))


def _apart(
    asked: PairQuestion, cells: tuple[_Cell, _Cell], table: Table, fit: int
) -> RowsAnswer | None:
    """Return by how much the cells differ, and what they are."""
    values = _values(cells)
    if values is None:
        return None
    apart = values[0][0] - values[1][0]
    if not asked.about:
        apart = abs(apart)
    elif not _is_upwards(asked, cells[0].column):
        apart = -apart
    written = [cell.column.cells[cell.row] for cell in cells]
    told = cells[0].column.like(written, printed(abs(apart)))
    text = f"{'-' if apart < 0 else ''}{told} ({_told(cells, table)})"
    return _answer(DirectKind.NUMBER, text, cells, table, fit, CALCULATED)


def _ordered(
    asked: PairQuestion, cells: tuple[_Cell, _Cell], table: Table, fit: int
) -> RowsAnswer | None:
    """Return whether the first cell is before the second as the question supposes."""
    values = _values(cells)
    if values is None:
        return None
    first, second = values
    is_so = first > second if _is_upwards(asked, cells[0].column) else first < second
    return _answer(DirectKind.YES_NO, "Yes" if is_so else "No", cells, table, fit, FOUND)


def _values(cells: tuple[_Cell, _Cell]) -> tuple[Value, Value] | None:
    """Return what the cells are compared by; None where one of them has nothing."""
    first, second = (cell.column.values[cell.row] for cell in cells)
    return None if first is None or second is None else (first, second)


def _is_upwards(asked: PairQuestion, column: Column) -> bool:
    """Whether the first cell of ``column`` is supposed to have the greater value.

    "Less" turns an adjective round: what is less expensive has the lower price.
    """
    degree = _degree(asked.about)
    return (degree is None or degree.is_upwards(column.stems)) != asked.turned


def _told(cells: Sequence[_Cell], table: Table) -> str:
    """Return the cells with what they are of: rows by name, columns by head."""
    one, other = cells
    rows = [table.called(each.row) for each in cells]
    heads = [each.column.head for each in cells]
    of, names = (heads[0], rows) if one.column is other.column else (rows[0], heads)
    first, second = (each.column.cells[each.row] for each in cells)
    return f"{of}: {names[0]} {first}, {names[1]} {second}"


def _answer(
    kind: DirectKind, text: str, cells: Sequence[_Cell], table: Table, fit: int, sure: float
) -> RowsAnswer:
    heads = [*table.calling, *(cell.column for cell in cells)]
    lines = dict.fromkeys(table.lines[cell.row] for cell in cells)
    return RowsAnswer(
        kind=kind,
        text=text,
        table=table,
        lines=tuple(lines),
        columns=frozenset(column.head for column in heads),
        confidence=sure,
        fit=fit,
    )


LONGEST = 300
"""Characters up to which a question is taken apart."""
_BE = (
    r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|'s|costs?|weighs?|takes?"
    r"|lasts?)"
)
_MORE = r"(?:more|less|fewer|further|better|worse|[a-z]{2,12}er)"
_DIFFERENCES = (
    lazy_regex(
        rf"(?i)^\W*how (?:much|many) (?P<about>{_MORE})\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<a>[^?]+?)"
        r",?\s+than\s+(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        r"(?i)^\W*how (?:much|many) (?P<of>[^?]{1,60}?)\s+(?:separates?d?|(?:are|is|lie|lies)"
        r" between)\s+(?P<a>[^?]+?)\s+(?:and|from)\s+(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        r"(?i)^\W*(?:what(?:'s| is| was| are| were)|calculate|work out|tell me) the"
        r" (?P<of>(?:[\w-]+ ){0,3})difference"
        r"(?: in (?P<more>[^?]+?))? between\s+(?P<a>[^?]+?)\s+and\s+(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*how (?:much|many)\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<a>[^?]+?)\s+"
        r"(?P<about>ahead of|in front of|above|over|behind|below|under|short of)\s+"
        r"(?P<b>[^?]+?)\s*\?*$"
    ),
    lazy_regex(
        rf"(?i)^\W*by how (?:much|many)\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<a>[^?]+?)\s+"
        rf"(?P<about>(?:{_MORE}(?: \w+)?) than|beat|exceed|outsell|lead|ahead of|behind|above|below"
        r"|trail|miss)\s+(?P<b>[^?]+?)\s*\?*$"
    ),
)
_CHANGE = lazy_regex(
    rf"(?i)^\W*(?:by )?how (?:much|many)\b(?P<of>[^?]*?)\s*\b{_BE}\s+(?P<what>[^?]+?)\s+"
    r"(?:go(?:ne)? (?:up|down)|rise|risen|fall(?:en)?|drop(?:ped)?|grown?|chang(?:e|ed)"
    r"|increased?|decreased?|shr[iu]nk|improved?)\s+(?:from|between)\s+(?P<a>[^?]+?)\s+(?:to|and)\s+"
    r"(?P<b>[^?]+?)\s*\?*$"
)
"""Sets two columns of one row against each other: of two years, as a rule."""
_WHETHER = lazy_regex(
    rf"(?i)^\W*{_BE}\s+(?P<a>[^?]+?)\s+(?P<about>(?:more|less) (?:expensive|costly|powerful|popular"
    rf"|recent)|{_MORE})\b(?P<of>)(?P<more>[^?]*?)\s+than\s+(?P<b>[^?]+?)\s*\?*$"
)
_LESS = lazy_regex(r"(?i)^(?:less|fewer|behind|below|under|short of|trail|miss)\b")


class PairQuestion(NamedTuple):
    """Two things of which a table may have cells."""

    first: str
    second: str
    about: str
    """The comparative, "dearer than", or "ahead of"; empty for a bare difference."""
    of: str
    """What is compared, where that is said apart: "goals" of "how many more goals"."""
    whether: bool
    """Whether yes or no is asked for, and not by how much."""

    @property
    def turned(self) -> bool:
        """Whether the second is supposed to be more: "less than", "behind"."""
        return _LESS.search(self.about) is not None


def pair_asked(question: str) -> PairQuestion | None:
    """Return which two things ``question`` compares; None where none. English alone."""
    text = " ".join(question.split())
    if not is_english() or len(text) > LONGEST:
        return None
    for pattern in _DIFFERENCES:
        found = pattern.search(text)
        if found:
            return _pair(found, whether=False)
    if (found := _CHANGE.search(text)) is not None:
        what = f"{found['of']} {found['what']}"
        first, second = f"{what} in {found['a']}", f"{what} in {found['b']}"
        return PairQuestion(first, second, "", "", whether=False)
    found = _WHETHER.search(text)
    return _pair(found, whether=True) if found else None


def _pair(found: re.Match[str], *, whether: bool) -> PairQuestion:
    groups = found.groupdict()
    return PairQuestion(
        first=f"{groups['a'].strip()} {(groups.get('more') or '').strip()}".strip(),
        second=groups["b"].strip(),
        about=re.sub(r"(?i)\s+than$", "", (groups.get("about") or "").strip()),
        of=(groups["of"] or "").strip(),
        whether=whether,
    )
