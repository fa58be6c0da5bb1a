"""Finds what a bill comes to: its total, the tax in it, and what it is without the tax.

Bills, invoices and quotes write these below their items, each after a label of few words: "VAT
20 %   £80.90", "| Total to pay | | £436.20 |". English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final, NamedTuple

from quaere.reason.extractive.pool import Line, Pool, cells, page_of
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.dates import years_in
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

_TAX: Final = r"(?:VAT|GST|(?:sales |value added )?tax)"
_WITH: Final = r"(?:with|includ\w+|incl\.?|after|plus|and)"
_WITHOUT: Final = r"(?:without|before|excluding|excl\.?|exclusive of|net of|less)"
_MONEY: Final = r"(?:cost|pric|pay|paid|owe|due|charg|bill|invoic|amount|sum|total|quot)"
_LABEL_OF_TAX: Final = lazy_regex(
    rf"(?i)(?:plus )?(?:\d[\d.,]* ?% )?{_TAX}\b(?! incl| excl|-free)[^a-z]*"
)
_LABEL_OF_NET: Final = lazy_regex(
    r"(?i)(?:sub-?total|net(?: (?:total|amount|sum|price))?"
    rf"|(?:total|amount) (?:net|{_WITHOUT} {_TAX}))\W*"
)
_LABEL_OF_TOTAL: Final = lazy_regex(
    r"(?i)(?:(?:grand|gross|invoice|final) )?total"
    rf"(?: (?:to pay|due|payable|amount|gross|{_WITH} {_TAX}))?\W*"
    r"|gross(?: amount)?\W*|(?:amount|balance|total) (?:due|payable|to pay|owing)\W*"
    r"|(?:left )?to (?:pay|be paid)\b.{0,30}|(?:balance|remaining|outstanding)\W*"
)
_ASKS_WITHOUT: Final = lazy_regex(rf"(?i)\b{_WITHOUT} (?:the )?{_TAX}\b|\b(?:net|sub-?total)\b")
_ASKS_WITH: Final = lazy_regex(rf"(?i)\b{_WITH} (?:the )?{_TAX}\b|\bgross\b")
_ASKS_TAX: Final = lazy_regex(rf"(?i)\W*(?:how (?:much|high)|what)\b(?!.*\brate\b).*\b{_TAX}\b")
_ASKS_TOTAL: Final = lazy_regex(
    r"(?i)\W*(?:how much|what)\b(?=.*\b(?:total|in all|altogether|gross|invoice|bill)\b)"
    rf".*\b{_MONEY}"
)
_IDLE: Final = frozenset(
    terms(
        "total amount sum cost price bill invoice quote pay paid payable due owe charge gross net"
        " subtotal vat gst tax sales value added including included include incl excluding excl"
        " without before after plus altogether much high come"
    )
)
"""Stems by which a bill and its sums are asked for."""
_AMOUNT: Final = lazy_regex(
    r"(?:[£€$¥]|[A-Z]{3} )?\s?\d[\d.,'’ ]*\d?\s?(?:[£€$¥]|[A-Z]{3}|kr\.?|francs?|crowns?|euros?)?"
)
_ROW: Final = lazy_regex(r"(?m)^[^\n]+$")
_COLUMNS: Final = lazy_regex(r"\s{2,}|\t+|:\s+")


MOST_AMOUNTS = 4
"""Amounts in a row of a bill, at most: of one piece, without tax, of the tax, and in all."""


class _Sum(Enum):
    """What the amount at the foot of a bill is."""

    NET = auto()
    TAX = auto()
    TOTAL = auto()


_LABELS: Final = (
    (_Sum.TAX, _LABEL_OF_TAX),
    (_Sum.NET, _LABEL_OF_NET),
    (_Sum.TOTAL, _LABEL_OF_TOTAL),
)


class Billed(NamedTuple):
    """An amount of a bill as it is written there, and its line."""

    text: str
    line: Line
    others: tuple[Line, ...] = ()
    """The same of other bills that may be meant as well."""


class _Row(NamedTuple):
    label: str
    amount: Billed
    page: str

    @property
    def of(self) -> _Sum | None:
        """Which sum of a bill it is; none for an item."""
        return next((of for of, label in _LABELS if label.fullmatch(self.label)), None)


def find_billed(question: str, pool: Pool) -> Billed | None:
    """Return the sum of a bill for which ``question`` asks: the total, the tax, or without the tax.

    None where it asks for one of the items.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    wanted = in_english(_asked, text)
    if wanted is None:
        return None
    rows, about = list(_rows(pool)), frozenset(terms(text)) - _IDLE
    pages = dict.fromkeys(row.page for row in rows)
    taxed = wanted is _Sum.TAX or _ASKS_WITH.search(text) is not None
    meant = [page for page in pages if _is_about(about, page, rows, pool, taxed=taxed)]
    told = [each for page in meant if (each := _sum_on(page, wanted, rows)) is not None]
    if not told:
        return None
    return told[0]._replace(others=tuple(each.line for each in told[1:]))


def _sum_on(page: str, wanted: _Sum, rows: Sequence[_Row]) -> Billed | None:
    """Return the sum that is ``wanted`` of the bill on ``page``, if it tells one alone."""
    told = [row.amount for row in rows if row.page == page and row.of is wanted]
    return told[0] if len({each.text for each in told}) == 1 else None


def bill_words(question: str, pool: Pool) -> frozenset[str]:
    """Return the stems by which ``question`` asks for a sum of a bill, where ``pool`` has it."""
    return _IDLE if find_billed(question, pool) else frozenset()


def _asked(text: str) -> _Sum | None:
    if _ASKS_WITHOUT.search(text):
        return _Sum.NET
    if _ASKS_WITH.search(text):
        return _Sum.TOTAL
    if _ASKS_TAX.match(text):
        return _Sum.TAX
    return _Sum.TOTAL if _ASKS_TOTAL.match(text) else None


def _is_about(
    about: frozenset[str], page: str, rows: Sequence[_Row], pool: Pool, *, taxed: bool
) -> bool:
    """Whether ``page`` is a bill of which all is said ``about`` what is asked, in no item.

    Where one that is ``taxed`` is meant, it tells the tax.
    """
    own = [row for row in rows if row.page == page]
    needed = {_Sum.TOTAL, _Sum.TAX} if taxed else {_Sum.TOTAL}
    if not needed <= {row.of for row in own}:
        return False
    items = frozenset(terms(" ".join(row.label for row in own if row.of is None)))
    named, said = _head(page, own[0].amount.line, pool)
    return about <= named | said and about.isdisjoint(items - named)


def _head(page: str, first: Line, pool: Pool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of the titles and headings of ``page``, and of what is before its rows.

    What is below them may be of another bill: "Last year the total was £9".
    """
    named, said = frozenset[str](), frozenset[str]()
    for passage, lines, title in zip(pool.passages, pool.lines_of, pool.title_terms, strict=True):
        if page_of(passage) == page:
            named = named.union(title, *(line.terms for line in lines if line.heading))
            said = said.union(*(pool.file_terms(line) for line in lines[:1]))
            said = said.union(*(line.terms for line in lines if _precedes(line, first)))
    return named, said


def _precedes(line: Line, other: Line) -> bool:
    return (line.owner, line.start) <= (other.owner, other.start)


def _may_be_billed(parts: Sequence[str]) -> bool:
    """Whether ``parts`` end in an amount after a label, and do not go on over years or parts."""
    if len(parts) < 2 or not _AMOUNT.fullmatch(parts[-1]):
        return False
    return sum(_AMOUNT.fullmatch(part) is not None for part in parts) <= MOST_AMOUNTS


def _rows(pool: Pool) -> Iterator[_Row]:
    """Yield each line of the sources that has a label first and an amount at its end."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        for found in _ROW.finditer(passage.text):
            parts = list(filter(None, _parts(found[0])))
            line = _line_at(found, lines) if _may_be_billed(parts) else None
            if line is not None and len(years_in(" ".join(line.columns))) < 2:
                yield _Row(parts[0], Billed(parts[-1], line), page_of(passage))


def _parts(row: str) -> Sequence[str]:
    parts = cells(row) if row.lstrip().startswith("|") else _COLUMNS.split(row.strip())
    return [part.strip(" *_|") for part in parts]


def _line_at(found: re.Match[str], lines: Sequence[Line]) -> Line | None:
    """Return the line in which the row ``found`` is, as no more than that row."""
    start = found.end() - len(found[0].lstrip())
    line = next((line for line in lines if line.start < found.end() and start < line.end), None)
    if line is None or line.columns or line.text.startswith("|"):
        return line
    return replace(line, start=start, end=found.end(), text=" ".join(found[0].split()))
