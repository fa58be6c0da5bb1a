"""How often, or in what time: "36 litres a minute" is not "36 litres an hour"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.numbers import Number
from quaere.verify.ground import ground
from quaere.verify.quantities import amounts, is_equal

_SPANS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "en": {
            "s": "second",
            "min": "minute",
            "h": "hour|hourly",
            "d": "day|night|daily|nightly",
            "fortnight": "fortnight|fortnightly",
            "wk": "week|weekly",
            "mo": "month|monthly",
            "quarter": "quarter|quarterly",
            "yr": "year|annum|yearly|annual|annually",
        },
        "de": {
            "s": "sekunde",
            "min": "minute",
            "h": "stunde|stündlich",
            "d": "tag|nacht|täglich",
            "wk": "woche|wöchentlich",
            "mo": "monat|monatlich",
            "yr": "jahr|jährlich",
        },
        "es": {
            "s": "segundo",
            "min": "minuto",
            "h": "hora",
            "d": "día|noche|diari[oa]s?|diariamente",
            "wk": "semana|semanal(?:es|mente)?",
            "mo": "mes|mensual(?:es|mente)?",
            "yr": "año|anual(?:es|mente)?",
        },
    }
)
"""Words of every span of time by ISO 639-1; languages without a record are not looked at."""
_EACH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": r"(?:per|each|every|(?:once|twice|times) an?)\s|/\s?"
        r"|\d[\d.,]*(?:\s\w+){0,2}\san?\s|(?=\w+ly\b)|(?=annual\b)",
        "de": r"(?:pro|je|jede[sn]?)\s|/\s?|\d[\d.,]*(?:\s\w+){0,2}\s(?:am|im|in der|die)\s"
        r"|(?=\w+lich\b)",
        "es": r"(?:por|cada)\s|/\s?|\d[\d.,]*(?:\s\w+){0,2}\s(?:al|a la)\s"
        r"|(?=diari|\w+al(?:es)?\b)",
    }
)
"""What makes a span of time the measure of a rate."""


def has_other_rate(said: str, lines: Iterable[str]) -> bool:
    """Return whether those of ``lines`` with an amount of ``said`` have another span of time to it.

    Where ``said`` has no amount, whether the first of ``lines`` that says how often has another
    span: "checked weekly" is not "checked monthly".

    Args:
        said: A sentence, such as "it pumps 36 litres an hour".
        lines: Sentences of its sources, the nearest first.
    """
    mine = _rates(said)
    if not mine:
        return False
    own = [each for each in amounts(ground(said)) if each.unit not in mine]
    rated = filter(_rates, lines)
    told = [line for line in rated if _shares_amount(own, line)] if own else [*islice(rated, 1)]
    return bool(told) and mine.isdisjoint(chain.from_iterable(map(_rates, told)))


def _shares_amount(own: Sequence[Number], line: str) -> bool:
    return any(is_equal(a, b) for b in amounts(ground(line)) for a in own)


def _rates(text: str) -> frozenset[str]:
    language = spoken()
    code = language.code if language else "en"
    return frozenset(
        unit
        for unit, words in _SPANS.get(code, {}).items()
        if re.search(rf"(?i)(?:{_EACH[code]})(?:{words})\b", text)
    )
