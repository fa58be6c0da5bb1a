"""Tables in text: their cells, their rows as sentences, and what heads one that a text is cut in.

A row as a sentence is "column: value; column: value", readable by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from quaere.text.inline import outside_code
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import STOP_WORDS, stem, words

ROW = "|"
"""What a row of a table begins with, wherever tables are written with bars between their cells."""


_ASIDE = lazy_regex(r"\([^()]*\)|\[[^\[\]]*\]")
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


_PARTING = lazy_regex(r";|:(?=\s|$)")
_NEXT_FIELD = lazy_regex(r"; (?=[^;:]*(?::[^;:\s]+)*: )")
_BARRED = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_BAR = re.compile(r"(?<!\\)\|")
_PART = "\x1f"
_ESCAPED = "\\|"


def cells(line: str) -> list[str] | None:
    """Return the cells of ``line``, a row of a table in Markdown; None where it is none."""
    if not _BARRED.fullmatch(line):
        return None
    parted = outside_code(line.strip(), lambda text: _BAR.sub(_PART, text))  # not at bars in code
    return [each.replace("\\|", "|").strip() for each in parted.split(_PART)[1:-1]]


def cells_of_row(row: str) -> tuple[str, ...]:
    r"""Return the cells of a row that has pipes between them; the `\|` of Markdown parts none."""
    if _ESCAPED not in row:
        return tuple(cell.strip() for cell in row.strip().strip(ROW).split(ROW))
    return tuple(cell.replace("\0", ROW) for cell in cells_of_row(row.replace(_ESCAPED, "\0")))


def is_rule(line: str) -> bool:
    """Return whether ``line`` is the one under the head of a table."""
    return _BARRED.fullmatch(line) is not None and _RULE.fullmatch(line) is not None


_EMPTY = re.compile(r"(?m)^\|[\s|]*\|$")


def empty_head(between: str) -> tuple[str, ...]:
    """Return the cells of an empty row ``between`` two lines, which is the head of a table."""
    row = _EMPTY.search(between)
    return cells_of_row(row[0]) if row else ()


def record(head: Sequence[str], values: Sequence[str]) -> str:
    """Return a row as its sentence says it.

    Empty cells are left out. The marks that part fields become others in names and values. Where
    nothing heads the columns, the first cell names the others.
    """
    if not any(head) and len(values) > 1:
        head, values = _headed_by_first(values)
    named = ((_unparted(name), _unparted(value)) for name, value in zip(head, values, strict=False))
    return "; ".join(f"{name}: {value}" if name else value for name, value in named if value)


def _headed_by_first(values: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the first cell that is not empty as the head of those that follow, and these."""
    at = next((at for at, value in enumerate(values[:-1]) if value), len(values) - 2)
    return [values[at], *[""] * (len(values) - at - 2)], values[at + 1 :]


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
    """Return the values of a record, which may have semicolons, by the name of their column."""
    parts = (part.partition(": ") for part in _NEXT_FIELD.split(said.removesuffix(".")))
    return {name if found else "": value if found else name for name, found, value in parts}


_FIELD_NAME = r"(?:[\w .,()/%°$€£&'’\"?#+*-]|:(?!\s)){1,60}"
_FIELD_VALUE = rf"(?:[^;\n]|;(?! {_FIELD_NAME}: ))*"
"""May have semicolons itself: "Use: wood; steel; Price: 45" has two fields."""
_RECORD = re.compile(rf"(?:{_FIELD_NAME}: {_FIELD_VALUE}; )+{_FIELD_NAME}: {_FIELD_VALUE}")
_FIELD = lazy_regex(rf"(?:^|; )({_FIELD_NAME}): ({_FIELD_VALUE})")


def fields(text: str) -> list[tuple[str, str]]:
    """Return the fields of a record that is written "name: value; name: value"; else none."""
    return _FIELD.findall(text) if _RECORD.fullmatch(text) else []
