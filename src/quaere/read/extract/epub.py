"""EPUB: a book as one page, its parts in reading order, with a mark for each entry of its contents.

Versions 2 and 3 (https://www.w3.org/TR/epub-33/): an archive of web pages, a package that lists
them and says in which order they are read, and a table of contents.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.html_text import render, spread_spans
from quaere.read.extract.office import Parts, attribute, opened
from quaere.read.extract.page import About, broken, empty, make_page, name_of
from quaere.read.extract.unseen import drop_hidden
from quaere.read.formats import Format
from quaere.text.clean import clean_line, decode
from quaere.text.markup import Element, drop_all, inner_text, parse_html, raise_figures

MAX_PARTS = 5_000
"""Parts that are read; a large reference work has some hundreds."""

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_CONTENTS = "application/x-dtbncx+xml"
"""The type of a table of contents in EPUB 2, which one of EPUB 3 may have as well."""
_DATE = re.compile(r"[12]\d{3}(?:-\d\d(?:-\d\d)?)?")
_LABEL_CHARS = 80
_SHEET_BYTES = 500_000
"""Of a style sheet; one of a large publisher has some 50 kB."""
MAX_SHEETS = 5_000_000
"""Characters of style sheets that all parts together may name: 50 kB in each of 100 chapters."""
_TOLD = 3
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError)
"""What reading a damaged part raises."""


class EpubExtractor:
    """Reads e-books; headings go a level down, since the title of the book is above them."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``encrypted`` for a book that is locked, ``too_large`` for one that unpacks
                to more than it may, ``broken`` for a damaged one and, at the end, when parts were
                missing; ``empty`` for one of pictures.
        """
        with opened(body, "a program that makes e-books") as parts:
            book = _Book(body, parts)
            text = _Text()
            for path, root in book.pages():
                text.add(root, book.contents.get(path, {}))
        if text.length:
            yield make_page(body, Format.EPUB, text.joined, marks=text.marks, **book.about)
        elif not book.lost:
            raise empty(body, "holds no text, only pictures; run OCR on it first")
        if book.lost:
            more = ", ..." if len(book.lost) > _TOLD else ""
            raise broken(
                body,
                f"is damaged: {len(book.lost)} of its parts cannot be read"
                f" ({', '.join(book.lost[:_TOLD])}{more}); download it again",
            )


class _Item(NamedTuple):
    """What the package says of a file."""

    path: str
    media_type: str
    properties: Sequence[str]

    @property
    def is_contents(self) -> bool:
        """Whether it holds the table of contents of EPUB 3."""
        return "nav" in self.properties


class _BookAbout(About, total=False):
    """What a book declares about itself, its title included."""

    title: str


class _Book:
    """The package of a book, and the parts that it names."""

    def __init__(self, body: Body, parts: Parts) -> None:
        """Read what the package says.

        Raises:
            ReadError: ``encrypted``, ``broken``, ``too_large``.
            ValueError: when its lists are not well-formed.
        """
        self._body, self._parts = body, parts
        self.lost: list[str] = []
        path = _package_path(parts)
        package = parts.main(path)
        self._items = _manifest(package, posixpath.dirname(path))
        self._read = _reading_order(package, self._items)
        if len(self._read) > MAX_PARTS:
            message = f"{name_of(body)} has more than {MAX_PARTS:,} parts; split it"
            raise ReadError(message, status=ReadStatus.TOO_LARGE)
        self._check_open()
        self._sheets: dict[str, str] = {}
        self._room = MAX_SHEETS
        self.about = _about(package)
        self.contents = self._contents()

    def pages(self) -> Iterator[tuple[str, Element]]:
        """Yield each part in reading order by its path; what cannot be read is ``lost``."""
        for path in self._read:
            try:
                data = self._parts.data(path)
                root = None if data is None else parse_html(decode(data))
            except _DAMAGE:
                root = None
            if root is None:
                self.lost.append(posixpath.basename(path))
            else:
                raise_figures(root)
                self._write_sheets(root, posixpath.dirname(path))
                yield path, root

    def _write_sheets(self, root: Element, folder: str) -> None:
        """Put the style sheets that a part in ``folder`` names into it: they may hide text."""
        for link in list(root.iter("link")):
            if "stylesheet" in link.get("rel", "").lower().split():
                told = self._sheet(_resolved(folder, link.get("href", "")))
                self._room -= len(told)
                link.tag, link.text = "style", told if self._room >= 0 else ""

    def _sheet(self, path: str) -> str:
        """Return a style sheet; empty where it is missing, damaged or more than any book needs."""
        if path not in self._sheets:
            try:
                data = self._parts.data(path) or b""
            except (*_DAMAGE, ReadError):
                data = b""
            told = decode(data) if len(data) <= _SHEET_BYTES else ""
            self._sheets[path] = "".join(char if char.isprintable() else " " for char in told)
        return self._sheets[path]

    def _check_open(self) -> None:
        """Check that no part which is read is encrypted; fonts often are.

        Raises:
            ReadError: ``encrypted``.
        """
        listed = self._parts.root(_ENCRYPTION)
        found = listed.iter("{*}CipherReference") if listed is not None else ()
        locked = {unquote(attribute(each, "URI")) for each in found}
        if not locked.isdisjoint(self._read):
            message = f"{name_of(self._body)} is locked by its seller (DRM); get a copy without it"
            raise ReadError(message, status=ReadStatus.ENCRYPTED)

    def _contents(self) -> Mapping[str, Mapping[str, str]]:
        """Return what the contents call a place, by its part and the id in it, which may be empty.

        A place that they name twice is called as the last time: a part is named before its
        chapters.
        """
        named: dict[str, dict[str, str]] = {}
        for base, href, label in self._entries():
            path, _, place = href.partition("#")
            target = _resolved(posixpath.dirname(base), path) if path else base
            if label := clean_line(label, _LABEL_CHARS):
                named.setdefault(target, {})[unquote(place)] = label
        return named

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        """Yield the entries of the contents: the path of their file, where they lead and a name.

        A book for readers of both versions has them twice; those of EPUB 3 are taken. Of damaged
        contents there are none: the book can be read without.
        """
        for item in _tables_of_contents(self._items.values()):
            try:
                links = self._links(item)
            except _DAMAGE:
                continue
            for href, label in links:
                yield item.path, href, label

    def _links(self, contents: _Item) -> Sequence[tuple[str, str]]:
        """Return where the entries in a table of contents lead, and their names."""
        if contents.is_contents:
            return list(_nav_links(self._parts.data(contents.path) or b""))
        return list(_ncx_links(self._parts.root(contents.path)))


def _tables_of_contents(items: Collection[_Item]) -> Sequence[_Item]:
    """Return the table of EPUB 3; where there is none, those of EPUB 2."""
    of_three = [item for item in items if item.is_contents]
    return of_three[:1] or [item for item in items if item.media_type == _CONTENTS]


def _package_path(parts: Parts) -> str:
    """Return the path of the package; where nothing names it, that of the first there is."""
    container = parts.root(_CONTAINER)
    root = container.find(".//{*}rootfile") if container is not None else None
    named = attribute(root, "full-path")
    return named or next((name for name in parts.names if name.endswith(".opf")), "")


def _resolved(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(href)))


def _manifest(package: Element, folder: str) -> Mapping[str, _Item]:
    """Return the files of the package by their ids."""
    return {
        item.get("id", ""): _Item(
            _resolved(folder, item.get("href", "")),
            item.get("media-type", ""),
            item.get("properties", "").split(),
        )
        for item in package.iter("{*}item")
    }


def _reading_order(package: Element, items: Mapping[str, _Item]) -> Sequence[str]:
    """Return the paths of the pages in reading order, each once.

    What is not part of the main text comes last, and the table of contents is left out.
    """
    refs = sorted(package.iter("{*}itemref"), key=lambda ref: ref.get("linear", "") == "no")
    named = (items[ref.get("idref", "")] for ref in refs if ref.get("idref", "") in items)
    shown = (item for item in named if item.media_type in _PAGES and not item.is_contents)
    return list(dict.fromkeys(item.path for item in shown))


def _about(package: Element) -> _BookAbout:
    titles = (_said(each) for each in package.iter("{*}title"))
    languages = (_said(each) for each in package.iter("{*}language"))
    return _BookAbout(
        title=next(filter(None, titles), ""),
        author=", ".join(filter(None, map(_said, _writers(package)))),
        published=next(_days(package), ""),
        language=next(languages, "")[:2].lower(),
    )


def _days(package: Element) -> Iterator[str]:
    """Yield when the book was made and published, but not when it was changed."""
    for date in package.iter("{*}date"):
        found = _DATE.match(_said(date))
        if found and attribute(date, "event") != "modification":
            yield found[0]


def _writers(package: Element) -> Iterator[Element]:
    """Yield who made the book, but for those who are said to have done something else."""
    for creator in package.iter("{*}creator"):
        if attribute(creator, "role") in {"", "aut"}:
            yield creator


def _said(element: Element) -> str:
    return " ".join("".join(inner_text(element)).split())


def _nav_links(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield where the entries of the contents of EPUB 3 lead, and their names."""
    lists = parse_html(decode(data)).iter("nav") if data.strip() else ()
    contents = (each for each in lists if "toc" in each.get("epub:type", "").split())
    chosen = next(contents, None)
    for link in chosen.iter("a") if chosen is not None else ():
        yield link.get("href", ""), _said(link)


def _ncx_links(root: Element | None) -> Iterator[tuple[str, str]]:
    """Yield the same of EPUB 2."""
    for point in root.iter("{*}navPoint") if root is not None else ():
        label, content = point.find("{*}navLabel"), point.find("{*}content")
        if label is not None and content is not None:
            yield attribute(content, "src"), _said(label)


_BEGIN, _END = "\ue000", "\ue001"
"""Around the number of an entry, at its beginning in the tree; nobody else's signs."""
_ENTRY = re.compile(f"{_BEGIN}(\\d{{1,6}}){_END}")
_SIGNS = re.compile(r"(?:^|\n)(#{1,6} )$")
_SPACE = re.compile(r"\s*")
_LOWER = {f"h{level}": f"h{level + 1}" for level in range(1, 6)}
_LETTERS = re.compile(r"[\W_]+")
_OF_CELLS = frozenset({"tr", "tbody", "thead"})
_NEVER_WRITTEN = frozenset({"br", "svg", "math", "object", "audio", "video"})
"""Elements that are left out with all in them: what begins there, begins after them."""


@dataclass(slots=True)
class _Text:
    """The text of a book as far as it has been read, and where the entries of its contents are."""

    pieces: list[str] = field(default_factory=list[str])
    marks: list[Mark] = field(default_factory=list[Mark])
    length: int = 0

    @property
    def joined(self) -> str:
        return "".join(self.pieces)

    def add(self, root: Element, places: Mapping[str, str]) -> None:
        """Add the part at ``root``, in which the contents name ``places`` by their ids."""
        labels = list(places.values())
        _prepare(root, {place: number for number, place in enumerate(places)})
        text, starts = _taken_out(render(root))
        if not text:
            return
        if self.length:
            self._put("\n\n")
        at = 0
        for start, number in starts:
            if number < len(labels):
                self._put(text[at:start])
                self.marks.append(Mark(start=self.length, label=labels[number]))
                self._put("## " if _is_bare_heading(text, start, labels[number]) else "")
                at = start
        self._put(text[at:])

    def _put(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)


def _prepare(root: Element, numbers: Mapping[str, int]) -> None:
    """Make the tree of a part ready to be written, with the beginnings of entries marked in it.

    Args:
        root: That of the tree.
        numbers: Those of the entries, by the id of where they begin.
    """
    drop_hidden(root)
    drop_all(root, ("nav",))
    for element in root.iter(*_LOWER):
        element.tag = _LOWER[str(element.tag)]
    spread_spans(root)
    ids = dict(numbers)
    whole, body = ids.pop("", None), root.find("body")
    if ids:
        _begin_at(ids, root)
    if whole is None:  # an id that nothing has leads to the top of the part
        whole = next(iter(ids.values()), None)
    if whole is not None and body is not None:
        _begin(body, whole)


def _begin_at(ids: dict[str, int], root: Element) -> None:
    """Mark where entries begin, each at the first element with its id, by which it is taken out."""
    for element in root.iter():
        place = element.get("id", "") or element.get("name", "")
        if place in ids:
            _begin(_first_written(element), ids.pop(place))


def _first_written(element: Element) -> Element:
    """Return the first cell of a row or a table, for only in cells anything of it is written."""
    if element.tag not in _OF_CELLS:
        return element
    return next(element.iter("td", "th"), element)


def _begin(element: Element, number: int) -> None:
    sign = f"{_BEGIN}{number}{_END}"
    if element.tag in _NEVER_WRITTEN:
        element.tail = sign + (element.tail or "")
    else:
        element.text = sign + (element.text or "")


def _taken_out(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return ``text`` without the beginnings of entries, and where each was, with its number.

    One within a heading is at the number signs of that.
    """
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []
    at = length = 0
    before = ""
    for found in _ENTRY.finditer(text):
        if found.start() > at:
            pieces.append(text[at : found.start()])
            length += found.start() - at
            before = pieces[-1]
        signs = _SIGNS.search(before[-8:])
        starts.append((length - len(signs[1]) if signs else length, int(found[1])))
        at = found.end()
        if not before or before.endswith("\n"):
            at = _end_of(_SPACE, text, at)
    pieces.append(text[at:])
    return "".join(pieces), starts


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _is_bare_heading(text: str, start: int, label: str) -> bool:
    """Whether the line at ``start`` is what the contents call this place, and no heading yet."""
    line = text[start : start + 2 * _LABEL_CHARS].partition("\n")[0]
    if line.startswith("#") or text[max(0, start - 1) : start] not in ("", "\n"):
        return False
    return _LETTERS.sub("", line).casefold() == _LETTERS.sub("", label).casefold()
