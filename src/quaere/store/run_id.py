"""Ids of runs as people type them: whole, or as much of the beginning as names only one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.errors import TraceNotFound
from quaere.text.sanitize import quoted

MAX_ID_CHARS = 64
MIN_PREFIX_CHARS = 4
"""The shortest prefix that is accepted in place of a whole id."""
SHORT_ID_CHARS = 8
"""How much of an id lists show; random ids of that length hardly ever collide."""
MAX_CANDIDATES = 10
"""The most ids that the message about an ambiguous prefix lists."""


def is_run_id(text: str) -> bool:
    """Return whether a run may have ``text`` as its id: short, printable and not empty."""
    return 0 < len(text) <= MAX_ID_CHARS and text.isprintable()


def is_prefix(text: str) -> bool:
    """Return whether ``text`` is long enough to stand for the ids that begin with it."""
    return is_run_id(text) and len(text) >= MIN_PREFIX_CHARS


def resolve_run_id(typed: str, ids: Iterable[str], *, kind: str = "run") -> str:
    """Return the id among ``ids`` that equals ``typed``, or the only one that begins with it.

    Args:
        typed: What was typed.
        ids: Those there are.
        kind: What they are the ids of, for the message.

    Raises:
        TraceNotFound: when there is none, or when several begin with it; the message lists them.
    """
    known = set(ids)
    if typed in known:
        return typed
    found = sorted(each for each in known if is_prefix(typed) and each.startswith(typed))
    if len(found) == 1:
        return found[0]
    raise TraceNotFound(_several(typed, found) if found else _none(typed, kind))


def _none(typed: str, kind: str) -> str:
    is_short = 0 < len(typed) < MIN_PREFIX_CHARS
    more = f"; give at least {MIN_PREFIX_CHARS} characters of one" if is_short else ""
    return f"No {kind} has the id {quoted(typed)}{more}."


def _several(typed: str, found: Sequence[str]) -> str:
    listed = ", ".join(found[:MAX_CANDIDATES])
    more = ", …" if len(found) > MAX_CANDIDATES else ""
    return f"Several runs have an id that begins with {quoted(typed)}: {listed}{more}"
