"""Reads a question for one line as a share of another: "the proportion of rent over costs"."""

from __future__ import annotations

from quaere.text.lazy_regex import lazy_regex

_SHARE = lazy_regex(
    r"(?i)\b(?:ratio|proportion|share|percentage)\s+of (?P<part>[^?]+?) (?:to|over|divided by"
    r"|(?:relative|compared) to|as an? (?:percentage|share|proportion|fraction) of)"
    r" (?P<whole>[^?]+)"
)


def share_asked(clause: str) -> tuple[str, str] | None:
    """Return what ``clause`` names as a part, and of what whole; None where it asks for no share.

    Args:
        clause: What asks for a figure, without brackets.
    """
    found = _SHARE.search(clause)
    return (found["part"], found["whole"]) if found else None
