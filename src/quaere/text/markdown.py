"""Markdown inside a text: code and bold words in a sentence, and tables.

Code and bold words are the two forms that mean something in a sentence of an answer. Code is shown
as it is: a bracket in it does not cite, and no sentence ends in it. Of tables there are the cells,
the rows as sentences ("column: value; column: value", readable by itself), and what heads a table
that a text is cut in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

from quaere.text.tokens import STOP_WORDS, stem, words

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
_SPAN = re.compile(_CODE)


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


ROW = "|"
"""What a row of a table begins with, wherever tables are written with bars between their cells."""


_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LINKS = STOP_WORDS - {"other"}
_SUMS = frozenset({"net", "total"})


def rows_of(text: str) -> list[str]:
    """Return the lines of ``text`` that are rows of tables."""
    return [line for line in text.split("\n") if line.startswith(ROW)]


def label_key(label: str) -> str:
    """Return what the labels of one line of a table have in common, however they are worded.

    "Total inventories, net (Note 3)" and "Inventories" are one line.
    """
    plain = words(_ASIDE.sub(" ", label).replace("-", " "))
    told = {stem(word) for word in plain if word not in _LINKS and word.isalpha()}
    return " ".join(sorted(told - _SUMS))


def label_keys(text: str) -> Iterator[str]:
    """Yield the keys of the labels of the rows in ``text``."""
    for row in rows_of(text):
        if key := label_key(row[len(ROW) :].partition(ROW)[0]):
            yield key


class TableHeads:
    """Finds the heads of the tables of one text; places are asked for in rising order."""

    def __init__(self, text: str) -> None:
        """Look for tables in ``text``."""
        self._text = text
        self._asked = -1
        self._head = ""

    def over(self, start: int) -> str:
        """Return the head of the table in which ``start`` begins a further row; else nothing.

        Rows up to the last place asked for are not gone through again.
        """
        if not self._begins_row(start):
            return ""
        first = start
        while first and self._begins_row(before := self._line_before(first)):
            first = before
            if first == self._asked and self._head:
                return self._found(start, self._head)
        return self._found(start, self._line_at(first) if first < start else "")

    def _found(self, start: int, head: str) -> str:
        self._asked, self._head = start, head
        return head

    def _begins_row(self, at: int) -> bool:
        return self._text.startswith(ROW, at) and self._text[at - 1 : at] in {"", "\n"}

    def _line_at(self, at: int) -> str:
        end = self._text.find("\n", at)
        return self._text[at:end].rstrip()

    def _line_before(self, at: int) -> int:
        return self._text.rfind("\n", 0, at - 1) + 1


_PARTING = re.compile(r";|:(?=\s|$)")
_BARRED = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_BAR = re.compile(r"(?<!\\)\|")
_PART = "\x1f"


def cells(line: str) -> list[str] | None:
    """Return the cells of ``line``, a row of a table in Markdown; None where it is none."""
    if not _BARRED.fullmatch(line):
        return None
    parted = outside_code(line.strip(), lambda text: _BAR.sub(_PART, text))  # not at bars in code
    return [each.replace("\\|", "|").strip() for each in parted.split(_PART)[1:-1]]


def is_rule(line: str) -> bool:
    """Return whether ``line`` is the one under the head of a table."""
    return _BARRED.fullmatch(line) is not None and _RULE.fullmatch(line) is not None


def record(head: Sequence[str], values: Sequence[str]) -> str:
    """Return a row as its sentence says it.

    Empty cells are left out. The marks that part fields become others in names and values.
    """
    named = ((_unparted(name), _unparted(value)) for name, value in zip(head, values, strict=False))
    return "; ".join(f"{name}: {value}" if name else value for name, value in named if value)


def _unparted(text: str) -> str:
    return _PARTING.sub(lambda mark: "," if mark[0] == ";" else " –", " ".join(text.split()))


def tables(records: Iterable[str]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield the head and the rows of each table that ``records``, in order, come from.

    Those that begin with the same column are of one table.
    """
    for _, group in groupby(map(_fields, records), key=lambda row: next(iter(row), "")):
        rows = list(group)
        head = list(dict.fromkeys(name for row in rows for name in row))
        yield head, [[row.get(name, "") for name in head] for row in rows]


def _fields(said: str) -> dict[str, str]:
    """Return the values of a record by the name of their column."""
    parts = (part.partition(": ") for part in said.removesuffix(".").split("; "))
    return {name if found else "": value if found else name for name, found, value in parts}
