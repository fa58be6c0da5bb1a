"""Rows of a table as sentences: "column: value; column: value", each readable by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from quaere.text.inline import outside_code

_PARTING = re.compile(r";|:(?=\s|$)")
_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_BAR = re.compile(r"(?<!\\)\|")
_PART = "\x1f"


def cells(line: str) -> list[str] | None:
    """Return the cells of ``line``, a row of a table in Markdown; None where it is none."""
    if not _ROW.fullmatch(line):
        return None
    parted = outside_code(line.strip(), lambda text: _BAR.sub(_PART, text))  # not at bars in code
    return [each.replace("\\|", "|").strip() for each in parted.split(_PART)[1:-1]]


def is_rule(line: str) -> bool:
    """Return whether ``line`` is the one under the head of a table."""
    return _ROW.fullmatch(line) is not None and _RULE.fullmatch(line) is not None


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
