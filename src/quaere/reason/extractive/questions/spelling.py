"""Reads a question as it was meant where a slip of the keyboard is all that is wrong with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from quaere.ports.search import TermStatistics
from quaere.reason.extractive.pool import Pool
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import other_spellings, related_words
from quaere.text.tokens import is_stop_word, stem, tokenize

SHORTEST = 6
"""Letters of a word that is respelled, at least: of shorter ones too many are a slip apart."""
_BEYOND_SPACES = "\u0e00"
"""The first letter of the scripts without spaces, in which words are not spelled."""
_ASKING = {
    "wich": "which", "whcih": "which", "whihc": "which", "wihch": "which", "whitch": "which",
    "waht": "what", "hwat": "what", "whta": "what", "wath": "what", "whats": "what is",
    "hwo": "how", "hwow": "how", "hoe": "how", "wehn": "when", "whne": "when", "hwen": "when",
    "wher": "where", "whre": "where", "wheer": "where", "hwy": "why", "whos": "who is",
}  # fmt: skip
"""What a question begins with, as it is often typed."""
_FIRST = lazy_regex(r"\W*(?P<word>[A-Za-z]+)(?=\s)")


def as_meant(question: str, pool: Pool, statistics: TermStatistics | None = None) -> str:
    """Return ``question`` with words spelled as the sources do, which they have not as it is typed.

    A word is respelled where the sources have one alone that differs by a letter too few or too
    many, by two letters that changed places, or by marks on letters that were left out.

    Args:
        question: What was asked.
        pool: The evidence, read.
        statistics: How common words are in what was searched.
    """
    text = _FIRST.sub(_asking, question, count=1) if is_english() else question
    found = [
        (token.start, token.end, meant)
        for token in tokenize(text)
        if (meant := _respelled(token.text, pool, statistics))
    ]
    for start, end, meant in reversed(found):
        text = f"{text[:start]}{meant}{text[end:]}"
    return text


def as_written(question: str, statistics: TermStatistics) -> str:
    """Return ``question`` in the spelling of what is searched: British or American.

    A word is changed that is not there as it is asked, and is in the other spelling.
    """
    if not is_english():
        return question
    text = question
    for token in reversed(tokenize(question)):
        word = token.text.casefold()
        if is_stop_word(word) or statistics.document_share(word) > 0:
            continue
        others = (other for other in other_spellings(word) if statistics.document_share(other) > 0)
        if other := next(others, None):
            text = f"{text[: token.start]}{other}{text[token.end :]}"
    return text


def _asking(found: re.Match[str]) -> str:
    typed = found["word"]
    meant = _ASKING.get(typed.casefold())
    if meant is None:
        return found[0]
    spelled = meant.capitalize() if typed[0].isupper() else meant
    return f"{found[0][: -len(typed)]}{spelled}"


def _respelled(word: str, pool: Pool, statistics: TermStatistics | None) -> str | None:
    """Return the word of the sources that ``word`` is a slip of; None where that is not clear."""
    typed = word.casefold()
    if not _may_be_slip(typed) or _is_known(typed, pool, statistics):
        return None
    meant = sorted({said for said in _words(pool, typed[0]) if is_slip(typed, said)})
    return meant[0] if len({stem(said) for said in meant}) == 1 else None


def _may_be_slip(typed: str) -> bool:
    """Return whether ``typed`` is a long word that tells something, in a script with spaces."""
    is_word = typed.isalpha() and typed[0] < _BEYOND_SPACES
    return is_word and len(typed) >= SHORTEST and not is_stop_word(typed)


def _is_known(typed: str, pool: Pool, statistics: TermStatistics | None) -> bool:
    """Return whether the sources, or all that is searched, have ``typed`` or a word akin to it."""
    if any(pool.holds(stem(word)) for word in (typed, *related_words(typed))):
        return True
    return statistics is not None and statistics.document_share(typed) > 0


def _words(pool: Pool, initial: str) -> Iterable[str]:
    return (said for line in pool.lines for said in line.flat.split() if said.startswith(initial))


def _is_near(typed: str, meant: str) -> bool:
    return abs(len(typed) - len(meant)) <= 1 and meant.isalpha() and typed != meant


def is_slip(typed: str, meant: str) -> bool:
    """Return whether ``typed`` is ``meant`` but for one letter more or less, or two swapped."""
    if not _is_near(typed, meant):
        return False
    if _plain(typed) == _plain(meant):
        return True
    if len(typed) == len(meant):
        return any(_swapped(typed, at) == meant for at, _ in enumerate(pairwise(typed)))
    shorter, longer = sorted((typed, meant), key=len)
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def _plain(word: str) -> str:
    """Return ``word`` without the marks on its letters: "dialogo" for "diálogo"."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _swapped(word: str, at: int) -> str:
    return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"
