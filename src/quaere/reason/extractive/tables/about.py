"""Questions about a table itself: which columns it has, and how many rows. English alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import FOUND, RowsAnswer
from quaere.reason.extractive.tables.columns import Table
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stem, words

_COLUMNS = lazy_regex(
    r"(?i)^\W*(?:(?:which|what)(?: are the)?|list(?: all)?(?: the)?) "
    r"(?:columns?|fields?|variables|attributes|headers?)(?: names?)?\b(?P<rest>[^?]*)\?*\W*$"
)
_COUNT = lazy_regex(
    r"(?i)^\W*how many (?P<what>columns|fields|rows|records|lines|entries)\b(?P<rest>[^?]*)\?*\W*$"
)
_ITS = word_set(
    "are is there does do has have had in of on the a an this that it its file table data dataset"
    " sheet spreadsheet csv contain contains include includes available listed altogether total"
)
"""Words that say no more than which table it is."""
_OF_COLUMNS = word_set("columns fields")
LONGEST = 200
"""Characters of such a question, at most."""


def asks_about_table(text: str) -> bool:
    """Return whether ``text`` asks which columns a table has, or how many of them or of rows."""
    return _asked(text) is not None


def about_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return which columns ``table`` has, or how many rows or columns, as ``text`` asks."""
    found = _asked(text)
    if found is None:
        return None
    said = [stem(word) for word in words(found["rest"]) if word not in _ITS]
    of_table = table.named | frozenset(map(stem, words(table.name)))
    if not of_table.issuperset(said) or _is_headed_so(found[0], table):
        return None
    heads = [column.head for column in table.columns[: len(table.columns) - table.joined]]
    kind, told = _told(found, heads, table)
    return RowsAnswer(
        kind=kind,
        text=told,
        table=table,
        lines=table.lines[:1],
        columns=frozenset(heads),
        confidence=FOUND,
        fit=len(said),
    )


def _asked(text: str) -> re.Match[str] | None:
    if len(text) > LONGEST:
        return None
    return _COLUMNS.match(text) or _COUNT.match(text)


def _is_headed_so(asked: str, table: Table) -> bool:
    """Whether a column is headed by what is ``asked`` for, of which the table then tells."""
    said = {stem(word) for word in words(asked) if word not in _ITS} - table.named
    return any(not said.isdisjoint(column.stems) for column in table.columns)


def _told(found: re.Match[str], heads: Sequence[str], table: Table) -> tuple[DirectKind, str]:
    what = found.groupdict().get("what")
    if what is None:
        return DirectKind.NAME, f"{', '.join(heads)} ({len(heads)} columns of {table.name})"
    if what.casefold() in _OF_COLUMNS:
        return DirectKind.NUMBER, f"{len(heads)} ({', '.join(heads)})"
    return DirectKind.NUMBER, f"{len(table.lines):,} (of {table.name})"
