"""Finds the cell of a table of journeys that is asked for, in the row from here to there.

"When do I arrive in Vienna?" is told by the row that ends there, of which Vienna is also where
another one begins. English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stems_of, terms, words

_ORIGINS: Final = word_set("from origin start")
_GOALS: Final = word_set("to destination end")
_LEAVES: Final = stems_of("depart departs departure departing leave leaves start starts dep")
_ARRIVES: Final = stems_of("arrive arrives arrival arriving land lands reach reaches get gets arr")
_FROM: Final = word_set("from leave leaves leaving depart departs departing")
_TO: Final = word_set("to for in at into reach reaches reaching")
_ASKS_WHEN: Final = lazy_regex(r"(?i)\W*(?:and )?(?:when|(?:at )?what time)\b")
_ASKS_WHAT: Final = lazy_regex(r"(?i)\W*(?:(?:on|in|from|at) )?(?:which|what) (?P<what>[a-z]+)\b")
_ASKS_HOW: Final = lazy_regex(r"(?i)\W*how (?P<how>far|long|much)\b")
_HEADS: Final[Mapping[str, AbstractSet[str]]] = {
    "far": stems_of("distance length km miles"),
    "long": stems_of("duration time hours minutes"),
    "much": stems_of("price fare cost"),
}
_RIDES: Final = stems_of(
    "train bus flight plane ferry boat ship coach tram leg stage journey trip time go goes take"
    " off fly have am walk one get my our"
)
"""What is said of any journey, and names none."""
_LONGEST_PLACE: Final = 6
"""Words of the name of a place, at most."""


class Leg(NamedTuple):
    """A cell of the row of a journey."""

    kind: DirectKind
    text: str
    line: Line


class _Row(NamedTuple):
    line: Line
    heads: Sequence[str]
    values: Sequence[str]
    start: str
    goal: str


class _Ends(NamedTuple):
    """The places from which, and to which, one is said to go."""

    starts: frozenset[str]
    goals: frozenset[str]

    def are_of(self, row: _Row) -> bool:
        """Whether ``row`` is of a journey from there to there."""
        return self.starts <= {row.start} and self.goals <= {row.goal}


def find_leg(question: str, pool: Pool) -> Leg | None:
    """Return what the only journey between the places that ``question`` names has for it.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    rows = list(_rows(pool)) if is_english() else []
    ends = _ends(text, rows)
    if not ends.starts | ends.goals:
        return None
    meant = [row for row in rows if ends.are_of(row)]
    if len(meant) != 1:
        return None
    return _asked_of(meant[0], text, frozenset(terms(" ".join(ends.starts | ends.goals))), pool)


def is_of_other_leg(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is the row of another journey than ``question`` asks of.

    That from here to there is not the one from there to here. English alone.
    """
    rows = list(_rows(pool)) if line.columns and is_english() else []
    ends = _ends(last_question(question), rows)
    return any(row.line == line and not ends.are_of(row) for row in rows)


def _rows(pool: Pool) -> Iterator[_Row]:
    """Yield the rows of tables with a column of where journeys begin, and one of where they end."""
    for line in pool.lines:
        heads = [" ".join(words(head)) for head in line.columns]
        start, goal = (next((h for h in heads if h in of), None) for of in (_ORIGINS, _GOALS))
        values = line.values
        if line.heading or start is None or goal is None or len(values) != len(heads):
            continue
        told = (" ".join(words(values[heads.index(head)])) for head in (start, goal))
        yield _Row(line, heads, values, *told)


def _ends(text: str, rows: Sequence[_Row]) -> _Ends:
    places = frozenset(place for row in rows for place in (row.start, row.goal))
    return _Ends(_named(text, places, _FROM), _named(text, places, _TO))


def _named(text: str, places: frozenset[str], by: AbstractSet[str]) -> frozenset[str]:
    """Return those of ``places`` that ``text`` names, the word before them being one of ``by``."""
    told = words(text)
    behind = (told[at + 1 :] for at, word in enumerate(told) if word in by)
    named = (" ".join(rest[:count]) for rest in behind for count in range(1, _LONGEST_PLACE + 1))
    return places & frozenset(named)


def _asked_of(row: _Row, text: str, named: frozenset[str], pool: Pool) -> Leg | None:
    """Return the cell of ``row`` for which ``text`` asks; None where it asks for something else."""
    asked = frozenset(terms(text)) - named
    at, idle = _column(row, text, asked)
    known = _RIDES | idle | row.line.terms | pool.over(row.line) | pool.file_terms(row.line)
    if at is None or not row.values[at] or not asked <= known:
        return None
    kind = DirectKind.DATE if _ASKS_WHEN.match(text) else DirectKind.NAME
    return Leg(kind, row.values[at], row.line)


def _column(row: _Row, text: str, asked: frozenset[str]) -> tuple[int | None, AbstractSet[str]]:
    """Return which column ``text`` asks for, and the stems by which it does."""
    if _ASKS_WHEN.match(text):
        heads = _ARRIVES if not asked.isdisjoint(_ARRIVES) else _LEAVES
        return _headed(row, heads), heads
    if how := _ASKS_HOW.match(text):
        heads = _HEADS[how["how"].lower()]
        return _headed(row, heads), heads | _ARRIVES | _LEAVES
    what = _ASKS_WHAT.match(text)
    heads = frozenset(terms(what["what"])) if what else frozenset[str]()
    return _headed(row, heads), heads | _ARRIVES | _LEAVES


def _headed(row: _Row, heads: AbstractSet[str]) -> int | None:
    """Return the only column whose head has one of the stems ``heads``."""
    found = [at for at, head in enumerate(row.heads) if not heads.isdisjoint(terms(head))]
    return found[0] if len(found) == 1 else None
