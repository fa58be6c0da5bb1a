"""What a workbook does not show: hidden rows and columns, tiny letters and those like their cell.

What a reader opens by a button that the sheet shows is not hidden: rows that a filter or a folded
group leaves out. Where conditions or the style of a table colour cells, any letters may be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from quaere.read.extract.office import attribute, whole
from quaere.text.markup import Element

_T = TypeVar("_T")
_TRUE = frozenset({"1", "true", "on"})
_WHITE, _BLACK = "FFFFFF", "000000"
_THEME = {"0": _WHITE, "1": _BLACK}
"""The background and the letters of a theme, which are white and black in nearly all."""
_INDEXED = {"0": _BLACK, "1": _WHITE, "8": _BLACK, "9": _WHITE}
"""Of the colours that every workbook has (ECMA-376, part 1, 18.8.27)."""
_WINDOW = frozenset({"64", "65"})
_TINY, _ORDINARY = 2.0, 11.0
"""Points: letters of two nobody reads."""
_POINTS = re.compile(r"\d{1,4}(?:\.\d{1,9})?")
_NOTHING = re.compile(r"0{1,9}(?:\.0{1,9})?")
_ROWS = re.compile(r"[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})")
_MOST_COLUMNS = 16_384


class Look(NamedTuple):
    """How letters look, and what they stand on."""

    letters: str = _BLACK
    """Their colour."""
    ground: str = _WHITE
    """That of their cell; empty where it is not known, and may be any."""
    is_tiny: bool = False

    @property
    def is_seen(self) -> bool:
        """Whether anybody sees them."""
        return not self.is_tiny and self.letters != self.ground

    def of_run(self, run: Element) -> Look:
        """Return how the letters of a ``run`` look in a cell whose letters look so."""
        own = run.find("{*}rPr")
        return self if own is None else _with_font(self, own)


def looks(root: Element | None) -> list[Look]:
    """Return how the letters of each style of cells in ``root`` look, in the order of these."""
    if root is None:
        return []
    fonts = [_with_font(Look(), each) for each in _within(root, "fonts")]
    grounds = [_ground(each) for each in _within(root, "fills")]
    return [
        _at(fonts, style, "fontId", Look())._replace(ground=_at(grounds, style, "fillId", _WHITE))
        for style in _within(root, "cellXfs")
    ]


def has_own_colours(sheet: Element, tables: Sequence[Element | None]) -> bool:
    """Return whether conditions, or one of its ``tables``, may colour cells of ``sheet``."""
    return bool(tables) or sheet.find("{*}conditionalFormatting") is not None


def hidden_columns(sheet: Element) -> frozenset[int]:
    """Return the columns of ``sheet`` that are not shown, from 0."""
    return frozenset(
        column - 1
        for columns in _within(sheet, "cols")
        if _is_hidden(columns, "width")
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
    return _is_hidden(row, "ht") and not any(number in rows for rows in filtered)


def _within(root: Element, name: str) -> Iterator[Element]:
    found = root.find(f"{{*}}{name}")
    yield from found if found is not None else ()


def _areas(filters: Iterator[Element]) -> Iterator[range]:
    for each in filters:
        if found := _ROWS.fullmatch(attribute(each, "ref")):
            yield range(int(found[1]), int(found[2]) + 1)


def _is_hidden(element: Element, size: str) -> bool:
    is_folded = whole(attribute(element, "outlineLevel"), 0) > 0
    is_flat = _NOTHING.fullmatch(attribute(element, size)) is not None
    return (is_flat or attribute(element, "hidden") in _TRUE) and not is_folded


def _with_font(look: Look, font: Element) -> Look:
    size = _POINTS.fullmatch(attribute(font.find("{*}sz"), "val"))
    is_tiny = float(size[0] if size else _ORDINARY) <= _TINY
    return look._replace(letters=_colour(font.find("{*}color")), is_tiny=is_tiny)


def _colour(told: Element | None) -> str:
    """Return a colour in hexadecimal, or any other name for it; black where none is told."""
    rgb, theme, indexed = (attribute(told, name) for name in ("rgb", "theme", "indexed"))
    tint = attribute(told, "tint").strip("-0.")
    known = (rgb.upper()[-6:], _THEME.get(theme, ""), _INDEXED.get(indexed, ""), theme, indexed)
    return f"{next(filter(None, known), _BLACK)}{tint and attribute(told, 'tint')}"


def _ground(fill: Element) -> str:
    """Return the colour of cells with ``fill``; empty for one of several."""
    pattern = fill.find("{*}patternFill")
    if pattern is None:
        return _WHITE if fill.find("{*}gradientFill") is None else ""
    told, kind = pattern.find("{*}fgColor"), attribute(pattern, "patternType")
    if kind in {"", "none"} or attribute(told, "indexed") in _WINDOW:
        return _WHITE
    return "" if told is None or kind != "solid" else _colour(told)


def _at(known: Sequence[_T], style: Element, name: str, default: _T) -> _T:
    number = whole(attribute(style, name), -1)
    return known[number] if 0 <= number < len(known) else default
