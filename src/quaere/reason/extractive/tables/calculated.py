"""What the figures of one question come to over the rows of a table: a sum, or an average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from statistics import median
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.pool import cells
from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.tables.asked import (
    CALCULATED,
    FOUND,
    SHOWN,
    Asked,
    RowsAnswer,
    printed,
)
from quaere.reason.extractive.tables.cell_values import is_bare, is_empty
from quaere.reason.extractive.tables.columns import Column, Type, may_be_money
from quaere.reason.extractive.tables.periods import names_a_stretch
from quaere.reason.extractive.tables.wording import SPENT, Undecided, foremost, sole
from quaere.text.tokens import stems_of

SUMS = frozenset({"total", "sum", "combined", "altogether", "together", "overall"})
_MEDIAN = "median"
MEANS = frozenset({"average", "mean", _MEDIAN})
LEVELS = stems_of("temperature price rate average mean level share percent height depth age speed")
"""Stems of what adds up to nothing."""
_PAST = frozenset({"did", "was", "were"})
_ROWS_ASKED = frozenset({"which", "who", "whom", "whose", "when", "where"})
"""Open questions that no sum answers: "which payments"."""
_QUANTITIES = frozenset({"much", "many"})
_AMOUNTS = frozenset({"amount", "amounts"})


class Calculation(NamedTuple):
    """A column whose figures are added up, or averaged."""

    column: Column
    is_mean: bool


class Calculating(Asked):
    """One question, read for what a column comes to over the rows that hold."""

    @property
    def asks_for_a_sum(self) -> bool:
        """Whether it asks for a sum, or anything else calculated but an average."""
        is_calculated = bool(self.wording.places_of(SUMS)) or self._is_of_a_stretch
        return is_calculated and MEANS.isdisjoint(self.wording.words)

    def calculated(self) -> RowsAnswer | None:
        """Return the sum or the average of a column over the rows that hold.

        Raises:
            Undecided: when several columns could be meant, or a row has no figure.
        """
        asked = self.calculation()
        if asked is None:
            return None
        column, is_mean = asked
        if self.table.totals and not self.held and not is_mean:
            return self._summed_up(column)
        return self._over_rows(column, is_mean=is_mean) if self.rows else None

    def calculation(self) -> Calculation | None:
        """Return of what a sum or an average is asked, whose words are then accounted for.

        Raises:
            Undecided: when several columns could be meant.
        """
        if self._asks_for_rows or self._sets_rows_apart:
            return None
        said = self._calculation_asked()
        column = self._summed(said) if said and len(self.rows) > 1 else None
        if column is None or column.is_numbering:
            return None
        self.wording.used.update([*said, *self.wording.heads(column)])
        self.by.append(column)
        return Calculation(column, is_mean=self.wording.words[said[0]] in MEANS)

    @property
    def _sets_rows_apart(self) -> bool:
        """Whether some rows are compared with others, which nothing over all of them answers."""
        return self.kind in {Kind.YES_NO, Kind.COMPARISON}

    def _over_rows(self, column: Column, *, is_mean: bool) -> RowsAnswer:
        figures = self._figures(column, is_mean=is_mean)
        total, count = sum(figures, Decimal(0)), len(figures)
        total = abs(total) if column is self.wording.paid_from else total
        value, name = (total / count, "average") if is_mean else (total, "sum")
        if is_mean and _MEDIAN in self.wording.words:
            value, name = median(figures), _MEDIAN
        is_rounded = is_mean or value == value.to_integral()
        text = (
            f"{column.with_unit(printed(value) if is_rounded else f'{value:,f}')}"
            f" ({name} of {column.head} over {self._told_rows()}"
            f"{self._told_figures(column, len(figures))})"
        )
        return self.answered(DirectKind.NUMBER, text, self.rows, CALCULATED)

    def _told_figures(self, column: Column, count: int) -> str:
        """Return the figures that were added up, if they are few; and how many rows have none."""
        if missing := len(self.rows) - count:
            return f"; {missing} of these {'has' if missing == 1 else 'have'} none"
        if count > SHOWN:
            return ""
        return f": {'; '.join(column.cells[row] for row in self.rows)}"

    def _summed_up(self, column: Column) -> RowsAnswer:
        """Return what the table itself tells that ``column`` comes to.

        Raises:
            Undecided: when it tells several sums, such as one without tax, or none.
        """
        line, *others = self.table.totals
        told = cells(line.text)[column.at]
        if others or is_empty(told):
            raise Undecided
        label = next(filter(None, cells(line.text)))
        text = column.with_unit(told) if told.isdecimal() or is_bare(told) else told
        answer = self.answered(DirectKind.NUMBER, text, (), FOUND)
        heads = frozenset({self.table.columns[0].head, column.head})
        return replace(answer, text=f"{answer.text} ({label})", lines=(line,), columns=heads)

    def _calculation_asked(self) -> list[int]:
        """Return the places of words such as "total" and "average", or of what says as much."""
        said = self.wording.places_of(SUMS | MEANS)
        if not said:
            return self._sum_implied()
        return said if self._asks_for_rows else [at for at in said if at not in self.wording.used]

    def _sum_implied(self) -> list[int]:
        """Return the places of words that ask for a sum without calling it one: "spent"."""
        if self._is_of_a_stretch and self._how in _QUANTITIES:
            return [1]
        is_sum = self.held and not self._asks_for_rows and self._is_all_spent()
        return self.wording.places_of(SPENT) if is_sum else []

    @property
    def _is_of_a_stretch(self) -> bool:
        """Whether months are named from one to another, and no sum or average by its name."""
        is_worded = self.wording.places_of(SUMS | MEANS)
        return not is_worded and names_a_stretch(self.wording.text)

    @property
    def _asks_for_rows(self) -> bool:
        return not _ROWS_ASKED.isdisjoint(self.wording.words[:1])

    def _is_all_spent(self) -> bool:
        """Whether the table tells of money, and not when each row is paid: some may not be."""
        dates = self.table.of_type(Type.DATE)
        amounts = (c for c in self.table.columns if not _AMOUNTS.isdisjoint(c.said))
        is_told = self.table.tells_of_money or any(c.is_money for c in amounts)
        return is_told and all(SPENT.isdisjoint(c.said) for c in dates)

    def _figures(self, column: Column, *, is_mean: bool) -> list[Decimal]:
        """Return the figures that the rows which hold have in ``column``.

        An average is that of the rows that have one, if most do.

        Raises:
            Undecided: when one of them has none, or something else.
        """
        values = [v[0] for row in self.rows if (v := column.values[row]) is not None]
        blank = sum(is_empty(column.cells[row]) for row in self.rows)
        missing = len(self.rows) - len(values)
        if missing and not (is_mean and missing == blank < len(values)):
            raise Undecided
        return values

    def _told_rows(self) -> str:
        of_all = f"{len(self.table.lines)} {self.table.counted} of {self.table.name}"
        return f"{len(self.rows)} of {of_all}"

    def _summed(self, said: Sequence[int]) -> Column | None:
        """Return the column of which a sum or average is asked in the words ``said``.

        Of what was paid there is one, unless another is named. "Total" asks for a column of that
        head only where no other is named.
        """
        able = self.table.of_type(Type.NUMBER)
        if self.wording.paid:
            return self.wording.paid
        if self._is_of_a_stretch:
            able = list(filter(self._adds_up, able))
        named = [c for c in able if set(self.wording.heads(c)).difference(said)]
        named = named or list(filter(self.wording.share_left, able))
        if named:
            return sole(foremost(self._named_longest(named), self.wording.share_left))
        return sole(_of_amounts(able))

    def _named_longest(self, named: Sequence[Column]) -> list[Column]:
        """Return the columns but those of which another has the words and more: "double room"."""
        stems = self.wording.stems
        said = {
            column.at: {at for at in self.wording.heads(column) if stems[at] in column.stems}
            for column in named
        }
        return [c for c in named if not any(said[c.at] < each for each in said.values())]

    def _adds_up(self, column: Column) -> bool:
        """Whether what ``column`` has in several months comes to something: no price, no level.

        Sums of money do where it is told what they were.
        """
        stems = column.stems | self.table.named if self.table.by_columns else column.stems
        is_past = not _PAST.isdisjoint(self.wording.words)
        return stems.isdisjoint(LEVELS) and (is_past or not may_be_money(column, self.table))


def _of_amounts(able: Sequence[Column]) -> Sequence[Column]:
    """Return the columns that are headed as amounts; where none is, those of money."""
    amounts = [c for c in able if not _AMOUNTS.isdisjoint(c.said)]
    return amounts or [c for c in able if c.is_money]
