"""What a question puts first: a row, by the column that orders rows, or a column of one row.

The second where several columns are alike: the quarter, month or day of the most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import FOUND, Asked, RowsAnswer
from quaere.reason.extractive.tables.cell_values import Value
from quaere.reason.extractive.tables.columns import (
    ORDERED,
    Column,
    Table,
    Type,
    foremost,
    may_be_money,
)
from quaere.reason.extractive.tables.lexicon import (
    GENERAL,
    IN_STOCK,
    INTERVALS,
    LEAST,
    MOST,
    OF_ROTAS,
    OF_TIME,
    SPANS,
    Degree,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.wording import HALF, Undecided, Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, ONES, ORDINALS, word_set
from quaere.text.tokens import stem, stems_of, words

_NEXT = "next"
COMING = frozenset({_NEXT, "due"})
"""Words of a question for what is still to come."""
_AHEAD = frozenset({"next", "due", "deadline", "until", "expires", "expiry", "renewal"})
"""Words in the head of a column of dates that are still to come."""
_ORDINALS = {name: rank for rank, name in enumerate(ORDINALS)} | {
    name: rank for rank, name in enumerate(("1st", "2nd", "3rd", "4th", "5th"))
}
_COUNTS = {word: n for n in range(2, 11) for word in (ONES[n], str(n))}
"""Ranks, and how many are first, in words and in figures."""
_WE_HAVE = lazy_regex(r"(?i)\b(?:do|did) (?:we|i|they) have\b")
_TOP = word_set("top")
_LINKS = word_set("of for in on at by from to with among between and or who that which is was")
_COUNTED = word_set("most fewest least")
_SINCE = word_set("since ago")
"""Words in heads of how long something has been: the more of it, the earlier it began."""
_LESS_IS_BETTER = stems_of(
    "price cost fee charge rent time duration delay error errors fault faults loss losses death"
    " deaths fatalities accident accidents crime rank ranking position unemployment emissions"
)
_WHEN_HEADS = stems_of("date year since")
_ENDS = stems_of("minimum maximum")
_WORST = "worst"
_OFTEN = frozenset({"often", "frequent"})


@dataclass(frozen=True, slots=True)
class Order:
    """Columns by any of which the rows may be ordered."""

    columns: tuple[Column, ...]
    greatest: frozenset[int]
    """Places of those of which the greatest value is asked for; of the others it is the least."""
    ranks: range = range(1)
    """Which rows are asked for, from the first on: "second highest", "the three highest"."""

    @property
    def is_of_first(self) -> bool:
        """Whether it asks for nothing but the first, who may be several."""
        return self.ranks == range(1)

    def turned(self) -> Order:
        """Return the order the other way round."""
        places = frozenset(column.at for column in self.columns)
        return Order(self.columns, places - self.greatest, self.ranks)


def order_asked(wording: Wording, *, is_choice: bool) -> Order | None:
    """Return the order of which ``wording`` asks for the first; None where it asks for none.

    What is read is accounted for.

    Args:
        wording: The question.
        is_choice: Whether it asks which of some rows is ahead, so that a comparative says so too.
    """
    order = _first_asked(wording, is_choice=is_choice)
    if order and wording.is_below_zero and wording.paid_from in order.columns:
        return order.turned()  # the most that was paid is the least there
    return order


def _first_asked(wording: Wording, *, is_choice: bool) -> Order | None:
    """Return the order of the first word that asks for one."""
    for at, word in enumerate(wording.words):
        if at in wording.used or _is_in_name(wording, at):
            continue
        if word == _NEXT:
            return _by_coming(wording, at)
        found = _superlative(wording, at, is_choice=is_choice)
        if found is not None:
            return _ranked(wording, at, found)
    return None


def _is_in_name(wording: Wording, at: int) -> bool:
    """Whether the word at ``at`` has a capital as the next one has: "Best Buy" is nobody's best.

    Where most words have one, or all letters are capitals, that tells nothing.
    """
    begun = [token.text[:1].isupper() for token in wording.tokens]
    is_usual = 2 * sum(begun[1:]) > len(begun[1:])
    return at > 0 and not is_usual and begun[at : at + 2] == [True, True]


def _superlative(wording: Wording, at: int, *, is_choice: bool) -> Order | None:
    """Return the order of which the word at ``at`` asks for the first, if it is a superlative."""
    word = wording.words[at]
    most = _is_most(word, is_choice=is_choice)
    if most is not None:
        return _by_most(wording, at, most=most)
    base = _adjective(word, is_choice=is_choice)
    order = _by_degree(wording, at, base) if base else None
    return _of_worst(order, degrees()[base]) if order and word == _WORST else order


def _of_worst(order: Order, degree: Degree) -> Order:
    """Return ``order`` from its end, where more is better: of marks, but not of rain.

    Raises:
        Undecided: when it is not known that more is better.
    """
    if all(degree.heads & column.stems for column in order.columns):
        return order.turned()
    raise Undecided


def _ranked(wording: Wording, at: int, order: Order) -> Order:
    """Return ``order`` with the ranks that are named next to the superlative at ``at``."""
    before, after = wording.words[at - 1 : at], wording.words[at + 1 : at + 2]
    if at and before[0] in _ORDINALS:
        wording.used.add(at - 1)
        rank = _ORDINALS[before[0]]
        return replace(order, ranks=range(rank, rank + 1))
    opening = wording.words[1:2] if wording.words[0] in {"which", "what"} else []
    for near, word in ((at - 1, before), (at + 1, after), (1, opening)):
        if word and (count := _COUNTS.get(word[0], 0)) and not _is_of_a_head(wording, near):
            wording.used.add(near)
            return replace(order, ranks=range(count))
    return order


def rows_of_ranks(known: Sequence[tuple[Value, int]], ranks: range) -> tuple[int, ...]:
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


def _is_of_a_head(wording: Wording, at: int) -> bool:
    """Whether the figure at ``at`` is accounted for, or part of a head: "most 3 pointers"."""
    heads = (column.said for column in wording.table.columns)
    return at in wording.used or any(wording.words[at] in said for said in heads)


def _by_coming(wording: Wording, at: int) -> Order | None:
    """Return the order by when something is due, in the one column that says so."""
    wording.used.update({at, *(near for near in wording.free if wording.words[near] in COMING)})
    named = foremost(to_come(wording.table), wording.share_left)
    return _order(wording, named, greatest=()) if len(named) == 1 else None


def to_come(table: Table) -> list[Column]:
    """Return the columns of ``table`` that tell when something is due."""
    return [c for c in table.of_type(Type.DATE) if not _AHEAD.isdisjoint(c.said)]


def _is_most(word: str, *, is_choice: bool) -> bool | None:
    """Return whether ``word`` asks for the most, False for the least; None where for neither."""
    if word in MOST:
        return True
    if word in LEAST:
        return False
    return {"more": True, "less": False}.get(word) if is_choice else None


def _adjective(word: str, *, is_choice: bool) -> str:
    """Return the adjective of which ``word`` is a superlative or, for a choice, a comparative."""
    return base_of(word, "est") or (base_of(word, "er") if is_choice else "")


def _by_most(wording: Wording, at: int, *, most: bool) -> Order | None:
    """Read "most" with an adjective, or with what heads a column."""
    after = wording.words[at + 1].removesuffix("ly") if at + 1 < len(wording.words) else ""
    if after in _OFTEN:
        return _by_interval(wording, at, most=most) or _by_count(wording, at, most=most)
    if after in degrees():
        return _by_adverb(wording, at, after, most=most)
    if _counts_rows(wording, at + 1):
        return None
    named = _named_after(wording, at) or _most_named(wording)
    named = [column for column in named if column.type is not Type.DATE]
    columns = [wording.paid] if wording.paid else named or _held(wording)
    if not columns:
        return _by_word_alone(wording, at)
    wording.used.add(at)
    return _order(wording, columns, greatest=columns if most else ())


def _counts_rows(wording: Wording, at: int) -> bool:
    """Whether the word at ``at`` is what rows are of, and no column counts it: "most members"."""
    own = "".join(wording.stems[at : at + 1])
    figures = wording.table.of_type(Type.NUMBER)
    is_word = wording.words[at - 1] in _COUNTED and own in wording.table.things
    is_named = any(own in c.stems or wording.share_left(c) == 1.0 for c in figures)
    return is_word and not is_named


def _held(wording: Wording) -> list[Column]:
    """Return the column of what there is of each, where it is asked what "we have most of"."""
    able = [c for c in wording.table.of_type(Type.NUMBER) if c.stems <= IN_STOCK]
    return able if len(able) == 1 and _WE_HAVE.search(wording.text) else []


def _by_word_alone(wording: Wording, at: int) -> Order | None:
    """Read what stands with no head: "top" where rows are ranked, else its adjective."""
    word = wording.words[at]
    if wording.table.is_ranked and word in _TOP:
        wording.used.add(at)
        return _order(wording, wording.table.columns[:1], greatest=())
    base = base_of(word, "est")
    return _by_degree(wording, at, base) if base else None


def _by_adverb(wording: Wording, at: int, base: str, *, most: bool) -> Order | None:
    """Read "most" or "least" before the adjective ``base``."""
    wording.used.add(at)
    found = _by_degree(wording, at + 1, base)
    return found if found is None or most else found.turned()


def _by_interval(wording: Wording, at: int, *, most: bool) -> Order | None:
    """Read "most often": of what is done every so many days, the fewest days."""
    able = [c for c in wording.table.of_type(Type.NUMBER) if INTERVALS.intersection(c.said)]
    able = [c for c in able if wording.heads(c)]
    if len(able) != 1:
        return None
    wording.used.update((at, at + 1))
    return _order(wording, able, greatest=() if most else able)


def _by_count(wording: Wording, at: int, *, most: bool) -> Order | None:
    """Read "most often" by what counts how many times: "Drawn" of games."""
    counted = [c for c in _most_named(wording) if c.type is Type.NUMBER and not c.unit]
    counted = [c for c in counted if wording.share(c, wording.content) == 1.0]
    if len(counted) != 1:
        return None
    wording.used.update((at, at + 1))
    return _order(wording, counted, greatest=counted if most else ())


def _by_degree(wording: Wording, at: int, base: str) -> Order | None:
    """Read an adjective: by a column that is named with it, else by those that tell it."""
    degree = degrees()[base]
    wording.used.add(at)
    named = _named_after(wording, at) or _most_named(wording)
    telling = [c for c in named if degree.is_told_by(c.stems, money=c.is_money)]
    key = None if wording.table.is_nameless else wording.table.key
    named = [c for c in named if c is not key]  # what is called by it is asked for
    named = [c for c in named if c.type is not Type.DATE or _is_of_time(degree)]
    close = [c for c in named if {at + 1, at + 2}.intersection(wording.heads(c))]
    told = _telling(wording, degree)
    columns = telling or close or (told if _is_asked_of(wording, at) else [])
    columns = columns or _said_so(wording, named, degree) or told or named
    if degree.money and wording.paid:
        columns = [wording.paid]
    if base == "good" and any(_LESS_IS_BETTER & c.stems for c in columns):
        raise Undecided
    if _is_of_time(degree) and any(map(_tells_since, columns)):
        raise Undecided
    if not columns:
        return None
    greatest = [column for column in columns if degree.is_upwards(column.stems)]
    return _order(wording, columns, greatest=greatest)


def _is_of_time(degree: Degree) -> bool:
    """Whether dates may tell what ``degree`` compares: "newest", but not "wettest"."""
    return not _WHEN_HEADS.isdisjoint(degree.heads | degree.against)


def _tells_since(column: Column) -> bool:
    return column.type is Type.NUMBER and not _SINCE.isdisjoint(column.said)


def _is_asked_of(wording: Wording, at: int) -> bool:
    """Whether something is asked of the row with the superlative at ``at``: "fare of the oldest".

    What is named before that does not say of what that row has most.
    """
    before = [word for word in wording.words[:at] if word != "the"][-1:]
    return before in (["of"], ["for"], ["with"])


def _said_so(wording: Wording, named: Sequence[Column], degree: Degree) -> list[Column]:
    """Return those of ``named`` whose heads are said as they are.

    No sum of money is long or old, if "rented" says a word of its head.
    """
    able = [c for c in named if degree.money or not may_be_money(c, wording.table)]
    return [c for c in able if c.stems.intersection(wording.stems) - wording.table.things]


def _order(wording: Wording, columns: Iterable[Column], *, greatest: Iterable[Column]) -> Order:
    greatest = list(greatest)
    chosen = tuple(_of_that_end(list(columns), greatest))
    wording.used.update(place for column in chosen for place in wording.heads(column))
    return Order(chosen, frozenset(column.at for column in greatest))


def _of_that_end(columns: list[Column], greatest: Sequence[Column]) -> list[Column]:
    """Return the one of a pair of ``columns``, least and most of the same, that goes that far."""
    rest = {column.stems - _ENDS for column in columns}
    told = {end for column in columns for end in column.stems & _ENDS}
    if len(columns) != len(_ENDS) or len(rest) != 1 or not told >= _ENDS:
        return columns
    end = stem("maximum" if greatest else "minimum")
    return [column for column in columns if end in column.stems]


def _named_after(wording: Wording, at: int) -> list[Column]:
    """Return the columns that are named between the superlative at ``at`` and the next link.

    "The tip for the largest bill" is asked of the bill that is largest.
    """
    after = range(at + 1, len(wording.words))
    end = next((n for n in after if wording.words[n] in _LINKS), len(wording.words))
    found = _most_named(wording, before=end, after=at)
    places = [n for n in wording.content if at < n < end]
    is_whole = all(wording.share(column, places) == 1.0 for column in found)
    return found if is_whole or _is_asked_of(wording, at) else []


def _most_named(wording: Wording, *, after: int = -1, before: int | None = None) -> list[Column]:
    """Return the columns of values whose heads the question has most of, and half at least."""
    end = len(wording.words) if before is None else before
    # What rows are of names no column: an order, and the day on which it was "ordered".
    said = [n for n in wording.free if after < n < end]
    said = [n for n in said if wording.stems[n] not in wording.table.things]
    able = wording.table.of_type(*ORDERED)

    def worth(column: Column) -> tuple[float, int, bool]:
        places = [at for at in wording.heads(column, said) if _is_of_head(wording, at, column)]
        closely = any(wording.stems[at] in column.stems for at in places)
        share = wording.share(column, places)
        is_whole = share == 1.0  # "seats left", and not "seats"
        return share, len(column.stems) if is_whole else 0, closely

    return foremost(able, worth, least=(HALF, 0, False)) or _named_as_rows(wording, after, end)


def _named_as_rows(wording: Wording, after: int, end: int) -> list[Column]:
    """Return the column of figures that is called what rows are: the tip in "tips".

    Where rows have names, "which tip" asks for one of these, but for "the best tip".
    """
    table = wording.table
    places = (at for at in wording.free if after < at < end)
    said = {wording.stems[at] for at in places if table.is_nameless or _is_led(wording, at)}
    able = (c for c in table.of_type(Type.NUMBER) if table.is_nameless or c is not table.key)
    return [column for column in able if column.stems <= said]


def _is_led(wording: Wording, at: int) -> bool:
    """Whether a superlative is right before the word at ``at``, which is as some head has it."""
    before = wording.words[at - 1] if at else ""
    heads = (column.said for column in wording.table.columns)
    is_led = before in MOST | LEAST or bool(base_of(before, "est"))
    return is_led and any(wording.words[at] in said for said in heads)


def _is_of_head(wording: Wording, at: int, column: Column) -> bool:
    """Whether the word at ``at`` is for ``column``: "which place" is for none headed "seats"."""
    is_asked = at == 1 and wording.words[0] == "which"
    return not is_asked or wording.stems[at] in column.stems


def _telling(wording: Wording, degree: Degree) -> list[Column]:
    able = wording.table.of_type(*ORDERED)
    money = [c for c in able if degree.money and c.is_money]
    return _headed_by(able, degree.heads) or money or _headed_by(able, degree.against)


def _headed_by(columns: Sequence[Column], heads: frozenset[str]) -> list[Column]:
    return [column for column in columns if _is_of(column, heads)]


def _is_of(column: Column, heads: frozenset[str]) -> bool:
    """Whether ``column`` is of what one of ``heads`` tells: "Weeks", but not "Holiday days"."""
    told = heads & column.stems
    is_span = column.type is Type.NUMBER and column.stems <= SPANS  # "Day" over dates is none
    return bool(told - SPANS) or (bool(told) and is_span)


_ASKS = lazy_regex(r"(?i)^\W*(?:in |on |at )?(?:which|what) (\w+)\b")
_WHEN = lazy_regex(r"(?i)^\W*(?:when|(?:on )?(?:which|what) days?)\b")
_MONTHS = stems_of(" ".join((*MONTHS, *(name[:3] for name in MONTHS))).lower())
"""Months in full and in short."""
_HEADS: Mapping[str, re.Pattern[str]] = {
    "quarter": re.compile(r"(?i)q[1-4]\b.*|(?:1st|2nd|3rd|4th|first|second|third|fourth) quarter"),
    "year": re.compile(r"(?i)(?:fy ?)?[12]\d{3}(?:[/-]\d\d)?"),
    "week": re.compile(r"(?i)(?:week|wk|w) ?\d+"),
    "half": re.compile(r"(?i)h[12]\b.*"),
}
"""How columns are headed that are one quarter, one year and so on each."""


def asks_across(text: str) -> bool:
    """Whether ``text`` asks for the quarter, the year, the month or the day of the most."""
    is_of_columns = _noun_asked(text) in {*_HEADS, "day", "month"}
    return is_of_columns and any(_most(word) is not None for word in words(text))


def across_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return which of the columns of one kind has the most, or least, in the one row of ``text``.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    noun = _noun_asked(text)
    columns = _columns_of(noun, table)
    if len(columns) < 2:
        return None
    asked = Asked(text, table)
    wording = asked.wording
    at = next((n for n, word in enumerate(wording.words) if _most(word) is not None), None)
    if at is None or len(asked.rows) != 1:
        return None
    (row,) = asked.rows
    wording.used.update((at, wording.words.index(noun)))
    asked.by += columns
    ahead = _ahead(columns, row, most=bool(_most(wording.words[at])))
    if not ahead or not asked.is_accounted():
        return None
    heads = ", ".join(column.head for column in ahead)
    answer = f"{heads} ({table.called(row)}: {asked.cell(ahead[0], row)})"
    return asked.answered(DirectKind.NAME, answer, [row], FOUND)


def _noun_asked(text: str) -> str:
    """Return the word behind "which" or "what" with which ``text`` opens; else nothing."""
    found = _ASKS.match(text)
    return found[1].casefold() if found else ""


def _ahead(columns: Sequence[Column], row: int, *, most: bool) -> list[Column]:
    """Return those of ``columns`` with the most, or least, in ``row``; none where one is empty."""
    told = [(value, column) for column in columns if (value := column.values[row]) is not None]
    if len(told) != len(columns):
        return []
    values = [value for value, _ in told]
    best = max(values) if most else min(values)
    return [column for value, column in told if value == best]


def day_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return under which days of a rota the row of ``text`` has whom or what it names.

    Raises:
        Undecided: when several rows could be meant.
    """
    if not _WHEN.match(text) or len(table.days) < 2:
        return None
    wording = Wording(text, table)
    key = table.columns[0]
    rows = [row for row, own in enumerate(key.terms) if own and own <= set(wording.stems)]
    if len(rows) != 1:
        return None
    told = _days_told(wording, rows[0])
    if not told:
        return None
    asked = Asked(key.cells[rows[0]], table)
    asked.by += told
    return asked.answered(DirectKind.DATE, ", ".join(c.head for c in told), rows, FOUND)


def _days_told(wording: Wording, row: int) -> list[Column]:
    """Return the days under which ``row`` has what is named; none where more is said than that."""
    table = wording.table
    said = {wording.stems[at] for at in wording.free} - table.columns[0].terms[row]
    told = [day for day in table.days if day.terms[row] and day.terms[row] <= said]
    known = (table.things, table.beside, GENERAL, OF_TIME, OF_ROTAS)
    left = said.difference(*(day.terms[row] for day in told), *known)
    return [] if left else told


def _columns_of(noun: str, table: Table) -> list[Column]:
    """Return the columns of figures that are headed as one ``noun`` is: Q1 to Q4 of "quarter"."""
    single = noun.removesuffix("s")
    return [column for column in table.of_type(Type.NUMBER) if _is_headed_by_a(single, column)]


def column_kind(columns: Sequence[Column]) -> str:
    """Return what heads each of ``columns``, such as one year each; nothing where nothing does."""
    kinds = (*_HEADS, "day", "month")
    return next((kind for kind in kinds if all(_is_headed_by_a(kind, c) for c in columns)), "")


def _is_headed_by_a(noun: str, column: Column) -> bool:
    """Whether one ``noun`` heads ``column``: "Q1" is a quarter."""
    if noun == "day":
        return column.is_of_day
    if noun == "month":
        return len(column.stems) == 1 and column.stems <= _MONTHS
    pattern = _HEADS.get(noun)
    return pattern is not None and pattern.fullmatch(column.head.strip()) is not None


def _most(word: str) -> bool | None:
    """Return whether ``word`` asks for the most, False for the least, None for neither."""
    if word in MOST | {"best"}:
        return True
    if word in LEAST | {_WORST}:
        return False
    degree = degrees().get(base_of(word, "est"))
    return None if degree is None else degree.most
