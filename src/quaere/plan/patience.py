"""Decides how long a round of searching is waited for."""

from __future__ import annotations

LONGEST_S = 20.0
"""Enough for a service that is asked again twice; who takes longer will not answer."""


def patience_s(*, left_s: float, providers: int) -> float:
    """Return the seconds to wait for ``providers`` that search side by side, with ``left_s`` to go.

    Beside others a slow one is waited for half the time at the most, so that what they found can
    still be used. One alone gets all the time there is.
    """
    return left_s if providers < 2 else min(LONGEST_S, left_s / 2)
