"""The catalogue: files, pages and passages in SQLite. It is the source of truth."""

from __future__ import annotations

import json
import os
import sqlite3
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from quaere.domain.source import Mark, Page, Passage, ReadStatus, passage_id
from quaere.text import zstd
from quaere.text.tables import ROW, TableHeads

BLOCK_CHARS = 8_192
"""The text of a file, all its pages in a row, is kept in blocks of at most so many characters: a
passage of a large page costs one block to read, and small pages share one."""
LONGEST_TABLE = 65_536
"""Characters before a passage in which the head of its table is looked for."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL, url TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, hash TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL, passages INTEGER NOT NULL, state INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS files_by_url ON files (url);
CREATE INDEX IF NOT EXISTS files_unsettled ON files (state) WHERE state != 2;
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, place TEXT NOT NULL,
    at INTEGER NOT NULL, length INTEGER NOT NULL, hash BLOB NOT NULL, title TEXT NOT NULL,
    content_type TEXT NOT NULL, retrieved_at TEXT NOT NULL, published TEXT NOT NULL,
    author TEXT NOT NULL, language TEXT NOT NULL, marks TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS pages_by_place ON pages (file, place);
CREATE TABLE IF NOT EXISTS blocks (file INTEGER NOT NULL, at INTEGER NOT NULL, text BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS blocks_by_place ON blocks (file, at);
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, page INTEGER NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, locator TEXT NOT NULL,
    headings TEXT NOT NULL, lead_in TEXT NOT NULL, marks TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS passages_by_page ON passages (page);
"""


class State(IntEnum):
    """How far a file has come from the catalogue to the terms."""

    READING = 0
    """Its pages are still coming in; after a crash it is read anew."""
    PENDING = 1
    """All of it is here, but its terms may not be."""
    LIVE = 2
    LEAVING = 3
    """Replaced or deleted; its terms may still be there."""


class FileRecord(NamedTuple):
    """A file as it was when it was read; ``size`` in bytes."""

    id: int
    path: str
    size: int
    mtime_ns: int
    hash: str
    status: str
    reason: str
    passages: int


Stamp = tuple[int, int | None, int]
"""Size in bytes, time of the last change in nanoseconds, and id of a file."""


class Candidate(NamedTuple):
    """A passage without its text: what is needed to order it and to fetch it."""

    row: int
    file: int
    at: int
    """Where its page begins in the text of the file."""
    url: str
    start: int
    end: int
    title: str
    locator: str
    headings: str
    lead_in: str
    marks: str
    hash: str
    retrieved_at: str
    published: str
    author: str


class PassageGone(Exception):
    """A passage that was found has been removed before it could be fetched."""


def written_marks(marks: Iterable[Mark]) -> str:
    """Return ``marks`` as they are kept."""
    return json.dumps([(mark.start, mark.label) for mark in marks])


def read_marks(kept: str) -> tuple[Mark, ...]:
    """Return the marks that `written_marks` wrote."""
    return tuple(Mark(start=start, label=label) for start, label in json.loads(kept))


def connect(path: Path) -> sqlite3.Connection:
    """Open the database at ``path`` for use by any one thread at a time.

    Raises:
        sqlite3.Error: when it is damaged or cannot be opened.
    """
    database = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    with ExitStack() as unless_done:
        unless_done.callback(database.close)
        # NORMAL can lose the last commits with the power, never the order of commits.
        database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
        unless_done.pop_all()
    return database


class Catalogue:
    """Reads the catalogue. Any thread may use it; calls take turns on one connection."""

    def __init__(self, path: Path) -> None:
        """Open the catalogue at ``path``, which a `CatalogueWriter` has made.

        Raises:
            sqlite3.Error: when it is damaged or cannot be opened.
        """
        self._turn = Lock()
        self._database = connect(path)
        weakref.finalize(self, self._database.close).atexit = False

    def close(self) -> None:
        """Close the connection."""
        with self._turn:
            self._database.close()

    def stamps(self) -> dict[str, Stamp]:
        """Return what tells whether a file has changed, by path, of all that are here to stay.

        One that could not be read has no time: its record says whether it is tried again.
        """
        rows = self._all(
            "SELECT path, size, CASE status WHEN ? THEN mtime_ns END, id FROM files"
            " WHERE state = ?",
            (ReadStatus.OK, State.LIVE),
        )
        return {os.fsdecode(row[0]): row[1:] for row in rows}

    def files(self) -> dict[str, FileRecord]:
        """Return the files that are here to stay, by path."""
        return _records(self._all(_FILES, (State.LIVE,)))

    def files_among(self, ids: Sequence[int]) -> dict[str, FileRecord]:
        """Return those of `files` that have one of ``ids``."""
        return _records(self._all(_FILES_AMONG, (State.LIVE, json.dumps(ids))))

    def count_files(self) -> tuple[int, int]:
        """Return how many files are here to stay, and how many of them could not be read."""
        (row,) = self._all(
            "SELECT count(*), count(*) FILTER (WHERE status != ?) FROM files WHERE state = ?",
            (ReadStatus.OK, State.LIVE),
        )
        return row[0], row[1]

    def failures(self) -> list[tuple[str, str]]:
        """Return path and reason of the files that could not be read."""
        rows = self._all(
            "SELECT path, reason FROM files WHERE state = ? AND status != ?",
            (State.LIVE, ReadStatus.OK),
        )
        return [(os.fsdecode(path), reason) for path, reason in rows]

    def candidates(self, rows: Sequence[int]) -> list[Candidate]:
        """Return the passages in ``rows``, without those that are no longer here."""
        found = self._all(
            "SELECT s.id, g.file, g.at, f.url || g.place, s.start, s.stop, g.title, s.locator,"
            " s.headings, s.lead_in, s.marks, lower(hex(g.hash)), g.retrieved_at, g.published,"
            " g.author"
            " FROM passages s JOIN pages g ON g.id = s.page JOIN files f ON f.id = g.file"
            " WHERE s.id IN (SELECT value FROM json_each(?))",
            (json.dumps(rows),),
        )
        return [Candidate(*row) for row in found]

    def passages(self, candidates: Sequence[Candidate]) -> list[Passage]:
        """Return the passages of ``candidates`` with their texts, all of them read at once.

        Raises:
            PassageGone: when one of them is no longer here.
        """
        places = [(c.file, c.at + c.start, c.at + c.end) for c in candidates]
        reaches = [(file, begin - BLOCK_CHARS, end) for file, begin, end in places]
        held = defaultdict[int, list[tuple[int, bytes]]](list)
        for number, at, block in self._all(BLOCKS_OF_MANY, (json.dumps(reaches),)):
            held[number].append((at, block))
        texts = (
            text_between(held[number], begin, end) for number, (_, begin, end) in enumerate(places)
        )
        return [self._passage(*each) for each in zip(candidates, texts, strict=True)]

    def _passage(self, candidate: Candidate, text: str) -> Passage:
        if len(text) != candidate.end - candidate.start:
            raise PassageGone(candidate.url)
        return Passage(
            id=passage_id(candidate.url, candidate.start, text),
            url=candidate.url,
            title=candidate.title,
            text=text,
            start=candidate.start,
            end=candidate.end,
            locator=candidate.locator,
            headings=candidate.headings,
            lead_in=candidate.lead_in,
            marks=read_marks(candidate.marks),
            content_hash=candidate.hash,
            retrieved_at=candidate.retrieved_at,
            published=candidate.published,
            author=candidate.author,
            table_head=table_head(
                lambda first, end: self._text(
                    candidate.file, candidate.at + first, candidate.at + end
                ),
                candidate.start,
                text,
            ),
        )

    def page(self, url: str, content_hash: str = "") -> Page | None:
        """Return the page at ``url``, or None when it is not here or holds other text by now."""
        base, mark, fragment = url.partition("#")
        rows = self._all(
            "SELECT g.file, g.at, g.length, g.title, g.content_type, g.retrieved_at, g.published,"
            " g.author, g.language, g.marks FROM pages g JOIN files f ON f.id = g.file"
            " WHERE f.url = ? AND g.place = ? AND ? IN ('', lower(hex(g.hash))) AND f.state != ?"
            " ORDER BY g.id DESC LIMIT 1",
            (base, mark + fragment, content_hash, State.LEAVING),
        )
        if not rows:
            return None
        file, at, length, title, content_type, retrieved_at, published, *more = rows[0]
        author, language, marks = more
        return Page(
            url=url,
            title=title,
            text=self._text(file, at, at + length),
            content_type=content_type,
            retrieved_at=retrieved_at,
            published=published,
            author=author,
            language=language,
            marks=read_marks(marks),
        )

    def records(self, url: str, most: int) -> list[tuple[str, str]]:
        """Return place and text of the records of the file at ``url``, if there are no more.

        None of them where there are more than ``most``.
        """
        rows = self._all(
            "SELECT g.file, g.place, g.at, g.length FROM pages g JOIN files f ON f.id = g.file"
            " WHERE f.url = ? AND g.place LIKE '#row=%' AND f.state != ? ORDER BY g.id LIMIT ?",
            (url, State.LEAVING, most + 1),
        )
        if not rows or len(rows) > most:
            return []
        (file, _, begin, _), (_, _, last, length) = rows[0], rows[-1]
        text = self._text(file, begin, last + length)
        return [(place, text[at - begin : at - begin + length]) for _, place, at, length in rows]

    def count_records(self, url: str) -> int:
        """Return how many records the file at ``url`` holds."""
        (row,) = self._all(
            "SELECT count(*) FROM pages g JOIN files f ON f.id = g.file"
            " WHERE f.url = ? AND g.place LIKE '#row=%' AND f.state != ?",
            (url, State.LEAVING),
        )
        return int(row[0])

    def files_of_records(self, most: int) -> list[str]:
        """Return the addresses of at most ``most`` files that hold records."""
        rows = self._all(
            "SELECT f.url FROM pages g JOIN files f ON f.id = g.file"
            " WHERE g.place = '#row=1' AND f.state != ? ORDER BY f.url LIMIT ?",
            (State.LEAVING, most),
        )
        return [row[0] for row in rows]

    def pages_if_few(self, most: int, most_chars: int) -> list[str]:
        """Return the addresses of all pages but records; none where they are more than that."""
        rows = self._all(
            "SELECT f.url || g.place, g.length FROM pages g JOIN files f ON f.id = g.file"
            " WHERE g.place NOT LIKE '#row=%' AND f.state != ? ORDER BY g.id LIMIT ?",
            (State.LEAVING, most + 1),
        )
        is_few = len(rows) <= most and sum(length for _, length in rows) <= most_chars
        return [url for url, _ in rows] if is_few else []

    def _text(self, file: int, begin: int, end: int) -> str:
        return text_between(self._all(BLOCKS, (file, begin - BLOCK_CHARS, end)), begin, end)

    def _all(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._turn:
            return self._database.execute(statement, values).fetchall()


_FILES = (
    "SELECT id, path, size, mtime_ns, hash, status, reason, passages FROM files WHERE state = ?"
)
_FILES_AMONG = (
    "SELECT id, path, size, mtime_ns, hash, status, reason, passages FROM files WHERE state = ?"
    " AND id IN (SELECT value FROM json_each(?))"
)


def _records(rows: Sequence[tuple[Any, ...]]) -> dict[str, FileRecord]:
    records = (FileRecord(row[0], os.fsdecode(row[1]), *row[2:]) for row in rows)
    return {record.path: record for record in records}


def table_head(read: Callable[[int, int], str], start: int, text: str) -> str:
    """Return the head of the table in the middle of which a passage begins; else nothing.

    Args:
        read: Returns a stretch of the text of the passage's page.
        start: Where on its page the passage begins.
        text: What it says.
    """
    if not text.startswith(ROW):
        return ""
    first = max(0, start - LONGEST_TABLE)
    before = read(first, start + len(ROW))
    is_cut = first and all(line.startswith(ROW) for line in before.split("\n")[1:])
    return "" if is_cut else TableHeads(before).over(start - first)


BLOCKS_OF_MANY = (
    "SELECT w.key, b.at, b.text FROM json_each(?) w CROSS JOIN blocks b"
    " ON b.file = json_extract(w.value, '$[0]') AND b.at > json_extract(w.value, '$[1]')"
    " AND b.at < json_extract(w.value, '$[2]') ORDER BY w.key, b.at"
)
"""Finds what `BLOCKS` does, for a list of stretches, by their numbers."""
BLOCKS = "SELECT at, text FROM blocks WHERE file = ? AND at > ? AND at < ? ORDER BY at"
"""Finds the blocks that may reach from (begin - `BLOCK_CHARS`) to the end of a stretch."""


def pack(text: str, at: int) -> list[tuple[int, bytes]]:
    """Return ``text``, which begins at ``at`` in its file's text, as blocks with their place."""
    return [
        (at + first, zstd.compress(_bytes(text[first : first + BLOCK_CHARS])))
        for first in range(0, len(text), BLOCK_CHARS)
    ]


def text_between(blocks: Sequence[tuple[int, bytes]], begin: int, end: int) -> str:
    """Return the text ``[begin, end)`` of a file out of the ``blocks`` that hold it."""
    text = "".join(_unpack(block) for _, block in blocks)
    first = blocks[0][0] if blocks else begin
    return text[begin - first : end - first]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@lru_cache(maxsize=64)
def _unpack(block: bytes) -> str:
    return zstd.decompress(block).decode("utf-8", "surrogatepass")
