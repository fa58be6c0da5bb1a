"""The wait that a server asks for in the header Retry-After."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_s(value: str, now: datetime) -> float | None:
    """Return the seconds from ``now`` to wait by a ``Retry-After`` header (RFC 9110, 10.2.3).

    Never negative; ``None`` for a header that is absent or invalid, such as ``NaN``.
    """
    try:
        seconds = float(value)
    except ValueError:
        return seconds_until(value, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def seconds_until(date: str, now: datetime) -> float | None:
    """Return the seconds from ``now`` to an HTTP date (RFC 9110, 5.6.7).

    Never negative; ``None`` for what is not a date.
    """
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    # A date without a zone is meant as GMT; it comes back naive.
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
