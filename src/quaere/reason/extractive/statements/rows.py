"""Rows and lines of financial statements: years over their columns, and what the lines are called.

The wordings are our own, read off the statements of companies that file with the SEC and off the
questions people ask about them. Which of them are one concept follows the US-GAAP taxonomy of the
Financial Accounting Standards Board (2023), whose elements the names on the left stand for. The
formulas are those of textbooks on the analysis of financial statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from quaere.reason.extractive.pool import Line, Pool, cells, page_of
from quaere.text.dates import years_in
from quaere.text.languages.language import cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import SCALES, amount_in, decimal_sign
from quaere.text.tables import ROW
from quaere.text.tokens import stem, words


class Statement(StrEnum):
    """The primary statement in which a line stands."""

    BALANCE = "balance sheet"
    INCOME = "statement of income"
    CASH = "statement of cash flows"


class LineItem(NamedTuple):
    """A line of a statement."""

    name: str
    statement: Statement | None
    wordings: tuple[str, ...]
    """Labels that it bears, and words that ask for it; the usual one first."""
    paid: bool = False
    """Whether it is an expense or a payment, whose amount may be printed as a negative figure."""


def _items(statement: Statement, table: str, *paid: str) -> Iterable[LineItem]:
    for line in table.strip().splitlines():
        wordings = tuple(wording.strip() for wording in line.split(";"))
        yield LineItem(wordings[0], statement, wordings, wordings[0] in paid)


_INCOME = """
revenue; revenues; total revenue; total revenues; net sales; total net sales; sales; net revenue; net revenues; total net revenue; total net revenues; net operating revenues; sales and revenues; total sales; topline; top line
cost of sales; cost of goods sold; cost of revenue; cost of revenues; total cost of revenue; total cost of revenues; total cost of sales; cogs; cost of products sold; cost of merchandise sold; total costs of sales
gross profit; total gross profit
operating income; income from operations; operating profit; earnings from operations; operating earnings; profit from operations; operating loss; loss from operations; total operating income; ebit; earnings before interest and taxes
net income; net earnings; consolidated net income; net loss; net profit; net earnings including noncontrolling interests
net income attributable to shareholders; net earnings attributable to; net income attributable to; consolidated net income attributable to; net income attributable to common shareholders; net earnings attributable to common shareholders; net income attributable to common stockholders; net income attributable to stockholders
income tax expense; provision for income taxes; income taxes; income tax provision; income tax; taxes on income; provision for taxes; provision for taxes on income
income before taxes; income before income taxes; earnings before income taxes; income before provision for income taxes; earnings before provision for taxes on income; earnings before taxes; pretax income; pre tax income; profit before tax; earnings before income taxes and after tax earnings from joint ventures
interest expense; interest and debt expense; interest expense net; net interest expense; interest and other debt expense
selling, general and administrative expenses; sg&a; selling general and administrative; operating selling general and administrative expenses; selling and administrative expense; total selling and administrative expense; general and administrative; sg&a expense; sg&a expenses
research and development; r&d; research and development expense; research and development expenses; research development and engineering expenses; r&d expense; r&d expenses; product development
diluted earnings per share; diluted eps; diluted net income per share; diluted net earnings per share; eps diluted; earnings per share diluted
basic earnings per share; basic eps; basic net income per share; earnings per share basic
dividends declared per share; dividends per share; cash dividends declared per common share; dividends declared per common share
operating expenses; total operating expenses; total costs and expenses
"""  # noqa: E501 - a line an item
_BALANCE = """
total assets
total current assets; current assets
total liabilities
total current liabilities; current liabilities
total equity; total shareholders equity; total stockholders equity; shareholders equity; stockholders equity; total shareowners equity; shareholders investment; total shareholders investment; total equity including noncontrolling interests
inventories; inventory; merchandise inventories; merchandise inventory; inventories net; net inventory; net inventories; total inventories
accounts receivable; accounts receivable net; receivables; receivables net; trade receivables; trade receivables net; net accounts receivable; trade accounts receivable net; accounts and notes receivable net; net ar
accounts payable; trade accounts payable; trade payables; accounts payable trade
property, plant and equipment, net; property and equipment net; property plant and equipment; net property plant and equipment; property and equipment; ppe; pp&e; net pp&e; net ppe; ppne; net ppne; pp&e net; property net; land buildings and equipment; fixed assets; net fixed assets; property plant and equipment net of accumulated depreciation
cash and cash equivalents; cash; cash & cash equivalents; cash and equivalents
short-term investments; marketable securities; short term marketable securities; current marketable securities; short term and other investments
long-term debt; long term debt net; long term debt net of current portion; long term debt less current portion; non current debt
goodwill; goodwill net
retained earnings; retained earnings accumulated deficit; accumulated deficit; reinvested earnings
deferred revenue; current deferred revenue; unearned revenue
accrued liabilities; accrued expenses; accrued expenses and other current liabilities
prepaid expenses; prepaid expenses and other current assets; prepaid expenses and other; other current assets
total liabilities and equity; total liabilities and shareholders equity; total liabilities and stockholders equity
"""  # noqa: E501
_CASH = """
net cash provided by operating activities; cash flow from operating activities; cash from operations; operating cash flow; cash flow from operations; cash flows from operating activities; net cash used in operating activities; total cash provided by operating activities; net cash provided by operations; cash provided by operations; net cash from operations; net cash from operating activities; cfo; net cash flow from operating activities
net cash used in investing activities; cash flow from investing activities; net cash provided by investing activities; cash flows from investing activities; net cash used for investing activities; net cash used by investing activities; investing cash flow
net cash used in financing activities; cash flow from financing activities; net cash provided by financing activities; cash flows from financing activities; net cash used for financing activities; net cash used by financing activities; financing cash flow
capital expenditures; capital expenditure; purchases of property and equipment; purchases of property plant and equipment; additions to property plant and equipment; additions to property and equipment; purchase of property and equipment; purchase of property plant and equipment; payments for property and equipment; purchases of land buildings and equipment; payments for property plant and equipment; property plant and equipment additions; capital spending; capex; additions to properties; payments to acquire property plant and equipment; expenditures for property and equipment
depreciation and amortization; depreciation and amortisation; depreciation amortization and other; d&a; depreciation amortization; depreciation; depreciation and amortization of property equipment and intangibles; depreciation amortization and accretion
dividends paid; cash dividends paid; dividends; payment of dividends; payments of dividends; payments of cash dividends; cash dividends; total cash dividends paid; dividends common and preferred; dividends on common stock; dividends paid to shareholders
share repurchases; repurchase of common stock; repurchases of common stock; purchases of treasury stock; purchase of company stock; common stock repurchased; stock repurchases; share buybacks; purchases of common stock for treasury; common shares repurchased
stock-based compensation; stock based compensation expense; share based compensation; share based compensation expense; share based plans expense; stock based compensation and related
acquisitions; acquisitions net of cash acquired; payments for business acquisitions; business acquisitions net of cash acquired
"""  # noqa: E501

LINE_ITEMS: tuple[LineItem, ...] = (
    *_items(
        Statement.INCOME, _INCOME, "cost of sales", "income tax expense", "interest expense",
        "selling, general and administrative expenses", "research and development",
        "operating expenses",
    ),
    *_items(Statement.BALANCE, _BALANCE),
    *_items(
        Statement.CASH, _CASH, "capital expenditures", "dividends paid", "share repurchases",
        "acquisitions",
    ),
)  # fmt: skip

EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "revenue": (
        "take in", "takes in", "took in", "taken in", "turnover", "turn over", "turned over",
        "money coming in", "money came in", "money that came in",
    ),
    "net income": (
        "profit", "profits", "earn", "earns", "earned", "bottom line", "profit after tax",
        "left after tax", "left over after tax",
    ),
    "income tax expense": ("pay in tax", "pay in taxes", "paid in tax", "paid in taxes"),
    "research and development": (
        "spend on research", "spent on research", "spend researching", "spent researching",
        "research spending", "put into research",
    ),
    "total assets": ("own", "owns", "owned", "possess", "possesses", "possessed"),
    "total liabilities": ("owe", "owes", "owed"),
    "cash and cash equivalents": (
        "hold in cash", "held in cash", "have in cash", "had in cash", "money in the bank",
        "cash in hand", "cash at bank", "keep in cash", "kept in cash",
    ),
    "total equity": ("net assets", "book value"),
    "dividends paid": (
        "pay in dividends", "paid in dividends", "pay out in dividends", "paid out in dividends",
        "paid out to shareholders", "pay out to shareholders", "handed out to shareholders",
    ),
    "share repurchases": (
        "buy back shares", "buying back shares", "bought back shares", "buying back its shares",
        "buying back its own shares", "buybacks",
    ),
}  # fmt: skip
"""Words of everyday speech that ask for a line and are the label of none, by its name."""

FORMULAS: Mapping[str, str] = {
    name.strip(): formula.strip()
    for names, formula in {
        "working capital ratio; current ratio": "total current assets / total current liabilities",
        "net working capital; working capital": "total current assets - total current liabilities",
        "quick ratio; acid test ratio": (
            "(total current assets - inventories) / total current liabilities"
        ),
        "gross margin; gross profit margin": "(revenue - cost of sales) / revenue",
        "operating margin; operating profit margin; operating income margin": (
            "operating income / revenue"
        ),
        "net margin; net profit margin; net income margin": "net income / revenue",
        "ebitda": "operating income + depreciation and amortization",
        "ebitda margin": "(operating income + depreciation and amortization) / revenue",
        "free cash flow; fcf": "net cash provided by operating activities - capital expenditures",
        "free cash flow margin": (
            "(net cash provided by operating activities - capital expenditures) / revenue"
        ),
        "return on assets; roa": "net income / average total assets",
        "return on equity; roe": "net income / average total equity",
        "asset turnover; asset turnover ratio; total asset turnover": (
            "revenue / average total assets"
        ),
        "fixed asset turnover; fixed asset turnover ratio": (
            "revenue / average property, plant and equipment, net"
        ),
        "inventory turnover; inventory turnover ratio": "cost of sales / average inventories",
        "days inventory outstanding; dio": "365 * average inventories / cost of sales",
        "days sales outstanding; dso": "365 * average accounts receivable / revenue",
        "days payable outstanding; days payables outstanding; dpo": (
            "365 * average accounts payable / (cost of sales + change in inventories)"
        ),
        "cash conversion cycle; ccc": (
            "365 * average inventories / cost of sales"
            " + 365 * average accounts receivable / revenue"
            " - 365 * average accounts payable / (cost of sales + change in inventories)"
        ),
        "effective tax rate; tax rate": "income tax expense / income before taxes",
        "interest coverage; interest coverage ratio": "operating income / interest expense",
        "dividend payout ratio; payout ratio": (
            "dividends paid / net income attributable to shareholders"
        ),
        "retention ratio": (
            "(net income attributable to shareholders - dividends paid)"
            " / net income attributable to shareholders"
        ),
        "operating cash flow ratio; cash flow ratio": (
            "net cash provided by operating activities / total current liabilities"
        ),
        "debt to equity ratio": "total liabilities / total equity",
        "capital intensity ratio": "total assets / revenue",
    }.items()
    for name in names.split(";")
}
"""What ratios and sums are made of, by the names of lines; "average" and "change in" are over a
year and the one before it."""


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
    tells_apart: bool
    """Whether these have heads of letters that differ: "opened" and "closed" in one year."""
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
        return SCALES[found[1].lower()] if found and found[1] else 1000 if found else 1

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
    name = unquote(page_of(passage).rpartition("/")[2]).rpartition(".")[0]
    signs = _decimal_signs(pool.lines_of[owner])
    for line in pool.lines_of[owner]:
        if not (line.text.startswith(ROW) or _is_record(line)):
            before = f"{before} {line.text}" if len(words(line.text)) <= CAPTION_WORDS else ""
            continue
        if not line.columns or line.heading:
            continue
        label, *values = _told(line)
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


def _told(line: Line) -> tuple[str, ...]:
    return cells(line.text) if line.text.startswith(ROW) else line.values


def _is_record(line: Line) -> bool:
    """Whether ``line`` is a row of a CSV file or a sheet that one label begins.

    Of one with names in several columns no single label tells what its figures are of.
    """
    if line.heading or not 2 <= len(line.columns) == len(line.values):
        return False
    first = next((at for at, head in enumerate(line.columns) if _year_of(head)), 0)
    return first > 0 and None not in map(amount_in, line.values[1:first])


def _decimal_signs(lines: Iterable[Line]) -> Mapping[tuple[str, ...], str]:
    """Return what is before decimals in each table of a passage, by the heads of the table."""
    figures: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        if line.columns and not line.heading:
            figures.setdefault(line.columns, []).extend(_told(line)[1:])
    return {columns: decimal_sign(told) for columns, told in figures.items()}


def _row(
    line: Line, label: str, values: list[str], section: str, told: tuple[str, str]
) -> StatementRow | None:
    """Return the row of ``label``, ``told`` what is above its table and of which document it is."""
    heads = line.columns[1:]
    years = [_year_of(head) for head in heads]
    known = list(filter(None, years))
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
        tells_apart=_tell_apart(heads),
    )


def _tell_apart(heads: Sequence[str]) -> bool:
    """Whether columns of one year among ``heads`` are of things with names of their own."""
    named = [(year, label_stems(head)) for head in heads if (year := _year_of(head))]
    plain = {(year, said) for year, said in named if said}
    return len({year for year, _ in plain}) < len(plain)


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
