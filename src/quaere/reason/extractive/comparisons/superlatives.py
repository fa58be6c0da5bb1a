"""Which of several things is the most of something, as sentences about each tell it.

"Which river is the longest?", "Who joined last?" English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from quaere.reason.extractive.comparisons.compare import value_asked
from quaere.reason.extractive.comparisons.facts import Fact, facts_about
from quaere.reason.extractive.comparisons.sides import heading_of
from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.questions.kinds import Kind, last_question
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import Name, names
from quaere.text.numbers import numbers
from quaere.text.tokens import stem, terms, words

_MOST = r"(?P<most>[a-z]{2,}est|(?:most|least) [a-z]+)"
_ASKS = (
    lazy_regex(
        rf"(?i)\W*(?:who|(?:which|what)(?: of the)? (?P<sort>[a-z]+)) (?:is|was|are) (?:the )?"
        rf"{_MOST}\W*"
    ),
    lazy_regex(rf"(?i)\W*(?:which|what) (?:is|was) the {_MOST} (?P<sort>[a-z]+)\W*"),
    lazy_regex(
        r"(?i)\W*(?:who|which (?P<sort>[a-z]+)) (?P<deed>(?:was |were )?[a-z]+(?: out)?) "
        r"(?P<last>first|last|earliest|latest)\W*"
    ),
)
_FIRST = lazy_regex(r"(?i)\W*(?:the )?")
_JOINED = lazy_regex(r"(?i)(?:[,;] |\band )(?:the )?\Z")
_SUPERLATIVE = lazy_regex(
    r"(?i)\W*(?:at |in |on )?(?:who|which|what)\b.{0,80}?\bthe (?P<most>most|least|fewest"
    r"|(?:bigg|cheap|clos|cold|dear|deep|fast|great|heavi|high|hott|larg|light|long|low|near|new|old|quick"
    r"|short|slow|small|tall|warm|wid|young)est)\b"
)
_ALSO = {"most": ("more", "record", "highest", "largest"), "least": ("less", "lowest", "smallest")}
"""Other words by which the most is told."""
_IN_TIME = frozenset({"first", "last"})
"""Words for the most that are also used of other things."""
_OPENING = 3
"""Lines at the beginning of a page that say of what sort the thing is that it is about."""


class Foremost(NamedTuple):
    """The thing that is the most of something, and the lines that tell it of each."""

    text: str
    lines: tuple[Line, ...]
    """Its own first."""


class _Asked(NamedTuple):
    """What is asked of things: of which sort, and by what they are compared."""

    sort: str | None
    about: str
    most: str
    """The word for the most, as it is asked."""


def find_foremost(question: str, pool: Pool) -> Foremost | None:
    """Return which thing is the most of what ``question`` asks.

    None unless it is plain of two things at least, in one unit, and one is ahead; and where a line
    says "the longest" itself.
    """
    asked = in_english(_asked, last_question(question))
    compared = asked and value_asked(asked.about)
    if asked is None or compared is None or _is_said(asked.most, pool):
        return None
    kind, least = compared
    facts = _facts(asked, kind, pool)
    units = {fact.unit for fact in facts.values()}
    return _ahead(facts, least=least) if len(facts) > 1 and len(units) == 1 else None


def _ahead(facts: Mapping[str, Fact], *, least: bool) -> Foremost | None:
    """Return the thing whose fact is the least, or the greatest; None where two are level."""
    ranked = sorted(facts.items(), key=lambda each: each[1].value, reverse=not least)
    (first, fact), (_, second), *_ = ranked
    lines = dict.fromkeys(line for _, each in ranked for line in each.lines)
    return Foremost(first, tuple(lines)) if fact.value != second.value else None


def _is_said(most: str, pool: Pool) -> bool:
    return most not in _IN_TIME and any(f" {most} " in line.flat for line in pool.lines)


def _asked(text: str) -> _Asked | None:
    found = next(filter(None, (pattern.fullmatch(text) for pattern in _ASKS)), None)
    if found is None:
        return None
    told = found.groupdict()
    if told.get("deed"):
        return _Asked(told["sort"], f"{told['deed']} {told['last']}", told["last"])
    most = told["most"].casefold()
    return _Asked(told["sort"], _comparative(most), most)


def lacks_superlative(question: str, text: str) -> bool:
    """Return whether ``question`` asks for the most of something, and ``text`` does not say it.

    "No river is deeper than 20 m" does not tell which river is the longest. English alone.
    """
    asked = in_english(_SUPERLATIVE.match, last_question(question))
    most = asked["most"].casefold() if asked else ""
    said = frozenset(words(text))
    return bool(most) and said.isdisjoint([most, *_comparative(most).split(), *_ALSO.get(most, ())])


def _comparative(most: str) -> str:
    """Return the comparative of a superlative: "longer" of "longest"."""
    if most.startswith(("most ", "least ")):
        word, _, rest = most.partition(" ")
        return f"{'more' if word == 'most' else 'less'} {rest}"
    return f"{most.removesuffix('est')}er"


def _facts(asked: _Asked, kind: Kind, pool: Pool) -> Mapping[str, Fact]:
    """Return what is plainly known of each thing of the sort that is ``asked`` for."""
    compared = Comparison("", "", asked.about)
    found = dict[str, Fact]()
    for thing in dict.fromkeys(_things(asked.sort, kind, pool)):
        told = (fact for fact in facts_about(thing, compared, kind, pool) if fact.is_plain)
        found.update((thing, fact) for fact in islice(told, 1))
    return found


def _things(sort: str | None, kind: Kind, pool: Pool) -> Iterator[str]:
    """Yield what pages and sections of that ``sort`` are about; else what lines speak of."""
    called = list(dict.fromkeys(_called(sort, pool))) if sort else []
    if len(called) > 1:
        yield from called
        return
    for line in pool.lines:
        if not (line.heading or line.columns):
            yield from _subjects(line.text, kind)


def _called(sort: str, pool: Pool) -> Iterator[str]:
    """Yield the titles of pages, and the headings of sections, that are about a ``sort``."""
    for owner, passage in enumerate(pool.passages):
        lines = [line for line in pool.lines_of[owner] if not (line.heading or line.columns)]
        title = title_subject(passage.title)
        if _is_of_sort(sort, owner, lines, pool):
            yield title
            continue
        headings = (heading_of(line, pool) for line in lines)
        yield from (
            each for each in filter(None, headings) if stem(sort) in terms(f"{title} {each}")
        )


def _is_of_sort(sort: str, owner: int, lines: Sequence[Line], pool: Pool) -> bool:
    """Whether a page names what it is about at its beginning, and of what ``sort`` that is."""
    opening = frozenset[str]().union(*(line.terms for line in lines[:_OPENING]))
    title = spaced(title_subject(pool.passages[owner].title))
    is_named = any(title in line.flat for line in lines[:1])
    return is_named and stem(sort) in opening | pool.title_terms[owner]


def _subjects(text: str, kind: Kind) -> Iterator[str]:
    """Yield the names of which ``text`` says something: the first, and of amounts the joined ones.

    "The Sorrel is 112 km long and the Esk 90 km."
    """
    for name in names(text):
        before = text[: name.start]
        if _FIRST.fullmatch(before) or (kind is Kind.NUMBER and _JOINED.search(before)):
            yield text[name.start : _end_of(name, text)].rstrip()


def _end_of(name: Name, text: str) -> int:
    """Return where ``name`` ends: before an amount that seems part of it, "the Esk 90 km"."""
    inside = (
        number.start
        for number in numbers(text)
        if number.unit and name.start < number.start < name.end
    )
    return next(inside, name.end)
