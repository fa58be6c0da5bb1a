"""Names of code in a question: `max_runs`, `--no-color`, `AgentReply`, `www-data`.

Who gives one asks of that, whatever else is said in other words: what has it comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from quaere.reason.extractive.pool import Line, Pool
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

IDENTIFIER = lazy_regex(
    r"(?<![\w-])(?:--[a-z][\w-]*\w|[A-Za-z](?=\w*_)\w*[A-Za-z0-9]|[%$][A-Za-z]\w*)(?!\w)"
)
"""A name of code: `max_runs`, `--no-color`, `%M`."""
_COMPOUND = lazy_regex(
    r"(?<![\w-])(?:(?!Ma?c[A-Z])[A-Z][a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:-[a-z]+)+)(?![\w-])"
)
"""What may be one where the sources set it as code: `AgentReply`, `only-if-needed`."""


def holds_identifiers(pool: Pool, question: str) -> bool:
    """Return whether the sources have what ``question`` calls by a name of code, each by its whole.

    Its parts are not it: `MAX_RUNS` is not answered by what `MAX_FILES` is.
    """
    named = {found[0].casefold() for found in IDENTIFIER.finditer(question)}
    wanted = [re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in named]
    held = [text.casefold() for p in pool.passages for text in (p.text, p.title, p.table_head)]
    return all(any(map(each.search, held)) for each in wanted)


def identifiers(question: str, pool: Pool) -> frozenset[str]:
    """Return the stems in the names of code of ``question`` that the sources have.

    A word with a hyphen or a capital in it is one where a passage sets it as code.
    """
    named = {found[0] for found in IDENTIFIER.finditer(question)}
    named.update(name for name in _compounds(question) if _is_code(name, pool))
    return frozenset(term for name in named for term in terms(name) if pool.holds(term))


def _compounds(question: str) -> Iterator[str]:
    return (found[0] for found in _COMPOUND.finditer(question))


def _is_code(name: str, pool: Pool) -> bool:
    return any(f"`{name}`" in passage.text for passage in pool.passages)


T = TypeVar("T")


def having_identifiers(
    told: Sequence[T], question: str, pool: Pool, line_of: Callable[[T], Line]
) -> Sequence[T]:
    """Return those of ``told`` whose line, or what is over it, has the names of code asked about.

    All of them where none has. ``line_of`` gives the line of each.
    """
    named = identifiers(question, pool)
    if not named:
        return told
    lines = ((each, line_of(each)) for each in told)
    over = ((each, e.terms | pool.over(e) | pool.file_terms(e)) for each, e in lines)
    return [each for each, found in over if named <= found] or told
