"""Tells whether rows that were found are the things that a question asks for.

"Which formats can I print?" is not answered by the row in which a cell says "format". English
alone.
"""

from __future__ import annotations

import re

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.columns import Table
from quaere.text.facts import deny_alike
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stems_of, terms

_ASKS_FOR_THINGS = lazy_regex(
    r"(?i)\W*(?:what|which)\s+(?:(?:kind|type|sort)s?\s+of\s+)?(?:[a-z]+\s+)??(?P<things>[a-z]+s)\s+"
    r"(?:(?P<able>can|could|do|may|must|should)\s+(?:i|we|you|it|they|one)"
    r"|can|could|may|must|should|are|were|will|have|need|use)\b"
)
_DENIED = lazy_regex(r"(?i)(?:non-|(?:not?|non)\s)(?P<rest>[a-z][^(]*)")
_OF_TIMES = stems_of("day date hour month time week year")
"""Stems of what the columns of a timetable need not be called."""


def are_of_others(text: str, answer: RowsAnswer) -> bool:
    """Return whether ``text`` asks which things there are or one can have, and these are others."""
    if _is_denied(text, answer.text):
        return True
    asked = _asked(text, answer)
    if asked is None:
        return False
    things, table = stems_of(asked["things"]), answer.table
    if asked["able"] is not None:
        heads = frozenset(terms(" ".join(answer.columns)))
        return things.isdisjoint(table.named | _OF_TIMES | heads)
    in_cells = all(things & set(terms(line.text)) for line in answer.lines)
    return in_cells and not _are_a_sort(things, table) and are_no_such(text, answer)


def _is_denied(text: str, told: str) -> bool:
    """Whether ``told`` is not what ``text`` asks about: "not a member" does not say what one is."""
    denied = in_english(_DENIED.match, told)
    if denied is None or not deny_alike(text, denied["rest"]):
        return False
    return frozenset(terms(denied["rest"])) <= frozenset(terms(text))


def are_no_such(text: str, answer: RowsAnswer) -> bool:
    """Return whether ``text`` asks which things there are, and nothing calls the rows so."""
    asked, table = _asked(text, answer), answer.table
    called = table.things | table.headed | _OF_TIMES
    return asked is not None and called.isdisjoint(stems_of(asked["things"]))


def _asked(text: str, answer: RowsAnswer) -> re.Match[str] | None:
    """Return how ``text`` asks for things, where names are the ``answer`` to it."""
    is_named = answer.kind is DirectKind.NAME
    return in_english(_ASKS_FOR_THINGS.match, text) if is_named else None


def _are_a_sort(things: frozenset[str], table: Table) -> bool:
    """Whether several rows have ``things`` for a cell: the ewes of a flock, by their sex."""
    columns = (column.terms for column in table.columns)
    return any(sum(things == told for told in column) > 1 for column in columns)
