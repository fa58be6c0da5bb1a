"""OpenDocument texts, spreadsheets and presentations, as LibreOffice and others write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.office import (
    Line,
    attribute,
    barred,
    blocks_of,
    damaged,
    flat,
    opened,
    table_lines,
    trim,
    whole,
)
from quaere.read.extract.opendocument_tables import Tables
from quaere.read.extract.opendocument_unseen import drop_unseen
from quaere.read.extract.page import About, broken, text_page
from quaere.read.extract.sheets import sheets_page
from quaere.read.extract.slides import Placed, Shapes, Slide, slides_page
from quaere.read.formats import Format
from quaere.text.clean import clean_line
from quaere.text.markup import Element, drop_all, local_name, parse_xml
from quaere.text.raised import raised

_CONTENT, _META, _MANIFEST = "content.xml", "meta.xml", "META-INF/manifest.xml"
_STYLES = "styles.xml"
_ZIP, _KEY = b"PK", b"encryption-data"
_WHOLLY_LOCKED = "encrypted-package"
_LEFT_OUT = (
    # Deleted text, remarks, and what is told elsewhere in the document or holds no text.
    *("tracked-changes", "annotation", "forms", "binary-data", "ruby-text"),
    *("table-of-content", "alphabetical-index", "illustration-index", "table-index"),
    *("object-index", "user-index", "page-number"),
)
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_OF_PICTURES = (f"{_SVG}title", f"{_SVG}desc")
_NO_CONTENT = frozenset({"page-number", "date-time", "footer", "header", "page", "handout"})
"""Kinds of places that every slide has alike: its number, date and footer."""
_SPACES = re.compile(r"[ \t\r\n]+")
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)(cm|mm|in|pt|pc|px)?")
_CM = {"mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}
_RAISED_PLACE = re.compile(r"super\b|0*[1-9]\d?%")
_DEEPEST_HEADING = 6


class OdtExtractor:
    """Reads ODT; headings become ``# Heading`` lines and table rows ``| a | b |``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``too_large`` for a document that unpacks to more than it may, ``encrypted``,
                ``broken`` for a damaged one, ``empty`` for one without text.
        """
        with _opened(body, "a word processor") as document:
            blocks = list(document.blocks())
            title, about = document.about()
        yield text_page(body, Format.ODT, "\n\n".join(blocks), blocks, title=title, **about)


class OdsExtractor:
    """Reads ODS; each sheet is a ``## Heading`` with its rows as ``| a | b |`` below."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each row.

        Raises:
            ReadError: ``too_large`` for a spreadsheet that unpacks to more than it may,
                ``encrypted``, ``broken`` for a damaged one, ``empty`` for one in which nothing is
                shown.
        """
        with _opened(body, "a spreadsheet program") as document:
            sheets = list(document.sheets())
            title, about = document.about()
        yield sheets_page(body, Format.ODS, sheets, title=title, **about)


class OdpExtractor:
    """Reads ODP; each slide is a ``## Heading`` with its lists and tables below."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each slide.

        Raises:
            ReadError: ``too_large`` for a presentation that unpacks to more than it may,
                ``encrypted``, ``broken`` for a damaged one, ``empty`` for one without text.
        """
        with _opened(body, "a presentation program") as document:
            slides = list(document.slides())
            title, about = document.about()
        yield slides_page(body, Format.ODP, slides, title=title, **about)


@contextmanager
def _opened(body: Body, program: str) -> Generator[_Document]:
    """Open ``body``, an archive or one flat file; `opened` tells how that may end."""
    if not body.data.startswith(_ZIP):
        try:
            root = parse_xml(body.data)
            yield _Document(root, root, lambda _: None)
        except ValueError as error:
            raise broken(body, damaged(str(error), program)) from error
        return
    with opened(body, program) as parts:
        # Older ones leave it to a DTD to say what the names in this list are, so it is not parsed.
        listed = parts.data(_MANIFEST) or b""
        if _WHOLLY_LOCKED in parts.names or _KEY in listed:
            raise parts.locked()
        yield _Document(parts.main(_CONTENT), parts.root(_META), parts.root)


class _Document:
    """What is read out of the content of a document."""

    def __init__(
        self, root: Element, about: Element | None, part: Callable[[str], Element | None]
    ) -> None:
        self._root, self._about, self._part = root, about, part
        drop_all(self._root, [*(f"{{*}}{name}" for name in _LEFT_OUT), *_OF_PICTURES])
        self._notes = list(self._root.iter("{*}note-body"))
        styles = list(self._root.iter("{*}style"))
        self._parents = {
            attribute(each, "name"): attribute(each, "parent-style-name") for each in styles
        }
        self._hidden = {attribute(each, "name") for each in styles if _hides(each)}
        drop_unseen(self._root, part(_STYLES))
        _raise_figures(self._root, {attribute(each, "name") for each in styles if _raises(each)})
        self._tables = Tables()

    def about(self) -> tuple[str, About]:
        """Return its title, and what else it tells about itself."""
        told = {local_name(each): each.text or "" for each in _children_at(self._about, "{*}meta")}
        about = About(
            author=told.get("initial-creator") or told.get("creator") or "",
            published=(told.get("date") or told.get("creation-date") or "")[:10],
            language=told.get("language", "")[:2],
        )
        return told.get("title", ""), about

    def _all(self, kind: str) -> Iterator[Element]:
        """Yield what is in the body of a document of that ``kind``."""
        return _children_at(self._root, f"{{*}}body/{{*}}{kind}")

    def blocks(self) -> Iterator[str]:
        """Yield the paragraphs, lists and tables of a text, its notes last."""
        yield from blocks_of(self._lines(self._all("text")))
        for note in self._notes:
            yield from blocks_of(self._lines(note))

    def _lines(self, parent: Iterable[Element], level: int | None = None) -> Iterator[Line]:
        for child in parent:
            name = local_name(child)
            if name in {"p", "h"}:
                yield Line(self._mark(child) + _text(child), level if name == "p" else None)
                yield from self._lines(child.iter("{*}object"))
            elif name == "table":
                yield Line("\n".join(table_lines(self._tables.dense(child, _told))))
            elif name == "object":
                yield from self._chart(child)
            else:
                yield from self._lines(child, _inner(name, level))

    def _mark(self, paragraph: Element) -> str:
        """Return what ``paragraph`` begins with: the marks of a heading, if it is one."""
        depth = attribute(paragraph, "outline-level")
        if local_name(paragraph) == "h":
            return "#" * min(whole(depth, 1), _DEEPEST_HEADING) + " "
        style = attribute(paragraph, "style-name")
        return "# " if "Title" in (style, self._parents.get(style)) else ""

    def _chart(self, frame: Element) -> Iterator[Line]:
        """Yield the title of the chart that is in ``frame``, if one is, and what it shows."""
        name = attribute(frame, "href").removeprefix("./")
        root = frame.find("{*}document")
        root = self._part(f"{name}/{_CONTENT}") if root is None else root
        for child in _children_at(root, "{*}body/{*}chart/{*}chart"):
            if local_name(child) == "title":
                yield Line(_told(child))
            elif local_name(child) == "table":
                rows = self._tables.dense(child, _told)
                yield Line("\n".join(map(barred, rows)))

    def sheets(self) -> Iterator[tuple[str, Mapping[int, Mapping[int, str]]]]:
        """Yield the name of each sheet that is shown, and its rows by number."""
        for sheet in self._all("spreadsheet"):
            if local_name(sheet) == "table" and not self._is_hidden(sheet):
                yield clean_line(attribute(sheet, "name")), self._tables.rows(sheet, _shown)

    def slides(self) -> Iterator[Slide]:
        """Yield the slides that are shown, in that order."""
        pages = (each for each in self._all("presentation") if local_name(each) == "page")
        for number, page in enumerate(pages, 1):
            if not self._is_hidden(page):
                yield self._slide(page, number)

    def _is_hidden(self, element: Element) -> bool:
        return attribute(element, "style-name") in self._hidden

    def _slide(self, page: Element, number: int) -> Slide:
        title = next((each for each in page.iter("{*}frame") if _class(each) == "title"), None)
        notes = page.find("{*}notes")
        return Slide(
            number,
            "" if title is None else _told(title),
            self._shapes(page, title).in_order(),
            [] if notes is None else self._shapes(notes, None).in_order(),
        )

    def _shapes(self, parent: Element, title: Element | None) -> Shapes:
        found = Shapes()
        for shape in parent:
            if shape is title or _is_left_out(shape):
                continue
            blocks, box = self._shape(shape, title)
            if box is None or _class(shape):
                found.first += blocks
            elif blocks:
                found.free.append(Placed(blocks, *box))
        return found

    def _shape(self, shape: Element, title: Element | None) -> tuple[list[str], _Box | None]:
        """Return what a shape or a group of shapes says, and where it is."""
        if local_name(shape) == "g":
            group = self._shapes(shape, title)
            return group.in_order(), _around(group.free)
        return list(blocks_of(self._lines([shape]))), _box(shape)


def _children_at(root: Element | None, path: str) -> Iterator[Element]:
    """Yield what is in the element at ``path`` in ``root``; nothing where there is none."""
    found = None if root is None else root.find(path)
    yield from () if found is None else found


_Box = tuple[float, float, float]
"""Where a shape is from the top and the left, and its height."""


def _shown(cell: Element) -> str:
    """Return what a ``cell`` of a sheet shows; dates are told year first."""
    kind = attribute(cell, "value-type")
    pieces = ("".join(_runs(each)) for each in cell if local_name(each) == "p")
    told = clean_line(" ".join(pieces))
    if kind == "date":
        return _date(clean_line(attribute(cell, "date-value")), told)
    if kind == "boolean":
        return {"true": "yes", "false": "no"}.get(attribute(cell, "boolean-value"), told)
    return told or clean_line(attribute(cell, "string-value") or attribute(cell, "value"))


def _date(value: str, told: str) -> str:
    """Return a date, with the time of day where that is ``told`` in the cell."""
    day, _, time = value.partition("T")
    return f"{day} {time[:5]}" if time and ":" in told else day or told


def _told(element: Element) -> str:
    """Return all that ``element`` says, on one line."""
    return flat("".join(_runs(element)))


def _text(paragraph: Element) -> str:
    if local_name(paragraph) == "h":
        return _told(paragraph)
    return trim("".join(_runs(paragraph)))


_BEFORE = {"p": "\n", "line-break": "\n", "s": " ", "tab": " "}
"""What is shown for an element; a paragraph is in another one if it is in a frame in that."""


def _runs(element: Element) -> Iterator[str]:
    yield _SPACES.sub(" ", element.text or "")
    for child in element:
        name = local_name(child)
        if name and name != "note":
            yield _BEFORE.get(name, "")
            yield from _runs(child)
            yield "\n" if name == "p" else ""
        yield _SPACES.sub(" ", child.tail or "")


def _inner(name: str, level: int | None) -> int | None:
    """Return how far in the items in an element of that ``name`` are, if it is itself so far in."""
    if name == "list":
        return 0 if level is None else level + 1
    return None if name == "list-header" else level


def _hides(style: Element) -> bool:
    """Whether a sheet or a slide of that ``style`` is not shown."""
    return any(
        attribute(each, "visibility") == "hidden" or attribute(each, "display") == "false"
        for each in style
        if local_name(each) in {"drawing-page-properties", "table-properties"}
    )


def _raises(style: Element) -> bool:
    """Whether words of that ``style`` stand raised: the place of a text is a share of its size."""
    places = (attribute(each, "text-position") for each in style.iter("{*}text-properties"))
    return any(_RAISED_PLACE.match(place) for place in places)


def _raise_figures(root: Element, styles: Collection[str]) -> None:
    """Write what stands raised, as one of these ``styles`` has it, in raised figures."""
    for span in root.iter("{*}span") if styles else ():
        if attribute(span, "style-name") in styles and not len(span):
            span.text = raised(span.text or "")


def _is_left_out(shape: Element) -> bool:
    hidden = attribute(shape, "display") == "none"
    return hidden or local_name(shape) == "notes" or _class(shape) in _NO_CONTENT


def _class(shape: Element) -> str:
    """Return which place of its layout ``shape`` fills; empty for a free one."""
    return attribute(shape, "class")


def _box(shape: Element) -> _Box | None:
    """Return where ``shape`` is; None if not told."""
    told = [_LENGTH.fullmatch(attribute(shape, name)) for name in ("y", "x", "height")]
    top, left, height = (float(m[1]) * _CM.get(m[2], 1) if m else None for m in told)
    return None if top is None or left is None else (top, left, height or 0)


def _around(shapes: Sequence[Placed]) -> _Box | None:
    """Return where a group of ``shapes`` is; None if it has none."""
    if not shapes:
        return None
    top = min(each.top for each in shapes)
    bottom = max(each.top + each.height for each in shapes)
    return top, min(each.left for each in shapes), bottom - top
