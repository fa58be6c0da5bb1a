"""What answers in plain words beyond English: without a name, a date or a figure.

A place is told by what is before it, a moment by a month, a day of the week or a span of time, as
in "within two weeks", a price also by what says that there is none, and what something is by a
verb or after a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.text.dates import dates
from quaere.text.languages.language import Language, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import COUNTED
from quaere.text.numbers import CURRENCIES, Number, undated_numbers
from quaere.text.synonyms import JOINING, is_compound
from quaere.text.tokens import terms

ROLE, SPOT, MOMENT = 0.5, 0.6, 0.6
"""How well a role, a spot and a moment answer: less than a full name, as much as a day without its
year."""
CLOCK_ELSEWHERE = lazy_regex(
    r"(?i)(?<![\d.,:])\d{1,2}(?:(?: ?uhr| ?uur| ?h(?: ?[0-5]\d)?)\b|:[0-5]\d|\.[0-5]\d(?! ?[\d€%]))"
    r"|\b(?:a las|alle|dalle|às|ore) \d{1,2}\b|\d{1,2}[時时点]|\b(?:midi|minuit|mitternacht)\b"
    r"|\bmedi(?:odía|anoche)\b|\bmezz(?:ogiorno|anotte)\b|\bmei[oa]-(?:dia|noite)\b|正午"
)
"""A time of day."""


def fit_elsewhere(kind: Kind, sentence: str, language: Language) -> float:
    """Return how well ``sentence`` answers a question of ``kind``, from 0 to 1."""
    if kind is Kind.PLACE:
        return SPOT if tells_place(sentence) else 0.0
    if kind is Kind.PERSON:
        return ROLE if _tells_by_whom(sentence, language) else 0.0
    if kind is not Kind.DATE:
        return 0.0
    told = _moment_in(language).search(sentence) or CLOCK_ELSEWHERE.search(sentence)
    return MOMENT if told else 0.0


def lacks_past(language: Language, question: str, sentence: str) -> bool:
    """Return whether it is asked when something was done, and ``sentence`` has no date or hour.

    "Within 120 days after the foundation" does not tell when that was.
    """
    if expected_kind(question) is not Kind.DATE:
        return False
    if dates(sentence) or CLOCK_ELSEWHERE.search(sentence):
        return False
    return re.search(f"(?i){language.moment[2]}", question) is not None


def _tells_by_whom(sentence: str, language: Language) -> bool:
    """Whether ``sentence`` says by whom something is done, as "by the board" does."""
    if language.pieces:
        return re.search(language.by, sentence) is not None
    found = re.search(rf"(?i)\b(?:{language.by})\s(?P<who>[^\W\d_]+)", sentence)
    return found is not None


_SPANS = ("min", "h", "d", "wk", "mo", "yr")
"""Units of time that are told in months, days or hours."""


def lasts_one(language: Language, question: str, sentence: str) -> bool:
    """Return whether it is asked how long something is so, and ``sentence`` tells it by an article.

    "Auf ein Jahr", "pendant une semaine": where no number says "one".
    """
    asks = language.measured.get("long", r"(?!)")
    if re.search(f"(?i){asks}", question) is None:
        return False
    return re.search(rf"(?i)\b(?:{language.one})\s(?:{_spans(language)})\b", sentence) is not None


def _spans(language: Language) -> str:
    return "|".join(language.units[unit] for unit in _SPANS if unit in language.units)


@cache
def _moment_in(language: Language) -> re.Pattern[str]:
    """Return what tells when without a date: a day of the week, a month, "within two weeks"."""
    spans = _spans(language)
    before, after, _ = language.moment
    told = [language.days.any, *(rf"\b(?:{month})(?!\w)" for month in language.months)]
    if language.pieces:
        told.append(rf"(?:\d|[一二三四五六七八九十百])\s?(?:{spans})(?:{after})")
    else:
        told.append(rf"\b(?:{before})\s(?:[\w'’]+\s){{0,3}}?(?:{spans})\b")
        told.append(rf"\b(?:{spans})\s(?:{after})\b")
    return re.compile(f"(?i){'|'.join(told)}")


def tells_place(sentence: str) -> bool:
    """Return whether ``sentence`` has what tells where something is; in English it is not known."""
    language = language_in_use()
    if language is None:
        return False
    times = "|".join((language.days.any, *(rf"\b(?:{month})\b" for month in language.months)))
    # As a date in figures, which no pattern takes for a place: "de martes a domingo".
    undated = re.sub(f"(?i){times}", "1日", sentence)
    return re.search(f"(?i){language.located}", undated) is not None


def lacks_rule(text: str, said: str) -> bool:
    """Return whether ``text`` asks what may or must be, and ``said`` rules nothing of that.

    "Personal devices are phones and watches in use at school" does not let one use a phone there.
    In English that is told by other signs.
    """
    language = language_in_use()
    if language is None:
        return False
    return language.rules.asks_leave(text) and not language.rules.are_of_one(text, said)


def rules_by_heading(text: str, said: frozenset[str]) -> bool:
    """Return whether ``said`` has nothing of what ``text`` asks but whether that may be.

    All else is over it: in a chapter on fishing not each line that allows something speaks of that.
    """
    language = language_in_use()
    if language is None:
        return False
    things = frozenset(terms(language.rules.bare(text)))
    return bool(things) and language.rules.asks_leave(text) and things.isdisjoint(said)


def is_of_wider_sort(asked: Iterable[str], said: frozenset[str]) -> bool:
    """Return whether what is ``said`` has of a word of those ``asked`` its end alone.

    What members may do, trial members perhaps may not: "Mitglied", "Probemitglied".
    """
    language = language_in_use()
    if language is None or language.code not in JOINING:
        return False
    lacking = (term for term in asked if term not in said)
    return any(is_compound(term, end) for term in lacking for end in said)


_LABELLED = lazy_regex(r"[^:：.;!?。]{1,60}(?:[:：]\s?| [–—-] )\S")
"""How an entry begins that says of what it is before it says what."""


def lacks_definition(question: str, sentence: str) -> bool:
    """Return whether it is asked what something is, and ``sentence`` does not say that.

    In English that is told from what it begins with. A figure tells it of what has one: "Was ist
    die Frist?"
    """
    language = language_in_use()
    if language is None or expected_kind(question) is not Kind.DEFINITION:
        return False
    asked, label = frozenset(terms(question)), _LABELLED.match(sentence)
    if label is not None and not asked.isdisjoint(terms(label[0])):
        return False
    if any(each.unit for each in undated_numbers(sentence)):
        return False
    cues = re.finditer(f"(?i){language.defines}", sentence)
    return not any(_is_of(asked, sentence, cue) for cue in cues)


_BESIDE = 60
"""Characters on each side of what defines within which it is told what that is."""
_SUBJECT = 12
"""Characters before it that hold no more than a pronoun: "Es ist ein ..."."""


def _is_of(asked: frozenset[str], sentence: str, cue: re.Match[str]) -> bool:
    """Whether a ``cue`` says what a thing is that is ``asked`` about, or that was named before."""
    around = sentence[max(0, cue.start() - _BESIDE) : cue.end() + _BESIDE]
    return cue.start() < _SUBJECT or not asked.isdisjoint(terms(around))


def tells_free_in(language: Language, question: str, sentence: str) -> bool:
    """Return whether a price is asked for, and ``sentence`` says without one that there is none."""
    asks = re.search(f"(?i){language.price}", question) is not None
    return asks and re.search(f"(?i){language.rules.free}", sentence) is not None


def lacks_price_in(language: Language, question: str, sentence: str) -> bool:
    """Return whether a price is asked for, and ``sentence`` has none.

    A bare figure may be one where words have spaces.
    """
    if re.search(f"(?i){language.price}", question) is None:
        return False
    if re.search(f"(?i){language.rules.free}", sentence):
        return False
    told = list(undated_numbers(sentence))
    if any(each.unit in CURRENCIES for each in told):
        return False
    return bool(language.pieces) or not has_bare_figure(told, sentence)


def has_bare_figure(told: Iterable[Number], sentence: str) -> bool:
    """Whether one of the numbers ``told`` is in figures and of no unit: it may be a price.

    What counts a page or a paragraph, as in "art. 14", is none.
    """
    bare = (each.start for each in told if not each.unit and sentence[each.start].isdigit())
    return any(_COUNTS_PARTS.search(sentence, max(0, at - _NEAR), at) is None for at in bare)


_NEAR = 12
_COUNTS_PARTS = re.compile(
    rf"(?i)(?:§|\b(?:{'|'.join(sorted(COUNTED))}|arti[a-zíé]+|lid|comma)\b\.?)\s?\Z"
)
