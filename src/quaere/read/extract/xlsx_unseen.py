"""What a workbook does not show: hidden rows and columns, and white letters on white cells.

What a reader opens by a button that the sheet shows is not hidden: rows that a filter or a folded
group leaves out. Where conditions or the style of a table colour cells, white letters may be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quaere.read.extract.markup import Element
from quaere.read.extract.office import attribute, whole

_TRUE = frozenset({"1", "true", "on"})
_WHITE = frozenset({"FFFFFF", "FFFFFFFF", "00FFFFFF"})
_WHITE_NUMBERS = frozenset({"1", "9"})
"""Of the colours that every workbook has (ECMA-376, part 1, 18.8.27)."""
_PAPER = "0"
"""The number of the background among the colours of a theme, which is white in nearly all."""
_WINDOW = frozenset({"64", "65"})
_ROWS = re.compile(r"[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})")
_MOST_COLUMNS = 16_384


def white_styles(root: Element | None) -> frozenset[int]:
    """Return the numbers of the styles of cells in ``root`` whose letters are white on white."""
    if root is None:
        return frozenset()
    fonts = [_is_white(each.find("{*}color")) for each in _within(root, "fonts")]
    fills = [_is_paper(each) for each in _within(root, "fills")]
    styles = enumerate(_within(root, "cellXfs"))
    return frozenset(
        number
        for number, style in styles
        if _at(fonts, style, "fontId", default=False) and _at(fills, style, "fillId", default=True)
    )


def has_own_colours(sheet: Element, tables: Sequence[Element | None]) -> bool:
    """Return whether conditions, or one of its ``tables``, may colour cells of ``sheet``."""
    return bool(tables) or sheet.find("{*}conditionalFormatting") is not None


def hidden_columns(sheet: Element) -> frozenset[int]:
    """Return the columns of ``sheet`` that are not shown, from 0."""
    return frozenset(
        column - 1
        for columns in _within(sheet, "cols")
        if _is_hidden(columns)
        for column in range(
            whole(attribute(columns, "min"), 1),
            min(whole(attribute(columns, "max"), 0), _MOST_COLUMNS) + 1,
        )
    )


def filtered_rows(*parts: Element | None) -> tuple[range, ...]:
    """Return the rows that filters go over: those of a sheet and of its tables, its ``parts``."""
    filters = (each for part in parts if part is not None for each in part.iter("{*}autoFilter"))
    return tuple(_areas(each for each in filters if each.find("{*}filterColumn") is not None))


def hides(row: Element, number: int, filtered: tuple[range, ...]) -> bool:
    """Return whether the ``row`` of that ``number`` is not shown, and no filter leaves it out."""
    return _is_hidden(row) and not any(number in rows for rows in filtered)


def _within(root: Element, name: str) -> Iterator[Element]:
    found = root.find(f"{{*}}{name}")
    yield from found if found is not None else ()


def _areas(filters: Iterator[Element]) -> Iterator[range]:
    for each in filters:
        if found := _ROWS.fullmatch(attribute(each, "ref")):
            yield range(int(found[1]), int(found[2]) + 1)


def _is_hidden(element: Element) -> bool:
    is_folded = whole(attribute(element, "outlineLevel"), 0) > 0
    return attribute(element, "hidden") in _TRUE and not is_folded


def _is_white(colour: Element | None) -> bool:
    if attribute(colour, "tint").strip("-0."):
        return False
    return (
        attribute(colour, "rgb").upper() in _WHITE
        or attribute(colour, "theme") == _PAPER
        or attribute(colour, "indexed") in _WHITE_NUMBERS
    )


def _is_paper(fill: Element) -> bool:
    """Whether cells with ``fill`` are as white as paper."""
    pattern = fill.find("{*}patternFill")
    if pattern is None:
        return fill.find("{*}gradientFill") is None
    ground = pattern.find("{*}fgColor")
    is_bare = attribute(pattern, "patternType") in {"", "none"}
    return is_bare or _is_white(ground) or attribute(ground, "indexed") in _WINDOW


def _at(known: list[bool], style: Element, name: str, *, default: bool) -> bool:
    number = whole(attribute(style, name), -1)
    return known[number] if 0 <= number < len(known) else default
