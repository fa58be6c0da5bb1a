"""Sentences taken apart into what two of them can be compared by.

Here being right counts: a sentence about which it is not clear what it says of whom is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from quaere.evidence.features import title_forms
from quaere.text.dates import Date, dates
from quaere.text.facts import negation
from quaere.text.languages.language import cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import Name, names
from quaere.text.numbers import Number, numbers
from quaere.text.sentences import QUESTION_MARKS, sentences
from quaere.text.tokens import Token, is_stop_word, stem, stems_of, tokenize, words

_WHEN = r"(?:(?:In|On|By|Since|Until|After)\s[^,A-Z]{1,20}?,?\s)?"
_ABOUT_TITLE = lazy_regex(
    rf"{_WHEN}(?:(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)\s"
    r"|[Tt]he\s(?P<noun>[a-z]+)\s)"
)
# What may precede the name that a sentence is about: "The", "In 1902 the", "The bridge of".
_OPENING = lazy_regex(
    rf"{_WHEN}(?:[Tt]he\s(?:[a-z]+\s){{1,3}}(?:of|in|at)\s(?:the\s)?|[Tt]he\s|[Aa]n?\s)?[\"“‘']?"
)
_HEDGED = lazy_regex(
    r"(?i)\b(?:about|around|over|under|nearly|almost|approximately|roughly|some|circa|ca?\.|up to"
    r"|at (?:least|most)|(?:more|less|fewer|greater) than|estimated|between|from|to|or|than)\W*$"
)
_NOUN = lazy_regex(r"[\s-]([^\W\d_]+)")


ONCE = stems_of(
    "born died founded established built completed discovered invented abolished dissolved"
    " demolished destroyed incorporated assassinated beheaded executed"
)
"""Stems of what happens to anything but once, so that two dates of it cannot both be right."""

KIN = stems_of("brother sister son daughter father mother wife husband child")
"""Stems of words that turn a sentence about somebody into one about somebody else."""

OPPOSITES: Mapping[str, str] = {
    stem(one): stem(other)
    for pair in (
        "increase decrease",
        "rise fall",
        "rose fell",
        "safe unsafe",
        "effective ineffective",
        "legal illegal",
        "true false",
        "possible impossible",
        "harmful harmless",
        "higher lower",
        "accepted rejected",
        "approved rejected",
        "succeeded failed",
        "guilty innocent",
        "alive dead",
        "open closed",
        "married unmarried",
        "allowed forbidden",
        "toxic nontoxic",
    )
    for one, other in (pair.split(), reversed(pair.split()))
}
"""Stems that deny each other."""

_REACH = 60
"""Characters between what happened and its date, "born in the village of X in 1861"."""


class Statement(NamedTuple):
    """A sentence, as far as it can be compared with others."""

    text: str
    lead: str
    """The name that it is about; empty where that is not clear."""
    subjects: frozenset[str]
    """Folded names in it, with the title it speaks of as "it"."""
    terms: frozenset[str]
    """Stems of its other words that are neither figures nor stop words."""
    stems: frozenset[str]
    """Stems of all its words and of its subjects."""
    figures: Mapping[str, Number]
    """The one exact number of each unit or of each thing counted."""
    events: Mapping[str, Date]
    """The one year in which something of `ONCE` happened."""
    years: frozenset[int]
    """All the years it names: figures are of them."""
    affirmed: frozenset[str]
    denied: frozenset[str]
    denies: bool

    @property
    def telling(self) -> frozenset[str]:
        """What another sentence says too when it says the same: names and figures."""
        counted = (f"{number.value.normalize()} {key}" for key, number in self.figures.items())
        return self.subjects.union(counted, map(str, self.years))


class Line(NamedTuple):
    """A sentence, before it is known whether anybody wants to compare it."""

    text: str
    topic: str
    """The folded name that its page is about."""
    stems: frozenset[str]
    """Stems of its words and of the topic."""


@cached_by_language(maxsize=2048)
def lines(title: str, text: str) -> tuple[Line, ...]:
    """Return the sentences of ``text``, under ``title``, but the questions among them."""
    topic = _topic(title)
    about = [stem(word) for word in topic.split()]
    found = (text[span.start : span.end] for span in sentences(text))
    return tuple(
        Line(sentence, topic, frozenset([*about, *map(stem, words(sentence))]))
        for sentence in found
        if not sentence.endswith(QUESTION_MARKS)
    )


@cached_by_language(maxsize=8192)
def statement(sentence: str, topic: str) -> Statement | None:
    """Return ``sentence``, of a page on ``topic``, taken apart; None when it names nothing."""
    named = names(sentence)
    subjects = {_resolved(" ".join(words(name.text)), topic) for name in named}
    lead = _lead(sentence, named, topic)
    subjects = frozenset({*subjects, lead} - {""})
    if not subjects:
        return None
    dated = [date for date in dates(sentence) if date.year is not None]
    tokens = _content(sentence)
    polarity = negation(sentence)
    counted = numbers(sentence)
    plain = _outside(tokens, [*named, *counted, *dated])
    return Statement(
        text=sentence,
        lead=lead,
        subjects=subjects,
        terms=frozenset(stem(word) for token in plain for word in words(token.text)),
        stems=polarity.affirmed | polarity.denied | stems_of(" ".join(subjects)),
        figures=_figures(sentence, counted, dated),
        events=_events(sentence, dated, tokens),
        years=_years(dated),
        affirmed=polarity.affirmed,
        denied=polarity.denied,
        denies=polarity.denies,
    )


def _lead(sentence: str, named: Sequence[Name], topic: str) -> str:
    """Return the name that ``sentence`` is about, which may be the topic in other words."""
    about = _ABOUT_TITLE.match(sentence)
    if about and topic and (about["noun"] is None or about["noun"] in topic.split()):
        return topic
    if named and _OPENING.fullmatch(sentence, endpos=named[0].start):
        return _resolved(" ".join(words(named[0].text)), topic)
    return ""


def _topic(title: str) -> str:
    """Return the folded name that a page called ``title`` is about."""
    named = names(title)
    return " ".join(words(named[0].text)) if named else title_forms(title).base


def _resolved(name: str, topic: str) -> str:
    """Return ``topic`` for part of it: in a page on Odile Varga, "Varga" is she."""
    return topic if f" {name} " in f" {topic} " else name


def _content(sentence: str) -> list[Token]:
    return [token for token in tokenize(sentence) if not is_stop_word(token.text)]


def _years(dated: Iterable[Date]) -> frozenset[int]:
    return frozenset(date.year for date in dated if date.year is not None)


def _outside(tokens: Sequence[Token], found: Sequence[Name | Number | Date]) -> Iterator[Token]:
    """Yield the ``tokens`` that are inside nothing that was ``found``."""
    for token in tokens:
        if not any(each.start <= token.start < each.end for each in found):
            yield token


def _figures(sentence: str, counted: Sequence[Number], dated: Sequence[Date]) -> dict[str, Number]:
    """Return the numbers of ``sentence`` by what they count, where it has only one of the kind."""
    by_key: defaultdict[str, list[Number]] = defaultdict(list)
    for number in counted:
        if _is_ordinal_or_dated(number, dated):
            continue
        if key := _counted_thing(sentence, number):
            by_key[key].append(number)
    return {
        key: found[0]
        for key, found in by_key.items()
        if len(found) == 1 and not _is_hedged(sentence, found[0])
    }


def _is_ordinal_or_dated(number: Number, dated: Iterable[Date]) -> bool:
    return number.unit == "th" or any(d.start <= number.start < d.end for d in dated)


def _counted_thing(sentence: str, number: Number) -> str:
    """Return the unit of ``number`` or the stem of the noun that follows, empty without either."""
    noun = _NOUN.match(sentence, number.end)
    named = stem(noun[1].lower()) if noun and not is_stop_word(noun[1]) else ""
    return number.unit or named


def _is_hedged(sentence: str, figure: Number | Date) -> bool:
    return _HEDGED.search(sentence, endpos=figure.start) is not None


def _events(sentence: str, dated: Sequence[Date], tokens: Sequence[Token]) -> dict[str, Date]:
    """Return the year of each thing in ``sentence`` that happens but once.

    The date is the first after the word, with nothing else of the kind between.
    """
    happened = list(_happenings(tokens))
    told = [verb for verb, _ in happened]
    found: dict[str, Date] = {}
    for (verb, end), (_, stop) in pairwise([*happened, ("", len(sentence))]):
        date = _one_year(sentence, end, min(stop, end + _REACH), dated)
        if date and told.count(verb) == 1:
            found[verb] = date
    return found


def _happenings(tokens: Iterable[Token]) -> Iterator[tuple[str, int]]:
    """Yield the stem of each word for what happens but once, and where the word ends."""
    for token in tokens:
        if (verb := stem(token.text.lower())) in ONCE:
            yield verb, token.end


def _one_year(sentence: str, start: int, stop: int, dated: Iterable[Date]) -> Date | None:
    """Return the first date from ``start`` to ``stop`` if it is within one year, and not hedged."""
    date = next((each for each in dated if start <= each.start < stop), None)
    return date if date and date.years == 1 and not _is_hedged(sentence, date) else None
