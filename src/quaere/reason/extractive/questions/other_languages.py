"""Takes questions apart that are not in English, by what is recorded of their language.

It says less than the rules for English do: what kind of answer is asked for, what two things are
set against each other and in which direction, and whether several things are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from quaere.text.languages.language import Language
from quaere.text.tokens import words

STATEMENT, WHICH, YES_NO, COMPARISON, NAME = "statement", "which", "yes_no", "comparison", "name"
_TRIM = ' \t\n,;:.?!？。、，¿¡"“”„«»「」'
_MARKS = ("?", "？")
_NOUNS_LOOKED_AT = 4
_RELATIVE = r"(?:qui|que|che|quem)\b"
_ASKS_IN_JAPANESE = ("か", "か。")


def kind_in(language: Language, question: str) -> str:
    """Return the kind of answer, as `Kind` writes it, that ``question`` asks for.

    What holds no question word and is a question asks for yes or no.
    """
    text = question.strip()
    if compared_in(language, text) is not None:
        return COMPARISON
    if re.search(f"(?i){language.yes_no}", text):
        return YES_NO
    asked = _first_asking(language, text)
    if asked is None:
        asks = text.endswith(_MARKS) or (language.code == "ja" and text.endswith(_ASKS_IN_JAPANESE))
        return YES_NO if asks else STATEMENT
    kind, rest = asked
    return _kind_of_noun(language, rest) if kind == WHICH else kind


def _first_asking(language: Language, text: str) -> tuple[str, str] | None:
    """Return the kind of the first question word of ``text``, and what follows the word."""
    found = _asking(language).search(text)
    if found is None:
        return None
    return str(found.lastgroup), text[found.end() :]


@cache
def _asking(language: Language) -> re.Pattern[str]:
    edge = "" if language.pieces else r"(?<!\w)"
    kinds = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in language.asks.items())
    return re.compile(f"(?i){edge}(?:{kinds})")


@cache
def next_question(language: Language) -> re.Pattern[str]:
    """Return what is before a further question: "and", where a question word follows it.

    Not so the short ones that as often begin a clause on what was said before, as "et qui".
    """
    asked = "|".join(f"(?:{pattern})" for pattern in language.asks.values())
    return re.compile(rf"(?i),?\s+(?:{language.joins})\s+¿?(?=(?!{_RELATIVE})(?:{asked})\W*\w)")


def _kind_of_noun(language: Language, rest: str) -> str:
    """Return the kind that the noun after "which" asks for; several things are a list."""
    if language.pieces:
        near: list[str] = [rest.strip(_TRIM)]
    else:
        near = words(rest)[:_NOUNS_LOOKED_AT]
    for word in near:
        for kind, nouns in language.nouns.items():
            if word.startswith(tuple(nouns.casefold().split())):
                return kind
    return NAME


def wants_several(language: Language, question: str) -> bool:
    """Return whether ``question`` asks for a list."""
    return re.search(f"(?i){language.lists}", question) is not None


def compared_in(language: Language, question: str) -> tuple[str, str, str] | None:
    """Return the two things that ``question`` lets choose from, and by what; None for no choice."""
    return next(_sides(language.either, question), None)


def claimed_in(language: Language, question: str) -> tuple[str, str, str] | None:
    """Return two things, and of what ``question`` supposes the first to have more or less."""
    return next(_sides(language.claims, question), None)


def _sides(patterns: Iterable[str], question: str) -> Iterator[tuple[str, str, str]]:
    for pattern in patterns:
        found = re.search(f"(?i){pattern}", question.strip())
        if found is not None:
            first, second, about = (found[part].strip(_TRIM) for part in ("a", "b", "about"))
            if first and second and first != second:
                yield first, second, about
