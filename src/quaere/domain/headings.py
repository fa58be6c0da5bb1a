"""What is over a place in a text: its headings, and the sentence that leads in its list."""

from __future__ import annotations

import re

_HEADING = re.compile(r"^((#{2,6}) \S[^\n]{0,200})[^\n]*\n", re.MULTILINE)
"""The first level is left out: it is the title of its page, or a comment in code."""
ITEM = re.compile(r"\s*(?:[-*+•]|\(?\d{1,2}[.)])\s+")
"""The mark with which an item of a list begins."""
LONGEST_LIST = 8_000
"""Characters before an item in which its lead-in is looked for."""
LONGEST_LEAD_IN = 300
"""Characters of a lead-in that is carried along."""

_ROW = "|"
_SENTENCE_END = re.compile(r"[.!?]\s+(?=\S)")


def headings_over(text: str, end: int, path: str = "", *, start: int = 0) -> str:
    """Return the headings over place ``end`` of ``text``, the widest first, one a line.

    Args:
        text: A text, or a stretch of one.
        end: The place; what it begins itself is not over it.
        path: The headings over ``start``, as returned for it.
        start: A place before ``end``, not inside a heading, where the search for them begins.
    """
    for found in _HEADING.finditer(text, start, end):
        level = len(found[2])
        over = [line for line in path.splitlines() if _level(line) < level]
        path = "\n".join([*over, found[1].rstrip()])
    return path


def plain_headings(path: str) -> str:
    """Return the words of the headings in ``path``, one heading a line."""
    return "\n".join(line.lstrip("# ") for line in path.splitlines())


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))


def lead_in_over(text: str, start: int, known: str = "") -> str:
    """Return the sentence that leads in the list or table in which a line at ``start`` is.

    It is the one above the list that ends with a colon; empty where there is none, or where no
    item and no row begins at ``start``.

    Args:
        text: A text, or a stretch of one.
        start: Where in it a line begins.
        known: What is returned for the beginning of ``text``, if all before ``start`` is items.
    """
    if not _is_listed(text[start : start + 8]):
        return ""
    above = above_the_list(text[max(0, start - LONGEST_LIST) : start])
    if not above:
        return known
    lead = _SENTENCE_END.split(above.rpartition("\n\n")[2])[-1].strip()
    return lead if lead.endswith(":") and len(lead) <= LONGEST_LEAD_IN else ""


def above_the_list(text: str) -> str:
    """Return ``text`` without the items and rows with which it ends, and their further lines."""
    lines = text.rstrip().split("\n")
    while lines and _is_further(lines[-1]):
        lines.pop()
    return "\n".join(lines).rstrip()


def _is_further(line: str) -> bool:
    return not line.strip() or _is_listed(line) or line[:1].isspace()


def _is_listed(line: str) -> bool:
    return line.startswith(_ROW) or ITEM.match(line) is not None
