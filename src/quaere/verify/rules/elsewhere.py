"""What another line than the nearest says of a sentence, so that the nearest need not.

"It is shut on Sunday, and entry is free" may be held by two lines. They do not clash with it
because the nearest one speaks of Monday.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quaere.verify.align import Alignment, Match
from quaere.verify.quantities import told_amounts

_HELD: Final = 0.4
"""Share aligned from which another line that has the figures of a sentence may be what it says."""


def has_figures_elsewhere(aligned: Sequence[Alignment]) -> bool:
    """Return whether a line has all figures of a sentence, and enough of it besides."""
    return any(
        each.own >= _HELD and all(a.told for a in told_amounts(each.said, each.held))
        for each in aligned
    )


def _turned(alignment: Alignment) -> set[int]:
    return {match.said.clause for match in alignment.matches if match.sign < 0}


def is_kept_elsewhere(aligned: Sequence[Alignment]) -> bool:
    """Return whether other lines have more of each clause that the nearest turns, and keep it.

    Args:
        aligned: The sentence next to each line, the nearest first.
    """
    nearest, *others = aligned
    turned = _turned(nearest)
    if not turned or not turned < {word.clause for word in nearest.words}:
        return False
    return all(
        any(_is_kept(_of_clause(n, each), _of_clause(n, nearest)) for each in others)
        for n in turned
    )


def _of_clause(clause: int, alignment: Alignment) -> Sequence[Match]:
    return [match for match in alignment.matches if match.said.clause == clause]


def _is_kept(matches: Sequence[Match], turned: Sequence[Match]) -> bool:
    return len(matches) > len(turned) and all(match.sign > 0 for match in matches)
