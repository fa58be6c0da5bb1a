"""Bounds what retries add to the load, whatever fails and however often.

Retrying alone multiplies calls when they are least welcome: where half of them fail, three attempts
each make 1.75 calls of one. A budget that all calls share keeps the sum near what it would have
been without faults, and is never felt where few fail. The idea is that of Finagle's ``RetryBudget``
and of gRPC's retry throttling (gRFC A6).
"""

from __future__ import annotations


class RetryBudget:
    """Retries that calls may make together: ``share`` of one for each call, and some at the start.

    Of ``n`` calls no more than ``at_start + share * n`` are made again.
    """

    def __init__(self, share: float = 0.2, *, at_start: float = 3.0, most: float = 10.0) -> None:
        """Allow ``share`` retries a call.

        Args:
            share: Retries earned by each call, failed or not.
            at_start: Retries for the first calls, which have earned none yet: the very first one
                has all its three attempts (R0.8). From thirty calls on, the two defaults keep the
                sum under 1.3 times the calls.
            most: Retries that are kept for later; what is earned beyond is lost, so that a quiet
                day does not pay for a storm.
        """
        self._share = share
        self._most = most
        self._left = at_start

    def earn(self) -> None:
        """Count a call, not a retry of one."""
        self._left = min(self._left + self._share, max(self._most, self._left))

    def spend(self) -> bool:
        """Return whether a retry may be made now, and count it if so."""
        # Sums of floats fall short of a whole by some 1e-16 a term.
        if self._left < 1.0 - 1e-9:
            return False
        self._left -= 1.0
        return True
