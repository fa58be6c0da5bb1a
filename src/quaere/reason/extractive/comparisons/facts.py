"""What is known about a thing that can be compared: a date, or an amount in a unit."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import NamedTuple, TypeVar

from quaere.reason.extractive.comparisons.sides import (
    is_headed,
    led_to,
    opens_with,
    passages_about,
    titled,
)
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.line_context import points_back
from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.questions.parts import Comparison
from quaere.reason.extractive.tables.cell import cells_about, degree_terms
from quaere.text.amounts import BASES, NAUTICAL
from quaere.text.dates import Date, dates
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.numbers import Number, numbers, undated_numbers
from quaere.text.tokens import stem, stems_of, terms, tokenize, words

_ABOUT_DEATH = lazy_regex(r"(?i)\b(?:died?|death|dead)\b")
_ABOUT_BIRTH = lazy_regex(r"(?i)\b(?:born|birth|old\w*|young\w*)\b")
_OF_A_LIFE = lazy_regex(
    r"(?i)\b(?:born|birth|director|composer|author|performer|writer|producer|creator|founder|singer"
    r")s?\b"
)
"""Asks of a person, who is born and not built."""
_DIED, _BORN = lazy_regex(r"(?i)\bdied\b"), lazy_regex(r"(?i)\bborn\b")
_BY_ANOTHER = lazy_regex(
    r"(?i)\b(?:director|composer|author|performer|writer|producer|creator|founder|singer)s?\b"
)
_BRACKETS = lazy_regex(r"[(（]([^()（）]{4,120})[)）]")
_YEAR = lazy_regex(r"\s*\d{4}\s*")
_BEGUN = lazy_regex(
    r"(?i)\b(?:(?:is|are|was|were|been) (?:[a-z]+ly )?(?:built|erected|constructed|established"
    r"|founded|formed|laid|opened)|(?:built|erected|established|founded|opened) (?:on|in|by)"
    r"|dat(?:es|ing) (?:from|back to)|(?:goes|going|went) back to)\b"
)
"""How a sentence says when a thing began, which has an age and no birth."""
_COMES_OUT = lazy_regex(r"(?i)\b(?:c[oa]me out|released|published|premiered|issued)\b")
_CAME_OUT = stems_of("came released published premiered issued appeared")
_OF_A_YEAR = lazy_regex(r"(?:is|was) an? (?:[A-Za-z]+[ -]){0,2}?(?=\d{4}\b)")
"""What is followed by the year in which a work came out: "is a 1984 drama film"."""
_ABOUT = lazy_regex(
    r"(?i)(?:\b(?:up to|at (?:most|least)|than|under|over|below|above|between"
    r"|from|to|(?:max|min)(?:imum)?(?: of)?)\s+|\bbetween \S{1,9}(?: [a-z°]{1,9})? and "
    r"|\d ?[-–] ?)\Z"
)
"""Said before a figure that is no more than a bound."""
_IN_HEAD = lazy_regex(r"[(\[,]\s*(?P<unit>[^()\[\],]{1,12}?)\s*[)\]]?\Z")
"""The unit in the head of a column: "Length (m)", "Length, m"."""
_THE = lazy_regex(r"(?i)\W*(?:the )?")
_OF_IT = lazy_regex(r"(?i)\b(?:he|she|it|they|his|her|its|their)\b")
_BESIDES = frozenset({"the", "year"})


class Fact(NamedTuple):
    """What decides for one side, and the lines that say it, in the order to be read."""

    value: tuple[Decimal, ...]
    lines: tuple[Line, ...]
    unit: str = ""
    """The unit of an amount, a base of `quaere.text.amounts` where it has one."""
    head: str = ""
    """The head of the column that the value is from."""
    is_plain: bool = True
    """Whether it is plainly what is compared, and no bound: "opened in 1932", "210 m long"."""

    @property
    def is_amount(self) -> bool:
        """Whether it is one number; a date has a year, a month and a day."""
        return len(self.value) == 1


def whole_years(earlier: tuple[Decimal, ...], later: tuple[Decimal, ...]) -> int:
    """Return the years from one date to another, whole ones where the days of both are known."""
    years = int(later[0] - earlier[0])
    return years - (all(earlier) and all(later) and later[1:] < earlier[1:])


def told_years(years: int) -> str:
    """Return a number of years in words."""
    return f"{years} year{'s' * (years != 1)}"


def plainest(facts: Iterable[Fact]) -> Fact | None:
    """Return the first of ``facts`` that is plainly what is compared, else the first.

    Of a year and a day in it the day is taken: "a 2016 film", "released on 10 June 2016".
    """
    told = list(facts)
    plain = [fact for fact in told if fact.is_plain] or told[:1]
    days = (fact for fact in plain if fact.value[0] == plain[0].value[0] and all(fact.value))
    return next(chain(days, plain), None)


class _Told(NamedTuple):
    """The value that a text tells."""

    value: tuple[Decimal, ...]
    unit: str = ""
    is_plain: bool = True


def given(side: str, kind: Kind) -> Fact | None:
    """Return the date, or the amount with its unit, that ``side`` is; None where it is a thing."""
    return _date_given(side) if kind is Kind.DATE else _amount_given(side)


def _date_given(side: str) -> Fact | None:
    told = _dated(side)
    return Fact(_parts(told), ()) if len(told) == 1 and not _says_besides(side, told[0]) else None


def _amount_given(side: str) -> Fact | None:
    told = [number for number in numbers(side) if number.unit]
    if len(told) != 1 or _says_besides(side, told[0]):
        return None
    value, unit = _in_base(told[0])
    return Fact((value,), (), unit)


def _dated(text: str) -> list[Date]:
    """Return the dates in ``text`` that have a year."""
    return [date for date in dates(text) if date.year is not None]


def _says_besides(side: str, found: Date | Number) -> bool:
    """Whether ``side`` says more than what is ``found`` in it: "200 seats"."""
    rest = words(f"{side[: found.start]} {side[found.end :]}")
    return not _BESIDES.issuperset(rest)


def in_cells(side: str, compared: Comparison, kind: Kind, lines: Sequence[Line]) -> list[Fact]:
    """Return what the cells of rows about ``side`` tell."""
    return [
        Fact(value, (line,), unit, head)
        for line, head, cell in cells_about(side, compared.about, lines)
        for value, unit in _figures(head, cell, kind)
    ]


def _figures(head: str, cell: str, kind: Kind) -> Iterator[tuple[tuple[Decimal, ...], str]]:
    """Yield the only date or number that ``cell`` holds, with its unit."""
    if kind is Kind.DATE:
        told = _dated(cell)
        yield from [(_parts(told), "")] if len(told) == 1 else []
    elif len(found := numbers(cell)) == 1:
        value, unit = _in_base(found[0] if found[0].unit else _with_unit(found[0], head))
        yield (value,), unit


def _with_unit(number: Number, head: str) -> Number:
    """Return ``number`` in the unit that the ``head`` of its column tells, if it tells one."""
    told = _IN_HEAD.search(head)
    units = [each.unit for each in numbers(f"1 {told['unit']}")] if told else []
    return replace(number, unit=units[0]) if len(units) == 1 else number


class _Said(NamedTuple):
    """A line, and what of it is said of a thing."""

    line: Line
    text: str
    is_plain: bool = True
    """Whether that is said of the thing alone."""


def facts_about(side: str, compared: Comparison, kind: Kind, pool: Pool) -> Iterator[Fact]:
    """Yield what sentences tell of ``side``, in the order of the passages about it.

    What ``compared`` sets against it may be empty. Where another is compared in its place, such as
    a director, that one's facts are yielded.
    """
    for owner, before in _steps(side, compared, pool):
        asked = compared.about
        if not before:
            asked = f"{_beside_title(side, owner, pool)} {asked}"
        for said in _whole(owner, pool) if before else _told_of(side, owner, pool, compared):
            if (told := _told_in(said, asked, kind)) is not None:
                lines = (*before, said.line)
                yield Fact(told.value, lines, told.unit, is_plain=told.is_plain)


def _told_in(said: _Said, about: str, kind: Kind) -> _Told | None:
    """Return the value that is ``said``; it is not plain where another thing may have it."""
    told = _date_in(said.text, about) if kind is Kind.DATE else _amount_in(said, about)
    if told is None or (said.is_plain and not is_negative(said.text)):
        return told
    return told._replace(is_plain=False)


def _steps(side: str, compared: Comparison, pool: Pool) -> list[tuple[int, tuple[Line, ...]]]:
    """Return the passages that tell of ``side``, with the lines that lead there.

    They are about it or, where another is compared in its place, such as a director, about that.
    """
    owners = passages_about(side, pool, compared)
    bridge = _BY_ANOTHER.search(compared.about)
    if bridge is None:
        return [(owner, ()) for owner in owners]
    return [step for owner in owners for step in led_to(owner, bridge[0], pool)]


def _whole(owner: int, pool: Pool) -> Iterator[_Said]:
    return (_Said(line, line.text) for line in pool.lines_of[owner])


def _beside_title(side: str, owner: int, pool: Pool) -> str:
    """Return what ``side`` says besides the title of ``owner``: "the birth of" Ada Novak."""
    title = title_subject(pool.passages[owner].title).casefold()
    return side.casefold().replace(title, " ") if title in side.casefold() else ""


def _told_of(side: str, owner: int, pool: Pool, compared: Comparison) -> Iterator[_Said]:
    """Yield the lines of ``owner`` about ``side``, each with what it says of that.

    Those are all on its page, elsewhere those that name it or go on about "it". Rows are read by
    `cells_about`: which of their figures is meant, their heads tell.
    """
    is_titled = owner in titled(side, pool, compared)
    flat, goes_on = spaced(title_subject(side)), False
    for line in pool.lines_of[owner]:
        if line.columns or line.heading:
            continue
        goes_on = opens_with(side, line) or (goes_on and _goes_on(line))
        is_of_it = is_titled or is_headed(side, line, pool)
        if True in {is_of_it, goes_on, flat in line.flat}:
            yield from _said_of(side, compared, line, is_titled=is_of_it)


def _goes_on(line: Line) -> bool:
    """Whether ``line`` speaks of what the one before it does, and names nothing itself."""
    return points_back(line.text) or (not line.names and _OF_IT.search(line.text) is not None)


def _said_of(side: str, compared: Comparison, line: Line, *, is_titled: bool) -> Iterator[_Said]:
    """Yield what ``line`` says of ``side``, from where it names it to where it names another.

    On another page than that of the side, what is before its name may be about another thing: that
    is not plainly said of it. "The Sorrel is 12 km long and the Esk 9".
    """
    folded = line.text.casefold()
    other = compared.second if side == compared.first else compared.first
    start, end = (folded.find(title_subject(each).casefold()) for each in (side, other))
    if other and min(start, end) >= 0:
        yield _Said(line, line.text[start:end] if start < end else line.text[start:])
    elif is_titled or start < 0:
        yield _Said(line, line.text, is_plain=not _opens_with_another(side, line.text))
    else:
        yield _Said(line, line.text[start:])
        yield _Said(line, line.text, is_plain=False)


def _opens_with_another(side: str, text: str) -> bool:
    """Whether ``text`` begins with the name of another thing than ``side``."""
    first = next(iter(names(text)), None)
    if first is None or _THE.fullmatch(text[: first.start]) is None:
        return False
    named, wanted = frozenset(terms(first.text)), frozenset(terms(side))
    return not (named <= wanted or wanted <= named)


def _date_in(text: str, about: str) -> _Told | None:
    """Return year, month and day of what ``about`` asks after, zeros for what is not told."""
    words_of = _words_of_life()
    if words_of.asks_death.search(about):
        lived = _life(text)
        return _as_told(lived[-1:] if len(lived) > 1 else _of_a_death(text, words_of.died))
    if words_of.asks_birth.search(about):
        is_told = words_of.born.search(text) or (is_english() and _begins(about, text))
        return _as_told(_life(text)[:1] or (_dated(text)[:1] if is_told else []))
    return _of_a_deed(text, about)


class _OfLife(NamedTuple):
    """The words for a birth and a death."""

    asks_death: re.Pattern[str]
    asks_birth: re.Pattern[str]
    died: re.Pattern[str]
    born: re.Pattern[str]


def _words_of_life() -> _OfLife:
    """Return the words for a birth and a death in the language in use."""
    language = language_in_use()
    if language is None:
        return _OfLife(_ABOUT_DEATH, _ABOUT_BIRTH, _DIED, _BORN)
    died, born = re.compile(f"(?i){language.died}"), re.compile(f"(?i){language.born}")
    return _OfLife(died, born, died, born)


def _begins(about: str, text: str) -> bool:
    """Whether ``about`` may be the age of a thing, and ``text`` tells when it began."""
    return _OF_A_LIFE.search(about) is None and _BEGUN.search(text) is not None


def _of_a_deed(text: str, about: str) -> _Told | None:
    """Return the date of ``text`` that is next to the deed ``about`` speaks of.

    Else the first, which is not plainly of that.
    """
    told = _dated(text)
    comes_out = _COMES_OUT.search(about) is not None
    deeds = degree_terms(about) | (_CAME_OUT if comes_out else frozenset[str]())
    near = _near(deeds, text, told, _BEHIND) or (_of_a_work(text, told) if comes_out else [])
    return _as_told(near) or _as_told(told[:1], is_plain=False)


def _of_a_work(text: str, told: Sequence[Date]) -> list[Date]:
    years = [found.end() for found in _OF_A_YEAR.finditer(text)]
    return [date for date in told if date.start in years][:1]


def _as_told(chosen: Sequence[Date], *, is_plain: bool = True) -> _Told | None:
    if not chosen:
        return None
    return _Told(_parts(chosen), is_plain=is_plain and all(each.years == 1 for each in chosen))


def _of_a_death(text: str, died: re.Pattern[str]) -> Sequence[Date]:
    """Return the first of the dates of ``text`` after a death, else the last of all."""
    death, told = died.search(text), _dated(text)
    if death is None:
        return []
    behind = [date for date in told if date.start > death.start()]
    return behind[:1] or told[-1:]


def _life(text: str) -> list[Date]:
    """Return the dates of the first bracket that holds any: those of a life, as a rule.

    A year alone is that of a work: 'She directed "Tin Lanterns" (1984)'.
    """
    brackets = (found[1] for found in _BRACKETS.finditer(text))
    told = (dates(bracket) for bracket in brackets if not _YEAR.fullmatch(bracket))
    return next(filter(None, told), list[Date]())


def _parts(chosen: Sequence[Date]) -> tuple[Decimal, ...]:
    return tuple(Decimal(p or 0) for date in chosen for p in (date.year, date.month, date.day))


Found = TypeVar("Found", Date, Number)
T = TypeVar("T")
_BEHIND = 10
"""Characters by which a date before a deed counts as further away: "(born 1974) joined in 2001"."""


def _near(stems: frozenset[str], text: str, found: Sequence[Found], behind: int = 0) -> list[Found]:
    """Return the one of what is ``found`` in ``text`` that is next to a word of ``stems``.

    A word after it counts as ``behind`` characters further away.
    """
    said = [token for token in tokenize(text) if stem(token.text.casefold()) in stems]
    starts = [token.start for token in said]

    def far(each: Found) -> int:
        at = bisect(starts, each.start)
        before = (each.start - token.end for token in said[max(0, at - 1) : at])
        after = (token.start - each.end + behind for token in said[at : at + 1])
        return min(chain(before, after))

    return [min(found, key=far)] if said and found else []


_LENGTHS = r"km|m|cm|mm|mi|ft|in"
_TIMES = r"yr|mo|wk|d|h|min|s"
_COMPARED_IN = {
    r"cheap|cost|dear|expensive|price": r"[A-Z]{3}|%?",
    r"heav|light|weigh": r"(?:kg|g|mg|lb|t)?",
    r"deep|high|low|narrow|tall|wide": rf"(?:{_LENGTHS})?",
    r"long|short": rf"(?:{_LENGTHS}|{_TIMES})?",
}
"""Units in which figures are that decide what is compared in such words."""
_ALSO_TOLD = {
    r"high|tall|low": stems_of("rises rising stands standing"),
    r"long|short": stems_of("runs flows stretches extends spans measures"),
}
"""How high a thing is, is also told by how far it rises or stands above something."""
_WEIGHS = lazy_regex(r"(?i)\b(?:heav|light|weigh)")
"""Asks for what a unit tells by itself: "a bell, 95 kg"."""
_ACROSS = lazy_regex(r"(?i)\W{0,3}(?:in all,? )?from [a-z]+ to [a-z]+\b")
"""What follows a length: "31 miles from source to mouth"."""


def _amount_in(said: _Said, about: str) -> _Told | None:
    """Return the number outside dates that is ``said`` of ``about``, with its unit.

    It is the one next to a word of that: "210 m long and 41 m high". None where the line has no
    such word; in other languages than English any may.
    """
    degree, verbs = degree_terms(about), _verbs(about)
    able = _amounts_of(about, said.text)
    is_told = not (degree | verbs).isdisjoint(said.line.terms) or _ACROSS.search(said.text)
    is_weight = len(able) == 1 and _WEIGHS.search(about) is not None and able[0].unit != ""
    if is_english() and not (is_told or is_weight):
        return None
    near = _near(degree, said.text, able) or _near(verbs, said.text, able, len(said.text))
    for number in chain(near, able[:1]):
        value, unit = _in_base(number)
        is_bound = _ABOUT.search(said.text[: number.start]) is not None
        return _Told((value,), unit, is_plain=not is_bound and bool(unit or len(able) == 1))
    return None


def _verbs(about: str) -> frozenset[str]:
    """Return the stems of the verbs before an amount in which ``about`` compares."""
    return frozenset[str]().union(*_said_by(_ALSO_TOLD, about))


def _said_by(words_of: Mapping[str, T], about: str) -> Iterator[T]:
    """Yield what ``words_of`` has for each pattern of words with which ``about`` compares."""
    return (told for word, told in words_of.items() if re.search(rf"(?i)\b(?:{word})", about))


def _amounts_of(about: str, text: str) -> list[Number]:
    """Return the numbers of ``text`` in a unit in which ``about`` compares.

    Those with a unit go before those without: "one of 3 rivers, 3,530 km long". Of "weighs 11 kg
    and costs €18" what is cheaper takes the price.
    """
    unit = next(_said_by(_COMPARED_IN, about), ".*")
    able = [each for each in undated_numbers(text) if re.fullmatch(unit, each.unit)]
    return [each for each in able if each.unit] or able


def _in_base(number: Number) -> tuple[Decimal, str]:
    """Return the value of ``number`` in the base of its unit, and that."""
    if number.unit == NAUTICAL or number.unit not in BASES:
        return number.value, number.unit
    base, size = BASES[number.unit]
    return number.value * size, base
