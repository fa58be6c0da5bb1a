"""Lines of a page of a PDF, taken from where its letters are, and the figures in them.

Tables that stand side by side are told apart by the gutter between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from operator import sub
from statistics import median
from typing import NamedTuple, Self

from quaere.read.extract.grids import Placed, grids
from quaere.text.dates import YEAR

SPACE, CELL = 0.13, 0.62
"""Gap between two letters, in heights of a line, from which they are of two words, or two cells."""
SAME_LINE = 0.45
"""Heights of a line that the middles of its letters differ in at most, as those of a footnote's
mark do."""
SMALL, RAISED = 0.8, 0.15
"""Heights of a line up to which a letter is small, and from which one is higher than the others."""
FLUSH = 3.0
"""Points by which what is in a column may be off its end or its middle."""
SIGNS_BEHIND = 2
"""Lines that end in the sign of a currency, from which it follows the figures of a page."""
FEW, SPACED = 8, (0.04, 0.35)
"""Gaps of a line from which it shows how far its letters are spaced out, and what of the height of
a line that may be."""

_AMOUNT = (
    r"(?:\d{1,3}(?P<between>[.'’ \u00a0\u2009\u202f])\d{3}(?:(?P=between)\d{3})*(?:[.,]\d{1,2})?"
    r"|\d[\d,]*(?:\.\d+)?|\.\d+)"
)
"""Digits with what parts thousands in any country, and decimals."""
_FIGURE = re.compile(
    r"(?:(?:US)?[$€£¥]? ?(?:[-–−+]?\(? ?[$€£¥]? ?[-–−]?"
    rf"{_AMOUNT}(?: ?%)?(?: ?\))?(?: ?%)?(?: ?x)?|[-–—]+(?: ?%)?|(?i:nil))(?: ?[$€£¥])?"
    r"|\(?n/?[am]\)?|N/?[AM])(?: ?\([a-z\d](?:, ?[a-z\d])*\)| ?\*+)?"
)
_LAST_WORD = re.compile(r"(.*\S) (\S+)", re.DOTALL)
_FIGURES = re.compile("{0}(?: {0})+".format(r"[($€£¥–-]{0,3} ?\d(?:[\d.,]*\d)?[)%]?"))
"""Several figures, or one with its thousands apart."""
_YEAR_ALONE = re.compile(rf"\(?{YEAR.pattern}\)?(?: ?\([a-z\d]\))?")
LEADERS = re.compile(r"(?: ?\.){3,}")
_LED = ("...", ". . .")
"""Dots that lead from a label to its figures."""
_CURRENCY = frozenset("$€£¥")
_FIGURE_ENDS = (*"0123456789", ")", "%")
_OPEN, _CLOSE = _CURRENCY | {"("}, frozenset((")", "%", ")%"))
_HYPHENS = {"\x02": "-", "\ufffe": "-"}
_MARK = re.compile(r"\(?([a-z\d](?:, ?[a-z\d])*)\)?")


class Letter(NamedTuple):
    """A letter of a page with its box, in points from the lower left.

    White space that the page does not hold, but PDFium has put between words, has no box.
    """

    text: str
    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    top: float = 0.0
    raised: str = ""
    """The same figure raised, if it is, as it is told outside tables."""

    @property
    def is_printed(self) -> bool:
        """Whether it has a box and is not white space."""
        return self.right > self.left and not self.text.isspace()


@dataclass(frozen=True)
class Cell:
    """Words or a figure that stand together on a line."""

    text: str
    left: float
    right: float
    indices: tuple[int, ...] = ()
    """Which letters of the page it is of."""
    sign: float = 0.0
    """How far its digits are from its currency sign or bracket, where that stands apart."""

    def with_figure(self, following: Cell) -> Cell:
        """Return it and the one ``following`` as one: a figure and its sign or bracket."""
        sign = following.left - self.left if self.text in _OPEN else self.sign
        text, indices = f"{self.text}{following.text}", (*self.indices, *following.indices)
        return Cell(text, self.left, following.right, indices, sign)

    def parted(self, at: int) -> tuple[Cell, Cell]:
        """Return what is before and from the letter ``at`` of its text, which a space is before.

        Both are where they would be if all letters were as wide.
        """
        wide = (self.right - self.left) / len(self.text)
        end, begin = self.left + wide * (at - 1), self.left + wide * at
        first = Cell(self.text[: at - 1], self.left, end, self.indices, self.sign)
        return first, Cell(self.text[at:], begin, self.right)

    @property
    def unmarked(self) -> str:
        """Its text without the mark of a note."""
        return self.text.partition(" (")[0]

    @cached_property
    def is_figure(self) -> bool:
        """Whether it is an amount, or what is printed in the place of none."""
        return _FIGURE.fullmatch(self.text) is not None

    @property
    def is_year(self) -> bool:
        """Whether it is a year and no more."""
        return _YEAR_ALONE.fullmatch(self.text) is not None

    @property
    def middle(self) -> float:
        """Where its middle is, in points from the left."""
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class Line:
    """A line of a page, or the part of one that is left or right of a gutter."""

    cells: tuple[Cell, ...]

    @cached_property
    def figures(self) -> tuple[Cell, ...]:
        """The cells after the label, where all of them are figures."""
        at = len(self.cells)
        while at and self.cells[at - 1].is_figure:
            at -= 1
        return self.cells[at:]

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """Which letters of the page it has, in the order of the page."""
        return tuple(sorted(index for cell in self.cells for index in cell.indices))

    @property
    def worded(self) -> tuple[int, ...]:
        """Which letters the words before its figures have, in the order of the page."""
        told = self.cells[: len(self.cells) - len(self.figures)]
        worded = (cell.indices for cell in told if cell.text[:1].isalpha())
        return tuple(sorted(index for indices in worded for index in indices))

    @property
    def label(self) -> str:
        """What is before its figures, without the dots that lead to them."""
        told = self.cells[: len(self.cells) - len(self.figures)]
        return LEADERS.sub("", " ".join(cell.text for cell in told)).strip()

    def with_figure_apart(self, columns: Sequence[tuple[float, float]]) -> Line:
        """Return it with a figure told from the label that is close before it.

        It is one where it ends as one of ``columns`` does in which the line has none.
        """
        at = len(self.cells) - len(self.figures) - 1
        found = _LAST_WORD.fullmatch(self.cells[at].text) if at >= 0 else None
        if not found:
            return self
        first, figure = self.cells[at].parted(found.start(2))
        if not figure.is_figure or not self._has_free_column(self.cells[at].right, columns):
            return self
        return Line((*self.cells[:at], first, figure, *self.figures))

    def _has_free_column(self, end: float, columns: Sequence[tuple[float, float]]) -> bool:
        """Whether one of ``columns`` ends at ``end``, and before the figures of the line."""
        following = self.figures[0].left if self.figures else inf
        return any(abs(right - end) < FLUSH and right < following for _, right in columns)

    @cached_property
    def text(self) -> str:
        """All of it."""
        return " ".join(cell.text for cell in self.cells)

    @cached_property
    def is_row(self) -> bool:
        """Whether it has figures that are not the years at the head of a table."""
        figures = self.figures
        told = len(figures) < len(self.cells) or len(figures) > 1
        return bool(figures) and told and not self.is_head

    @cached_property
    def is_head(self) -> bool:
        """Whether all of its figures are years."""
        return bool(self.figures) and all(cell.is_year for cell in self.figures)


def lines_of(letters: Sequence[Letter]) -> list[Line]:
    """Return the lines of a page from the top, each with its letters from the left."""
    lines = _indices_by_line(letters)
    ends = sum(1 for line in lines if letters[line[-1]].text in _CURRENCY)
    return [_line(letters, line, is_behind=ends >= SIGNS_BEHIND) for line in lines]


def _indices_by_line(letters: Sequence[Letter]) -> list[list[int]]:
    """Return the indices of the letters of each line: lines from the top, letters from the left."""
    lines: list[list[int]] = []
    last = -1e9
    for middle, index, height in _middles(letters):
        if middle - last > SAME_LINE * height:
            lines.append([])
            last = middle
        lines[-1].append(index)
    lefts = [letter.left for letter in letters]
    return [sorted(line, key=lefts.__getitem__) for line in lines]


def _middles(letters: Sequence[Letter]) -> list[tuple[float, int, float]]:
    """Return how far down the middle of each printed letter is, its index and its height, sorted.

    The first are less than 0, from the lower edge of the page up.
    """
    return sorted(  # thousands a page, so without calls
        (-(bottom + top) / 2, index, top - bottom)
        for index, (text, left, right, bottom, top, _) in enumerate(letters)
        if right > left and not text.isspace()
    )


def in_lines(letters: Sequence[Letter]) -> list[Letter]:
    """Return the letters of a page in the order in which they are read, line by line."""
    found: list[Letter] = []
    for line in lines_of(letters):
        for cell in line.cells:
            right = cell.left
            for index in cell.indices:
                letter = letters[index]
                gap = SPACE * (letter.top - letter.bottom)
                found += [Letter(" ")] * (letter.left - right >= gap)
                found.append(letter)
                right = letter.right
            found.append(Letter(" "))
        found.append(Letter("\n"))
    return found


def _line(letters: Sequence[Letter], indices: Sequence[int], *, is_behind: bool) -> Line:
    """Return the line of ``indices``; ``is_behind`` tells where the signs of currencies stand."""
    cells = _cells(letters, indices, is_behind=is_behind)
    joined = _joined((cell.closed() for cell in cells), is_behind=is_behind)
    return Line(tuple(figure for cell in joined for figure in _figures_of(cell)))


def _cells(letters: Sequence[Letter], indices: Sequence[int], *, is_behind: bool) -> list[_Open]:
    """Return the cells of a line, signs and brackets that stand apart each as one of its own."""
    size = _Size.of(letters, indices)
    cells: list[_Open] = []
    last, end, before = _Open(-inf), -inf, -1
    for index in indices:  # thousands a page, so with hardly any calls
        sign, left, right, bottom, top, _ = letters[index]
        sign = _HYPHENS.get(sign, sign)
        gap = left - end
        apart = gap >= size.word or (index - 1 != before and _is_space(letters[index - 1]))
        begins = apart and not is_behind and _begins_figure(sign, last.text)
        if begins or gap >= size.cell or (last.text.endswith(_LED) and sign != "."):
            last = _Open(left)
            cells.append(last)
        is_mark = top - bottom <= size.small and bottom > size.raised
        last.add(sign, index, apart=apart, is_mark=is_mark)
        last.right = max(last.right, right)
        end, before = last.right, index
    return cells


class _Size(NamedTuple):
    """From how many points on the letters of a line are apart, and where the mark of a note is."""

    word: float
    """The gap between two words."""
    cell: float
    """The gap between two cells."""
    small: float
    """The most that the letters of a mark are high."""
    raised: float
    """Where they begin at least, from the bottom of the page."""

    @classmethod
    def of(cls, letters: Sequence[Letter], indices: Sequence[int]) -> Self:
        """Return that of the line with these of ``letters``, at least one."""
        own = map(letters.__getitem__, indices)
        texts, lefts, rights, bottoms, tops, _ = zip(*own, strict=True)
        height = max(map(sub, tops, bottoms))
        spread = _spread(texts, lefts, rights, height)
        apart = SPACE * height + spread, CELL * height + spread
        return cls(*apart, SMALL * height, min(bottoms) + RAISED * height)


def _is_space(letter: Letter) -> bool:
    return letter.text.isspace() and letter.right > letter.left


def _spread(
    texts: Sequence[str], lefts: Sequence[float], rights: Sequence[float], height: float
) -> float:
    """Return by how much the letters of a line are spaced out, in points; 0 for too few letters."""
    following = zip(texts, rights, texts[1:], lefts[1:], strict=False)
    gaps = [left - right for a, right, b, left in following if a.isalnum() and b.isalnum()]
    usual = median(gaps) if len(gaps) >= FEW else 0.0
    return usual if SPACED[0] * height < usual < SPACED[1] * height else 0.0


def _figures_of(cell: Cell) -> Iterator[Cell]:
    """Yield ``cell``, or the figures that it holds close together, and nothing but those."""
    begins = list(_begins_of_figures(cell.text)) if " " in cell.text else []
    rest = cell
    for at, begin in enumerate(begins):
        first, rest = rest.parted(begin - begins[at - 1] if at else begin)
        yield first
    yield rest


def _begins_of_figures(text: str) -> Iterator[int]:
    """Yield where the second and each further figure in ``text`` begins; none where words are."""
    if _FIGURE.fullmatch(text) or not _FIGURES.fullmatch(text):
        return
    at = 0
    while (found := _FIGURE.match(text, at)) and found.end() < len(text):
        at = found.end() + 1
        yield at


class _Open:
    """A cell that letters are added to."""

    def __init__(self, left: float) -> None:
        self.text = ""
        self.left = self.right = left
        self.indices: list[int] = []
        self.mark = ""
        """What is raised at its end."""

    def add(self, sign: str, index: int, *, apart: bool, is_mark: bool) -> None:
        """Add a letter; ``apart`` from those before it, or raised over them as a mark."""
        self.indices.append(index)
        if is_mark:
            self.mark += sign
            return
        if self.mark:
            self._write_mark()
        self.text += f" {sign}" if apart and self.text else sign

    def _write_mark(self) -> None:
        found = _MARK.fullmatch(self.mark)
        self.text += f" ({found[1]})" if found and self.text else self.mark
        self.mark = ""

    def closed(self) -> Cell:
        """Return the cell; a mark of a note is in brackets, so that it is not read as a digit."""
        self._write_mark()
        return Cell(self.text, self.left, self.right, tuple(self.indices))


def _begins_figure(sign: str, before: str) -> bool:
    """Whether ``sign`` is of the currency of a figure, after the one ``before`` in its row."""
    return sign in _CURRENCY and before.endswith(_FIGURE_ENDS)


def _joined(cells: Iterable[Cell], *, is_behind: bool) -> list[Cell]:
    """Return ``cells`` with currency signs and brackets joined to the figures they belong to."""
    closing = _CLOSE | _CURRENCY if is_behind else _CLOSE
    opening = _OPEN - _CURRENCY if is_behind else _OPEN
    joined: list[Cell] = []
    for cell in cells:
        if joined and (joined[-1].text in opening or cell.unmarked in closing):
            joined[-1] = joined[-1].with_figure(cell)
        else:
            joined.append(cell)
    return joined


MIN_ROWS = 3
"""Rows that have a second label, from which they are of two tables and not of one."""
INDENT = 40.0
"""How far labels of one table may be indented, in points."""


def separated(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield ``lines`` in blocks, of two tables side by side each in a block of its own.

    A row of two tables has a label, figures, and again a label with figures. All lines around such
    rows that nothing joins across the gutter are separated there; those on the left come first.
    One table that has names between its figures stays one.
    """
    at, block = 0, list[Line]()
    for first, end, gutter in _stretches(lines):
        halves = [_halves(line, gutter) for line in lines[first:end]]
        yield [*block, *lines[at:first], *(left for left, _ in halves if left.cells)]
        block = [right for _, right in halves if right.cells]
        at = end
    yield [*block, *lines[at:]]


def _are_one_table(lines: Sequence[Line], rows: int) -> bool:
    """Whether ``lines`` make a grid of more rows than the ``rows`` that have a second column.

    Each column of one table has a head of its own: tables side by side are headed alike.
    """
    placed = [[Placed(c.text, c.left, c.right) for c in line.cells] for line in lines]
    return any(len(grid.rows) > rows for grid in grids(placed))


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[int, int, float]]:
    """Yield the first line and that after the last of those with a gutter, and where it is."""
    seconds = [_second_label(line) for line in lines]
    at = 0
    while at < len(lines):
        if seconds[at] == inf:
            at += 1
            continue
        first, end, gutter = _stretch(lines, seconds, at)
        rows = sum(left < inf for left in seconds[first:end])
        if rows >= MIN_ROWS and not _are_one_table(lines[first:end], rows):
            yield first, end, gutter
        at = max(end, at + 1)


def _stretch(lines: Sequence[Line], seconds: Sequence[float], at: int) -> tuple[int, int, float]:
    """Return the lines around ``at`` that are clear where its second label begins."""
    gutter = seconds[at]
    for second in seconds[at:]:
        if abs(second - seconds[at]) <= INDENT:
            gutter = min(gutter, second)
    first = at
    while first and _is_clear(lines[first - 1], gutter):
        first -= 1
    end = at
    while end < len(lines) and _is_clear(lines[end], gutter):
        end += 1
    return first, end, gutter


def _second_label(line: Line) -> float:
    """Return where words begin that have figures on both sides; infinity where none do."""
    if not line.is_row:
        return inf
    told = [cell.is_figure for cell in line.cells]
    end = len(told) - len(line.figures)
    label = _first_of_words(told, end)
    begins = line.cells[label]
    is_label = 0 < label < end and begins.text[:1].isalpha()
    return begins.left if is_label and told.index(True) > 0 else inf


def _first_of_words(are_figures: Sequence[bool], end: int) -> int:
    """Return where the words that end before the cell ``end`` begin; ``end`` for none."""
    first = end
    while first and not are_figures[first - 1]:
        first -= 1
    return first


def _is_clear(line: Line, gutter: float) -> bool:
    return not any(cell.left < gutter - 1 < cell.right for cell in line.cells)


def _halves(line: Line, gutter: float) -> tuple[Line, Line]:
    left = tuple(cell for cell in line.cells if cell.left < gutter - 1)
    return Line(left), Line(line.cells[len(left) :])
