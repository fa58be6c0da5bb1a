"""Finds what a listing says of a key: of a code, an option or a name, in two columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.ranking import IDENTIFIER
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight, the key aside, that the entry, the line that leads in to the
listing, the headings over it and the title of the page must hold between them."""

OF_ROW = 0.5
"""The same, of a row that a name of code tells from all others."""

_ENTRY = lazy_regex(r"(?m)^[ \t]*(?P<key>-{0,2}\w[\w./:-]*)(?:[ \t]{2,}|\t)(?=\S)")
_END = lazy_regex(r"\n[ \t]*\n|\Z")
_ASKS = lazy_regex(r"(?i)\W*what\b.*\b(?:means?|do|does|is|are|stands? for|signif\w+)\b")
_ASKING = frozenset(map(stem, ("mean", "stand", "signify", "do", "does", "value", "option")))


def find_row(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the row of a table whose first cell is the only name of code in ``question``.

    What else is asked has to be said for the most part in the row, the heads of its columns, the
    headings over it or the title of its page. None where several rows have that cell.
    """
    text = last_question(question)
    named = [found[0] for found in IDENTIFIER.finditer(text)]
    if len(named) != 1 or expected_kind(text) is Kind.YES_NO:
        return ()
    rows = _rows_of(named[0], pool)
    wanted = wanted_besides(named[0], text)
    if len(rows) != 1 or not wanted:
        return ()
    goal, row = Goal(text, pool, wanted), rows[0]
    held = goal.share(goal.mask(row.terms | pool.over(row)))
    return (row,) if held >= OF_ROW else ()


def _rows_of(name: str, pool: Pool) -> list[Line]:
    """Return the rows of tables whose first cell is ``name``."""
    return [line for line in pool.lines if _first_cell(line) == name and not line.heading]


def wanted_besides(key: str, text: str) -> list[str]:
    """Return the terms of ``text`` but those of the ``key`` and those that ask its meaning."""
    besides = _ASKING.union(terms(key))
    return [term for term in terms(text) if term not in besides]


def _first_cell(line: Line) -> str:
    if not (line.columns and line.text.startswith("|")):
        return ""
    return cells(line.text)[0].strip("` *")


def find_entry(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the entry of a listing that says what ``question`` asks of its key; none where none.

    The key has to be a word of the question, and what leads in to the listing has
    to say of what it is a key: "exit codes" of the 3 in "What does exit code 3 mean?".

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    if not _ASKS.match(text) or expected_kind(text) not in {Kind.DEFINITION, Kind.STATEMENT}:
        return ()
    said = frozenset(text.casefold().strip("?. ").split()) | frozenset(words(text))
    best, found = COVERED, tuple[Line, ...]()
    for owner in range(len(pool.lines_of)):
        for key, line in entries_of(owner, pool):
            if key.casefold() in said and (held := _held_over(line, key, text, pool)) >= best:
                best, found = held, (line,)
    return found


def _held_over(line: Line, key: str, text: str, pool: Pool) -> float:
    """Return how much of ``text`` but the ``key`` is over the entry ``line``.

    It is 0 where what leads in to the listing has nothing of it.
    """
    wanted = wanted_besides(key, text)
    lead = leading_in(line, pool.lines_of[line.owner])
    if lead.isdisjoint(wanted):
        return 0.0
    goal = Goal(text, pool, wanted)
    return goal.share(goal.mask(lead | line.under | pool.title_terms[line.owner]))


def entries_of(owner: int, pool: Pool) -> Iterator[tuple[str, Line]]:
    """Yield the entries of the passage ``owner``, each with its key."""
    text = pool.passages[owner].text
    starts = list(_ENTRY.finditer(text))
    for entry, after in zip_longest(starts, starts[1:]):
        if entry is None:
            return
        start, blank = entry.start("key"), _END.search(text, entry.end())
        end = min(found.start() for found in (after, blank) if found)
        if line := _line_at(start, pool.lines_of[owner]):
            said = " ".join(text[start:end].split())
            end = start + len(text[start:end].rstrip())
            yield entry["key"], replace(line, start=start, end=end, text=said)


def _line_at(place: int, lines: Iterable[Line]) -> Line | None:
    return next((line for line in lines if line.start <= place < line.end), None)


def leading_in(line: Line, lines: Sequence[Line]) -> frozenset[str]:
    """Return the terms of the line that leads in to the listing in which ``line`` is."""
    before = (each for each in reversed(lines[: line.place]) if each.text.endswith(":"))
    lead = next(before, None)
    return lead.terms if lead else frozenset()
