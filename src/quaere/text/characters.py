"""Numbers that are written in Chinese characters, or with some of them: 1兆2000億."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from quaere.text.lazy_regex import lazy_regex

CHARACTERS: Final[Mapping[str, int]] = MappingProxyType(
    {character: value for value, character in enumerate("〇一二三四五六七八九")}
    | {"零": 0, "两": 2, "兩": 2}
)
"""Those of one figure."""
TENS_OF_CHARACTERS: Final[Mapping[str, int]] = MappingProxyType({"十": 10, "百": 100, "千": 1000})
MYRIADS: Final[Mapping[str, int]] = MappingProxyType(
    {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
)
SCALED: Final = lazy_regex("[十百千万萬亿億兆]")
"""What is in a number that is not spelled figure by figure."""
_PART: Final = lazy_regex(r"\d[\d,]*(?:\.\d+)?|\D")


def value_of_characters(number: str) -> Decimal:
    """Return the value of a number in characters: 三百二十万 is 3,200,000, and 1.2万 12,000."""
    total = section = figure = Decimal(0)
    for part in _PART.findall(number):
        if part in MYRIADS:
            total = _multiplied(total, section + figure, MYRIADS[part])
            section = figure = Decimal(0)
        elif part in TENS_OF_CHARACTERS:
            section += (figure or 1) * TENS_OF_CHARACTERS[part]
            figure = Decimal(0)
        elif part in CHARACTERS:
            figure = 10 * figure + CHARACTERS[part]  # 二〇二〇
        else:
            figure = Decimal(part.replace(",", ""))
    return total + section + figure


def _multiplied(total: Decimal, section: Decimal, myriad: int) -> Decimal:
    """Return ``total`` with so many of ``myriad``, which multiplies all before it that is less."""
    if 0 < total < myriad:
        return (total + section) * myriad  # 一万二千亿
    return total + (section or 1) * myriad
