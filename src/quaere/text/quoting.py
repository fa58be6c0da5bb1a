"""What somebody typed, as a message repeats it."""

from __future__ import annotations

MAX_CHARS = 100


def quoted(typed: str) -> str:
    """Return ``typed`` in quotes with its unprintable characters escaped, cut where it is long."""
    if len(typed) <= MAX_CHARS:
        return repr(typed)
    return f"{typed[:MAX_CHARS]!r}... ({len(typed):,} characters)"
