"""What groups of rows come to, set against each other: "Which species is heaviest on average?".

The rows that share a cell are a group, or those of one year or month; what is compared is the sum
or the average of one column. "Who has the most hours?" asks for the most hours together, where
somebody has several rows. English alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import (
    CALCULATED,
    SHOWN,
    RowsAnswer,
    printed,
)
from quaere.reason.extractive.tables.calculated import LEVELS
from quaere.reason.extractive.tables.cell_values import Value, is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import PEOPLE, base_of, degrees
from quaere.reason.extractive.tables.order import Order, order_asked
from quaere.reason.extractive.tables.reading import Reading
from quaere.reason.extractive.tables.wording import HALF, Undecided, Wording, foremost, sole
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, word_set
from quaere.text.tokens import stem, words

OPENING = 5
"""Words within which a question says of which groups it asks for one."""
MEAN, SUM = "average", "sum"
_MEAN_SAID = lazy_regex(r"(?i)\bon average\b|\b(?:average|mean)(?: of(?: the)?)?\b")
_SUM_SAID = lazy_regex(
    r"(?i)\bin (?:total|all)\b|\b(?:altogether|overall|combined|total|sum)(?: of(?: the)?)?\b"
)
_ASKS = lazy_regex(r"(?i)^\W*(?:(?:in|on|at|for|from|by) )?(?:which|what|who)\b")
_SPANS = word_set("year month")
_COUNTS = word_set("most least fewest")
_EACH = lazy_regex(
    r"(?i)\b(?:per|by|(?:for|in|of|on|at|from) (?:each|every))\s+(?P<by>\w+(?: \w+){0,2})\W*$"
)


class _Level(NamedTuple):
    """What figures of a group come to, and the question without what says so."""

    name: str
    plain: str
    is_said: bool


class _Group(NamedTuple):
    """Rows that are compared as one."""

    name: str
    rows: tuple[int, ...]


class _Told(NamedTuple):
    """A group, and what its figures come to."""

    name: str
    value: Decimal
    rows: tuple[int, ...]


def group_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return the group of rows with the most, or the least, of what ``text`` asks for.

    Raises:
        Undecided: when several groups or columns could be meant, or a row has no figure.
    """
    level = _level(text, table) if _ASKS.match(text) else None
    if level is None:
        return None
    asked = Reading(level.plain, table)
    groups = _groups_asked(asked)
    order = _order_of_first(asked, groups)
    if order is None:
        return None
    (measure,) = order.columns
    told = _come_to(groups, measure, level.name)
    best = _best(told, is_most=bool(order.greatest))
    if not level.is_said and not _is_implied(asked, measure, groups, best, order):
        return None
    asked.by.append(measure)
    if not asked.is_accounted():
        return None
    return _answered(asked, best, measure, level.name)


def _level(text: str, table: Table) -> _Level | None:
    """Return whether ``text`` asks for averages or sums; a sum is implied in "the most hours"."""
    for name, pattern in ((MEAN, _MEAN_SAID), (SUM, _SUM_SAID)):
        found = pattern.search(text)
        if found and not _is_in_head(found[0], text, table):
            return _Level(name, f"{text[: found.start()]} {text[found.end() :]}", is_said=True)
    return _Level(SUM, text, is_said=False) if _COUNTS.intersection(words(text)) else None


def _is_in_head(said: str, text: str, table: Table) -> bool:
    """Whether ``said`` is part of a head that all of ``text`` names: "total bill"."""
    known = frozenset(map(stem, words(text)))
    own = frozenset(map(stem, words(said)))
    return any(own & column.stems and column.stems <= known for column in table.columns)


def _order_of_first(asked: Reading, groups: Sequence[_Group]) -> Order | None:
    """Return the order whose first is asked for, if one column of figures orders ``groups``."""
    order = order_asked(asked.wording, is_choice=False) if len(groups) > 1 else None
    if order is None or not order.is_of_first:
        return None
    return order if [column.type for column in order.columns] == [Type.NUMBER] else None


def _is_implied(
    asked: Reading, measure: Column, groups: Sequence[_Group], best: _Told, order: Order
) -> bool:
    """Whether sums are meant that nothing calls so, and another group leads by single rows.

    Or no single row is a month or a year, as the groups are.
    """
    if not LEVELS.isdisjoint(measure.stems) or measure.unit == "%":
        return False
    if _COUNTS.isdisjoint(asked.wording.words) or all(len(group.rows) == 1 for group in groups):
        return False
    return bool(asked.by) or _first_row(asked, measure, order) not in best.rows


def _first_row(asked: Reading, measure: Column, order: Order) -> int:
    """Return the row that leads by its own figure in ``measure``; of several, the last one."""
    sign = 1 if order.greatest else -1
    figures = [(sign * v[0], row) for row in asked.rows if (v := measure.values[row])]
    return max(figures)[1]


def _groups_asked(asked: Reading) -> list[_Group]:
    """Return the groups of one of which ``asked`` asks, of the rows that hold; none without any."""
    column = _column_of_groups(asked)
    if column is not None:
        asked.wording.used.update(asked.wording.heads(column))
        return _parted(asked.rows, column.cells.__getitem__)
    return _spans_asked(asked)


def _column_of_groups(asked: Reading) -> Column | None:
    """Return the column that the words behind "which" head, of which rows share cells."""
    able = [column for column in asked.table.columns if _has_groups(column)]
    if asked.asks_who:
        return _column_of_people(asked, able)
    opening = frozenset(asked.wording.stems[1:OPENING])
    return sole(foremost([c for c in able if c.stems <= opening], lambda c: float(len(c.stems))))


def _column_of_people(asked: Reading, able: Sequence[Column]) -> Column | None:
    """Return the one of ``able`` columns that "who" asks for."""
    told = asked.asked_column() or sole([column for column in able if _names_people(column)])
    return told if told in able else None


def _names_people(column: Column) -> bool:
    return column.has_names and not PEOPLE.isdisjoint(column.alike)


def _has_groups(column: Column) -> bool:
    return len(set(column.filled)) < len(column.filled)


def _spans_asked(asked: Reading) -> list[_Group]:
    """Return the rows of each year or month, if one is asked for and one column has days."""
    wording = asked.wording
    at = _place_of_span(wording)
    days = [column for column in asked.table.of_type(Type.DATE) if _has_days(column)]
    if not at or len(days) != 1:
        return []
    wording.used.add(at)
    asked.by.append(days[0])
    named = _year if wording.words[at] == "year" else _month
    return _parted(asked.rows, lambda row: named(days[0].values[row]))


def _place_of_span(wording: Wording) -> int:
    """Return where the opening has the word "year" or "month"; 0 where it has none."""
    return next((at for at in wording.places_of(_SPANS) if 0 < at < OPENING), 0)


def _has_days(column: Column) -> bool:
    """Whether any of the dates in ``column`` is that of one day."""
    return any(value and value[2] for value in column.values)


def _year(value: Value | None) -> str:
    return str(value[0]) if value and value[0] else ""


def _month(value: Value | None) -> str:
    if not value or not value[1]:
        return ""
    return f"{MONTHS[int(value[1]) - 1].capitalize()} {value[0] or ''}".strip()


def _parted(rows: Iterable[int], name_of: Callable[[int], str]) -> list[_Group]:
    """Return ``rows`` by what each is told to belong to, in the order in which these come."""
    found: dict[str, list[int]] = {}
    for row in rows:
        if not is_empty(name := name_of(row)):
            found.setdefault(name, []).append(row)
    return [_Group(name, tuple(own)) for name, own in found.items()]


def _come_to(groups: Sequence[_Group], measure: Column, level: str) -> list[_Told]:
    """Return what each of ``groups`` comes to in ``measure``.

    Raises:
        Undecided: when most of a group have no figure, or one of those that are added up.
    """
    return [
        _Told(group.name, _level_of(group.rows, measure, level), group.rows) for group in groups
    ]


def _level_of(rows: Sequence[int], measure: Column, level: str) -> Decimal:
    figures = [value[0] for row in rows if (value := measure.values[row]) is not None]
    if not _are_enough(len(figures), len(rows), measure, level):
        raise Undecided
    total = sum(figures, Decimal(0))
    return total / len(figures) if level == MEAN else total


def _are_enough(known: int, count: int, measure: Column, level: str) -> bool:
    """Whether figures of ``known`` rows out of ``count`` tell the ``level`` of ``measure``.

    Half of them tell an average; a sum takes all, and there is none of what adds up to nothing.
    """
    if level == MEAN:
        return known > 0 and count <= 2 * known
    return known == count > 0 and LEVELS.isdisjoint(measure.stems)


def _best(told: Sequence[_Told], *, is_most: bool) -> _Told:
    """Return the first of what is ``told``.

    Raises:
        Undecided: when another comes to the same.
    """
    first, second = sorted(told, key=lambda each: each.value, reverse=is_most)[:2]
    if first.value == second.value:
        raise Undecided
    return first


def _answered(asked: Reading, best: _Told, measure: Column, level: str) -> RowsAnswer:
    count = sum(measure.values[row] is not None for row in best.rows)
    of_all = f"{count} of {len(asked.table.lines)} {asked.table.counted}"
    figure = measure.with_unit(printed(best.value))
    told = f"{level} of {measure.head}: {figure} over {of_all} of {asked.table.name}"
    return asked.answered(DirectKind.NAME, f"{best.name} ({told})", best.rows, CALCULATED)


def each_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what each group comes to, where ``text`` asks for that "by" or "per" something.

    Raises:
        Undecided: when several columns could be meant, or a row has no figure.
    """
    found = _EACH.search(text)
    column = _headed(found["by"], table) if found else None
    if found is None or column is None:
        return None
    asked = Reading(text[: found.start()], table)
    groups = _groups_by(column, asked)
    told = _each_told(asked, groups) if groups else None
    if told is None or not asked.is_accounted():
        return None
    text = f"{told} (by {column.head}, over {len(asked.rows)} rows of {table.name})"
    asked.by.append(column)
    return asked.answered(DirectKind.NUMBER, text, asked.rows, CALCULATED)


def _groups_by(column: Column, asked: Reading) -> list[_Group]:
    """Return the groups by ``column``; none where rows were chosen by it, or there are too many."""
    if column in [each.column for each in asked.held]:
        return []
    groups = _parted(asked.rows, column.cells.__getitem__)
    return groups if 1 < len(groups) <= SHOWN else []


def _headed(said: str, table: Table) -> Column | None:
    """Return the column of groups whose head is all that is ``said``."""
    own = frozenset(map(stem, words(said)))
    return sole([c for c in table.columns if _has_groups(c) and c.stems == own])


def _each_told(asked: Reading, groups: Sequence[_Group]) -> str | None:
    """Return what each of ``groups`` comes to in what is ``asked``; None where nothing is."""
    if asked.counts_rows():
        asked.wording.used.update(asked.wording.places_of(word_set("total")))
        return "; ".join(f"{group.name}: {len(group.rows)}" for group in groups)
    calculation = asked.calculation()
    if calculation is None:
        return None
    if "median" in asked.wording.words:
        return None
    level = MEAN if calculation.is_mean else SUM
    told = _come_to(groups, calculation.column, level)
    unit = calculation.column.with_unit
    return "; ".join(f"{each.name}: {unit(printed(each.value))}" for each in told)


_OR = lazy_regex(r"(?i)^\W*(?:do|does|did|are|is|were|was|who|which|have|has|had)\b[^?]*\bor\b")
_THAN = lazy_regex(
    r"(?i)^\W*(?:do|does|did|are|is|were|was|have|has|had)\b(?P<one>[^?]*?)\bthan\b(?P<other>[^?]*)"
)
_COMPARED: Mapping[str, bool] = {
    "more": True, "higher": True, "greater": True, "larger": True, "bigger": True,
    "less": False, "fewer": False, "lower": False, "smaller": False,
}  # fmt: skip
_STANDS_IN = word_set("that those")


class _Compared(NamedTuple):
    """By which column two groups are compared, and whether more of it is asked for."""

    column: Column
    is_more: bool


def compare_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return which of two groups has more of what ``text`` asks for, or whether the first has.

    Raises:
        Undecided: when several columns could be meant, or both come to the same.
    """
    level = _level(text, table)
    if level is None or not level.is_said:
        return None
    if (found := _THAN.match(level.plain)) is not None:
        return _whether(found["one"], found["other"], table, level.name)
    return _which(level.plain, table, level.name) if _OR.match(level.plain) else None


def _which(plain: str, table: Table, level: str) -> RowsAnswer | None:
    asked = Reading(plain, table)
    groups = _groups_named(asked)
    by = _compared(asked.wording) if len(groups) == 2 else None
    if by is None:
        return None
    told = _come_to(groups, by.column, level)
    best = _best(told, is_most=by.is_more)
    asked.by.append(by.column)
    if not asked.is_accounted():
        return None
    (rest,) = (each for each in told if each is not best)
    text = f"{best.name} ({_against(by.column, level, best, rest)} of {rest.name})"
    return asked.answered(DirectKind.CHOICE, text, asked.rows, CALCULATED)


def _groups_named(asked: Reading) -> list[_Group]:
    """Return the groups of which cells are named in one column; none where none are."""
    column = sole([each.column for each in asked.held if each.is_value and len(each.rows) > 1])
    return _parted(asked.rows, column.cells.__getitem__) if column else []


def _whether(one: str, other: str, table: Table, level: str) -> RowsAnswer | None:
    """Return yes or no: whether the rows of the side ``one`` come to more than those of the other.

    Both sides name a cell of the same columns.
    """
    asked, against = Reading(one, table), Reading(other, table)
    by = _compared(asked.wording) if _are_of_same_columns(asked, against) else None
    if by is None or not _are_apart(asked.rows, against.rows):
        return None
    asked.by.append(by.column)
    against.wording.used.update(against.wording.places_of(_STANDS_IN))
    against.by.append(by.column)
    if not (asked.is_accounted() and against.is_accounted()):
        return None
    groups = [_Group("", tuple(asked.rows)), _Group("", tuple(against.rows))]
    told = _come_to(groups, by.column, level)
    is_so = _best(told, is_most=by.is_more) is told[0]
    rows = sorted({*asked.rows, *against.rows})
    text = f"{'Yes' if is_so else 'No'} ({_against(by.column, level, *told)})"
    return asked.answered(DirectKind.YES_NO, text, rows, CALCULATED)


def _are_of_same_columns(one: Reading, other: Reading) -> bool:
    """Whether both sides name cells, and these are of the same columns."""
    return bool(_sides(one)) and _sides(one) == _sides(other)


def _are_apart(rows: Sequence[int], others: Sequence[int]) -> bool:
    """Whether there are rows on either side, and none is on both."""
    return bool(rows and others) and set(rows).isdisjoint(others)


def _sides(asked: Reading) -> list[int]:
    return sorted(each.column.at for each in asked.held if each.is_value or each.column.is_flag)


def _against(column: Column, level: str, first: _Told, second: _Told) -> str:
    figures = (column.with_unit(printed(each.value)) for each in (first, second))
    return f"{level} of {column.head}: {' against '.join(figures)}"


def _compared(wording: Wording) -> _Compared | None:
    """Return what the comparative in ``wording`` compares; its words are accounted for."""
    places = (at for at, word in enumerate(wording.words) if _is_comparative(word))
    at = next((at for at in places if at not in wording.used), None)
    if at is None:
        return None
    wording.used.add(at)
    word = wording.words[at]
    column = sole(_columns_compared(wording, word))
    if column is None:
        return None
    wording.used.update(wording.heads(column))
    return _Compared(column, _asks_for_more(word, column))


def _is_comparative(word: str) -> bool:
    return word in _COMPARED or base_of(word, "er") in degrees()


def _columns_compared(wording: Wording, word: str) -> list[Column]:
    """Return the columns of figures that the comparative ``word`` may be of.

    "More" is of the one that is named; an adjective tells itself what it compares.
    """
    able = wording.table.of_type(Type.NUMBER)
    if word in _COMPARED:
        return foremost(able, wording.share_left, least=HALF)
    degree = degrees()[base_of(word, "er")]
    return [c for c in able if degree.is_told_by(c.stems, money=c.is_money)]


def _asks_for_more(word: str, column: Column) -> bool:
    """Whether the comparative ``word`` asks for the greater figure in ``column``."""
    if word in _COMPARED:
        return _COMPARED[word]
    return degrees()[base_of(word, "er")].is_upwards(column.stems)
