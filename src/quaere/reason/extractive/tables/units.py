"""What units are written as in the heads and the cells of tables."""

from __future__ import annotations

from collections.abc import Mapping

from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import CURRENCIES

UNIT_WORDS: Mapping[str, str] = {
    "eur": "EUR", "euro": "EUR", "euros": "EUR", "gbp": "GBP", "pounds": "GBP", "usd": "USD",
    "dollars": "USD", "nok": "NOK", "sek": "SEK", "dkk": "DKK", "chf": "CHF", "crowns": "crowns",
    "kg": "kg", "g": "g", "t": "t", "lb": "lb", "km": "km", "m": "m", "cm": "cm", "mm": "mm",
    "nm": "nm", "mi": "mi", "ft": "ft", "min": "min", "mins": "min", "minutes": "min", "h": "h",
    "hours": "h", "s": "s", "w": "W", "kw": "kW", "c": "°C", "l": "l", "ml": "ml", "pct": "%",
    "percent": "%", "kwh": "kWh", "mwh": "MWh", "gwh": "GWh", "hl": "hl", "ha": "ha", "m²": "m²",
    "m³": "m³",
}  # fmt: skip
SIGNS_OF_MONEY: Mapping[str, str] = {"£": "GBP", "€": "EUR", "$": "USD", "¥": "JPY", "₹": "INR"}
MONEY = CURRENCIES | {"NOK", "SEK", "DKK", "crowns"}
RATE_UNIT = lazy_regex(r"\(([^()/\s]{1,6}/[^()/\s]{1,6})\)\s*$")
"""A unit of so much in something, after a head: "Nitrate (mg/l)"."""
RATE_IN_FIELD = lazy_regex(r"_(mg|ug|µg|g|kg|km|m|l|kwh|t)_(l|h|s|kg|m2|m3|min|day|ha)$")
"""The same in the name of a field: "nitrate_mg_l"."""
PER_UNIT = lazy_regex(r"(?i)\b(?:per|each|every) \w+")
"""In what a figure is told, and not its unit: "price per week"."""
SCALED_UNIT = lazy_regex(r"(?i)\((?:in )?([^()]*\b(?:thousand|million|billion)s?\b[^()]*)\)\s*$")
"""How many times a unit the figures are: "Budget (thousand euros)"."""
