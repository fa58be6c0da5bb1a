"""Decides how long a round of searching is waited for."""

from __future__ import annotations

LONGEST_S = 20.0
"""Enough for a service that is asked again twice; who takes longer will not answer."""


def patience_s(*, left_s: float, providers: int) -> float:
    """Return the seconds to wait for ``providers`` that search side by side, with ``left_s`` to go.

    Among others a slow one is waited for at most half the time, so that what they found can
    still be used. One alone gets all the time there is.
    """
    return left_s if providers < 2 else min(LONGEST_S, left_s / 2)
