"""PowerPoint presentations: the slides that are shown, with what their speakers note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.charts import chart_blocks, diagram_blocks
from quaere.read.extract.office import (
    Line,
    Link,
    Parts,
    attribute,
    blocks_of,
    flat,
    linked,
    opened,
    table_lines,
    trim,
    whole,
)
from quaere.read.extract.pptx_unseen import drop_hidden_shapes, drop_unseen
from quaere.read.extract.slides import Placed, Shapes, Slide, slides_page
from quaere.read.formats import Format
from quaere.text.markup import Element, local_name
from quaere.text.raised import raised

_DECK = "ppt/presentation.xml"
_TITLES = frozenset({"title", "ctrTitle"})
_NO_CONTENT = frozenset({"sldNum", "ftr", "dt", "hdr", "sldImg"})
"""Kinds of places that every slide has alike: its number, date and footer."""
_BULLETS = frozenset({"buChar", "buAutoNum", "buBlip"})
_MOST_LEVELS = 9
_LENGTH = re.compile(r"-?[0-9]{1,15}")
_TRUE = frozenset({"1", "true"})
_CLEAR = frozenset({"0", "0%"})
_TINY, _ORDINARY = 200, 1800
"""Hundredths of a point: letters of two points nobody reads."""
_PLACE, _STYLES = "*/{*}nvPr/{*}ph", "{*}txBody/{*}lstStyle"
_COMMON_STYLES = "{*}txStyles/{*}bodyStyle"


class PptxExtractor:
    """Reads PPTX; each slide is a ``## Heading`` with its lists and tables below."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each slide.

        Raises:
            ReadError: ``too_large`` for a presentation that unpacks to more than it may,
                ``encrypted``, ``broken`` for a damaged one, ``empty`` for one without text.
        """
        with opened(body, "a presentation program") as parts:
            slides = list(_Deck(parts).slides())
            title, about = parts.about()
        yield slides_page(body, Format.PPTX, slides, title=title, **about)


class _Layout(NamedTuple):
    """What the layout of a slide says of the paragraphs in its places."""

    places: Mapping[str, Element]
    """The styles of each, by its number."""
    body: Element | None
    """The styles of all places but titles, where their own say nothing."""

    def of(self, place: Element | None) -> list[Element]:
        """Return the styles of a ``place``, those that count more first; none for a free shape."""
        if place is None or attribute(place, "type") in _TITLES:
            return []
        own = self.places.get(attribute(place, "idx"))
        return [each for each in (own, self.body) if each is not None]


class _Deck:
    """What is read out of the parts of an archive."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._layouts: dict[str, _Layout] = {}
        self._size: Element | None = None
        self._grounds: dict[str, tuple[Element | None, Element | None, Element | None]] = {}

    def slides(self) -> Iterator[Slide]:
        """Yield the slides that are shown, in that order."""
        main, links = self._parts.main(_DECK), self._parts.links(_DECK)
        self._size = main.find("{*}sldSz")
        start = whole(attribute(main, "firstSlideNum"), 1)
        slides = main.find("{*}sldIdLst")  # sections list them once more
        for number, listed in enumerate(slides if slides is not None else (), start):
            link = links.get(linked(listed), Link("slide", ""))
            root = self._parts.root(link.name)
            if root is None:
                raise self._parts.lacking(f"slide {number}")
            if attribute(root, "show") not in {"0", "false"}:
                yield self._slide(root, self._parts.links(link.name), number)

    def _slide(self, root: Element, links: Mapping[str, Link], number: int) -> Slide:
        names = {link.kind: link.name for link in links.values()}
        drop_hidden_shapes(root, self._size)
        drop_unseen(root, *self._under(names.get("slideLayout", "")))
        content = _Content(self._parts, links, self._layout(names.get("slideLayout", "")))
        title, blocks = content.of(root)
        notes = self._parts.root(names.get("notesSlide", ""))
        return Slide(number, title, blocks, list(_notes(notes)) if notes is not None else ())

    def _under(self, layout: str) -> tuple[Element | None, Element | None, Element | None]:
        """Return a ``layout``, its master and the theme of that."""
        if layout not in self._grounds:
            master = self._linked(layout, "slideMaster")
            theme, root = self._linked(master, "theme"), self._parts.root
            self._grounds[layout] = root(layout), root(master), root(theme)
        return self._grounds[layout]

    def _linked(self, name: str, kind: str) -> str:
        links = self._parts.links(name).values()
        return next((link.name for link in links if link.kind == kind), "")

    def _layout(self, name: str) -> _Layout:
        if name not in self._layouts:
            self._layouts[name] = self._read_layout(name)
        return self._layouts[name]

    def _read_layout(self, name: str) -> _Layout:
        root = self._parts.root(name)
        places = {} if root is None else dict(_styles_of_places(root))
        return _Layout(places, self._common_styles(name))

    def _common_styles(self, layout: str) -> Element | None:
        """Return the styles that the master of a ``layout`` has for all places."""
        root = self._parts.root(self._linked(layout, "slideMaster"))
        return None if root is None else root.find(_COMMON_STYLES)


def _styles_of_places(layout: Element) -> Iterator[tuple[str, Element]]:
    """Yield the number of each place that has styles of its own, and these."""
    for shape in layout.iter("{*}sp"):
        place, styles = shape.find(_PLACE), shape.find(_STYLES)
        if place is not None and styles is not None:
            yield attribute(place, "idx"), styles


class _Content:
    """Reads the shapes of one slide."""

    def __init__(self, parts: Parts, links: Mapping[str, Link], layout: _Layout) -> None:
        self._parts, self._links, self._layout = parts, links, layout
        self._title: Element | None = None

    def of(self, slide: Element) -> tuple[str, list[str]]:
        """Return the title of ``slide``, and all else that is on it."""
        tree = slide.find("{*}cSld/{*}spTree")
        if tree is None:
            return "", []
        titles = (shape for shape in tree.iter("{*}sp") if _kind(shape) in _TITLES)
        self._title = next(titles, None)
        title = flat(" ".join(line.text for line in self._lines(self._title)))
        return title, self._shapes(tree).in_order()

    def _shapes(self, parent: Element) -> Shapes:
        found = Shapes()
        for shape in _children(parent):
            if shape is self._title or _kind(shape) in _NO_CONTENT:
                continue
            blocks = list(self._blocks(shape))
            box = _box(shape) if shape.find(_PLACE) is None else None
            if box is None:
                found.first += blocks
            elif blocks:
                found.free.append(Placed(blocks, *box))
        return found

    def _blocks(self, shape: Element) -> Iterator[str]:
        name = local_name(shape)
        if name == "sp":
            yield from blocks_of(self._lines(shape))
        elif name == "grpSp":
            yield from self._shapes(shape).in_order()
        elif name == "graphicFrame":
            yield from self._drawn(shape)

    def _drawn(self, frame: Element) -> Iterator[str]:
        """Yield what is told by the table, chart or diagram in ``frame``."""
        for table in frame.iter("{*}tbl"):
            if rows := "\n".join(table_lines(_rows(table))):
                yield rows
        for chart in frame.iter("{*}chart"):
            if (root := self._linked(linked(chart))) is not None:
                yield from chart_blocks(root)
        for diagram in frame.iter("{*}relIds"):
            if (root := self._linked(attribute(diagram, "dm"))) is not None:
                yield from diagram_blocks(root)

    def _linked(self, key: str) -> Element | None:
        link = self._links.get(key)
        return self._parts.root(link.name) if link else None

    def _lines(self, shape: Element | None) -> Iterator[Line]:
        if shape is None:
            return
        own = shape.find(_STYLES)
        styles = [*([] if own is None else [own]), *self._layout.of(shape.find(_PLACE))]
        for paragraph in shape.iter("{*}p"):
            told = attribute(paragraph.find("{*}pPr"), "lvl")
            level = min(whole(told, 0), _MOST_LEVELS - 1)
            yield Line(_text(paragraph), level if _is_item(paragraph, level, styles) else None)


def _is_item(paragraph: Element, level: int, styles: Sequence[Element]) -> bool:
    """Whether a bullet or a number is before ``paragraph``: of all ``styles`` the first decides."""
    name = f"{{*}}lvl{level + 1}pPr"
    for style in (paragraph.find("{*}pPr"), *(each.find(name) for each in styles)):
        told = {local_name(child) for child in style} if style is not None else set[str]()
        if told & {*_BULLETS, "buNone"}:
            return "buNone" not in told
    return False


def _children(parent: Element) -> Iterator[Element]:
    """Yield what is in ``parent``; of what is there for several programs, that for the newest."""
    for child in parent:
        if local_name(child) != "AlternateContent":
            yield child
        elif (choice := child.find("{*}Choice")) is not None:
            yield from choice


def _kind(shape: Element) -> str:
    return attribute(shape.find(_PLACE), "type")


def _box(shape: Element) -> tuple[float, float, float] | None:
    """Return where ``shape`` is from the top and the left, and its height; None if not told."""
    for path in ("{*}xfrm", "*/{*}xfrm"):
        frame = shape.find(path)
        if frame is not None:
            place, size = frame.find("{*}off"), frame.find("{*}ext")
            told = (attribute(place, "y"), attribute(place, "x"), attribute(size, "cy"))
            top, left, height = (_length(each) for each in told)
            return top, left, height
    return None


def _length(told: str) -> float:
    return float(told) if _LENGTH.fullmatch(told) else 0


def _text(paragraph: Element) -> str:
    return trim("".join(_runs(paragraph)))


def _runs(paragraph: Element) -> Iterator[str]:
    for child in _children(paragraph):
        if attribute(child, "type") != "slidenum" and not _is_unseen(child):
            shown = raised if _is_raised(child) else str
            for each in child.iter("{*}t", "{*}br"):
                yield "\n" if local_name(each) == "br" else shown(each.text or "")


def _is_unseen(run: Element) -> bool:
    """Whether the letters of ``run`` are tiny, or let all light through."""
    own = run.find("{*}rPr")
    if own is None:
        return False
    is_clear = attribute(own.find("{*}solidFill/*/{*}alpha"), "val") in _CLEAR
    is_drawn = own.find("{*}ln") is not None
    is_empty = own.find("{*}noFill") is not None or is_clear
    return whole(attribute(own, "sz"), _ORDINARY) <= _TINY or (is_empty and not is_drawn)


def _is_raised(run: Element) -> bool:
    return _length(attribute(run.find("{*}rPr"), "baseline")) > 0


def _rows(table: Element) -> Iterator[list[str]]:
    """Yield what each row of ``table`` says in each column.

    A cell over several rows says it in each, one over several columns in the first.
    """
    above: list[str] = []
    for row in table.iter("{*}tr"):
        cells: list[str] = []
        for cell in row.iter("{*}tc"):
            if attribute(cell, "vMerge") in _TRUE:
                cells += above[len(cells) : len(cells) + 1] or [""]
            elif attribute(cell, "hMerge") in _TRUE:
                cells.append("")
            else:
                cells.append(flat(" ".join(map(_text, cell.iter("{*}p")))))
        yield cells
        above = cells


def _notes(page: Element) -> Iterator[str]:
    """Yield what a speaker notes on a ``page`` of notes."""
    for shape in page.iter("{*}sp"):
        if _kind(shape) == "body":
            yield from blocks_of(Line(_text(paragraph)) for paragraph in shape.iter("{*}p"))
