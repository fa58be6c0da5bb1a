"""Reads which rows of a table a question is about: values, flags, amounts, dates, days, ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from quaere.reason.extractive.tables.cell_values import (
    Value,
    is_empty,
    minutes_of_day,
    parts_of,
)
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.gaps import gaps_named
from quaere.reason.extractive.tables.lexicon import (
    DENIALS,
    LEAST,
    MOST,
    SOLD_OUT,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.periods import (
    is_of_ends,
    of_duty,
    on_week_days,
    rows_around,
    rows_in_years,
    stretch_named,
)
from quaere.reason.extractive.tables.ranges import against_each_other, in_stretches
from quaere.reason.extractive.tables.reckoned import SPARE
from quaere.reason.extractive.tables.scales import SCALES
from quaere.reason.extractive.tables.values import values_named
from quaere.reason.extractive.tables.wording import (
    HALF,
    Condition,
    Undecided,
    Wording,
    foremost,
    sole,
)
from quaere.text.amounts import in_unit
from quaere.text.dates import Date, dates
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ORDINALS, word_set
from quaere.text.numbers import Number, numbers
from quaere.text.tokens import words

_HAS_LEFT = lazy_regex(
    r"(?i)^\W*(?:which|what|where|who)\b(?!.*\b(?:most|least|fewest|\w+est)\b)"
    r".*\b(?:ha(?:ve|s|d)\b(?! left\b)|(?:with|are there|is there)\b).*\bleft\b"
)
"""Asks which have some left, and not which has most, nor who has gone."""
_BOUND = lazy_regex(
    r"(?i)(?:\b(?P<below>(?P<range>between\s[^?]{1,20}?\sand)"
    r"|less than|fewer than|under|below|at most|no more than|up to|maximum of)"
    r"|\b(?:between|more than|greater than|over|above|exceed(?:s|ing)?|at least|no less than"
    r"|no fewer than|minimum of|(?P<more>\w+er) than))"
    r"\s*(?:an?\s*)?$"
)
_WITHIN = lazy_regex(r"(?i)\b(?:in|during|of|ha[sd]|have|with)\s+(?:the\s+)?$")
_PAYMENTS = word_set("payment payments pay pays paid received receives got")
_CITY = word_set("city town")
_TIME = lazy_regex(r"(?<!\d)(\d{1,2}):(\d\d)(?!\d)")
DECADE = 10
"""Years that "the 1990s" last."""
_ORDINAL = lazy_regex(r"^(\d+)(?:st|nd|rd|th)$")
_FIGURE = lazy_regex(r"\d+(?:\.\d+)?")
"""A number, and not one of a version, "1.2.3"."""
_INCLUSIVE = lazy_regex(r"(?i)between|at least|at most|no less|no fewer|no more|up to|m\w+imum of")
_BEFORE = lazy_regex(r"(?i)\b(?:before|until|till|prior to|earlier than|by)\s+(?:the\s+)?$")
_AFTER = lazy_regex(r"(?i)\b(?:after|later than)\s+(?:the\s+)?$")
_THROUGH = lazy_regex(
    r"(?i)\b(?:between|from)\s[^?]{1,30}?\s(?:and|to|until|till|through)\s+(?:the\s+)?$"
)
_SINCE = lazy_regex(r"(?i)\b(?:since|from|between)\s+(?:the\s+)?$")
_BOUNDS = (_THROUGH, _BEFORE, _AFTER, _SINCE)


def conditions(wording: Wording, *, dated: bool, whether: bool) -> list[Condition]:
    """Return what ``wording`` says of the rows that it is about; the words are accounted for.

    Args:
        wording: The question.
        dated: Whether it asks for a date: "paid" is then said of the date, not of yes or no.
        whether: Whether it asks for yes or no: "in stock" is then said of more than none.

    Raises:
        Undecided: when it may be said of several columns, or something else is denied than they
            tell: "not built before 1990".
    """
    if _names_namesakes(wording):
        raise Undecided
    found = [
        *days_named(wording),
        *_of_times(wording),
        *_of_amounts(wording),
        *stretch_named(wording),
        *on_week_days(wording),
        *in_stretches(wording),
        *of_ranks(wording),
        *(values := list(values_named(wording))),
        *(() if whether or any(each.is_row for each in values) else _of_payments(wording)),
        *of_duty(wording, of_row=any(each.is_row for each in values)),
        *numbers_named(wording),
        *against_each_other(wording),
        *gaps_named(wording),
        *_of_flags(wording, dated=dated),
        *_of_blanks(wording),
        *(_of_spares(wording) if whether or _HAS_LEFT.search(wording.text) else ()),
    ]
    if any(word in DENIALS and at not in wording.used for at, word in enumerate(wording.words)):
        raise Undecided
    return found


def _names_namesakes(wording: Wording) -> bool:
    """Whether it is left open which of two cells of one name is meant: a state, or its city."""
    said = f" {' '.join(wording.words)} "
    return _CITY.isdisjoint(wording.words) and any(
        f" {n} " in said for n in wording.table.otherwise.namesakes
    )


# amounts and dates


def days_named(wording: Wording) -> Iterator[Condition]:
    """Yield the rows of each date that ``wording`` names; its words are accounted for.

    Raises:
        Undecided: when several columns have dates and none of them is named.
    """
    for date in dates(wording.text):
        before = wording.text[: date.start]
        if not _is_of_rows(wording.table, date, before):
            continue
        column = _column_of_days(wording)
        if column is not None:
            wording.use(date.start, date.end, column)
            yield Condition(column, _rows_at(wording.table, column, date, wording.text))


def _is_of_rows(table: Table, date: Date, before: str) -> bool:
    """Whether ``date`` tells rows apart, rather than heads a column: "lambs_2024"."""
    is_bound = any(each.search(before) for each in (*_BOUNDS, _WITHIN))
    if date.years != 1:
        return date.years == DECADE and _WITHIN.search(before) is not None
    if not any(parts_of(date)) or not (date.month or is_bound):
        return False
    return not _is_in_a_head(str(date.year), table)


def _is_in_a_head(word: str, table: Table) -> bool:
    return any(word in column.said for column in table.columns)


def _column_of_days(wording: Wording) -> Column | None:
    """Return the column of dates that the question names, or the only one; None without any.

    That of the ends of periods is not meant where one of their beginnings is next to it.
    """
    able = wording.table.of_type(Type.DATE)
    begins = [column for column in able if not is_of_ends(wording.table, column)]
    return begins[0] if len(begins) == 1 else _column_of(wording, Type.DATE)


def _rows_at(table: Table, column: Column, date: Date, text: str) -> frozenset[int]:
    """Return the rows at the ``date`` of ``text``, or in whose period it is."""
    told, before = parts_of(date), text[: date.start]
    if date.years == DECADE:
        return rows_in_years(table, column, date, text)
    exact = _rows_in(column, told, before)
    if any(each.search(before) for each in _BOUNDS):
        return exact
    lasting = rows_in_years(table, column, date, text)
    return exact | lasting if exact else rows_around(table, column, told) or lasting


def _rows_in(column: Column, told: Value, before: str) -> frozenset[int]:
    values = enumerate(column.values)
    return frozenset(row for row, value in values if value and _is_in(value, told, before))


def _of_times(wording: Wording) -> Iterator[Condition]:
    for found in _TIME.finditer(wording.text):
        before = wording.text[: found.start()]
        column = _column_of(wording, Type.TIME)
        if column is None or not (_BEFORE.search(before) or _AFTER.search(before)):
            continue
        told = minutes_of_day(found[1], found[2])
        late = _AFTER.search(before) is not None
        wording.use(found.start(), found.end(), column)
        yield Condition(column, _rows_beyond(column, told, up=late, inclusive=False))


def _is_in(value: Value, told: Value, before: str) -> bool:
    pairs = [(v, t) for v, t in zip(value, told, strict=True) if t and (v or value[0])]
    own, wanted = tuple(v for v, _ in pairs), tuple(t for _, t in pairs)
    # What has no year comes round each year, so nothing is before or after it.
    return _is_bounded_by(own, wanted, before) if told[0] else own == wanted


def _is_bounded_by(own: Value, wanted: Value, before: str) -> bool:
    if _THROUGH.search(before):
        return own <= wanted
    if _BEFORE.search(before):
        return own < wanted
    if _AFTER.search(before):
        return own > wanted
    return own >= wanted if _SINCE.search(before) else own == wanted


def _column_of(wording: Wording, kind: Type) -> Column | None:
    """Return the column of ``kind`` that the question names, or the only one; None without any."""
    able = wording.table.of_type(kind)
    named = [column for column in able if wording.heads(column)]
    if len(named) == len(able):
        named = foremost(named, wording.share_left)
    return sole(named or able)


def _of_payments(wording: Wording) -> Iterator[Condition]:
    """Yield the rows of what goes out, or comes in, where it is asked what was paid, or by whom."""
    column = wording.paid_from or wording.paid_into
    if column is not None:
        wording.used.update(wording.places_of(_PAYMENTS))
        up = not wording.is_below_zero
        yield Condition(column, _rows_beyond(column, Decimal(0), up=up, inclusive=False))


def _of_amounts(wording: Wording) -> Iterator[Condition]:
    column: Column | None = None
    for number in numbers(wording.text):
        bound = _bound_before(wording, number)
        if bound is None:
            continue
        if column is None or bound["range"] is None:  # the end of a range is of the same column
            column = _bounded(wording, number.unit, _adjective_of(bound))
        if column is not None:
            wording.use(bound.start(), number.end, column)
            is_paid = column is wording.paid_from and wording.is_below_zero
            yield Condition(column, _rows_within(column, number, bound, is_paid=is_paid))


def _bound_before(wording: Wording, number: Number) -> re.Match[str] | None:
    """Return what makes ``number`` a bound, right before it: "at least"; None where it is none.

    Or right before the head that the number is of: "below age 18".
    """
    before = wording.text[: number.start].rstrip(" £$€")
    bound = _BOUND.search(before) or _BOUND.search(_without_head(wording, before))
    is_head = bound is not None and _heads_a_column(wording, bound.start(), number.end)
    return None if is_head else bound


def _without_head(wording: Wording, before: str) -> str:
    """Return ``before`` without its last word, if that heads a column of numbers.

    Not if the number after it is in a head as well: "more than power 2022".
    """
    heads = wording.head_places(wording.table.of_type(Type.NUMBER))
    ends = (at for at, each in enumerate(wording.tokens) if each.end == len(before))
    last = next(ends, None)
    if last is None or last not in heads or last + 1 in heads:
        return before
    return before[: wording.tokens[last].start].rstrip()


def _adjective_of(bound: re.Match[str]) -> str:
    """Return the adjective of the comparative in ``bound``, "old" of "older than", or nothing."""
    return base_of(bound["more"] or "", "er")


def _rows_within(
    column: Column, number: Number, bound: re.Match[str], *, is_paid: bool
) -> frozenset[int]:
    """Return the rows that are on the side of ``number`` that ``bound`` says."""
    up = bound["below"] is None and _is_upwards(column, _adjective_of(bound))
    told = in_unit(number.value, number.unit, column.unit)
    told = number.value / _scale_of(column) if told is None else told
    if is_paid:  # 400 paid is -400 there
        told, up = -told, not up
    inclusive = _INCLUSIVE.match(bound[0]) is not None
    return _rows_beyond(column, told, up=up, inclusive=inclusive)


def _scale_of(column: Column) -> Decimal:
    """Return how many each of the figures of ``column`` stands for: 1,000 of "in thousands"."""
    return SCALES.get(column.unit.partition(" ")[0].casefold().removesuffix("s"), Decimal(1))


def _heads_a_column(wording: Wording, start: int, end: int) -> bool:
    """Whether what is said from ``start`` to ``end`` is in a head: of "Guests under 16"."""
    said = " ".join(words(wording.text[start:end]))
    return any(said in " ".join(column.said) for column in wording.table.columns)


def _is_upwards(column: Column, adjective: str) -> bool:
    """Whether more of ``adjective``, if there is one, is more in ``column``."""
    degree = degrees().get(adjective)
    return degree is None or degree.most != bool(column.stems & degree.against)


def _rows_beyond(column: Column, bound: Decimal, *, up: bool, inclusive: bool) -> frozenset[int]:
    return frozenset(
        row
        for row, value in enumerate(column.values)
        if value and _is_beyond(value[0], bound, up=up, inclusive=inclusive)
    )


def _is_beyond(value: Decimal, bound: Decimal, *, up: bool, inclusive: bool) -> bool:
    if inclusive and value == bound:
        return True
    return value > bound if up else value < bound


def _bounded(wording: Wording, unit: str, adjective: str) -> Column | None:
    """Return the column of numbers that a bound is of, by its head, its degree or its unit.

    Raises:
        Undecided: when several are.
    """
    degree = degrees().get(adjective)

    def worth(column: Column) -> int:
        is_told = degree is not None and degree.is_told_by(column.stems, money=column.is_money)
        is_of_kind = unit != "" and in_unit(Decimal(), unit, column.unit) is not None
        fit = is_of_kind + (is_of_kind and unit == column.unit)
        is_named = is_told or column is wording.paid_from
        return 3 * len(wording.heads(column)) + 3 * is_named + fit

    able = wording.table.of_type(Type.NUMBER)
    is_one = len(able) == 1 and wording.table.is_of_figures  # whatever it is called
    return able[0] if is_one else sole(foremost(able, worth, least=1))


def numbers_named(wording: Wording) -> Iterator[Condition]:
    """Yield the conditions of a number next to its head: "zone 2", "3 platforms"."""
    for at in wording.free:
        figure = _ORDINAL.sub(r"\1", wording.words[at])
        if not _FIGURE.fullmatch(figure) or _names_the_table(wording, at):
            continue
        found = next(_heads_beside(wording, at), None)
        if found is not None:
            column, beside = found
            wording.used.update((at, *beside))
            rows = _rows_with(column, Decimal(figure))
            yield Condition(column, rows, is_value=column is wording.table.key and len(rows) == 1)


def _names_the_table(wording: Wording, at: int) -> bool:
    """Whether the number at ``at`` is of what the table or a column is called after: its year."""
    heads = (column.said for column in wording.table.columns)
    return wording.stems[at] in wording.table.named.union(*heads)


def _heads_beside(wording: Wording, at: int) -> Iterator[tuple[Column, list[int]]]:
    """Yield the columns of numbers whose heads are next to ``at``, each with where they are."""
    for column in wording.table.of_type(Type.NUMBER):
        heads = wording.heads(column, wording.content)
        beside = [near for near in (at - 1, at + 1) if near in heads]
        if beside:
            yield column, beside


def _rows_with(column: Column, number: Decimal) -> frozenset[int]:
    return frozenset(row for row, value in enumerate(column.values) if value == (number,))


# flags and blanks


def _of_flags(wording: Wording, *, dated: bool) -> Iterator[Condition]:
    for column in sorted(
        _flags(wording.table, dated=dated), key=lambda c: (-wording.share_left(c), c.at)
    ):
        places = _said_of_flag(wording, column)
        if not wording.says(column, places):
            continue
        wanted = _is_wanted(wording, column, places)
        wording.used.update(places, wording.deniers(places))
        yield Condition(column, _rows_flagged(column, wanted))


def _flags(table: Table, *, dated: bool) -> list[Column]:
    """Return the columns of yes and no; where a day is asked for, none that a date tells of too."""
    days = table.of_type(Type.DATE) if dated else []
    dates_told = frozenset[str]().union(*(day.stems for day in days))
    return [c for c in table.columns if c.is_flag and dates_told.isdisjoint(c.stems)]


def _said_of_flag(wording: Wording, column: Column) -> list[int]:
    """Return the places of words for what heads ``column``, but for those that head another one.

    "The average fee" does not ask for what is "paid", where one column is of fees.
    """
    others = frozenset[str]().union(*(c.stems for c in wording.table.columns if c is not column))
    taken = others - column.stems
    return [at for at in wording.heads(column) if wording.stems[at] not in taken]


def _is_wanted(wording: Wording, column: Column, places: Sequence[int]) -> bool:
    """Whether yes is asked for: by what heads ``column``, or by denying its contrary."""
    is_opposite = any(wording.is_opposite(at, column) for at in places)
    return bool(wording.deniers(places[:1])) == is_opposite


def _rows_flagged(column: Column, wanted: bool) -> frozenset[int]:
    """Return the rows with the flag ``wanted``: where yes alone is ever told, no cell is a no."""
    blank = not wanted and False not in column.flags
    told = zip(column.cells, column.flags, strict=True)
    return frozenset(
        row
        for row, (cell, flag) in enumerate(told)
        if flag is wanted or (blank and not cell.strip())
    )


def _of_blanks(wording: Wording) -> Iterator[Condition]:
    """Yield what is denied of dates and numbers: rows that have none, or a zero."""
    sold_out = [at for at in wording.free if _is_sold_out(wording, at)]
    for column in wording.table.of_type(Type.DATE, Type.NUMBER):
        places = wording.heads(column)
        spent = sold_out if _is_of_spare(column) else []
        if spent or _is_denied_of(wording, column, places):
            wording.used.update(places, spent, wording.deniers(places))
            # Of what nobody has counted, none may be left or some.
            is_of_spare = _is_of_spare(column)
            rows = _rows_with(column, Decimal(0)) if is_of_spare else _blank_rows(column)
            yield Condition(column, rows)


def _is_sold_out(wording: Wording, at: int) -> bool:
    """Whether the word at ``at`` says that nothing is left, as "full" at the end does."""
    is_last = at == len(wording.words) - 1
    return wording.words[at] == SOLD_OUT or (wording.words[at] == "full" and is_last)


def _of_spares(wording: Wording) -> Iterator[Condition]:
    """Yield what is said of what is left: rows that have more than none of it."""
    for column in filter(_is_of_spare, wording.table.of_type(Type.NUMBER)):
        places = wording.heads(column)
        if places:
            wording.used.update(places)
            yield Condition(column, _rows_beyond(column, Decimal(0), up=True, inclusive=False))


def _is_of_spare(column: Column) -> bool:
    """Whether ``column`` counts what is left of something."""
    return column.type is Type.NUMBER and not SPARE.isdisjoint(column.stems)


def _is_denied_of(wording: Wording, column: Column, places: Sequence[int]) -> bool:
    denied = (bool(wording.deniers([at])) != wording.is_opposite(at, column) for at in places)
    return any(denied) and wording.share(column, places) >= HALF


def _blank_rows(column: Column) -> frozenset[int]:
    if column.type is Type.NUMBER and (rows := _rows_with(column, Decimal(0))):
        return rows
    return frozenset(row for row, cell in enumerate(column.cells) if is_empty(cell))


_VERBS = word_set("finish finished finishes came come comes end ended ends placed ranked was is")
_WIN = word_set("won win wins winner winners champion champions")
_TIMES = word_set("once ever")
_LINKS = word_set("the in")
_BY = word_set("in by for on")


def of_ranks(wording: Wording) -> Iterator[Condition]:
    """Yield the row of the rank that is named after a verb, or that won, in a table of ranks.

    Raises:
        Undecided: when it is a rank of another kind.
    """
    by = wording.table.ranked_by
    if by is None:
        return
    rows = _rows_by_rank(len(by.cells))
    for at, word in enumerate(wording.words):
        verb = _verb_before(at, wording.words) if word in rows else None
        if verb is None and not (word in _WIN and _asks_for_winner(wording, at)):
            continue
        if _is_of_another(wording, at, by):
            raise Undecided
        wording.used.update((at, at if verb is None else verb, *wording.heads(by)))
        yield Condition(by, frozenset({rows.get(word, 0)}), is_value=True)
        return


def _is_of_another(wording: Wording, at: int, by: Column) -> bool:
    """Whether the rank at ``at`` is none of ``by``: "last but one", "first in goals scored"."""
    link = wording.words[at + 1 : at + 2]
    if link == ["but"]:
        return True
    after = [each for each in wording.content if each > at]
    after = [each for each in after if wording.stems[each] not in wording.table.things]
    others = (column for column in wording.table.of_type(Type.NUMBER) if column is not by)
    is_by = not _BY.isdisjoint(link)
    return is_by and any(wording.heads(column, after) for column in others)


def _asks_for_winner(wording: Wording, at: int) -> bool:
    """Whether the word at ``at`` is said of the whole, and not of so many games or of the most."""
    after = [each for each in wording.content if each > at]
    if wording.places_of(MOST | LEAST | _TIMES) or wording.deniers([at]):
        return False
    asks = wording.words[:1] == ["who"] or wording.words[0] in {"which", "what"}
    return asks and all(wording.stems[each] in wording.table.things for each in after)


def _rows_by_rank(count: int) -> dict[str, int]:
    """Return the row of each rank, by its name, in a table of ``count`` rows."""
    rows = {name: row for row, name in enumerate(ORDINALS[:count])}
    return rows | dict.fromkeys(("last", "bottom"), count - 1)


def _verb_before(at: int, said: Sequence[str]) -> int | None:
    """Return the place of the verb right before ``at``, or before one word that links it."""
    near = [each for each in range(max(0, at - 2), at) if said[each] not in _LINKS]
    return near[-1] if near and said[near[-1]] in _VERBS else None
