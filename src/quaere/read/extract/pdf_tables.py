"""Tables in the text layer of a PDF: rows of figures under heads, found by where letters stand.

A PDF has no tables, only letters at places. Lines whose last cells are figures make a table where
their figures are in columns under heads. It is written as rows with bars between the cells, the
first of them its head: in its first cell what is above the table, such as its name and scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from math import inf
from typing import NamedTuple

MIN_LINES = 3
"""Lines of a page that end in figures, from which it is worth looking where its letters are."""
MIN_ROWS, MAX_COLUMNS = 2, 14
SPACE, CELL = 0.13, 0.62
"""Gap between two letters, in heights of a line, from which they are of two words, or two cells."""
SAME_LINE = 0.45
"""Heights of a line that the middles of its letters differ in at most, as those of a footnote's
mark do."""
LABELS_BETWEEN = 4
"""Lines without figures that may follow one another inside a table."""
HEAD_LINES, CAPTION_LINES = 10, 5
"""Lines looked at over the first row of figures for heads, and over these for what it is called."""
PROSE_WORDS = 16
"""Words from which a line is neither a caption nor the label of a row."""

_ENDS_IN_FIGURE = re.compile(
    r"(?m)^.*\S[ \t]+\(?[$€£¥]? ?\(?(?:\d[\d,]*(?:\.\d+)?|[-–—]+)\)? ?%? ?\)?[ \t]*$"
)
_FIGURE = re.compile(
    r"(?:US)?[$€£¥]? ?[-−+]?\(? ?[$€£¥]? ?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
    r" ?%?\)? ?%?x?(?: ?\([a-z\d]\))?"
    r"|[$€£¥]? ?[-–—]+ ?%?|\(?n/?[am]\)?|N/?[AM]",
)
_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?(?: ?\([a-z\d]\))?")
_HOLDS_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PERIOD = re.compile(
    r"(?i)^[^(].*\d|\b(?:end(?:ed|ing)|as (?:of|at)|years?|months?|weeks?|quarters?|fiscal"
    r"|periods?)\b"
)
"""What heads several columns together; anything else over them all is a name or a unit."""
_LEADERS = re.compile(r"(?: ?\.){3,}")
_CURRENCY = frozenset("$€£¥")
_FIGURE_ENDS = (*"0123456789", ")", "%")
_OPEN, _CLOSE = _CURRENCY | {"("}, frozenset((")", "%", ")%"))
_GOES_ON = re.compile(r"(?:,|\b(?:and|of|in|to|for|on|from|by|the|or|with))$|\([^)]*$")
_SENTENCE = re.compile(r"(?i)^(?=(?:\S+ ){5}).*(?:[^\W\d]{2}\.|\bas follows\b.*:)$")
"""A line that says something, or leads to what follows it, and is not a label."""
_AFTER_SIGN = re.compile(r"(?<=[$€£¥(]) ")
_RUNNING_HEAD = re.compile(r"(?i)table of contents")
"""What the head of each page links to in filings with the SEC."""
_HYPHENS = {"\x02": "-", "\ufffe": "-"}


class Letter(NamedTuple):
    """A letter of a page with its box, in points from the lower left.

    White space that the page does not hold, but PDFium has put between words, has no box.
    """

    text: str
    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    top: float = 0.0


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    left: float
    right: float
    sign: float = 0.0
    """How far its digits are from its currency sign or bracket, where that stands apart."""

    def with_figure(self, following: _Cell) -> _Cell:
        """Return it and the one ``following`` as one: a figure and its sign or bracket."""
        sign = following.left - self.left if self.text in _OPEN else self.sign
        return _Cell(f"{self.text}{following.text}", self.left, following.right, sign)

    @property
    def is_figure(self) -> bool:
        return _FIGURE.fullmatch(self.text) is not None

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


_NO_CELL = _Cell("", -inf, -inf)


@dataclass(frozen=True)
class _Line:
    first: int
    """Index of its first letter on the page, and that after its last one."""
    end: int
    letters: int
    cells: tuple[_Cell, ...]

    @cached_property
    def figures(self) -> tuple[_Cell, ...]:
        """The cells after the label, where all of them are figures."""
        at = len(self.cells)
        while at and self.cells[at - 1].is_figure:
            at -= 1
        return self.cells[at:]

    @property
    def label(self) -> str:
        told = self.cells[: len(self.cells) - len(self.figures)]
        return _LEADERS.sub("", " ".join(cell.text for cell in told)).strip()

    @cached_property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)

    @cached_property
    def is_row(self) -> bool:
        """Whether it has figures that are not the years at the head of a table."""
        figures = self.figures
        told = len(figures) < len(self.cells) or len(figures) > 1
        return bool(figures) and told and not self.is_head

    @cached_property
    def is_head(self) -> bool:
        figures = self.figures
        return bool(figures) and all(_YEAR.fullmatch(cell.text) for cell in figures)


@dataclass(frozen=True, slots=True)
class _Table:
    lines: tuple[_Line, ...]
    """All of its lines, those of its head and caption among them."""
    rows: tuple[tuple[str, ...], ...]


def may_have_tables(text: str) -> bool:
    """Return whether a page with ``text`` has a year, and lines that end in figures."""
    ending = islice(_ENDS_IN_FIGURE.finditer(text), MIN_LINES)
    return _HOLDS_YEAR.search(text) is not None and len(list(ending)) == MIN_LINES


def with_tables(letters: Sequence[Letter]) -> str | None:
    """Return the text of a page with its tables as rows with bars; None where it has no table.

    A table stays as it is where other letters are between its own in the order of the page, as
    next to a second column.

    Args:
        letters: All letters in the order of the page, white space among them.
    """
    lines = _lines(letters)
    text, at = "", 0
    for table in sorted(_tables(lines), key=lambda each: each.lines[0].first):
        first = min(line.first for line in table.lines)
        end = max(line.end for line in table.lines)
        inside = sum(1 for letter in letters[first:end] if _is_printed(letter))
        if first < at or inside != sum(line.letters for line in table.lines):
            continue
        before = "".join(letter.text for letter in letters[at:first])
        text += f"{before.rstrip()}\n\n{_written(table.rows)}\n\n"
        at = end
        while at < len(letters) and not _is_printed(letters[at]):
            at += 1
    if not at:
        return None
    rest = "".join(letter.text for letter in letters[at:])
    return f"{text}{rest}".replace("\r\n", "\n")


def _is_printed(letter: Letter) -> bool:
    return letter.right > letter.left and not letter.text.isspace()


def _is_space(letter: Letter) -> bool:
    return letter.text.isspace() and letter.right > letter.left


def _written(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows`` with bars between their cells and a rule under the first, as in Markdown."""
    parted = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    head, *others = (f"| {row} |" for row in parted)
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *others])


def _lines(letters: Sequence[Letter]) -> list[_Line]:
    """Return the lines of a page from the top, each with its letters from the left."""
    placed = sorted(
        (-(letter.bottom + letter.top) / 2, index)
        for index, letter in enumerate(letters)
        if _is_printed(letter)
    )
    lines: list[list[int]] = []
    last = -1e9
    for middle, index in placed:
        height = letters[index].top - letters[index].bottom
        if middle - last > SAME_LINE * height:
            lines.append([])
            last = middle
        lines[-1].append(index)
    return [_line(letters, sorted(line, key=lambda i: letters[i].left)) for line in lines]


def _line(letters: Sequence[Letter], indices: Sequence[int]) -> _Line:
    height = max(letters[index].top - letters[index].bottom for index in indices)
    cells: list[_Cell] = []
    for index in indices:
        letter = letters[index]
        before = cells[-1] if cells else _NO_CELL
        gap = letter.left - before.right
        sign = _HYPHENS.get(letter.text, letter.text)
        apart = gap >= SPACE * height or _is_space(letters[index - 1])
        if gap >= CELL * height or _begins_figure(sign, before.text, apart=apart):
            cells.append(_Cell(sign, letter.left, letter.right))
        else:
            text = f"{before.text}{' ' if apart else ''}{sign}"
            cells[-1] = _Cell(text, before.left, max(before.right, letter.right))
    return _Line(min(indices), max(indices) + 1, len(indices), tuple(_joined(cells)))


def _begins_figure(sign: str, before: str, *, apart: bool) -> bool:
    """Whether ``sign`` is of the currency of a figure, after the one ``before`` in its row."""
    return apart and sign in _CURRENCY and before.endswith(_FIGURE_ENDS)


def _joined(cells: Iterable[_Cell]) -> Iterator[_Cell]:
    """Yield ``cells`` with currency signs and brackets joined to the figures they belong to."""
    held: _Cell | None = None
    for cell in cells:
        if held and (held.text in _OPEN or cell.text in _CLOSE):
            held = held.with_figure(cell)
            continue
        if held:
            yield held
        held = cell
    if held:
        yield held


def _tables(lines: Sequence[_Line]) -> Iterator[_Table]:
    """Yield the tables of a page."""
    taken = 0
    for first, end in _runs(lines):
        if first < taken:
            continue
        columns = _columns(lines[first:end])
        if columns and (table := _table(lines, taken, first, end, columns)):
            taken = end
            yield table


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines from one row of figures to another of the same table."""
    rows = [at for at, line in enumerate(lines) if line.is_row]
    ends = [
        place
        for place, (at, following) in enumerate(pairwise(rows), 1)
        if following - at - 1 > LABELS_BETWEEN or _is_parted(lines[at + 1 : following + 1])
    ]
    for first, end in pairwise([0, *ends, len(rows)]):
        if end - first >= MIN_ROWS:
            yield rows[first], rows[end - 1] + 1


def _is_parted(lines: Sequence[_Line]) -> bool:
    """Whether the head of another table, or prose, is over the row that is the last of ``lines``.

    Prose runs on over the figures of the row. A label ends before them, or is right over figures
    that have none next to them, however long it is.
    """
    *between, row = lines
    if any(line.is_head for line in between):
        return True
    first = row.figures[0].left
    told = between if row.label else between[:-1]
    return any(
        _SENTENCE.search(line.text)
        or (len(line.text.split()) > PROSE_WORDS and line.cells[-1].right > first)
        for line in told
    )


def _columns(lines: Iterable[_Line]) -> list[tuple[float, float]]:
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


def _nearest(cell: _Cell, columns: Sequence[tuple[float, float]]) -> int:
    """Return the column in which ``cell`` stands, or that is nearest to its right end."""
    within = [at for at, (left, right) in enumerate(columns) if left <= cell.middle <= right]
    return (
        within[0]
        if within
        else min(range(len(columns)), key=lambda at: abs(columns[at][1] - cell.right))
    )


def _table(
    lines: Sequence[_Line], start: int, first: int, end: int, columns: list[tuple[float, float]]
) -> _Table | None:
    """Return the table of the rows ``lines[first:end]``; None where no year heads a column."""
    over = _head_lines(lines, start, first, columns)
    heads = [""] * len(columns)
    for at in over:
        for column, text in _assigned(_over(lines[at], columns), columns):
            heads[column] = f"{heads[column]} {text}".strip()
    if not any(map(_HOLDS_YEAR.search, heads)):
        return None
    top, body = over[0], over[-1] + 1
    caption_at = _caption(lines, start, top)
    told = (
        " ".join(cell.text for cell in _beside(lines[at], columns))
        if at in over
        else lines[at].text
        for at in range(caption_at, body)
    )
    stub = " ".join(text for text in told if text and not _RUNNING_HEAD.fullmatch(text))
    rows = [(stub, *heads), *_rows(lines[body:end], columns)]
    return _Table(tuple(lines[caption_at:end]), tuple(rows))


def _head_lines(
    lines: Sequence[_Line], start: int, first: int, columns: Sequence[tuple[float, float]]
) -> list[int]:
    """Return which lines over the row ``first`` head ``columns``, from the top."""
    found: list[int] = []
    for at in range(first - 1, max(start, first - HEAD_LINES) - 1, -1):
        line, cells = lines[at], _over(lines[at], columns)
        if line.is_row or len(line.text.split()) > PROSE_WORDS:
            break
        if not cells and found:
            break
        is_aside = len(cells) == 1 and not (
            _PERIOD.search(cells[0].text) if found else _HOLDS_YEAR.search(cells[0].text)
        )
        if cells and not is_aside:
            found.append(at)
    return found[::-1]


def _beside(line: _Line, columns: Sequence[tuple[float, float]]) -> list[_Cell]:
    """Return the cells of ``line`` that are not above ``columns``."""
    over = _over(line, columns)
    return [cell for cell in line.cells if cell not in over]


def _over(line: _Line, columns: Sequence[tuple[float, float]]) -> list[_Cell]:
    """Return the cells of ``line`` that are above ``columns``."""
    first, end = columns[0]
    # A head may be wider than the figures under it; what is centred on the page is none.
    return [
        cell
        for cell in line.cells
        if cell.left >= first - max(end - first, (cell.right - cell.left) / 2)
    ]


def _assigned(
    cells: Sequence[_Cell], columns: Sequence[tuple[float, float]]
) -> Iterator[tuple[int, str]]:
    """Yield the column and the text of each of ``cells``, of one that spans several with each."""
    if len(cells) < len(columns) and not all(_YEAR.fullmatch(cell.text) for cell in cells):
        for at, (left, right) in enumerate(columns):
            middle = (left + right) / 2
            yield at, min(cells, key=lambda cell: abs(cell.middle - middle)).text
        return
    for cell in cells:
        yield _nearest(cell, columns), cell.text


def _caption(lines: Sequence[_Line], start: int, top: int) -> int:
    """Return the first of the lines over ``top`` that say what the table is."""
    at = top
    while at > start and top - at < CAPTION_LINES:
        line = lines[at - 1]
        if line.is_row or len(line.cells) > 2 or len(line.text.split()) > PROSE_WORDS:
            break
        at -= 1
    return at


def _rows(
    lines: Iterable[_Line], columns: Sequence[tuple[float, float]]
) -> Iterator[tuple[str, ...]]:
    """Yield label and figures of each row; a label that goes over several lines is one."""
    held: list[str] = []
    for line in lines:
        label, values = line.label, _values(line, columns)
        goes_on = bool(held) and bool(_GOES_ON.search(held[0]) or not label or label[0].islower())
        if goes_on and not (any(held[1:]) and any(values)):
            held = [f"{held[0]} {label}".strip(), *(values if any(values) else held[1:])]
            continue
        if held:
            yield tuple(held)
        held = [label, *values]
    if held:
        yield tuple(held)


def _values(line: _Line, columns: Sequence[tuple[float, float]]) -> list[str]:
    """Return the figures of ``line`` by column, none for a line of words."""
    values = [""] * len(columns)
    for cell in line.figures:
        at = _nearest(cell, columns)
        values[at] = f"{values[at]} {_AFTER_SIGN.sub('', cell.text)}".strip()
    return values
