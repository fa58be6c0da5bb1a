"""Rows of tables with years over their columns, as the tables of statements have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import unquote

from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.statements.line_items import LineItem, Statement
from quaere.text.dates import years_in
from quaere.text.languages.language import cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import amount_in, decimal_sign
from quaere.text.tokens import stem, words

_DERIVED = lazy_regex(
    r"(?i)\b(?:parent|guarantor|pro forma|adoption|impact|selected|quarterly|segments?|acquired"
    r"|discontinued|reclassif\w+|deferred tax|condensed consolidating|balances without)\b"
)
_STATEMENTS = (
    (None, lazy_regex(r"(?i)comprehensive (?:income|loss|earnings)|stockholders|shareholders")),
    (Statement.CASH, lazy_regex(r"(?i)\bstatements? of (?:consolidated )?cash flows?|\bcash flow")),
    (
        Statement.BALANCE,
        lazy_regex(r"(?i)\bbalance sheets?\b|\bstatements? of financial (?:position|condition)"),
    ),
    (
        Statement.INCOME,
        lazy_regex(
            r"(?i)\b(?:income|earnings|operations?|profit (?:and|or) loss) statements?\b"
            r"|\bstatements? of (?:consolidated )?(?:net )?(?:income|operations|earnings)\b"
        ),
    ),
)
_PART_OF_YEAR = lazy_regex(
    r"(?i)\bquarter|\bq[1-4]\b|\b(?:three|six|nine|3|6|9) months\b"
    r"|\b(?:1\d|2\d|3\d|40) weeks\b"
)
_SCALE = lazy_regex(r"(?i)\b(thousand|million|billion)s?\b|['’($€£¥]000s?\b")
_SCALES: Mapping[str, int] = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
PER_SHARE = lazy_regex(
    r"(?i)\bper (?:common |diluted |basic |ordinary )*share\b|\bshares outstanding\b"
)
_NIL = lazy_regex(r"[$€£¥ ]*(?:[-–—]+|(?i:nil))[ %$€£¥]*")
_ASIDE = lazy_regex(r"\([^()]*\)|\[[^\[\]]*\]")
_CURRENCY = lazy_regex(r"[$€£¥]")
CAPTION_WORDS = 25
"""Words of a line above a table up to which it may say what the table is of, and in what unit."""
KEPT = 8192
"""Labels and heads, of each language, that are known from the time before."""
_LINKING = frozenset(map(stem, ("and", "of", "the", "in", "for", "from", "by", "to")))


@dataclass(frozen=True)
class StatementRow:
    """A row with what is said around it."""

    line: Line
    label: str
    values: Mapping[int, str]
    """Its figures, by the year that heads the column."""
    heads: Mapping[int, str]
    """What heads the column of each year."""
    caption: str
    """What is above its table, such as its name and scale."""
    section: str
    """The row without figures over it, which groups those under it."""
    document: str
    """Title and name of its document."""
    repeats: bool
    """Whether several columns are of one year."""
    decimal_sign: str = "."
    """What is before the decimals of its table's figures."""

    @cached_property
    def label_stems(self) -> frozenset[str]:
        """The stems of its label, without what is in brackets."""
        return label_stems(_ASIDE.sub(" ", self.label))

    @cached_property
    def is_other(self) -> bool:
        """Whether it is what is left over of something whose other lines have names."""
        return "other" in words(self.label)

    @cached_property
    def said_stems(self) -> frozenset[str]:
        """The stems of its label and of the section that it is in."""
        return stems(f"{self.label} {self.section}")

    @cached_property
    def is_derived(self) -> bool:
        """Whether its table is of a part of the company, or of a change of its accounts."""
        return _DERIVED.search(f"{self.caption} {' '.join(self.heads.values())}") is not None

    @cached_property
    def statement(self) -> Statement | None:
        """The primary statement that it is in; None for any other table."""
        return next((kind for kind, named in _STATEMENTS if named.search(self.caption)), None)

    @cached_property
    def is_plain(self) -> bool:
        """Whether its figures are not scaled: amounts per share, percentages."""
        per_share = PER_SHARE.search(f"{self.label} {self.section}") is not None
        return per_share or any("%" in value for value in self.values.values())

    @cached_property
    def scale(self) -> int:
        """In what its amounts are told: 1,000,000 for millions; 1 where its table does not say."""
        if self.is_plain:
            return 1
        found = _SCALE.search(f"{self.caption} {' '.join(self.heads.values())}")
        return _SCALES[found[1].lower()] if found and found[1] else 1000 if found else 1

    @cached_property
    def currency(self) -> str:
        """The sign of the currency that it shows, where it shows one."""
        found = _CURRENCY.search(f"{self.caption} {' '.join(self.values.values())}")
        return found[0] if found else "$" if re.search(r"(?i)\bdollars\b", self.caption) else ""

    def holds(self, year: int) -> bool:
        """Whether it has an amount for ``year``; a dash is an amount of zero."""
        value = self.values.get(year, "")
        return amount_in(value) is not None or _NIL.fullmatch(value) is not None

    def amount(self, year: int) -> float:
        """Return its amount in ``year``, to scale; brackets and a minus make it negative."""
        found = amount_in(self.values[year], self.decimal_sign)
        return found[0] * self.scale if found else 0.0

    def places(self, year: int) -> int:
        """Return how many decimal places the amount of ``year`` is printed with."""
        found = amount_in(self.values[year], self.decimal_sign)
        return found[1] if found else 0

    def is_in_name(self, word: str) -> bool:
        """Whether its document is named after the stem ``word``: "BESTBUY_2019" after "best"."""
        return len(word) > 2 and word in squashed(self.document)

    def is_about(self, word: str) -> bool:
        """Whether its document is named so, or the stem is in what heads the table."""
        return self.is_in_name(word) or word in stems(
            f"{self.caption} {' '.join(self.heads.values())}"
        )


def rows_of_years(pool: Pool) -> list[StatementRow]:
    """Return the rows in ``pool`` that have years over their columns, passage by passage."""
    return [row for owner in range(len(pool.passages)) for row in _rows(owner, pool)]


def _rows(owner: int, pool: Pool) -> Iterator[StatementRow]:
    passage, section, before = pool.passages[owner], "", ""
    name = unquote(passage.url.partition("#")[0].rpartition("/")[2]).rpartition(".")[0]
    signs = _decimal_signs(pool.lines_of[owner])
    for line in pool.lines_of[owner]:
        if not line.text.startswith("|"):
            before = f"{before} {line.text}" if len(words(line.text)) <= CAPTION_WORDS else ""
            continue
        if not line.columns or line.heading:
            continue
        label, *values = cells(line.text)
        if len(values) != len(line.columns) - 1:
            continue
        if not any(values):
            section = label
            continue
        caption = (
            line.columns[0] if _SCALE.search(line.columns[0]) else f"{before} {line.columns[0]}"
        )
        if row := _row(line, label, values, section, (caption.strip(), f"{passage.title} {name}")):
            yield replace(row, decimal_sign=signs[line.columns])


def _decimal_signs(lines: Iterable[Line]) -> Mapping[tuple[str, ...], str]:
    """Return what is before decimals in each table of a passage, by the heads of the table."""
    figures: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        if line.columns and not line.heading:
            figures.setdefault(line.columns, []).extend(cells(line.text)[1:])
    return {columns: decimal_sign(told) for columns, told in figures.items()}


def _row(
    line: Line, label: str, values: list[str], section: str, told: tuple[str, str]
) -> StatementRow | None:
    """Return the row of ``label``, ``told`` what is above its table and of which document it is."""
    heads = line.columns[1:]
    years = [_year_of(head) for head in heads]
    known = [year for year in years if year]
    places = {year: years.index(year) for year in known}
    if not places:
        return None
    return StatementRow(
        line=line,
        label=label,
        values={year: values[at] for year, at in places.items()},
        heads={year: heads[at] for year, at in places.items()},
        caption=told[0],
        section=section,
        document=told[1],
        repeats=len(places) < len(known),
    )


@lru_cache(maxsize=KEPT)
def _year_of(head: str) -> int:
    """Return the year of a column's ``head``; 0 for none, for several, and for parts of years."""
    found = years_in(head)
    return min(found) if len(found) == 1 and not _PART_OF_YEAR.search(head) else 0


@cached_by_language(maxsize=KEPT)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words in ``text``."""
    return frozenset(map(stem, words(text)))


@cached_by_language(maxsize=KEPT)
def label_stems(text: str) -> frozenset[str]:
    """Return the stems of a label, without its numbers and the words that only link others."""
    told = stems(text.replace("-", " ")) - _LINKING
    return frozenset(each for each in told if not each.isdecimal())


@cached_by_language(maxsize=KEPT)
def squashed(text: str) -> str:
    """Return the words of ``text`` in a row, as the names of files have them."""
    return "".join(words(text.replace("_", " ")))


@cached_by_language(maxsize=KEPT)
def wordings_of(item: LineItem) -> tuple[frozenset[str], ...]:
    """Return the stems of each wording of ``item``."""
    return tuple(dict.fromkeys(map(label_stems, item.wordings)))
