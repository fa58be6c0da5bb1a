"""Finds what an abbreviation stands for: words of the sources whose first letters spell it.

"DSMB" is the "data and safety monitoring board", wherever the two stand next to each other. English
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import in_english
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
_MARKS: Final = r"[\"”'’)\]*_]*"
_OPENS: Final = r"[\s\"“'‘*_|]*(?:(?:all |also )?(?:the|an?)\s+)?[\"“'‘*_]*"
_PARTS: Final = r"\s*(?:[(\[:=–—|/\n\t]|\s[\s-])"
_TO_WORDS: Final = lazy_regex(
    rf"(?i){_MARKS}s?{_MARKS}(?:{_PARTS}"
    r"|[^.!?;\n]{0,40}?\b(?:stands? for|short for|means?|abbreviat\w+ (?:of|for)|refers? to|or))"
    + _OPENS
)
"""What is between an abbreviation and the words after it that it stands for."""
_TO_NAME: Final = lazy_regex(rf"(?i){_MARKS}(?:,|\s+is\b){_OPENS}")
"""What may be so where these have capitals."""
_TO_SHORT: Final = lazy_regex(
    rf"(?i){_MARKS}(?:{_PARTS}|\s*[(\[,]?\s*(?:[a-z]+ ){{0,2}}?"
    rf"(?:or|called|as|short|hereafter|hereinafter)\b[,:]?){_OPENS}"
)
"""What is between words and the abbreviation after them that stands for them."""
AFTER, BEFORE = 60, 30
"""Characters that this has at most."""


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
    told = ((expansion_in(short, _as_written(line, pool)), line) for line in pool.lines)
    return next((Expansion(text, line) for text, line in told if text), None)


def _as_written(line: Line, pool: Pool) -> str:
    """Return ``line`` with the spaces that part its columns."""
    return pool.passages[line.owner].text[line.start : line.end]


def lacks_expansion(question: str, sentence: str) -> bool:
    """Return whether it is asked what an abbreviation stands for, and ``sentence`` uses it only."""
    short = _asked(question)
    if not short or expansion_in(short, sentence):
        return False
    _, named, after = sentence.partition(short)
    return not named or not _TELLS.match(after.lstrip(" )s\"”'’*_"))


def _asked(question: str) -> str:
    """Return the abbreviation of which ``question`` asks what it stands for; empty for none."""
    asked = in_english(_ASKS.match, last_question(question))
    return asked["short"] if asked else ""


def expansion_in(short: str, text: str) -> str:
    """Return the words of ``text`` next to ``short`` whose first letters spell it, or nothing.

    Small words may be among them, and both parts of "co-ordinator" count. What is between the two
    says that they are the same: "The IT team is in the office" does not spell "IT" out.
    """
    places = [found.span() for found in _WORD.finditer(text) if found[0].removesuffix("s") == short]
    for start, end in _spelt(short.casefold(), text):
        said = text[start:end].split()
        is_told = any(_are_one(text, at, (start, end)) for at in places)
        if is_told and said[-1].casefold() not in _SMALL:
            return " ".join(said)
    return ""


def _are_one(text: str, short: tuple[int, int], told: tuple[int, int]) -> bool:
    """Whether ``text`` says that the abbreviation at ``short`` stands for the words at ``told``."""
    if 0 <= told[0] - short[1] <= AFTER:
        between = (text, short[1], told[0])
        is_name = text[told[0]].isupper() and _TO_NAME.fullmatch(*between) is not None
        is_all = not (text[: short[0]] + text[told[1] :]).strip(" .*_|-")
        return is_all or is_name or _TO_WORDS.fullmatch(*between) is not None
    before = 0 <= short[0] - told[1] <= BEFORE
    return before and _TO_SHORT.fullmatch(text, told[1], short[0]) is not None


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
