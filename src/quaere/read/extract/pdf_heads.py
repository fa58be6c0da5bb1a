"""What heads the columns of a table of figures, by where the lines over its first row stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from quaere.read.extract.pdf_lines import FLUSH, Cell, Line
from quaere.text.dates import YEAR, years_in

HEAD_LINES = 10
"""Lines looked at over the first row of figures for heads."""
PROSE_WORDS = 16
"""Words from which a line is neither a caption nor the label of a row."""
_PERIOD = re.compile(
    r"(?i)^[^(].*\d|\b(?:end(?:ed|ing)|as (?:of|at)|years?|months?|weeks?|quarters?|fiscal"
    r"|periods?)\b"
)
"""What heads several columns together; anything else over them all is a name or a unit."""
_DATED = re.compile(rf"(?!(?:and|or|to|vs\.?|[&–-]) )(?:\S.{{0,80}}?)??{YEAR.pattern}(?: |$)")
"""One of several dates that follow each other, and are not joined."""
_NOTES = re.compile(r"(?i)notes?|ref\.?")
"""What heads the column that says where more is said about a row."""
_NOTES_FIRST = re.compile(
    r"(?i)(?:notes?|ref\.?) (?=\d|fy|as |year|jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec)"
)
ENDS_PROSE = re.compile(r"^(?:\S+ )+\S*[^\W\d]{3}\.$")
"""The end of what is said over a table; its name and its heads have no full stop."""
_DIGITS = re.compile(r"\d+")


def offset(span: tuple[float, float], other: tuple[float, float]) -> float:
    """Return by how many points the ends or the middles of two spans differ at least."""
    left, right = span[0] - other[0], span[1] - other[1]
    return min(abs(left), abs(right), abs(left + right) / 2)


def is_long(line: Line) -> bool:
    """Whether ``line`` has as many words as prose, and neither a caption nor a label has."""
    return len(line.text.split()) > PROSE_WORDS


def nearest(cell: Cell, columns: Sequence[tuple[float, float]]) -> int:
    """Return the column in which ``cell`` stands, or that is nearest to its right end."""
    within = [at for at, (left, right) in enumerate(columns) if left <= cell.middle <= right]
    return (
        within[0]
        if within
        else min(range(len(columns)), key=lambda at: abs(columns[at][1] - cell.right))
    )


def heads_of(over: Iterable[Line], columns: Sequence[tuple[float, float]]) -> list[str]:
    """Return what heads each of ``columns`` in the lines ``over`` them."""
    heads = [""] * len(columns)
    for line in over:
        for column, text in _assigned(_over(line, columns), columns):
            heads[column] = f"{heads[column]} {text}".strip()
    return heads


def head_lines(
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
    if line.is_row or is_long(line) or (len(line.cells) == 1 and ENDS_PROSE.search(line.text)):
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


def beside(line: Line, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """Return the cells of ``line`` that are not above ``columns``."""
    over = _over(line, columns)
    return [cell for cell in each_dated(line.cells, len(columns)) if cell not in over]


def _over(line: Line, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """Return the cells of ``line`` that are above ``columns``."""
    first, end = columns[0]
    cells = list(each_dated(line.cells, len(columns)))
    if 1 < len(cells) == len(columns) and _are_alike(cells):
        return cells

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


def _are_alike(cells: Sequence[Cell]) -> bool:
    """Whether ``cells`` say the same but for their digits, as years and dates over columns do."""
    return len({_DIGITS.sub("", cell.text) for cell in cells}) == 1


def each_dated(cells: Sequence[Cell], columns: int) -> Iterator[Cell]:
    """Yield ``cells``, those that hold several dates close together as one of each."""
    for cell in _without_notes(cells):
        dates = list(_DATED.finditer(cell.text))
        is_whole = "".join(date[0] for date in dates) == cell.text
        is_several = is_whole and 1 < len(dates) <= columns
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
        yield from ((nearest(cell, columns), cell.text) for cell in cells)


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
        offset((cell.left, cell.right), column) < FLUSH for column in columns
    )
