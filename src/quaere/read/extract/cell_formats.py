"""Shows the numbers of cells as a spreadsheet does: dates, times, shares, sums of money."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import StrEnum
from functools import cached_property
from math import isfinite

_BUILT_IN: Mapping[int, str] = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm",
    21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00",
    40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
}  # fmt: skip
"""Codes of the formats that no file spells out (ECMA-376, part 1, 18.8.30)."""
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.')
_NO_WORDS = re.compile(r'(?:\[[^\]]*\]|""|_.|[*\\] | )*')
"""A section of a code by which nothing is shown."""
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]|([£$€¥])")
_BRACKETS = re.compile(r"\[[^\]]*\]")
_DECIMALS = re.compile(r"[0#?]\.([0#?]+)")
_PLACES = re.compile(r"[0#?]")
_AS_IT_IS = re.compile(r"e[+-]|[0#?] ?/")
"""In the codes of powers of ten and of fractions, which are told as plain numbers."""
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]")
_EPOCH, _EPOCH_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - of no zone
_END, _END_OF_1904 = 2_958_466, 2_957_004
"""The days after the last that a spreadsheet knows, 9999-12-31."""
_OF_DATES, _OF_TIMES = frozenset("yd"), frozenset("hs")
"""Letters of the codes of dates, and of times."""
_DIGITS = ".15g"
"""A number has no more digits that mean anything."""
_MOST_DECIMALS = 30
"""A spreadsheet shows no more."""
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)
"""As spreadsheets round: 2.5 to 3."""


class _Shown(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    MOMENT = "date and time"
    SPAN = "hours"


@dataclass(frozen=True)
class CellFormat:
    """One format of numbers, by its code."""

    code: str = ""
    """As "#,##0.00"; empty for what is shown as it is."""

    @cached_property
    def _blank(self) -> Sequence[bool]:
        """Whether nothing is shown of numbers over zero, below it, of zero, and of words."""
        if not self.code:
            return ()
        return [_NO_WORDS.fullmatch(each) is not None for each in self.code.split(";", 4)[:4]]

    @property
    def shows_words(self) -> bool:
        """Whether words are shown."""
        return len(self._blank) < 4 or not self._blank[3]

    def _hides(self, value: float) -> bool:
        section = 0 if value > 0 else 1 if value < 0 else 2
        return self._blank[section] if section < len(self._blank) else self._blank[:1] == [True]

    @cached_property
    def _plain(self) -> str:
        """The code for numbers over zero, without words and colours."""
        code = self.code.partition(";")[0]
        return _BRACKETS.sub("", _LITERAL.sub("", code)).lower()

    @cached_property
    def _shown(self) -> _Shown:
        is_span = _ELAPSED.search(self.code.lower()) is not None
        is_time = is_span or not _OF_TIMES.isdisjoint(self._plain)
        is_month = set(self._plain) == {"m"}
        if is_month or not _OF_DATES.isdisjoint(self._plain):
            return _Shown.MOMENT if is_time else _Shown.DATE
        if is_span:
            return _Shown.SPAN
        return _Shown.TIME if is_time else _Shown.NUMBER

    def shown(self, value: float, *, since_1904: bool = False) -> str:
        """Return ``value`` as a reader of the sheet sees it; dates are told year first.

        Empty where the code hides it.

        Args:
            value: As it is kept: of dates the days since 1900, of times the share of a day.
            since_1904: Whether days are counted from 1904.
        """
        if self._hides(value):
            return ""
        epoch, end = (_EPOCH_OF_1904, _END_OF_1904) if since_1904 else (_EPOCH, _END)
        if self._shown is _Shown.NUMBER or not 0 <= value < end:
            return self._number(value)
        seconds = min(round(value * 86_400), end * 86_400 - 1)
        moment = epoch + timedelta(seconds=seconds)
        ways: Mapping[_Shown, Callable[[], str]] = {
            _Shown.DATE: lambda: f"{moment:%Y-%m-%d}",
            _Shown.MOMENT: lambda: f"{moment:%Y-%m-%d %H:%M}",
            _Shown.TIME: lambda: f"{moment:%H:%M}{self._seconds(seconds)}",
            _Shown.SPAN: lambda: self._hours(value, seconds),
        }
        return ways[self._shown]()

    def _hours(self, value: float, seconds: int) -> str:
        if tail := self._seconds(seconds):
            return f"{seconds // 3600}:{seconds // 60 % 60:02}{tail}"
        minutes = round(value * 1440)
        return f"{minutes // 60}:{minutes % 60:02}"

    def _seconds(self, seconds: int) -> str:
        """Return the seconds over a whole minute, where the format shows them and there are some.

        With the hours before them they cannot be taken for minutes.
        """
        return f":{seconds % 60:02}" if seconds % 60 and "s" in self.code.lower() else ""

    def _number(self, value: float) -> str:
        if self._is_told_as_it_is or not isfinite(value):
            return f"{value:{_DIGITS}}"
        is_share = "%" in self._plain
        whole = Decimal(f"{abs(value):{_DIGITS}}").scaleb(2 if is_share else 0)
        digits = f"{whole.quantize(self._last_place, context=_ROUNDING):{self._layout}}"
        return f"{'-' if value < 0 else ''}{self._with_currency(digits)}{'%' if is_share else ''}"

    @cached_property
    def _is_told_as_it_is(self) -> bool:
        return not _PLACES.search(self._plain) or _AS_IT_IS.search(self._plain) is not None

    @cached_property
    def _decimals(self) -> int:
        decimals = _DECIMALS.search(self._plain)
        return min(len(decimals[1]), _MOST_DECIMALS) if decimals else 0

    @cached_property
    def _last_place(self) -> Decimal:
        return Decimal((0, (1,), -self._decimals))

    @cached_property
    def _layout(self) -> str:
        return f"{',' if ',' in self._plain else ''}.{self._decimals}f"

    def _with_currency(self, digits: str) -> str:
        code = self.code.partition(";")[0]
        found = _CURRENCY.search(code)
        if not found or not (sign := (found[1] or found[2] or "").strip()):
            return digits
        figure = _PLACES.search(code)
        leads = figure is None or found.start() < figure.start()
        return f"{sign}{digits}" if leads else f"{digits} {sign}"


def format_of(number: int, custom: Mapping[int, str]) -> CellFormat:
    """Return the format of that ``number``: one of the file's ``custom`` codes, or a known one."""
    return CellFormat(custom.get(number, "") or _BUILT_IN.get(number, ""))
