"""Finds the rows that list what there is: "Which ends are there?" of a table of ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms

COVERED = 0.6
"""Share of what else is asked that the headings over the table and the title of its page hold."""
LEAST, MOST = 2, 20
"""Rows that such a table has."""

_ASKS = lazy_regex(
    r"(?i)\W*(?:(?:which|what)\s+(?:(?:are|is)\s+(?:all\s+)?the\s+)?(?:possible\s+|different\s+)?"
    r"|(?:please\s+)?(?:list|name|give|show)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?)"
    r"(?P<things>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)"
    r"(?P<rest>\s+(?:are|is|exist|does|do|can|has|have|of|in|for)\b.*)?\W*$",
    re.DOTALL,
)
_GENERAL = frozenset(
    map(stem, ("there", "exist", "available", "possible", "support", "have", "know", "get", "use"))
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
    asked = _ASKS.fullmatch(text) if spoken() is None else None
    if asked is None:
        return ()
    things = frozenset(terms(asked["things"]))
    wanted = [term for term in terms(asked["rest"] or "") if term not in _GENERAL]
    goal = Goal(text, pool, wanted) if wanted else None
    found = [rows for rows in _tables(pool, things) if _is_about(rows[0], goal, pool)]
    return found[0] if things and len(found) == 1 else ()


def _tables(pool: Pool, things: frozenset[str]) -> Iterator[tuple[Line, ...]]:
    """Yield the rows of each table whose first column is headed by these ``things``."""
    found: dict[tuple[str, tuple[str, ...]], list[Line]] = {}
    for line in pool.lines:
        if _is_row(line) and frozenset(terms(line.columns[0])) == things:
            page = pool.passages[line.owner].url.partition("#")[0]
            found.setdefault((page, line.columns), []).append(line)
    for rows in found.values():
        if LEAST <= len(rows) <= MOST:
            yield tuple(rows)


def _is_row(line: Line) -> bool:
    return len(line.columns) > 1 and line.text.startswith("|") and not line.heading


def _is_about(row: Line, goal: Goal | None, pool: Pool) -> bool:
    if goal is None:
        return True
    return goal.share(goal.mask(row.over | pool.title_terms[row.owner])) >= COVERED


def names_of(rows: Sequence[Line]) -> str:
    """Return the first cells of ``rows``, with commas between them."""
    return ", ".join(cells(row.text)[0].strip("*_ ") for row in rows)
