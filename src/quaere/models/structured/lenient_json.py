"""One JSON value, read as leniently as it can be without guessing, and what is whole of a cut one.

Read over: comments, white space of any kind, surplus commas, a comma missing before a line end or
a key, keys without quotes, other quotes, Python's words and tuples, ``.5`` and ``1.``, brackets
missing at the very end. Never read over: what could mean two things. `Unreadable` says then why.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import cast

from pydantic import JsonValue

SHOWN_CHARS = 60


class Flaw(StrEnum):
    """Why no value was read."""

    EMPTY = "empty"
    DECLINED = "declined"
    TOO_LARGE = "too_large"
    """Too long, or nested too deep."""
    NO_JSON = "no_json"
    BROKEN = "broken"
    """JSON that could be repaired in more than one way, or in none."""
    CUT = "cut"
    """The text ends before its structure does."""


class Unreadable(Exception):
    """A text was not read; ``str()`` says what is wrong, fit to be shown to its author."""

    def __init__(self, flaw: Flaw, message: str, *, at: int = 0) -> None:
        """Take the flaw, the message, and the offset in the text that it is about."""
        super().__init__(message)
        self.flaw = flaw
        self.message = message
        self.at = at


def near(text: str, at: int) -> str:
    """Return the start of the text at ``at``, quoted, for a message."""
    piece = text[at : at + SHOWN_CHARS].strip()
    return f"near {piece!r}" if piece else "at the end"


def broken(text: str, at: int, expected: str) -> Unreadable:
    """Return the complaint that at ``at`` something else was expected."""
    return Unreadable(Flaw.BROKEN, f"The JSON is broken: {expected}, {near(text, at)}.", at=at)


def cut(text: str, where: str) -> Unreadable:
    """Return the complaint that the text ends inside something."""
    return Unreadable(Flaw.CUT, f"The JSON is not complete: it ends {where}.", at=len(text))


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
_COMMENT_START = r"//|/\*|#\s"
_NEXT_KEY = rf'{BLANK}*+"[^"\\\n]{{1,80}}"{BLANK}*+:'
_NEXT_LINE = rf'[^\S\n]*+\n{BLANK}*+"'
_NEXT = {"}": _NEXT_KEY, "]": _NEXT_LINE, ")": _NEXT_LINE}
"""What follows where a comma is missing."""
_ITEM = r"[\"'{\[\d-]|(?:true|false|null)\b"
_AFTER_COMMA = {"}": rf"[\"']|\w++\"?{BLANK}*+:", "]": _ITEM, ")": _ITEM}
_FOLLOWS = {
    closer: re.compile(
        rf"{BLANK}*+(?:[{re.escape(closer)},]|{_COMMENT_START}|```|\Z)|{_NEXT[closer]}"
    )
    for closer in "}])"
} | {":": re.compile(rf"{BLANK}*+(?::|{_COMMENT_START})")}
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
    """Return the string whose opening quote is at ``at``, and the offset after its closing one.

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
    """Return the offset of the next ``close`` that is not escaped by a backslash."""
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
        _check_inner_quote(text, end, closer, opened=inner)
        inner = not inner
        end = _quote_after(text, end + 1, '"')
    return end


def _check_inner_quote(text: str, at: int, closer: str, *, opened: bool) -> None:
    """Raise unless the quote ``at`` can close one that was ``opened`` in the string, or open it."""
    if not opened:
        if not _OPENS_INNER.match(text, at - 1):
            raise broken(text, at, "a comma or a closing bracket must follow the string")
    elif text[at - 1].isspace() or _GOES_ON[closer].match(text, at + 1):
        raise broken(text, at, "a quote inside a string needs a backslash")


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


MAX_DEPTH = 64
"""Levels of nesting; contracts have four or five."""
MAX_DIGITS = 100
"""Digits of a number; Python refuses 4,300, and a float overflows at 309."""

_GAP = re.compile(
    rf"(?:{BLANK}++|//[^\n]*+|\#(?=\s)[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+", re.DOTALL
)
_COMMENT = re.compile(r"//|#\s")
_NAME = re.compile(r"([^\W\d][\w$-]{0,99})\"?")
_TOKEN = re.compile(rf"(?:(?!{BLANK})[^,:{{}}\[\]()\"'`“”«»/#])++")
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+")
_WHOLE = re.compile(r"[+-]?[0-9]++")
_WORDS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "undefined": None,
}
_NOT_FINITE = {"nan", "infinity", "inf"}


class LenientParser:
    """Reads the value that begins at an offset of a text.

    Args:
        text: What a model wrote.
        at: Offset of an opening brace or bracket.
        whole: Whether the model came to the end by itself, so that brackets that are missing there
            were forgotten and not cut off.
    """

    def __init__(self, text: str, at: int, *, whole: bool) -> None:
        self.at = at
        """Where the next token begins; after the value once it is read."""
        self.progressed = False
        """Whether a key or an element was read: what follows was meant to be JSON."""
        self._text = text
        self._whole = whole

    def read(self) -> JsonValue:
        """Return the value.

        Raises:
            Unreadable: saying what was expected where.
        """
        return self._value(1, "")

    def _value(self, depth: int, closer: str) -> JsonValue:
        if depth > MAX_DEPTH:
            raise Unreadable(Flaw.TOO_LARGE, f"The JSON is nested more than {MAX_DEPTH} deep.")
        start = self._peek()
        if start == "{":
            return self._object(depth)
        if start == "[":
            return self._list(depth, "]")
        if start == "(":
            return self._list(depth, ")")
        if start in CLOSERS:
            value, self.at = read_string(self._text, self.at, closer)
            return value
        return self._bare()

    def _object(self, depth: int) -> dict[str, JsonValue]:
        members: dict[str, JsonValue] = {}
        parted = True
        self.at += 1
        while (start := self._next()) != "}":
            if not start:
                self._forgotten(members.values(), parted=parted)
                return members
            if start == ",":
                parted = True
                self.at += 1
                continue
            if not parted and start not in CLOSERS:
                raise broken(self._text, self.at, 'expected "," or "}"')
            key = self._key(start)
            self._add(members, key, self._value(depth + 1, "}"))
            parted = False
        self.at += 1
        return members

    def _add(self, members: dict[str, JsonValue], key: str, value: JsonValue) -> None:
        if key in members and not same(members[key], value):
            raise broken(self._text, self.at, f"{key!r} appears twice with different values")
        members[key] = value

    def _list(self, depth: int, closer: str) -> list[JsonValue]:
        """Read a list, or a tuple of Python, which with one element has a comma after it."""
        items: list[JsonValue] = []
        commas = 0
        parted = True
        self.at += 1
        end_of_last = self.at
        while (start := self._next()) != closer or _lacks_comma(closer, len(items), commas):
            if not start:
                self._forgotten(items[-1:], parted=parted)
                return items
            if start == ",":
                commas += 1
                parted = True
                self.at += 1
                continue
            if not parted and not self._parts(end_of_last, start):
                raise broken(self._text, self.at, f'expected "," or "{closer}"')
            items.append(self._value(depth + 1, closer))
            self.progressed = True
            parted = False
            end_of_last = self.at
        self.at += 1
        return items

    def _parts(self, end_of_last: int, start: str) -> bool:
        """Return whether two elements without a comma are two: by a line end, or brackets."""
        between_brackets = self._text[end_of_last - 1] + start in {"}{", "][", ")("}
        return between_brackets or "\n" in self._text[end_of_last : self.at]

    def _key(self, start: str) -> str:
        """Read a key with its colon and the gap after it."""
        if start in CLOSERS:
            key, self.at = read_string(self._text, self.at, ":")
        else:
            name = _NAME.match(self._text, self.at)
            if not name:
                raise broken(self._text, self.at, "expected a key in double quotes")
            key, self.at = name[1], name.end()
        if (colon := self._next()) != ":":
            if not colon:
                raise cut(self._text, f"after the key {key!r}")
            raise broken(self._text, self.at, f"expected a colon after the key {key[:60]!r}")
        self.at += 1
        self.progressed = True
        if not self._next():
            raise cut(self._text, f"before the value of {key[:60]!r}")
        return key

    def _bare(self) -> JsonValue:
        """Read a number or a word."""
        found = _TOKEN.match(self._text, self.at)
        if not found:
            raise broken(self._text, self.at, "expected a value")
        token, start, self.at = found[0], self.at, found.end()
        word = token.lower()
        if word in _WORDS:
            return _WORDS[word]
        if word.lstrip("+-") in _NOT_FINITE:
            raise broken(self._text, start, f"{token} is not a number in JSON")
        if self.at == len(self._text):
            raise cut(self._text, "inside a number or word")
        if not _NUMBER.fullmatch(token):
            raise broken(self._text, start, "expected a value (a string needs double quotes)")
        return _number(self._text, start, token)

    def _next(self) -> str:
        """Go over white space and comments; return the character that follows, "" at the end."""
        gap = _GAP.match(self._text, self.at)
        start, self.at = self.at, gap.end() if gap else self.at
        if self._text.startswith("/*", self.at):
            raise cut(self._text, "inside a comment")
        if self.at == len(self._text) and _COMMENT.search(self._text, start):
            raise cut(self._text, "with a comment that may hide the rest")
        return self._peek()

    def _peek(self) -> str:
        """Return the next character, "" at the end of the text or of the code fence around it."""
        if self._text.startswith("```", self.at):
            return ""
        return self._text[self.at : self.at + 1]

    def _forgotten(self, values: Iterable[JsonValue], *, parted: bool) -> None:
        """Take the bracket behind ``values`` for forgotten.

        Raises:
            Unreadable: when something else was to come, or the text was cut off, or the bracket
                may belong further in, so that what was read last is of another object.
        """
        if parted or not self._whole or any(isinstance(value, dict) for value in values):
            raise cut(self._text, "before its closing brackets")


def _lacks_comma(closer: str, count: int, commas: int) -> bool:
    """Tell whether one value in parentheses ends: a tuple would have a comma."""
    return closer == ")" and count == 1 > commas


def same(a: JsonValue, b: JsonValue) -> bool:
    """Return whether two values are the same JSON; 1, 1.0 and true are three values."""
    return canonical(a) == canonical(b)


def canonical(value: JsonValue) -> str:
    """Return ``value`` as JSON that does not depend on the order of its keys."""
    return json.dumps(value, sort_keys=True)


def _number(text: str, at: int, token: str) -> int | float:
    if len(token) > MAX_DIGITS:
        raise broken(text, at, f"a number has more than {MAX_DIGITS} digits")
    if _WHOLE.fullmatch(token):
        return int(token)
    number = float(token)
    if not math.isfinite(number):
        raise broken(text, at, f"{token} is too large for a number")
    return number


_MARK = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],"]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_PARTS = (["}"], ["}", "]"])
"""What is open between the members of the object, and between the entries of its lists."""


def whole_part(text: str) -> dict[str, JsonValue]:
    """Return the fields of the object in ``text`` that are whole, and of the last what is.

    Of a list that is all its whole entries, of a text nothing: who reads a part of an answer takes
    it for all of it. There are none where no object begins.
    """
    start = text.find("{")
    if start < 0:
        return {}
    end, closers = _last_whole(text, start)
    try:
        said = json.loads(f"{text[start:end]}{closers}", strict=False)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, JsonValue]", said)


def _last_whole(text: str, start: int) -> tuple[int, str]:
    """Return where what is whole ends, and the brackets that close it.

    Only the members of the object and the entries of its lists are parts of their own: an entry
    that lacks its end may lack what it is about.
    """
    stack: list[str] = []
    end, closers = start + 1, "}"
    for mark in _MARK.finditer(text, start):
        sign = mark[0]
        if sign == '"':
            break  # of a string without an end
        _follow(stack, sign)
        if not stack:
            return mark.end(), ""
        if sign[0] != '"' and stack in _PARTS:
            end = mark.start() if sign == "," else mark.end()
            closers = "".join(reversed(stack))
    return end, closers


def _follow(stack: list[str], sign: str) -> None:
    """Open or close in ``stack``, of the brackets that are still to come, what ``sign`` does."""
    if sign in _CLOSING:
        stack.append(_CLOSING[sign])
    elif stack and sign == stack[-1]:
        stack.pop()
