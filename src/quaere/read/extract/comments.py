"""Comments of configuration files and scripts: their words without the number sign before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

FEWEST: Final = 3
"""Lines of comments below each other from which a file has comments rather than headings."""
MOST: Final = 0.5
"""Share of the lines with a number sign that have another right above or below them, from which
these are comments: headings have text between them."""
SAID: Final = 4
"""Words of a line without a space after its sign from which it is a sentence."""

_MARKED = re.compile(r"[ \t]*#")
_COMMENT = re.compile(r"(?P<indent>[ \t]*)#+(?P<space> ?)(?P<said>.*)")
_RULE = re.compile(r"\W*")
_DIRECTIVE = re.compile(r"#(?:!|(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma)\b)")
"""What follows the sign in a program: "#!/bin/sh", "#include <stdio.h>"."""
_SETTING = re.compile(
    r"\s*(?:[\w.-]+\s*=.*|[a-z][\w.-]*:\s+\S+|[\w.-]+\s+\S+"
    r"|(?:\w+[._-]\w|[A-Za-z][a-z]+[A-Z])[\w.-]*\s+\S+(?:\s+\S+){1,4})"
)
"""A name and what it is set to: "deny = 3", "port: 22", "Tunnel no", "tls-cert-file our.crt"."""
_GAP = re.compile(r"\S(?: {2,}|\t)\S")
_ENDS: Final = (".", ":", ";", ",", "!", "?", ")")


def uncommented(lines: Sequence[str]) -> list[str]:
    """Return ``lines`` with comments as text, where a file has comments and no headings.

    Settings that are commented out stay as they are: they are not in force.
    """
    if not _has_comments(lines):
        return list(lines)
    return list(_shown(lines))


def _has_comments(lines: Sequence[str]) -> bool:
    marked = [_MARKED.match(line) is not None for line in lines]
    beside = [a and b for a, b in pairwise((False, *marked, False))]
    together = sum(above or below for above, below in pairwise(beside))
    return together >= FEWEST and together >= MOST * sum(marked)


def _shown(lines: Sequence[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        comment = _COMMENT.fullmatch(line)
        if comment and _says(comment, before):
            before = comment["said"]
            yield f"{comment['indent']}{before}".rstrip()
        else:
            before = ""
            yield line


def _says(comment: re.Match[str], before: str) -> bool:
    """Whether ``comment`` tells something, or parts what others tell; ``before`` is the last."""
    said = comment["said"]
    if _RULE.fullmatch(said):
        return not said.strip() or bool(comment["space"]) or "#" in said
    goes_on = bool(before) and not before.endswith(_ENDS)
    if _DIRECTIVE.match(comment[0].lstrip()) or _is_setting(said, goes_on=goes_on):
        return False
    count, ends = len(said.split()), said.endswith(_ENDS)
    if comment["space"]:
        return any((goes_on, ends, count > 1))
    is_sentence = count >= SAID and not _GAP.search(said)
    return any((is_sentence, before and ends, said[0].isspace()))


def _is_setting(said: str, *, goes_on: bool) -> bool:
    """Whether ``said`` is a setting; a sentence that ``goes_on`` may look like one."""
    if said.endswith(_ENDS) or (goes_on and len(said.split()) >= SAID):
        return False
    return _SETTING.fullmatch(said) is not None
