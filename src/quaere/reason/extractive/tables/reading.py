"""Reads one question for one table: which leads, which rows hold, how many and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quaere.domain.report import UNSURE, DirectKind
from quaere.reason.extractive.questions.kinds import Kind, asks_what_it_does
from quaere.reason.extractive.tables.asked import (
    CALCULATED,
    FOUND,
    TIMES,
    Blank,
    RowsAnswer,
    listing,
)
from quaere.reason.extractive.tables.calculated import LEVELS, MEANS, SUMS
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import (
    Column,
    Type,
)
from quaere.reason.extractive.tables.counting import Counting
from quaere.reason.extractive.tables.lexicon import (
    GENERAL,
    LEAST,
    MOST,
    PLACES,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.order import COMING, Order, order_asked, rows_of_ranks, to_come
from quaere.reason.extractive.tables.periods import in_roles
from quaere.reason.extractive.tables.wording import Condition, Undecided, all_hold, is_in_texts
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import words

MOST_ALIKE = 8
"""Rows of the same name of which each cell is told, at most."""
_ROWS = word_set("item items one ones thing things entry entries row rows")
"""Words after "which" for whatever rows are of."""
_SPANS = frozenset({"week", "month", "quarter", "year"})
_BE = (["is"], ["are"], ["was"], ["were"])
_KINDS: Mapping[Type, DirectKind] = {Type.DATE: DirectKind.DATE, Type.NUMBER: DirectKind.NUMBER}
_LISTED = frozenset(
    {Kind.NAME, Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.LIST, Kind.STATEMENT}
)


_UNIT_IN_BRACKETS = lazy_regex(r"\s*\([^()]*\)$")
"""Told with the value: "Length (m)" of "64 m"."""


class Reading(Counting):
    """One question, read for one table."""

    def answer(self) -> RowsAnswer | None:
        """Return what the table answers in the first way in which nothing is left unread.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        ways = (
            self._extreme,
            self._calculated,
            self.count,
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
        left = set(self.untold()) - heads
        strange = [at for at in left if self._is_strange(wording.words[at])]
        is_read = bool(self.held or heads) or len(strange) < len(left)
        if not strange:
            return is_read or any(map(self._is_reckoned, wording.words))
        return is_read and 2 * len(strange) <= len(wording.content)

    def _is_strange(self, word: str) -> bool:
        """Whether the table has nothing for ``word``: neither a figure, nor one told over rows."""
        return not (word.isdecimal() or self._is_reckoned(word))

    def _is_reckoned(self, word: str) -> bool:
        """Whether ``word`` asks for what is told over rows: "cheapest", "total"."""
        if word in SUMS | MEANS | MOST | LEAST or (word in COMING and to_come(self.table)):
            return True
        return self._is_compared(word)

    def _is_compared(self, word: str) -> bool:
        """Whether ``word`` is a form of an adjective that a column tells."""
        degree = degrees().get(base_of(word, "est") or base_of(word, "er") or word)
        if degree is degrees()["good"]:
            return bool(self.wording.head_places(self.table.of_type(Type.NUMBER)))
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
        if self._asks_for_figure(order, told):
            return self._figure_first(order, rows)
        self.by.append(told)
        text = self._first_told(order.columns[0], told, rows)
        if not is_choice:
            return self.answered(DirectKind.NAME, text, rows)
        return self.answered(DirectKind.CHOICE, text, list(dict.fromkeys((*rows, *self.rows))))

    def _asks_for_figure(self, order: Order, told: Column) -> bool:
        """Whether the figure itself is asked for, and ``told`` says of no row which it is.

        "How old was the oldest passenger?", "What was the largest bill?".
        """
        if self.kind is Kind.COMPARISON or self._names_one(told):
            return False
        if told not in order.columns and not told.stems.isdisjoint(self.wording.stems):
            return False  # that is asked of the row
        is_one = len(order.columns) == 1 and order.is_of_first
        return is_one and self._opens_for_value(order.columns[0])

    def _names_one(self, told: Column) -> bool:
        """Whether ``told`` has a name for each row: it is not shared, no numbering and no day."""
        if told.groups_rows:
            return False
        is_no_name = self.table.is_nameless or told.is_ordinal or self._is_called_by_time(told)
        return told is not self.table.key or not is_no_name

    def _opens_for_value(self, column: Column) -> bool:
        """Whether the question opens with "how old", or with what the head of ``column`` is."""
        opening, after = self.wording.words[:1], self.wording.words[1:2]
        if opening == ["how"]:
            return after != ["many"]
        return opening == ["what"] and after in _BE and self._is_asked_by_head(column)

    def _is_called_by_time(self, told: Column) -> bool:
        """Whether rows are called by their days or times in ``told``, and by nothing else."""
        return told.type in TIMES and not self.table.tells_of_money

    def _is_asked_by_head(self, column: Column) -> bool:
        """Whether the question has a word of the head of ``column``, as it is written."""
        return not column.stems.isdisjoint(self.wording.stems)

    def _figure_first(self, order: Order, rows: Sequence[int]) -> RowsAnswer:
        """Return what the first ``rows`` have in the column that puts them there."""
        (by,) = order.columns
        note = _note_of_blanks(sum(by.values[each] is None for each in self.rows))
        end = "highest" if order.greatest else "lowest"
        text = f"{self.cell(by, rows[0])} ({end} {by.head} over {self._told_rows()}{note})"
        kind = _KINDS.get(by.type, DirectKind.NUMBER)
        return self.answered(kind, text, rows)

    def _called_by(self) -> Column | None:
        """Return the column that tells which row is first; None where it does not tell who."""
        told = self.target() or self._naming_rows()
        if self._asks_for_span(told) or self._is_figure_of_row(told):
            return None
        if self.asks_who and not self._tells_who(told):
            return self._who_in_doubt(told)
        return told

    def _who_in_doubt(self, told: Column) -> Column | None:
        """Return the column of those who may be asked for by "who", where nothing says so.

        Of two that the question names each may be called so, and so may what has a name, in doubt.
        """
        if self.kind is Kind.COMPARISON and self._chooses_among(told):
            return told
        if not self.spare:
            return None
        return told if told is self.table.key and told.is_of_names else self.by_type()

    def _chooses_among(self, told: Column) -> bool:
        """Whether the rows that hold are those that the question names in ``told``, each by it."""
        return [each.column for each in self.held if each.is_value] == [told]

    def _naming_rows(self) -> Column:
        """Return the column of which the wording says that rows are called by it, else the key."""
        return self._after_which() or self._first_named() or self.table.key

    def _is_figure_of_row(self, told: Column) -> bool:
        """Whether "which" asks for a row, and ``told`` is a figure that calls none."""
        is_figure = told.type is Type.NUMBER and told is not self.table.key
        return is_figure and self._asks_which_row()

    def _tells_who(self, told: Column) -> bool:
        """Whether ``told`` has those that "who" asks for, or it is asked whose ``told`` leads."""
        return self.wording.words[:1] == ["whose"] or self._may_be_who(told)

    def _asks_for_span(self, told: Column) -> bool:
        """Whether it is asked which month or year leads, and ``told`` has single days."""
        if told.type is not Type.DATE or not _SPANS.isdisjoint(told.said):
            return False
        is_asked = not _SPANS.isdisjoint(self.wording.words[1:3])
        return is_asked and any(value and value[-1] for value in told.values)

    def _asks_which_row(self) -> bool:
        """Whether "which" asks for a row, by what rows are: "which concert"."""
        is_asked = self.wording.words[:1] == ["which"] and self._noun_asked() == 1
        return is_asked and self.wording.stems[1] in self.table.things

    def _after_which(self) -> Column | None:
        """Return the column of names that the word after "which" heads."""
        if self.wording.words[:1] != ["which"] or self._noun_asked() != 1:
            return None
        return self.naming_column(self.wording.stems[1])

    def _first_named(self) -> Column | None:
        """Return the first column, if the question names its head: "the last festival"."""
        first = self.table.columns[0]
        said = {self.wording.stems[at] for at in self.wording.content}
        return first if first.type is Type.TEXT and first.stems and first.stems <= said else None

    def _first_told(self, by: Column, told: Column, rows: Sequence[int]) -> str:
        """Return what the first rows are called in ``told``, and what puts them first in ``by``."""
        if self._names_no_row(told):
            names = ", ".join(f"row {row + 1} ({self.cell(told, row)})" for row in rows)
            return f"{names} ({self._reason(by, rows[0])})"
        if len({by.cells[row] for row in rows}) > 1:
            return ", ".join(f"{self.named_as(told, row)} ({self.cell(by, row)})" for row in rows)
        return self._told_alike(by, told, rows)

    def _told_alike(self, by: Column, told: Column, rows: Sequence[int]) -> str:
        """Return what ``rows``, which have the same in ``by``, are called in ``told``.

        Where it is asked when something is so, the date or time goes before the names.
        """
        known = f" ({by.cells[rows[0]]})"  # what a code is told with may be what decides
        names = ", ".join(name.removesuffix(known) for name in self.names_of(told, rows))
        if self.kind is Kind.DATE and by.type in TIMES:
            return f"{self.cell(by, rows[0])} ({names})"
        return f"{names} ({self._reason(by, rows[0])})"

    def _names_no_row(self, told: Column) -> bool:
        """Whether rows share what they have in ``told``, their key, and it is not asked for."""
        if self.asks_who or self.kind is Kind.COMPARISON:
            return False
        return self._is_key_of_sorts(told) and not self._is_asked_by_head(told)

    def _is_key_of_sorts(self, told: Column) -> bool:
        """Whether ``told`` is the key, and has words that rows share and that name none of them."""
        is_shared = told is self.table.key and told.groups_rows and told.type is Type.TEXT
        is_shared = is_shared and not told.names_most_rows
        is_name = told.is_of_names or told.has_people or self.table.is_of_figures
        return is_shared and not is_name

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
        return rows_of_ranks(known, order.ranks)

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
        if target is None or not self.rows or self._asks_for_rows_by(target):
            return None
        if self._how == "many" and any(map(_is_below_zero, self._cells_of(target))):
            return None  # such a figure counts no things
        self.by.append(target)
        return self._read_in(target)

    def _read_in(self, target: Column) -> RowsAnswer | None:
        """Return the one thing that all rows that hold have in ``target``, or what each one has."""
        rows = self._filled_in(target)
        told = list(dict.fromkeys(self.cell(target, row) for row in rows))
        kind = _KINDS.get(target.type, DirectKind.NAME)
        if len(told) == 1 and len(rows) == len(self.rows):
            return self.answered(kind, told[0], rows)
        if not told or not self._is_of_names():
            return None
        note = _note_of_blanks(len(self.rows) - len(rows))
        text = f"{'; '.join(told)} ({self._told_rows()}{note})"
        return self.answered(kind, text, self.rows, CALCULATED)

    def _cells_of(self, column: Column) -> list[str]:
        """Return what the rows that hold have in ``column``."""
        return [column.cells[row] for row in self.rows]

    def _filled_in(self, column: Column) -> list[int]:
        """Return the rows that hold and have something in ``column``."""
        return [row for row in self.rows if not is_empty(column.cells[row])]

    def _is_of_names(self) -> bool:
        """Whether a few rows of the same name are asked for, each of which has its own cell.

        Not where each is a single figure: those of one name are of several times or places.
        """
        is_name = any(each.is_value and each.column is self.table.key for each in self.held)
        return is_name and len(self.rows) <= MOST_ALIKE and not self.table.is_of_figures

    def _asks_for_rows_by(self, target: Column) -> bool:
        """Whether "which" asks for rows, and a figure in ``target`` calls none of them."""
        return self._asks_which_row() and target.type in {Type.NUMBER, Type.FLAG}

    def _said(self) -> RowsAnswer | None:
        """Return yes or no, as a row that is named has it."""
        rows = self.selected([each for each in self.held if each.is_row])
        asked = [each for each in self.held if not each.is_row]
        holds = all_hold(rows, asked)
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
        return target.flags[rows[0]]

    # the rows that hold

    def _listed(self) -> RowsAnswer | None:
        """Return what the rows that hold are called, which tells nobody where they are."""
        told = self.asked_column() if self._may_be_listed() else None
        if told is None or len(self.rows) == len(self.table.lines):
            return None
        self.by.append(told)
        written = [told.cells[row] for row in self.rows]  # a code is called by more than itself
        if all(map(self._is_said, written)):
            return None
        text = f"{listing(self._names_listed(told))} ({self._told_rows()})"
        is_by_texts = any(self._is_in_texts(at) for at in self.wording.used)
        return self.answered(DirectKind.NAME, text, self.rows, UNSURE if is_by_texts else FOUND)

    def _may_be_listed(self) -> bool:
        """Whether some rows hold, and their names are what is asked for."""
        if not self.wording.used.issuperset(self.wording.places_of(MOST | LEAST)):
            return False
        is_wanted = self._are_places if self._asks_where else self._asks_for_names
        is_wanted = is_wanted and not asks_what_it_does(self.wording.text)
        return is_wanted and bool(self.held and self.rows)

    @property
    def _asks_for_names(self) -> bool:
        """Whether what it opens with asks for what something is called."""
        is_open = self.kind in _LISTED or self.wording.words[:1] == ["which"]
        return is_open or self._asks_what_rows

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
        if self._asks_for_any_row:
            return self.table.key
        noun = self._noun_asked()
        if noun is None:
            return None
        return self.table.key if self._asks_what_rows else self._column_of_noun(noun)

    @property
    def _asks_for_any_row(self) -> bool:
        """Whether it asks where, of places, or for rows by no word for them: "which ones"."""
        is_place = self._are_places and self._asks_where
        return is_place or not _ROWS.isdisjoint(self.wording.words[1:2])

    def _column_of_noun(self, noun: int) -> Column | None:
        """Return the column for which the noun at ``noun`` asks.

        The one that it heads; or the key, if it says what rows are or by what they were chosen.
        """
        own = self.wording.stems[noun]
        headed = self.naming_column(own) or self._headed_behind(noun)
        if headed is not None:
            self.wording.used.add(noun)
            return headed
        is_of_row = own in self.table.things or self.is_value_said(noun)
        return self.table.key if is_of_row else None

    def _headed_behind(self, noun: int) -> Column | None:
        """Return the column in which the word at ``noun`` is, headed by the one behind that.

        "Which GCC version" asks for the cell, not for what is called by its row.
        """
        behind = self.wording.stems[noun + 1 : noun + 2]
        held = (each.column for each in self.held if each.is_value and noun in self.wording.used)
        return next((column for column in held if column.stems.intersection(behind)), None)

    @property
    def _asks_what_rows(self) -> bool:
        """Whether it asks for whatever is chosen, and no word is left that could name more."""
        asks = self.wording.words[:1] == ["what"] and bool(self.held) and not self.wording.free
        return asks and not any(map(self._is_in_texts, self.wording.used))

    def _is_in_texts(self, at: int) -> bool:
        return is_in_texts(self.wording.stems[at], self.held, self.rows)

    @property
    def _are_places(self) -> bool:
        """Whether single figures are read, each of which a place calls."""
        return self.table.is_of_figures and not PLACES.isdisjoint(self.table.key.stems)

    def _column_of_people(self) -> Column | None:
        key, by = self.table.key, self.table.ranked_by
        is_ranked = any(each.column.is_ordinal or each.column is by for each in self.held)
        return key if is_ranked or self._may_be_who(key) else self.by_type()

    def _may_be_who(self, column: Column) -> bool:
        """Whether ``column`` names people, or those who are asked for: "Who are the teams?"."""
        is_called = column.has_names and not column.stems.isdisjoint(self.wording.stems)
        is_called = is_called and self.wording.words[1:2] in _BE
        return self.has_people_in(column) or (column is self.table.key and is_called)

    def _noun_asked(self) -> int | None:
        places = self.wording.content
        return next((at for at in places if self.wording.stems[at] not in GENERAL), None)


def _is_below_zero(cell: str) -> bool:
    """Whether the figure in ``cell`` is below zero: with its sign, or in brackets."""
    return cell.strip().startswith(("-", "−", "(")) and any(map(str.isdigit, cell))


def _note_of_blanks(count: int) -> str:
    """Return the note that ``count`` of the rows have nothing; none where all have something."""
    return f"; {count} of these {'has' if count == 1 else 'have'} none" if count else ""
