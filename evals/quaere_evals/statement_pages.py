"""Finds the statements in filings by PDFium's plain text, to compare with what the engine reads.

The order of a page's own text keeps a row's label and its figures together. Only rows with as many
figures as their statement has columns are taken, so that no place on the page has to be known;
rows with blanks are not covered. Nothing was keyed by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from quaere.reason.extractive.statements.rows import Statement

Item = TypeVar("Item")

TITLE_LINES = 8
"""Lines of a page among which the title of its statement stands."""
MIN_ROWS = 8
"""Rows from which a page with such a title is a statement, and not a mention of one."""

_FIGURE = r"(?:[$€£¥] ?)?\(? ?(?:[$€£¥] ?)?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)? ?\)? ?%?\)?"
_DASH = r"(?:[$€£¥] ?)?[—–-]+(?: ?%)?"
_AT_END = re.compile(rf"\s(?P<figure>(?=[$€£¥( ]*[\d.]){_FIGURE}|{_DASH})\s*$")
_TITLES = (
    (Statement.BALANCE, r"balance sheets?|statements? of financial (?:position|condition)"),
    (
        Statement.INCOME,
        (
            r"(?:income|earnings|operations) statements?"
            r"|statements? of (?:consolidated )?(?:income|operations|earnings)"
        ),
    ),
    (Statement.CASH, r"cash flows? statements?|statements? of cash flows?"),
)
_TITLE = {
    kind: re.compile(rf"(?i)(?:[\w.,&'’]+ ){{0,4}}?(?:{title})(?![ ]+and\b)\b(?: .*)?")
    for kind, title in _TITLES
}
_IN_TITLES = frozenset({"and", "in", "of", "the", "for"})
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PART_OF_YEAR = re.compile(
    r"(?i)\bquarter|\b(?:three|six|nine|3|6|9) months\b|\b(?:1\d|2\d|3\d|40) weeks\b"
)
_SEVERAL = re.compile(
    r"[\d)] +(?:\$ ?)?[^\W\d_a-z]|[.,]\d+[ )%]+[—–-]+(?:\s|$)|\s[—–-]+ [^\W\d_a-z].*\d"
)
"""What a line has inside that is several rows in one."""
_WORD = re.compile(r"[^\W\d_]{3}")
_NOTE = re.compile(r"\(\w\)|[.\s$]{3,}$|[$\s]+$")


@dataclass(frozen=True, slots=True)
class PlainRow:
    """A row of a statement as the page's own text has it."""

    label: str
    figures: tuple[str, ...]
    is_whole: bool
    """Whether its label is surely all on its own line, and no other row of the page has it."""


@dataclass(frozen=True, slots=True)
class PlainStatement:
    """A page with a statement."""

    sheet: int
    """The place of the page in its file, from 0."""
    kind: Statement
    years: tuple[int, ...]
    """The years of its columns, from the left; none where two are of one year, or of a part."""
    rows: tuple[PlainRow, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a look-up asks for, and what it has to find."""

    kind: Statement
    label: str
    year: int
    figure: str


def statements_in(sheets: Sequence[str]) -> Iterator[PlainStatement]:
    """Yield the statements among the pages of a file, given as the plain text of each."""
    for number, sheet in enumerate(sheets):
        lines = [" ".join(line.split()) for line in sheet.splitlines() if line.strip()]
        kind = next(filter(None, map(_titled, lines[:TITLE_LINES])), None)
        if kind and (found := _statement(number, kind, lines)):
            yield found


def cells_of(statements: Sequence[PlainStatement]) -> list[Cell]:
    """Return the cells of ``statements`` that can be asked for by label and year."""
    return [
        Cell(statement.kind, row.label, year, figure)
        for statement in statements
        for row in statement.rows
        if row.is_whole
        for year, figure in zip(statement.years, row.figures, strict=False)
    ]


def drawn(items: Sequence[Item], number: int, seed: int) -> list[Item]:
    """Return ``number`` of ``items`` at random, or all of them, in order."""
    number = min(number, len(items))
    chosen = Random(seed).sample(range(len(items)), number)  # noqa: S311 - no secret
    return [items[at] for at in sorted(chosen)]


def _titled(line: str) -> Statement | None:
    """Return which statement ``line`` is the title of; none for prose and tables of contents."""
    words = re.findall(r"[^\W\d_][\w.]*", line)
    is_title = all(word[0].isupper() or word in _IN_TITLES for word in words)
    if not is_title or re.search(r"\d$|:$|\.\s*$|Comprehensive|COMPREHENSIVE", line):
        return None
    return next((kind for kind, title in _TITLE.items() if title.fullmatch(line)), None)


def _statement(number: int, kind: Statement, lines: Sequence[str]) -> PlainStatement | None:
    parted = [_parted(line) for line in lines]
    counts = Counter(len(figures) for label, figures in parted if _is_row(label, figures))
    columns = max(counts, key=lambda count: (counts[count], count), default=0)
    fitting = [
        at for at, (label, figures) in enumerate(parted)
        if len(figures) == columns and _is_row(label, figures)
    ]  # fmt: skip
    if len(fitting) < MIN_ROWS:
        return None
    labels = Counter(parted[at][0].casefold() for at in fitting)
    rows = (
        PlainRow(
            label=parted[at][0],
            figures=parted[at][1],
            is_whole=labels[parted[at][0].casefold()] == 1 and _ends(lines[at - 1]),
        )
        for at in fitting
    )
    return PlainStatement(number, kind, _years(lines[: fitting[0]], columns), tuple(rows))


def _parted(line: str) -> tuple[str, tuple[str, ...]]:
    """Return the label of ``line`` and the figures at its end."""
    figures: list[str] = []
    while found := _AT_END.search(line):
        figures.append(found["figure"])
        line = line[: found.start()]
    return _NOTE.sub("", line).strip(" .$"), tuple(reversed(figures))


def _is_row(label: str, figures: Sequence[str]) -> bool:
    """Whether a line has a label and figures, and not the years at the head of a table."""
    if not (label[:1].isupper() and _WORD.search(label)):
        return False
    if _YEAR.search(label) or _SEVERAL.search(label):
        return False
    return any(not _YEAR.fullmatch(figure.strip("()")) for figure in figures)


def _ends(line: str) -> bool:
    """Whether a label on the line after ``line`` cannot be the rest of one that begins there."""
    return bool(_AT_END.search(line)) or line.endswith(":")


def _years(head: Sequence[str], columns: int) -> tuple[int, ...]:
    """Return the years over the columns, from the lines above the first row."""
    told = " ".join(head)
    years = tuple(int(year) for year in _YEAR.findall(told))[-columns:]
    is_clear = len(set(years)) == columns and not _PART_OF_YEAR.search(told)
    return years if is_clear else ()
