"""Decides a comparison of dates or amounts, so that an answer can begin with the right side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.quality import FIT_TO_SHOW, quality
from quaere.reason.extractive.questions.kinds import Kind, compared_kind, last_question
from quaere.reason.extractive.questions.parts import Comparison, comparison
from quaere.reason.extractive.tables.cell import cells_about, degree_terms
from quaere.text.dates import Date, dates
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers, undated_numbers
from quaere.text.synonyms import nations, related_words
from quaere.text.tokens import stem, terms

CLEARLY = 0.2
"""Share of a quality's weight by which one side must fit it better than the other."""

_LEAST = lazy_regex(
    r"(?i)\b(?:earli\w+|first|old\w*|before|less|few\w*|small\w*|short\w*|low\w*|cheap\w*"
    r"|light\w*|slow\w*)\b"
)
_MOST = lazy_regex(
    r"(?i)\b(?:later|latest|last|young\w*|new\w*|recent\w*|after|more|most|larg\w+|bigg\w+|long\w*"
    r"|high\w*|tall\w*|great\w*|heav\w*|deep\w*|wide\w*|fast\w*|expensive)\b"
)
_ABOUT_DEATH = lazy_regex(r"(?i)\b(?:died?|death|dead)\b")
_ABOUT_BIRTH = lazy_regex(r"(?i)\b(?:born|birth|old\w*|young\w*)\b")
_DIED, _BORN = lazy_regex(r"(?i)\bdied\b"), lazy_regex(r"(?i)\bborn\b")
_BY_ANOTHER = lazy_regex(
    r"(?i)\b(?:director|composer|author|performer|writer|producer|creator|founder|singer)s?\b"
)
_PICKS = lazy_regex(r"(?i)^\W*(?:\w+ ){0,3}(?:who|which|what|whose|between|out of)\b")
"""A comparison that names what to pick; "Did both write more than five?" does not."""
_BRACKETS = lazy_regex(r"[(（]([^()（）]{4,120})[)）]")


class Fact(NamedTuple):
    """What decides for one side, and the lines that say it, in the order to be read."""

    value: tuple[Decimal, ...]
    lines: tuple[Line, ...]
    measure: str = ""
    """What the value is of and in: the head of its column, its unit; empty for a date in words."""


class Choice(NamedTuple):
    """How a comparison ends, as far as it does."""

    lines: tuple[Line, ...] = ()
    """What decides it, the winner's first; or a line about each side where nothing does."""
    winner: str = ""
    """The side that is chosen, as the question spells it; empty where none is."""
    by_value: bool = False
    """Whether two dates or two amounts decide."""


def decide_comparison(question: str, pool: Pool) -> Choice:
    """Return how the comparison in ``question`` ends, with the lines that decide it.

    Two dates or two amounts are decided when both are found; a choice by a quality, when what the
    sources say of one side fits it clearly better. Where nothing is said by what to compare, or a
    choice is not decided, a line about each side is returned. In all other cases none is.
    """
    text = last_question(question)
    compared = comparison(text)
    if compared is None:
        return Choice()
    if not compared.about:
        return Choice(_of_each(compared, pool))
    if " or " not in text and is_english():
        picked = _by_values(compared, pool) if _PICKS.match(text) else None
        return picked or Choice()
    choice = _by_values(compared, pool) or _by_quality(compared, pool)
    return choice if choice.winner else Choice(_of_each(compared, pool))


def order(claimed: Comparison, pool: Pool) -> Choice:
    """Return which side of ``claimed`` comes out ahead by two dates or amounts; none where neither.

    The winner is the side of which it is true: of "longer" the one with the greater length.
    """
    return _by_values(claimed, pool) or Choice()


def _value_asked(about: str) -> tuple[Kind, bool] | None:
    """Return the kind of value by which ``about`` compares, and whether the lesser is ahead.

    None where it compares by no value.
    """
    kind = compared_kind(about)
    least, most = _directions(about)
    return (kind, least) if kind in {Kind.DATE, Kind.NUMBER} and (least or most) else None


def _directions(about: str) -> tuple[bool, bool]:
    """Return whether ``about`` asks for the lesser or earlier, and for the greater or later."""
    language = language_in_use()
    if language is None:
        return _LEAST.search(about) is not None, _MOST.search(about) is not None
    least, most = f"{language.earlier}|{language.less}", f"{language.later}|{language.more}"
    return _says(least, about), _says(most, about)


def _says(pattern: str, text: str) -> bool:
    return re.search(f"(?i){pattern}", text) is not None


def _by_values(compared: Comparison, pool: Pool) -> Choice | None:
    """Return the choice by two dates or amounts; None where that is not what is compared."""
    asked = _value_asked(compared.about)
    if asked is None:
        return None
    kind, least = asked
    sides = compared.first, compared.second
    facts = _in_tables(compared, kind, tuple(pool.lines)) or [
        _fact(side, compared, kind, pool) for side in sides
    ]
    return _decided(facts, sides, least=least)


def _decided(facts: Sequence[Fact | None], sides: Sequence[str], *, least: bool) -> Choice:
    """Return which of ``sides`` is ahead by what is known of each; none where that is alike."""
    found = [(fact, side) for fact, side in zip(facts, sides, strict=True) if fact]
    if len(found) < 2 or not _are_apart(found[0][0], found[1][0]):
        return Choice()
    found.sort(key=lambda pair: pair[0].value, reverse=not least)
    lines = tuple(line for fact, _ in found for line in fact.lines)
    return Choice(lines, found[0][1], by_value=True)


def _are_apart(one: Fact, other: Fact) -> bool:
    """Whether two facts are of one measure and differ."""
    return one.measure == other.measure and one.value != other.value


def _in_tables(compared: Comparison, kind: Kind, lines: Sequence[Line]) -> list[Fact]:
    """Return what one column tells of both sides; nothing where none does, or two disagree."""
    told = [
        [
            Fact(value, (line,), f"{head} {unit}".strip())
            for line, head, cell in cells_about(side, compared.about, lines)
            for value, unit in _figures(cell, kind)
        ]
        for side in (compared.first, compared.second)
    ]
    pairs = [pair for pair in product(*told) if pair[0].measure == pair[1].measure]
    if len({tuple(fact.value for fact in pair) for pair in pairs}) != 1:
        return []
    return list(pairs[0])


def _figures(cell: str, kind: Kind) -> Iterator[tuple[tuple[Decimal, ...], str]]:
    """Yield the only date or number that ``cell`` holds, with its unit."""
    told = [date for date in dates(cell) if date.year is not None]
    if kind is Kind.DATE:
        yield from [(_parts(told), "")] if len(told) == 1 else []
    elif len(found := numbers(cell)) == 1:
        yield (found[0].value,), found[0].unit


def _by_quality(compared: Comparison, pool: Pool) -> Choice:
    goal = Goal(compared.about, pool)
    fits: list[tuple[float, Line, str]] = []
    for side in (compared.first, compared.second):
        owners = passages_about(side, pool, compared)
        lines = (line for owner in owners for line in pool.lines_of[owner])
        rated = ((goal.share(_told_by(line, goal)), line) for line in lines)
        best = max(rated, key=lambda pair: pair[0], default=None)
        if best is None:
            return Choice()
        fits.append((*best, side))
    worse, better = sorted(fits, key=lambda fit: fit[0])
    if better[0] - worse[0] < CLEARLY:
        return Choice()
    return Choice((better[1],), better[2])


def _told_by(line: Line, goal: Goal) -> int:
    """Return the terms of ``goal`` that ``line`` has; "Swiss" tells of Switzerland."""
    told = frozenset(nations(line.text))
    of_nations = (t for t, word in goal.words.items() if not told.isdisjoint(nations(word)))
    return goal.mask(line.terms.union(of_nations))


def _of_each(compared: Comparison, pool: Pool) -> tuple[Line, ...]:
    """Return the line about each side alone that says most of what is compared; the first such."""
    goal = Goal(compared.about, pool)
    sides = (compared.first, compared.second)
    found: list[Line] = []
    for side, other in (sides, sides[::-1]):
        others = frozenset(_titled(other, pool, compared))
        apart = frozenset(passages_about(side, pool, compared)) - others
        lines = (line for owner in sorted(apart) for line in pool.lines_of[owner])
        good = (line for line in lines if quality(line) >= FIT_TO_SHOW)
        best = max(good, key=lambda line: goal.share(_told_by(line, goal)), default=None)
        if best is None:
            return ()
        found.append(best)
    return tuple(found)


def _fact(side: str, compared: Comparison, kind: Kind, pool: Pool) -> Fact | None:
    about = compared.about
    for owner, before in _steps(side, compared, pool):
        asked = about if before else f"{_beside_title(side, owner, pool)} {about}"
        told = _whole(owner, pool) if before else _told_of(side, owner, pool, compared)
        for line, text in told:
            value, unit = _date_of(text, asked), ""
            if kind is not Kind.DATE:
                value, unit = _amount(text, about) if _tells_degree(line, about) else ((), "")
            if value:
                return Fact(value, (*before, line), unit)
    return None


def _steps(side: str, compared: Comparison, pool: Pool) -> list[tuple[int, tuple[Line, ...]]]:
    """Return the passages that tell of ``side``, with the lines that lead there.

    They are about it or, where another is compared in its place, such as a director, about that.
    """
    owners = passages_about(side, pool, compared)
    bridge = _BY_ANOTHER.search(compared.about)
    if bridge is None:
        return [(owner, ()) for owner in owners]
    return [step for owner in owners for step in led_to(owner, bridge[0], pool)]


def _whole(owner: int, pool: Pool) -> Iterator[tuple[Line, str]]:
    return ((line, line.text) for line in pool.lines_of[owner])


def _tells_degree(line: Line, about: str) -> bool:
    """Whether ``line`` may tell in what ``about`` compares; in other languages any may."""
    return not is_english() or not degree_terms(about).isdisjoint(line.terms)


def _beside_title(side: str, owner: int, pool: Pool) -> str:
    """Return what ``side`` says besides the title of ``owner``: "the birth of" Ada Novak."""
    title = title_subject(pool.passages[owner].title).casefold()
    return side.casefold().replace(title, " ") if title in side.casefold() else ""


def _said_of(side: str, compared: Comparison, text: str) -> str:
    """Return what ``text`` says of ``side``, from where it names it to where it names the other.

    All of it where it does not name both: "The Sorrel is 12 km long and the Esk 9".
    """
    folded = text.casefold()
    other = compared.second if side == compared.first else compared.first
    start, end = (folded.find(title_subject(each).casefold()) for each in (side, other))
    if min(start, end) < 0:
        return text
    return text[start:end] if start < end else text[start:]


def _told_of(side: str, owner: int, pool: Pool, compared: Comparison) -> Iterator[tuple[Line, str]]:
    """Yield the lines of ``owner`` about ``side``, each with what it says of that.

    Those are all on its page, elsewhere those that name it. Rows are read by `cells_about`: which
    of their figures is meant, their heads tell.
    """
    titled = owner in _titled(side, pool, compared)
    flat = spaced(title_subject(side))
    for line in pool.lines_of[owner]:
        if (titled or flat in line.flat) and not line.columns:
            yield line, _said_of(side, compared, line.text)


_THE = lazy_regex(r"(?i)\A\W*the\s")


def flat_side(side: str) -> str:
    """Return the words of ``side``, which a row of a table has without "the"."""
    return spaced(title_subject(_THE.sub("", side)))


def passages_about(side: str, pool: Pool, compared: Comparison) -> list[int]:
    """Return the passages whose title is ``side``, or else those that name it.

    A title may say more of what ``compared`` says: asked for pumps, "Air pumps" is about "air".
    """
    titled, flat = _titled(side, pool, compared), flat_side(side)
    naming = [o for o, lines in enumerate(pool.lines_of) if any(flat in x.flat for x in lines)]
    return titled or naming


def _titled(side: str, pool: Pool, compared: Comparison) -> list[int]:
    wanted = _subject(side)
    sides = [_subject(each) for each in (compared.first, compared.second)]
    others = [each for each in sides if not each <= wanted]
    titles = [_subject(passage.title) for passage in pool.passages]
    more = wanted.union(terms(compared.about), *sides)
    called = _called(wanted, more, others, titles) if wanted else []
    return called or _described_by(side, titles, others, pool)


def _subject(title: str) -> set[str]:
    return set(terms(title_subject(title)))


def _called(
    wanted: set[str], more: set[str], others: Sequence[set[str]], titles: Sequence[set[str]]
) -> list[int]:
    """Return the places of the ``titles`` that are ``wanted``, else of those that say ``more``.

    Titles of the ``others`` are not among them.
    """
    able = {
        owner: title
        for owner, title in enumerate(titles)
        if wanted <= title <= more and not any(other <= title for other in others)
    }
    return [owner for owner, title in able.items() if title == wanted] or list(able)


def _described_by(
    side: str, titles: Sequence[set[str]], others: Sequence[set[str]], pool: Pool
) -> list[int]:
    """Return the passages whose title ``side`` has in it and says little more than.

    "The birth of Ada Novak" is about "Ada Novak"; of several titles the longest is meant, and none
    that ``others`` have as well.
    """
    wanted, flat = set(terms(title_subject(side))), spaced(side)
    inside = {
        owner: title
        for owner, title in enumerate(titles)
        if title
        and 2 * len(title) >= len(wanted)
        and spaced(title_subject(pool.passages[owner].title)) in flat
        and not any(title <= other for other in others)
    }
    longest = max(map(len, inside.values()), default=0)
    return [owner for owner, title in inside.items() if len(title) == longest]


def led_to(owner: int, relation: str, pool: Pool) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """Yield the passages about what a line of ``owner`` names with ``relation``, and that line."""
    alike = {stem(word) for word in (relation.casefold(), *related_words(relation.casefold()))}
    for line in pool.lines_of[owner]:
        if alike.isdisjoint(line.terms):
            continue
        for other, passage in enumerate(pool.passages):
            flat = spaced(title_subject(passage.title))
            if other != owner and flat.strip() and flat in line.flat:
                yield other, (line,)


def _date_of(text: str, about: str) -> tuple[Decimal, ...]:
    """Return year, month and day of what ``about`` asks after, zeros for what is not told."""
    told = [date for date in dates(text) if date.year is not None]
    language = language_in_use()
    of_death, of_birth, died, born = _ABOUT_DEATH, _ABOUT_BIRTH, _DIED, _BORN
    if language is not None:
        died = of_death = re.compile(f"(?i){language.died}")
        born = of_birth = re.compile(f"(?i){language.born}")
    if of_death.search(about):
        lived = _life(text)
        return _parts(lived[-1:] if len(lived) > 1 else _of_a_death(text, died, told))
    if of_birth.search(about):
        return _parts(_life(text)[:1] or (told[:1] if born.search(text) else []))
    return _parts(told[:1])


def _of_a_death(text: str, died: re.Pattern[str], told: Sequence[Date]) -> Sequence[Date]:
    """Return the first of the dates that are ``told`` after a death, else the last of all."""
    death = died.search(text)
    if death is None:
        return []
    behind = [date for date in told if date.start > death.start()]
    return behind[:1] or told[-1:]


def _life(text: str) -> list[Date]:
    """Return the dates of the first bracket that holds any: those of a life, as a rule."""
    found = (dates(bracket[1]) for bracket in _BRACKETS.finditer(text))
    return next(filter(None, found), list[Date]())


def _parts(chosen: Sequence[Date]) -> tuple[Decimal, ...]:
    return tuple(Decimal(p or 0) for date in chosen for p in (date.year, date.month, date.day))


_LENGTHS = r"km|m|cm|mm|mi|ft|in"
_TIMES = r"yr|mo|wk|d|h|min|s"
_COMPARED_IN = {
    r"cheap|cost|dear|expensive|price": r"[A-Z]{3}|%?",
    r"heav|light|weigh": r"(?:kg|g|mg|lb|t)?",
    r"deep|high|low|narrow|tall|wide": rf"(?:{_LENGTHS})?",
    r"long|short": rf"(?:{_LENGTHS}|{_TIMES})?",
}
"""Units in which figures are that decide what is compared in such words."""


def _amount(text: str, about: str) -> tuple[tuple[Decimal, ...], str]:
    """Return the first number of ``text`` outside dates that may be of ``about``, with its unit.

    One with a unit goes before one without: "one of 3 rivers, 3,530 km long". Of "weighs 11 kg and
    costs €18" what is cheaper takes the price.
    """
    units = next(
        (unit for word, unit in _COMPARED_IN.items() if _says(rf"\b(?:{word})", about)), ".*"
    )
    found = (each for each in undated_numbers(text) if re.fullmatch(units, each.unit))
    first = min(found, key=lambda number: not number.unit, default=None)
    return ((first.value,), first.unit) if first else ((), "")
