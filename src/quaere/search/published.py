"""Brings dates of publication, however a service writes them, into ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from quaere.domain.scope import Scope
from quaere.text.dates import dates

_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


_LONG_AGO = date(1800, 1, 1)


def period(scope: Scope | None) -> tuple[date, date] | None:
    """Return the first and the last day of ``scope``, for services that want both.

    An open end is long ago, or today; ``None`` when no day is asked for.
    """
    if scope is None or not scope.dated:
        return None
    today = datetime.now(UTC).date()
    first = scope.published_after or _LONG_AGO
    return first, scope.published_before or max(first, today)


def iso_date(text: str) -> str:
    """Return the first date in ``text`` as "2024", "2024-03" or "2024-03-05".

    Empty when it names none, such as "3 days ago".
    """
    text = text.strip()[:100]
    if match := _ISO.match(text):
        return from_parts(*match.groups(default=""))
    for found in dates(text):
        if found.year is not None and found.years == 1:
            return from_parts(str(found.year), str(found.month or ""), str(found.day or ""))
    return ""


def from_parts(year: str, month: str = "", day: str = "") -> str:
    """Return the date of ``year``, ``month`` (a number or an English name) and ``day``.

    Parts that cannot be, and all behind them, are left out.
    """
    if not re.fullmatch(r"[1-9]\d{3}", year):
        return ""
    number = _month(month)
    if not 1 <= number <= 12:
        return year
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return f"{year}-{number:02d}"


def _month(month: str) -> int:
    if re.fullmatch(r"\d{1,2}", month):
        return int(month)
    name = month[:3].lower()
    return _MONTHS.index(name) + 1 if name in _MONTHS else 0
