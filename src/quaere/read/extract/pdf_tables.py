"""Tables in the text layer of a PDF: rows of figures under heads, found by where letters stand.

A PDF has no tables, only letters at places. Lines whose last cells are figures make a table where
their figures are in columns under heads. It is written as rows with bars between the cells, the
first of them its head: in its first cell what is above the table, such as its name and scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import inf

from quaere.read.extract.grids import Placed, grids
from quaere.read.extract.pdf_lines import FLUSH, Cell, Letter, Line, lines_of, separated
from quaere.text.dates import YEAR, years_in

MIN_LINES = 3
"""Lines of a page that end in figures, from which it is worth looking where its letters are."""
MIN_ROWS, MAX_COLUMNS = 2, 14
LABELS_BETWEEN = 4
"""Lines without figures that may follow one another inside a table."""
FOOT_LINES = 4
"""Lines that the foot or the head of a page may have, over which a table goes on."""
HEAD_LINES, CAPTION_LINES = 10, 5
"""Lines looked at over the first row of figures for heads, and over these for what it is called."""
WHOLE = 0.75
"""Share of a table's rows whose letters follow one another in the order of the page, from which it
is taken for one that was drawn in several goes, and not for what two columns of text have next to
each other."""
LARGER = 1.1
"""Times the height of a table's heads from which a line over them is its heading."""
PROSE_WORDS = 16
"""Words from which a line is neither a caption nor the label of a row."""

_ENDS_IN_FIGURE = re.compile(r"(?m)(?:\d\)? ?[%$€£¥]? ?\)?|[ \t][-–—]+)[ \t]*$")
_SHORT_LINES = re.compile(r"(?m)(?:^(?=\S+ \S)[^\n]{3,70}[^\n.;:,]\n){3}")
_PERIOD = re.compile(
    r"(?i)^[^(].*\d|\b(?:end(?:ed|ing)|as (?:of|at)|years?|months?|weeks?|quarters?|fiscal"
    r"|periods?)\b"
)
"""What heads several columns together; anything else over them all is a name or a unit."""
_DATED = re.compile(rf"(?!(?:and|or|to|vs\.?|[&–-]) )(?:\S.*?)??{YEAR.pattern}(?: |$)")
"""One of several dates that follow each other, and are not joined."""
_NOTES = re.compile(r"(?i)notes?|ref\.?")
"""What heads the column that says where more is said about a row."""
_NOTES_FIRST = re.compile(
    r"(?i)(?:notes?|ref\.?) (?=\d|fy|as |year|jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec)"
)
_GOES_ON = re.compile(r"(?:,|\b(?:and|of|in|to|for|on|from|by|the|or|with))$|\([^)]*$")
_SENTENCE = re.compile(r"(?i)^(?=(?:\S+ ){5}).*(?:[^\W\d]{2}\.|\bas follows\b.*:)$")
"""A line that says something, or leads to what follows it, and is not a label."""
_ENDS_PROSE = re.compile(r"^(?:\S+ )+\S*[^\W\d]{3}\.$")
"""The end of what is said over a table; its name and its heads have no full stop."""
_AFTER_SIGN = re.compile(r"(?<=[$€£¥(]) | (?=\))")
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

    @property
    def indices(self) -> list[int]:
        """Which letters of the page it has, in the order of the page."""
        return sorted(index for line in self.lines for index in line.indices)


def may_have_tables(text: str) -> bool:
    """Return whether a page with ``text`` has lines that end in figures, or short ones in a row."""
    ending = islice(_ENDS_IN_FIGURE.finditer(text), MIN_LINES)
    return len(list(ending)) == MIN_LINES or _SHORT_LINES.search(text) is not None


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
    text = _text(letters, owners).replace("\r\n", "\n")
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
            if letter.is_printed or not after_table:
                text += letter.text
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
        return _is_whole(table, table.lines, letters)
    rows = [line for line in table.lines if line.is_row]
    labels = list(filter(None, (line.worded for line in rows)))
    return _are_mostly_unbroken(labels, letters) and _is_whole(table, rows, letters)


def _is_whole(table: _Table, lines: Iterable[Line], letters: Sequence[Letter]) -> bool:
    """Whether no other letters are within ``table``, or within most of its ``lines``."""
    parts = [line.indices for line in lines]
    return _is_unbroken(table.indices, letters) or _are_mostly_unbroken(parts, letters)


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
    """Whether each of ``columns`` begins or ends where one of the ``others`` does."""
    return all(
        any(min(abs(left - begin), abs(right - end)) < 2 * FLUSH for begin, end in others)
        for left, right in columns
    )


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
    if len(between) > LABELS_BETWEEN or any(line.is_head or _is_dated(line) for line in between):
        return True
    first = row.figures[0].left
    told = between if row.label else between[:-1]
    return any(_is_prose(line, first) for line in told)


def _is_prose(line: Line, first: float) -> bool:
    """Whether ``line`` is a sentence, or long and over the place where the ``first`` figure begins.

    A label ends before the figures of its row.
    """
    if _SENTENCE.search(line.text):
        return True
    return _is_long(line) and line.cells[-1].right > first


def _is_long(line: Line) -> bool:
    return len(line.text.split()) > PROSE_WORDS


def _is_dated(line: Line) -> bool:
    """Whether ``line`` has several dates and no figures, as over the columns of a table."""
    return not line.is_row and sum(1 for cell in line.cells if years_in(cell.text)) > 1


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


def _nearest(cell: Cell, columns: Sequence[tuple[float, float]]) -> int:
    """Return the column in which ``cell`` stands, or that is nearest to its right end."""
    within = [at for at, (left, right) in enumerate(columns) if left <= cell.middle <= right]
    return (
        within[0]
        if within
        else min(range(len(columns)), key=lambda at: abs(columns[at][1] - cell.right))
    )


def _table(
    lines: Sequence[Line], start: int, first: int, end: int, columns: list[tuple[float, float]]
) -> _Table | None:
    """Return the table of the rows ``lines[first:end]``; None where no year heads a column."""
    over = _head_lines(lines, start, first, columns)
    heads = _heads([lines[at] for at in over], columns)
    if not any(map(years_in, heads)):
        return None
    top, body = over[0], over[-1] + 1
    caption_at = _caption(lines, start, top)
    told = (
        " ".join(cell.text for cell in _beside(lines[at], columns))
        if at in over
        else lines[at].text
        for at in range(caption_at, body)
    )
    head = Head((_stub(told), *heads), tuple(columns))
    told_rows = (line.with_figure_apart(columns) for line in lines[body:end])
    return _Table(tuple(lines[caption_at:end]), head, (head.cells, *_rows(told_rows, columns)))


def _heads(over: Iterable[Line], columns: Sequence[tuple[float, float]]) -> list[str]:
    """Return what heads each of ``columns`` in the lines ``over`` them."""
    heads = [""] * len(columns)
    for line in over:
        for column, text in _assigned(_over(line, columns), columns):
            heads[column] = f"{heads[column]} {text}".strip()
    return heads


def _stub(told: Iterable[str]) -> str:
    """Return what is ``told`` of a table over its labels, without the running head of the page."""
    return " ".join(text for text in told if text and not _RUNNING_HEAD.fullmatch(text))


def _head_lines(
    lines: Sequence[Line], start: int, first: int, columns: Sequence[tuple[float, float]]
) -> list[int]:
    """Return which lines over the row ``first`` head ``columns``, from the top."""
    found: list[int] = []
    for at in range(first - 1, max(start, first - HEAD_LINES) - 1, -1):
        line, cells = lines[at], _over(lines[at], columns)
        below = lines[found[-1]] if found else None
        if _is_above_heads(line, cells, below):
            break
        if _are_heads(cells, below) and not _is_over_labels(line, below, columns):
            found.append(at)
    return found[::-1]


def _is_above_heads(line: Line, cells: Sequence[Cell], below: Line | None) -> bool:
    """Whether ``line`` is over all heads: a row, prose, or without ``cells`` over those below."""
    if line.is_row or _is_long(line) or (len(line.cells) == 1 and _ENDS_PROSE.search(line.text)):
        return True
    return below is not None and not cells


def _are_heads(cells: Sequence[Cell], below: Line | None) -> bool:
    """Whether ``cells``, over those of the heads ``below``, head columns.

    One alone has a year, or says over other heads of what period these are.
    """
    if len(cells) != 1:
        return bool(cells)
    text = cells[0].text
    return bool(_PERIOD.search(text) if below is not None else years_in(text))


def _is_over_labels(line: Line, head: Line | None, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether ``line`` begins where labels do, over a ``head`` that names them and each column.

    So it is said of the whole table, however far it goes over the figures.
    """
    if head is None or len(line.cells) != 1 or len(head.cells) <= len(columns):
        return False
    return line.cells[0].left < head.cells[0].right


def _without_notes(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Yield ``cells``, the head of a column of notes told from a head close after it."""
    for cell in cells:
        if found := _NOTES_FIRST.match(cell.text):
            yield from cell.parted(found.end())
        else:
            yield cell


def _beside(line: Line, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """Return the cells of ``line`` that are not above ``columns``."""
    over = _over(line, columns)
    return [cell for cell in _dated(line.cells, len(columns)) if cell not in over]


def _over(line: Line, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """Return the cells of ``line`` that are above ``columns``."""
    first, end = columns[0]
    cells = list(_dated(line.cells, len(columns)))

    def is_over(cell: Cell) -> bool:
        # A head may be wider than the figures under it; what is centred on the page is none.
        width = cell.right - cell.left
        if cell.left >= first - max(end - first, width / 2):
            return True
        return cell.right > first and any(
            abs(cell.right - right) < FLUSH or abs(cell.middle - (left + right) / 2) < FLUSH
            for left, right in columns
        )

    return [cell for cell in cells if is_over(cell)]


def _dated(cells: Sequence[Cell], columns: int) -> Iterator[Cell]:
    """Yield ``cells``, those that hold several dates close together as one of each."""
    for cell in _without_notes(cells):
        dates = list(_DATED.finditer(cell.text))
        is_several = 1 < len(dates) <= columns and dates[-1].end() == len(cell.text)
        rest = cell
        for date in dates[1:] if is_several else ():
            first, rest = rest.parted(date.start() - dates[-1].end() + len(rest.text))
            yield first
        yield rest


def _assigned(
    cells: Sequence[Cell], columns: Sequence[tuple[float, float]]
) -> Iterator[tuple[int, str]]:
    """Yield the column and the text of each of ``cells``, of one that spans several with each."""
    of_notes = dict(_of_notes(cells, columns))
    yield from of_notes.items()
    others = {at: column for at, column in enumerate(columns) if at not in of_notes}
    told = [cell for cell in cells if not _heads_notes(cell)]
    if told:
        places = list(others)
        over = _each_assigned(told, list(others.values()))
        yield from ((places[at], text) for at, text in over)


def _of_notes(
    cells: Sequence[Cell], columns: Sequence[tuple[float, float]]
) -> Iterator[tuple[int, str]]:
    """Yield the columns that one of ``cells`` heads as columns of notes, and its text."""
    heads = [cell for cell in cells if _heads_notes(cell)]
    for at, (left, right) in enumerate(columns):
        yield from ((at, cell.text) for cell in heads if cell.left < right and cell.right > left)


def _heads_notes(cell: Cell) -> bool:
    return _NOTES.fullmatch(cell.text) is not None


def _each_assigned(
    cells: Sequence[Cell], columns: Sequence[tuple[float, float]]
) -> Iterator[tuple[int, str]]:
    of_several = _spread_over(cells, columns)
    if of_several:
        yield from of_several
    elif len(cells) < len(columns) and not all(cell.is_year for cell in cells):
        for at, (left, right) in enumerate(columns):
            middle = (left + right) / 2
            yield at, min(cells, key=lambda cell: abs(cell.middle - middle)).text
    else:
        yield from ((_nearest(cell, columns), cell.text) for cell in cells)


def _spread_over(
    cells: Sequence[Cell], columns: Sequence[tuple[float, float]]
) -> list[tuple[int, str]]:
    """Return column and text of ``cells`` that are each over as many columns; else none.

    Such as a year over its amount and its percentage: it is nearer to the middle of both than to
    that of either, or at the middle or an end of neither.
    """
    each, rest = divmod(len(columns), len(cells))
    if rest or each < 2:
        return []
    found: list[tuple[int, str]] = []
    for at, cell in enumerate(cells):
        group = columns[at * each : (at + 1) * each]
        if not _is_over_all(cell, group):
            return []
        found += [(at * each + place, cell.text) for place in range(each)]
    return found


def _is_over_all(cell: Cell, columns: Sequence[tuple[float, float]]) -> bool:
    first, end = columns[0][0], columns[-1][1]
    off = abs(cell.middle - (first + end) / 2)
    if all(abs(cell.middle - (left + right) / 2) > off for left, right in columns):
        return True
    return first < cell.middle < end and not any(
        min(abs(cell.left - left), abs(cell.right - right), abs(2 * cell.middle - left - right) / 2)
        < FLUSH
        for left, right in columns
    )


def _caption(lines: Sequence[Line], start: int, top: int) -> int:
    """Return the first of the lines over ``top`` that say what the table is."""
    at = top
    while at > start and top - at < CAPTION_LINES:
        line = lines[at - 1]
        if line.is_row or len(line.cells) > 2 or _is_long(line):
            break
        if _ENDS_PROSE.search(line.text):
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
        at = _nearest(cell, columns)
        values[at] = f"{values[at]} {_AFTER_SIGN.sub('', cell.text)}".strip()
    return values
