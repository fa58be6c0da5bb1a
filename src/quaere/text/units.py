"""What units come to in each other: lengths, weights, times, areas, volumes, data and power."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

BASES: Final[Mapping[str, tuple[str, Decimal]]] = MappingProxyType(
    {
        unit: (base, Decimal(factor))
        for base, units in {
            "m": "km 1000 m 1 cm 0.01 mm 0.001 µm 0.000001 nm 0.000000001 "
            "mi 1609.344 ft 0.3048 in 0.0254",
            "kg": "t 1000 kg 1 g 0.001 mg 0.000001 µg 0.000000001 lb 0.45359237",
            "s": "wk 604800 d 86400 h 3600 min 60 s 1",
            "mo": "yr 12 mo 1",
            "m²": "km² 1000000 ha 10000 m² 1",
            "l": "l 1 ml 0.001 µl 0.000001",
            "MB": "TB 1000000 GB 1000 MB 1 kB 0.001",
            "kW": "GW 1000000 MW 1000 kW 1",
            "kWh": "GWh 1000000 MWh 1000 kWh 1",
        }.items()
        for unit, factor in zip(units.split()[::2], units.split()[1::2], strict=True)
    }
)
"""The base of every unit that is converted and its size in it (SI brochure; international foot,
mile and pound). Months and years have a base of their own, for months differ in length."""


def in_unit(value: Decimal, unit: str, other: str) -> Decimal | None:
    """Return what ``value`` of a ``unit`` is in the ``other``; None where they are of two kinds.

    So it is with "nm", which may as well be nautical miles.
    """
    if unit == other:
        return value
    if "nm" in {unit, other} or not {unit, other} <= BASES.keys():
        return None
    (base, size), (other_base, other_size) = BASES[unit], BASES[other]
    return value * size / other_size if base == other_base else None
