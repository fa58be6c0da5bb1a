"""Figures that stand raised over the line: powers, units and the marks of notes.

Unicode has signs for them, so that "10⁶", "m²" and "word.¹²" are told as a page shows them. As
plain figures they would be others: 106, m2 and 12.
"""

from __future__ import annotations

from typing import Final

from quaere.text.lazy_regex import lazy_regex

RAISED: Final = "⁰¹²³⁴-⁹"
"""The raised figures, for a class of a pattern."""
_FIGURES: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SIGNS: Final = {"+": "⁺", "-": "⁻", "−": "⁻", "–": "⁻"}
_TOLD = lazy_regex(
    r"(?P<sign>[+−–-]?)(?P<figures>[0-9]{1,4}|[0-9]{1,3}(?:[,–-] ?[0-9]{1,3}){1,9})"
    r"(?P<charge>[+−–-]?)"
)


def raised(text: str) -> str:
    """Return ``text``, which stands raised, in raised figures; other text than figures as it is."""
    bare = text.strip()
    told = _TOLD.fullmatch(bare)
    if told is None:
        return text
    sign, charge = (_SIGNS.get(told[each], "") for each in ("sign", "charge"))
    return text.replace(bare, sign + told["figures"].translate(_FIGURES) + charge)


def lowered(text: str) -> str:
    """Return ``text`` with plain figures for raised ones."""
    return text.translate(_PLAIN)
