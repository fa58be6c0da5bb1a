"""String literals as models write them: any quotes, raw line ends, quotes inside."""

from __future__ import annotations

import re

from quaere.models.structured.unreadable import broken, cut

CLOSERS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}
"""The quotes that a string may have, by their opening one."""
BLANK = r"(?:[\s\u200b-\u200f\u2060\ufeff]|\\[nrt](?!\w))"
"""White space between tokens as models have it: invisible marks and escaped line ends included."""

_TRIPLE = ('"""', "'''")
_UP_TO = {
    close: re.compile(rf"(?:[^{re.escape(close)}\\]++|\\.)*+", re.DOTALL)
    for close in CLOSERS.values()
}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\"}
_SURROGATES = re.compile(r"[\ud800-\udfff]+")
_COMMENT = r"//|/\*|#\s"
_NEXT_KEY = rf'{BLANK}*+"[^"\\\n]{{1,80}}"{BLANK}*+:'
_NEXT_LINE = rf'[^\S\n]*+\n{BLANK}*+"'
_NEXT = {"}": _NEXT_KEY, "]": _NEXT_LINE, ")": _NEXT_LINE}
"""What follows where a comma is missing."""
_ITEM = r"[\"'{\[\d-]|(?:true|false|null)\b"
_AFTER_COMMA = {"}": rf"[\"']|\w++\"?{BLANK}*+:", "]": _ITEM, ")": _ITEM}
_FOLLOWS = {
    closer: re.compile(rf"{BLANK}*+(?:[{re.escape(closer)},]|{_COMMENT}|```|\Z)|{_NEXT[closer]}")
    for closer in "}])"
} | {":": re.compile(rf"{BLANK}*+(?::|{_COMMENT})")}
"""What may stand after a string, by what ends the structure that it is in."""
_GOES_ON = {
    closer: re.compile(
        rf"{BLANK}*+(?:[{re.escape(closer)}:]|\Z|,{BLANK}*+(?:{_AFTER_COMMA[closer]}))"
        rf"|{_NEXT[closer]}"
    )
    for closer in "}])"
}
"""What stands after a quote that could end the string as well as close a quote inside it."""
_OPENS_INNER = re.compile(r"[ \t\n(\[{]\"\S")
"""A quote before a word, as one inside a string begins."""


def read_string(text: str, at: int, closer: str) -> tuple[str, int]:
    """Return the string whose opening quote is at ``at``, and the offset behind its closing one.

    ``closer`` is the bracket that ends the structure around it, ":" for a key.

    Raises:
        Unreadable: when it has no end, or more than one place could be its end.
    """
    if closer != ":" and text.startswith(_TRIPLE, at):
        return _triple(text, at)
    find_end = _double_end if text[at] == '"' else _single_end
    end = find_end(text, at, closer)
    return _unescape(text, at + 1, end), end + 1


def scalars(text: str) -> str:
    """Return ``text`` with its surrogate pairs joined, and U+FFFD for every lone surrogate."""
    return _SURROGATES.sub(
        lambda run: run[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"),
        text,
    )


def _triple(text: str, at: int) -> tuple[str, int]:
    end = text.find(text[at : at + 3], at + 3)
    if end < 0:
        raise cut(text, "inside a string")
    return _unescape(text, at + 3, end), end + 3


def _quote_after(text: str, at: int, close: str) -> int:
    """Return the offset of the next ``close`` that no backslash stands before."""
    found = _UP_TO[close].match(text, at)
    end = found.end() if found else at
    if end >= len(text) or text[end] == "\\":
        raise cut(text, "inside a string")
    return end


def _double_end(text: str, at: int, closer: str) -> int:
    """Return the offset of the quote that ends a string in double quotes.

    Quotes inside are told from its end by what follows, and only if they come in pairs around
    words: with an odd one the string's end is anybody's guess.
    """
    inner = False
    end = _quote_after(text, at + 1, '"')
    while inner or not _FOLLOWS[closer].match(text, end + 1):
        if closer == ":":
            raise broken(text, end, "a colon must follow the key")
        if inner and (text[end - 1].isspace() or _GOES_ON[closer].match(text, end + 1)):
            raise broken(text, end, "a quote inside a string needs a backslash")
        if not inner and not _OPENS_INNER.match(text, end - 1):
            raise broken(text, end, "a comma or a closing bracket must follow the string")
        inner = not inner
        end = _quote_after(text, end + 1, '"')
    return end


def _single_end(text: str, at: int, closer: str) -> int:
    """Return the offset of the quote that ends a string in other quotes; apostrophes don't."""
    close = CLOSERS[text[at]]
    end = _quote_after(text, at + 1, close)
    while not _FOLLOWS[closer].match(text, end + 1):
        within_word = text[end - 1].isalpha() and text[end + 1 : end + 2].isalpha()
        if close not in "'’" or not within_word:
            raise broken(text, end, "a quote inside a string needs a backslash")
        end = _quote_after(text, end + 1, close)
    return end


def _unescape(text: str, start: int, end: int) -> str:
    raw = text[start:end]
    if "\\" in raw:
        raw = _ESCAPE.sub(lambda escape: _meaning(text, start + escape.start(), escape[1]), raw)
    return scalars(raw)


def _meaning(text: str, at: int, escaped: str) -> str:
    """Return what a backslash and ``escaped`` stand for; unknown ones are kept as written."""
    if len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    if escaped in "ux\n\r":
        raise broken(text, at, "this escape does not exist in JSON")
    if escaped in _ESCAPED:
        return _ESCAPED[escaped]
    return escaped if escaped in CLOSERS or escaped in CLOSERS.values() else f"\\{escaped}"
