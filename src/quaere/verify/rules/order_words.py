"""Words of order in two aligned statements: before and after, above and below, first and last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, ONES
from quaere.verify.align import Alignment, clashes, stems
from quaere.verify.rules.comparisons import direction
from quaere.verify.rules.limits import is_of_the_rest, turns_limit

_POINT: Final = rf"(?:(?:the )?(?:end|beginning|start|middle)|\d{{4}}|{'|'.join(MONTHS)})"
"""Begins a point of time, by which or from which something is."""
_ORDERS: Final = (
    (r"before|prior to|ahead of|preced\w+", r"after|following|later than|succeed(?:s|ed)"),
    (r"above|over|exceed\w*", r"below|under|beneath"),
    (r"upstream", r"downstream"),
    (r"until|till|up to", r"since|from"),
    (r"inside|within", r"outside|beyond"),
    (r"at least|no less than|no fewer than|minimum", r"at most|no more than|maximum|up to"),
    (r"BCE?|B\.C\.", r"AD|CE|A\.D\."),
    (r"earliest|(?<!comes )first|oldest", r"(?<!at the )latest|last|newest|youngest"),
    (r"(?<!-)clockwise", r"anti-?clockwise|counter-?clockwise"),
    (rf"by {_POINT}", rf"(?:from|since) {_POINT}"),
)
_TIMED: Final = lazy_regex(rf"(?i)\b(?:before|after) (?:\d|an?\b|(?:{'|'.join(ONES)})\b)")
"""How long it takes: "deleted after two weeks" puts nothing in order."""
_TURNABLE, _CONVERSE = 1, 3
"""The first of the pairs above relates two things that may be named in either order; of what is
told by the first three, the one is true of two things where the other is of the two exchanged."""


def has_other_order(alignment: Alignment) -> bool:
    """Return whether a word of order in the sentence has another side in its source, or turns."""
    said, held = alignment.said, alignment.held
    if turns_limit(said, held) < 0:
        return not (clashes(alignment) or is_of_the_rest(said, held))
    first = _TURNABLE if _TIMED.search(said) else 0
    return any(_is_turned_at(place, said, held) for place in range(first, len(_ORDERS)))


def _is_turned_at(place: int, said: str, held: str) -> bool:
    """Return whether the words of order at ``place`` in the list have another side."""
    pair = _ORDERS[place]
    if place < _TURNABLE:
        return _is_turned_round(said, held, pair)
    if not _is_turned(said, held, pair):
        return False
    return place >= _CONVERSE or not _is_exchanged(said, held, pair)


def _is_turned(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether ``said`` has one of ``pair`` alone, and ``held`` the other alone."""
    here, there = _of_pair(said, pair), _of_pair(held, pair)
    return here in ([True, False], [False, True]) and there == here[::-1]


def _is_turned_round(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return the same of a ``pair`` of words that may exchange what they part.

    "A before B" is "B after A", and the opposite of "A after B".
    """
    here, there = _of_pair(said, pair), _of_pair(held, pair)
    if here == there != [False, False] and _is_exchanged(said, held, pair):
        return True
    if _is_turned(said, held, pair):
        return not _is_exchanged(said, held, pair)
    alone = here in ([True, False], [False, True])
    return alone and all(there) and _is_bound_otherwise(said, held, pair)


def _of_pair(text: str, pair: Sequence[str]) -> list[bool]:
    flags = 0 if "BC" in pair[0] else re.IGNORECASE
    return [re.search(rf"\b(?:{words})(?!\w)", text, flags) is not None for words in pair]


def _is_bound_otherwise(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether what follows a word of order in ``said`` follows the other in ``held``.

    "Asked after words and before the model" does not ask "after the model".
    """
    here = [_following(said, words) for words in pair]
    there = [_following(held, words) for words in pair]
    return any(here[n] & there[1 - n] and not here[n] & there[n] for n in (0, 1))


def _following(text: str, words: str) -> frozenset[str]:
    """Return the stems of what follows ``words`` in ``text``, up to the next part of it."""
    parts = re.findall(rf"(?i)\b(?:{words})\b([^,;:.]*?)(?=$|[,;:.]|\b(?:and|or|but)\b)", text)
    return stems(parts)


def _is_exchanged(said: str, held: str, pair: Sequence[str]) -> bool:
    """Return whether the things around a word of order have changed places, round each in ``held``.

    Of several such words it is not known which is meant.
    """
    either = re.compile(rf"\b(?:{pair[0]}|{pair[1]})\b", re.IGNORECASE)
    here, there = either.search(said), [*either.finditer(held)]
    if here is None or not there:
        return False
    a, b = _around(said, here)
    return all(
        a & d and _meet(b, c, held) and direction(a, b, c, d) < 0
        for c, d in (_around(held, each) for each in there)
    )


def _meet(thing: frozenset[str], other: frozenset[str], held: str) -> bool:
    """Return whether two things share a word: one that moves alone is of either.

    Where ``held``, the source, has a pronoun, that may mean a ``thing`` which it does not name.
    """
    if thing & other:
        return True
    return bool(thing) and _PRONOUN.search(held) is not None and not thing & stems([held])


_PRONOUN: Final = lazy_regex(r"(?i)\b(?:it|he|she|they)\b")


def _around(text: str, word: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems before and behind ``word`` in ``text``."""
    before, behind = text[: word.start()], text[word.end() :]
    if not before.strip():  # "After the war, it closed" begins with what came first
        behind, _, before = behind.partition(",")
    return stems([before]), stems([behind])
