"""A tree of HTML as readable text: paragraphs, ``# headings``, ``- items``, ``| table | rows |``.

Takes HTML proper and the TEI-like tags into which trafilatura turns it. Cells that go over several
rows or columns can be written out in each of them first. Read row by row, such a table has rows
that lack the cell which began above them; and heads in two rows say what is in a column only
together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import chain, count

from quaere.read.extract.grids import MOST_HEADS, all_heads, is_labelled
from quaere.text.clean import clean_text
from quaere.text.markup import Element, drop, elements, inner_text, local_name

_SKIPPED_NAMES = (
    "script style noscript template title meta link iframe object embed svg math canvas button"
    " select option textarea input audio video graphic"
)
_BLOCK_NAMES = (
    "address article aside blockquote body caption center comments dd details dialog div dl dt"
    " fieldset figcaption figure footer form header hgroup hr html legend list main nav ol p pre"
    " quote search section summary table tbody tfoot thead ul"
)
_SKIPPED = frozenset({"", *_SKIPPED_NAMES.split()})
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_LISTS = frozenset({"ol", "ul", "menu", "list"})
_ITEMS = frozenset({"li", "item"})
_START = re.compile(r"[0-9]{1,2}")
"""The number of the first item, where it is another than 1 and no more than a list has."""
_ROWS = frozenset({"tr", "row"})
_CELLS = frozenset({"td", "th", "cell"})
_LINE_ENDS = frozenset({"br", "lb"})
_VERBATIM = frozenset({"pre", "code"})
_HEADING = re.compile(r"h([1-6])")
_CLOSE = re.compile(r"- |\| |\d{1,3}\. ")
"""How the blocks begin that follow each other closely."""

_ROW_CHARS = 800
"""A table row that is longer, or holds paragraphs, lays out a page."""
_SECTION_CHARS = 100
"""Characters of the name of a part of a table, at most."""


def render(root: Element) -> str:
    """Return the words under ``root``, its own tail left out."""
    writer = _Writer()
    writer.write(root)
    return clean_text(joined(writer.finish())).strip()


def joined(blocks: Sequence[str]) -> str:
    """Return the ``blocks`` of a text as one, with a blank line before each that needs one."""
    return "".join(f"{_gap(*pair)}{pair[1]}" for pair in zip(["", *blocks], blocks, strict=False))


def _gap(before: str, after: str) -> str:
    """Return the line breaks between two blocks: items and rows follow each other closely."""
    marks = _CLOSE.match(before), _CLOSE.match(after)
    return "\n" if all(marks) and (before[0] == "|") == (after[0] == "|") else "\n\n"


class _Writer:
    """Collects text and breaks it into blocks."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._prefix = ""
        self._lists: list[Iterator[int] | None] = []
        """The lists that are begun, each with the numbers of its items if they have some."""

    def write(self, element: Element, *, verbatim: bool = False) -> None:
        """Write ``element`` and what is in it, but not what follows it."""
        name = local_name(element)
        if name in _SKIPPED:
            return
        verbatim = verbatim or name in _VERBATIM
        if name in _LINE_ENDS:
            self._inline.append("\n")
        elif name in _ROWS:
            self._write_row(element)
        elif name in _LISTS:
            self._write_list(element, name, verbatim=verbatim)
        elif (prefix := self._prefix_of(element, name)) is None:
            self._write_inside(element, verbatim=verbatim)
        else:
            self._write_block(element, prefix, verbatim=verbatim)

    def _write_list(self, element: Element, name: str, *, verbatim: bool) -> None:
        self._lists.append(None if self._lists else _numbers_of(element, name))
        self._write_block(element, "", verbatim=verbatim)
        self._lists.pop()

    def _prefix_of(self, element: Element, name: str) -> str | None:
        """Return what a block begins with; None for an element that is not a block."""
        return self._item_mark() if name in _ITEMS else _prefix(element, name)

    def _item_mark(self) -> str:
        """Return the mark of the next item of the innermost list."""
        numbers = self._lists[-1] if self._lists else None
        return f"{next(numbers)}. " if numbers else "- "

    def finish(self) -> list[str]:
        """Return all blocks."""
        self._end_block()
        return self._blocks

    def _end_block(self) -> None:
        if not self._inline:
            return
        lines = (" ".join(line.split()) for line in "".join(self._inline).split("\n"))
        words = "\n".join(line for line in lines if line)
        self._inline.clear()
        if words:
            if self._prefix:
                words = self._prefix + words.replace("\n", " ")
            self._blocks.append(words)
            self._prefix = ""

    def _write_block(self, element: Element, prefix: str, *, verbatim: bool) -> None:
        self._end_block()
        self._prefix = prefix or self._prefix
        self._write_inside(element, verbatim=verbatim)
        self._end_block()
        self._prefix = "" if prefix else self._prefix

    def _write_row(self, row: Element) -> None:
        """Write a row as one block, or its cells as blocks of their own where they are pages."""
        self._end_block()
        cells = [_cell(child) for child in row if local_name(child) in _CELLS]
        blocks = [block for cell in cells for block in cell]
        is_page = any(len(cell) > 1 for cell in cells) or sum(map(len, blocks)) > _ROW_CHARS
        if is_page or (len(blocks) < 2 and not self._is_section(cells)):
            self._blocks += blocks
        else:
            shown = [" ".join(cell).replace("\n", " ") for cell in cells]
            if _is_of_labels(row) or is_labelled(shown):
                self._begin_without_head(len(shown))
            self._blocks.append(f"| {' | '.join(shown)} |")

    def _begin_without_head(self, columns: int) -> None:
        """Write an empty row, unless a table has begun: nothing heads its ``columns``."""
        if not (self._blocks and self._blocks[-1].startswith("| ")):
            self._blocks.append(f"| {' | '.join([''] * columns)} |")

    def _is_section(self, cells: Sequence[Sequence[str]]) -> bool:
        """Whether a row with nothing but one cell is within a table: a part's name, or a unit.

        As a line by itself it would part what is below it from the heads of the table.
        """
        above = self._blocks[-1] if self._blocks else ""
        is_within = above.startswith("| ") and above.count(" | ") == len(cells) - 1 > 1
        return is_within and 0 < sum(map(len, chain.from_iterable(cells))) <= _SECTION_CHARS

    def _write_inside(self, element: Element, *, verbatim: bool) -> None:
        self._write_text(element.text, verbatim=verbatim)
        for child in element:
            self.write(child, verbatim=verbatim)
            self._write_text(child.tail, verbatim=verbatim)

    def _write_text(self, text: str | None, *, verbatim: bool) -> None:
        if text:
            self._inline.append(text if verbatim else text.replace("\n", " "))


def _is_of_labels(row: Element) -> bool:
    """Whether the first cell of ``row`` alone is a head: it is that of the row."""
    heads = [_is_head(cell) for cell in row if local_name(cell) in _CELLS]
    return len(heads) > 1 and heads[0] and not any(heads[1:])


def _is_head(cell: Element) -> bool:
    return local_name(cell) == "th" or cell.get("role") == "head"


def _cell(element: Element) -> list[str]:
    """Return the blocks in a cell of a table."""
    writer = _Writer()
    writer.write(element)
    return writer.finish()


def _prefix(element: Element, name: str) -> str | None:
    """Return what a block begins with that is not an item; None for what is not a block."""
    if name == "head":
        name = element.get("rend") or "h2"
    if heading := _HEADING.fullmatch(name):
        return "#" * int(heading[1]) + " "
    return "" if name in _BLOCKS else None


def _numbers_of(element: Element, name: str) -> Iterator[int] | None:
    """Return the numbers of the items of a list; None where they have none."""
    if "ol" not in {name, element.get("rend", "")}:
        return None
    start = element.get("start", "")
    return count(int(start) if _START.fullmatch(start) else 1)


MOST_ROWS, MOST_COLUMNS, MOST_CHARS = 500, 50, 200
"""What one cell goes over at most, and what is in it: more is a mistake, or meant to fill memory,
and longer ones lay out a page."""
MOST_CELLS = 20_000
"""Cells of a table with all of them written out; a larger one stays as it is."""
_SPAN_DIGITS = 6
_SPANNING = frozenset({"td", "th"})
_TABLES = elements("//table[not(.//table)]")
_SPANNED = elements("self::*[.//*[@rowspan or @colspan]]")
_TABLE_ROWS = elements(".//tr")

_Held = dict[int, tuple[int, Element]]
"""What goes on from above by column: for how many more rows, and its cell."""


def spread_spans(root: Element) -> None:
    """Write each cell that goes over several rows into each of them, in all tables of ``root``.

    One over several columns is the head of each in the first row; below, it fills the first of
    them. Heads in several rows become one row. Tables within tables lay out a page and stay as
    they are.
    """
    for table in _TABLES(root):
        rows = _TABLE_ROWS(table)
        if _SPANNED(table):
            if sum(_size(cell) for row in rows for cell in _cells(row)) > MOST_CELLS:
                continue
            held: _Held = {}
            for at, row in enumerate(rows):
                held = _spread(row, held, is_first=at == 0)
        _join_heads(_TABLE_ROWS(table))


def _size(cell: Element) -> int:
    return _rows_of(cell) * _columns_of(cell)


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row if local_name(cell) in _SPANNING]


def _spread(row: Element, held: _Held, *, is_first: bool) -> _Held:
    """Give ``row`` a cell in each column; return what goes on below."""
    own = _cells(row)
    after = _going_on(held)
    placed: list[Element] = []
    for cell in own:
        _take_held(placed, held)
        rows = _rows_of(cell)
        # Alone, it is over the whole table.
        columns = _columns_of(cell) if len(own) + len(held) > 1 else 1
        for beside in range(columns):
            if rows > 1:
                after[len(placed)] = rows - 1, cell
            placed.append(_copied(cell, is_blank=bool(beside) and not is_first))
    _take_held(placed, held)
    _replace(row, own, placed)
    return after


def _going_on(held: _Held) -> _Held:
    """Return what of ``held`` goes on below a row that has taken it."""
    return {at: (left - 1, cell) for at, (left, cell) in held.items() if left > 1}


def _replace(row: Element, own: Sequence[Element], placed: Sequence[Element]) -> None:
    """Put the cells ``placed`` first in ``row``, in place of its ``own``."""
    for cell in own:
        drop(cell)
    for at, cell in enumerate(placed):
        row.insert(at, cell)


def _take_held(placed: list[Element], held: Mapping[int, tuple[int, Element]]) -> None:
    while len(placed) in held:
        placed.append(_copied(held[len(placed)][1]))


def _rows_of(cell: Element) -> int:
    return _span(cell, "rowspan", MOST_ROWS)


def _columns_of(cell: Element) -> int:
    return _span(cell, "colspan", MOST_COLUMNS)


def _span(cell: Element, name: str, most: int) -> int:
    """Return over how many ``cell`` goes, as its attribute ``name`` says: of 0, over all."""
    told = cell.get(name, "").strip()
    if not (told.isascii() and told.isdecimal()) or len(told) > _SPAN_DIGITS:
        return 1
    if sum(map(len, inner_text(cell))) > MOST_CHARS:
        return 1
    return min(int(told) or most, most)


def _copied(cell: Element, *, is_blank: bool = False) -> Element:
    """Return ``cell`` as one of a single row and column, without what it holds if ``is_blank``."""
    made = copy(cell)
    made.tail = None
    for name in ("rowspan", "colspan"):
        made.set(name, "1")
    if is_blank:
        _set_text(made, None)
    return made


def _set_text(cell: Element, text: str | None) -> None:
    """Make ``text`` all that ``cell`` holds."""
    for child in list(cell):
        cell.remove(child)
    cell.text = text


def _first_wide(rows: Sequence[Element]) -> int:
    """Return the place of the first row with more than one cell that says something."""
    wide = (at for at, row in enumerate(rows) if sum(map(bool, _told(row))) > 1)
    return next(wide, len(rows))


def _join_heads(rows: Sequence[Element]) -> None:
    """Make the rows of heads that ``rows`` begin with one: "2023" over "Mean" is "2023 Mean"."""
    begun = _first_wide(rows)
    told = [_told(row) for row in rows[begun : begun + MOST_HEADS]]
    heads, used = all_heads(told) if told else ([""], 0)
    if used < 2:
        return
    *above, last = rows[begun : begun + used]
    for cell, head in zip(_cells(last), heads, strict=True):
        _set_text(cell, head)
    for row in above:
        drop(row)


def _told(row: Element) -> list[str]:
    return [" ".join("".join(inner_text(cell)).split()) for cell in _cells(row)]
