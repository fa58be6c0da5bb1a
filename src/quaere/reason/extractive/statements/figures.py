"""Finds figures in statements and puts them together: row by label, column by fiscal year.

A question that supposes a rise or a fall is answered by whether the line did so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from quaere.domain.question import Intent, Query
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.statements.question import (
    CLAIMED_CHANGE,
    Calculation,
    Expression,
    FigureQuestion,
    Term,
    figure_asked,
    literal_figure,
)
from quaere.reason.extractive.statements.rows import (
    LINE_ITEMS,
    PER_SHARE,
    LineItem,
    Statement,
    StatementRow,
    rows_of_years,
    wordings_of,
)
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex

ALIKE, SURELY = 0.8, 0.9
"""F1 of the words of a row's label and of a wording of what is asked for: from which it is taken to
be that line, and from which surely. Labels of other companies' statements, none of which stood in
the document, were taken for one of its rows in .27 of 178 look-ups from .8, and in .04 from .9."""
PRIMARY, OTHER, DERIVED, NAMED = 0.3, -0.2, -0.3, 0.6
"""What it is worth to a row to be in the statement of its item, in another one, in a table about
a part of the company or about a change of its accounts, and in a statement that is named."""
LATEST, FULL, SAID = 0.05, 0.01, 0.01
"""The same for a document named after the last year asked for, for each year that a row has, and
for each word of a label that the question says whole: more than for the place of a wording among
those of its line, so that of two rows of one line the one is taken that is named."""
FOUND, CALCULATED, UNSURE = 0.9, 0.85, 0.65
"""Confidence in a cell, in what is calculated from cells, and in either by a label that is not
surely the line asked for."""
BILLION = 10**9
PLACES = 3
"""Places in the selection for what is found for each line."""

_SCALE_NAMES: Mapping[int, str] = {10**3: " thousand", 10**6: " million", 10**9: " billion"}
_SOUGHT: Mapping[Statement | None, str] = {
    Statement.BALANCE: "consolidated balance sheets financial position",
    Statement.INCOME: "consolidated statements of income operations earnings",
    Statement.CASH: "consolidated statements of cash flows",
    None: "",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that answers, and the rows that it is from."""

    text: str
    lines: tuple[Line, ...]
    confidence: float
    is_primary: bool
    """Whether every row is in a primary statement, the one that is asked for or has such lines."""
    label: frozenset[str] = frozenset()
    """The stems of its row's label, for a single cell whose label is worded as what is asked."""
    change: float | None = None
    """By how much the line changed, where that is asked; its sign is that of the change."""

    @property
    def is_sure(self) -> bool:
        """Whether each of its rows is surely the line that is asked for."""
        return self.confidence > UNSURE


_PROFITS = lazy_regex(r"(?i)\b(?:profit|income|earnings|result|ebitda?)\b(?! tax)")


class _Input(NamedTuple):
    """An amount, and where it stands."""

    row: StatementRow
    year: int
    amount: float
    likeness: float
    is_primary: bool


class _Missing(Exception):
    """A row or a period is not there."""


def figure_queries(question: str) -> tuple[Query, ...]:
    """Return a query for each line that the figure asked for in ``question`` needs."""
    asked = figure_asked(question) or literal_figure(question)
    if asked is None:
        return ()
    told = " ".join([*asked.named, *map(str, asked.years)])
    joined = "".join(asked.named)  # as files are named: BESTBUY_2019_10K
    return tuple(
        Query(
            text=f"{item.name}: {told} {_SOUGHT[item.statement]}".strip(),
            intent=Intent.FIGURE,
            purpose=f"the row “{item.name}”",
            focus=tuple(dict.fromkeys(filter(None, (*asked.named, joined)))),
            faint=(item.name,),
            rows=_labels(item, asked.named),
            places=PLACES,
        )
        for item in asked.items
    )


def _labels(item: LineItem, named: Sequence[str]) -> tuple[str, ...]:
    """Return the labels that a row of ``item`` may bear, with the name of the company in them."""
    if item.statement is None or not named:
        return item.wordings
    return (*item.wordings, *(f"{each} {' '.join(named)}" for each in item.wordings))


def needs_rows(question: str) -> bool:
    """Return whether ``question`` asks for lines of a statement, which have to be looked for."""
    return figure_asked(question) is not None


def find_figure(question: str, pool: Pool) -> Figure | None:
    """Return the figure that ``question`` asks for; None where a row or a period is missing.

    Lines whose wordings are known are looked for first, then labels in the question's own words;
    of a label and a shorter wording that is part of it, the label is meant.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    told = _told_by_row(question, pool)
    if told is not None and _may_be_of_the_next(question, told, pool):
        return replace(told, confidence=min(told.confidence, DOUBTED))
    return told


def _told_by_row(question: str, pool: Pool) -> Figure | None:
    """Return the figure of a line whose wordings are known, or of one that the question words."""
    asked, literal = figure_asked(question), literal_figure(question)
    if asked is None and literal is None:
        return None
    rows = rows_of_years(pool)
    found, worded = _looked_up(asked, rows), _looked_up(literal, rows)
    if found is None or not found.is_primary or _says_more(worded, asked):
        return worded or found
    return found


_FISCAL = lazy_regex(r"(?i)\b(?:fiscal(?: year)?|fy) ?(?P<year>20\d\d)\b")
_EARLY = r"(?i)\b(?:jan(?:uary|\.)?|feb(?:ruary|\.)?) \d{1,2},? "
DOUBTED = 0.55
"""Most confidence in a figure of a fiscal year that may be called after the year before its end."""


def _may_be_of_the_next(question: str, told: Figure, pool: Pool) -> bool:
    """Whether the fiscal year asked for may be the one that ended early in the next year.

    A report calls its own year so more often than the next: "fiscal 2022" ended in January 2023.
    """
    asked = _FISCAL.search(question)
    if asked is None:
        return False
    year = int(asked["year"])
    if not (_ends_early(year, told) and _ends_early(year + 1, told)):
        return False
    said = [int(each["year"]) for p in pool.passages for each in _FISCAL.finditer(p.text)]
    return said.count(year) > said.count(year + 1)


def _ends_early(year: int, told: Figure) -> bool:
    """Whether a column of ``told`` is of a year that ended in the first months of ``year``."""
    heads = " ".join(head for line in told.lines for head in line.columns)
    return re.search(f"{_EARLY}{year}", heads) is not None


def _says_more(worded: Figure | None, asked: FigureQuestion | None) -> bool:
    """Whether ``worded`` has the question's words for a label that the line asked for is part of.

    "Income taxes paid" is not "income taxes".
    """
    term = asked.expression if asked else None
    if worded is None or not isinstance(term, Term) or term.over:
        return False
    wordings = wordings_of(term.item) if worded.is_primary else ()
    return worded.label not in wordings and any(each < worded.label for each in wordings)


def _looked_up(asked: FigureQuestion | None, rows: Sequence[StatementRow]) -> Figure | None:
    if asked is None:
        return None
    try:
        return _LookUp(asked, rows).figure()
    except (_Missing, ZeroDivisionError):
        return None


class _LookUp:
    """Looks up what one question asks for in the rows of tables."""

    def __init__(self, asked: FigureQuestion, rows: Sequence[StatementRow]) -> None:
        self.asked = asked
        self.rows = rows
        self.inputs: list[_Input] = []

    def figure(self) -> Figure:
        """Return the figure.

        Raises:
            _Missing: when there is no row or no column for it.
            ZeroDivisionError: when a ratio has none.
        """
        years = self._years()
        amounts = [self._amount(self.asked.expression, year) for year in years]
        if not self._can_be_told():
            raise _Missing
        return Figure(
            text=self._cell() if self._is_cell() else self._calculated(years, amounts),
            lines=tuple(dict.fromkeys(each.row.line for each in self.inputs)),
            confidence=self._confidence(),
            is_primary=all(each.is_primary for each in self.inputs),
            label=self._exact_label(),
            change=self._change(amounts) if self.asked.over == "change" else None,
        )

    def _years(self) -> tuple[int, ...]:
        """Return the years that are looked up: for a change, the one before it and its last."""
        if self.asked.over == "average" and not self.asked.years:
            return self._all_years()
        years = self.asked.years or (self._latest(),)
        if self.asked.over not in {"growth", "change"}:
            return years
        first, last = years[0], years[-1]
        return (first if first < last else last - 1, last)

    def _all_years(self) -> tuple[int, ...]:
        """Return the years that the one line asked for is reported for, to average them.

        Raises:
            _Missing: when there is no such line, only one year, or it is an average itself.
        """
        item, *others = self.asked.items
        row = max(self.rows, key=lambda each: self._worth(item, each), default=None)
        if row is None or others or not self._worth(item, row) or "averag" in row.label_stems:
            raise _Missing
        years = tuple(sorted(filter(row.holds, row.values)))
        if len(years) < 2:
            raise _Missing
        return years

    def _has_known_units(self) -> bool:
        """Whether the unit of no amount is unknown that goes with amounts of a known one."""
        scales = {each.row.scale for each in self.inputs if not each.row.is_plain}
        return len(scales) < 2 or 1 not in scales

    def _is_of_itself(self) -> bool:
        """Whether two lines that are set against each other were found to be one row."""
        rows = {id(each.row) for each in self.inputs}
        return _is_ratio(self.asked.expression) and len(self.inputs) > 1 and len(rows) == 1

    def _is_cell(self) -> bool:
        """Whether a single cell answers, and nothing is calculated."""
        return isinstance(self.asked.expression, Term) and len(self.inputs) == 1

    def _confidence(self) -> float:
        if any(each.likeness < SURELY for each in self.inputs):
            return UNSURE
        return FOUND if self._is_cell() else CALCULATED

    def _exact_label(self) -> frozenset[str]:
        """Return the stems of the label of a single cell that is worded as what is asked."""
        found = self.inputs[0]
        is_exact = self._is_cell() and found.likeness == 1
        return found.row.label_stems if is_exact else frozenset()

    def _latest(self) -> int:
        """Return the last year that the lines asked for are told of."""
        item = self.asked.items[0]
        years = [max(row.values) for row in self.rows if self._worth(item, row)]
        if not years:
            raise _Missing
        return max(years)

    def _amount(self, expression: Expression, year: int) -> float:
        if isinstance(expression, int | float):
            return expression
        if isinstance(expression, Term):
            now = self._find(expression.item, year)
            if not expression.over:
                return now
            before = self._find(expression.item, year - 1)
            return (now + before) / 2 if expression.over == "average" else now - before
        left = self._amount(expression.left, year)
        right = self._amount(expression.right, year)
        return _calculated(expression.sign, left, right)

    def _find(self, item: LineItem, year: int) -> float:
        """Return the amount of ``item`` in ``year`` in its best row, and note where it stands.

        Raises:
            _Missing: when there is no such row.
        """
        row = self._best_row(item, year)
        amount = abs(row.amount(year)) if item.paid else row.amount(year)
        fitting = {item.statement or row.statement, *self.asked.statements}
        is_primary = row.statement is not None and row.statement in fitting
        self.inputs.append(_Input(row, year, amount, self._likeness(item, row), is_primary))
        return amount

    def _best_row(self, item: LineItem, year: int) -> StatementRow:
        """Return the row that is worth most as one of ``item`` in ``year``.

        Raises:
            _Missing: when there is none, or rows are of several documents and none is asked for.
        """
        wanted = self.asked.years or (year,)
        found = [
            (worth + FULL * sum(other in row.values for other in wanted), row)
            for row in self.rows
            if row.holds(year) and (worth := self._worth(item, row))
        ]
        if not found:
            raise _Missing
        _, row = max(found, key=itemgetter(0))
        if len({each.document for _, each in found}) > 1 and not self._is_named(row):
            raise _Missing
        return row

    def _is_named(self, row: StatementRow) -> bool:
        """Whether the question names the document of ``row``, and not only its label."""
        return any(row.is_about(word) for word in self.asked.about - row.label_stems)

    def _may_be(self, item: LineItem, row: StatementRow, likeness: float) -> bool:
        """Whether ``row``, of that ``likeness`` to ``item``, can be meant by it."""
        if likeness < (ALIKE if item.statement else SURELY):
            return False
        if row.tells_apart and item.statement is None:
            return False
        return self._left(row) <= row.said_stems and self._fits(item, row, likeness)

    def _worth(self, item: LineItem, row: StatementRow) -> float:
        """Return what ``row`` is worth as one of ``item``; 0 for one that is of something else."""
        likeness = self._likeness(item, row)
        if not self._may_be(item, row, likeness):
            return 0.0
        worth = 1 + likeness - 0.001 * _place_of(item, row)
        if row.label_stems <= self.asked.said:
            worth += SAID * len(row.label_stems)
        if row.statement is not None:
            worth += PRIMARY if item.statement in {None, row.statement} else OTHER
        worth += NAMED * (row.statement in self.asked.statements)
        worth += DERIVED * (row.is_derived + row.repeats)
        return worth + LATEST * (
            bool(self.asked.years) and str(max(self.asked.years)) in row.document
        )

    def _fits(self, item: LineItem, row: StatementRow, likeness: float) -> bool:
        """Whether ``row`` may be of ``item``: in a statement asked for, and like no other item."""
        if self.asked.statements and row.statement not in {item.statement, *self.asked.statements}:
            return False
        if item.statement is None:
            return True
        if row.is_plain and not PER_SHARE.search(item.name):
            return False
        if row.is_other and likeness < 1:  # "Other current liabilities" are not all of them
            return False
        return all(self._likeness(each, row) <= likeness for each in LINE_ITEMS)

    def _left(self, row: StatementRow) -> frozenset[str]:
        """Return what of the question neither the document nor the head of ``row`` is about."""
        return frozenset(word for word in self.asked.about if not row.is_about(word))

    def _likeness(self, item: LineItem, row: StatementRow) -> float:
        """Return the F1 of the row's label with the wording of ``item`` that is nearest to it.

        What else is asked for may be in the label, and so may the name of the company.
        """
        label = row.label_stems
        extra = self._left(row) & label if item.statement else frozenset[str]()
        named = frozenset(word for word in label if row.is_in_name(word))
        return max((_f1(label, each | extra, named) for each in wordings_of(item)), default=0.0)

    def _cell(self) -> str:
        """Return a single amount with its unit, row and period."""
        found = self.inputs[0]
        printed = found.row.values[found.year]
        if not found.row.is_plain:
            printed = self._amount_text(found.amount)
        return f"{printed} ({found.row.label}, {found.row.heads[found.year]})"

    def _amount_text(self, amount: float) -> str:
        """Return ``amount`` in the unit that is asked for, else in that of its table."""
        first = self.inputs[0]
        row = first.row
        scale = 1 if row.is_plain else self.asked.scale or row.scale
        value = amount / scale
        places = self.asked.places
        if places is None:
            few = 2 if abs(value) < 100 or scale >= BILLION else 0
            places = row.places(first.year) if scale == row.scale else few
            if self.asked.over == "average" and abs(value) < 100 and value != round(value, places):
                places += 1  # of small figures the mean lies between
        told = f"{abs(value):,.{places}f}"
        if self._are_shares():
            told = f"{told}%"
        else:
            told = f"{self._currency(row)}{told}{_SCALE_NAMES.get(scale, '')}"
        return f"-{told}" if value < 0 else told

    def _currency(self, row: StatementRow) -> str:
        """Return the sign of the currency that the table of ``row`` is in, where it has one."""
        table = [each for each in self.rows if each.caption == row.caption]
        same = (each.currency for each in table if each.document == row.document)
        return row.currency or next(filter(None, same), "")

    def _can_be_told(self) -> bool:
        return self._has_known_units() and not self._is_of_itself()

    def _listed(self, years: Sequence[int], amounts: Sequence[float]) -> str:
        each = [f"{self._told(a)} in {year}" for year, a in zip(years, amounts, strict=True)]
        return f"{', '.join(each[:-1])} and {each[-1]}"

    def _calculated(self, years: Sequence[int], amounts: Sequence[float]) -> str:
        """Return what is calculated from several amounts, and from what."""
        over = self.asked.over
        if over in {"average", "sum", "each"}:
            listed = self._listed(years, amounts)
            if over == "each":
                return f"{listed} ({self._inputs_told()})"
            value = self._told(sum(amounts) / (len(amounts) if over == "average" else 1))
            return f"{value}, the {over} of {listed}"
        first, last = amounts[0], amounts[-1]
        if over == "growth":
            places = 1 if self.asked.places is None else self.asked.places
            value = f"{100 * self._change(amounts) / abs(first):.{places}f}%"
            value = f"{self._points(amounts)}{value}"
        else:
            value = self._change_told(amounts) if over == "change" else self._told(last)
        return f"{value} ({self._inputs_told()})"

    def _points(self, amounts: Sequence[float]) -> str:
        """Return the change in points before that in per cent, where shares changed."""
        if not self._are_shares():
            return ""
        return f"{_in_points(self._told(self._change(amounts)))}, or "

    def _change(self, amounts: Sequence[float]) -> float:
        """Return by how much the amounts of a line grew; costs in brackets are no less than none.

        Raises:
            _Missing: for a profit that is in brackets twice: less of a loss is more of it, or less.
        """
        first, last = amounts[0], amounts[-1]
        if first >= 0 or last >= 0:
            return last - first
        if any(_PROFITS.search(each.row.label) for each in self.inputs):
            raise _Missing
        return abs(last) - abs(first)

    def _change_told(self, amounts: Sequence[float]) -> str:
        """Return the change as it is told; where a fall is asked for, by how much it fell."""
        change = self._change(amounts)
        told = self._told(-change if self.asked.falls else change)
        return _in_points(told) if self._are_shares() else told

    def _are_shares(self) -> bool:
        """Whether all amounts are percentages, of which a change is told in points."""
        return all("%" in each.row.values[each.year] for each in self.inputs)

    def _told(self, value: float) -> str:
        """Return a calculated value as the question wants it told."""
        places, is_ratio = self.asked.places, _is_ratio(self.asked.expression)
        if is_ratio and self.asked.percent:
            return f"{100 * value:.{1 if places is None else places}f}%"
        if is_ratio:
            return f"{value:.{2 if places is None else places}f}"
        return self._amount_text(value)

    def _inputs_told(self) -> str:
        told = (
            f"{each.row.label} {each.row.values[each.year]} ({each.row.heads[each.year]})"
            for each in self.inputs
        )
        return "; ".join(dict.fromkeys(told))


def _in_points(share: str) -> str:
    return f"{share.removesuffix('%')} percentage points"


def _calculated(sign: str, left: float, right: float) -> float:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    return left * right if sign == "*" else left / right


def _is_ratio(expression: Expression) -> bool:
    """Whether units cancel out."""
    if not isinstance(expression, Calculation):
        return False
    return expression.sign == "/" or _is_ratio(expression.left) or _is_ratio(expression.right)


def _place_of(item: LineItem, row: StatementRow) -> int:
    """Return the place of the row's label among the wordings of ``item``, the usual one first."""
    wordings = wordings_of(item)
    return wordings.index(row.label_stems) if row.label_stems in wordings else len(wordings)


def _f1(label: frozenset[str], wording: frozenset[str], named: frozenset[str]) -> float:
    own = label - (named - wording)
    return 2 * len(own & wording) / (len(own) + len(wording)) if own else 0.0


def change_asked(question: str) -> str:
    """Return the question by how much something changed, which ``question`` rests on.

    Empty for one that supposes no change. English alone.
    """
    claimed = in_english(CLAIMED_CHANGE.match, last_question(question))
    return f"By how much did {claimed['of']} change {claimed['when'].strip()}?" if claimed else ""


def find_change(question: str, pool: Pool) -> Figure | None:
    """Return yes or no with the change that decides it; None where no row has both years.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    claimed = CLAIMED_CHANGE.match(last_question(question))
    asked = change_asked(question)
    figure = find_figure(asked, pool) if asked else None
    if claimed is None or figure is None or figure.change is None or len(figure.lines) != 1:
        return None
    is_so = figure.change > 0 if claimed["rises"] else figure.change < 0
    return replace(figure, text="Yes" if is_so else "No")
