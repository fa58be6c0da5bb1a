"""In what time something is so, or how often: the week of "12 euros per week"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import spoken

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
_ASKED: Final = r"(?<=\w\s)an?\s"
"""The same in a question in English, which has no figure before it: "How much is it a year?"."""


def rates(text: str, *, asks: bool = False) -> frozenset[str]:
    """Return the spans of time that are the measure of rates in ``text``, by their units.

    Args:
        text: A sentence or a question, in the language in use.
        asks: Whether it is a question.
    """
    language = spoken()
    code = language.code if language else "en"
    each = f"{_EACH[code]}|{_ASKED}" if asks and language is None else _EACH.get(code, "")
    return frozenset(
        unit
        for unit, words in _SPANS.get(code, {}).items()
        if re.search(rf"(?i)(?:{each})(?:{words})\b", text)
    )


def has_other_span(question: str, told: str) -> bool:
    """Return whether ``question`` asks for what is so in one span of time, ``told`` of others."""
    asked = rates(question, asks=True)
    found = rates(told) if asked else asked
    return bool(found) and asked.isdisjoint(found)
