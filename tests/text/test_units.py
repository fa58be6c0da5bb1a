"""What units come to in each other."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quaere.text.units import in_unit


@pytest.mark.parametrize(
    ("value", "unit", "other", "told"),
    [
        ("40", "km", "m", "40000"),
        ("90", "min", "h", "1.5"),
        ("2", "ft", "cm", "60.96"),
        ("3", "yr", "mo", "36"),
        ("12", "furlong", "furlong", "12"),
        ("1", "km", "kg", None),
        ("1", "mo", "d", None),
        ("1", "furlong", "m", None),
        ("12", "km", "nm", None),
    ],
)
def test_an_amount_is_told_in_another_unit_of_its_kind(
    value: str, unit: str, other: str, told: str | None
) -> None:
    assert in_unit(Decimal(value), unit, other) == (told and Decimal(told))
