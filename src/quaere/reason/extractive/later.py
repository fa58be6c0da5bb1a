"""What a later document, or a later entry of one, has put out of date.

Two lines state different values for the same thing, and what their documents say about their time
tells which is later: that one holds, and the other is told as what was said earlier. A question
that asks for the earlier time gets the earlier one. What is past is never out of date: each entry
of a diary is of its own day. English alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from functools import cached_property
from itertools import combinations, islice, takewhile
from typing import NamedTuple

from quaere.domain.report import Opens, Quote, Sentence
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.chains import Goal, Search
from quaere.reason.extractive.draft import PROOF_WORDS, Draft
from quaere.reason.extractive.editions import Edition, editions
from quaere.reason.extractive.pool import Line, Pool, cells, file_stem
from quaere.reason.extractive.questions.kinds import (
    asks_earlier,
    earlier_words,
    last_question,
    looks_back,
)
from quaere.text.dates import dates, years_in
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.no_claim import EARLIER
from quaere.text.numbers import undated_numbers
from quaere.text.similarity import jaccard
from quaere.text.synonyms import past_forms
from quaere.text.tokens import stop_words, terms, words

COMPARED = 120
"""Sentences that are compared with each other, those that hold most of the question."""
ROWS = 400
"""Rows of tables of which the same is true: twenty editions of one table have 190 pairs a row."""
ALIKE, SHARED = 0.75, 2
"""How alike two statements are, but for their values, and how many words they share at least, to
be about the same; less alike are two that begin with the same words."""
TOLD = 2
"""Statements out of date that are told, at most."""

OPENING = 2
"""Words before a bare number up to which it is part of the subject of a sentence."""

_BEFORE = lazy_regex(r"(?i)\bbefore\s+\Z")
_OF_CHANGE = lazy_regex(
    r"(?i)\b(?:has|have|had|did|does|was|were)\b[^.?!]{0,80}\b(?:chang|increas|decreas|rais|ris[ei]"
    r"|rose|moved|postponed)"
    r"|\b(?:changes|differ\w*|compar\w*|than|instead|altogether|average|so far|history|both|each"
    r"|every|versions?|editions?|since when)\b"
)
"""Asks for what two editions say, and not for what holds."""
_WEEKDAY = lazy_regex(
    r"\b(?:(?:first|second|third|fourth|last) )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
)
_CLOCK = lazy_regex(r"(?<![\d.:])\d{1,2}[:.]\d\d(?![\d.:])")
_CHANGES_TO = lazy_regex(
    r"(?i)\b(?:moved|put off|brought forward|postponed|rescheduled|changed|raised|lowered|increased"
    r"|reduced|cut|extended|shortened|set) (?:back )?(?:to|until|by|at)\b|\bnow\b"
)
"""Reports what holds now: "The meeting was moved to 14 May"."""
_WORD = lazy_regex(r"[^\W\d_]{2}")
_FROM = lazy_regex(r"(?i)\b(?:from|as of|with effect from|since|starting)\s+\Z")
_ENDS_IN_ED = lazy_regex(r"[a-z]{2,}(?<!e)ed")
_NOT_PAST = frozenset({"shed", "bed", "red", "hundred", "sacred", "naked", "bred", "sled"})
_DENIES = frozenset({"no", "not", "never", "none", "nobody", "without"})
_HELPS = frozenset(
    """
    am are be been being can could get gets getting has have having is may must shall should will
    would
    """.split()  # noqa: SIM905 - a list of words reads better as one
)
"""What makes a participle of the form after it: "is kept", "must be paid"."""
HELPED = 4
"""Words after one of those within which a form is its participle."""


class _Asks(Enum):
    """Which of two editions a question asks for."""

    LATER = auto()
    EARLIER = auto()
    ANY = auto()


class Replaced(NamedTuple):
    """A line out of date, with the one that holds now and where the former stands."""

    earlier: Line
    later: Line
    where: str


class UpToDate(NamedTuple):
    """What is left of a pool without what is out of date."""

    pool: Pool
    whole: Pool
    replaced: tuple[Replaced, ...] = ()


def up_to_date(question: str, pool: Pool, statistics: TermStatistics | None = None) -> UpToDate:
    """Return ``pool`` without the lines that are out of date for ``question``.

    Those of the later editions are left out where it asks for the earlier time, and none where it
    asks how things have changed.
    """
    asks = _asked(question, pool)
    found = {} if not is_english() or asks is _Asks.ANY else editions(pool)
    if len({each.place for each in found.values()}) < 2:
        return UpToDate(pool, pool)
    years = years_in(last_question(question))
    left_out = {
        pair: line
        for pair in _pairs(found, Search(pool, Goal(question, pool)))
        if (line := _left_out(pair, found, years, asks)) is not None
    }
    if not left_out:
        return UpToDate(pool, pool)
    replaced = [
        Replaced(*pair, _where(pair, pool, found))
        for pair, line in left_out.items()
        if line is pair[0] and (not years or found[line].day[0] in years)
    ]
    replaced.sort(key=lambda each: found[each.earlier].day, reverse=True)
    return UpToDate(_without(left_out.values(), pool, statistics), pool, tuple(replaced))


def _asked(question: str, pool: Pool) -> _Asks:
    asked = last_question(question)
    if _is_of_before(asked) if looks_back(asked) else _is_of_earlier(asked, pool):
        return _Asks.EARLIER
    return _Asks.ANY if _OF_CHANGE.search(asked) else _Asks.LATER


def _is_of_before(asked: str) -> bool:
    is_before = any(_BEFORE.search(asked, endpos=date.start) for date in dates(asked))
    return is_before or asks_earlier(asked)


def _is_of_earlier(asked: str, pool: Pool) -> bool:
    """Return whether ``asked`` is for the earlier; what ``pool`` calls initial is not meant so."""
    return asks_earlier(asked) and not any(map(pool.holds, earlier_words(asked)))


def _left_out(
    pair: tuple[Line, Line], found: dict[Line, Edition], years: frozenset[int], asks: _Asks
) -> Line | None:
    """Return which of a ``pair`` does not answer: the one of another year than is asked for.

    None where neither is of such a year.
    """
    earlier, later = pair
    if asks is _Asks.EARLIER:
        return later
    is_asked, is_later_asked = (not years or found[line].day[0] in years for line in pair)
    if is_later_asked:
        return earlier
    return later if is_asked else None


def _where(pair: tuple[Line, Line], pool: Pool, found: dict[Line, Edition]) -> str:
    """Return how a reader is told where the earlier of ``pair`` stands."""
    own, other = (found[line].label for line in pair)
    return file_stem(pool.passages[pair[0].owner]) if own == other else own


def _without(lines: Iterable[Line], pool: Pool, statistics: TermStatistics | None) -> Pool:
    """Return ``pool`` with spaces for ``lines``, so that all else stands where it stood."""
    out = defaultdict[int, set[Line]](set)
    for line in lines:
        out[line.owner].add(line)
    passages = {
        passage.id: passage.model_copy(update={"text": _blanked(passage.text, out[owner])})
        for owner, passage in enumerate(pool.passages)
    }
    return Pool(pool.evidence, passages, statistics)


def _blanked(text: str, lines: Iterable[Line]) -> str:
    parts, at = list[str](), 0
    for line in sorted(lines, key=lambda line: line.start):
        parts += text[at : line.start], " " * (line.end - line.start)
        at = line.end
    return "".join((*parts, text[at:]))


def _pairs(found: dict[Line, Edition], search: Search) -> Iterator[tuple[Line, Line]]:
    """Yield the lines that state different values for the same thing, the earlier one first.

    Of those pairs alone of which the later one covers as much of the question as the earlier.
    """

    def covered(line: Line) -> float:
        return search.goal.share(search.mask(line))

    lines = sorted(found, key=covered, reverse=True)
    prose = [line for line in lines if not line.columns and _may_hold(line)]
    rows = [line for line in lines if line.columns and not line.heading]
    said = [_Said(line, found[line]) for line in prose[:COMPARED]]
    for earlier, later in (*_pairs_of_prose(said), *_pairs_of_rows(rows[:ROWS], found)):
        if covered(later) >= covered(earlier):
            yield earlier, later


def _pairs_of_prose(said: Sequence[_Said]) -> Iterator[tuple[Line, Line]]:
    for one, other in _nearest(said):
        is_later = other.edition.is_later_than(one.edition)
        if is_later is not None:
            earlier, later = (one, other) if is_later else (other, one)
            if later.is_of_change or later.edition.may_replace(earlier.edition):
                yield earlier.line, later.line


def _nearest(said: Sequence[_Said]) -> Iterator[tuple[_Said, _Said]]:
    """Yield the statements of one thing in two editions, none nearer to another one there."""
    likeness = {
        (one, other): alike
        for one, other in combinations(said, 2)
        if (alike := one.likeness(other)) > 0.0
    }
    best = defaultdict[tuple[_Said, str], float](float)
    for (one, other), alike in likeness.items():
        for key in ((one, other.edition.place), (other, one.edition.place)):
            best[key] = max(best[key], alike)
    for (one, other), alike in likeness.items():
        if alike == best[one, other.edition.place] == best[other, one.edition.place]:
            yield one, other


def _pairs_of_rows(rows: Iterable[Line], found: dict[Line, Edition]) -> Iterator[tuple[Line, Line]]:
    """Yield the rows of one head and one first cell in tables of different editions."""
    for alike in _of_one_key(rows):
        if len({found[line].place for line in alike}) == len(alike):  # else it does not tell rows
            for one, other in combinations(alike, 2):
                yield from _in_order(one, other, found)


def _of_one_key(rows: Iterable[Line]) -> Iterable[list[Line]]:
    """Return ``rows`` by their head and first cell, where that is a word and no head is a year."""
    by_key = defaultdict[tuple[str, ...], list[Line]](list)
    for row in rows:
        key = next(iter(cells(row.text)), "").casefold()
        if _WORD.search(key) and not years_in(" ".join(row.columns)):
            by_key[*row.columns, key].append(row)
    return by_key.values()


def _in_order(one: Line, other: Line, found: dict[Line, Edition]) -> Iterator[tuple[Line, Line]]:
    """Yield two rows of one document, the earlier one first, but for two days of one timetable.

    A row does not say what it is of: in another document it may be of another firm.
    """
    if one.text == other.text or not found[one].is_of(found[other]):
        return
    if one.owner == other.owner and found[one].day[1]:
        return
    is_later = found[other].is_later_than(found[one])
    if is_later is not None:
        yield (one, other) if is_later else (other, one)


def _may_hold(line: Line) -> bool:
    """Return whether ``line`` may state what holds until something else is said."""
    if line.heading or line.text.endswith(("?", ":")):
        return False
    return _CHANGES_TO.search(line.text) is not None or not _is_past(line)


def _is_past(line: Line) -> bool:
    """Return whether ``line`` tells what has happened: "We had 180 visitors"."""
    helped = 0
    for word in words(line.text):
        if word in _HELPS:
            helped = HELPED + 1
        helped -= 1
        is_form = word in past_forms() or _ENDS_IN_ED.fullmatch(word)
        if is_form and helped < 0 and word not in _NOT_PAST:
            return True
    return False


class _Said:
    """A line as a statement: what it is about, and the values that it states."""

    def __init__(self, line: Line, edition: Edition) -> None:
        self.line = line
        self.edition = edition
        self.values = frozenset(_values(line.text))

    def likeness(self, other: _Said) -> float:
        """Return how alike both are but for their values; 0 where they are not of one thing."""
        if self.edition.place == other.edition.place:
            return 0.0
        own, its = self.values - other.values, other.values - self.values
        one, another = self._about(own), other._about(its)
        if not self._may_be_of(other, one & another) or _has_figure(one ^ another):
            return 0.0
        both = {kind for kind, _ in own}.intersection(kind for kind, _ in its)
        if _is_of_another_name(both) or not (both or self._is_edition_of(other)):
            return 0.0
        alike = jaccard(one, another)
        return alike if alike >= ALIKE or self._begins_as(other) else 0.0

    def _may_be_of(self, other: _Said, shared: AbstractSet[str]) -> bool:
        """Return whether enough is ``shared``: one word does in two editions, or with a day."""
        if len(shared) >= SHARED:
            return True
        return bool(shared) and bool(self.days or other.days or self._is_edition_of(other))

    def _is_edition_of(self, other: _Said) -> bool:
        """Return whether ``other`` words it otherwise in another edition of the same document."""
        if self.edition.page == other.edition.page or not self.edition.is_of(other.edition):
            return False
        one, another = frozenset(words(self.line.text)), frozenset(words(other.line.text))
        return bool(one - another and another - one) or not _DENIES.isdisjoint(one ^ another)

    def _about(self, values: frozenset[tuple[str, str]]) -> frozenset[str]:
        stated = [value for _, value in values]
        return self.line.terms.difference(terms(" ".join([*stated, *self.days])))

    @property
    def is_of_change(self) -> bool:
        """Whether it says that what it tells is new, as no line of a programme does."""
        return bool(self.days) or _CHANGES_TO.search(self.line.text) is not None

    @cached_property
    def days(self) -> list[str]:
        """The days from which something is so."""
        text = self.line.text
        return [text[d.start : d.end] for d in dates(text) if _FROM.search(text, endpos=d.start)]

    def _begins_as(self, other: _Said) -> bool:
        """Return whether both begin with the same words, at least two of which tell something."""
        common = stop_words()
        alike = 0
        for one, another in zip(words(self.line.text), words(other.line.text), strict=False):
            if one != another:
                break
            alike += one not in common
        return alike >= SHARED


def _is_of_another_name(differing: AbstractSet[str]) -> bool:
    """Return whether a name and more differ: "Bergen costs £60" after "Oslo costs £50"."""
    return "name" in differing and len(differing) > 1


def _has_figure(stems: Iterable[str]) -> bool:
    """Return whether one of ``stems`` has a figure: "Class 4" is not "Class 5"."""
    return any(any(map(str.isdigit, each)) for each in stems)


def _values(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the words of each date, number and name in ``text``.

    What a sentence begins with is its subject, no value: "Class 4 meets in the hall".
    """
    days = (each for each in dates(text) if not _FROM.search(text, endpos=each.start))
    yield from (("date", text[each.start : each.end]) for each in days)
    yield from (("date", found[0]) for found in _WEEKDAY.finditer(text))
    yield from (("time", found[0]) for found in _CLOCK.finditer(text))
    yield from (("number", each) for each in _numbers(text))
    yield from (("name", name.text) for name in names(text) if name.start)


def _numbers(text: str) -> Iterator[str]:
    for number in undated_numbers(text):
        if number.unit or len(text[: number.start].split(None, OPENING)) > OPENING:
            yield text[number.start : number.end]


def with_earlier(
    written: Sequence[Sentence], current: UpToDate, *, max_citations: int
) -> tuple[Sentence, ...]:
    """Return ``written`` with what was said earlier in place of what its direct answer says.

    Args:
        written: An answer from what is up to date.
        current: That.
        max_citations: Number of distinct passages that may be cited.
    """
    if current.pool is current.whole or not written:
        return tuple(written)
    whole = [_as_it_stands(sentence, current.whole) for sentence in written]
    direct = whole[0].direct.quotes if whole[0].direct else ()
    proof = sum(1 for _ in takewhile(lambda each: not set(direct).isdisjoint(each.quotes), whole))
    replaced = islice(_replaced_by(direct, current), TOLD)
    earlier = (_told_as_earlier(each, whole[0], current.whole) for each in replaced)
    told = _within(max_citations, whole, earlier)
    return (*whole[:proof], *told, *whole[proof:])


def _within(
    max_citations: int, written: Iterable[Sentence], more: Iterable[Sentence]
) -> Iterator[Sentence]:
    """Yield those of ``more`` with which no more passages are cited than may be."""
    cited = {n for sentence in written for n in sentence.evidence}
    for sentence in more:
        cited |= set(sentence.evidence)
        if len(cited) <= max_citations:
            yield sentence


def _as_it_stands(sentence: Sentence, pool: Pool) -> Sentence:
    """Return ``sentence`` with its quotes as ``pool`` has them, without blanks."""
    texts = {passage.id: passage for passage in pool.passages}

    def quoted(quote: Quote) -> Quote:
        passage = texts[quote.passage]
        text = passage.text[quote.start - passage.start : quote.end - passage.start]
        return quote.model_copy(update={"text": text})

    direct = sentence.direct
    if direct is not None:
        direct = direct.model_copy(update={"quotes": tuple(map(quoted, direct.quotes))})
    quotes = tuple(map(quoted, sentence.quotes))
    return sentence.model_copy(update={"quotes": quotes, "direct": direct})


def _replaced_by(quotes: Iterable[Quote], current: UpToDate) -> Iterator[Replaced]:
    """Yield what the lines of ``quotes`` have replaced, of each the last that was said."""
    for quote in quotes:
        for each in current.replaced:
            passage = current.whole.passages[each.later.owner]
            at = passage.start + each.later.start
            if quote.passage == passage.id and quote.start <= at < quote.end:
                yield each
                break


def _told_as_earlier(replaced: Replaced, first: Sentence, pool: Pool) -> Sentence:
    draft = Draft(pool, PROOF_WORDS, 1)
    draft.take(replaced.earlier, first.item, whole=True)
    told = next(iter(draft.sentences()))
    opens = Opens.PARAGRAPH if first.opens else None
    text = f"{EARLIER} ({replaced.where}): {told.text}"
    return told.model_copy(update={"text": text, "opens": opens})
