"""Words a query the way a search engine takes it; no text can break out of its place."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import is_stop_word

MAX_STRICT = 8
"""Words that a source must all have; more than these no source has."""
MAX_LOOSE = 24

_UNSEEN = lazy_regex(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_FIELD_TAG = lazy_regex(r"\[[A-Za-z][A-Za-z0-9 /:_~-]{0,40}\]")
_OPERATOR = frozenset({"AND", "OR", "NOT", "TO"})
_PIECE = lazy_regex(r'"([^"]{1,200})"|(\w(?:[\w.\'’/-]{0,60}\w)?)')
_WORD = lazy_regex(r"\w(?:[\w.'’/-]{0,60}\w)?")


def worded(text: str, *, max_chars: int, max_words: int | None = None) -> str:
    """Return ``text`` for an engine that takes whole questions: on one line and not too long.

    It ends after a word where it has to be cut. Empty when nothing in it can be seen.
    """
    # A word takes two characters at least, so that no more than this can matter.
    words = _UNSEEN.sub(" ", text[: 4 * max_chars]).split()[:max_words]
    line = " ".join(words)
    if len(line) <= max_chars:
        return line
    head, space, _ = line[: max_chars + 1].rpartition(" ")
    return head if space else line[:max_chars]


def keywords(text: str) -> tuple[str, ...]:
    """Return the words that say what ``text`` is about, each once, in order.

    What is in double quotes is one of them, if it is several words; they have no quotes of
    their own. Stop words, operators and the field tags of PubMed's syntax are left out.
    """
    found: dict[str, str] = {}
    for match in _PIECE.finditer(_FIELD_TAG.sub(" ", _UNSEEN.sub(" ", text[:20_000]))):
        phrase, word = match.groups()
        parts = _WORD.findall(phrase) if phrase else [word]
        if len(parts) > 1:
            found.setdefault(" ".join(parts).casefold(), " ".join(parts))
            continue
        for part in filter(_has_content, parts):
            found.setdefault(part.casefold(), part)
        if len(found) >= MAX_LOOSE:
            break
    return tuple(found.values())


def _has_content(word: str) -> bool:
    return word not in _OPERATOR and not is_stop_word(word)


def quoted(words: Iterable[str]) -> tuple[str, ...]:
    """Return ``words`` with quotes round those that are more than letters and digits."""
    return tuple(word if word.isalnum() else f'"{word}"' for word in words)
