"""Writes the catalogue: one thread of the one process that holds the lock."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quaere.domain.source import Page, Passage, plain_headings
from quaere.index.analysis import name_words
from quaere.index.catalogue import (
    BLOCK_CHARS,
    BLOCKS,
    SCHEMA,
    FileRecord,
    State,
    connect,
    pack,
    table_head,
    text_between,
    written_marks,
)
from quaere.index.scan import FileStat

# States as in `State`: 1 pending, 2 live, 3 leaving. "!= 2" is what the index of the few files that
# are not live asks for. executescript() commits what is open, first.
SETTLE = """
BEGIN IMMEDIATE;
DELETE FROM passages WHERE page IN
    (SELECT id FROM pages WHERE file IN (SELECT id FROM files WHERE state = 3 AND state != 2));
DELETE FROM blocks WHERE file IN (SELECT id FROM files WHERE state = 3 AND state != 2);
DELETE FROM pages WHERE file IN (SELECT id FROM files WHERE state = 3 AND state != 2);
DELETE FROM files WHERE state = 3 AND state != 2;
UPDATE files SET state = 2 WHERE state = 1 AND state != 2;
COMMIT;
BEGIN IMMEDIATE;
"""
_LIVE = "SELECT id FROM files WHERE state = ? ORDER BY id"
_OPEN = "SELECT id FROM files WHERE state = ? AND state != 2 ORDER BY id"


class Entry(NamedTuple):
    """A page made ready to be kept, with its passages."""

    place: str
    """What the page's URL adds to its file's: nothing, or a fragment."""
    at: int
    """Where the page begins in the text of the file."""
    page: Page
    content_hash: bytes
    passages: Sequence[Passage]


class Bundle(NamedTuple):
    """Some pages of a file, in a row, with their text."""

    entries: Sequence[Entry]
    blocks: Sequence[tuple[int, bytes]]


class Bundler:
    """Gathers the pages of one file into bundles."""

    def __init__(self, file_url: str) -> None:
        self._file_url = file_url
        self._at = 0
        self._entries: list[Entry] = []
        self.size = 0
        """Pages and passages gathered since the last bundle."""
        self.pages = 0
        """Pages gathered so far."""

    def add(self, page: Page, passages: Sequence[Passage]) -> None:
        """Add the next page of the file."""
        place = page.url.removeprefix(self._file_url)
        at = self._entries[-1].at + len(self._entries[-1].page.text) if self._entries else self._at
        content_hash = bytes.fromhex(page.content_hash)
        self._entries.append(Entry(place, at, page, content_hash, passages))
        self.size += 1 + len(passages)
        self.pages += 1

    def take(self) -> Bundle:
        """Return the pages added since the last time."""
        text = "".join(entry.page.text for entry in self._entries)
        bundle = Bundle(self._entries, pack(text, self._at))
        self._at += len(text)
        self._entries, self.size = [], 0
        return bundle


class Indexable(NamedTuple):
    """What the terms need of a passage; ``row`` finds it again."""

    row: int
    file: int
    title: str
    text: str
    """With the headings over it, and the lead-in and the head of what it continues."""
    name: str = ""
    """Words in the name of its file that the title lacks."""


class CatalogueWriter:
    """Adds and removes files. Nothing is seen by others, or survives a crash, before `commit`."""

    def __init__(self, path: Path) -> None:
        """Open the catalogue at ``path``, made when it is not there.

        Raises:
            sqlite3.Error: when it is damaged or cannot be opened.
        """
        self._database = connect(path)
        weakref.finalize(self, self._database.close).atexit = False
        self._database.executescript(SCHEMA)
        # Rows are numbered here and never used twice: terms that outlive them find nothing.
        used = dict(self._database.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        self._next_page = used.get("pages", 0) + 1
        self._next_passage = used.get("passages", 0) + 1
        self._database.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Close the connection; what was not committed is undone."""
        self._database.close()

    def commit(self) -> None:
        """Make lasting, and seen by all, what was written since the last commit."""
        self._database.execute("COMMIT")
        self._database.execute("BEGIN IMMEDIATE")

    def open_file(self, path: str, url: str) -> int:
        """Enter a file whose pages are about to come; return its id."""
        cursor = self._database.execute(
            "INSERT INTO files (path, url, size, mtime_ns, hash, status, reason, passages, state)"
            " VALUES (?, ?, -1, -1, '', '', '', 0, ?)",
            (os.fsencode(path), url, State.READING),
        )
        return cursor.lastrowid or 0

    def add(self, file: int, bundle: Bundle) -> list[Indexable]:
        """Add pages to ``file``; return what the terms need of their passages."""
        pages: list[tuple[object, ...]] = []
        passages: list[tuple[object, ...]] = []
        path = self._path(file)
        indexable: list[Indexable] = []
        for key, entry in enumerate(bundle.entries, self._next_page):
            pages.append(_page_row(key, file, entry))
            title = entry.page.title
            name = name_words(path, title)
            for row, passage in enumerate(entry.passages, self._next_passage):
                passages.append((row, key, *_place(passage)))
                said = _said(passage.headings, passage.lead_in, passage.table_head, passage.text)
                indexable.append(Indexable(row, file, title, said, name))
            self._next_passage += len(entry.passages)
        self._next_page += len(bundle.entries)
        blocks = [(file, at, text) for at, text in bundle.blocks]
        insert = self._database.executemany
        insert("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", pages)
        insert("INSERT INTO blocks VALUES (?, ?, ?)", blocks)
        insert("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", passages)
        return indexable

    def close_file(self, record: FileRecord) -> None:
        """Enter how the reading of a file ended; it is live from the next `settle` on."""
        self._database.execute(
            "UPDATE files SET size = ?, mtime_ns = ?, hash = ?, status = ?, reason = ?,"
            " passages = ?, state = ? WHERE id = ?",
            (
                record.size,
                record.mtime_ns,
                record.hash,
                record.status,
                record.reason.encode("utf-8", "replace").decode(),
                record.passages,
                State.PENDING,
                record.id,
            ),
        )

    def touch(self, file: int, stat: FileStat, reason: str) -> None:
        """Note that ``file`` has the bytes it had before, and why it still cannot be read."""
        self._database.execute(
            "UPDATE files SET size = ?, mtime_ns = ?, reason = ? WHERE id = ?",
            (stat.size, stat.mtime_ns, reason, file),
        )

    def mark(self, file: int, state: State) -> None:
        """Give ``file`` another state."""
        self._database.execute("UPDATE files SET state = ? WHERE id = ?", (state, file))

    def settle(self) -> None:
        """Follow a commit of the terms: what was pending is live, what was leaving is gone."""
        self._database.executescript(SETTLE)

    def in_state(self, state: State) -> list[int]:
        """Return the ids of the files in ``state``."""
        query = _LIVE if state is State.LIVE else _OPEN
        return [row[0] for row in self._database.execute(query, (state,))]

    def passages(self) -> int:
        """Return how many passages the live files have."""
        query = "SELECT coalesce(sum(passages), 0) FROM files WHERE state = ?"
        return self._database.execute(query, (State.LIVE,)).fetchone()[0]

    def indexable(self, file: int) -> Iterator[Indexable]:
        """Yield what the terms need of the passages of ``file``."""
        passages = self._database.execute(
            "SELECT s.id, g.title, g.at, s.start, s.stop, s.headings, s.lead_in FROM pages g"
            " JOIN passages s ON s.page = g.id WHERE g.file = ? ORDER BY s.id",
            (file,),
        )
        path = self._path(file)
        for row, title, at, start, stop, headings, lead_in in passages:
            text = self._text(file, at + start, at + stop)
            head = table_head(lambda b, e, at=at: self._text(file, at + b, at + e), start, text)
            said = _said(headings, lead_in, head, text)
            yield Indexable(row, file, title, said, name_words(path, title))

    def _text(self, file: int, begin: int, end: int) -> str:
        blocks = self._database.execute(BLOCKS, (file, begin - BLOCK_CHARS, end)).fetchall()
        return text_between(blocks, begin, end)

    def _path(self, file: int) -> str:
        query = "SELECT path FROM files WHERE id = ?"
        return os.fsdecode(self._database.execute(query, (file,)).fetchone()[0])


def _place(passage: Passage) -> tuple[object, ...]:
    marks = written_marks(passage.marks)
    return passage.start, passage.end, passage.locator, passage.headings, passage.lead_in, marks


def _said(headings: str, lead_in: str, table_head: str, text: str) -> str:
    """Return what is found by its words: ``text`` with what is over it."""
    return "\n".join(filter(None, (plain_headings(headings), lead_in, table_head, text)))


def _page_row(key: int, file: int, entry: Entry) -> tuple[object, ...]:
    page = entry.page
    return (
        key,
        file,
        entry.place,
        entry.at,
        len(page.text),
        entry.content_hash,
        page.title,
        page.content_type,
        page.retrieved_at,
        page.published,
        page.author,
        page.language,
        written_marks(page.marks),
    )
