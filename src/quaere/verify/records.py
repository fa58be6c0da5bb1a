"""Whether a sentence reads out one record of a table: "year: 1902; place: Hask"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from quaere.domain.source import Passage

MIN_FIELDS = 2

_FIELD = re.compile(r"([^:;]+):\s+([^;]+)")


def reads_record(text: str, passages: Iterable[Passage]) -> bool:
    """Whether ``text`` is fields of one row of a passage, each under a name that stands before it.

    The values must stand in one line, in the order of the sentence, and the names in one line at
    or before it, in that order, too: values of two rows are not one record.
    """
    fields = _fields(text)
    if len(fields) < MIN_FIELDS:
        return False
    names, values = [name for name, _ in fields], [value for _, value in fields]
    return any(_holds(passage.text.splitlines(), names, values) for passage in passages)


def _fields(text: str) -> list[tuple[str, str]]:
    """Return names and values of a sentence that is nothing but fields."""
    parts = [part.strip() for part in text.strip().rstrip(".").split(";")]
    found = [_FIELD.fullmatch(part) for part in parts]
    if not all(found):
        return []
    return [(match[1].strip(), match[2].strip()) for match in found if match]


def _holds(lines: Sequence[str], names: Sequence[str], values: Sequence[str]) -> bool:
    named = False
    for line in lines:
        named = named or _in_order(line, names)
        if named and _in_order(line, values):
            return True
    return False


def _in_order(line: str, parts: Sequence[str]) -> bool:
    """Whether ``parts`` stand in ``line`` one after the other, none inside a longer word."""
    at = 0
    for part in parts:
        match = re.compile(rf"(?<!\w){re.escape(part)}(?!\w)").search(line, at)
        if match is None:
            return False
        at = match.end()
    return True
