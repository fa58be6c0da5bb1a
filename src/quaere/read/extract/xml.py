"""XML: its words, a block for each element that holds some, and scholarly articles in JATS.

JATS is the XML in which open archives give full texts (https://jats.nlm.nih.gov/archiving/). Of an
article its title, abstract and body are read; lists of references, notes and formulas are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.page import broken, empty, make_page
from quaere.read.formats import Format
from quaere.text.clean import clean_text
from quaere.text.markup import Element, inner_text, local_name, parse_xml, raise_figures

_CODE = frozenset({"script", "style"})
_TITLES = frozenset({"title", "articletitle", "name", "headline"})
_TAG = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|$)|</?[a-z!][^<>]*>", re.IGNORECASE | re.DOTALL)
_SPACE = re.compile(r"\s+")
_LABELLED_WORDS = 5
"""A value of so few words means little without the name of its element."""


class XmlExtractor:
    """Reads any XML, feeds, drawings and scholarly articles among it."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``broken`` when it is not well-formed or declares entities, ``empty`` when it
                holds no words.
        """
        try:
            root = parse_xml(body.data)
        except ValueError as error:
            raise broken(body, f"cannot be read: {error}") from error
        raise_figures(root)
        if is_article(root):
            yield article(body, root)
            return
        blocks = list(_blocks(root))
        if not blocks:
            raise empty(body)
        title = next((text for name, text in blocks if name.lower() in _TITLES), "")
        text = "\n\n".join(_shown(name, text) for name, text in blocks)
        yield make_page(body, Format.XML, text, title=title)


def _blocks(element: Element) -> Iterator[tuple[str, str]]:
    """Yield (tag, text) of every element with words of its own, its descendants' included."""
    name = local_name(element)
    if not name or name.lower() in _CODE:
        return
    own = (element.text, *(child.tail for child in element))
    if any(text and text.strip() for text in own):
        if text := _plain("".join(inner_text(element, _CODE))):
            yield name, text
        return
    for child in element:
        yield from _blocks(child)


def _plain(text: str) -> str:
    """Return ``text`` on one line, without the HTML that feeds carry in their elements."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    return _SPACE.sub(" ", clean_text(text)).strip()


def _shown(name: str, text: str) -> str:
    short = len(text.split()) <= _LABELLED_WORDS and name.lower() not in _TITLES
    return f"{name}: {text}" if short else text


_LEFT_OUT = frozenset(
    {"ref-list", "fn-group", "fn", "label", "object-id", "disp-formula", "tex-math"}
    | {"supplementary-material", "alternatives", "permissions", "attrib"}
)
_BLOCKS = frozenset({"list", "table-wrap", "fig", "disp-quote", "boxed-text", "def-list"})
"""What may stand within a paragraph and is one of its own."""
_MAX_LEVEL = 6
_MAX_AUTHORS = 20
_DATES = ("epub", "pub", "ppub", "collection", "")
"""Kinds of a date of publication, the one to be taken first first."""
_PARTS_OF_DATE = {"year": range(1000, 10_000), "month": range(1, 13), "day": range(1, 32)}


def is_article(root: Element) -> bool:
    """Return whether ``root`` is an article in JATS."""
    names = {local_name(child) for child in root}
    return local_name(root) == "article" and "front" in names


def article(body: Body, root: Element) -> Page:
    """Return the article at ``root`` as Markdown, with its title, date and authors.

    Raises:
        ReadError: ``empty`` when it has neither an abstract nor a body.
    """
    meta = _at(root, "front", "article-meta")
    title = _text(_at(meta, "title-group", "article-title"))
    blocks = [block for each in _all(meta, "abstract") for block in _abstract(each)]
    for part in _all(root, "body"):
        blocks += _content(part, 1)
    if not blocks:
        raise empty(body)
    return make_page(
        body,
        Format.XML,
        "\n\n".join([f"# {title}", *blocks] if title else blocks),
        title=title,
        author=", ".join(_authors(meta)),
        published=_published(meta),
    )


def _abstract(element: Element) -> Iterator[str]:
    if not _all(element, "title"):
        yield "## Abstract"
    yield from _content(element, 2)


def _content(element: Element, level: int) -> Iterator[str]:
    """Yield the blocks in ``element``, whose own title is a heading of ``level``."""
    for child in element:
        yield from _block(child, level)


def _block(element: Element, level: int) -> Iterator[str]:
    name = local_name(element)
    if not name or name in _LEFT_OUT:
        return
    if name == "sec":
        yield from _content(element, min(level + 1, _MAX_LEVEL))
    elif name == "title":
        if text := _text(element):
            yield f"{'#' * level} {text}"
    elif name == "p":
        yield from _paragraph(element, level)
    elif name == "table-wrap":
        yield from _table(element)
    elif name == "list":
        yield "\n".join(f"- {text}" for item in element if (text := _text(item)))
    else:
        yield from _content(element, level)


def _paragraph(element: Element, level: int) -> Iterator[str]:
    if text := _text(element, left_out=_LEFT_OUT | _BLOCKS):
        yield text
    for child in element:
        if local_name(child) in _BLOCKS:
            yield from _block(child, level)


def _rows(table: Element) -> Iterator[list[str]]:
    for row in table.iter():
        if local_name(row) == "tr":
            cells = (cell for cell in row if local_name(cell) in {"td", "th"})
            yield [_text(cell).replace("|", "/") for cell in cells]


def _table(element: Element) -> Iterator[str]:
    """Yield the caption of a table, and its rows; the first one is its head."""
    for caption in _all(element, "caption"):
        if text := _text(caption):
            yield text
    rows = list(_rows(element))
    lines = [f"| {' | '.join(row)} |" for row in rows if any(row)]
    if lines:
        width = max(map(len, rows))
        yield "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def _authors(meta: Element | None) -> Iterator[str]:
    people = [
        person
        for group in _all(meta, "contrib-group")
        for person in _all(group, "contrib")
        if person.get("contrib-type", "author") == "author"
    ]
    for person in people[:_MAX_AUTHORS]:
        name = _at(person, "name")
        given, family = _text(_at(name, "given-names")), _text(_at(name, "surname"))
        if full := " ".join(filter(None, (given, family))):
            yield full


def _date_of_publication(meta: Element | None) -> Element | None:
    """Return the date that says best when it was published, of those for several forms of it."""
    dated = {
        each.get("pub-type", "") or each.get("date-type", ""): each
        for each in _all(meta, "pub-date")
    }
    return next((dated[kind] for kind in _DATES if kind in dated), None)


def _published(meta: Element | None) -> str:
    """Return the date of publication, as far as it goes."""
    chosen = _date_of_publication(meta)
    told: list[str] = []
    for part, allowed in _PARTS_OF_DATE.items():
        text = _text(_at(chosen, part))
        if not text.isdecimal() or int(text) not in allowed:
            break
        told.append(f"{int(text):02d}")
    return "-".join(told)


def _at(element: Element | None, *path: str) -> Element | None:
    """Return the first element at ``path`` below ``element``."""
    for name in path:
        element = next(iter(_all(element, name)), None)
    return element


def _all(element: Element | None, name: str) -> list[Element]:
    return [] if element is None else [each for each in element if local_name(each) == name]


def _text(element: Element | None, left_out: frozenset[str] = _LEFT_OUT) -> str:
    if element is None:
        return ""
    return _SPACE.sub(" ", clean_text("".join(inner_text(element, left_out)))).strip()
