"""HTTP headers: the ``User-Agent`` we send, and the ``Retry-After`` we receive."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from quaere.version import __version__

PRODUCT = "Quaere"
"""The product token, by which robots.txt addresses it (RFC 9309, 2.2.1)."""

USER_AGENT = f"{PRODUCT}/{__version__} (research assistant; acts for one person's question)"


def retry_after_s(value: str, now: datetime) -> float | None:
    """Return the seconds from ``now`` to wait by a ``Retry-After`` header (RFC 9110, 10.2.3).

    Never negative; ``None`` for a header that is absent or invalid, such as ``NaN``.
    """
    try:
        seconds = float(value)
    except ValueError:
        seconds = _until(value, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(date: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return math.nan
    # A date without a zone is meant as GMT; it comes back naive.
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()
