"""Whole tables out of an index: of a file of records, and of the rows in the text of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote

from quaere.domain.source import Mark, Page, Passage, headings_over, spanned_label, table_id
from quaere.text.tables import ROW

MOST_ROWS, MOST_CHARS = 10_000, 1_500_000
"""Rows, and characters of a page or a file, up to which a table is read as a whole: a question
over more is not decided, and reading takes no more than some seconds. All tables that are read for
one question have no more characters either."""
LONGEST_BESIDE = 400
"""Characters of a paragraph next to a table that is read with it."""
FEWEST_ROWS = 2
"""Rows under a head that make a table."""

_NAME = r"(?:[^:;\n]|:(?!\s)){1,200}"
_FIRST = re.compile(rf"({_NAME}): ")
_RULE = re.compile(r"\|[\s|:-]*-[\s|:-]*")
_EXPLAINS = re.compile(r"(?:^|[\s(,;:])[^\s=]{1,4} = \w")
"""Says what a sign in a table stands for: "E = early"."""


class Record(NamedTuple):
    """A record of a file as the index keeps it."""

    place: str
    """What its address adds to that of the file: "#row=12"."""
    text: str
    """ "name: value; name: value", or prose for a record that is an article."""


def page_of_records(file_url: str, records: Sequence[Record]) -> Page | None:
    """Return the table that ``records`` make up as a page, with a mark at each row.

    None where they are not all fields of one table, or more than are read as a whole.
    """
    if not FEWEST_ROWS <= len(records) <= MOST_ROWS:
        return None
    heads = _heads(records)
    if len(heads) < 2:
        return None
    parting = re.compile(rf"(?:^|; )({'|'.join(map(re.escape, _longest_first(heads)))}): ")
    lines = [_line(heads)]
    at = len(lines[0]) + 1
    marks: list[Mark] = []
    for record in records:
        values = _values(record.text, parting)
        if values is None:
            return None
        line = _line([values.get(head, "") for head in heads])
        marks.append(Mark(start=at, label=record.place.lstrip("#").replace("=", " ")))
        lines.append(line)
        at += len(line) + 1
    text = "\n".join(lines)
    if len(text) > MOST_CHARS:
        return None
    name = _file_name(file_url)
    return Page(url=file_url, title=name, text=text, marks=tuple(marks))


def _file_name(file_url: str) -> str:
    """Return the name of the file at ``file_url`` as people write it: with spaces for "%20"."""
    return unquote(file_url.rpartition("/")[2])


def _heads(records: Sequence[Record]) -> list[str]:
    """Return the names of the fields in order, as most records have them."""
    named = [_names(record.text) for record in records]
    counts = Counter(name for names in named for name in dict.fromkeys(names))
    longest_first = sorted(named, key=len, reverse=True)
    least = max(1, len(records) // 20)
    kept = [name for name in dict.fromkeys(chain(*longest_first)) if counts[name] >= least]
    return sorted(kept, key=lambda name: _farthest(name, named))


def _names(text: str) -> list[str]:
    """Return what looks like the name of a field in the text of a record."""
    found = map(_FIRST.match, text.split("; "))
    return [name[1] for name in found if name]


def _farthest(name: str, named: Sequence[Sequence[str]]) -> int:
    """Return the place that ``name`` has where the most other names come before it."""
    return max(names.index(name) for names in named if name in names)


def _longest_first(heads: Sequence[str]) -> list[str]:
    return sorted(heads, key=len, reverse=True)


def _values(text: str, parting: re.Pattern[str]) -> dict[str, str] | None:
    """Return the fields of a record by name; None for one that is not made of fields alone."""
    found = list(parting.finditer(text))
    if not found or found[0].start() or "\n" in text:
        return None
    ends = [each.start() for each in found[1:]] + [len(text)]
    return {each[1]: text[each.end() : end] for each, end in zip(found, ends, strict=True)}


def _line(cells: Sequence[str]) -> str:
    return f"{ROW} {' | '.join(cell.replace(ROW, '/') for cell in cells)} {ROW}"


def tables_of(page: Page) -> Iterator[Passage]:
    """Yield the tables of ``page``, each as a passage of its own."""
    if len(page.text) > MOST_CHARS:
        return
    for start, end in _stretches(page.text):
        text = page.text[start:end]
        yield Passage(
            id=table_id(page.url, start, text),
            url=page.url,
            title=page.title,
            text=text,
            start=start,
            end=end,
            locator=_locator(page, start, end),
            marks=tuple(mark for mark in page.marks if start <= mark.start < end),
            content_hash=page.content_hash,
            retrieved_at=page.retrieved_at,
            published=page.published,
            author=page.author,
            table_head=text.partition("\n")[0],
            headings=headings_over(page.text, start),
            whole_table=True,
            beside=_beside(page.text, start, end),
        )


def _beside(text: str, start: int, end: int) -> str:
    """Return the paragraph before the table at ``[start, end)``, and one after it that is a key.

    A heading is none, and what is long says more than what the table is of.
    """
    before = text[max(0, start - 2 * LONGEST_BESIDE) : start].rstrip().rpartition("\n\n")[2]
    after = text[end : end + 2 * LONGEST_BESIDE].strip().partition("\n\n")[0]
    kept = [before, after] if _EXPLAINS.search(after) else [before]
    return "\n".join(each for each in kept if _is_prose(each))


def _is_prose(paragraph: str) -> bool:
    return len(paragraph) <= LONGEST_BESIDE and not paragraph.startswith((ROW, "#"))


def too_large(file_url: str, count: int) -> Passage:
    """Return what stands for a table of ``count`` rows, more than are read as a whole.

    It says so, and holds no row.
    """
    told = f"has {count:,} rows, and no more than {MOST_ROWS:,} are read as a whole"
    return _said_of(file_url, told)


def no_room(file_url: str) -> Passage:
    """Return what stands for the tables of a file that are left out, as others have taken the room.

    It says so, and holds no row.
    """
    return _said_of(file_url, "was not read as a whole, as other tables were, which are long")


def _said_of(file_url: str, told: str) -> Passage:
    name = _file_name(file_url)
    text = f"{name} {told}"
    return Passage(
        id=table_id(file_url, 0, text),
        url=file_url,
        title=name,
        text=text,
        start=0,
        end=len(text),
        whole_table=True,
    )


def _locator(page: Page, start: int, end: int) -> str:
    first = page.label_at(start) or page.label_at(page.text.find("\n", start) + 1)
    return spanned_label(first, page.label_at(end - 1))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the tables of ``text`` begin and end, with their heads."""
    at, first, rows = 0, -1, 0
    for line in [*text.split("\n"), ""]:
        if line.startswith(ROW):
            first = at if first < 0 else first
            rows += not _RULE.fullmatch(line.strip())
        else:
            if FEWEST_ROWS < rows <= MOST_ROWS + 1 and at - 1 - first <= MOST_CHARS:
                yield first, at - 1
            first, rows = -1, 0
        at += len(line) + 1
