"""What is said next to a table of how many times a unit its figures are: "in thousands"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from quaere.reason.extractive.tables.lexicon import PEOPLE, alike
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.tokens import stem, stems_of, stop_words, words

SCALES = {"thousand": Decimal(10**3), "million": Decimal(10**6), "billion": Decimal(10**9)}
"""How many each of them is."""

_MONEY = "dollars|euros|pounds|crowns|francs|kroner|kronor|yen"
UNITS = f"{_MONEY}|tonnes|litres"
"""What captions scale, as a part of a pattern."""
_SCALE = lazy_regex(
    r"(?i)(?:\A|[.(\n;:,]|\b(?P<what>figures?|amounts?|values?|numbers?|prices?|sums?|all|stated"
    r"|shown)\b[^.()\n]{0,40}?)\s*(?:are )?in (?P<scale>thousand|million|billion)s?(?![\w-])"
    rf"(?: (?:of )?(?:us )?(?P<unit>{UNITS}))?\b"
)
_CLAUSE = lazy_regex(r"[^.;\n]*\Z")
_OF_ANY = stems_of("figure amount value number sum stated shown table")
"""Stems of what a caption calls figures of whatever kind."""
_COUNTED = PEOPLE | stems_of("visitor passenger customer user guest worker workforce headcount")
"""Stems of what is counted by the head, and no sum of money."""
_RATIO = lazy_regex(r"(?i)%|\b(?:per|percent(?:age)?|pct|rate|ratio|share|margin|growth)\b")
_MONTH = "|".join(rf"{name[:3]}|{name}" for name in MONTHS)
_PERIOD = lazy_regex(rf"(?i)(?:fy ?)?[12]\d{{3}}\b.*|[qh][1-4]\b.*|(?:{_MONTH})\.?")


def scale_told(text: str, head: str) -> str:
    """Return what ``text`` next to a table says figures under ``head`` are in: "thousand crowns".

    Nothing of a ratio, or of people among sums of money; nor of what the text does not name, where
    it says of what it speaks: "Visitors (in thousands)".
    """
    found = _SCALE.search(text)
    if found is None or _RATIO.search(head):
        return ""
    before = _CLAUSE.search(text[: found.start("scale")])
    spoken_of = _content(before[0] if before else "")
    if not _is_of_head(found, spoken_of, head):
        return ""
    return f"{found['scale'].casefold()} {found['unit'] or ''}".strip()


def _is_of_head(found: re.Match[str], spoken_of: Sequence[str], head: str) -> bool:
    """Whether figures under ``head`` are in the scale that is ``found``.

    They are of what is ``spoken_of`` before it or of a period, or it is of any but people.
    """
    told = frozenset(spoken_of) - _OF_ANY
    headed = frozenset(_content(head))
    if not headed.isdisjoint(_alike(told)) or _PERIOD.fullmatch(head.strip()):
        return True
    is_of_any = not told or spoken_of[-1] in _OF_ANY or _is_of_all_money(found)
    return is_of_any and headed.isdisjoint(_COUNTED)


def _is_of_all_money(found: re.Match[str]) -> bool:
    """Whether the scale that is ``found`` is one of money, and it is not said of which."""
    is_money = (found["unit"] or "").casefold() in _MONEY.split("|")
    return is_money and not found["what"]


def may_be_scaled(name: str) -> bool:
    """Return whether a row of the ``name`` may be in a scale: not "earnings per share", nor people.

    So a statement in thousands tells its ratios and its staff as they are.
    """
    return _RATIO.search(name) is None and _COUNTED.isdisjoint(_content(name))


def _content(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in stop_words()]


def _alike(stems: frozenset[str]) -> frozenset[str]:
    return stems.union(*map(alike, stems))
