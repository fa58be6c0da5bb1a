"""Finds what a code means that a machine shows: its entry in the list of codes of a manual.

"F05 - Drain blocked. Clean the filter." says what F05 means and what to do when it is shown, "5
blinks  Fan motor blocked." what five blinks mean. English alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.tokens import stem, terms

_CODE: Final = r"[A-Z]{1,3}-?\d{1,4}[a-z]?"
_CODES: Final = lazy_regex(rf"\b{_CODE}\b")
_NAMED: Final = lazy_regex(
    r"(?<![\w-])(?P<letters>[A-Z][A-Za-z]{0,5})-?\d{1,5}[A-Za-z]{0,2}(?![\w-])"
)
"""A code by which a thing is named: "TX-31L"."""
_AFTER: Final = lazy_regex(r" (?P<word>[a-z]+)")
_ENTRY: Final = lazy_regex(
    rf"(?m)^[ \t]*(?:[-*•][ \t]+)?(?P<key>{_CODE}|\d{{1,2}} [a-z]+)"
    r"(?:[ \t]*[-–—:.][ \t]+|[ \t]{2,}|\t|[ \t]+(?=[A-Z]))"
)
"""What an entry begins with that says what a code means, or so many blinks."""
_BLANK: Final = lazy_regex(r"\n[ \t]*\n")
_ASKS: Final = lazy_regex(
    r"(?i)\W*what\b.*\b(?:means?|signif\w+|indicates?|is|wrong"
    r"|(?:should|must|can|do|to|does) .*\bdo)\b"
)
_SHOWS: Final = frozenset(
    terms(
        "mean signify indicate show shown display appear come up see get light lamp code error"
        " message fault screen panel wrong"
    )
)
"""Stems of how one asks about a code that is shown."""


def find_coded(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the entry of the code, or of the count of signals, of which ``question`` asks.

    All else that is asked is in what is over it. None where several entries have that key.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    key = _key_in(text)
    if not key:
        return ()
    wanted = frozenset(terms(text.replace(key, " "))) - _SHOWS
    found = [
        line
        for owner, passage in enumerate(pool.passages)
        for each, line in entries_at(_ENTRY.finditer(passage.text), owner, pool)
        if _stems(each) == _stems(key) and wanted <= pool.over(line) | pool.file_terms(line)
    ]
    return tuple(found) if len(found) == 1 else ()


def is_of_another_code(question: str, line: Line, told: str) -> bool:
    """Return whether ``told`` has another code like that in ``question`` instead: "T31" of "T31L".

    Args:
        question: What was asked.
        line: A line, which may point back to what was named before.
        told: Its text with all that is over it.
    """
    asked, others = _coded(last_question(question)), _coded(told)
    if not asked or asked.keys() & others.keys():
        return False
    is_led = any(frozenset(terms(code)) <= line.led for code, _ in asked.values())
    letters = {begin for _, begin in asked.values()}
    return not is_led and any(begin in letters for _, begin in others.values())


def _coded(text: str) -> dict[str, tuple[str, str]]:
    """Return each code in ``text`` and the letters that it begins with, by its plain form."""
    return {
        found[0].replace("-", "").casefold(): (found[0], found["letters"].casefold())
        for found in _NAMED.finditer(text)
    }


def code_words(question: str) -> frozenset[str]:
    """Return the stems by which ``question`` asks about a code, which no line need have."""
    text = last_question(question)
    return _SHOWS if is_english() and _ASKS.match(text) and _CODES.search(text) else frozenset()


def _key_in(text: str) -> str:
    """Return the only code in ``text``, or the only number with the word after it; else nothing."""
    if not is_english() or not _ASKS.match(text):
        return ""
    codes = [found[0] for found in _CODES.finditer(text)]
    counted = (
        f"{text[number.start : number.end]}{after[0]}"
        for number in numbers(text)
        if not number.unit and (after := _AFTER.match(text, number.end))
    )
    keys = codes or list(counted)
    return keys[0] if len(keys) == 1 else ""


def _stems(key: str) -> list[str]:
    """Return the stems of ``key``, its number in figures."""
    count = next((f"{number.value}" for number in numbers(key) if not number.start), "")
    first, *rest = key.split()
    return [count if rest and count else first.casefold(), *map(stem, rest)]


def entries_at(
    begun: Iterable[re.Match[str]], owner: int, pool: Pool
) -> Iterator[tuple[str, Line]]:
    """Yield the entries of the passage ``owner`` that are ``begun`` so, each up to a blank line."""
    text, starts = pool.passages[owner].text, list(begun)
    for at, entry in enumerate(starts, 1):
        limit = starts[at].start() if at < len(starts) else len(text)
        start, blank = entry.start("key"), _BLANK.search(text, entry.end(), limit)
        end = blank.start() if blank else limit
        if line := _line_at(start, pool.lines_of[owner]):
            said = " ".join(text[start:end].split())
            end = start + len(text[start:end].rstrip())
            yield entry["key"], replace(line, start=start, end=end, text=said)


def _line_at(place: int, lines: Sequence[Line]) -> Line | None:
    at = bisect_right(lines, place, key=attrgetter("start"))
    return lines[at - 1] if at and place < lines[at - 1].end else None
