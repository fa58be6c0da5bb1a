"""Numbers that are written in Chinese characters."""

from __future__ import annotations

from collections.abc import Mapping
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


def value_of_characters(number: str) -> int:
    """Return the value of a number in characters: 三百二十万 is 3,200,000."""
    total = section = figure = 0
    for character in number:
        if character in MYRIADS:
            total += max(section + figure, 1) * MYRIADS[character]
            section = figure = 0
        elif character in TENS_OF_CHARACTERS:
            section += max(figure, 1) * TENS_OF_CHARACTERS[character]
            figure = 0
        else:
            figure = 10 * figure + CHARACTERS[character]  # 二〇二〇
    return total + section + figure
