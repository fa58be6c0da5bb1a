"""Tables in the text layer of a PDF: rows of figures under heads, found by where letters stand.

A PDF has no tables, only letters at places. Lines whose last cells are figures make a table where
their figures are in columns under heads. It is written as rows with bars between the cells, the
first of them its head: in its first cell what is above the table, such as its name and scale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import inf

from quaere.read.extract.grids import Placed, grids
from quaere.read.extract.pdf_heads import (
    ENDS_PROSE,
    beside,
    each_dated,
    head_lines,
    heads_of,
    is_long,
    nearest,
    offset,
)
from quaere.read.extract.pdf_lines import (
    CELL,
    FLUSH,
    LEADERS,
    Cell,
    Letter,
    Line,
    lines_of,
    separated,
)
from quaere.read.extract.pdf_raised import Box, unbroken
from quaere.text.dates import years_in

MIN_LINES = 3
"""Lines of a page that end in figures, from which it is worth looking where its letters are."""
MIN_ROWS, MAX_COLUMNS = 2, 14
LABELS_BETWEEN = 4
"""Lines without figures that may follow one another inside a table."""
CAPTION_LINES = 5
"""Lines over the heads of a table that may say what it is called."""
FOOT_LINES = 4
"""Lines that the foot or the head of a page may have, over which a table goes on."""
WHOLE = 0.75
"""Share of a table's rows whose letters follow one another in the order of the page, from which it
is taken for one that was drawn in several goes, and not for what two columns of text have next to
each other."""
LARGER = 1.1
"""Times the height of a table's heads from which a line over them is its heading."""

_ENDS_IN_FIGURE = re.compile(r"(?m)(?:\d\)? ?[%$€£¥]? ?\)?|[ \t][-–—]+)[ \t]*$")
_SHORT_LINES = re.compile(r"(?m)(?:^(?=\S+ \S)[^\n]{3,70}[^\n.;:,]\n){3}")
_SHORT_LINE = re.compile(r"(?m)^[^\r\n]{3,70}(?=\r?$)")
_SPACE = re.compile(r"(?<=\S)[^\S\r\n]+(?=\S)")
_GOES_ON = re.compile(r"(?:,|\b(?:and|of|in|to|for|on|from|by|the|or|with))$|\([^)]*$")
_SENTENCE = re.compile(r"(?i)^(?=(?:\S+ ){5}).*(?:[^\W\d]{2}\.|\bas follows\b.*:)$")
"""A line that says something, or leads to what follows it, and is not a label."""
_AFTER_SIGN = re.compile(r"(?<![a-z\d)–—-] [$€£¥])(?<![a-z\d)–—-][$€£¥])(?<=[$€£¥(]) | (?=\))")
"""The space between a sign before a figure, or a bracket, and its digits."""
_RUNNING_HEAD = re.compile(r"(?i)table of contents")
"""What the head of each page links to in filings with the SEC."""


@dataclass(frozen=True, slots=True)
class Head:
    """What heads a table that may go on over the page."""

    cells: tuple[str, ...]
    """What the table is, and what heads each column."""
    columns: tuple[tuple[float, float], ...]
    """Where the columns of figures begin and end, in points from the left."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What was found on a page."""

    text: str = ""
    """The text of the page with its tables as rows with bars; empty where it has no table."""
    goes_on: Head | None = None
    """The head of the table that the page ends with."""


@dataclass(frozen=True, slots=True)
class _Table:
    lines: tuple[Line, ...]
    """All of its lines, those of its head and caption among them."""
    head: Head
    rows: tuple[tuple[str, ...], ...]
    heading: str = ""
    """What is printed larger over it."""


def may_have_tables(text: str, signs: str, box_at: Callable[[int], Box | None]) -> bool:
    """Return whether a page has lines that end in figures, or short ones in a row with cells.

    Args:
        text: Its text.
        signs: Its letters in order.
        box_at: Returns the box of the letter at a place; None for one that has none.
    """
    ending = islice(_ENDS_IN_FIGURE.finditer(text), MIN_LINES)
    if len(list(ending)) == MIN_LINES:
        return True
    found = islice(_cells_begin(signs, box_at), MIN_LINES) if _SHORT_LINES.search(text) else ()
    return len(list(found)) == MIN_LINES


def _cells_begin(signs: str, box_at: Callable[[int], Box | None]) -> Iterator[int]:
    """Yield where a short line has another cell than its first, or is next to an earlier one.

    Hardly any page of prose has such lines, and its letters need not be read one by one.
    """
    begun: set[int] = set()
    for line in _SHORT_LINE.finditer(signs):
        yield from (found.end() for found in LEADERS.finditer(signs, *line.span()))
        for space in _SPACE.finditer(signs, *line.span()):
            if _is_gap(box_at(space.start() - 1), box_at(space.end())):
                yield space.end()
        if first := box_at(line.start()):
            middle = round(first.middle)
            if not begun.isdisjoint(range(middle - 1, middle + 2)):
                yield line.start()
            begun.add(middle)


def _is_gap(before: Box | None, after: Box | None) -> bool:
    """Whether two letters are as far apart as those of two cells."""
    return bool(before and after and after.left - before.right >= CELL * before.height)


def with_tables(letters: Sequence[Letter], before: Head | None = None) -> Tables:
    """Return what tables a page has.

    A table stays as it is where the page has other letters between those of its rows, as next to a
    second column.

    Args:
        letters: All letters in the order of the page, white space among them.
        before: The head of the table that the page before ends with, which is also that of figures
            in the same columns at the top of this page, where nothing else heads these.
    """
    blocks = list(separated(lines_of(letters)))
    tables = list(_whole_tables(blocks, before, letters))
    if not tables:
        return Tables()
    owners = {index: table for table in tables for line in table.lines for index in line.indices}
    text = unbroken(_text(letters, owners)).replace("\r\n", "\n")
    return Tables(text, _goes_on(tables[-1], blocks))


def _whole_tables(
    blocks: Iterable[Sequence[Line]], before: Head | None, letters: Sequence[Letter]
) -> Iterator[_Table]:
    """Yield the tables of ``blocks`` that are of one piece; the first may go on from ``before``."""
    for block in blocks:
        for table in _all_tables(block, before, letters):
            if _is_of_one_piece(table, letters):
                yield table
        before = None


def _all_tables(
    lines: Sequence[Line], before: Head | None, letters: Sequence[Letter]
) -> list[_Table]:
    """Return the tables of figures under years, and those headed in words, from the top."""
    dated = list(_tables(lines, before))
    worded = _headed_in_words(lines, dated, letters)
    return sorted([*dated, *worded], key=lambda table: lines.index(table.lines[0]))


def _headed_in_words(
    lines: Sequence[Line], dated: Iterable[_Table], letters: Sequence[Letter]
) -> Iterator[_Table]:
    """Yield the tables headed in words among the lines that are in none of those ``dated``."""
    owned = {line.indices for table in dated for line in table.lines}
    free = [() if line.indices in owned else line.cells for line in lines]
    for grid in grids(list(map(_placed, free))):
        is_named = _has_heading(lines, free, grid.first, letters)
        own = tuple(lines[grid.first - is_named : grid.end])
        name = own[0].text if is_named else ""
        yield _Table(own, Head(grid.rows[0], ()), grid.rows, name)


def _has_heading(
    lines: Sequence[Line], free: Sequence[object], at: int, letters: Sequence[Letter]
) -> bool:
    """Whether the line over that ``at`` is ``free`` and printed larger, as the name of a table."""
    if not at or not free[at - 1]:
        return False
    return _is_printed_larger(lines[at - 1], lines[at], letters)


def _placed(cells: Iterable[Cell]) -> list[Placed]:
    return [Placed(cell.text, cell.left, cell.right) for cell in cells]


def _is_printed_larger(line: Line, other: Line, letters: Sequence[Letter]) -> bool:
    return _height(line, letters) > LARGER * _height(other, letters)


def _height(line: Line, letters: Sequence[Letter]) -> float:
    return max(letters[index].top - letters[index].bottom for index in line.indices)


def _goes_on(table: _Table, blocks: Sequence[Sequence[Line]]) -> Head | None:
    """Return the head of ``table``, the last of a page, where it may go on over the page."""
    may_go_on = len(blocks) == 1 and bool(table.head.columns) and _is_at_end(table, blocks[0])
    return table.head if may_go_on else None


def _is_at_end(table: _Table, lines: Sequence[Line]) -> bool:
    """Whether a page of ``lines`` has after ``table`` no more than a foot, such as its number."""
    after = lines[lines.index(table.lines[-1]) + 1 :]
    return len(after) <= FOOT_LINES and not any(line.is_row for line in after)


def _text(letters: Sequence[Letter], owners: Mapping[int, _Table]) -> str:
    """Return the text of a page, each table where the page has the first of its letters."""
    text, told = "", set[int]()
    after_table = False
    for index, letter in enumerate(letters):
        table = owners.get(index)
        if table is None:
            if not after_table or letter.is_printed:
                text += letter.raised or letter.text
                after_table = False
            continue
        after_table = True
        if id(table) not in told:
            told.add(id(table))
            heading = f"## {table.heading}\n\n" if table.heading else ""
            text = f"{text.rstrip()}\n\n{heading}{_written(table.rows)}\n\n"
    return text


def _is_of_one_piece(table: _Table, letters: Sequence[Letter]) -> bool:
    """Whether the page has no other letters between those of the table, or of most of its rows.

    Nor between the words of most of its labels: those of two columns are not one after the other.
    """
    if not table.head.columns:  # headed in words: its cells between figures may be words as well
        return _is_whole(table.lines, table.lines, letters)
    rows = [line for line in table.lines if line.is_row]
    labels = list(filter(None, (line.worded for line in rows)))
    body = table.lines[table.lines.index(rows[0]) :]
    return _are_mostly_unbroken(labels, letters) and _is_whole(body, rows, letters)


def _is_whole(body: Iterable[Line], lines: Iterable[Line], letters: Sequence[Letter]) -> bool:
    """Whether no other letters are within the ``body`` of a table, or within most of ``lines``."""
    parts = [line.indices for line in lines]
    return _is_unbroken(_indices(body), letters) or _are_mostly_unbroken(parts, letters)


def _indices(lines: Iterable[Line]) -> list[int]:
    """Return which letters of the page ``lines`` have, in the order of the page."""
    return sorted(index for line in lines for index in line.indices)


def _are_mostly_unbroken(parts: Sequence[Sequence[int]], letters: Sequence[Letter]) -> bool:
    unbroken = sum(1 for indices in parts if _is_unbroken(indices, letters))
    return unbroken >= WHOLE * len(parts)


def _is_unbroken(indices: Sequence[int], letters: Sequence[Letter]) -> bool:
    inside = letters[indices[0] : indices[-1] + 1]
    return len(indices) == sum(1 for letter in inside if letter.is_printed)


def _written(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows`` with bars between their cells and a rule under the first, as in Markdown."""
    parted = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    head, *others = (f"| {row} |" for row in parted)
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *others])


def _tables(lines: Sequence[Line], before: Head | None) -> Iterator[_Table]:
    """Yield the tables of a page, of which the first may go on from the one ``before``."""
    taken = 0
    for first, end in _runs(lines):
        if first < taken:
            continue
        columns = _columns(lines[first:end])
        if not columns:
            continue
        table = _table(lines, taken, first, end, columns)
        if table is None and before:
            table = _continued(lines, first, end, columns, before)
        before = None
        if table:
            taken = end
            yield table


def _continued(
    lines: Sequence[Line], first: int, end: int, columns: Sequence[tuple[float, float]], head: Head
) -> _Table | None:
    """Return the table of the rows ``lines[first:end]`` under the ``head`` of the page before.

    None where they are not at the top of the page, or have other ``columns`` than it heads.
    """
    if first > FOOT_LINES or not _is_same(columns, head.columns):
        return None
    rows = _rows((line.with_figure_apart(head.columns) for line in lines[first:end]), head.columns)
    return _Table(tuple(lines[first:end]), head, (head.cells, *rows))


def _is_same(columns: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]) -> bool:
    """Whether each of ``columns`` has its begin, end or middle where one of the ``others`` has."""
    return all(any(offset(column, other) < 2 * FLUSH for other in others) for column in columns)


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines from one row of figures to another of the same table."""
    rows = [at for at, line in enumerate(lines) if line.is_row]
    ends = [
        place
        for place, (at, following) in enumerate(pairwise(rows), 1)
        if _is_parted(lines[at + 1 : following + 1])
    ]
    for first, end in pairwise([0, *ends, len(rows)]):
        if end - first >= MIN_ROWS:
            yield rows[first], rows[end - 1] + 1


def _is_parted(lines: Sequence[Line]) -> bool:
    """Whether the last of ``lines``, a row, is of another table than the row before them.

    Then many lines, the head of a table, or prose, are over it.
    A label may be right over figures that have none next to them, however long it is.
    """
    *between, row = lines
    first = row.figures[0].left
    if len(between) > LABELS_BETWEEN or any(_is_head_over(line, first) for line in between):
        return True
    told = between if row.label else between[:-1]
    return any(_is_prose(line, first) for line in told)


def _is_prose(line: Line, first: float) -> bool:
    """Whether ``line`` is a sentence, or long and over the place where the ``first`` figure begins.

    A label ends before the figures of its row.
    """
    if _SENTENCE.search(line.text):
        return True
    return is_long(line) and line.cells[-1].right > first


def _is_head_over(line: Line, first: float) -> bool:
    """Whether ``line`` is of years, or of dates that go over where the ``first`` figure begins."""
    if line.is_head:
        return True
    if line.is_row or line.cells[-1].right <= first:
        return False
    return sum(1 for cell in each_dated(line.cells, MAX_COLUMNS) if years_in(cell.text)) > 1


def _columns(lines: Iterable[Line]) -> list[tuple[float, float]]:
    """Return where the columns of figures begin and end, from the left; none for no table.

    Digits make the columns: a sign that stands apart may be below or above the figures of the
    column before.
    """
    spans = sorted(
        (c.left + c.sign, c.right, c.left) for line in lines if line.is_row for c in line.figures
    )
    columns = [(-inf, -inf), (-inf, -inf)]  # before the first
    for digits, right, left in spans:
        if digits >= columns[-1][1]:
            columns.append((max(left, columns[-1][1]), right))
            continue
        first, last = columns[-1]
        columns[-1] = min(first, max(left, columns[-2][1])), max(last, right)
    columns = columns[2:]
    return columns if len(columns) <= MAX_COLUMNS else []


def _table(
    lines: Sequence[Line], start: int, first: int, end: int, columns: list[tuple[float, float]]
) -> _Table | None:
    """Return the table of the rows ``lines[first:end]``; None where no year heads a column."""
    over = head_lines(lines, start, first, columns)
    heads = heads_of([lines[at] for at in over], columns)
    if not any(map(years_in, heads)):
        return None
    top, body = over[0], over[-1] + 1
    caption_at = _caption(lines, start, top)
    told = (
        " ".join(cell.text for cell in beside(lines[at], columns)) if at in over else lines[at].text
        for at in range(caption_at, body)
    )
    head = Head((_stub(told), *heads), tuple(columns))
    told_rows = (line.with_figure_apart(columns) for line in lines[body:end])
    return _Table(tuple(lines[caption_at:end]), head, (head.cells, *_rows(told_rows, columns)))


def _stub(told: Iterable[str]) -> str:
    """Return what is ``told`` of a table over its labels, without the running head of the page."""
    return " ".join(text for text in told if text and not _RUNNING_HEAD.fullmatch(text))


def _caption(lines: Sequence[Line], start: int, top: int) -> int:
    """Return the first of the lines over ``top`` that say what the table is."""
    at = top
    while at > start and top - at < CAPTION_LINES:
        line = lines[at - 1]
        if line.is_row or len(line.cells) > 2 or is_long(line):
            break
        if ENDS_PROSE.search(line.text):
            break
        at -= 1
    return at


def _rows(
    lines: Iterable[Line], columns: Sequence[tuple[float, float]]
) -> Iterator[tuple[str, ...]]:
    """Yield label and figures of each row; a label that goes over several lines is one."""
    held: list[str] = []
    for line in lines:
        label, values = line.label, _values(line, columns)
        if held and _is_more_of(held, label, values):
            held = [f"{held[0]} {label}".strip(), *(values if any(values) else held[1:])]
            continue
        if held:
            yield tuple(held)
        held = [label, *values]
    if held:
        yield tuple(held)


def _is_more_of(held: Sequence[str], label: str, values: Sequence[str]) -> bool:
    """Whether ``label`` is more of that of the row ``held``, and not both have ``values``."""
    if any(held[1:]) and any(values):
        return False
    return bool(_GOES_ON.search(held[0])) or not label or label[0].islower()


def _values(line: Line, columns: Sequence[tuple[float, float]]) -> list[str]:
    """Return the figures of ``line`` by column, none for a line of words."""
    values = [""] * len(columns)
    for cell in line.figures:
        at = nearest(cell, columns)
        values[at] = f"{values[at]} {_AFTER_SIGN.sub('', cell.text)}".strip()
    return values
