"""Reads which row a question puts first: the column that orders rows, and which way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from quaere.reason.extractive.tables.columns import (
    ORDERED,
    Column,
    Table,
    Type,
    foremost,
    may_be_money,
)
from quaere.reason.extractive.tables.lexicon import (
    INTERVALS,
    LEAST,
    MOST,
    SPANS,
    Degree,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.wording import HALF, Wording
from quaere.text.lexicon import ONES, ORDINALS, word_set

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
_TOP = word_set("top")
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
    for at, word in enumerate(wording.words):
        if at in wording.used:
            continue
        if word == _NEXT:
            return _by_coming(wording, at)
        found = _superlative(wording, at, is_choice=is_choice)
        if found is not None:
            return _ranked(wording, at, found)
    return None


def _superlative(wording: Wording, at: int, *, is_choice: bool) -> Order | None:
    """Return the order of which the word at ``at`` asks for the first, if it is a superlative."""
    word = wording.words[at]
    most = _is_most(word, is_choice=is_choice)
    if most is not None:
        return _by_most(wording, at, most=most)
    base = _adjective(word, is_choice=is_choice)
    return _by_degree(wording, at, base) if base else None


def _ranked(wording: Wording, at: int, order: Order) -> Order:
    """Return ``order`` with the ranks that are named next to the superlative at ``at``."""
    before, after = wording.words[at - 1 : at], wording.words[at + 1 : at + 2]
    if at and before[0] in _ORDINALS:
        wording.used.add(at - 1)
        rank = _ORDINALS[before[0]]
        return replace(order, ranks=range(rank, rank + 1))
    for near, word in ((at - 1, before), (at + 1, after)):
        if word and (count := _COUNTS.get(word[0], 0)) and not _is_of_a_head(wording, near):
            wording.used.add(near)
            return replace(order, ranks=range(count))
    return order


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
        return _by_interval(wording, at, most=most)
    if after in degrees():
        return _by_adverb(wording, at, after, most=most)
    columns = [wording.paid] if wording.paid else _most_named(wording)
    if not columns:
        return _by_word_alone(wording, at)
    wording.used.add(at)
    return _order(wording, columns, greatest=columns if most else ())


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


def _by_degree(wording: Wording, at: int, base: str) -> Order | None:
    """Read an adjective: by a column that is named with it, else by those that tell it."""
    degree = degrees()[base]
    wording.used.add(at)
    named = _most_named(wording)
    telling = [c for c in named if degree.is_told_by(c.stems, money=c.is_money)]
    named = [c for c in named if c is not wording.table.key]  # what is called by it is asked for
    columns = telling or _closest(wording, at, named, degree) or _telling(wording, degree) or named
    if degree.money and wording.paid:
        columns = [wording.paid]
    if not columns:
        return None
    greatest = [column for column in columns if degree.is_upwards(column.stems)]
    return _order(wording, columns, greatest=greatest)


def _closest(wording: Wording, at: int, named: Sequence[Column], degree: Degree) -> list[Column]:
    """Return those of ``named`` that are said directly after ``at``, else those said literally.

    No sum of money is long or old, if "rented" says a word of its head.
    """
    close = [c for c in named if {at + 1, at + 2}.intersection(wording.heads(c))]
    able = [c for c in named if degree.money or not may_be_money(c, wording.table)]
    exact = [c for c in able if c.stems.intersection(wording.stems) - wording.table.things]
    return close or exact


def _order(wording: Wording, columns: Iterable[Column], *, greatest: Iterable[Column]) -> Order:
    chosen = tuple(columns)
    wording.used.update(place for column in chosen for place in wording.heads(column))
    return Order(chosen, frozenset(column.at for column in greatest))


def _most_named(wording: Wording) -> list[Column]:
    """Return the columns of values whose heads the question has most of, and half at least."""
    # What rows are of names no column: an order, and the day on which it was "ordered".
    said = [at for at in wording.free if wording.stems[at] not in wording.table.things]
    able = wording.table.of_type(*ORDERED)

    def worth(column: Column) -> tuple[float, int, bool]:
        places = wording.heads(column, said)
        closely = any(wording.stems[at] in column.stems for at in places)
        return wording.share(column, places), 0, closely

    return foremost(able, worth, least=(HALF, 0, False))


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
