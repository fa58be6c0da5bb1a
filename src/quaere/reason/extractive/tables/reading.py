"""Reads one question for one table: which leads, which rows hold, how many and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quaere.domain.report import DirectKind
from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.tables.asked import (
    CALCULATED,
    SHOWN,
    TIMES,
    Blank,
    RowsAnswer,
    listing,
)
from quaere.reason.extractive.tables.calculated import LEVELS, MEANS, SUMS, Calculating
from quaere.reason.extractive.tables.cell_values import Value, flag_of, is_empty
from quaere.reason.extractive.tables.columns import (
    FIGURES,
    Column,
    Type,
)
from quaere.reason.extractive.tables.lexicon import (
    GENERAL,
    LEAST,
    MOST,
    PEOPLE,
    PLACES,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.order import COMING, Order, order_asked, to_come
from quaere.reason.extractive.tables.periods import in_roles
from quaere.reason.extractive.tables.wording import Condition, Undecided, is_in_texts
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stem, words

_COUNTS = lazy_regex(r"(?i)\bhow many\b|\bnumber of\b")
_DISTINCT = frozenset({"different", "distinct", "unique"})
_IN_ALL = frozenset({"total", *_DISTINCT})
"""Words next to what is counted."""
_ROWS = word_set("item items one ones thing things entry entries row rows")
"""Words after "which" for whatever rows are of."""
_BE = (["is"], ["are"], ["was"], ["were"])
_KINDS: Mapping[Type, DirectKind] = {Type.DATE: DirectKind.DATE, Type.NUMBER: DirectKind.NUMBER}
_LISTED = frozenset(
    {Kind.NAME, Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.LIST, Kind.STATEMENT}
)


_UNIT_IN_BRACKETS = lazy_regex(r"\s*\([^()]*\)$")
"""Told with the value: "Length (m)" of "64 m"."""


class Reading(Calculating):
    """One question, read for one table."""

    def answer(self) -> RowsAnswer | None:
        """Return what the table answers in the first way in which nothing is left unread.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        ways = (
            self._extreme,
            self._calculated,
            self._counted,
            self._looked_up,
            self._listed,
            self._in_roles,
        )
        used = frozenset(self.wording.used)
        for way in ways:
            self.wording.used, self.by = set(used), []
            answer = way()
            if answer is not None and self.is_accounted():
                return answer
        return None

    def looked_up(self) -> RowsAnswer | None:
        """Return what the one row that is named tells, or yes or no of it, or else which leads.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        if len(self.rows) == 1 and any(each.is_row for each in self.held):
            found = self._looked_up()
        else:
            found = self._extreme()
        return found if found is not None and self.is_accounted() else None

    def summed(self) -> RowsAnswer | None:
        """Return the average that is asked for, or the sum if it is not of prices or levels.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        is_sum = MEANS.isdisjoint(self.wording.words)
        of = self.table.named | self.table.beside | frozenset(self.wording.stems)
        if is_sum and not LEVELS.isdisjoint(of):
            return None
        found = self._calculated()
        return found if found is not None and self.is_accounted() else None

    def blank(self) -> Blank | None:
        """Return the cell of the one row that is named, where it is asked for and empty.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        rows = self.selected([each for each in self.held if each.is_row])
        if len(rows) != 1:
            return None
        self.by = self.columns_asked()
        empty = next((column for column in self.by if is_empty(column.cells[rows[0]])), None)
        return Blank(self.table, empty, rows[0]) if empty and self.is_accounted() else None

    def may_be_answered(self) -> bool:
        """Whether something of the table is asked for, and more than what it has no column for.

        Another table of its page, whose rows are not known yet, may have the rest.
        """
        wording = self.wording
        self.by = list(self.table.columns)
        heads = wording.head_places(self.by)
        left = [at for at in self.untold() if at not in heads]
        strange = [at for at in left if not wording.words[at].isdecimal()]
        strange = [at for at in strange if not self._is_reckoned(wording.words[at])]
        if not strange:
            is_reckoned = any(map(self._is_reckoned, wording.words))
            return bool(self.held or heads or left) or is_reckoned
        is_read = bool(self.held or heads) or len(strange) < len(left)
        return is_read and 2 * len(strange) <= len(wording.content)

    def _is_reckoned(self, word: str) -> bool:
        """Whether ``word`` asks for what is told over rows: "cheapest", "total"."""
        if word in SUMS | MEANS | MOST | LEAST or (word in COMING and to_come(self.table)):
            return True
        degree = degrees().get(base_of(word, "est") or base_of(word, "er") or word)
        return degree is not None and any(
            degree.is_told_by(c.stems, money=c.is_money) for c in self.table.columns
        )

    # the row that leads

    def _extreme(self) -> RowsAnswer | None:
        """Return the row with the greatest or least value among those that hold."""
        is_choice = self.kind is Kind.COMPARISON
        order = order_asked(self.wording, is_choice=is_choice) if len(self.rows) > 1 else None
        if order is None:
            return None
        rows = self._first_by(order)
        self.by += order.columns
        told = self._called_by()
        if told is None:
            return None
        self.by.append(told)
        text = self._first_told(order.columns[0], told, rows)
        if not is_choice:
            return self.answered(DirectKind.NAME, text, rows)
        others = [row for row in self.rows if row not in rows]
        return self.answered(DirectKind.CHOICE, text, [*rows, *others])

    def _called_by(self) -> Column | None:
        """Return the column that tells which row is first; None where it does not tell who."""
        told = self.target() or self._after_which() or self._first_named() or self.table.key
        if told.type is Type.NUMBER and told is not self.table.key and self._asks_which_row():
            return None
        if self.asks_who and not (self._is_of_whom() or self._may_be_who(told)):
            return self.by_type() if self.spare else None
        return told

    def _asks_which_row(self) -> bool:
        """Whether "which" asks for a row, by what rows are: "which concert"."""
        is_asked = self.wording.words[:1] == ["which"] and self._noun_asked() == 1
        return is_asked and self.wording.stems[1] in self.table.things

    def _after_which(self) -> Column | None:
        """Return the column of names that the word after "which" heads."""
        if self.wording.words[:1] != ["which"] or self._noun_asked() != 1:
            return None
        return self._naming_column(self.wording.stems[1])

    def _first_named(self) -> Column | None:
        """Return the first column, if the question names its head: "the last festival"."""
        first = self.table.columns[0]
        said = {self.wording.stems[at] for at in self.wording.content}
        return first if first.type is Type.TEXT and first.stems and first.stems <= said else None

    def _first_told(self, by: Column, told: Column, rows: Sequence[int]) -> str:
        """Return what the first rows are called in ``told``, and what puts them first in ``by``.

        Where it is asked when something is so, the date or time goes before the names.
        """
        known = f" ({by.cells[rows[0]]})"  # what a code is told with may be what decides
        if len({by.cells[row] for row in rows}) > 1:
            return ", ".join(f"{self.named_as(told, row)} ({self.cell(by, row)})" for row in rows)
        names = ", ".join(name.removesuffix(known) for name in self.names_of(told, rows))
        if self.kind is Kind.DATE and by.type in TIMES:
            return f"{self.cell(by, rows[0])} ({names})"
        return f"{names} ({self._reason(by, rows[0])})"

    def _first_by(self, order: Order) -> list[int]:
        """Return the rows that come first.

        Raises:
            Undecided: when they are others by another column, or there are none.
        """
        ahead = {rows for column in order.columns if (rows := self._ahead(column, order))}
        if len(ahead) != 1:
            raise Undecided
        return list(ahead.pop())

    def _ahead(self, column: Column, order: Order) -> tuple[int, ...]:
        """Return the rows of the ranks of ``order`` by ``column``, best first.

        Raises:
            Undecided: when others have the same as the first or the last of these.
        """
        known = [(v, row) for row in self.rows if (v := column.values[row]) is not None]
        known.sort(key=lambda each: each[0], reverse=column.at in order.greatest)
        if order.is_of_first:
            return tuple(row for value, row in known if value == known[0][0])
        return _of_ranks(known, order.ranks)

    def _reason(self, column: Column, row: int) -> str:
        """Return what puts ``row`` first, and how many rows might have been before it."""
        blank = sum(column.values[each] is None for each in self.rows)
        note = f"; {blank} of {len(self.rows)} rows have none" if blank else ""
        head = _UNIT_IN_BRACKETS.sub("", column.head) or column.head
        told = column.cells[row] if column.made_of else self.cell(column, row)
        return f"{head}: {told}{note}"

    def _calculated(self) -> RowsAnswer | None:
        """Return what a column comes to, or None where rows are counted."""
        return None if self.counts_rows() else self.calculated()

    def _counted(self) -> RowsAnswer | None:
        """Return how many rows hold."""
        asked = _COUNTS.search(self.wording.text)
        if asked is None or not self.rows:
            return None
        names = self._names_counted(asked.end())
        if names is None or self._is_of_one() or self._is_of_figures(asked.end()):
            return None  # what is counted is in it
        if any(words(name)[:1] == ["total"] for name in names) or self._are_amounts_of_years():
            return None  # the figures of a statement count it
        if self._are_kinds(names, asked.end()):
            return None  # figures count each kind
        self.wording.used.update(self.wording.places_of(_IN_ALL))
        self.wording.used.update(self._always_dated())
        whole = f"{len(self.table.lines)} {self.table.counted} of {self.table.name}"
        text = f"{len(names)} (of {whole}{_told_if_few(names)})"
        return self.answered(DirectKind.NUMBER, text, self.rows, CALCULATED)

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
        is_distinct = not _DISTINCT.isdisjoint(self.wording.words)
        if not is_distinct and self._are_counted(start):
            return [self.table.called(row) for row in self.rows]
        noun = self._noun_counted(start)
        column = None if noun is None else self._naming_column(self.wording.stems[noun])
        if noun is None or column is None:
            return None
        cells = [column.cells[row] for row in self.rows]
        names = list(dict.fromkeys(cells))
        if {stem(name.casefold()) for name in names} == {self.wording.stems[noun]}:
            names = cells = [self.table.called(row) for row in self.rows]
        if any(map(is_empty, cells)) or (len(names) < len(cells) and not is_distinct):
            return None
        self.wording.used.add(noun)
        self.by.append(column)
        return names

    def _noun_counted(self, start: int) -> int | None:
        after = (at for at in self.wording.content if self.wording.tokens[at].start >= start)
        return next((at for at in after if self.wording.words[at] not in _IN_ALL), None)

    def _is_of_one(self) -> bool:
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
        noun = self._noun_counted(start)
        if noun is not None and self._is_of_times(noun):
            return True
        return noun is not None and self._is_thing(noun)

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
        figures = (c for c in self.untaken() if c.type is Type.NUMBER)
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
        if any(own in c.stems for c in self.table.columns[1:] if c.type is Type.NUMBER):
            return False
        if own in PEOPLE and self.has_people_in(self.table.key):
            self.wording.used.add(at)
        is_chosen = at in self.wording.used and not is_in_texts(own, self.held, self.rows)
        return own in self.table.things or is_chosen or self.is_called_so(at)

    # what a cell holds

    def _looked_up(self) -> RowsAnswer | None:
        """Return what one column says of the rows that are named."""
        if not any(each.is_value or self._is_day(each) for each in self.held):
            return None
        return self._said() if self.kind is Kind.YES_NO else self._read()

    def _is_day(self, each: Condition) -> bool:
        """Whether ``each`` is of the one row of a day: of the week in which it is, in a rota."""
        return each.column.type is Type.DATE and len(each.rows) == 1

    def _in_roles(self) -> RowsAnswer | None:
        """Return who is what in the one row that holds, where several columns name people."""
        if not self.asks_who or not self.held or len(self.rows) != 1 or not self.table.is_rota:
            return None
        able = [column for column in self.untaken() if self.has_people_in(column)]
        able = [column for column in able if not is_empty(column.cells[self.rows[0]])]
        if len(able) < 2:
            return None
        self.by += able
        return self.answered(DirectKind.NAME, in_roles(able, self.rows[0]), self.rows)

    def _read(self) -> RowsAnswer | None:
        """Return what all rows that hold have in the column that is asked for."""
        target = self.target() or self.by_type()
        if target is None or not self.rows:
            return None
        self.by.append(target)
        told = list({self.cell(target, row) for row in self.rows})
        if len(told) != 1 or is_empty(target.cells[self.rows[0]]):
            return None
        kind = _KINDS.get(target.type, DirectKind.NAME)
        return self.answered(kind, told[0], self.rows)

    def _said(self) -> RowsAnswer | None:
        """Return yes or no, as a row that is named has it."""
        rows = self.selected([each for each in self.held if each.is_row])
        asked = [each for each in self.held if not each.is_row]
        holds = _holds(rows, asked)
        if holds is None and not asked:
            holds = self._crossed(rows)
        if holds is None:
            return None
        return self.answered(DirectKind.YES_NO, "Yes" if holds else "No", rows)

    def _crossed(self, rows: Sequence[int]) -> bool | None:
        """Return the yes or no in the one of ``rows``, in the column that the question names."""
        target = self.target() if len(rows) == 1 else None
        if target is None or self.wording.share(target, self.wording.content) < 1.0:
            return None
        self.by.append(target)
        return flag_of(target.cells[rows[0]])

    # the rows that hold

    def _listed(self) -> RowsAnswer | None:
        """Return what the rows that hold are called, which tells nobody where they are."""
        told = self.asked_column() if self._may_be_listed() else None
        if told is None or len(self.rows) == len(self.table.lines):
            return None
        self.by.append(told)
        if all(map(self._is_said, self.names_of(told, self.rows))):
            return None
        text = f"{listing(self._names_listed(told))} ({self._told_rows()})"
        return self.answered(DirectKind.NAME, text, self.rows)

    def _may_be_listed(self) -> bool:
        """Whether some rows hold, and their names are what is asked for."""
        opening = self.wording.words[:1]
        if any(at not in self.wording.used for at in self.wording.places_of(MOST | LEAST)):
            return False
        is_place = opening == ["where"] and self._are_places
        is_open = opening != ["where"] and (self.kind in _LISTED or opening == ["which"])
        is_wanted = is_place or is_open
        return is_wanted and bool(self.held and self.rows)

    def _names_listed(self, told: Column) -> list[str]:
        """Return what the rows that hold are called in ``told``, with what was paid, if asked."""
        paid = self.wording.paid_from
        if paid is None or told is not self.table.key:
            return self.names_of(told, self.rows)
        return [f"{self.table.called(row)}: {self.cell(paid, row)}" for row in self.rows]

    def _is_said(self, name: str) -> bool:
        """Whether the question has all of ``name``, which then tells nobody anything."""
        return set(words(name)).issubset(self.wording.words)

    def asked_column(self) -> Column | None:
        """Return the column that the noun behind "which" or "who" asks for: the key, as a rule."""
        if self.asks_who:
            return self._column_of_people()
        if self._are_places and self.wording.words[:1] == ["where"]:
            return self.table.key
        if not _ROWS.isdisjoint(self.wording.words[1:2]):
            return self.table.key
        noun = self._noun_asked()
        if noun is None:
            return None
        own = self.wording.stems[noun]
        headed = self._naming_column(own)
        if headed is not None:
            self.wording.used.add(noun)
            return headed
        is_of_rows = own in self.table.things or noun in self.wording.used
        return self.table.key if is_of_rows else None

    @property
    def _are_places(self) -> bool:
        """Whether single figures are read, each of which a place calls."""
        return self.table.is_of_figures and not PLACES.isdisjoint(self.table.key.stems)

    def _column_of_people(self) -> Column | None:
        key, by = self.table.key, self.table.ranked_by
        is_ranked = any(each.column.is_ordinal or each.column is by for each in self.held)
        return key if is_ranked or self._may_be_who(key) else self.by_type()

    def _is_of_whom(self) -> bool:
        return self.wording.words[:1] == ["whose"]

    def _may_be_who(self, column: Column) -> bool:
        """Whether ``column`` names people, or those who are asked for: "Who are the teams?"."""
        is_called = column.has_names and not column.stems.isdisjoint(self.wording.stems)
        is_called = is_called and self.wording.words[1:2] in _BE
        return self.has_people_in(column) or (column is self.table.key and is_called)

    def _noun_asked(self) -> int | None:
        places = self.wording.content
        return next((at for at in places if self.wording.stems[at] not in GENERAL), None)

    def _naming_column(self, own: str) -> Column | None:
        """Return the first column of names that ``own`` heads; None without any."""
        able = [c for c in self.table.of_type(Type.TEXT) if own in c.stems]
        return next((c for c in able if c is self.table.key or not c.is_code), None)


def _holds(rows: Sequence[int], asked: Sequence[Condition]) -> bool | None:
    """Return whether all that is ``asked`` holds of the one of ``rows``.

    None where there is not one row, nothing is asked of it, or a cell of it says nothing.
    """
    if len(rows) != 1 or not asked:
        return None
    if any(is_empty(each.column.cells[rows[0]]) for each in asked):
        return None
    return all(rows[0] in each.rows for each in asked)


def _of_ranks(known: Sequence[tuple[Value, int]], ranks: range) -> tuple[int, ...]:
    """Return the rows of ``ranks`` among those ``known``, each with its value, best first.

    Raises:
        Undecided: when there are too few, or others have the same as the first or last of them.
    """
    if ranks.stop > len(known) or any(_is_tied(known, at) for at in (ranks.start, ranks.stop)):
        raise Undecided
    return tuple(row for _, row in known[ranks.start : ranks.stop])


def _is_tied(known: Sequence[tuple[Value, int]], at: int) -> bool:
    """Whether the rows before and from ``at`` on have the same value."""
    return 0 < at < len(known) and known[at - 1][0] == known[at][0]


def _told_if_few(names: Sequence[str]) -> str:
    """Return the ``names`` that were counted, unless they are many or one is of several rows."""
    are_few = len(frozenset(names)) == len(names) <= SHOWN
    return f": {listing(names)}" if are_few else ""
