"""Word documents in reading order, and the parts of any Office document.

It is an archive of XML, of which only what holds text is unpacked. The sizes that a ZIP archive
declares are not trusted, and damage elsewhere (pictures, relationships) does not matter.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.clean import clean_text
from quaere.read.extract.grids import all_heads, is_amount, is_labelled
from quaere.read.extract.markup import Element, local_name, parse_xml
from quaere.read.extract.page import About, broken, empty, make_page, name_of, title_among
from quaere.read.formats import Format

MAX_PART_BYTES = 50_000_000
"""Of one part, unpacked; a novel's takes some 5 MB."""

_CORE = "docProps/core.xml"
_ENCRYPTED_FLAG = 0x1


@contextmanager
def opened(body: Body, program: str) -> Generator[zipfile.ZipFile]:
    """Open ``body`` as an archive; ``program`` is what its writer can save it again with.

    Raises:
        ReadError: ``broken`` for a damaged one, whatever of it turns out to be.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body.data)) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        message = f"is damaged: {error}; download it again, or open it in {program} and save it"
        raise broken(body, message) from error


def part(body: Body, archive: zipfile.ZipFile, name: str) -> Element | None:
    """Return the root of a part; None when the document has no such part.

    Raises:
        ReadError: ``encrypted``, or ``too_large`` for one that unpacks to more than it may.
        ValueError: when it is not well-formed.
    """
    try:
        info = archive.getinfo(name)
    except KeyError:
        return None
    if info.flag_bits & _ENCRYPTED_FLAG:
        message = f"{name_of(body)} is locked with a password; save it without one"
        raise ReadError(message, status=ReadStatus.ENCRYPTED)
    with archive.open(info) as file:
        data = file.read(MAX_PART_BYTES + 1)
    if max(len(data), info.file_size) > MAX_PART_BYTES:
        message = f"{name_of(body)} unpacks to more than {MAX_PART_BYTES / 1e6:.0f} MB; split it"
        raise ReadError(message, status=ReadStatus.TOO_LARGE)
    return parse_xml(data)


def attribute(element: Element | None, name: str) -> str:
    """Return an attribute whatever its namespace: strict and transitional documents differ.

    Empty where there is none, and where there is no ``element``.
    """
    held = () if element is None else element.items()
    return next((v for k, v in held if k.rpartition("}")[2] == name), "")


def about(body: Body, archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the document's own title, creator and dates by the names of their elements."""
    root = part(body, archive, _CORE)
    return {local_name(field): field.text or "" for field in root} if root is not None else {}


_MAIN = re.compile(r"word/document\d*\.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
# Deleted and moved-away text, and the second copy of a drawing for old readers.
_HIDDEN = frozenset({"del", "moveFrom", "Fallback", "pPr", "rPr", "tblPr", "sectPr"})
_LEVEL = re.compile(r"heading ([1-6])$|(title)$", re.IGNORECASE)


class DocxExtractor:
    """Reads DOCX; headings become ``# Heading`` lines and table rows ``| a | b |``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``too_large`` for a document that unpacks to more than it may, ``encrypted``,
                ``broken`` for a damaged one, ``empty`` for one without text.
        """
        with opened(body, "a word processor") as archive:
            blocks = list(_document(body, archive))
            told = about(body, archive)
        text = clean_text("\n\n".join(blocks)).strip()
        if not text:
            raise empty(body)
        headings = [block for block in blocks if block.startswith("#")]
        title = told.pop("title", "") or title_among(headings, opens=blocks[0].startswith("#"))
        yield make_page(body, Format.DOCX, text, title=title, **_known(told))


def _document(body: Body, archive: zipfile.ZipFile) -> Iterator[str]:
    main = next((name for name in archive.namelist() if _MAIN.fullmatch(name)), "")
    styles = _styles(part(body, archive, _STYLES))
    for name in (main, *_NOTES):
        if (root := part(body, archive, name)) is not None:
            if body.with_citations:
                _write_citations(root, _targets(part(body, archive, _links_of(name))))
            yield from _blocks(root, styles)


def _links_of(name: str) -> str:
    """Return the part that has the addresses to which the part ``name`` links."""
    folder, _, file = name.rpartition("/")
    return f"{folder}/_rels/{file}.rels"


def _targets(root: Element | None) -> Mapping[str, str]:
    """Return the addresses of links by their id."""
    links = root.iter("{*}Relationship") if root is not None else ()
    return {
        attribute(link, "Id"): attribute(link, "Target")
        for link in links
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
            address = targets.get(attribute(element, "id"), "")
            if address and not any(map(str.isspace, address)):
                _enclose(element, "[", f"]({address})")
        elif name == "r" and attribute(element.find("{*}rPr/{*}vertAlign"), "val") == "superscript":
            _enclose(element, "<sup>", "</sup>")
        elif name in _ITS_NOTES:
            _become_text(element, f"[^{_ITS_NOTES[name]}{attribute(element, 'id')}]")
        elif name in _NOTES_THEMSELVES:
            _enclose(element, f"[^{_NOTES_THEMSELVES[name]}{attribute(element, 'id')}]: ", "")


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
        found = _LEVEL.match(attribute(style.find("{*}name"), "val"))
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
            if table := "\n".join(_rows(child)):
                yield table
        elif name not in _HIDDEN:
            yield from _blocks(child, styles)


def _prefix(paragraph: Element, styles: Mapping[str, str]) -> str:
    style = paragraph.find("{*}pPr/{*}pStyle")
    mark = styles.get(attribute(style, "val"), "") if style is not None else ""
    return mark or (_ITEM if paragraph.find("{*}pPr/{*}numPr") is not None else "")


def _text(element: Element) -> str:
    return "".join(_runs(element))


def _runs(element: Element) -> Iterator[str]:
    for child in element:
        name = local_name(child)
        if name == "t":
            yield child.text or ""
        elif name == "tab":
            yield " "
        elif name in ("br", "cr"):
            yield "\n"
        elif name == "p":
            yield f"\n{_text(child)}"
        elif name not in _HIDDEN:
            yield from _runs(child)


def _rows(table: Element) -> Iterator[str]:
    """Yield the rows of ``table``, the heads of several rows in one."""
    rows = [cells for cells in _told(table) if any(cells)]
    heads, used = all_heads(rows) if rows else ([], 0)
    if not any(is_amount(cell) for cells in rows[used:] for cell in cells[1:]):
        used = 0  # a form, or a table of words
    begun = [heads] if used else []
    if len(rows) > 1 and is_labelled(rows[0]):
        begun, used = [["", ""]], 0  # nothing heads it
    for cells in begun + rows[used:]:
        yield f"| {' | '.join(cells)} |"


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
    columns = attribute(span, "val")
    return [text, *[""] * (min(int(columns), _MOST_COLUMNS) - 1 if columns.isdecimal() else 0)]


def _known(told: Mapping[str, str]) -> About:
    date = told.get("modified") or told.get("created") or ""
    return About(
        author=told.get("creator", ""), published=date[:10], language=told.get("language", "")[:2]
    )
