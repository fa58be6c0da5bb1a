"""Reads one string of a JSON object while a model writes the object."""

from __future__ import annotations

import json
import re
from typing import cast

from pydantic import JsonValue

_BEGIN = re.compile(r"\s*(?:```(?:json)?\s*)?(?=\{)")
"""What may precede the object; anything else may be thoughts or an example."""
_MAY_BEGIN = re.compile(r"\s*(?:`{0,3}|```j?s?o?|```(?:json)?\s*)")
_MARK = re.compile(r'[{}\[\]:,]|"(?:[^"\\]|\\.)*"|"', re.DOTALL)
_CHARACTERS = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_HALF_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_ESCAPE_CHARS = 6


class StringField:
    """The string ``name`` at the top level of an object, as far as it has come."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._raw = ""
        self._at = 0
        self._start = 0
        self._depth = 0
        self._key, self._key_start = "", 0
        self._is_value = False
        self._inside = False
        self._over = False
        self.before: dict[str, JsonValue] | None = None
        """The fields before it; None as long as it has not begun."""
        self.value = ""
        """As much of it as is there."""

    def feed(self, piece: str) -> str:
        """Take the next ``piece`` of the object and return what it adds to the string.

        Nothing where the text does not begin with an object, or what precedes the string is none.
        """
        if self._over:
            return ""
        self._raw += piece
        if self._at == 0 and not self._begun():
            return ""
        if not self._inside:
            self._seek()
        return self._decoded() if self._inside else ""

    def _begun(self) -> bool:
        begin = _BEGIN.match(self._raw)
        if begin is None:
            self._over = _MAY_BEGIN.fullmatch(self._raw) is None
            return False
        self._start = self._at = begin.end()
        return True

    def _seek(self) -> None:
        """Go on to where the string begins, as far as whole marks and strings are there."""
        while not self._inside and not self._over and (mark := _MARK.search(self._raw, self._at)):
            sign = mark[0]
            if sign[0] == '"' and self._is_at_value():
                self._enter(self._key_start, mark.start() + 1)
            elif sign == '"':
                return  # its end is still to come
            else:
                self._at = mark.end()
                self._pass(sign, mark.start())

    def _is_at_value(self) -> bool:
        """Return whether the next string is the one that is looked for."""
        return self._is_value and self._depth == 1 and self._key == self._name

    def _pass(self, sign: str, start: int) -> None:
        if sign in "{[":
            self._depth += 1
            self._is_value = False
        elif sign in "}]":
            self._depth -= 1
            self._over = self._depth <= 0
        elif self._depth == 1:
            self._is_value = sign == ":"
            if sign[0] == '"':
                self._key, self._key_start = sign[1:-1], start

    def _enter(self, key_start: int, at: int) -> None:
        head = self._raw[self._start : key_start].rstrip().rstrip(",")
        try:
            self.before = cast("dict[str, JsonValue]", json.loads(f"{head}}}"))
        except ValueError:
            self._over = True
        else:
            self._inside, self._at = True, at

    def _decoded(self) -> str:
        whole = _CHARACTERS.match(self._raw, self._at)
        text = whole[0] if whole else ""
        end = self._at + len(text)
        ended = self._raw.startswith('"', end)
        if not ended:
            text = _HALF_PAIR.sub("", text)
            left = len(self._raw) - end
            self._over = left >= _ESCAPE_CHARS  # an escape that JSON does not have
        self._at += len(text)
        self._over |= ended
        added = cast("str", json.loads(f'"{text}"', strict=False))
        self.value += added
        return added
