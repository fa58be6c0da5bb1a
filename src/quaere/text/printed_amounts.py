"""Amounts as tables print them, in the conventions of several countries."""

from __future__ import annotations

import re
from collections.abc import Iterable

from quaere.text.lazy_regex import lazy_regex

_FIGURE = lazy_regex(r"(?:\d[\d.,'’ \u00a0\u2009\u202f]*)?\d|[.,]\d+")
_COMMA_POINT = lazy_regex(r"\.\d{3}[.,]\d|(?<![.\d])\d+,\d{1,2}(?!\d)")
"""What only those print who part thousands by points and decimals by a comma."""
_POINT = lazy_regex(r"\d,\d{3}(?!\d)|\.\d{1,2}(?!\d)|\.\d{4}|(?<!\d)0?\.\d")
"""What they never print."""
_PARTED = lazy_regex(r"\d\.\d{3}(?!\d)")
ENOUGH = 2
"""Figures with three digits after a point, from which these are thousands where no other figure
shows that they are decimals."""


def decimal_sign(figures: Iterable[str]) -> str:
    """Return what is before the decimals in the ``figures`` of a table: a point or a comma."""
    told = [each for each in figures if any(map(str.isdecimal, each))]
    if any(map(_COMMA_POINT.search, told)):
        return ","
    if any(map(_POINT.search, told)):
        return "."
    return "," if _are_parted_by_points(told) else "."


def _are_parted_by_points(figures: Iterable[str]) -> bool:
    return sum(1 for each in figures if _PARTED.search(each)) >= ENOUGH


def amount_in(printed: str, sign: str = ".") -> tuple[float, int] | None:
    """Return the first amount in ``printed``, and how many decimals it has; None where none is.

    Brackets and a minus before it make it negative.

    Args:
        printed: A cell of a table.
        sign: What is before decimals, a point or a comma.
    """
    found = _FIGURE.search(printed)
    if not found:
        return None
    digits = re.sub(rf"[^\d{re.escape(sign)}]", "", found[0])
    whole, _, decimals = digits.partition(sign)
    amount = float(f"{whole or 0}.{decimals.replace(sign, '') or 0}")
    is_negative = re.search(r"[(−–-]", printed[: found.start()]) is not None
    return -amount if is_negative else amount, len(decimals)
