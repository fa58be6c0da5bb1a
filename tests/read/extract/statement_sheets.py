"""Draws pages with statements in the many layouts that real filings have.

What is laid down is known, so that what is read can be held against it. Words, names and amounts
are made up; a layout is drawn by its values alone, so that a failing one can be drawn again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from tests.read.documents import drawn_pdf

WIDE, HIGH, MARGIN = 612.0, 792.0, 50.0
"""Of a page, in points; it is turned where the statement is."""

_HELVETICA = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556"
    " 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833"
    " 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556"
    " 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334"
    " 260 334 584"
)
_WIDTHS = {chr(32 + at): int(width) for at, width in enumerate(_HELVETICA.split())}
_OTHER = {"–": 556, "—": 1000, "€": 556, "£": 556, "¥": 556, "’": 222, "\xa0": 278, "\x1f": 170}
"""Widths of Helvetica in thousandths of its size, as its metrics by Adobe have them."""

_DIGITS = re.compile(r"\d\d$")

ASSETS = (
    "Cash at bank and in hand", "Trade receivables, net of allowances", "Stocks of grain",
    "Prepaid rents", "Total current assets", "Mills and races, at cost", "Water rights",
    "Goodwill", "Deferred tax", "Other assets", "Total assets", "Trade payables", "Wages owed",
    "Current part of borrowings", "Total current liabilities", "Borrowings", "Pensions",
    "Total liabilities", "Share capital", "Retained earnings", "Total equity",
)  # fmt: skip
PROSE = (
    "The directors looked at each mill in turn and had the stones of two dressed anew.",
    "They thank all who ground through the flood of the spring, and theirs.",
)
WIDEST = "(2,409,221)"
"""No amount that is drawn is wider, but for its decimals."""
LONG = ("Loans to millers and to their families that are secured on houses and that fall due",)


class Text(NamedTuple):
    """A stretch of text with the place of its left end, in points from the lower left."""

    left: float
    bottom: float
    text: str
    size: float
    spacing: float = 0.0


class Row(NamedTuple):
    """A row as it is laid down: a figure for each year, or nothing where it is blank."""

    label: str
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """How a statement is laid out."""

    columns: int = 2
    size: float = 9.0
    pitch: float = 1.35
    """From line to line, in sizes of the font."""
    gap: float = 30.0
    """Between the widest figures of two columns, in points."""
    align: str = "right"
    sign: str = ""
    """Of the currency; none for none."""
    sign_at: str = "close"
    negative: str = "brackets"
    thousands: str = ","
    decimals: str = ""
    nil: str = "–"
    notes: str = ""
    leaders: str = ""
    wrap: str = ""
    head: str = "years"
    unit: str = ""
    mark: str = ""
    spacing: float = 0.0
    percents: bool = False
    order: str = "lines"
    turned: str = ""
    second: str = ""
    prose: bool = False
    blanks: bool = False
    latest: str = "first"
    capitals: str = ""
    foot: bool = False
    seed: int = 0


OPTIONS: Mapping[str, Sequence[object]] = {
    "columns": (2, 3, 4, 5),
    "size": (6.5, 8.0, 9.0, 11.0),
    "pitch": (1.15, 1.35, 1.8, 2.4),
    "gap": (9.0, 18.0, 30.0, 50.0),
    "align": ("right", "left", "middle", "point"),
    "sign": ("", "$", "€", "£", "¥"),
    "sign_at": ("close", "apart", "ends apart", "behind"),
    "negative": ("brackets", "hanging brackets", "spaced brackets", "minus", "dash"),
    "thousands": (",", ".", " ", "\xa0", "’", "'", "thin", ""),
    "decimals": ("", "one", "two"),
    "nil": ("–", "—", "-", "nil"),
    "notes": ("", "figures", "letters", "lists"),
    "leaders": ("", "dots", "spaced dots"),
    "wrap": ("", "last", "first", "indented last"),
    "head": (
        "years", "dates", "dates in two lines", "one over years", "one over years in two lines",
        "year ended each", "fiscal", "abbreviated dates", "day first", "three lines", "restated",
        "as of each", "numeric dates", "short fiscal", "split years",
    ),
    "unit": ("", "scale", "scale over each", "audit over each"),
    "mark": ("", "raised", "letter", "star", "raised on figure"),
    "spacing": (0.0, 0.04, 0.1),
    "percents": (False, True),
    "order": ("lines", "columns", "head last", "title last", "marks last"),
    "turned": ("", "text", "page", "text on turned page"),
    "second": ("", "below", "beside", "next page", "next page without head"),
    "prose": (False, True),
    "blanks": (False, True),
    "latest": ("first", "last"),
    "capitals": ("", "all", "small"),
    "foot": (False, True),
}  # fmt: skip
"""The values that each part of a layout has in filings, the plainest first."""


@dataclass
class Sheet:
    """A drawn statement: the file, and what was laid down in it."""

    data: bytes = b""
    heads: tuple[str, ...] = ()
    """What says over each column of figures of which year it is."""
    rows: list[Row] = field(default_factory=list)


def width_of(text: str, size: float, spacing: float = 0.0) -> float:
    """Return how wide ``text`` is in Helvetica, in points."""
    each = (_WIDTHS.get(sign) or _OTHER[sign] for sign in text)
    return sum(each) * size / 1000 + spacing * len(text)


def sheet(layout: Layout) -> Sheet:
    """Return a file with a statement, or two, in ``layout``."""
    return _Drawing(layout).sheet()


class _Drawing:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.random = Random(layout.seed)  # noqa: S311 - no secret
        newest = self.random.randrange(2009, 2027)
        self.pages: list[list[Text]] = [[]]
        self.rows: list[Row] = []
        years = tuple(newest - at for at in range(layout.columns))
        self.years = years if layout.latest == "first" else years[::-1]
        beside = layout.second == "beside"
        self.wide, self.high = (HIGH, WIDE) if layout.turned or beside else (WIDE, HIGH)
        self.wide = max(self.wide, (1 + beside) * (self._needed() + MARGIN) + MARGIN)
        self.bottom = self.high - MARGIN
        self.left, self.right = MARGIN, self.wide - MARGIN
        if beside:
            self.right = self.wide / 2 - 15

    def sheet(self) -> Sheet:
        layout = self.layout
        if layout.prose:
            self._prose()
        self._statement("Consolidated Balance Sheets", ASSETS[:11], 7)
        if layout.second == "below":
            self._statement("Consolidated Statements of Income", ASSETS[11:], 5)
        elif layout.second == "beside":
            self.bottom = self.high - MARGIN - self._line * 3 * layout.prose
            self.left, self.right = self.wide / 2 + 15, self.wide - MARGIN
            self._statement("Consolidated Balance Sheets", ASSETS[11:], 7)
        elif layout.second:
            self._break()
            told = "Consolidated Balance Sheets (continued)"
            head = layout.second == "next page"
            self._statement(told, ASSETS[11:], 7, head=head)
        if layout.prose:
            self._prose()
        is_turned = layout.turned.startswith("text")
        self._end_page()
        data = drawn_pdf(
            [self._content(page) for page in self.pages],
            size=(self.high, self.wide) if is_turned else (self.wide, self.high),
            turned=90 if layout.turned.endswith("page") else 0,
        )
        return Sheet(data, self._heads(), self.rows)

    def _needed(self) -> float:
        """Return how wide a statement has to be, so that nothing in it touches anything else."""
        told = [each.upper() if self.layout.capitals else each for each in ASSETS]
        labels = max(map(self._width, (*told, LONG[0][:48] if self.layout.wrap else "")))
        widest = self._width(WIDEST + ".00" * bool(self.layout.decimals))
        columns = self._step(widest) * len(self._heads())
        return labels + columns + 20 + 50 * bool(self.layout.notes)

    def _heads(self) -> tuple[str, ...]:
        dated = [
            line
            for line in self._head_lines()
            if isinstance(line, list) and _DIGITS.search(line[0])
        ]
        repeat = 2 if self.layout.percents else 1
        return tuple(text for text in dated[-1] for _ in range(repeat))

    @property
    def _line(self) -> float:
        return self.layout.size * self.layout.pitch

    def _break(self) -> None:
        self._end_page()
        self.pages.append([])
        self.bottom = self.high - MARGIN

    def _end_page(self) -> None:
        if self.layout.foot:
            self.bottom = MARGIN / 2
            self._put(self.wide / 2, str(40 + len(self.pages)))
            self.bottom = self.high - MARGIN / 2
            self._put(self.left, "Brell Mills Ltd, report of the year")

    def _labelled(self, label: str) -> float:
        """Draw a label in the capitals of the layout; return where it ends."""
        left = self.left
        if self.layout.capitals != "small":
            text = label.upper() if self.layout.capitals else label
            self._put(left, text)
            return left + self._width(text)
        for word in label.upper().split():
            self._put(left, word[0])
            left += self._width(word[0])
            size = 0.8 * self.layout.size
            self._put(left, word[1:], size=size)
            left += width_of(word[1:], size, self.layout.spacing * size) + self._width(" ")
        return left - self._width(" ")

    def _put(self, left: float, text: str, *, up: float = 0.0, size: float = 0.0) -> None:
        size = size or self.layout.size
        if text:
            self.pages[-1].append(
                Text(left, self.bottom + up, text, size, self.layout.spacing * size)
            )

    def _width(self, text: str) -> float:
        return width_of(text, self.layout.size, self.layout.spacing * self.layout.size)

    def _prose(self) -> None:
        for words in PROSE:
            self._put(self.left, words, size=min(self.layout.size, 8.0))
            self.bottom -= self._line
        self.bottom -= self._line

    def _content(self, page: Sequence[Text]) -> str:
        """Return the page in the order in which the layout draws it."""
        turn = f"0 1 -1 0 {self.high} 0 cm\n" if self.layout.turned.startswith("text") else ""
        return turn + "\n".join(map(_shown, page))

    def _statement(
        self, title: str, labels: Sequence[str], rows: int, *, head: bool = True
    ) -> None:
        kept = sorted(self.random.sample(range(len(labels)), min(rows, len(labels))))
        made = [self._row(labels[at]) for at in kept]
        if self.layout.wrap:
            made.insert(2, self._row(LONG[0]))
        printed = [cell for row in made for cell in row.figures] + ["00"]
        if self.layout.second.endswith("without head"):  # the figures over the page may be wider
            printed.append(WIDEST + ".00" * bool(self.layout.decimals))
        ends = self._ends(max(map(self._width, printed))) if head else self.ends
        begun = len(self.pages[-1])
        self._titled(title)
        titled = len(self.pages[-1])
        if head:
            self._head(ends)
        headed = len(self.pages[-1])
        for at, row in enumerate(made):
            noted = at == 0 or self.random.random() < 0.6
            is_end = at in {0, len(made) - 1}
            self._draw(row, ends, is_end=is_end, marked=at == 1, noted=noted)
        self._reorder(begun, titled, headed)
        self.rows += made
        self.bottom -= 2 * self._line

    def _titled(self, title: str) -> None:
        lines = ["Brell Mills Ltd", title]
        if self.layout.unit == "scale":
            lines.append("(in thousands of crowns)")
        for line in lines:
            self._put((self.left + self.right - self._width(line)) / 2, line)
            self.bottom -= self._line

    def _reorder(self, begun: int, titled: int, headed: int) -> None:
        page = self.pages[-1]
        title, head, body = page[begun:titled], page[titled:headed], page[headed:]
        order = self.layout.order
        if order == "title last":
            title, body = [], [*body, *title]
        elif order == "head last":
            head, body = [], [*body, *head]
        elif order == "columns":
            body = sorted(body, key=lambda each: self._column(each.left + self._width(each.text)))
        elif order == "marks last":
            body = sorted(
                body, key=lambda each: each.size < self.layout.size and each.text.isdigit()
            )
        page[begun:] = [*title, *head, *body]

    def _column(self, right: float) -> int:
        return sum(right > end + 2 for end in self.ends)

    def _ends(self, widest: float) -> list[float]:
        """Return the right ends of the columns, as far right as the page is wide."""
        step, count = self._step(widest), len(self._heads())
        self.ends = [self.right - step * (count - 1 - at) for at in range(count)]
        self.widest = widest
        return self.ends

    def _step(self, widest: float) -> float:
        apart = self.layout.sign and self.layout.sign_at != "close"
        figures = widest + self.layout.gap + self.layout.size * bool(apart)
        return figures if self.layout.percents else max(figures, self._width("Dec. 31, 2020  "))

    def _row(self, label: str) -> Row:
        figures: list[str] = []
        for at in range(len(self.years)):
            amount = self.random.choice((7, 48, 612, 4_315, 61_904, 1_204_611))
            amount += self.random.randrange(amount)
            figures.append(self._figure(amount, at, label))
            if self.layout.percents:
                figures.append(f"{self.random.randrange(1, 99)}.{self.random.randrange(10)}")
        return Row(label, tuple(figures))

    def _figure(self, amount: int, at: int, label: str) -> str:
        layout = self.layout
        chance = self.random.random()
        if chance < 0.08:
            return layout.nil
        if layout.blanks and chance < 0.2 and at:
            return ""
        decimals = {"one": 1, "two": 2}.get(layout.decimals, 0)
        separator = {"thin": "\x1f"}.get(layout.thousands, layout.thousands)
        told = f"{amount:,}".replace(",", separator)
        if decimals:
            point = "," if layout.thousands in {".", " ", "\xa0", "thin"} else "."
            told += point + f"{self.random.randrange(10**decimals):0{decimals}}"
        if self.random.random() < 0.2:
            told = {
                "brackets": f"({told})", "hanging brackets": f"({told})",
                "spaced brackets": f"( {told} )", "minus": f"-{told}", "dash": f"–{told}",
            }[layout.negative]  # fmt: skip
        return told

    def _head(self, ends: Sequence[float]) -> None:
        for line in self._head_lines():
            if isinstance(line, str):
                left, right = ends[0] - self.widest, ends[-1]
                self._put((left + right - self._width(line)) / 2, line)
            else:
                self._over_columns(line, ends)
            self.bottom -= self._line
        if self.layout.unit.endswith("over each"):
            told = "£’000" if self.layout.unit.startswith("scale") else "(audited)"
            self._over_columns([told] * len(self.years), ends)
            self.bottom -= self._line

    def _over_columns(self, told: Sequence[str], ends: Sequence[float]) -> None:
        each = 2 if self.layout.percents else 1
        for at, text in enumerate(told):
            first, last = ends[at * each] - self.widest, ends[at * each + each - 1]
            width = self._width(text)
            if self.layout.align == "left" and each == 1:
                left = first
            elif self.layout.align in {"middle", "point"} or each > 1:
                left = (first + last - width) / 2
            else:
                left = last - width
            self._put(left, text)
        if self.layout.notes and _DIGITS.search(told[0]):
            self._put(self._notes_end(ends) - 38, "Note")

    def _notes_end(self, ends: Sequence[float]) -> float:
        """Return where the first column begins, its figures and its head, right of the notes."""
        heads = (line for line in self._head_lines() if isinstance(line, list))
        figures = self.widest + self._width(self.layout.sign) + 2 * bool(self.layout.sign)
        return ends[0] - max(figures, *(self._width(line[0]) for line in heads))

    def _head_lines(self) -> Iterator[str | list[str]]:
        years = [str(year) for year in self.years]
        lines: Mapping[str, Sequence[str | list[str]]] = {
            "years": [years],
            "dates": [[f"31 May {year}" for year in years]],
            "dates in two lines": [["December 31,"] * len(years), years],
            "one over years": ["Year ended December 31,", years],
            "one over years in two lines": ["Years ended", "December 31,", years],
            "year ended each": [["Year ended"] * len(years), years],
            "fiscal": [[f"FY{year}" for year in years]],
            "abbreviated dates": [[f"Dec. 31, {year}" for year in years]],
            "day first": [["31 March"] * len(years), years],
            "three lines": [["Year"] * len(years), ["ended"] * len(years), years],
            "numeric dates": [[f"31.12.{year}" for year in years]],
            "short fiscal": [[f"FY{year[2:]}" for year in years]],
            "split years": [[f"{int(year) - 1}/{year[2:]}" for year in years]],
            "restated": [years, ["", *["restated"] * (len(years) - 1)]],
            "as of each": [["As of"] * len(years), [f"May 31, {year}" for year in years]],
        }
        yield from lines[self.layout.head]

    def _draw(
        self, row: Row, ends: Sequence[float], *, is_end: bool, marked: bool, noted: bool
    ) -> None:
        label, up = row.label, self.layout.size * 0.35
        if self.layout.wrap and label in LONG:
            at = label.index(" ", len(label) // 2)
            first, last = label[:at], label[at + 1 :]
            indent = 10 if self.layout.wrap.startswith("indented") else 0
            self._put(self.left, first)
            if self.layout.wrap == "first":
                self._figures(row, ends, is_end=is_end)
            self.bottom -= self._line
            self._put(self.left + indent, last)
            if self.layout.wrap != "first":
                self._figures(row, ends, is_end=is_end)
            self.bottom -= self._line
            return
        end = self._labelled(label)
        told = {"letter": " (a)", "star": "*"}.get(self.layout.mark, "") if marked else ""
        self._put(end, told)
        end += self._width(told)
        if marked and self.layout.mark == "raised":
            self._put(end, "1", up=up, size=self.layout.size * 0.6)
        self._led(
            end, self._notes_end(ends) - 50 if self.layout.notes else ends[0] - self.widest - 12
        )
        if self.layout.notes and noted:
            told = {"figures": "12", "letters": "5(a)", "lists": "3, 14"}[self.layout.notes]
            self._put(self._notes_end(ends) - 38, told)
        begun = len(self.pages[-1])
        self._figures(row, ends, is_end=is_end)
        if marked and self.layout.mark == "raised on figure" and row.figures[-1]:
            end = max(each.left + self._width(each.text) for each in self.pages[-1][begun:])
            self._put(end, "2", up=up, size=self.layout.size * 0.6)
        self.bottom -= self._line

    def _led(self, left: float, right: float) -> None:
        dot = {"dots": ".", "spaced dots": ". "}.get(self.layout.leaders)
        if dot and right - left > 4 * self._width(dot):
            self._put(left + 2, dot * int((right - left - 4) / self._width(dot)))

    def _figures(self, row: Row, ends: Sequence[float], *, is_end: bool) -> None:
        for at, (figure, end) in enumerate(zip(row.figures, ends, strict=True)):
            if figure:
                is_amount = not (self.layout.percents and at % 2)
                self._figure_at(figure, end, signed=is_amount and self._is_signed(is_end))

    def _is_signed(self, is_end: bool) -> bool:
        return bool(self.layout.sign) and (is_end or not self.layout.sign_at.startswith("ends"))

    def _figure_at(self, figure: str, end: float, *, signed: bool) -> None:
        layout, width = self.layout, self._width(figure)
        left = end - width
        if layout.align == "left":
            left = end - self.widest
        elif layout.align == "middle":
            left = end - (self.widest + width) / 2
        elif layout.negative == "hanging brackets" and figure.endswith(")"):
            left += self._width(")")
        elif layout.align == "point" and layout.decimals:
            left += 2 * self.random.randrange(2)
        if signed:
            self._sign(left, end)
        for part in figure.split("\x1f"):
            self._put(left, part)
            left += self._width(f"{part}\x1f")

    def _sign(self, left: float, end: float) -> None:
        """Draw the sign of the currency of a figure that begins at ``left``, in its column."""
        sign, first = self.layout.sign, end - self.widest
        if self.layout.sign_at == "behind":
            self._put(end + 0.2 * self.layout.size, sign)
        elif self.layout.sign_at == "close" or self.layout.align == "left":
            self._put(left - self._width(sign), sign)
        else:
            self._put(first - self._width(sign) - 2, sign)


def _shown(text: Text) -> str:
    escaped = text.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return (
        f"BT /F1 {text.size} Tf {text.spacing:.3f} Tc 1 0 0 1 {text.left:.2f} {text.bottom:.2f} Tm"
        f" ({escaped}) Tj ET"
    )
