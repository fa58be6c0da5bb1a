"""Excel workbooks: the sheets that are shown, one after the other, their tables row by row.

Numbers are as a spreadsheet shows them: dates, times, shares, sums of money.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.clean import clean_line
from quaere.read.extract.grids import joined_heads
from quaere.read.extract.markup import Element, inner_text, local_name
from quaere.read.extract.office import about, attribute, opened, part
from quaere.read.extract.page import About, empty, make_page
from quaere.read.formats import Format

MOST_CELLS = 2_000_000
"""Of a workbook; what is beyond is left out."""
_WORKBOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_STRINGS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_AREA = re.compile(f"{_PLACE.pattern}:{_PLACE.pattern}")
_MOST_COLUMNS = 200
"""Of a table; what is further to the right is left out."""
_MAX_MARKS = 100_000

Cells = Mapping[int, str]
"""What the cells of a row say, by column from 0."""


class XlsxExtractor:
    """Reads XLSX; each sheet is a ``## Heading`` with its rows as ``| a | b |`` below."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each row.

        Raises:
            ReadError: ``too_large`` for a workbook that unpacks to more than it may, ``encrypted``,
                ``broken`` for a damaged one, ``empty`` for one in which nothing is shown.
        """
        with opened(body, "a spreadsheet program") as archive:
            sheets = list(_Workbook(body, archive).sheets())
            told = about(body, archive)
        shown = _Text()
        for name, rows in sheets:
            shown.add_sheet(name, rows)
        if not shown.is_filled:
            raise empty(body)
        yield make_page(
            body,
            Format.XLSX,
            "\n".join(shown.lines),
            title=told.get("title", ""),
            marks=shown.marks[:_MAX_MARKS],
            **About(
                author=told.get("creator", ""),
                published=(told.get("modified") or told.get("created") or "")[:10],
            ),
        )


class _Workbook:
    """What is read out of the parts of an archive."""

    def __init__(self, body: Body, archive: zipfile.ZipFile) -> None:
        self._body, self._archive = body, archive
        self._strings = [clean_line("".join(_said(each))) for each in self._all(_STRINGS, "si")]
        self._formats = self._read_formats()
        self._left = MOST_CELLS
        settings = next(iter(self._all(_WORKBOOK, "workbookPr")), None)
        counted = attribute(settings, "date1904")
        self._since_1904 = counted in {"1", "true"}

    def _all(self, name: str, tag: str) -> list[Element]:
        root = part(self._body, self._archive, name)
        return [] if root is None else list(root.iter(f"{{*}}{tag}"))

    def _read_formats(self) -> list[CellFormat]:
        """Return the format of each style of cells, in the order by which cells name them."""
        root = part(self._body, self._archive, _STYLES)
        if root is None:
            return []
        custom = {
            int(attribute(each, "numFmtId")): attribute(each, "formatCode")
            for each in root.iter("{*}numFmt")
            if attribute(each, "numFmtId").isdecimal()
        }
        styles = root.find("{*}cellXfs")
        told = (attribute(each, "numFmtId") for each in (styles if styles is not None else ()))
        return [format_of(int(n) if n.isdecimal() else 0, custom) for n in told]

    def sheets(self) -> Iterator[tuple[str, dict[int, Cells]]]:
        """Yield the name of each sheet that is shown, and its rows by number."""
        targets = {
            attribute(link, "Id"): attribute(link, "Target")
            for link in self._all(_LINKS, "Relationship")
        }
        for sheet in self._all(_WORKBOOK, "sheet"):
            target = targets.get(_link(sheet), "")
            if attribute(sheet, "state") not in {"hidden", "veryHidden"} and target:
                name = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
                root = part(self._body, self._archive, name)
                if root is not None:
                    yield clean_line(attribute(sheet, "name")), self._rows(root)

    def _rows(self, root: Element) -> dict[int, Cells]:
        rows: dict[int, dict[int, str]] = {}
        number = 0
        for row in root.iter("{*}row"):
            told = attribute(row, "r")
            number = int(told) if told.isdecimal() else number + 1
            rows[number] = dict(self._cells(row))
            if self._left <= 0:
                break
        for merged in root.iter("{*}mergeCell"):
            _fill_down(rows, attribute(merged, "ref"))
        return {number: rows[number] for number in sorted(rows)}

    def _cells(self, row: Element) -> Iterator[tuple[int, str]]:
        at = -1
        for cell in row:
            if local_name(cell) != "c":
                continue
            place = _PLACE.fullmatch(attribute(cell, "r"))
            at = _column(place[1]) if place else at + 1
            text = self._shown(cell)
            if text and self._left > 0:
                self._left -= 1
                yield at, text

    def _shown(self, cell: Element) -> str:
        kind = attribute(cell, "t") or "n"
        if kind == "inlineStr":
            return clean_line("".join(_said(cell)))
        value = cell.find("{*}v")
        told = ((value.text if value is not None else "") or "").strip()
        if kind == "s":
            return self._strings[int(told)] if _is_below(told, len(self._strings)) else ""
        if kind == "b":
            return {"1": "yes", "0": "no"}.get(told, "")
        return self._number(told, attribute(cell, "s")) if kind == "n" else clean_line(told)

    def _number(self, told: str, style: str) -> str:
        try:
            value = float(told)
        except ValueError:
            return ""
        known = _is_below(style, len(self._formats))
        form = self._formats[int(style)] if known else CellFormat()
        return form.shown(value, since_1904=self._since_1904)


def _link(sheet: Element) -> str:
    """Return the id of what a sheet is linked to: the attribute that is in a namespace."""
    return next((v for k, v in sheet.items() if k.startswith("{") and k.endswith("}id")), "")


def _is_below(number: str, end: int) -> bool:
    return number.isdecimal() and int(number) < end


def _said(element: Element) -> Iterator[str]:
    """Yield the text of a string, but not how it is read aloud."""
    return inner_text(element, left_out={"rph", "phoneticpr"})


def _column(letters: str) -> int:
    at = 0
    for letter in letters:
        at = 26 * at + ord(letter) - ord("A") + 1
    return at - 1


def _fill_down(rows: dict[int, dict[int, str]], area: str) -> None:
    """Write in each row of a merged ``area`` what its first one says."""
    corners = _AREA.fullmatch(area)
    if corners is None:
        return
    at, first, last = _column(corners[1]), int(corners[2]), int(corners[4])
    text = rows.get(first, {}).get(at, "")
    for number in range(first + 1, last + 1) if text else ():
        if rows.get(number):
            rows[number].setdefault(at, text)


@dataclass(slots=True)
class _Text:
    """The lines of a page as they are written, and where its rows begin."""

    lines: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    is_filled: bool = False
    """Whether any cell is shown."""
    _at: int = 0

    def add_sheet(self, name: str, rows: Mapping[int, Cells]) -> None:
        """Write the rows of a sheet below its name; one without any is left out."""
        filled = {number: cells for number, cells in rows.items() if cells}
        if not filled:
            return
        self.is_filled = True
        self._write(f"## {name}")  # the first level is the title of a page
        for block in _blocks(filled):
            self._write("")
            for number, line in _lines(block):
                self.marks.append(Mark(start=self._at, label=f"{name} row {number}"))
                self._write(line)
        self._write("")

    def _write(self, line: str) -> None:
        self.lines.append(line)
        self._at += len(line) + 1


def _blocks(rows: Mapping[int, Cells]) -> Iterator[dict[int, Cells]]:
    """Yield what stands together: rows without an empty one between, columns likewise."""
    for own in _with_feet(_runs(rows)):
        for columns in _stretches(own):
            part_of = {n: {at: c[at] for at in columns if at in c} for n, c in own.items()}
            yield {number: cells for number, cells in part_of.items() if cells}


def _runs(rows: Mapping[int, Cells]) -> Iterator[dict[int, Cells]]:
    """Yield the rows between one empty row and the next."""
    for _, together in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
        yield {number: rows[number] for _, number in together}


def _with_feet(runs: Iterable[dict[int, Cells]]) -> list[dict[int, Cells]]:
    """Return ``runs``, a single row under the columns of the table above it as one of its rows.

    Such is the total, below an empty row.
    """
    found: list[dict[int, Cells]] = []
    for run in runs:
        (cells, *more), above = run.values(), found[-1] if found else {}
        used = {at for row in above.values() for at in row}
        if not more and len(cells) > 1 and len(above) > 1 and cells.keys() <= used:
            above.update(run)
        else:
            found.append(run)
    return found


def _stretches(rows: Mapping[int, Cells]) -> list[list[int]]:
    """Return the columns of each table of ``rows``, of several that are side by side."""
    used = sorted({at for cells in rows.values() for at in cells})[:_MOST_COLUMNS]
    together = groupby(enumerate(used), key=lambda pair: pair[1] - pair[0])
    parts = [[at for _, at in pairs] for _, pairs in together]
    return parts if all(len(columns) > 1 for columns in parts) else [used]


def _lines(block: Mapping[int, Cells]) -> Iterator[tuple[int, str]]:
    """Yield the lines of ``block`` with the numbers of their rows; what is alone in one is prose.

    That is so over a table and below it; within, it is a row: the heading of those after it.
    """
    columns = sorted({at for cells in block.values() for at in cells})
    block = _with_heads_in_one(block, columns)
    wide = [number for number, cells in block.items() if len(cells) > 1]
    for number, cells in block.items():
        within = bool(wide) and wide[0] <= number <= wide[-1]
        if number in wide[:1] and next(iter(block)) != number:
            yield number, ""
        yield number, _row(cells, columns) if within else " ".join(cells.values())
        if number in wide[-1:] and list(block)[-1] != number:
            yield number, ""


def _with_heads_in_one(block: Mapping[int, Cells], columns: Sequence[int]) -> Mapping[int, Cells]:
    """Return ``block`` with heads that are in two rows in the second one alone."""
    wide = [number for number, cells in block.items() if len(cells) > 1][:2]
    told = [[block[number].get(at, "") for at in columns] for number in wide]
    heads = joined_heads(*told) if len(told) == 2 else None
    if heads is None:
        return block
    joined = {at: head for at, head in zip(columns, heads, strict=True) if head}
    rest = {number: cells for number, cells in block.items() if number != wide[0]}
    return {**rest, wide[1]: joined}


def _row(cells: Cells, columns: Sequence[int]) -> str:
    return f"| {' | '.join(cells.get(at, '').replace('|', '/') for at in columns)} |"


_BUILT_IN: Mapping[int, str] = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm",
    21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00",
    40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
}  # fmt: skip
"""Codes of the formats that no file spells out (ECMA-376, part 1, 18.8.30)."""
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.')
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]|([£$€¥])")
_BRACKETS = re.compile(r"\[[^\]]*\]")
_DECIMALS = re.compile(r"[0#?]\.([0#?]+)")
_PLACES = re.compile(r"[0#?]")
_EPOCH, _EPOCH_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - of no zone
_MOST_DAYS = 2_958_465
"""The last day that a spreadsheet knows, in the year 9999."""
_OF_DATES, _OF_TIMES = frozenset("yd"), frozenset("hs")
"""Letters of the codes of dates, and of times."""
_DIGITS = ".15g"
"""A number has no more digits that mean anything."""


class _Shown(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    MOMENT = "date and time"
    SPAN = "hours"


@dataclass(frozen=True)
class CellFormat:
    """One format of numbers, by its code."""

    code: str = ""
    """As "#,##0.00"; empty for what is shown as it is."""

    @cached_property
    def _plain(self) -> str:
        """The code for numbers over zero, without words and colours."""
        code = self.code.partition(";")[0]
        return _BRACKETS.sub("", _LITERAL.sub("", code)).lower()

    @cached_property
    def _shown(self) -> _Shown:
        is_span = "[h" in self.code.lower()
        is_time = is_span or not _OF_TIMES.isdisjoint(self._plain)
        if not _OF_DATES.isdisjoint(self._plain):
            return _Shown.MOMENT if is_time else _Shown.DATE
        if is_span:
            return _Shown.SPAN
        return _Shown.TIME if is_time else _Shown.NUMBER

    def shown(self, value: float, *, since_1904: bool = False) -> str:
        """Return ``value`` as a reader of the sheet sees it; dates are told year first.

        Args:
            value: As it is kept: of dates the days since 1900, of times the share of a day.
            since_1904: Whether days are counted from 1904.
        """
        if self._shown is _Shown.NUMBER or not 0 <= value < _MOST_DAYS:
            return self._number(value)
        moment = (_EPOCH_OF_1904 if since_1904 else _EPOCH) + timedelta(
            seconds=round(value * 86_400)
        )
        ways: Mapping[_Shown, Callable[[], str]] = {
            _Shown.DATE: lambda: f"{moment:%Y-%m-%d}",
            _Shown.MOMENT: lambda: f"{moment:%Y-%m-%d %H:%M}",
            _Shown.TIME: lambda: f"{moment:%H:%M}",
            _Shown.SPAN: lambda: _hours(value),
        }
        return ways[self._shown]()

    def _number(self, value: float) -> str:
        if not self._plain or not _PLACES.search(self._plain):
            return f"{value:{_DIGITS}}"
        is_share = "%" in self._plain
        digits = f"{abs(value) * (100 if is_share else 1):{self._layout}}"
        return f"{'-' if value < 0 else ''}{self._with_currency(digits)}{'%' if is_share else ''}"

    @cached_property
    def _layout(self) -> str:
        decimals = _DECIMALS.search(self._plain)
        thousands = "," if "," in self._plain else ""
        return f"{thousands}.{len(decimals[1]) if decimals else 0}f"

    def _with_currency(self, digits: str) -> str:
        code = self.code.partition(";")[0]
        found = _CURRENCY.search(code)
        if not found or not (sign := (found[1] or found[2] or "").strip()):
            return digits
        figure = _PLACES.search(code)
        leads = figure is None or found.start() < figure.start()
        return f"{sign}{digits}" if leads else f"{digits} {sign}"


def _hours(value: float) -> str:
    minutes = round(value * 1440)
    return f"{minutes // 60}:{minutes % 60:02}"


def format_of(number: int, custom: Mapping[int, str]) -> CellFormat:
    """Return the format of that ``number``: one of the file's ``custom`` codes, or a known one."""
    return CellFormat(custom.get(number, "") or _BUILT_IN.get(number, ""))
