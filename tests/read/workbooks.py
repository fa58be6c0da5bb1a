"""Builds small Excel workbooks, part by part."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Cell = str | float | tuple[float, int] | None
"""Words, a number, a number in the style of that place, or nothing."""

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_LINKS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def workbook(
    sheets: Mapping[str, Sequence[Sequence[Cell]]],
    *,
    codes: Sequence[str] = (),
    hidden: Sequence[str] = (),
    merged: Sequence[str] = (),
    title: str = "",
    numbered: bool = True,
) -> bytes:
    """Return a workbook.

    Args:
        sheets: The rows of each sheet by its name.
        codes: Formats of numbers; the style of a cell names one by its place.
        hidden: Names of the sheets that are not shown.
        merged: Areas that are merged in each sheet.
        title: Its own title.
        numbered: Whether rows and cells say where they are.
    """
    strings: dict[str, int] = {}
    parts: dict[str, str] = {}
    listed, links = list[str](), list[str]()
    for number, (name, rows) in enumerate(sheets.items(), 1):
        data = "".join(_row(at, row, strings) for at, row in enumerate(rows, 1))
        data = data if numbered else re.sub(r' r="\w+"', "", data)
        areas = "".join(f'<mergeCell ref="{area}"/>' for area in merged)
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f"<worksheet {_MAIN}><sheetData>{data}</sheetData>"
            f"<mergeCells>{areas}</mergeCells></worksheet>"
        )
        state = ' state="hidden"' if name in hidden else ""
        listed.append(f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="r{number}"{state}/>')
        links.append(f'<Relationship Id="r{number}" Target="worksheets/sheet{number}.xml"/>')
    parts["xl/workbook.xml"] = (
        f"<workbook {_MAIN} {_LINKS}><sheets>{''.join(listed)}</sheets></workbook>"
    )
    parts["xl/_rels/workbook.xml.rels"] = (
        f"<Relationships {_PACKAGE}>{''.join(links)}</Relationships>"
    )
    told = "".join(f"<si><t>{escape(text)}</t></si>" for text in strings)
    parts["xl/sharedStrings.xml"] = f"<sst {_MAIN}>{told}</sst>"
    known = "".join(
        f'<numFmt numFmtId="{200 + at}" formatCode={quoteattr(code)}/>'
        for at, code in enumerate(codes)
    )
    styles = "".join(f'<xf numFmtId="{200 + at}"/>' for at in range(len(codes)))
    parts["xl/styles.xml"] = (
        f"<styleSheet {_MAIN}><numFmts>{known}</numFmts><cellXfs>{styles}</cellXfs></styleSheet>"
    )
    parts["docProps/core.xml"] = (
        '<cp:coreProperties xmlns:cp="c" xmlns:dc="d">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>Mara Lind</dc:creator>"
        "</cp:coreProperties>"
    )
    return zipped(parts)


def zipped(parts: Mapping[str, str]) -> bytes:
    """Return an archive of ``parts`` by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def _row(number: int, row: Sequence[Cell], strings: dict[str, int]) -> str:
    cells = (_cell(f"{chr(65 + at)}{number}", cell, strings) for at, cell in enumerate(row))
    return f'<row r="{number}">{"".join(cells)}</row>'


def _cell(place: str, cell: Cell, strings: dict[str, int]) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        at = strings.setdefault(cell, len(strings))
        return f'<c r="{place}" t="s"><v>{at}</v></c>'
    value, style = cell if isinstance(cell, tuple) else (cell, None)
    styled = "" if style is None else f' s="{style}"'
    return f'<c r="{place}"{styled}><v>{value}</v></c>'
