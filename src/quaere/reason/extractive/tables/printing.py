"""How figures and names out of the rows of a table are printed in an answer."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

SHOWN = 40
"""Rows and inputs that a direct answer names, at most."""


def listing(names: Sequence[str]) -> str:
    """Return ``names`` in a row, with a mark where there are more than are shown."""
    more = ", …" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"


def printed(value: Decimal) -> str:
    """Return ``value`` with its thousands apart, and two decimals unless it is a whole number."""
    return f"{value:,.0f}" if value == value.to_integral() else f"{value:,.2f}"
