"""Excel workbooks: the sheets that are shown, with their numbers as a spreadsheet shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.cell_formats import CellFormat, format_of
from quaere.read.extract.office import Parts, attribute, linked, opened, whole
from quaere.read.extract.sheets import MOST_CELLS, Cells, fill_down, sheets_page
from quaere.read.extract.xlsx_unseen import (
    Look,
    filtered_rows,
    has_own_colours,
    hidden_columns,
    hides,
    looks,
)
from quaere.read.formats import Format
from quaere.text.clean import clean_line
from quaere.text.markup import Element, inner_text, local_name

_WORKBOOK = "xl/workbook.xml"
_STRINGS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_AREA = re.compile(f"{_PLACE.pattern}:{_PLACE.pattern}")


class XlsxExtractor:
    """Reads XLSX; each sheet is a ``## Heading`` with its rows as ``| a | b |`` below."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each row.

        Raises:
            ReadError: ``too_large`` for a workbook that unpacks to more than it may, ``encrypted``,
                ``broken`` for a damaged one, ``empty`` for one in which nothing is shown.
        """
        with opened(body, "a spreadsheet program") as parts:
            sheets = list(_Workbook(parts).sheets())
            title, about = parts.about()
        yield sheets_page(body, Format.XLSX, sheets, title=title, **about)


class _Workbook:
    """What is read out of the parts of an archive."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._strings = self._all(_STRINGS, "si")
        self._said: dict[tuple[str, Look], str] = {}
        self._formats = self._read_formats()
        self._looks = looks(self._parts.root(_STYLES))
        self._left = MOST_CELLS
        settings = next(iter(self._all(_WORKBOOK, "workbookPr")), None)
        counted = attribute(settings, "date1904")
        self._since_1904 = counted in {"1", "true"}

    def _all(self, name: str, tag: str) -> list[Element]:
        root = self._parts.root(name)
        return [] if root is None else list(root.iter(f"{{*}}{tag}"))

    def _read_formats(self) -> list[CellFormat]:
        """Return the format of each style of cells, in the order by which cells name them."""
        root = self._parts.root(_STYLES)
        if root is None:
            return []
        custom = {
            whole(attribute(each, "numFmtId"), -1): attribute(each, "formatCode")
            for each in root.iter("{*}numFmt")
        }
        styles = root.find("{*}cellXfs")
        told = (attribute(each, "numFmtId") for each in (styles if styles is not None else ()))
        return [format_of(whole(n, 0), custom) for n in told]

    def sheets(self) -> Iterator[tuple[str, dict[int, Cells]]]:
        """Yield the name of each sheet that is shown, and its rows by number."""
        links = self._parts.links(_WORKBOOK)
        for sheet in self._all(_WORKBOOK, "sheet"):
            link = links.get(linked(sheet))
            if attribute(sheet, "state") not in {"hidden", "veryHidden"} and link:
                root = self._parts.root(link.name)
                if root is not None:
                    rows = self._rows(root, self._tables(link.name))
                    yield clean_line(attribute(sheet, "name")), rows

    def _tables(self, sheet: str) -> list[Element | None]:
        links = self._parts.links(sheet).values()
        return [self._parts.root(link.name) for link in links if link.kind == "table"]

    def _rows(self, root: Element, tables: list[Element | None]) -> dict[int, Cells]:
        rows: dict[int, dict[int, str]] = {}
        number, columns, filtered = 0, hidden_columns(root), filtered_rows(root, *tables)
        has_colours = has_own_colours(root, tables)
        for row in root.iter("{*}row"):
            number = whole(attribute(row, "r"), number + 1)
            if hides(row, number, filtered):
                continue
            cells = self._cells(row, has_colours=has_colours)
            rows[number] = {at: text for at, text in cells if at not in columns}
            if self._left <= 0:
                break
        _fill_merged(root, rows)
        return {number: rows[number] for number in sorted(rows)}

    def _cells(self, row: Element, *, has_colours: bool) -> Iterator[tuple[int, str]]:
        """Yield the columns and the texts of the cells of a ``row``."""
        at = -1
        for cell in row:
            if local_name(cell) != "c":
                continue
            place = _PLACE.fullmatch(attribute(cell, "r"))
            at = _column(place[1]) if place else at + 1
            text = self._shown(cell, self._look(cell, has_colours=has_colours))
            if text and self._left > 0:
                self._left -= 1
                yield at, text

    def _look(self, cell: Element, *, has_colours: bool) -> Look:
        """Return how ``cell`` looks, in a sheet that may have colours of its own."""
        style = whole(attribute(cell, "s"), 0)
        look = self._looks[style] if style < len(self._looks) else Look()
        return look._replace(ground="") if has_colours else look

    def _shown(self, cell: Element, look: Look) -> str:
        kind, style = attribute(cell, "t") or "n", attribute(cell, "s")
        value = cell.find("{*}v")
        told = ((value.text if value is not None else "") or "").strip()
        if kind in {"inlineStr", "s", "str"}:
            return self._words(cell, told, look) if self._format(style).shows_words else ""
        if not look.is_seen:
            return ""
        if kind == "b":
            return {"1": "yes", "0": "no"}.get(told, "")
        return self._number(told, style) if kind == "n" else clean_line(told)

    def _words(self, cell: Element, told: str, look: Look) -> str:
        """Return the words of a ``cell`` that looks so; ``told`` is its value."""
        match attribute(cell, "t"):
            case "s":
                return self._string(told, look) if _is_below(told, len(self._strings)) else ""
            case "str":
                return clean_line(told) if look.is_seen else ""
            case _:
                return clean_line("".join(_seen(cell.find("{*}is"), look)))

    def _string(self, number: str, look: Look) -> str:
        """Return a string that cells share, as one that looks so shows it."""
        key = number, look
        if key not in self._said:
            self._said[key] = clean_line("".join(_seen(self._strings[int(number)], look)))
        return self._said[key]

    def _format(self, style: str) -> CellFormat:
        known = _is_below(style, len(self._formats))
        return self._formats[int(style)] if known else CellFormat()

    def _number(self, told: str, style: str) -> str:
        try:
            value = float(told)
        except ValueError:
            return ""
        return self._format(style).shown(value, since_1904=self._since_1904)


def _fill_merged(root: Element, rows: Mapping[int, dict[int, str]]) -> None:
    """Write in ``rows`` what the merged areas of a sheet say, as far as there are rows.

    Those of a program do not overlap. Of others each could go over all rows anew, so that together
    they may go over no more than a workbook has cells.
    """
    bottom, left = max(rows, default=0), MOST_CELLS
    for merged in root.iter("{*}mergeCell"):
        if corners := _AREA.fullmatch(attribute(merged, "ref")):
            first, last = int(corners[2]), min(int(corners[4]), bottom)
            left -= max(0, last - first)
            if left < 0:
                return
            fill_down(rows, _column(corners[1]), first, last)


def _is_below(number: str, end: int) -> bool:
    return 0 <= whole(number, -1) < end


def _seen(string: Element | None, look: Look) -> Iterator[str]:
    """Yield what is seen of a ``string`` in a cell that looks so, but not how it is read aloud."""
    for part in string if string is not None else ():
        own = look.of_run(part) if local_name(part) == "r" else look
        if own.is_seen and local_name(part) in {"r", "t"}:
            yield from inner_text(part)


def _column(letters: str) -> int:
    at = 0
    for letter in letters:
        at = 26 * at + ord(letter) - ord("A") + 1
    return at - 1
