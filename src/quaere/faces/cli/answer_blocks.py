"""Lays an answer out for a terminal: its tables in the width there is, its lists with an indent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from types import MappingProxyType
from typing import Final

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from quaere.synthesize.compose import FENCE
from quaere.synthesize.inert import visible
from quaere.text.markdown import Form, cells, is_rule, stretches

FORM_STYLES: Final[Mapping[Form, str]] = MappingProxyType(
    {Form.PLAIN: "", Form.CODE: "cyan", Form.STRONG: "bold"}
)
NARROWEST: Final = 12
"""Columns that a cell gets at least, or as many as its longest word has; where they are not there,
a row is shown as a list of its cells."""
_FRAME: Final = 3
"""Columns that the frame of a cell takes: a bar and two blanks."""
_ITEM: Final = re.compile(r"(?P<mark>\s*(?:[-*]|\d{1,3}\.)\s)(?P<text>.*)")


def answer_blocks(answer: str, console: Console) -> Iterator[RenderableType]:
    """Yield the lines of ``answer``, laid out for the width of ``console``."""
    in_code = False
    for is_row, group in groupby(answer.split("\n"), key=lambda line: cells(line) is not None):
        lines = list(group)
        if is_row and not in_code:
            yield from _table(lines, console)
            continue
        for line in lines:
            in_code ^= line == FENCE
            yield answer_line(line) if in_code else _line(line)


def answer_line(line: str) -> Text:
    """Return a line of an answer with its bold words bold.

    Code keeps its marks, for a bracket in it does not cite.
    """
    shown = Text()
    for form, words in stretches(visible(line, indented=True)):
        shown.append(f"`{words}`" if form is Form.CODE else words, style=FORM_STYLES[form])
    return shown


def _line(line: str) -> RenderableType:
    """Return ``line``; what an item has beyond its first line begins under its text."""
    item = _ITEM.fullmatch(line)
    if item is None:
        return answer_line(line)
    return hanging(item["mark"], answer_line(item["text"]))


def hanging(mark: str, text: Text) -> Table:
    """Return ``text`` after ``mark``, its further lines below its first."""
    hung = Table.grid()
    hung.add_column(width=len(mark), no_wrap=True)
    hung.add_column()
    hung.add_row(mark, text)
    return hung


Row = Sequence[Text]


def _table(lines: Sequence[str], console: Console) -> Iterator[RenderableType]:
    """Yield a table, its cells below each other, as wide as it is or as there is room for."""
    rows = [list(map(answer_line, cells(line) or [])) for line in lines if not is_rule(line)]
    if len(set(map(len, rows))) != 1:
        yield from map(answer_line, lines)
        return
    columns = list(zip(*rows, strict=True))
    room = console.width - _FRAME * len(columns) - 1
    wanted, least = list(map(_widest, columns)), list(map(_least, columns))
    if sum(least) > room:
        yield from _records(rows)
    else:
        yield from _grid(rows, _shared_out(wanted, least, room), console)


def _widest(column: Iterable[Text]) -> int:
    return max(cell.cell_len for cell in column)


def _least(column: Iterable[Text]) -> int:
    """Return how narrow a column may become."""
    words = (cell_len(word) for cell in column for word in cell.plain.split())
    return max(max(words, default=1), min(_widest(column), NARROWEST))


def _shared_out(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the width of each column: what it wants, where all have room, else its part of it."""
    widths = list(wanted)
    while sum(widths) > room:
        over = [width - narrow for width, narrow in zip(widths, least, strict=True)]
        widest = max(range(len(widths)), key=lambda place: (over[place] > 0, widths[place]))
        widths[widest] -= 1
    return widths


def _grid(rows: Sequence[Row], widths: Sequence[int], console: Console) -> Iterator[Text]:
    """Yield the lines of a table, with a rule between all rows where a cell goes over several."""
    rule = Text(f"|-{'-|-'.join('-' * width for width in widths)}-|")
    laid = [_row(row, widths, console) for row in rows]
    is_wrapped = any(len(lines) > 1 for lines in laid)
    for place, lines in enumerate(laid):
        if place == 1 or (place and is_wrapped):
            yield rule
        yield from lines


def _row(row: Row, widths: Sequence[int], console: Console) -> list[Text]:
    pairs = zip(row, widths, strict=True)
    wrapped = [list(cell.wrap(console, width)) or [Text()] for cell, width in pairs]
    return [
        _line_of_cells([line or Text() for line in lines], widths)
        for lines in zip_longest(*wrapped)
    ]


def _line_of_cells(parts: Sequence[Text], widths: Sequence[int]) -> Text:
    line = Text("|")
    for part, width in zip(parts, widths, strict=True):
        part.rstrip()
        gap = " " * max(0, width - part.cell_len)
        line.append(" ").append_text(part).append(f"{gap} |")
    return line


def _records(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield rows for which there is no room as lists of their cells."""
    head, *body = rows
    for row in body:
        named = [
            Text.assemble(name, ": ", cell) for name, cell in zip(head, row, strict=True) if cell
        ]
        yield from (hanging("  " if place else "- ", each) for place, each in enumerate(named))
