"""Whether a sentence has one word in the place of another one of its source.

"The gates are made of oak" has all words but one of "The gates are made of larch", and says another
thing. Words alone can't tell whether the two mean the same, so that it is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, Word, content

LEAST: Final = 2
"""Words that both must share, so that they say something of the same."""
_SHORTEST: Final = 3
"""Letters of a stem that is more than a sign."""


def replaces(aligned: Sequence[Alignment]) -> bool:
    """Return whether a clause is the sentence but for one word, which no line has.

    A longer clause may say with others of its words what the sentence says with that one.

    Args:
        aligned: The sentence, next to each line that comes near to it.
    """
    if spoken() is not None or not any(map(_has_other_word, aligned)):
        return False
    laid = [{match.said for match in each.matches} for each in aligned]
    return any(all(word not in each for each in laid) for word in aligned[0].words)


def _has_other_word(alignment: Alignment) -> bool:
    held, words = {match.said: match.held for match in alignment.matches}, alignment.words
    left = [at for at, word in enumerate(words) if word not in held]
    if len(left) != 1 or len(held) < LEAST or _POINTS_BACK.search(alignment.held):
        return False
    at, clauses = left[0], {word.clause for word in held.values()}
    theirs = [word for word in content(alignment.held) if word.clause in clauses]
    if len(clauses) != 1 or len(theirs) != len(words):
        return False
    is_same_else = all(
        held.get(word, other) == other for word, other in zip(words, theirs, strict=True)
    )
    return is_same_else and all(
        _is_thing(text, each[at])
        for text, each in ((alignment.said, words), (alignment.held, theirs))
    )


_BEFORE_THING: Final = lazy_regex(
    r"(?i)\b(?:an?|the|this|that|its|his|her|their|of|in|on|at|from|with|by|for|into|as)\s+\W*$"
)
"""What is before nouns and their adjectives, and seldom before verbs, of which many say much
the same."""
_POINTS_BACK: Final = lazy_regex(r"(?i)\b(?:it|they|them|he|him|she|these|those|there|here)\b")
"""May be what the sentence calls by its name."""


def _is_thing(text: str, word: Word) -> bool:
    """Whether ``word`` names what something is or how it is: no figure, no light word, no verb."""
    if word.weight < 1 or word.stem[0].isdigit() or len(word.stem) < _SHORTEST:
        return False
    return _BEFORE_THING.search(text, 0, word.start) is not None
