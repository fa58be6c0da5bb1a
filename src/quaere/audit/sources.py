"""Reads what a text cites, and finds in it what a sentence may come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from quaere.audit.cited_text import CitedSource
from quaere.domain.audit import CheckedSource
from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.ports.read import Chunker, Reader
from quaere.read.batch import Reading, read_all
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

BEST = 3
"""Passages of one source that a sentence is compared with. The one that says it was among the best
two by its words on 180 pages (`quaere.evidence.pool`); the third is for what stands apart."""


@dataclass(frozen=True, slots=True)
class AuditLimits:
    """What an audit may take."""

    max_reads: int = 50
    """Sources that are read, those cited first before the others."""
    max_time_s: float = 120.0
    """For reading, then for comparing, which takes some milliseconds a sentence, and for all models
    that are asked after that."""


MAX_NAME_WORDS = 12
"""Words that the name of a file may have in a list of sources."""
MAX_NAME_BYTES = 255
"""What file systems take."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """Where files that a text cites may lie."""

    folders: tuple[Path, ...] = ()
    """Files and folders that may be read; paths are looked for in each, in turn."""
    itself: Path | None = None
    """The file that holds the text; it cannot be a source for itself."""


class ReadSource:
    """A source that was read."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)

    @cached_property
    def _index(self) -> Bm25:
        return Bm25([terms(passage.text) for passage in self.passages])

    def best(self, words: Sequence[str]) -> list[Passage]:
        """Return the passages that fit ``words`` best, at most BEST, in the order of the page.

        The first ones where none has any of the words: they tell at least the language.
        """
        if len(self.passages) <= BEST:
            return list(self.passages)
        ranked = self._index.ranked(words)
        return [self.passages[place] for place in sorted(ranked[:BEST])]


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """All sources of a text, read or not."""

    sources: tuple[CheckedSource, ...]
    volumes: Mapping[int, ReadSource]
    """Those that could be read, by number."""


async def read_sources(
    cited: Sequence[CitedSource],
    reader: Reader,
    chunk: Chunker,
    *,
    local: LocalFiles,
    limits: AuditLimits,
    on_reading: Callable[[Reading], None] | None = None,
) -> SourceTexts:
    """Read the first of ``cited`` side by side, as many and as long as ``limits`` allow.

    Every reading is passed to ``on_reading`` once, as soon as it has ended.
    """
    hits, sources = _to_read(cited, local, limits.max_reads)
    readings = await read_all(
        list(hits.values()), reader, chunk, timeout_s=limits.max_time_s, on_reading=on_reading
    )
    volumes: dict[int, ReadSource] = {}
    by_number = {source.number: source for source in cited}
    for number, reading in zip(hits, readings, strict=True):
        sources[number] = _checked(by_number[number], reading)
        if reading.passages:
            volumes[number] = ReadSource(reading.passages)
    return SourceTexts(tuple(sources[number] for number in sorted(sources)), volumes)


def _to_read(
    cited: Sequence[CitedSource], local: LocalFiles, max_reads: int
) -> tuple[dict[int, Hit], dict[int, CheckedSource]]:
    """Return what to read of ``cited``, and what cannot be or is too much, by number."""
    hits: dict[int, Hit] = {}
    left: dict[int, CheckedSource] = {}
    for source in cited:
        url = located(source, local)
        if isinstance(url, CheckedSource):
            left[source.number] = url
        elif len(hits) >= max_reads:
            reason = f"only {max_reads} sources were to be read"
            left[source.number] = _unread(source, ReadStatus.REFUSED, reason)
        else:
            hits[source.number] = Hit(url=url, title=source.title, provider="check", rank=0)
    return hits, left


def located(source: CitedSource, local: LocalFiles) -> str | CheckedSource:
    """Return the URL of ``source``, or ``source`` with the reason why there is none."""
    address = source.address
    if "://" in address and not address.lower().startswith("file:"):
        return address
    path = _file(source, local)
    if path is None:
        reason = f"there is no file {address:.200}" if address else _no_address(source)
        return _unread(source, ReadStatus.NOT_FOUND, reason)
    if local.itself is not None and _same(path, local.itself):
        return _unread(source, ReadStatus.REFUSED, "a text cannot be its own source")
    return path.absolute().as_uri()


def _file(source: CitedSource, local: LocalFiles) -> Path | None:
    named = _path(_spaced_names(source.title), local)
    return named or _path(_file_names(source.address), local) or _in_folder(source.address, local)


def _in_folder(address: str, local: LocalFiles) -> Path | None:
    """Return the file that a report of the service calls ``folder:ID/name``.

    Its folder comes first where several are searched that have such a file.
    """
    scheme, _, inside = address.partition(":")
    folder, _, name = inside.partition("/")
    if scheme != "folder" or not name:
        return None
    first = sorted(local.folders, key=lambda each: each.name.lower() != folder.lower())
    return _path(_file_names(name), LocalFiles(tuple(first)))


def _no_address(source: CitedSource) -> str:
    label = source.labels[0] if source.labels else ""
    known = "gives no address for" if source.listed else "lists no source"
    return f"the text {known} [{label}]"


def _spaced_names(title: str) -> list[str]:
    """Return the ends of ``title`` that may be the name of a file with spaces, the longest first.

    Where a name begins, nothing says; which of them is one, the folders do.
    """
    words = title.split()[-MAX_NAME_WORDS:]
    names = (" ".join(words[first:]) for first in range(len(words)))
    return [name for name in names if "." in name and len(name.encode()) <= MAX_NAME_BYTES]


def _path(names: Sequence[str], local: LocalFiles) -> Path | None:
    """Return the first file of ``names``: as it is, or below a folder of ``local``."""
    try:
        folders = filter(Path.is_dir, local.folders)
        below = (folder / name for folder, name in product(folders, names))
        named = (file for file in local.folders if file.name in names)
        return next(filter(Path.is_file, chain(below, named)), None)
    except (OSError, ValueError):  # a name that is too long, or no name at all
        return None


def _file_names(address: str) -> list[str]:
    """Return the paths that ``address`` may mean, each once."""
    if not address:
        return []
    if address.lower().startswith("file:"):
        return [url2pathname(urlsplit(address).path)]
    bare = address.partition("#")[0]
    return list(dict.fromkeys((address, bare, unquote(bare))))


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False


def is_file(url: str, file: Path | None) -> bool:
    """Return whether ``url``, or the file that holds its record, is that of ``file``."""
    parts = urlsplit(url)
    return (
        file is not None and parts.scheme == "file" and _same(Path(url2pathname(parts.path)), file)
    )


def _unread(source: CitedSource, status: ReadStatus, reason: str) -> CheckedSource:
    return CheckedSource(
        number=source.number,
        labels=source.labels,
        address=source.address,
        title=source.title,
        status=status,
        reason=reason,
    )


def _checked(source: CitedSource, reading: Reading) -> CheckedSource:
    if not reading.passages:
        reason = reading.reason or "it holds no text"
        status = reading.status if reading.reason else ReadStatus.EMPTY
        return _unread(source, status, reason)
    first = reading.passages[0]
    return _unread(source, reading.status, "").model_copy(
        update={
            "url": first.url,
            "title": source.title or first.title,
            "characters": reading.passages[-1].end,
            "retrieved_at": first.retrieved_at,
            "content_hash": first.content_hash,
        }
    )
