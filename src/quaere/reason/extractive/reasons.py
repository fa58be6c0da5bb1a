"""Which line gives the reason that is asked for, or says at least what it is a reason for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from math import log

from quaere.reason.extractive.chains import Chain
from quaere.reason.extractive.leading import Signs, belief
from quaere.reason.extractive.pool import Line

NEARLY, SAID = 0.5, 0.5
"""Share of the belief in the likeliest line, and of the question's weight, that a line needs to go
before it because it gives the reason that is asked for."""
OF_IT = 0.25
"""Share of it below which a reason in the likeliest line is one for something else."""
ALL = 0.97
"""Share of that weight from which a line says all of which the reason is asked: what comes after it
is likely to give that."""

Likely = Sequence[tuple[Chain, Signs]]
"""What may lead, the likeliest first."""


def reason_among(likely: Likely, stands: Callable[[Line], bool]) -> Chain | None:
    """Return what leads where a reason is asked for and the likeliest gives none; None for that.

    It gives a reason, is nearly as likely and says half of what is asked; else it says all of which
    the reason is asked; else it gives a reason and says more of what the clause asks.

    Args:
        likely: What may lead, the likeliest first.
        stands: Whether a line can stand as a sentence by itself.
    """
    first, signs = likely[0]
    if signs.held == 1.0 and first.own >= OF_IT:
        return None
    giving = [chain for chain in _nearly(likely) if chain is not first]
    found = (
        *(chain for chain in giving if chain.own >= SAID),
        *_stating(likely, stands),
        *(chain for chain in giving if chain.asked > first.asked),
    )
    return next(iter(found), None)


def _nearly(likely: Likely) -> Iterator[Chain]:
    """Yield those that give a reason and are nearly as likely as the first."""
    least = belief(likely[0][1]) + log(NEARLY)
    for chain, signs in takewhile(lambda each: belief(each[1]) >= least, likely):
        if signs.held == 1.0:
            yield chain


def _stating(likely: Likely, stands: Callable[[Line], bool]) -> Iterator[Chain]:
    """Yield those that say all that is asked, where the first does not."""
    if likely[0][0].own < ALL:
        yield from (chain for chain, _ in likely if chain.own >= ALL and stands(chain.end))
