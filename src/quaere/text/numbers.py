"""Numbers that a text names, as values with units, whatever their spelling.

Amounts that tables print are read in the conventions of several countries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Final

from quaere.text.characters import (
    CHARACTERS,
    MYRIADS,
    SCALED,
    TENS_OF_CHARACTERS,
    value_of_characters,
)
from quaere.text.dates import LONGEST_KEPT, MOST_KEPT, Date, dates
from quaere.text.languages.language import Language, cached_by_language, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ONES, TENS
from quaere.text.raised import RAISED, lowered

_SMALL: Final[Mapping[str, int]] = {
    **{word: value for value, word in enumerate(ONES)},
    **{word: 10 * value for value, word in enumerate(TENS, 2)},
}
_MILLION = "millionen millions millón millones milione milioni milhão milhões miljoen"
_MILLIARD = "milliarde milliarden milliard milliards miliardo miliardi miljard"
SCALES: Final[Mapping[str, int]] = {
    **dict.fromkeys(_MILLION.split(), 10**6),
    **dict.fromkeys(_MILLIARD.split(), 10**9),
    "dozen": 12,
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
"""What a number before each word is multiplied by."""
_SHORT_SCALES: Final[Mapping[str, int]] = {
    short: scale
    for scale, shorts in ((10**3, "k"), (10**6, "m mn mio"), (10**9, "b bn"), (10**12, "t tn"))
    for short in shorts.split()
}
_UNITS: Final[Mapping[str, str]] = {
    spelling: unit
    for unit, spellings in {
        "%": ("%", "percent", "per cent", "pct", "percentage point"),
        "USD": ("US$", "$", "USD", "US dollar", "U.S. dollar", "dollar"),
        "EUR": ("€", "EUR", "euro"),
        "GBP": ("£", "GBP"),
        "JPY": ("¥", "JPY", "yen"),
        "CHF": ("CHF",),
        "CNY": ("CNY", "yuan"),
        "INR": ("₹", "INR", "rupee"),
        "km": ("km", "kilometer", "kilometre"),
        "m": ("m", "meter", "metre"),
        "cm": ("cm", "centimeter", "centimetre"),
        "mm": ("mm", "millimeter", "millimetre"),
        "µm": ("µm", "\u03bcm", "micrometer", "micrometre"),
        "nm": ("nm", "nanometer", "nanometre"),
        "mi": ("mi", "mile"),
        "ft": ("ft", "foot", "feet"),
        "in": ("inch", "inches"),
        "kg": ("kg", "kilogram", "kilogramme"),
        "g": ("g", "gram", "gramme"),
        "mg": ("mg", "milligram"),
        "µg": ("µg", "\u03bcg", "microgram"),
        "lb": ("lb", "lbs", "pound"),
        "t": ("ton", "tonne"),
        "°C": ("°C", "degrees Celsius"),
        "°F": ("°F", "degrees Fahrenheit"),
        "km²": ("km²", "square kilometre", "square kilometer"),
        "ha": ("hectare",),
        "m²": ("m²", "square metre", "square meter"),
        "m³": ("m³", "cubic metre", "cubic meter"),
        "cm³": ("cm³", "cubic centimetre", "cubic centimeter"),
        "l": ("litre", "liter"),
        "ml": ("ml", "millilitre", "milliliter"),
        "µl": ("µl", "\u03bcl", "microlitre", "microliter"),
        "TB": ("TB", "terabyte"),
        "GB": ("GB", "gigabyte"),
        "MB": ("MB", "megabyte"),
        "kB": ("kB", "KB", "kilobyte"),
        "GW": ("GW", "gigawatt"),
        "MW": ("MW", "megawatt"),
        "kW": ("kW", "kilowatt"),
        "GWh": ("GWh", "gigawatt hour", "gigawatt-hour"),
        "MWh": ("MWh", "megawatt hour", "megawatt-hour"),
        "kWh": ("kWh", "kilowatt hour", "kilowatt-hour"),
        "yr": ("year",),
        "mo": ("month",),
        "wk": ("week",),
        "d": ("day", "days"),
        "h": ("hour",),
        "min": ("minute",),
        "s": ("second",),
    }.items()
    for spelling in spellings
}
CURRENCIES: Final = frozenset({"USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR"})
"""Units of what is paid."""


def _alternatives(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_PREFIXES = _alternatives(["US$", "$", "€", "£", "¥", "₹", "USD ", "EUR ", "GBP ", "CHF "])
_SYMBOLS = _alternatives([unit for unit in _UNITS if len(unit) < 4])
_LONG = _alternatives([unit for unit in _UNITS if len(unit) > 3])
_UNIT = rf"(?:[\s-]?(?P<unit>(?i:{_LONG})(?=s?(?!\w))|(?:{_SYMBOLS})(?!\w))s?)?"
_SCALE = _alternatives(list(SCALES))
_SMALLS = _alternatives(list(_SMALL))
_GROUP = r"[, \u00a0\u2009\u202f'’]"
_FIGURES = (
    rf"(?P<grouped>\d{{1,3}}(?P<group>{_GROUP})\d{{3}}(?!\d)(?:(?P=group)\d{{3}}(?!\d))*+(?:\.\d++)?"
    r"|(?<!\d,)\d{1,2}(?:,\d\d(?!\d))++,\d{3}(?!\d))"  # 1,00,000 in India
    r"|(?P<dotted>\d{1,3}(?:(?:\.\d{3}(?!\d)){2,}+(?!\.\d)(?:,\d++)?|\.\d{3},\d{1,2}(?!,?\d)))"
    r"|(?P<comma>(?<!\d,)\d++,\d{1,2}(?!,?\d))"
    r"|(?P<plain>\d++(?:\.\d++)?(?!\.\d)|\.\d++(?![.\w]*\w))"
    r"|(?=[¼-¾⅐-⅞])"
)
_DECIMAL_COMMA = (
    r"(?P<dotted>\d{1,3}(?:[.\u00a0\u2009\u202f '’]\d{3}(?!\d))++(?:,\d++)?)"
    r"|(?P<comma>\d++,\d++)|(?P<grouped>(?!))(?P<group>(?!))"
    r"|(?P<plain>\d++(?:\.\d{1,2}(?!\d|\.\d))?)|(?=[¼-¾⅐-⅞])"
)
"""The same where a comma parts the decimals; a point may in a time of day, "8.30"."""


_POWER = (
    r"(?:(?:(?P<times>\s?[×x·]\s?10)|(?<=(?<![\w.,])10))"
    rf"(?:(?P<raised>⁻?[{RAISED}]{{1,2}})|\^(?P<caret>[-−]?\d{{1,2}}))"
    rf"|[{RAISED}]{{1,2}}(?=[\s)]))?"
)
"""What multiplies a number by a power of ten, as in 3 × 10⁶, or the mark of a note after it."""


def _number(figures: str, unit: str, before: str) -> re.Pattern[str]:
    """Return the pattern of a number in figures that nothing of ``before`` precedes."""
    return re.compile(
        rf"(?P<currency>(?<!\w)(?:{_PREFIXES}))?(?<!{before})(?P<minus>[-−](?=\d))?"
        rf"(?:{figures})(?P<fraction>[¼-¾⅐-⅞])?{_POWER}"
        r"(?:(?P<ordinal>st|nd|rd|th)(?!\w)"
        rf"|(?:[\s-]?(?P<scale>(?i:{_SCALE}|mn|mio|bn|tn)(?!\w)"
        rf"|(?(currency)(?i:[kmbt])|k)(?!\w)))?(?(currency)|{unit}))"
    )


_NUMBER = _number(_FIGURES, _UNIT, r"[\w.]")
_WORDED = lazy_regex(
    rf"(?i)(?<![\w-])(?:(?:half\s)?an?\s(?:{_SCALE})|{_SMALLS})\b"
    rf"(?:(?:[\s-]|\sand\s)(?:{_SMALLS}|{_SCALE})\b)*+{_UNIT}"
)
_RANGE = lazy_regex(r"\s?(?:[-–—]|to|or|and)\s?")
_PLAIN: Final = lazy_regex(r"\d+(?:\.\d+)?")
_RUNNING: Final = lazy_regex(r"[.,;:!?)\]][\s\]]*(?:$|\D)|[ \u00a0]?[^\W\d_]|[ \u00a0]?\(")
_TAKEN_FOR: Final = str.maketrans("ſıİ\u212a", "siik")
_MINUS: Final = str.maketrans("⁻−", "--")
_LONGEST: Final = 40
"""Digits of the longest number that means something."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number at ``[start, end)`` of its text.

    ``unit`` is "%" for a share, an ISO 4217 code for money, the usual symbol for a measure or a
    span of time, "th" for an ordinal, and empty for a bare number.
    """

    value: Decimal
    unit: str
    start: int
    end: int


def numbers(text: str) -> list[Number]:
    """Return the numbers in ``text`` in order, none inside another.

    Grouping, scale words and number words are computed: "3.5 million" and "3,500,000" are one
    value. Days and months of the calendar are left to `quaere.text.dates`; bare years are numbers.
    Figures, number words and units are read as the language in use writes them.
    """
    return list((_kept if len(text) <= LONGEST_KEPT else _read)(text))


def _read(text: str) -> list[Number]:
    language = language_in_use()
    worded = _in_words(text) if language is None else _in_words_of(language, text)
    found = sorted([*worded, *_in_figures(text, language)], key=lambda number: number.start)
    days = [date for date in dates(text) if date.month is not None]
    return _with_shared_units(text, list(_outside(days, found)))


_kept = cached_by_language(MOST_KEPT)(_read)


def undated_numbers(text: str) -> list[Number]:
    """Return the numbers of ``text`` outside dates, and so without bare years."""
    dated = {at for date in dates(text) for at in range(date.start, date.end)}
    return [number for number in numbers(text) if number.start not in dated]


def agrees(a: Number, b: Number) -> bool:
    """Tell whether ``a`` and ``b`` may be one number: equal, with no two different units."""
    return a.value == b.value and (not a.unit or not b.unit or a.unit == b.unit)


def _outside(days: Sequence[Date], found: Sequence[Number]) -> Iterator[Number]:
    """Yield the numbers that are neither inside a day nor inside the number before."""
    rest = iter(days)
    day = next(rest, None)
    reached = 0
    for number in found:
        while day is not None and day.end <= number.start:
            day = next(rest, None)
        if number.start >= reached and (day is None or number.end <= day.start):
            yield number
            reached = number.end


def _in_figures(text: str, language: Language | None) -> Iterator[Number]:
    pattern = _NUMBER if language is None else _figures_of(language)
    for match in pattern.finditer(text):
        start, end = match.span()
        if end - start > _LONGEST:
            continue
        if _are_cells(text, match):
            yield from _cells(match)
        else:
            unit = "th" if match["ordinal"] else _unit(match["currency"] or match["unit"], language)
            yield Number(_value(match), unit, start, end)


def _are_cells(text: str, match: re.Match[str]) -> bool:
    """Tell whether groups separated by plain spaces are neighbouring cells of a table.

    In running text a word, a unit or the end of a sentence follows: "12 345 people".
    """
    plain = match["group"] == " " and not (match["currency"] or match["unit"] or match["scale"])
    return plain and _RUNNING.match(text, match.end()) is None


def _cells(match: re.Match[str]) -> Iterator[Number]:
    for cell in _PLAIN.finditer(match.string, *match.span()):
        yield Number(Decimal(cell[0]), "", *cell.span())


def _value(match: re.Match[str]) -> Decimal:
    value = Decimal(_figures(match))
    if match["fraction"]:
        value += Decimal(str(unicodedata.numeric(match["fraction"])))
    if (power := match["raised"] or match["caret"]) is not None:
        value = value if match["times"] else Decimal(1)
        value *= Decimal(10) ** int(lowered(power).translate(_MINUS))
    if match["minus"]:
        value = -value
    if match["scale"]:
        scale = _lowered(match["scale"])
        value *= SCALES.get(scale) or _SHORT_SCALES[scale]
    return value


def _lowered(written: str) -> str:
    """Return ``written`` in lower case, with the letters that a pattern takes for others as these.

    Where case is ignored, "s" matches "ſ" as well, and "i" the two i's of Turkish.
    """
    return written.translate(_TAKEN_FOR).lower()


def _figures(match: re.Match[str]) -> str:
    """Return the number in the spelling of `Decimal`, whatever parts its groups."""
    if match["dotted"]:
        return re.sub(r"[.\s'’]", "", match["dotted"]).replace(",", ".")
    if match["comma"]:
        return match["comma"].replace(",", ".")
    return re.sub(_GROUP, "", match["grouped"] or match["plain"] or "0")


def _in_words(text: str) -> Iterator[Number]:
    for match in _WORDED.finditer(text):
        unit = _unit(match["unit"])
        end = match.start("unit") if unit else match.end()
        words = re.findall(r"[a-z]+", _lowered(text[match.start() : end]))
        if words != ["one"] or unit:  # "one of them" counts nothing
            value = Decimal(_worded_value(words)) / (2 if words[0] == "half" else 1)
            yield Number(value, unit, *match.span())


def _worded_value(words: Sequence[str]) -> int:
    total = current = 0
    for word in words:
        current += _SMALL.get(word, 0)
        if scale := SCALES.get(word):
            current = max(current, 1) * scale
            if scale >= 1000:
                total, current = total + current, 0
    return total + current


@cache
def _figures_of(language: Language) -> re.Pattern[str]:
    figures = _DECIMAL_COMMA if language.comma else _FIGURES
    unit = rf"(?:[\s-]?(?P<unit>{_units_of(language)}|(?:{_SYMBOLS})(?!\w)))?"
    return _number(figures, unit, r"[a-zA-Z\d_.]" if language.pieces else r"[\w.]")


def _units_of(language: Language) -> str:
    edge = "" if language.pieces else r"(?!\w)"
    return rf"(?i:{'|'.join(language.units.values())}){edge}"


_SHARE_CHARS = 12
"""Length of "per cento" and its like, at most."""


@cache
def _share_of(language: Language) -> re.Pattern[str]:
    """Return the pattern of a text that ends in what stands for a per cent."""
    return re.compile(rf"(?is).*(?<!\w)(?:{language.units.get('%', '(?!)')})")


def _in_words_of(language: Language, text: str) -> Iterator[Number]:
    if language.pieces:
        yield from _in_characters(language, text)
        return
    for match in _words_of(language).finditer(text):
        end = match.end("number")
        if _share_of(language).fullmatch(text, max(0, end - _SHARE_CHARS), end):
            continue  # "el tanto por ciento" counts nothing
        value = _value_of_words(language, _lowered(match["number"]))
        yield Number(Decimal(value), _unit(match["unit"], language), *match.span())


def _in_characters(language: Language, text: str) -> Iterator[Number]:
    """Yield the numbers in characters: what a unit or a counter follows, and those of thousands."""
    for match in _characters_of(language).finditer(text):
        value = value_of_characters(match["figures"] or match["number"])
        is_year = 1000 <= value < 3000 and not SCALED.search(match[0])
        unit = "" if is_year else _unit(match["unit"], language)
        if value != 1 or unit:
            yield Number(value, unit, *match.span())


@cache
def _characters_of(language: Language) -> re.Pattern[str]:
    every = "".join((*CHARACTERS, *TENS_OF_CHARACTERS, *MYRIADS))
    figures = r"\d++(?:,\d{3})*+"
    myriads = f"[{''.join(MYRIADS)}]"
    # 320万, 1.2万亿, 1兆2000億, 3万5千
    mixed = (
        rf"(?P<figures>{figures}(?:\.\d++)?+[百千]?+{myriads}++(?:{figures}[百千]?+{myriads}?+)*+)"
    )
    # "十" begins a number, "万" does not: "万一" says "in case".
    number = rf"(?P<number>[{''.join((*CHARACTERS, *TENS_OF_CHARACTERS))}][{every}]*)"
    large = rf"(?<=[{every}][百千{''.join(MYRIADS)}])"
    counted = rf"(?:(?={_units_of(language)}|[{language.counters}])|{large})"
    told = rf"(?:{mixed}|{number}{counted})(?P<unit>{_units_of(language)})?"
    return re.compile(rf"(?<![{every}第\d.,]){told}")


_NEVER_ALONE = ("cents", "mila")
"""Hundreds and thousands that are one only after a number: "50 cents" are coins."""


_ONE = r"(?:un[aeo]?|uma?|één|een|eine?[mnrs]?)"
"""What may be an article: after hundreds it makes a number that is not known, "cent un"."""


@cache
def _words_of(language: Language) -> re.Pattern[str]:
    """Return the pattern of a number that is written in words of ``language``.

    Hundreds, then what is below them, and the same before thousands: "dreihundertzwölftausend".
    """
    word = _words_by_size(language)
    then = language.joint
    alone = rf"(?!(?:{'|'.join(_NEVER_ALONE)})(?!\w))"
    round_ = rf"(?!{then}{_ONE}(?!\w))"
    hundreds = rf"(?:(?:(?:{word[20]}){then}|{alone})(?:{word[100]})|{word[200]}){round_}"
    below = rf"(?:{hundreds}(?:{then}(?:{word[2]}))?|{word[2]})"
    thousand = rf"(?:{below}{then}|{alone})(?:{word[1000]}){round_}"
    thousands = rf"(?:{thousand}(?:{then}{below})?|{below})"
    scale = rf"(?:\s(?:{_alternatives([*_MILLION.split(), *_MILLIARD.split()])})(?!\w))"
    more = rf"(?!\s(?:{word[100]}|{word[1000]})(?!\w))"
    number = rf"(?>{thousands})(?!\w){more}{scale}?"
    return re.compile(rf"(?i)(?<!\w)(?P<number>{number})(?:\s(?P<unit>{_units_of(language)}))?")


def _words_by_size(language: Language) -> Mapping[int, str]:
    """Return patterns of number words: from 2 to 99, to 19, of 100, of more, and of 1000."""
    sizes = {2: range(2, 100), 20: range(2, 20)}
    sizes |= {100: range(100, 101), 200: range(101, 1000)}
    return {
        size: _alternatives([w for w, value in language.numbers.items() if value in values])
        or r"(?!)"
        for size, values in (sizes | {1000: range(1000, 1001)}).items()
    }


@cache
def _parts_of(language: Language) -> re.Pattern[str]:
    return re.compile(_alternatives([*language.numbers, *_MILLION.split(), *_MILLIARD.split()]))


def _value_of_words(language: Language, number: str) -> int:
    """Return the value of a ``number`` in words of ``language``, in lower case."""
    total = current = 0
    for part in _parts_of(language).findall(number):
        value = language.numbers.get(part) or SCALES[part]
        if value == 100:
            current = max(current, 1) * value
        elif value < 1000:
            current += value
        elif value == 1000:
            total, current = total + max(current, 1) * value, 0
        else:
            total, current = max(total + current, 1) * value, 0
    return total + current


def _with_shared_units(text: str, found: Sequence[Number]) -> list[Number]:
    """Give the first end of a range, "5-10 %", the unit that is written once."""
    shared = [
        replace(a, unit=b.unit)
        if not a.unit and b.unit not in {"", "th"} and _RANGE.fullmatch(text, a.end, b.start)
        else a
        for a, b in pairwise(found)
    ]
    return [*shared, *found[-1:]]


def _unit(written: str | None, language: Language | None = None) -> str:
    stripped = (written or "").strip()
    for symbol, pattern in language.units.items() if language and stripped else ():
        if re.fullmatch(f"(?i:{pattern})", stripped):
            return symbol
    return _UNITS.get(stripped) or _UNITS.get(stripped.lower(), "")


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
