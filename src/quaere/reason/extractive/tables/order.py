"""Which row a question puts first: by the column that orders rows as its superlative asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from quaere.reason.extractive.tables.cell_values import Value
from quaere.reason.extractive.tables.columns import ORDERED, Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.lexicon import (
    IN_STOCK,
    INTERVALS,
    LEAST,
    MOST,
    SPANS,
    Degree,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.wording import (
    HALF,
    Undecided,
    Wording,
    foremost,
    of_total,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ONES, ORDINALS, word_set
from quaere.text.tokens import stem, stems_of

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
    before = "".join(wording.words[at - 1 : at])
    if before in _ORDINALS:
        wording.used.add(at - 1)
        rank = _ORDINALS[before]
        return replace(order, ranks=range(rank, rank + 1))
    counted = next(_places_of_counts(wording, at), None)
    if counted is None:
        return order
    wording.used.add(counted)
    return replace(order, ranks=range(_COUNTS[wording.words[counted]]))


def _places_of_counts(wording: Wording, at: int) -> Iterator[int]:
    """Yield where it is said how many are first: next to the superlative, or after "which"."""
    opening = [1] if wording.words[0] in {"which", "what"} else []
    near = [at - 1, at + 1, *opening]
    counts = set(wording.places_of(_COUNTS)).intersection(near)
    return (place for place in near if place in counts and not _is_of_a_head(wording, place))


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
    after = "".join(wording.words[at + 1 : at + 2]).removesuffix("ly")
    if after in _OFTEN:
        return _by_interval(wording, at, most=most) or _by_count(wording, at, most=most)
    if after in degrees():
        return _by_adverb(wording, at, after, most=most)
    if _counts_rows(wording, at + 1):
        return None
    columns = _counted_by(wording, at)
    if not columns:
        return _by_word_alone(wording, at)
    wording.used.add(at)
    return _order(wording, columns, greatest=columns if most else ())


def _counted_by(wording: Wording, at: int) -> list[Column]:
    """Return the columns of which there may be most: what was paid, what is named, what we have."""
    if wording.paid:
        return [wording.paid]
    named = [column for column in _named(wording, at) if column.type is not Type.DATE]
    return named or _held(wording)


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
    columns = _compared(wording, at, degree)
    if _may_be_of_either_end(columns, base):
        raise Undecided
    if not columns:
        return None
    greatest = [column for column in columns if degree.is_upwards(column.stems)]
    return _order(wording, columns, greatest=greatest)


def _compared(wording: Wording, at: int, degree: Degree) -> list[Column]:
    """Return the columns that the adjective at ``at``, which asks for ``degree``, compares."""
    if degree.money and wording.paid:
        return [wording.paid]
    return next(filter(None, _may_be_compared(wording, at, degree)), list[Column]())


def _may_be_compared(wording: Wording, at: int, degree: Degree) -> Iterator[list[Column]]:
    """Yield the columns that may be compared, in the order in which they are tried."""
    named, told = _named(wording, at), _telling(wording, degree)
    yield [c for c in named if degree.is_told_by(c.stems, money=c.is_money)]
    named = _able_to_tell(named, wording.table, degree)
    yield [c for c in named if {at + 1, at + 2}.intersection(wording.heads(c))]
    if _is_asked_of(wording, at):
        yield told
    yield _said_so(wording, named, degree)
    yield told
    yield named


def _able_to_tell(named: Sequence[Column], table: Table, degree: Degree) -> list[Column]:
    """Return those of ``named`` that may tell ``degree``: dates only where that is of time.

    What rows are called does not tell it: that is what is asked for.
    """
    able = [c for c in named if c is not _calling(table)]
    return [c for c in able if c.type is not Type.DATE or _is_of_time(degree)]


def _calling(table: Table) -> Column | None:
    """Return the column by which the rows of ``table`` are called; None where nothing does so."""
    return None if table.is_nameless else table.key


def _may_be_of_either_end(columns: Sequence[Column], base: str) -> bool:
    """Whether the greatest of ``columns`` may be the least of what ``base`` compares.

    Less of some things is better; and the longer ago something began, the earlier that was.
    """
    is_better = base == "good" and any(_LESS_IS_BETTER & c.stems for c in columns)
    return is_better or (_is_of_time(degrees()[base]) and any(map(_tells_since, columns)))


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
    if not _are_both_ends(columns):
        return columns
    end = stem("maximum" if greatest else "minimum")
    return [column for column in columns if end in column.stems]


def _are_both_ends(columns: Sequence[Column]) -> bool:
    """Whether ``columns`` are two: one of the least, and one of the most of the same."""
    rest = {column.stems - _ENDS for column in columns}
    told = {end for column in columns for end in column.stems & _ENDS}
    return len(columns) == len(_ENDS) and len(rest) == 1 and told >= _ENDS


def _named(wording: Wording, at: int) -> list[Column]:
    """Return the columns that are named after the superlative at ``at``, else anywhere."""
    return _named_after(wording, at) or _most_named(wording)


def _named_after(wording: Wording, at: int) -> list[Column]:
    """Return the columns that are named between the superlative at ``at`` and the next link.

    "The tip for the largest bill" is asked of the bill that is largest.
    """
    end = _next_link(wording, at)
    found = _most_named(wording, before=end, after=at)
    places = [n for n in wording.content if at < n < end]
    is_whole = all(wording.share(column, places) == 1.0 for column in found)
    return found if is_whole or _is_asked_of(wording, at) else []


def _next_link(wording: Wording, at: int) -> int:
    """Return the place of the first word after ``at`` that links; past the last one without any."""
    after = range(at + 1, len(wording.words))
    return next((n for n in after if wording.words[n] in _LINKS), len(wording.words))


def _most_named(wording: Wording, *, after: int = -1, before: int | None = None) -> list[Column]:
    """Return the columns of values whose heads the question has most of, and half at least."""
    end = len(wording.words) if before is None else before
    # What rows are of names no column: an order, and the day on which it was "ordered".
    said = _free_between(wording, after, end)
    said = [n for n in said if wording.stems[n] not in wording.table.things]
    able = wording.table.of_type(*ORDERED)

    def worth(column: Column) -> tuple[float, int, bool]:
        places = [at for at in wording.heads(column, said) if _is_of_head(wording, at, column)]
        closely = any(wording.stems[at] in column.stems for at in places)
        share = wording.share(column, places)
        is_whole = share == 1.0  # "seats left", and not "seats"
        return share, len(column.stems) if is_whole else 0, closely

    named = of_total(foremost(able, worth, least=(HALF, 0, False)))
    return named or _named_as_rows(wording, after, end)


def _free_between(wording: Wording, after: int, end: int) -> list[int]:
    """Return the places between ``after`` and ``end`` of words that nothing accounts for yet."""
    return [at for at in wording.free if after < at < end]


def _named_as_rows(wording: Wording, after: int, end: int) -> list[Column]:
    """Return the column of figures that is called what rows are: the tip in "tips".

    Where rows have names, "which tip" asks for one of these, but for "the best tip".
    """
    places = _free_between(wording, after, end)
    calling = _calling(wording.table)
    figures = [c for c in wording.table.of_type(Type.NUMBER) if c is not calling and c.stems]
    if len(figures) == 1 and not figures[0].is_numbering:
        return _sole_named(wording, figures, places)
    return _wholly_named(wording, figures, places)


def _sole_named(wording: Wording, sole: list[Column], places: Iterable[int]) -> list[Column]:
    """Return the ``sole`` column if a word at ``places`` is for it, and not what is asked for."""
    said = [at for at in places if not _is_of_which(wording, at)]
    return sole if wording.heads(sole[0], said) else []


def _wholly_named(
    wording: Wording, figures: Iterable[Column], places: Iterable[int]
) -> list[Column]:
    """Return those of ``figures`` whose heads are all said at ``places``, for a figure."""
    said = {wording.stems[at] for at in places if _may_be_figure(wording, at)}
    return [column for column in figures if column.stems <= said]


def _is_of_which(wording: Wording, at: int) -> bool:
    """Whether the word at ``at`` says what is asked for: "which price"."""
    heads = (column.stems for column in wording.table.columns)
    is_noun = any(wording.stems[at] in stems for stems in heads)
    return is_noun and at > 0 and wording.words[at - 1] in {"which", "what"}


def _may_be_figure(wording: Wording, at: int) -> bool:
    """Whether the word at ``at``, which says what rows are, may be for a figure of theirs."""
    return wording.table.is_nameless or _is_led(wording, at)


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
    told = of_total(_headed_by(able, degree.heads))
    return told or money or _headed_by(able, degree.against)


def _headed_by(columns: Sequence[Column], heads: frozenset[str]) -> list[Column]:
    return [column for column in columns if _is_of(column, heads)]


def _is_of(column: Column, heads: frozenset[str]) -> bool:
    """Whether ``column`` is of what one of ``heads`` tells: "Weeks", but not "Holiday days"."""
    told = heads & column.stems
    is_span = column.type is Type.NUMBER and column.stems <= SPANS  # "Day" over dates is none
    return bool(told - SPANS) or (bool(told) and is_span)
