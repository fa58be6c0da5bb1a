"""Finds the row of a table by what it says: "Which command empties the tank?".

Or all rows, where they list what there is: "Which ends are there?" of a table of ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from quaere.reason.extractive.chains import DEGREES, Goal
from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import negation
from quaere.text.languages.language import in_english
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


class Described(NamedTuple):
    """A cell, and its row."""

    text: str
    line: Line


class _Row(NamedTuple):
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
    asked = in_english(_ASKS.match, text)
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
    """Return the row whose words all the others have as well; None without one."""
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
            goals[head] = Goal.besides(_ASKING.union(terms(head)), text, pool)
        if (goal := goals[head]) and (row := _rated(line, at, goal, pool)):
            yield row


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


KEYS_COVERED = 0.6
"""Share of what else is asked that the headings over the table and the title of its page hold."""
LEAST, MOST = 2, 20
"""Rows that such a table has."""

_ASKS_KEYS = lazy_regex(
    r"(?i)\W*(?:(?:which|what)\s+(?:(?:are|is)\s+(?:all\s+)?the\s+)?(?:possible\s+|different\s+)?"
    r"|(?:please\s+)?(?:list|name|give|show)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?)"
    r"(?P<things>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)"
    r"(?P<rest>\s+(?:are|is|exist|does|do|can|may|has|have|of|in|for|that|which)\b.*)?\W*$",
    re.DOTALL,
)
_GENERAL = frozenset(
    map(
        stem,
        (
            *("there", "exist", "available", "possible", "support", "have", "know", "get", "use"),
            *("may", "can", "could", "give", "given", "take", "choose", "set"),
        ),
    )
)


def find_keys(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the rows of the table whose first column is of what ``question`` asks to be listed.

    The headings over it and the title of its page have what else is asked. None where the rows of
    several tables do. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    asked = in_english(_ASKS_KEYS.fullmatch, text)
    if asked is None:
        return ()
    things = frozenset(terms(asked["things"]))
    goal = Goal.besides(_GENERAL, text, pool, asked["rest"] or "")
    found = [rows for rows in _tables(pool, things) if _is_about(rows[0], goal, pool)]
    return found[0] if things and len(found) == 1 else ()


def _tables(pool: Pool, things: frozenset[str]) -> Iterator[tuple[Line, ...]]:
    """Yield the rows of each table whose first column is headed by these ``things``."""
    found = pool.tables(lambda line: _is_row(line) and frozenset(terms(line.columns[0])) == things)
    yield from (rows for rows in found if LEAST <= len(rows) <= MOST)


def _is_row(line: Line) -> bool:
    return len(line.columns) > 1 and line.text.startswith("|") and not line.heading


def _is_about(row: Line, goal: Goal | None, pool: Pool) -> bool:
    if goal is None:
        return True
    return goal.share_in(row.over | pool.title_terms[row.owner]) >= KEYS_COVERED


def names_of(rows: Sequence[Line]) -> str:
    """Return the first cells of ``rows``, each once, with commas between them."""
    return ", ".join(dict.fromkeys(cells(row.text)[0].strip("*_ ") for row in rows))
