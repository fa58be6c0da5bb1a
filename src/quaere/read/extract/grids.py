"""Tables set in columns of white space: a line of short heads, and rows whose cells are under them.

Plain text has them, and the pages of a PDF, where nothing but places tells a cell from the next.
Those of plain text are written with bars, line by line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from quaere.text.dates import YEAR
from quaere.text.lazy_regex import lazy_regex

MIN_ROWS, MAX_COLUMNS = 2, 14
HEAD_LINES = 3
"""Lines over which heads may go."""
HEAD_WORDS, CELL_WORDS = 5, 6
"""Words of a head at most, and of a cell on average: more are prose in columns."""
FIGURED = 0.75
"""Share of the cells under the second of two heads that have a figure, for both to head a table:
two columns of words are more often a list of terms, or text side by side."""
_UNIT = lazy_regex(r"[(\[][^()\[\]]*[)\]]")
_NUMBERED = lazy_regex(r"\(\d{1,2}\)")
_MARKS = ("•", "- ", "– ", "* ", "·", "▪", "○", "●")
"""What an item of a list begins with."""
_NO_HEAD_ENDS = (".", ":", ";", ",", "?", "!")


class Placed(NamedTuple):
    """Words that stand together on a line, and where they begin and end."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Grid:
    """A table among lines."""

    first: int
    """Which line is the first of its head."""
    end: int
    """Which line comes after its last row."""
    rows: tuple[tuple[str, ...], ...]
    """Its cells by column, the heads first."""

    @property
    def has_figures(self) -> bool:
        """Whether a column is of figures under words or a number: that is then a head for sure."""
        return any(
            (not _has_figure(head) or _NUMBERED.fullmatch(head)) and _is_figured(cells)
            for head, *cells in zip(*self.rows, strict=True)
        )


@dataclass(frozen=True, slots=True)
class _Spans:
    """Where columns begin and end, from the left."""

    each: tuple[tuple[float, float], ...]

    def places(self, cells: Sequence[Placed]) -> list[int] | None:
        """Return the column of each of ``cells``; None where two columns or none may be meant."""
        found = [self._place(cell) for cell in cells]
        told = [at for at in found if at is not None]
        return told if len(told) == len(cells) == len(set(told)) else None

    def _place(self, cell: Placed) -> int | None:
        under = [
            at
            for at, (left, right) in enumerate(self.each)
            if cell.left < right and cell.right > left
        ]
        if under:
            return under[0] if len(under) == 1 else None
        return min(range(len(self.each)), key=lambda at: self._gap(cell, at))

    def _gap(self, cell: Placed, at: int) -> float:
        left, right = self.each[at]
        return max(left - cell.right, cell.left - right)

    def widened(self, cells: Sequence[Placed], places: Sequence[int]) -> _Spans:
        """Return the spans, each widened to hold the cells at its place."""
        spans = list(self.each)
        for cell, at in zip(cells, places, strict=True):
            spans[at] = min(spans[at][0], cell.left), max(spans[at][1], cell.right)
        return replace(self, each=tuple(spans))


def grids(lines: Sequence[Sequence[Placed]]) -> Iterator[Grid]:
    """Yield the tables among ``lines``, from the top; a line without cells ends one."""
    at = 0
    while at < len(lines):
        further: list[int] = []
        for tried in _grids(lines, at):
            if isinstance(tried, Grid):
                yield tried
                at = tried.end
                break
            further.append(tried)
        else:
            at += min(further, default=1)


def _grids(lines: Sequence[Sequence[Placed]], at: int) -> Iterator[Grid | int]:
    """Yield the table whose heads begin in the line ``at``, if they are in one line, two or three.

    Where they head none, it is how many lines further the next may begin. Words of a head may be
    above and below those that the others have.
    """
    for count in range(1, HEAD_LINES + 1) if len(lines[at]) > 1 else ():
        over = lines[at : at + count]
        if _are_units(lines[at + count : at + count + 1]):
            continue
        heads = _joined(over)
        if all(over) and not _has_amounts(over) and _is_head(heads):
            yield _grid(lines, at, at + count, heads)


def _are_units(lines: Sequence[Sequence[Placed]]) -> bool:
    """Whether ``lines``, one at most, have nothing but units in brackets: more of heads."""
    return any(line and all(_UNIT.fullmatch(cell.text) for cell in line) for line in lines)


def _joined(lines: Sequence[Sequence[Placed]]) -> list[Placed]:
    """Return the cells of ``lines``, those of one column as one; none where some are over two."""
    found: list[Placed] = []
    for cell in chain(*lines):
        over = [each for each in found if _are_in_one_column(each, cell)]
        if len(over) > 1:
            return []
        for each in over:
            found.remove(each)
        found.append(_under(over[0], cell) if over else cell)
    return sorted(found, key=lambda cell: cell.left)


def _are_in_one_column(cell: Placed, other: Placed) -> bool:
    return cell.left < other.right and cell.right > other.left


def _under(above: Placed, cell: Placed) -> Placed:
    """Return ``cell`` with what is ``above`` it in its column."""
    left, right = min(above.left, cell.left), max(above.right, cell.right)
    return Placed(f"{above.text} {cell.text}", left, right)


def _is_head(cells: Sequence[Placed]) -> bool:
    """Whether ``cells`` may be the heads of columns: few words each, no two alike."""
    if not 2 <= len(cells) <= MAX_COLUMNS:
        return False
    texts = [cell.text.casefold() for cell in cells]
    numbered = list(filter(_NUMBERED.fullmatch, texts))
    able = (_may_head(text) or text in numbered for text in texts)
    return len(set(texts)) == len(texts) and len(numbered) < len(texts) and all(able)


def _has_amounts(lines: Sequence[Sequence[Placed]]) -> bool:
    """Whether cells of ``lines`` are amounts, and not the numbers of columns: (1), (2), (3)."""
    figures = [cell.text for cell in chain(*lines) if _is_figure(cell)]
    return bool(figures) and not _are_numbered(figures)


def _are_numbered(figures: Sequence[str]) -> bool:
    """Whether ``figures`` number columns: in brackets, from one on."""
    numbered = [f"({at})" for at in range(1, len(figures) + 1)]
    return len(figures) > 1 and list(figures) == numbered


def _is_figure(cell: Placed) -> bool:
    """Whether ``cell`` is an amount: a figure and no year, without any word."""
    plain = cell.text.strip("()")
    return any(map(str.isdigit, plain)) and not any(map(str.isalpha, plain + YEAR.sub("y", plain)))


def _may_head(text: str) -> bool:
    if text.startswith(_MARKS):
        return False
    worded = any(map(str.isalpha, text)) or text in {"#", "%", "№"}
    return worded and len(text.split()) <= HEAD_WORDS and not _ends_a_clause(text)


def _ends_a_clause(text: str) -> bool:
    """Whether ``text`` ends as no head does; "No." and "Qty." are short for a word."""
    return text.endswith(_NO_HEAD_ENDS) and not (text.endswith(".") and " " not in text)


def _grid(
    lines: Sequence[Sequence[Placed]], at: int, first: int, heads: Sequence[Placed]
) -> Grid | int:
    """Return the table with these ``heads`` from the line ``at`` on, and rows from ``first`` on.

    Where no rows are under them, it is how many lines further the next table may begin.
    """
    rows = _Rows(heads)
    end = first
    for place, line in enumerate(lines[first:], first + 1):
        if not (line and rows.take(line)):
            break
        if not rows.label:
            end = place
    if not _is_table(rows.found):
        return 1 + _barren(rows.found)
    told = [[cell.text for cell in heads], *rows.found]
    return Grid(at, end, tuple(map(tuple, told)))


class _Rows:
    """Rows under heads, as their lines are taken."""

    def __init__(self, heads: Sequence[Placed]) -> None:
        self._spans = _Spans(tuple((cell.left, cell.right) for cell in heads))
        self._columns = len(heads)
        self.found: list[list[str]] = []
        self.label = ""
        """The first line of a label, while its row has not come."""
        self._has_long_label = False
        """Whether the last row has a label whose first line is above it."""

    def take(self, line: Sequence[Placed]) -> bool:
        """Take ``line`` as a row or as more of one; return False where it is neither."""
        places = self._spans.places(line)
        taken = places is not None and (
            self._take_more(line[0], places[0]) if len(line) == 1 else self._take_row(line, places)
        )
        if taken and places is not None:
            self._spans = self._spans.widened(line, places)
        return taken

    def _take_more(self, cell: Placed, at: int) -> bool:
        """Take a cell alone on its line: more of one above it, or the beginning of a label."""
        if self.label:
            return False
        if at or self._has_long_label:
            return bool(self.found) and self._append(cell, at)
        self.label = cell.text
        return True

    def _append(self, cell: Placed, at: int) -> bool:
        row = self.found[-1]
        row[at] = f"{row[at]} {cell.text}".strip()
        return True

    def _take_row(self, line: Sequence[Placed], places: Sequence[int]) -> bool:
        is_row = len(places) >= self._columns / 2 or self._columns - 1 in places
        if not is_row or (self.label and 0 in places):
            return False
        row = _row(line, places, self._columns)
        row[0] = row[0] or self.label
        self._has_long_label, self.label = bool(self.label), ""
        self.found.append(row)
        return True


def _row(cells: Sequence[Placed], places: Sequence[int], columns: int) -> list[str]:
    row = [""] * columns
    for cell, at in zip(cells, places, strict=True):
        row[at] = cell.text
    return row


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether there are enough ``rows``, and what they hold is not prose."""
    if len(rows) < MIN_ROWS:
        return False
    if _is_prose([cell for cell in chain(*rows) if cell]):
        return False
    return len(rows[0]) > 2 or _is_figured([row[1] for row in rows])


def _barren(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of ``rows``, which do not make a table, cannot begin one either.

    What has two columns and no figures has none in its later part. Without this, a long list of
    pairs of words would be gone through from each of its lines.
    """
    if not rows or len(rows[0]) > 2:
        return 0
    figures = sum(_has_figure(row[1]) for row in rows)
    return max(0, int(len(rows) - figures / FIGURED) - HEAD_LINES)


def _is_prose(cells: Sequence[str]) -> bool:
    return sum(len(cell.split()) for cell in cells) > CELL_WORDS * len(cells)


def _is_figured(cells: Sequence[str]) -> bool:
    return sum(map(_has_figure, cells)) >= FIGURED * len(cells)


def _has_figure(cell: str) -> bool:
    return any(map(str.isdigit, cell))


_CELL = lazy_regex(r"\S+(?: \S+)*")
_TAB = 8
"""Columns of letters from one tab stop to the next."""
_RULE = lazy_regex(r"[\s=+─━═-]*[=─━═-]{2}[\s=+─━═-]*")
_NO_CELLS = ("|", "#", "- ", "* ", "> ")
"""What lines begin with that are rows, headings, items or quotes, and no cells."""


def with_bars(lines: Sequence[str]) -> list[str]:
    """Return ``lines``, the rows of each table with bars between their cells.

    A table is what has a rule under its heads, or figures in a column; without either its first
    line may be one of its rows. There are as many as before, for citations tell a line's number.
    """
    shown = list(lines)
    places = [at for at, line in enumerate(lines) if not _is_text_rule(line)]
    placed = [_placed_words(lines[at]) for at in places]
    for grid in grids(placed):
        own = places[grid.first : grid.end]
        is_ruled = own[1] > own[0] + 1
        if is_ruled or grid.has_figures:
            _write_bars(grid, own, shown)
    return shown


def _is_text_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _placed_words(line: str) -> list[Placed]:
    if line.lstrip().startswith(_NO_CELLS):
        return []
    plain = line.expandtabs(_TAB)
    return [Placed(found[0], found.start(), found.end()) for found in _CELL.finditer(plain)]


def _write_bars(grid: Grid, places: Sequence[int], shown: list[str]) -> None:
    """Write ``grid`` from its first place on, and nothing in what is left of its lines.

    A rule between its rows is one of these: a table ends where a line is without bars.
    """
    rows = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in grid.rows]
    first, last = places[0], places[-1]
    blank = [""] * (last + 1 - first - len(rows))
    shown[first : last + 1] = [*rows, *blank]


_FIGURE = lazy_regex(r"[-+£$€]?\s?(?=[.,]*\d)[\d.,]+\s*%?")
_YEAR = lazy_regex(r"[12]\d{3}(?:[/–-]\d{2,4})?")
_HAS_YEAR = lazy_regex(r"\b(?:19|20)\d\d\b")
MOST_HEADS = 4
"""Rows that head a table, at most."""


def all_heads(rows: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """Return the heads that the first of ``rows`` make up, and how many rows these are."""
    heads, used = list(rows[0]), 1
    for row in rows[1:MOST_HEADS]:
        joined = joined_heads(heads, row)
        if joined is None:
            break
        heads, used = joined, used + 1
    return heads, used


def joined_heads(above: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """Return the heads that two rows make up; None where the second is none of heads.

    One of heads has no name for the column by which rows are called, where the first has it, or
    the other way round, and one for each column that the first leaves without; what it holds are
    words or years. Of years it may be below any; and a unit in brackets is of the whole table. A
    head that goes over several columns, or rows, is said with each; it may be written over each as
    well.
    """
    if len(above) != len(below) or len(above) < 3 or any(map(is_amount, below)):
        return None
    if not above[0] and _UNIT.fullmatch("".join(below)):
        return ["".join(below), *above[1:]]
    names = _from_the_first(above) if _is_full(above, below) else _over_some(above, below)
    return names and list(_each_under(names, below))


def _over_some(above: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """Return the names of ``above``, said once; None where ``below`` heads no other columns."""
    names = said_once(above)
    if names[0] and below[0] and names[0] != below[0]:
        return None
    return names if _tells_apart(names[1:], below[1:]) else None


def _each_under(names: Sequence[str], below: Sequence[str]) -> Iterator[str]:
    """Yield the heads of ``below``, each with the name that goes over it."""
    over = ""
    for name, own in zip(names, below, strict=True):
        over = name or (over if names[1] else "")
        yield over if over == own else f"{over} {own}".strip()


def _is_full(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether ``below`` heads each column by itself, by years or below a row with gaps."""
    (corner, *names), (first, *own) = above, below
    if first and corner and any(names):
        return False
    years = [bool(_HAS_YEAR.search(each)) for each in own]
    if all(years) and not (first and any(names)):
        return True
    return "" in names and all(own) and (sum(years) > 1 or not (corner or first))


def _from_the_first(heads: Sequence[str]) -> list[str]:
    """Return ``heads`` with the only one, in the middle over all columns, over the first."""
    corner, *others = said_once(heads)
    named = list(filter(None, others))
    if len(named) == 1 and not others[-1]:
        return [corner, *named, *[""] * (len(others) - 1)]
    return [corner, *others]


def said_once(heads: Sequence[str]) -> list[str]:
    """Return ``heads`` without those that only repeat the one before them."""
    return ["" if own == before else own for before, own in zip(["", *heads], heads, strict=False)]


def _tells_apart(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether each column without a name ``above`` is told apart ``below`` from one with it."""
    pairs = list(zip(above, below, strict=True))
    return bool(above[0]) and "" in above and all(own for name, own in pairs if not name)


def is_amount(cell: str) -> bool:
    """Return whether ``cell`` is a figure, and no year."""
    return _FIGURE.fullmatch(cell) is not None and _YEAR.fullmatch(cell) is None


_BEGINS_WITH_FIGURE = lazy_regex(r"[<>≤≥~±+−-]?\s?[£$€]?\s?\d")


def is_labelled(row: Sequence[str]) -> bool:
    """Return whether a first ``row`` of two cells is a label and its figure, and heads nothing.

    "Weight", "1.3 kg"; a year may head what is below it.
    """
    if len(row) != 2 or _YEAR.fullmatch(row[1]):
        return False
    has_label = bool(row[0]) and not any(map(str.isdigit, row[0]))
    return has_label and _BEGINS_WITH_FIGURE.match(row[1]) is not None
