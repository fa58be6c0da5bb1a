"""What an OpenDocument file does not show: hidden and tiny letters, and those like what is below.

How letters look is said by their own style or by those of what is around them, each of which takes
from the style that it is based on what it does not say itself. What letters stand on is known in
the cells of a sheet, unless conditions colour these, and on a page of a text that has no ground or
picture of its own; it is not known in the frames and tables of a text, nor on slides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from quaere.read.extract.office import attribute
from quaere.read.extract.opendocument_tables import columns_in, placed, rows_in
from quaere.text.markup import Element, drop, elements, local_name

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAWING = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_HIDDEN = elements(
    "//*[local-name()='body']//*[@*[local-name()='display']='none'] | "
    "//*[local-name()='hidden-paragraph' or local-name()='hidden-text']"
    "[@*[local-name()='is-hidden']='true'] | "
    "//*[local-name()='section'][@*[local-name()='is-hidden']='true']"
)
_GROUNDS = elements(
    "//*[local-name()='page-layout-properties'][*[local-name()='background-image'] or"
    " @*[local-name()='fill' and . != 'none'] or @*[local-name()='background-color'"
    " and . != 'transparent' and . != '#ffffff']]"
    " | //*[local-name()='graphic-properties'][@*[local-name()='run-through']='background']"
)
"""What a page has below its letters other than paper."""
_CONDITIONS = elements("//*[local-name()='map' or local-name()='conditional-format']")
_FAMILIES = {
    "p": "paragraph",
    "h": "paragraph",
    "span": "text",
    "a": "text",
    "section": "section",
    "table-cell": "table-cell",
}
_PAPER, _UNKNOWN = "#ffffff", ""
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(pt|pc|px|in|cm|mm|%)")
_POINTS = {"pt": 1, "pc": 12, "px": 0.75, "in": 72, "cm": 72 / 2.54, "mm": 72 / 25.4, "%": 0.1}
"""Of each unit; of letters around, a fifth is tiny."""
_TINY = 2.0
_VALUES = ("value", "date-value", "string-value", "boolean-value")

_Told = Mapping[str, str]
"""What is known about letters: "display", "size", "colour", and "ground", that below them."""


def drop_unseen(root: Element, more: Element | None) -> None:
    """Take the words out of the document under ``root`` that it does not show.

    Args:
        root: That of the content, which has styles as well.
        more: The root of the styles with names.
    """
    _drop_hidden(root)
    parts = [root] if more is None else [more, root]
    styles = _Styles(parts)
    if not styles.may_hide:
        return
    for table in root.iter("{*}spreadsheet"):
        _style_by_columns(table)
    for body in root.iter("{*}text", "{*}spreadsheet", "{*}presentation"):
        _clear(body, {"ground": _ground(body, parts)}, styles)


def _drop_hidden(root: Element) -> None:
    """Take out what is marked as hidden, and paragraphs that have such a mark."""
    for element in _HIDDEN(root):
        around = element.getparent()
        is_mark = local_name(element) == "hidden-paragraph"
        drop(around if is_mark and around is not None else element)


class _Styles:
    """The styles of a document."""

    def __init__(self, parts: Sequence[Element]) -> None:
        found = list(chain.from_iterable(part.iter("{*}style") for part in parts))
        self._by_name = {_key(each): each for each in found}
        self._merged: dict[tuple[str, str], _Told] = {}
        self._knows_grounds = not any(map(_CONDITIONS, parts))
        told = [self.of(*_key(each)) for each in found]
        grounds = {_PAPER, *(each.get("ground", "") for each in told)}
        self.may_hide = any(
            each.get("colour") in grounds or not _is_seen({**each, "ground": ""}) for each in told
        )
        """Whether any has a part in hiding something."""

    def of(self, family: str, name: str) -> _Told:
        """Return what a style says, with what those say that it is based on."""
        based: dict[tuple[str, str], Element] = {}
        key = family, name
        while key not in self._merged and key not in based and key in self._by_name:
            based[key] = self._by_name[key]
            key = family, attribute(based[key], "parent-style-name")
        told = self._merged.get(key, {})
        for each, style in reversed(based.items()):
            told = self._merged[each] = {**told, **self._own(style)}
        return told

    def _own(self, style: Element) -> _Told:
        """Return what a ``style`` says itself."""
        words = style.find("{*}text-properties")
        grounds = [each for each in map(_background, style) if each]
        told = {
            "display": attribute(words, "display"),
            "size": attribute(words, "font-size"),
            "colour": _colour(words),
            "ground": grounds[-1] if grounds and self._knows_grounds else "",
        }
        return {name: value for name, value in told.items() if value}


def _key(style: Element) -> tuple[str, str]:
    return attribute(style, "family"), attribute(style, "name")


def _background(properties: Element) -> str:
    """Return what ``properties`` say of the ground; empty where that shines through."""
    told = attribute(properties, "background-color").lower()
    return "" if told == "transparent" else told


def _colour(words: Element | None) -> str:
    """Return the colour of letters; one that goes by what is below them is none of its own."""
    is_automatic = attribute(words, "use-window-font-color") == "true"
    return "automatic" if is_automatic else attribute(words, "color").lower()


def _ground(body: Element, parts: Sequence[Element]) -> str:
    """Return what the letters of ``body`` stand on, where it says nothing about that."""
    kind = local_name(body)
    if kind == "presentation":
        return _UNKNOWN
    return (
        _UNKNOWN if any(map(_CONDITIONS if kind == "spreadsheet" else _GROUNDS, parts)) else _PAPER
    )


def _is_seen(told: _Told) -> bool:
    size = _SIZE.fullmatch(told.get("size", ""))
    is_tiny = size is not None and float(size[1]) * _POINTS[size[2]] <= _TINY
    is_like_ground = told.get("colour", "automatic") == told.get("ground", "")
    return not (is_tiny or is_like_ground or told.get("display") == "none")


def _clear(element: Element, told: _Told, styles: _Styles) -> None:
    """Take out the words in ``element`` that are not seen; ``told`` is of what is around it."""
    name, tag = local_name(element), str(element.tag)
    if tag.startswith(_DRAWING) or (name == "table" and _in_text(element)):
        told = {**told, "ground": _UNKNOWN}
    if family := _FAMILIES.get(name, ""):
        told = {**told, **styles.of(family, attribute(element, "style-name"))}
    is_seen = _is_seen(told)
    if not is_seen:
        _take_words(element)
    for child in list(element):
        _clear(child, told, styles)
    if not is_seen and name == "h" and not "".join(_texts(element)).strip():
        drop(element)


def _in_text(table: Element) -> bool:
    around = table.getparent()
    return around is None or local_name(around) != "spreadsheet"


def _take_words(element: Element) -> None:
    """Take out what ``element`` says itself: its text, that after what is in it, its value."""
    element.text = None
    for child in element:
        child.tail = None
    for name, _ in list(element.items()):
        if name.rpartition("}")[2] in _VALUES:
            element.set(name, "")


def _texts(element: Element) -> Iterator[str]:
    yield from (told or "" for each in element.iter() for told in (each.text, each.tail))


def _style_by_columns(sheets: Element) -> None:
    """Name for each cell of ``sheets`` the style that its row or column has for it."""
    for sheet in sheets:
        usual = {
            at: style
            for column, columns in columns_in(sheet)
            if (style := attribute(column, "default-cell-style-name"))
            for at in columns
        }
        for row in rows_in(sheet):
            own = attribute(row, "default-cell-style-name")
            for cell, columns in placed(row) if own or usual else ():
                style = own or usual.get(columns.start, "")
                if style and not attribute(cell, "style-name"):
                    cell.set(f"{_TABLE}style-name", style)
