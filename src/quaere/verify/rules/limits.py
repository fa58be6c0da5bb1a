"""On which side of a figure something is said to hold: "up to 12 metres", "over 12 metres".

Who turns the side and denies it as well says the same: boats over 12 metres may not moor, and boats
of up to 12 metres may; what is kept for two weeks is deleted after two weeks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.align import stems
from quaere.verify.ground import ground
from quaere.verify.quantities import amounts, is_equal

_MORE: Final = "more|longer|older|higher|larger|greater|heavier|wider|later|taller|faster"
_LESS: Final = "less|fewer|shorter|younger|lower|smaller|lighter|narrower|earlier|slower"
_ABOVE: Final = lazy_regex(
    r"(?i)\b(?:over|above|beyond|after|exceed\w*|at least|minimum(?: of)?|from"
    rf"|no (?:{_LESS}) than|(?<!\bno )(?:{_MORE}) than)\s\W?\Z"
)
_BELOW: Final = lazy_regex(
    r"(?i)\b(?:under|below|up to|within|for|before|until|at most|maximum(?: of)?"
    rf"|no (?:{_MORE}) than|(?<!\bno )(?:{_LESS}) than)\s\W?\Z"
)
_AND_MORE: Final = lazy_regex(
    rf"(?i)\s(?:\w+\s)?(?:or|and) (?:{_MORE}|over|above|upwards)\b(?! than|\s\W?\d)"
)
_AND_LESS: Final = lazy_regex(
    rf"(?i)\s(?:\w+\s)?(?:or|and) (?:{_LESS}|under|below)\b(?! than|\s\W?\d)"
)
_REST: Final = lazy_regex(
    r"(?i)[;,.]\s+(?:and |but |while )?(?:all |any |every )?(?:the )?"
    r"(?:others?|rest|everything else|anything else|otherwise)\b(?P<told>[^;.]*)"
)
_AT_MOST: Final = lazy_regex(
    r"(?i)\b(?:at most|up to|maximum|no \w+ than|limit\w*"
    r"|(?:not|n['’]t|cannot) (?:\w+ ){0,2}?(?:more|\w+er) than)\b"
)
_BEFORE_CHARS: Final = 24
"""Characters before a figure in which the words that bound it stand."""


def turns_limit(said: str, held: str) -> int:
    """Return -1 where a figure of both is the least in one and the most in the other.

    1 where it is the same in both, 0 where either sets no limit.
    """
    mine, theirs = _limits(said), _limits(held)
    met = [side * other for n, side in mine for m, other in theirs if is_equal(n, m)]
    return met[0] if met and len(set(met)) == 1 else 0


def is_limit(text: str) -> bool:
    """Return whether ``text`` says up to what something may be."""
    return _AT_MOST.search(text) is not None


def _limits(text: str) -> Sequence[tuple[Number, int]]:
    """Return the figures that ``text`` bounds, with 1 for the least, -1 for the most."""
    return list(_sided(text, amounts(ground(text))))


def is_of_the_rest(said: str, held: str) -> bool:
    """Return whether ``said`` is about what ``held`` says of all others than those it limits.

    As in "repairs up to 100 euros are paid by the tenant; all others by the landlord".
    """
    rest = _REST.search(held)
    if rest is None:
        return False
    apart = stems([rest["told"]]) - stems([held[: rest.start()]])
    return bool(apart) and apart <= stems([said])


def _sided(text: str, figures: Iterable[Number]) -> Iterable[tuple[Number, int]]:
    for figure in figures:
        before = text[max(0, figure.start - _BEFORE_CHARS) : figure.start]
        behind = text[figure.end :]
        above = _ABOVE.search(before) or _AND_MORE.match(behind)
        below = _BELOW.search(before) or _AND_LESS.match(behind)
        side = bool(above) - bool(below)
        if side:
            yield figure, side
