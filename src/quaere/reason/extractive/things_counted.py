"""What the figures of a sentence count, where a question asks how many there are of something.

English alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from quaere.reason.extractive.answer_fit import is_typed
from quaere.reason.extractive.plain_answers import CLOCK
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, numbers, undated_numbers
from quaere.text.tokens import stem, terms

_COUNTS_SPANS = lazy_regex(r"(?i)\bhow many (?P<unit>minute|hour|day|night|week|month|year)s?\b")
_UNIT_OF = {"minute": "min", "hour": "h", "day": "d", "week": "wk", "month": "mo", "year": "yr"}
_LIMITED = lazy_regex(
    r"(?i)\b(?:any|every|no)(?:thing|one|body)(?: [a-z]+){0,2} (?:than|over|under) $"
)
"""What is before a figure that says of what something is so: "for anything longer than"."""


def counts_other(question: str, sentence: str) -> bool:
    """Return whether ``question`` asks how many days, or weeks, and ``sentence`` counts none.

    "Ask three weeks ahead for anything longer than two days" does not tell how many days one has.
    English alone.
    """
    asked = _COUNTS_SPANS.search(question) if is_english() else None
    if asked is None:
        return False
    unit = asked["unit"]
    counts = re.compile(
        rf"(?i)[\w.,]+(?:\sand\s\w+)?(?:\s\([^()]{{1,30}}\))?[-\s]?(?:[a-z]+[-\s]){{0,2}}{unit}s?\b"
    )
    counted = (
        number.start
        for number in numbers(sentence)
        if number.unit == _UNIT_OF.get(unit.casefold()) or counts.match(sentence, number.start)
    )
    return all(_LIMITED.search(sentence, endpos=start) for start in counted)


_ASKS_NEED = lazy_regex(r"(?i)\bhow many [a-z -]{2,40} (?:do|does|did|would|will) \w+ need\b")
_NEED = lazy_regex(
    r"(?i)\b(?:advis|at least|enough|for each|have to|minim|must|need|per|recommend|requir|should"
    r"|suffic|takes?\b)"
)
"""What tells how many are needed."""


def tells_no_need(question: str, sentence: str) -> bool:
    """Return whether ``question`` asks how many one needs, and ``sentence`` speaks of no need.

    "Five workers were ill" does not tell how many workers one needs. English alone.
    """
    return in_english(_ASKS_NEED.search, question) is not None and not _NEED.search(sentence)


_HOW_MANY = lazy_regex(
    r"(?i)\bhow many (?!(?:do|does|did|is|was|has) )(?:[a-z-]+ ){0,2}?"
    r"(?P<things>(?!(?:does|is|was|has)\b)[a-z]+s|people|children)\b"
)
_AFTER = lazy_regex(r"(?: ?[“\"‘(])?(?:[ -]?[^\W_][\w'’-]*){1,4}")
_BEFORE = lazy_regex(r"(?:[\w'’-]{1,40}[ :]{1,2}){1,2}$")
_BOUND = lazy_regex(r"(?i)\b[a-z]+s (?:under|over|above|below|aged|from|until) \Z")
"""What is before a figure that says which of them are meant: "members under 70"."""
_OF = lazy_regex(r"(?i)\b(?!consists\b|class\b)[a-z]{3,}s of (?:the |these |those )?\Z")
"""What is before a figure: "the accounts of two clerks" does not tell how many clerks there are."""
_OF_OTHERS = lazy_regex(
    r"(?: ?,? (?:and |or )?\d[\d.,]*+(?: (?:thousand|million|billion))?)*+ (?P<things>[a-z]{3,}s)\b"
)
"""What follows a row of figures, and is counted by each of them: "2, 3 and 4 shares"."""
_MARKS_ONE = lazy_regex(r"\(\d{1,2}\)")
"""The number of an item in a row: "(1) higher pay for employees, (2) …"."""
_LABELLED = lazy_regex(
    r"(?i)\b(ports?|pages?|lines?|rows?|versions?|releases?|chapters?|sections?|steps?|tables?"
    r"|figures?|rooms?|platforms?|gates?|codes?|errors?|status|nos?\.|rfc) \Z"
)
"""What is before a figure that is a name: "port 3000"."""
_NEAR_CHARS, _LABEL_CHARS = 150, 12
_NUMBER_OF = lazy_regex(r"(?i)\bnumbers? of\b|\b(?:total(?:s|led)?|number(?:ed)?)\s+\d")
"""Tells how many there are, though the figure may stand far from what it counts."""


def counts_another(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` counts other things than ``question`` asks, and speaks of those.

    "The program fails on two systems" does not tell how many programs there are, nor does
    "Programs: £25". English alone.
    """
    wanted = _counted_by(question)
    if measures_only(question, sentence):
        return True
    is_told = wanted <= frozenset(terms(sentence)) and not _NUMBER_OF.search(sentence)
    if not wanted or not is_told:
        return False
    told = undated_numbers(sentence)
    counted = [_may_count(each, sentence, wanted) for each in told if not each.unit]
    if not told:
        return bool(numbers(sentence))  # years, which count nothing
    return bool(counted) and not any(counted)


_ASKS_STOCK = lazy_regex(
    r"(?i)(?m:^)(?>.*?\bhow many\b)"
    r"(?:(?>.*?\b(?:does|do) ).*\b(?:have|has|operate|run|own)\W*$|.*\bare there\b)"
)
_CHANGES_BY = lazy_regex(
    r"(?i)\b(?:open(?:ed|ing)|clos(?:ed|ing|ures?)|add(?:ed|ing|ition)|convert(?:ed|ing)|conversion"
    r"|acquir(?:ed|ing)|bought|sold|hired|lost|built|remodel(?:l?ed|l?ing)|relocat(?:ed|ing)|remaining)"
    r"(?: [a-z]+){0,4} $"
)
"""What is before the number of those that came or went, and not of all there are."""


def counts_changes_only(question: str, sentence: str) -> bool:
    """Return whether ``question`` asks how many somebody has, and ``sentence`` how many came.

    "The closure of 66 shops" does not tell how many there are. English alone.
    """
    wanted = _counted_by(question) if _ASKS_STOCK.search(question) else frozenset[str]()
    counts = _counts_of(wanted, sentence) if wanted else []
    return bool(counts) and all(
        _CHANGES_BY.search(sentence, max(0, each.start - _NEAR_CHARS), each.start)
        for each in counts
    )


def _counts_of(wanted: frozenset[str], sentence: str) -> list[Number]:
    """Return the numbers in ``sentence`` that may count what is ``wanted``."""
    bare = (each for each in undated_numbers(sentence) if not each.unit)
    return [each for each in bare if _may_count(each, sentence, wanted)]


def measures_only(question: str, sentence: str) -> bool:
    """Return whether things must be counted, and ``sentence`` has but hours or amounts of a unit.

    Where ``question`` asks how many of a unit, they may be of that. English alone.
    """
    asked = in_english(_HOW_MANY.search, question)
    if asked is None:
        return False
    hours = [hour.span() for hour in CLOCK.finditer(sentence)]
    told = [each for each in undated_numbers(sentence) if not _is_within(each, hours)]
    if not told:
        return bool(hours)
    is_of_a_unit = any(each.unit for each in numbers(f"2 {asked['things']}"))
    return not is_of_a_unit and all(each.unit for each in told)


def _is_within(number: Number, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= number.start < end for start, end in spans)


def things_counted(question: str) -> str:
    """Return what ``question`` asks the number of: "streaming members"; nothing beyond English."""
    asked = _HOW_MANY.search(question) if is_english() else None
    return asked[0].partition("many ")[2] if asked else ""


def _counted_by(question: str) -> frozenset[str]:
    """Return the stems of what ``question`` asks the number of; none where it asks for none."""
    asked = _HOW_MANY.search(question) if is_english() else None
    return frozenset(terms(asked["things"]) if asked else ())


def _may_count(number: Number, sentence: str, wanted: frozenset[str]) -> bool:
    """Whether ``number`` is next to a word of ``wanted``, or after it with no word behind."""
    near = sentence[max(0, number.start - _NEAR_CHARS) : number.start]
    after = _AFTER.match(sentence, number.end, number.end + _NEAR_CHARS)
    if _is_name(number, sentence, wanted) or _tells_which(number, sentence, after):
        return False
    others = _OF_OTHERS.match(sentence, number.end, number.end + _NEAR_CHARS)
    behind = frozenset(terms(" ".join(each[0] for each in (after, others) if each)))
    if others is not None and wanted.isdisjoint(behind):
        return False
    if after is None:
        return wanted <= frozenset(terms(near.rpartition(";")[2]))
    before = _BEFORE.search(near)
    is_beside = wanted <= behind.union(terms(before[0] if before else ""))
    return is_beside and not _is_in_name(after[0].split(), wanted)


def _tells_which(number: Number, sentence: str, after: re.Match[str] | None) -> bool:
    """Whether ``number`` tells which are meant, with the words ``after`` it: "members under 70"."""
    near = sentence, max(0, number.start - _NEAR_CHARS), number.start
    if _MARKS_ONE.match(sentence, max(0, number.start - 1)) or _BOUND.search(*near):
        return True
    return after is not None and _OF.search(*near) is not None


def _is_name(number: Number, sentence: str, wanted: frozenset[str]) -> bool:
    """Whether ``number`` is code, or the name of something else than is ``wanted``: "port 3000"."""
    if is_typed(sentence, number.start):
        return True
    label = _LABELLED.search(sentence, max(0, number.start - _LABEL_CHARS), number.start)
    return label is not None and wanted.isdisjoint(terms(label[1]))


def _is_in_name(told: Sequence[str], wanted: frozenset[str]) -> bool:
    """Whether what is ``wanted`` is part of a longer name: "Employee" of "Employee Groups"."""
    pairs = pairwise(word for word in told if word[0].isupper())
    return any(stem(word.casefold()) in wanted and told[-1] != word for word, _ in pairs)
