"""How long a server asks to be left alone."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_s(value: str, now: datetime) -> float | None:
    """Return the seconds from ``now`` that a ``Retry-After`` header asks for (RFC 9110, 10.2.3).

    ``None`` for a header that is absent or makes no sense, such as ``NaN``; never negative.
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
