"""Puts words together that the end of a line divides."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

WORD = re.compile(r"\w+(?:-\w+)*")
_END = re.compile(r"(?P<before>.*\s)(?P<half>[\w-]*\w)\u2010$")
_START = re.compile(r"\s*(?P<rest>\w+)")
_HYPHEN = str.maketrans("\u2010", "-")


def undivided(first: str, second: str, vocabulary: Container[str]) -> str:
    """Return the word that a line ends within, after ``first``.

    The hyphen stays where the ``vocabulary``, in lower case, has the word with it, or has both
    parts as words and never as one. What comes after it in capitals or figures was never one word
    with what is before it.
    """
    hyphened, joined = f"{first}-{second}", first + second
    if not (second[0].islower() and first[-1].isalpha()):
        return hyphened
    if joined.lower() in vocabulary:
        return joined
    is_compound = hyphened.lower() in vocabulary or (
        first.lower() in vocabulary and second in vocabulary
    )
    return hyphened if is_compound else joined


def join_lines(lines: Sequence[str]) -> list[str]:
    """Return as many lines, those words whole that a typeset hyphen (U+2010) divides.

    A manual page has it where ``man`` ended a line within a word. The word goes to the line on
    which it ends, so that every line keeps its number.
    """
    if not any(line.endswith("\u2010") for line in lines):
        return list(lines)
    found = list(lines)
    vocabulary = _vocabulary(lines)
    for at in range(len(found) - 1):
        end, start = _END.match(found[at]), _START.match(found[at + 1])
        if end and start:
            word = undivided(end["half"], start["rest"], vocabulary)
            below = found[at + 1]
            found[at] = end["before"].rstrip()
            found[at + 1] = below[: start.start("rest")] + word + below[start.end("rest") :]
    return found


def _vocabulary(lines: Sequence[str]) -> frozenset[str]:
    """Return the words of ``lines`` in lower case, but for the halves of those that are divided."""
    whole = (_END.sub(r"\g<before>", line) for line in lines)
    said = (word for line in whole for word in WORD.findall(line.translate(_HYPHEN)))
    return frozenset(word.lower() for word in said)
