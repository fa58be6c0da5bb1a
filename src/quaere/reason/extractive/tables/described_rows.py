"""Finds the row of a table by what it says: "Which command empties the tank?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quaere.reason.extractive.chains import DEGREES, Goal
from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import negation
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight that a row, the headings over it and the title of its page must
hold between them."""
SAID, FEWEST = 0.5, 2
"""Share of it that the cells besides the one that is asked for must hold, and how many words."""
OPENING = 4
"""Words after "which" in which what heads the column stands."""

_ASKS = lazy_regex(r"(?i)\W*(?:with |by |under |in )?(?:which|what)\s+(?P<rest>\S.*)", re.DOTALL)
_ASKING = frozenset(
    map(stem, ("use", "type", "run", "set", "need", "call", "do", "let", "allow", "make", "give"))
)
_MARKS = "`*_ "


@dataclass(frozen=True, slots=True)
class Described:
    """A cell, and its row."""

    text: str
    line: Line


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that may answer: the cell that is asked for, and what the others say."""

    cell: str
    line: Line
    said: frozenset[str]
    held: float
    """Share of the question's weight that ``said`` holds."""


def find_described(question: str, pool: Pool) -> Described | None:
    """Return the cell whose row says what ``question`` asks, and whose column is asked for by name.

    None where several rows say as much, unless one of them says nothing else. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    asked = _ASKS.match(text) if spoken() is None else None
    if asked is None or expected_kind(text) is Kind.COMPARISON:
        return None
    if not DEGREES.isdisjoint(terms(text)):
        return None
    denies = negation(text).denies
    rows = _rows(text, asked["rest"], pool)
    found = [row for row in rows if negation(row.line.text).denies == denies]
    most = max((row.held for row in found), default=0.0)
    return _least([row for row in found if row.held == most])


def _least(rows: Sequence[_Row]) -> Described | None:
    """Return the one of ``rows`` all of whose words the others have as well; None without one."""
    best = min(rows, key=lambda row: len(row.said), default=None)
    if best is None or not all(best.said <= row.said for row in rows):
        return None
    if any(row.said == best.said and row.cell != best.cell for row in rows):
        return None
    return Described(best.cell, best.line)


def _rows(text: str, rest: str, pool: Pool) -> Iterator[_Row]:
    """Yield the rows with a column that is asked for which say enough of ``text``."""
    opening = frozenset(terms(" ".join(words(rest)[:OPENING])))
    goals: dict[str, Goal | None] = {}
    for line in pool.lines:
        at = _column(line, opening)
        if at is None:
            continue
        head = line.columns[at]
        if head not in goals:
            goals[head] = _goal(text, head, pool)
        if (goal := goals[head]) and (row := _rated(line, at, goal, pool)):
            yield row


def _goal(text: str, head: str, pool: Pool) -> Goal | None:
    """Return what ``text`` asks but for the ``head`` of the column; None where it asks no more."""
    besides = _ASKING.union(terms(head))
    wanted = [term for term in terms(text) if term not in besides]
    return Goal(text, pool, wanted) if wanted else None


def _column(line: Line, opening: frozenset[str]) -> int | None:
    """Return which cell of the row ``line`` is asked for; None where none or several are."""
    if line.heading or not (line.columns and line.text.startswith("|")):
        return None
    heads = [frozenset(terms(head)) for head in line.columns]
    named = [at for at, head in enumerate(heads) if head and head <= opening]
    return named[0] if len(named) == 1 and len(heads) > 1 else None


def _rated(line: Line, at: int, goal: Goal, pool: Pool) -> _Row | None:
    """Return the row ``line``, of which the cell ``at`` is asked for, if it says enough."""
    values = cells(line.text)
    if len(values) != len(line.columns) or not values[at].strip(_MARKS):
        return None
    said = _terms_of(value for place, value in enumerate(values) if place != at)
    own = goal.mask(said)
    over = goal.mask(line.over | pool.title_terms[line.owner] | _terms_of([values[at]]))
    held = goal.share(own)
    enough = own.bit_count() >= FEWEST and held >= SAID and goal.share(own | over) >= COVERED
    return _Row(values[at].strip(_MARKS), line, said, held) if enough else None


def _terms_of(values: Iterable[str]) -> frozenset[str]:
    return frozenset(term for value in values for term in terms(value))
