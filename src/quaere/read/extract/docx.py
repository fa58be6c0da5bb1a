"""Word documents in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.docx_unseen import drop_unseen
from quaere.read.extract.office import Parts, attribute, opened, table_lines, whole
from quaere.read.extract.page import text_page
from quaere.read.formats import Format
from quaere.text.markup import Element, local_name
from quaere.text.raised import raised

_MAIN = re.compile(r"word/document\d*\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_HEADER = re.compile(r"word/header\d*\.xml")
_STYLES = "word/styles.xml"
# Deleted and moved-away text, and the second copy of a drawing for old readers.
_HIDDEN = frozenset({"del", "moveFrom", "Fallback", "pPr", "rPr", "tblPr", "sectPr"})
LEVEL = re.compile(r"heading ([1-6])$|(title)$", re.IGNORECASE)
"""Of the name of a style of headings."""


class DocxExtractor:
    """Reads DOCX; headings become ``# Heading`` lines and table rows ``| a | b |``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``too_large`` for a document that unpacks to more than it may, ``encrypted``,
                ``broken`` for a damaged one, ``empty`` for one without text.
        """
        with opened(body, "a word processor") as parts:
            blocks = list(_document(parts, cites=body.with_citations))
            title, about = parts.about()
        yield text_page(body, Format.DOCX, "\n\n".join(blocks), blocks, title=title, **about)


def _document(parts: Parts, *, cites: bool) -> Iterator[str]:
    main = next(filter(_MAIN.fullmatch, parts.names), "")
    told = parts.root(_STYLES)
    styles = _styles(told)
    headers = [
        each for each in map(parts.root, filter(_HEADER.fullmatch, parts.names)) if each is not None
    ]
    for name in (main, *_NOTES):
        if (root := parts.root(name)) is not None:
            drop_unseen(root, told, headers)
            if cites:
                _write_citations(root, _targets(parts, name))
            else:
                _raise_figures(root)
            yield from _blocks(root, styles)


def _targets(parts: Parts, name: str) -> Mapping[str, str]:
    """Return the addresses of the links in the part ``name``, by their ids."""
    folder, _, file = name.rpartition("/")
    root = parts.root(f"{folder}/_rels/{file}.rels")
    return {
        attribute(link, "Id"): attribute(link, "Target")
        for link in (root.iter("{*}Relationship") if root is not None else ())
        if attribute(link, "Type").endswith("/hyperlink")
    }


_ITS_NOTES = {"footnoteReference": "", "endnoteReference": "end-"}
"""What refers to a note, and what its number begins with: both kinds are counted from 1."""
_NOTES_THEMSELVES = {"footnote": "", "endnote": "end-"}


def _write_citations(root: Element, targets: Mapping[str, str]) -> None:
    """Write links, raised numbers and notes as Markdown does; text is then shown as it is."""
    for element in root.iter():
        name = local_name(element)
        if name == "hyperlink":
            _write_link(element, targets.get(attribute(element, "id"), ""))
        elif name == "r" and _is_raised(element):
            _enclose(element, "<sup>", "</sup>")
        elif name in _ITS_NOTES:
            _become_text(element, f"[^{_ITS_NOTES[name]}{attribute(element, 'id')}]")
        elif name in _NOTES_THEMSELVES:
            _enclose(element, f"[^{_NOTES_THEMSELVES[name]}{attribute(element, 'id')}]: ", "")


def _write_link(element: Element, address: str) -> None:
    """Write a link, unless Markdown has no way to write its ``address``."""
    if address and not any(map(str.isspace, address)):
        _enclose(element, "[", f"]({address})")


def _raise_figures(root: Element) -> None:
    """Write what stands raised in raised figures."""
    for run in filter(_is_raised, root.iter("{*}r")):
        for text in run.iter("{*}t"):
            text.text = raised(text.text or "")


def _is_raised(run: Element) -> bool:
    return attribute(run.find("{*}rPr/{*}vertAlign"), "val") == "superscript"


def _become_text(element: Element, text: str) -> None:
    element.tag, element.text = "t", text


def _enclose(element: Element, before: str, after: str) -> None:
    """Write ``before`` and ``after`` around the text in ``element``, where it has any."""
    texts = list(element.iter("{*}t"))
    if texts:
        texts[0].text = before + (texts[0].text or "")
        texts[-1].text = (texts[-1].text or "") + after


_ITEM = "- "


def _styles(root: Element | None) -> Mapping[str, str]:
    """Return what the paragraphs of a style begin with, by its id: marks of a heading or an item.

    The ids are in the language of the writer's Word.
    """
    marks: dict[str, str] = {}
    for style in root.iter("{*}style") if root is not None else ():
        found = LEVEL.match(attribute(style.find("{*}name"), "val"))
        if found:
            marks[attribute(style, "styleId")] = "#" * int(found[1] or 1) + " "
        elif style.find("{*}pPr/{*}numPr") is not None:
            marks[attribute(style, "styleId")] = _ITEM
    return marks


_MOST_COLUMNS = 60
"""Of a table in Word."""


def _blocks(parent: Element, styles: Mapping[str, str]) -> Iterator[str]:
    for child in parent:
        name = local_name(child)
        if name == "p":
            if text := _text(child).strip():
                yield _prefix(child, styles) + text
        elif name == "tbl":
            if table := "\n".join(table_lines(_told(child))):
                yield table
        elif name not in _HIDDEN:
            yield from _blocks(child, styles)


def _prefix(paragraph: Element, styles: Mapping[str, str]) -> str:
    style = paragraph.find("{*}pPr/{*}pStyle")
    mark = styles.get(attribute(style, "val"), "") if style is not None else ""
    return mark or (_ITEM if paragraph.find("{*}pPr/{*}numPr") is not None else "")


def _text(element: Element) -> str:
    return "".join(_runs(element))


_SPACES = {"tab": " ", "br": "\n", "cr": "\n"}


def _runs(element: Element) -> Iterator[str]:
    for child in element:
        name = local_name(child)
        if name == "t":
            yield child.text or ""
        elif name in _SPACES:
            yield _SPACES[name]
        elif name == "p":
            yield f"\n{_text(child)}"
        elif name not in _HIDDEN:
            yield from _runs(child)


def _told(table: Element) -> Iterator[list[str]]:
    """Yield what each row of ``table`` says in each column."""
    above: list[str] = []
    for row in table.iter("{*}tr"):
        cells: list[str] = []
        for cell in row:
            if local_name(cell) == "tc":
                cells += _cells(cell, above[len(cells) : len(cells) + 1])
        yield cells
        above = cells


def _cells(cell: Element, above: Sequence[str]) -> list[str]:
    """Return what ``cell`` says in each column that it goes over: it fills the first of several.

    One that goes on from the row ``above`` says what that does.
    """
    merged = cell.find("{*}tcPr/{*}vMerge")
    goes_on = merged is not None and attribute(merged, "val") in {"", "continue"}
    text = above[0] if goes_on and above else " ".join(_text(cell).split())
    span = cell.find("{*}tcPr/{*}gridSpan")
    columns = min(whole(attribute(span, "val"), 1), _MOST_COLUMNS)
    return [text, *[""] * (columns - 1)]
