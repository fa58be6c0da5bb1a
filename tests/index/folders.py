"""Folders to index, and the real reader, extractor and chunker to index them with."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quaere.domain.question import Query
from quaere.index.file_readers import Sources
from quaere.index.folder_index import FolderIndex
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extractor import SniffingExtractor
from quaere.read.reader import read_file

SOURCES = Sources(read_file, SniffingExtractor(), PassageChunker())


@dataclass
class CountingReader:
    """Reads files and remembers their names, in order."""

    names: list[str] = field(default_factory=list[str])

    def __call__(self, path: Path) -> Body:
        self.names.append(path.name)
        return read_file(path)

    def sources(self) -> Sources:
        return Sources(self, SOURCES.extractor, SOURCES.chunk)

    def taken(self) -> list[str]:
        """Return the names so far, sorted, and forget them."""
        names, self.names = sorted(self.names), []
        return names


class Told(list[tuple[int, int, int]]):
    """Listens to progress."""

    def __call__(self, done: int, total: int, passages: int) -> None:
        self.append((done, total, passages))


def write(folder: Path, files: Mapping[str, str | bytes], *, age_s: float = 60.0) -> Path:
    """Write ``files`` under ``folder``, as if ``age_s`` seconds ago, and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        set_age(path, age_s)
    return folder


def set_age(path: Path, age_s: float) -> None:
    """Set the time of last change of ``path`` to ``age_s`` seconds ago, off the whole second."""
    moment = (time.time_ns() - int(age_s * 1e9)) // 1000 * 1000 + 1
    os.utime(path, ns=(moment, moment))


def found(index: FolderIndex, text: str, limit: int = 10) -> list[str]:
    """Return the titles that ``index`` finds for ``text``, best first."""
    return [hit.title for hit in index.search(Query(text=text), limit)]
