"""Picks the words of a sentence that a question of a kind asks for."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.answer_fit import answer_fit, is_placed, is_typed
from quaere.reason.extractive.measures import asks_for_measure, is_of_another_measure, with_every
from quaere.reason.extractive.plain_answers import asked_form, asks_hour
from quaere.reason.extractive.questions.kinds import NAMED, Kind
from quaere.reason.extractive.room import rooms_told
from quaere.text.dates import Date, dates
from quaere.text.languages.language import Language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.numbers import CURRENCIES, Number, undated_numbers
from quaere.text.synonyms import nations, related_words
from quaere.text.tokens import is_stop_word, stem, terms, tokenize, words

TYPED, NEAR, ASIDE = 2.0, 1.5, 0.5
"""What it is worth to be of the kind asked for, to be near the words of the question, and to
be other than what the sentence is about. Guessed once, as the notes on a similar rule have them."""
BESIDE = 0.5
"""Nearness to a word of the question from which a span is what that word speaks of: four words."""
AHEAD = 0.5
"""What the best span must be worth more than the next one. With BESIDE, 12 of 16 printed on the
first half of four sets were right; of all best spans, 3 in 10."""

_YEAR = lazy_regex(r"(?i)\b(?:what|which) year\b")
_DAY = lazy_regex(
    r"(?i)\b(?:what|which|on) (?:exact )?(?:day|month|year|decade|century)\b|\bdate\b"
    r"|\bwhen (?:was|were|did|had)\b"
)
"""Asks for a day or more, as what is past is told by its day."""
_TIME = lazy_regex(
    r"(?i)(?<![\w.:,-])\d{1,2}(?:[.:][0-5]\d)? ?[ap](?:m\b|\.m\.)"
    r"|(?<![\w.:,-])\d{1,2}:[0-5]\d(?![\w:,-]|\.\d)"
    r"|\b(?-i:noon|midday|midnight)\b"
)
_COUNTRY = lazy_regex(r"(?i)\b(?:country|nationality|nation|citizenship)\b")
_MONEY = lazy_regex(
    r"(?i)how much|\b(?:cost|price|pay|paid|worth|revenue|amount|salar|income|budget|[a-z]*value)"
)
_DIFFERENCE = lazy_regex(
    r"(?i)\bhow (?:many|much) (?:more|fewer|less|[a-z]+er)\b.*\bthan\b|\bby how (?:much|many)\b"
)
_PLACED = lazy_regex(r"(?i)\b(?:in|at|near|from|to|into)\s*$")
_ACCORDING = lazy_regex(r"(?i)\baccording to (?:the )?$")
"""What precedes the name of who says it."""
_DEFINED = lazy_regex(r"\s*[(（\"“]")
_OF_DEATH = lazy_regex(r"(?i)\b(?:die[ds]?|death|dead)\b")
_OF_BIRTH = lazy_regex(r"(?i)\b(?:born|birth)")
_SUPPOSED = lazy_regex(r"(?i)\W*(?:if|unless|in case|suppose|assuming)\b[^,;:]*")
_LIFE = lazy_regex(r"[(（][^()（）]*?[–—-][^()（）]*[)）]")


_ADDRESS = lazy_regex(r"\s<[^<>\s]{1,80}@[^<>\s]{1,80}>")


class Span(NamedTuple):
    """Words of a sentence that may be the answer."""

    kind: DirectKind
    text: str
    near: float
    """How near it stands to a word of the question, from 0 to 1."""
    fresh: bool
    """Whether it is not what the sentence is about."""
    worth: float
    """Higher is better."""


def clear_span(kind: Kind, question: str, sentence: str, titles: frozenset[str]) -> Span | None:
    """Return the words of ``sentence`` that answer ``question``; None where none clearly do.

    They are of the kind asked for, are next to what is asked of them, are not what the sentence is
    about, and nothing else in the sentence comes close.

    Args:
        kind: What is asked for.
        question: What was asked.
        sentence: One that answers it.
        titles: Lower-case words of what the sentence and those before it are about.
    """
    known = frozenset(words(question))
    asked = frozenset(map(stem, known))
    sentence = _without_address(kind, sentence)
    found, first = list[Span](), len(sentence) - len(without_supposition(sentence))
    places = _Places(sentence, asked)
    for shape, text, start, end, fit in _candidates(kind, question, sentence):
        if start < first:
            continue
        if known.issuperset(words(text)) or titles.issuperset(words(text)):
            continue
        if kind is not Kind.PERSON and _is_of_next(
            sentence[max(0, start - _NEAR_CHARS) : start], known
        ):
            continue
        near, fresh = places.nearness(start, end), not _is_subject(sentence, start, end)
        found.append(Span(shape, text, near, fresh, TYPED * fit + NEAR * near + ASIDE * fresh))
    if kind is Kind.NUMBER and tells_change(sentence):
        return None
    found.sort(key=lambda span: -span.worth)
    if not found or found[0].near < BESIDE or not found[0].fresh:
        return None
    return found[0] if len(found) == 1 or found[0].worth - found[1].worth >= AHEAD else None


def tells_change(sentence: str) -> bool:
    """Return whether ``sentence`` has two figures from one of which something goes to the other.

    Neither alone is the answer: which of them holds depends on the day. Beyond English, where the
    unit after the second one leaves no span clear.
    """
    language = language_in_use()
    return language is not None and _changing(language).search(sentence) is not None


@cache
def _changing(language: Language) -> re.Pattern[str]:
    first, second = language.from_to
    edge, gap = ("", "") if language.pieces else (r"(?<!\w)", " ")
    figure = r"\d[\d.,]{0,12}[^\d.;:]{0,12}?"
    return re.compile(rf"(?i){edge}(?:{first}){gap}{figure}(?:{second}){gap}\d")


_IN_A_ROW = lazy_regex(r"[,;] (?:and )?(?P<things>[a-z-]+(?: [a-z-]+)?) \Z")
_NEAR_CHARS = 60
_ABOUT = frozenset(("about", "almost", "around", "nearly", "only", "roughly", "some", "up"))


def _is_of_next(before: str, known: frozenset[str]) -> bool:
    """Whether what comes after ``before`` is about the next thing in a row, which is not asked.

    "Rowing lasts an hour, fishing" is followed by how long fishing lasts. English alone.
    """
    found = _IN_A_ROW.search(before) if is_english() else None
    if found is None:
        return False
    things = words(found["things"])
    asked = known.union(*map(related_words, known))
    return not (
        any(is_stop_word(word) or word in _ABOUT for word in things)
        or frozenset(map(stem, things)) & frozenset(map(stem, asked))
    )


def _without_address(kind: Kind, sentence: str) -> str:
    """Return ``sentence`` with the people next to each other whom an address parts."""
    return _ADDRESS.sub("", sentence) if kind is Kind.PERSON else sentence


def without_supposition(sentence: str) -> str:
    """Return ``sentence`` without the clause that it begins with and that says what may be.

    "If there is no reply within six days, write again" does not say when it comes.
    """
    supposed = _SUPPOSED.match(sentence)
    return sentence[supposed.end() :] if supposed else sentence


def _is_subject(sentence: str, start: int, end: int) -> bool:
    """Return whether ``[start, end)`` is what the sentence defines: "Ada Novak (1851–1919) was"."""
    return start < 2 and _DEFINED.match(sentence, end) is not None


def _candidates(
    kind: Kind, question: str, sentence: str
) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    """Yield kind, text, start, end and fit, 0 to 1, of each span of that kind."""
    if kind is Kind.DATE:
        yield from _dated(question, sentence)
    elif kind is Kind.NUMBER:
        yield from _counted(question, sentence)
    elif kind in NAMED:
        yield from _named(kind, question, sentence)


def _dated(question: str, sentence: str) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    if asks_hour(question):
        for time in _TIME.finditer(sentence):
            yield DirectKind.DATE, time[0], time.start(), time.end(), 1.0
    elif asked_form(question) is None and (
        _DAY.search(question) or not _TIME.search(sentence)
    ):  # else either may be meant, or both
        yield from _days(question, sentence)


def _days(question: str, sentence: str) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    """Yield the same of days and longer; of a year alone where one is asked for."""
    wants_year = _YEAR.search(question) is not None
    for date in _asked_dates(question, sentence):
        if wants_year and date.year is None:
            continue
        is_whole = not wants_year or date.years > 1
        text = sentence[date.start : date.end] if is_whole else str(date.year)
        yield DirectKind.DATE, text, date.start, date.end, 1.0 if date.year else 0.6


def _counted(question: str, sentence: str) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    if _DIFFERENCE.search(question):  # it would have to be computed
        return
    if single := _single(question, sentence):
        yield DirectKind.NUMBER, single[0], *single.span(), 0.8
    else:
        yield from _in_figures(question, sentence)


def _in_figures(question: str, sentence: str) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    counted = _of_the_year(question, sentence, undated_numbers(sentence))
    counted = _of_the_code(question, sentence, counted)
    counted = _of_things(question, sentence, _of_the_part(question, sentence, counted))
    for number in _parts_told(question, sentence, counted):
        if _LABEL.match(sentence, endpos=number.end + 1):
            continue
        if _may_be_meant(question, number.unit) and not is_typed(sentence, number.start):
            start = _from(sentence, with_every(sentence, number.start))
            end = _end_of(number, sentence)
            yield DirectKind.NUMBER, sentence[start:end], start, end, 1.0 if number.unit else 0.8


_SMALLER = {"yr": "mo", "wk": "d", "d": "h", "h": "min", "min": "s", "ft": "in", "lb": "oz"}
"""Units, and the ones in which what is left over is told."""
_AND = lazy_regex(r"(?i),? (?:and )?")


def _end_of(number: Number, sentence: str) -> int:
    """Return where a figure ends: after "and forty minutes", where that goes on from hours."""
    for other in undated_numbers(sentence):
        is_next = other.start > number.start and _AND.fullmatch(sentence, number.end, other.start)
        if is_next and other.unit and other.unit == _SMALLER.get(number.unit):
            return other.end
    return number.end


_RANGE = lazy_regex(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)? ?(?:(?:to|or) |[-–] ?)\Z")
"""What is before the second of two figures that belong together: "1 to 2 drops", "1–2 drops"."""
_BOUND = lazy_regex(
    r"(?i)\b(?:(?:more|less|fewer|no more|no less) than|at (?:least|most)|over|up to|about|around"
    r"|approximately|nearly|almost|roughly) \Z"
)
"""What makes a figure a bound, or inexact: "more than 200"."""
_LONGEST_RANGE = 16


def _from(sentence: str, start: int) -> int:
    """Return where the bound or range begins that the figure at ``start`` ends; else ``start``."""
    before = max(0, start - _LONGEST_RANGE)
    found = _RANGE.search(sentence, before, start) or _BOUND.search(sentence, before, start)
    return found.start() if found else start


_LABEL = lazy_regex(r"\W*[^\W\d_]+ \d+(?:\.\d+)*:\Z")
"""What numbers a line: "Day 3:"."""
_THINGS = lazy_regex(
    r"(?i)\bhow (?:many|much) (?:[a-z-]+ ){0,2}?(?P<things>[a-z-]+)"
    r"(?=\W*$| (?:is|are|was|were|do|does|did|can|may|must|should|will|has|have|had|goe?s?)\b)"
)
_BEHIND = lazy_regex(r"(?:[ -]?[^\W\d_][\w'’-]*){1,3}")


_SINGLE = lazy_regex(r"(?i)\b(?:one|half an?)(?= (?P<things>(?:[a-z-]+ )?[a-z-]+))")
"""A number in words that often counts nothing: "one of them"."""


def _single(question: str, sentence: str) -> re.Match[str] | None:
    """Return the first "one", or "half a", of what ``question`` asks the number of: "one tablet".

    None where a number in figures has that after it. English alone.
    """
    asked = _THINGS.search(question) if is_english() else None
    if asked is None:
        return None
    things = stem(asked["things"].lower())
    counted = undated_numbers(sentence)
    if any(_is_followed_by(things, sentence, number.end) for number in counted):
        return None
    if any(not number.unit and sentence[number.start].isalpha() for number in counted):
        return None  # "one tablet, at most four a day"
    told = _SINGLE.finditer(sentence)
    return next((one for one in told if things in map(stem, words(one["things"]))), None)


def _is_followed_by(things: str, sentence: str, end: int) -> bool:
    behind = _BEHIND.match(sentence, end)
    return behind is not None and things in map(stem, words(behind[0]))


def _of_things(question: str, sentence: str, counted: Sequence[Number]) -> Sequence[Number]:
    """Return those of ``counted`` that are of what ``question`` asks the number of: "12 g salt".

    All where none has that after it. English alone.
    """
    asked = _THINGS.search(question) if is_english() else None
    if asked is None:
        return counted
    things = stem(asked["things"].lower())
    rooms = {number.start for number in rooms_told(question, sentence)}
    of_room = [number for number in counted if number.start in rooms]
    found = [number for number in counted if _is_followed_by(things, sentence, number.end)]
    return of_room or found or counted


def _may_be_meant(question: str, unit: str) -> bool:
    """Whether ``question`` may ask for a number of that ``unit``."""
    if unit in CURRENCIES and not _MONEY.search(question):
        return False
    if not unit:
        return not asks_for_measure(question)
    return not is_of_another_measure(question, unit)


def _of_the_year(question: str, sentence: str, counted: Sequence[Number]) -> Sequence[Number]:
    """Return those of ``counted`` that belong to the one year that ``question`` names.

    Each belongs to the year that follows it, "40 in 1931, up from 12 in 1930", or, where a year
    comes first, to the one before it; all are returned where there are not several years.
    """
    asked = {date.year for date in dates(question) if date.year}
    years = [date for date in dates(sentence) if date.year]
    if len(asked) != 1 or len({date.year for date in years}) < 2 or not counted:
        return counted
    leads = years[0].start < counted[0].start

    def year_of(number: Number) -> int | None:
        beside = [date for date in years if (date.start < number.start) == leads]
        return beside[-1 if leads else 0].year if beside else None

    return [number for number in counted if year_of(number) in asked]


_NEXT_PART = lazy_regex(r"[,;] (?:(?:and|but|while) )?")


_OF_SEVERAL = lazy_regex(r"(?i)\b(?:and|both|together|in all|total)\b")
_DEGREE = lazy_regex(r"(?i)\bhow (?:[a-z]+)\b")


def _of_the_part(question: str, sentence: str, counted: Sequence[Number]) -> Sequence[Number]:
    """Return those of ``counted`` in the one further part that has a word of ``question`` first.

    "Under straw the soil held 24 percent of water, bare soil 19 percent": of bare soil it held 19.
    All where no such part is the only one, or things are counted. English alone.
    """
    if not is_english() or len(counted) < 2 or any(_names_what(n, sentence) for n in counted):
        return counted
    if _OF_SEVERAL.search(question):
        return counted
    asked, said, found = (
        frozenset(terms(_DEGREE.sub(" ", question))),
        set[str](),
        list[Sequence[Number]](),
    )
    starts = [0, *(mark.end() for mark in _NEXT_PART.finditer(sentence)), len(sentence)]
    for start, end in pairwise(starts):
        own = asked.intersection(terms(sentence[start:end]))
        here = [number for number in counted if start <= number.start < end]
        if start and here and own - said:
            found.append(here)
        said.update(own)
    return found[0] if len(found) == 1 else counted


def _names_what(number: Number, sentence: str) -> bool:
    """Whether a word for what is counted comes after ``number``, other than a unit."""
    after = "" if number.unit else sentence[number.end : number.end + _NEAR_CHARS]
    return any(not is_stop_word(word) for word in words(after.partition(".")[0])[:1])


_ASKS_WHOLE = lazy_regex(
    r"(?i)\b(?:in all|in total|altogether|are there|were there|exist|do(?:es)? [^?]* have)\W*\Z"
)
_OF_WHOLE = lazy_regex(r" (?:out )?of (?:the |our |its |all )?\Z")


def _parts_told(question: str, sentence: str, counted: Sequence[Number]) -> Sequence[Number]:
    """Return ``counted`` with the part in place of the whole: "60 of 1,184 orders" were looked at.

    Where it is asked how many there are, it stays the whole. English alone.
    """
    if not is_english() or _ASKS_WHOLE.search(question):
        return counted
    ends = {number.end: number for number in undated_numbers(sentence)}

    def told(number: Number) -> Number:
        before = _OF_WHOLE.search(sentence, 0, number.start)
        return ends.get(before.start(), number) if before else number

    return list(dict.fromkeys(map(told, counted)))


_CODE = lazy_regex(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])\w[\w-]*\b")


def _of_the_code(question: str, sentence: str, counted: Sequence[Number]) -> Sequence[Number]:
    """Return those of ``counted`` that come after the code that ``question`` names.

    "The lamp K2 lasts for 20 hours, the K2L for 60": all where it names none, or where no other
    code is before it.
    """
    asked, told = _CODE.findall(question), list(_CODE.finditer(sentence))
    at = next((place for place, code in enumerate(told) if code[0] in asked), 0)
    after = [number for number in counted if at and number.start >= told[at].end()]
    return after or counted


def _named(
    kind: Kind, question: str, sentence: str
) -> Iterator[tuple[DirectKind, str, int, int, float]]:
    """Yield the names that can be meant; for a country, what it or its people are called."""
    for name in names(sentence):
        if _ACCORDING.search(sentence, endpos=name.start):
            continue
        is_nation = bool(nations(name.text))
        if _COUNTRY.search(question) and kind is Kind.PLACE:
            fit = float(is_nation)
        elif kind is Kind.PLACE:
            placed = _is_placed(sentence[: name.start])
            fit = float(placed and (not is_nation or name.text in nations(name.text)))
        elif kind is Kind.PERSON:
            fit = float(answer_fit(kind, name.text) == 1.0 and not is_nation)
        else:
            fit = 0.0 if is_nation else answer_fit(kind, name.text)
        if fit:
            yield DirectKind.NAME, name.text, name.start, name.end, fit


def _is_placed(before: str) -> bool:
    return _PLACED.search(before) is not None if is_english() else is_placed(before)


def _asked_dates(question: str, sentence: str) -> list[Date]:
    """Return the dates of ``sentence``; of those of a life, the one that is asked for."""
    life = _LIFE.search(sentence)
    told = dates(sentence)
    if life is None:
        return told
    lived = [date for date in told if life.start() <= date.start < life.end()]
    if len(lived) < 2:
        return told
    died, born = _ends_of_life()
    if died.search(question):
        return lived[-1:]
    return lived[:1] if born.search(question) else told


def _ends_of_life() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return how a death and how a birth are asked after."""
    language = language_in_use()
    if language is None:
        return _OF_DEATH, _OF_BIRTH
    return re.compile(f"(?i){language.died}"), re.compile(f"(?i){language.born}")


class _Places:
    """Where a sentence has the words of a question; read once for all that may answer it."""

    def __init__(self, sentence: str, asked: frozenset[str]) -> None:
        tokens = tokenize(sentence)
        self._starts = [token.start for token in tokens]
        self._ends = [token.end for token in tokens]
        self._asked = [
            at
            for at, token in enumerate(tokens)
            if len(token.text) > 3
            and token.text[0].islower()
            and stem(token.text.casefold()) in asked
        ]

    def nearness(self, start: int, end: int) -> float:
        """Return how near ``[start, end)`` stands to a word that was asked for: 1 next to it."""
        first, beyond = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first >= beyond:
            return 0.0
        before = self._asked[: bisect_left(self._asked, first)][-1:]
        after = self._asked[bisect_left(self._asked, beyond) :][:1]
        far = [*(first - at for at in before), *(at - beyond + 1 for at in after)]
        return 1.0 / (1.0 + 0.25 * min(far)) if far else 0.0
