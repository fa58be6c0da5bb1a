"""Reads one question for how many rows of a table hold, or how many things they name."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, SHOWN, RowsAnswer, listing
from quaere.reason.extractive.tables.calculated import Calculating
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import FIGURES, Column, Type
from quaere.reason.extractive.tables.lexicon import PEOPLE
from quaere.reason.extractive.tables.spans_of_rows import is_of_months, is_of_years
from quaere.reason.extractive.tables.wording import is_in_texts
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, words

_COUNTS = lazy_regex(r"(?i)\bhow many\b|\bnumber of\b")
_DISTINCT = frozenset({"different", "distinct", "unique"})
_IN_ALL = frozenset({"total", *_DISTINCT})
"""Words next to what is counted."""


class Counting(Calculating):
    """One question, read for how many rows hold."""

    def count(self) -> RowsAnswer | None:
        """Return how many rows hold.

        Raises:
            Undecided: when several columns could be meant.
        """
        asked = _COUNTS.search(self.wording.text)
        if asked is None or not self.rows:
            return None
        names = self._names_counted(asked.end())
        if names is None or self._is_told_by_figures(names, asked.end()):
            return None
        self.wording.used.update(self.wording.places_of(_IN_ALL))
        self.wording.used.update(self._always_dated())
        whole = f"{len(self.table.lines)} {self.table.counted} of {self.table.name}"
        few = "" if self.table.is_nameless else _told_if_few(names)
        text = f"{len(names)} (of {whole}{few})"
        return self.answered(DirectKind.NUMBER, text, self.rows, CALCULATED)

    def _is_told_by_figures(self, names: Sequence[str], start: int) -> bool:
        """Whether figures of the rows, called ``names``, tell what is counted from ``start`` on."""
        if self.is_of_one() or self._is_of_figures(start):
            return True  # what is counted is in the row
        if any(words(name)[:1] == ["total"] for name in names) or self._are_amounts_of_years():
            return True  # the figures of a statement count it
        return self._are_kinds(names, start)  # figures count each kind

    def _are_kinds(self, names: Sequence[str], start: int) -> bool:
        """Whether each of ``names`` is a kind of what is counted, of which figures tell how many.

        "Factory shops" and "corner shops" are not two shops.
        """
        noun = self._noun_counted(start)
        if noun is None or not self.table.of_type(Type.NUMBER):
            return False
        own = self.wording.words[noun]
        return own.endswith("s") and all(own in words(name)[1:] for name in names)

    def _are_amounts_of_years(self) -> bool:
        """Whether some rows hold, of those of which each has an amount for some years."""
        if len(self.rows) == len(self.table.lines):
            return False
        if self.table.counted == FIGURES:  # one row for each figure, with its year
            return any(all(map(years_in, each.cells)) for each in self.table.columns)
        figures = self.table.of_type(Type.NUMBER)
        return bool(figures) and all(years_in(each.head) for each in figures)

    def _names_counted(self, start: int) -> list[str] | None:
        """Return what is counted by the noun from ``start`` on: the rows, or what a column names.

        None where that names something twice, and it is not said how it counts.
        """
        is_distinct = self._counts_different(start)
        if not is_distinct and self._are_counted(start):
            return self._rows_called()
        noun = self._noun_counted(start)
        if noun is None:
            return None
        own = self.wording.stems[noun]
        column = self.naming_column(own)
        names = self._names_in(column, own, is_distinct=is_distinct) if column else None
        if column is None or names is None:
            return None
        self.wording.used.add(noun)
        self.by.append(column)
        return names

    def _names_in(self, column: Column, own: str, *, is_distinct: bool) -> list[str] | None:
        """Return the different cells that the rows that hold have in ``column``.

        But what these are called, where all cells say no more than ``own``, what they are. None
        where several have the same, unless ``is_distinct`` is asked for, or one has nothing.
        """
        cells = [column.cells[row] for row in self.rows]
        names = list(dict.fromkeys(cells))
        if {stem(name.casefold()) for name in names} == {own}:
            names = cells = self._rows_called()
        is_unclear = len(names) < len(cells) and not is_distinct
        return None if is_unclear or any(map(is_empty, cells)) else names

    def _rows_called(self) -> list[str]:
        """Return what the rows that hold are called."""
        return [self.table.called(row) for row in self.rows]

    def _counts_different(self, start: int) -> bool:
        """Whether what is counted from ``start`` on is counted once, however many rows have it."""
        return not _DISTINCT.isdisjoint(self.wording.words) or self._are_sorts(start)

    def _are_sorts(self, start: int) -> bool:
        """Whether the noun from ``start`` on heads the key, of which several rows are: species."""
        noun, key = self._noun_counted(start), self.table.key
        if noun is None or not key.groups_rows:
            return False
        own = self.wording.stems[noun]
        return own in key.stems and own not in self.table.named

    def _noun_counted(self, start: int) -> int | None:
        after = (at for at in self.wording.content if self.wording.tokens[at].start >= start)
        return next((at for at in after if self.wording.words[at] not in _IN_ALL), None)

    def is_of_one(self) -> bool:
        """Whether the question calls one row by its name."""
        called = (self.table.key, self.table.label)
        return any(each.is_row and each.column in called for each in self.held)

    def _always_dated(self) -> set[int]:
        """Return the places of words for what each row has a date of: "taken" of samples."""
        dated = [
            column
            for column in self.table.of_type(Type.DATE)
            if not any(is_empty(column.cells[row]) for row in self.rows)
        ]
        return self.wording.head_places(dated)

    def _are_counted(self, start: int) -> bool:
        """Whether the first noun from ``start`` on is of what the rows are."""
        noun = None if self._are_sorts(start) else self._noun_counted(start)
        return noun is not None and (self._is_of_times(noun) or self._is_thing(noun))

    def counted(self) -> RowsAnswer | None:
        """Return how many rows hold, if that is asked for and nothing else.

        Raises:
            Undecided: when several columns could be meant.
        """
        found = self.count() if self.counts_rows() else None
        return found if found and self.is_accounted() else None

    def counts_rows(self) -> bool:
        """Whether it is asked how many rows hold."""
        asked = _COUNTS.search(self.wording.text)
        return asked is not None and self._are_rows_counted(asked.end())

    def _are_rows_counted(self, start: int) -> bool:
        return not self._is_of_figures(start) and self._are_counted(start)

    def _is_of_figures(self, start: int) -> bool:
        """Whether more than the noun from ``start`` on heads a column of figures: "under 16"."""
        noun = self._noun_counted(start)
        left = [at for at in self.wording.free if at != noun]
        figures = (c for c in self.untaken() if c.type is Type.NUMBER and not c.is_numbering)
        return any(self.wording.share(c, self.wording.heads(c, left)) == 1.0 for c in figures)

    def _is_of_times(self, noun: int) -> bool:
        """Whether it is asked how many times something is so: "How many times was Ada backup?"."""
        if self.wording.words[noun] != "times" or not any(each.is_value for each in self.held):
            return False
        self.wording.used.add(noun)
        return True

    def _is_thing(self, at: int) -> bool:
        """Whether the word at ``at`` is what rows are of, or a value that they were chosen by."""
        own = self.wording.stems[at]
        if self._is_told_in_rows(own):
            return False
        if own in PEOPLE and self.has_people_in(self.table.key):
            self.wording.used.add(at)
        is_chosen = self.is_value_said(at) and not is_of_years(self.table)
        return own in self.table.things or is_chosen or self.is_called_so(at)

    def _is_told_in_rows(self, own: str) -> bool:
        """Whether ``own`` is not a row: a figure counts it, or rows are its months."""
        if is_of_months(self.table) and own in self.table.named - self.table.key.stems:
            return True
        return any(own in c.stems for c in self.table.columns[1:] if _counts(c))

    def is_value_said(self, at: int) -> bool:
        """Whether the word at ``at`` is of a value that rows were chosen by, and of no text."""
        own = self.wording.stems[at]
        return at in self.wording.used and not is_in_texts(own, self.held, self.rows)

    def naming_column(self, own: str) -> Column | None:
        """Return the first column of names that ``own`` heads; None without any."""
        headed = (c for c in self.table.of_type(Type.TEXT) if own in c.stems)
        return next((c for c in headed if self._names_each(c, own)), None)

    def _names_each(self, column: Column, own: str) -> bool:
        """Whether ``column``, which ``own`` heads, has names: the key does, and others but codes.

        Where the table is called after it, it is a row, and "boat type" does not name boats.
        """
        if column is self.table.key:
            return True
        is_of_row = own in self.table.named
        return not column.is_code and (not is_of_row or column.stems == frozenset({own}))


def _counts(column: Column) -> bool:
    """Whether the figures of ``column`` tell how many or how much, and not which one, or yes."""
    return column.type is Type.NUMBER and not (column.is_flag or column.is_numbering)


def _told_if_few(names: Sequence[str]) -> str:
    """Return the ``names`` that were counted, unless they are many or one is of several rows."""
    are_few = len(frozenset(names)) == len(names) <= SHOWN
    return f": {listing(names)}" if are_few else ""
