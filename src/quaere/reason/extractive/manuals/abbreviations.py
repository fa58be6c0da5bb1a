"""Finds what an abbreviation stands for: words of the sources whose first letters spell it.

"DSMB" is the "data and safety monitoring board", wherever the two stand next to each other. English
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import words

_ASKS: Final = lazy_regex(
    r"(?:(?i:\W*what\s+(?:does|do|is|are)\s+(?:the\s+|an?\s+)?)[\"“'‘]?(?P<short>[A-Z]{2,8}?)s?[\"”'’]?"
    r"(?i:\s+(?:stand\s+for|mean|short\s+for|an?\s+abbreviation\s+(?:of|for)))\W*\Z)"
)
_WORD: Final = lazy_regex(r"[^\W\d_]+")
_SMALL: Final = frozenset(words("a an and at by for in of on or the to with"))
"""Words of which an abbreviation need not have a letter."""
_BETWEEN: Final = lazy_regex(r"[\s/&'’-]{1,3}")
_TELLS: Final = lazy_regex(
    r"(?i)\b(?:stands? for|short for|means?|abbreviat\w+|refers? to)\b|[:=–—]"
)
AFTER, BEFORE = 60, 20
"""Characters that may be between an abbreviation and words after it, and before it."""


class Expansion(NamedTuple):
    """The words that an abbreviation stands for, and the line that has both."""

    text: str
    line: Line


def find_expansion(question: str, pool: Pool) -> Expansion | None:
    """Return what the abbreviation in ``question`` stands for; None where no line spells it out.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    short = _asked(question)
    if not short:
        return None
    told = ((expansion_in(short, line.text), line) for line in pool.lines)
    return next((Expansion(text, line) for text, line in told if text), None)


def lacks_expansion(question: str, sentence: str) -> bool:
    """Return whether it is asked what an abbreviation stands for, and ``sentence`` uses it only."""
    short = _asked(question)
    if not short or expansion_in(short, sentence):
        return False
    _, named, after = sentence.partition(short)
    return not named or not _TELLS.match(after.lstrip(" )s\"”'’*_"))


def _asked(question: str) -> str:
    """Return the abbreviation of which ``question`` asks what it stands for; empty for none."""
    asked = _ASKS.match(last_question(question)) if is_english() else None
    return asked["short"] if asked else ""


def expansion_in(short: str, text: str) -> str:
    """Return the words of ``text`` next to ``short`` whose first letters spell it, or nothing.

    Small words may be among them, and both parts of "co-ordinator" count.
    """
    places = [found.span() for found in _WORD.finditer(text) if found[0].removesuffix("s") == short]
    for start, end in _spelt(short.casefold(), text):
        if any(0 <= start - at[1] <= AFTER or 0 <= at[0] - end <= BEFORE for at in places):
            return text[start:end]
    return ""


def _spelt(letters: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where words begin and end in ``text`` whose first letters are ``letters``."""
    tokens = list(_WORD.finditer(text))
    for place, first in enumerate(tokens):
        left, end = letters, first.start()
        for token in tokens[place : place + 2 * len(letters)]:
            word = token[0].casefold()
            if end > first.start() and not _BETWEEN.fullmatch(text, end, token.start()):
                break
            if word[0] == left[0]:
                left = left[1:]
            elif word not in _SMALL or left == letters:
                break
            end = token.end()
            if not left:
                yield first.start(), end
                break
