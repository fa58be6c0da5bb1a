"""Tells which words of German and Dutch are forms of one, where no stemmer brings them together."""

from __future__ import annotations

from quaere.text.lazy_regex import lazy_regex

JOINING = frozenset({"de", "nl"})
SHORTEST, LONGER = 4, 3
"""Letters of a word that is looked for in longer ones, at least; and those of the rest."""
_DIVIDED = lazy_regex(
    r"(?P<before>ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zurück)"
    r"(?:ge|zu)(?P<verb>\w{4,})"
)
"""A German verb that is divided by what makes its participle or its infinitive."""

_VOWEL = lazy_regex(r"[aeiouyäöü]")
"""What the rest of a joined word has: a "Schwein" is not made of "Wein"."""


def is_form(held: str, term: str) -> bool:
    """Return whether ``held`` ends in ``term``, or is a participle or an infinitive of it.

    "Musikinstrumente" are instruments, a "Bahnfahrkarte" may be called a "Fahrkarte", what is
    "gespielt" is played, and what is "abgestellt" is what one has "abzustellen".

    Args:
        held: The stem of a word.
        term: That of another one.
    """
    if held.startswith(f"ge{term}"):
        return len(held) <= len(term) + 4
    if (whole := _undivided(held)) != held and whole in {_bare(term), _undivided(term)}:
        return True
    if len(term) < SHORTEST or not held.endswith(term) or len(held) < len(term) + LONGER:
        return False
    return _VOWEL.search(held, 0, len(held) - len(term)) is not None


def _undivided(term: str) -> str:
    divided = _DIVIDED.fullmatch(term)
    return _bare(divided["before"] + divided["verb"]) if divided else term


def _bare(term: str) -> str:
    """Return ``term`` without the letter that a participle may end with."""
    return term.removesuffix("t")
