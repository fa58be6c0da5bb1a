"""One JSON value, read as leniently as it can be without guessing.

Read over: comments, white space of any kind, surplus commas, a comma missing before a line end or
a key, keys without quotes, other quotes, Python's words and tuples, ``.5`` and ``1.``, brackets
missing at the very end. Never read over: what could mean two things.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable

from pydantic import JsonValue

from quaere.models.structured.json_strings import BLANK, CLOSERS, read_string
from quaere.models.structured.unreadable import Flaw, Unreadable, broken, cut

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
        """Where the next token begins; behind the value once it is read."""
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
            value = self._value(depth + 1, "}")
            if key in members and not same(members[key], value):
                raise broken(self._text, self.at, f"{key!r} appears twice with different values")
            members[key] = value
            parted = False
        self.at += 1
        return members

    def _list(self, depth: int, closer: str) -> list[JsonValue]:
        """Read a list, or a tuple of Python, which with one element has a comma behind it."""
        items: list[JsonValue] = []
        commas = 0
        parted = True
        self.at += 1
        end_of_last = self.at
        while (start := self._next()) != closer or (closer == ")" and len(items) == 1 > commas):
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
        """Read a key with its colon and the gap behind it."""
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
