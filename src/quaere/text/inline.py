"""Code and bold words inside a sentence, written as in Markdown.

These two forms alone mean something in a sentence of an answer. Code is shown as it is: a bracket
in it does not cite, and no sentence ends in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum

from quaere.text.lazy_regex import lazy_regex

MAX_CHARS = 300
"""Longer stretches between two marks were hardly meant as code or as bold."""

# A backslash before a back-tick, or another back-tick next to it, makes it something else, and so
# does an apostrophe after one word: GNU manuals quote `so'.
_QUOTE = r"[^`\s']{1,60}'(?:[\s.,;:)]|$)"
_CODE = rf"(?<![\\`])`(?!{_QUOTE})[^`\n]{{1,{MAX_CHARS}}}`(?!`)"
_STRONG = (
    rf"(?<![A-Za-z0-9_*\\])\*\*(?=[^\s*])(?:[^*`\n]|`[^`\n]*`){{1,{MAX_CHARS}}}(?<=[^\s*])\*\*"
    r"(?![A-Za-z0-9_*])"
)
_FORM = re.compile(rf"(?P<code>{_CODE})|(?P<strong>{_STRONG})")
_SPAN = lazy_regex(_CODE)

_ESCAPED = lazy_regex(r"\\([!-/:-@\[-`{-~])")


class Form(StrEnum):
    """How a stretch of a sentence is written."""

    PLAIN = "plain"
    CODE = "code"
    STRONG = "strong"


def stretches(text: str) -> Iterator[tuple[Form, str]]:
    """Yield the stretches of ``text`` in order, each without its marks; none is empty."""
    end = 0
    for match in _FORM.finditer(text):
        if match.start() > end:
            yield Form.PLAIN, text[end : match.start()]
        yield from _stretch(match)
        end = match.end()
    if end < len(text):
        yield Form.PLAIN, text[end:]


def _stretch(match: re.Match[str]) -> Iterator[tuple[Form, str]]:
    if match["code"]:
        yield Form.CODE, match[0][1:-1]
        return
    inner = match[0][2:-2]
    form = Form.CODE if _SPAN.fullmatch(inner) else Form.STRONG
    yield form, unmarked(inner)


def unmarked(text: str) -> str:
    """Return ``text`` without the marks of code and of bold words."""
    if "`" not in text and "**" not in text:
        return text
    return "".join(words for _, words in stretches(text))


def unescaped(text: str) -> str:
    """Return ``text`` without the backslashes that Markdown has before punctuation."""
    return _ESCAPED.sub(r"\1", text)


def hide_code(text: str) -> str:
    """Return ``text``, as long as it was, with a word of x in place of each stretch of code."""
    return _SPAN.sub(lambda code: "x" * len(code[0]), text)


def _same(text: str) -> str:
    return text


def outside_code(
    text: str, change: Callable[[str], str], inside: Callable[[str], str] = _same
) -> str:
    """Return ``text`` with ``change`` made to every stretch of it but code.

    ``inside`` is made to code, with its marks.
    """
    if "`" not in text:
        return change(text)
    parts: list[str] = []
    end = 0
    for match in _SPAN.finditer(text):
        parts += (change(text[end : match.start()]), inside(match[0]))
        end = match.end()
    return "".join((*parts, change(text[end:])))
