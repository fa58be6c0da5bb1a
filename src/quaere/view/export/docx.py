"""The long form of a report as a Word document."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING, cast

from quaere.errors import UsageError
from quaere.view.export.document import (
    Block,
    Bullets,
    Code,
    Document,
    Line,
    Marker,
    Paragraph,
    Section,
    Source,
    Table,
    Tone,
    runs_leftwards,
)

if TYPE_CHECKING:
    from docx.document import Document as Word
    from docx.oxml.text.paragraph import CT_P
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.text.paragraph import Paragraph as WordParagraph
    from docx.text.run import Run

MONOSPACED = "Courier New"
DEEPEST = 4
"""Headings below this level look like it."""
MAX_PROPERTY = 255
"""Characters that a property of a document may have."""
_SOURCE = "source_"
"""What the name of a place in a document that a marker leads to begins with."""
_HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
_QUOTED_PART = "#:~:text="
"""What leads a browser to quoted words, and nobody reads in an address."""


def docx(document: Document) -> bytes:
    """Return ``document`` as the bytes of a .docx file.

    Raises:
        UsageError: when the library is not installed.
    """
    try:
        from docx import api  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageError("Word documents need an extra: pip install 'quaere[docx]'.") from None
    word = api.Document()
    _describe(word, document)
    _turn(word.add_heading(document.title, level=0))
    _line(word.add_paragraph(), document.summary)
    for section in document.sections:
        _section(word, section, 1)
    written = io.BytesIO()
    word.save(written)
    return written.getvalue()


def _describe(word: Word, document: Document) -> None:
    """Say what ``word`` is, where libraries of documents look; its template speaks of itself."""
    about = word.core_properties
    about.language, about.title = document.language, document.title[:MAX_PROPERTY]
    about.author = about.last_modified_by = "Quaere"
    about.comments = ""
    if document.written:
        about.created = about.modified = datetime.fromisoformat(document.written)


def _section(word: Word, section: Section, level: int) -> None:
    _turn(word.add_heading(section.title, level=min(level, DEEPEST)))
    for block in section.blocks:
        _block(word, block)
    for part in section.sections:
        _section(word, part, level + 1)


def _block(word: Word, block: Block) -> None:
    match block:
        case Paragraph():
            _line(word.add_paragraph(), block.line)
        case Bullets():
            _bullets(word, block)
        case Code():
            word.add_paragraph().add_run(block.text).font.name = MONOSPACED
            _line(word.add_paragraph(), block.signs)
        case Table():
            _table(word, block)
        case Source():
            _source(word, block)


def _bullets(word: Word, block: Bullets) -> None:
    style = "List Number" if block.numbered else "List Bullet"
    count = _numbering(word, block.first) if block.numbered else None
    for item in block.items:
        paragraph = word.add_paragraph(style=style)
        if count is not None:
            told = f'<w:ilvl w:val="0"/><w:numId w:val="{count}"/>'
            _append(_properties(paragraph), f"<w:numPr {{}}>{told}</w:numPr>")
        _line(paragraph, item)


def _numbering(word: Word, first: int) -> int:
    """Return the id of a new count from ``first``; the one of the style goes through all lists."""
    numbering = word.part.numbering_part.element
    (style,) = word.styles.element.xpath("w:style[w:name/@w:val='List Number']//w:numId/@w:val")
    (kind,) = numbering.xpath(f"w:num[@w:numId={style}]/w:abstractNumId/@w:val")
    number = 1 + max(map(int, numbering.xpath("w:num/@w:numId")))
    begins = f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{first}"/></w:lvlOverride>'
    kept = f'<w:abstractNumId w:val="{kind}"/>'
    _append(numbering, f'<w:num w:numId="{number}" {{}}>{kept}{begins}</w:num>')
    return number


def _table(word: Word, table: Table) -> None:
    from docx.enum.table import WD_TABLE_DIRECTION  # noqa: PLC0415 - an extra

    if table.title:
        caption = word.add_paragraph(table.title, style="Caption")
        caption.paragraph_format.keep_with_next = True
        _turn(caption)
    made = word.add_table(rows=1, cols=len(table.head), style="Light Grid Accent 1")
    if runs_leftwards("".join(table.head)):
        made.table_direction = WD_TABLE_DIRECTION.RTL
    for cell, head in zip(made.rows[0].cells, table.head, strict=True):
        cell.text = head
        _turn(cell.paragraphs[0])
    _keep_row(made.rows[0].cells[0].paragraphs[0], "cantSplit", "tblHeader")
    for row in table.rows:
        cells = made.add_row().cells
        _keep_row(cells[0].paragraphs[0], "cantSplit")
        for cell, line in zip(cells, row, strict=True):
            _line(cell.paragraphs[0], line)


def _keep_row(paragraph: WordParagraph, *ways: str) -> None:
    """Have the row that ``paragraph`` is in stay on one page, or stand on each that follows."""
    (row,) = _element(paragraph).xpath("ancestor::w:tr")
    for way in ways:
        _append(row.get_or_add_trPr(), f"<w:{way} {{}}/>")


def _source(word: Word, source: Source) -> None:
    """Add the entry that markers lead to. A file is named and not linked: nobody else has it."""
    entry = word.add_paragraph()
    _mark(entry, source.number)
    entry.add_run(f"[{source.number}] {source.title}").bold = True
    if source.href:
        entry.add_run(" ")
        address = entry.add_run(source.href.partition(_QUOTED_PART)[0])
        leads_to = entry.part.relate_to(source.href, _HYPERLINK, is_external=True)
        _link(entry, address, f'r:id="{leads_to}"')
    entry.add_run(f" {source.place}" if source.place else "")
    _turn(entry)
    _turn(word.add_paragraph(source.quote, style="Intense Quote"))
    if source.facts:
        word.add_paragraph("; ".join(source.facts))


def _mark(entry: WordParagraph, number: int) -> None:
    """Have markers with ``number`` lead to ``entry``."""
    named = f'w:id="{number}" w:name="{_SOURCE}{number}"'
    for part in (f"<w:bookmarkStart {named} {{}}/>", f'<w:bookmarkEnd w:id="{number}" {{}}/>'):
        _append(_element(entry), part)


def _link(paragraph: WordParagraph, last: Run, leads_to: str) -> None:
    """Have the ``last`` run of ``paragraph`` lead where the attribute ``leads_to`` says."""
    link = _append(_element(paragraph), f'<w:hyperlink {leads_to} w:history="1" {{}}/>')
    link.append(last.font.element)  # pyright: ignore[reportUnknownMemberType]


def _line(paragraph: WordParagraph, line: Line) -> None:
    for part in line:
        if isinstance(part, Marker):
            run = paragraph.add_run(f"[{part.number}]")
            run.font.superscript = True
            _link(paragraph, run, f'w:anchor="{_SOURCE}{part.number}"')
            continue
        run = paragraph.add_run(part.text)
        run.bold = part.tone is Tone.STRONG
        run.italic = part.tone is Tone.DOUBT
        if part.tone is Tone.CODE:
            run.font.name = MONOSPACED
    _turn(paragraph)


def _turn(paragraph: WordParagraph) -> None:
    """Have ``paragraph`` begin on the right where its text runs from there."""
    if not runs_leftwards(paragraph.text):
        return
    _append(_properties(paragraph), "<w:bidi {}/>")
    linked = (run for link in paragraph.hyperlinks for run in link.runs)
    for run in (*paragraph.runs, *linked):
        run.font.rtl = True


def _properties(paragraph: WordParagraph) -> BaseOxmlElement:
    return _element(paragraph).get_or_add_pPr()


def _element(paragraph: WordParagraph) -> CT_P:
    return cast("CT_P", paragraph.paragraph_format.element)


def _append(to: BaseOxmlElement, xml: str) -> BaseOxmlElement:
    """Append the element ``xml``, which has a place for the names of its language, to ``to``."""
    from docx.oxml import parse_xml  # noqa: PLC0415 - an extra
    from docx.oxml.ns import nsdecls  # noqa: PLC0415 - likewise

    element = parse_xml(xml.format(nsdecls("w", "r")))
    to.append(element)  # pyright: ignore[reportUnknownMemberType]
    return element
