"""Tells which words of German and Dutch are forms of one, where no stemmer brings them together."""

from __future__ import annotations

from quaere.text.lazy_regex import lazy_regex

JOINING = frozenset({"de", "nl"})
SHORTEST, LONGER = 5, 3
"""Letters of a word that is looked for in longer ones, at least; and those of the rest."""
_DIVIDED = lazy_regex(
    r"(?P<before>ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zurück)"
    r"(?:ge|zu)(?P<verb>\w{4,})"
)
"""A German verb that is divided by what makes its participle or its infinitive."""


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
    return len(term) >= SHORTEST and held.endswith(term) and len(held) >= len(term) + LONGER


def _undivided(term: str) -> str:
    divided = _DIVIDED.fullmatch(term)
    return _bare(divided["before"] + divided["verb"]) if divided else term


def _bare(term: str) -> str:
    """Return ``term`` without the letter that a participle may end with."""
    return term.removesuffix("t")
