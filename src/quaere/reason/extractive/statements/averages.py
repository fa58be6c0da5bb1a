"""Tells whether a sentence has the average of what is asked for, or that of something else."""

from __future__ import annotations

from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem

_AVERAGED = lazy_regex(r"(?i)\baverage ((?:[^\W\d]+ ?){1,4})")
_WORD = lazy_regex(r"[^\W\d_]+")


def lacks_average(question: str, said: str) -> bool:
    """Return whether ``question`` asks for an average, and ``said`` tells that of something else.

    "The average debt" does not answer what interest was on average.
    """
    asked = _averaged(last_question(question))
    return bool(asked) and asked.isdisjoint(_averaged(said))


def _averaged(text: str) -> frozenset[str]:
    """Return the stems of what ``text`` speaks of the average of."""
    named = " ".join(_AVERAGED.findall(text)).lower()
    return frozenset(map(stem, _WORD.findall(named)))
