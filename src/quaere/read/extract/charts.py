"""Charts and diagrams of Office documents: the figures that are drawn, and the words in boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from quaere.read.extract.cell_formats import CellFormat
from quaere.read.extract.office import Line, attribute, barred, blocks_of, flat, whole
from quaere.text.markup import Element

_SHOWN_POINTS = frozenset({"", "node", "asst"})
"""Kinds of the points of a diagram that have words; the others are arrows and what is drawn."""


class _Series(NamedTuple):
    name: str
    categories: Mapping[int, str]
    """By the number of the point."""
    values: Mapping[int, str]


def chart_blocks(root: Element) -> Iterator[str]:
    """Yield the title of a chart, and a table of what is drawn for each row of categories."""
    title = root.find("{*}chart/{*}title")
    if title is not None and (told := _told(title)):
        yield told
    series = [_series(each) for each in root.iter("{*}ser")]
    for categories, together in groupby(series, key=lambda each: each.categories):
        rows = "\n".join(_rows(categories, list(together)))
        if rows:
            yield rows


def _series(element: Element) -> _Series:
    name = element.find("{*}tx")
    told = "" if name is None else " ".join(each.text or "" for each in name.iter("{*}v"))
    return _Series(told, _points(element, "cat", "xVal"), _points(element, "val", "yVal"))


def _points(series: Element, *names: str) -> Mapping[int, str]:
    """Return what the cells under one of ``names`` hold, by number: of several levels the inner."""
    cells = next(filter(_is_there, (series.find(f"{{*}}{name}") for name in names)), None)
    if cells is None:
        return {}
    code = _format_of(cells)
    return {
        number: _shown(point, attribute(point, "formatCode") or code)
        for point in _innermost(cells).iter("{*}pt")
        if (number := whole(attribute(point, "idx"), -1)) >= 0
    }


def _format_of(cells: Element) -> str:
    """Return the format of those of ``cells`` that have none of their own."""
    return next((each.text or "" for each in cells.iter("{*}formatCode")), "")


def _innermost(cells: Element) -> Element:
    """Return the inner level of ``cells`` that have several; else themselves."""
    level = cells.find("*/*/{*}lvl")
    return cells if level is None else level


def _is_there(element: Element | None) -> bool:
    return element is not None  # one without children counts as false


def _shown(point: Element, code: str) -> str:
    """Return the value of ``point``, a number by the ``code`` of its format."""
    value = point.find("{*}v")
    told = "" if value is None else flat(value.text or "")
    try:
        return CellFormat(code).shown(float(told)) if code else told
    except ValueError:
        return told


def _rows(categories: Mapping[int, str], series: list[_Series]) -> Iterator[str]:
    numbers = sorted({number for each in series for number in each.values})
    if numbers:
        yield barred(["", *(each.name for each in series)])
    for number in numbers:
        values = (each.values.get(number, "") for each in series)
        yield barred([categories.get(number, ""), *values])


def diagram_blocks(root: Element) -> Iterator[str]:
    """Yield the words in the boxes of a diagram as a list, those under others further in."""
    lines = [
        Line(_told(point), level)
        for point, level in _points_in_order(root)
        if attribute(point, "type") in _SHOWN_POINTS
    ]
    yield from blocks_of(lines)


def _points_in_order(root: Element) -> Iterator[tuple[Element, int]]:
    """Yield the points of a diagram, each before those under it, and how far in they are.

    That of the diagram itself, which all others are under, is at -1.
    """
    points = {attribute(each, "modelId"): each for each in root.iter("{*}pt")}
    under = _under(root)
    waiting = [(key, -1) for key, each in points.items() if attribute(each, "type") == "doc"]
    while waiting:
        key, level = waiting.pop()
        point = points.pop(key, None)
        if point is not None:  # each once, however they are linked
            yield point, level
            waiting += [(each, level + 1) for each in reversed(under.get(key, ()))]


def _under(root: Element) -> Mapping[str, Sequence[str]]:
    """Return which points of a diagram are under each, all by their ids."""
    under: dict[str, list[str]] = {}
    for link in sorted(root.iter("{*}cxn"), key=_order):
        if attribute(link, "type") in {"", "parOf"}:
            under.setdefault(attribute(link, "srcId"), []).append(attribute(link, "destId"))
    return under


def _order(link: Element) -> int:
    return whole(attribute(link, "srcOrd"), 0)


def _told(element: Element) -> str:
    paragraphs = element.iter("{*}p")
    told = ("".join(each.text or "" for each in p.iter("{*}t")) for p in paragraphs)
    return flat(" ".join(told))
