"""The long form of a report as a Word document."""

from __future__ import annotations

import io
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

MONOSPACED = "Courier New"
DEEPEST = 4
"""Headings below this level look like it."""


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
    word.core_properties.language = document.language
    _turn(word.add_heading(document.title, level=0))
    _line(word.add_paragraph(), document.summary)
    for section in document.sections:
        _section(word, section, 1)
    written = io.BytesIO()
    word.save(written)
    return written.getvalue()


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
    for row in table.rows:
        for cell, line in zip(made.add_row().cells, row, strict=True):
            _line(cell.paragraphs[0], line)


def _source(word: Word, source: Source) -> None:
    entry = word.add_paragraph()
    entry.add_run(f"[{source.number}] {source.title}").bold = True
    place = " ".join(filter(None, (source.href or source.file, source.place)))
    entry.add_run(f" {place}" if place else "")
    _turn(entry)
    _turn(word.add_paragraph(source.quote, style="Intense Quote"))
    if source.facts:
        word.add_paragraph("; ".join(source.facts))


def _line(paragraph: WordParagraph, line: Line) -> None:
    for part in line:
        if isinstance(part, Marker):
            paragraph.add_run(f"[{part.number}]").font.superscript = True
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
    for run in paragraph.runs:
        run.font.rtl = True


def _properties(paragraph: WordParagraph) -> BaseOxmlElement:
    return cast("CT_P", paragraph.paragraph_format.element).get_or_add_pPr()


def _append(to: BaseOxmlElement, xml: str) -> None:
    """Append the element ``xml``, which has a place for the names of its language, to ``to``."""
    from docx.oxml import parse_xml  # noqa: PLC0415 - an extra
    from docx.oxml.ns import nsdecls  # noqa: PLC0415 - likewise

    to.append(parse_xml(xml.format(nsdecls("w"))))  # pyright: ignore[reportUnknownMemberType]
