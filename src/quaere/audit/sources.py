"""Finds what a sentence may come from: in what it cites, or in folders where it cites nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from urllib.parse import unquote, urlsplit

from quaere.audit.cited_text import CitedSentence, CitedSource
from quaere.audit.reference_list import up_to_file
from quaere.domain.audit import CheckedSource
from quaere.domain.events import WarningRaised
from quaere.domain.question import MAX_QUESTION_CHARS, Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.domain.url import id_of_folder, url2pathname
from quaere.errors import SearchError
from quaere.ports.read import Chunker, Reader
from quaere.ports.search import Preparable, SearchProvider
from quaere.read.batch import Reading, read_all
from quaere.search.fanout import prepare
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
            reason = f"the limit of {max_reads} sources was reached"
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
        place = f"there is no file {address:.200} in the folders that the text may cite"
        reason = place if address else _no_address(source)
        return _unread(source, ReadStatus.NOT_FOUND, reason)
    if local.itself is not None and _same(path, local.itself):
        return _unread(source, ReadStatus.REFUSED, "a text cannot be its own source")
    return path.absolute().as_uri()


def _file(source: CitedSource, local: LocalFiles) -> Path | None:
    names = _spaced_names(source.title)
    in_folders = (_in_folder(name, local) for name in (*names, source.address))
    named = next(filter(None, in_folders), None) or _path(names, local)
    return named or _path(_file_names(source.address), local)


def _in_folder(address: str, local: LocalFiles) -> Path | None:
    """Return the file that a report of the service calls ``folder:ID/name``.

    Its folder comes first where several are searched that have such a file.
    """
    scheme, _, inside = address.partition(":")
    folder, _, name = inside.partition("/")
    if scheme != "folder" or not name:
        return None
    first = sorted(local.folders, key=lambda each: id_of_folder(each.name) != folder.lower())
    return _path(_file_names(name), LocalFiles(tuple(first)))


def _no_address(source: CitedSource) -> str:
    label = source.labels[0] if source.labels else ""
    known = "gives no address for" if source.listed else "lists no source"
    return f"the text {known} [{label}]"


def _spaced_names(title: str) -> list[str]:
    """Return what of ``title`` may be the name of a file with spaces, the longest first.

    Where a name begins, nothing says; which of them is one, the folders do. It ends before
    "lines 3-9" or "page 2".
    """
    words = up_to_file(title).split()[-MAX_NAME_WORDS:]
    names = (" ".join(words[first:]) for first in range(len(words)))
    return [name for name in names if "." in name and len(name.encode()) <= MAX_NAME_BYTES]


def _path(names: Sequence[str], local: LocalFiles) -> Path | None:
    """Return the first file of ``names``: as it is, or below a folder of ``local``.

    An answer calls a file by its folder, too: ``notes/mill.md`` may be in a folder ``notes``.
    """
    try:
        folders = tuple(filter(Path.is_dir, local.folders))
        below = (folder / name for folder, name in product(folders, names))
        named = (file for file in local.folders if file.name in names)
        inside = (
            folder / name.removeprefix(f"{folder.absolute().name}/")
            for folder, name in product(folders, names)
        )
        return next(filter(Path.is_file, chain(below, named, inside)), None)
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


HITS = 5
"""Passages that a sentence is compared with, of all that are found for it."""


@dataclass(frozen=True, slots=True)
class FoundSources:
    """The sentences of a text with what was found for those that cite nothing."""

    sentences: Sequence[CitedSentence]
    sources: Sequence[CheckedSource]
    """Those that the text does not cite."""
    texts: Mapping[int, ReadSource]
    """What was found in each of them, by its number."""
    warnings: Sequence[RunWarning]


class Finder:
    """Searches folders for each claim of a text that cites nothing."""

    def __init__(self, providers: Sequence[SearchProvider], itself: Path | None = None) -> None:
        """Search with ``providers``, whose hits bring their text.

        Args:
            providers: Those of folders; they are made ready first.
            itself: The file that holds the text; it cannot be a source for itself.
        """
        self._providers = tuple(providers)
        self._itself = itself

    async def find(
        self, sentences: Sequence[CitedSentence], *, cited: Sequence[CheckedSource], within_s: float
    ) -> FoundSources:
        """Return ``sentences``, each claim without a citation with the sources found for it.

        Args:
            sentences: Those of the text, in order.
            cited: What the text cites, numbered from 1; what is found anew is numbered after it.
            within_s: Seconds for getting ready and for searching.
        """
        until = time.monotonic() + within_s
        warnings = await self._make_ready(within_s)
        shelf, found = _Shelf(cited), dict[int, tuple[int, ...]]()
        uncited = [place for place, said in enumerate(sentences) if said.is_uncited]
        try:
            async with asyncio.timeout(until - time.monotonic()):
                for place in uncited:
                    found[place] = shelf.put(await self._hits(sentences[place].text))
        except SearchError as error:
            warnings.append(RunWarning(kind="search", message=error.message))
        except TimeoutError:
            message = f"time ran out before {len(uncited) - len(found)} sentences were looked up"
            warnings.append(RunWarning(kind="verify", message=message))
        looked_up = [replace(said, found=found.get(n)) for n, said in enumerate(sentences)]
        return FoundSources(looked_up, shelf.sources(), shelf.texts(), warnings)

    async def _make_ready(self, within_s: float) -> list[RunWarning]:
        return [
            event.warning
            for provider in self._providers
            if isinstance(provider, Preparable)
            async for event in prepare(provider, provider.name, within_s)
            if isinstance(event, WarningRaised)
        ]

    async def _hits(self, text: str) -> list[Hit]:
        """Return what is found for ``text`` with its words, best first."""
        query = Query(text=text[:MAX_QUESTION_CHARS])
        hits = [hit for each in self._providers for hit in await each.search(query, limit=HITS)]
        return [hit for hit in hits if hit.passages and not is_file(hit.url, self._itself)]


class _Shelf:
    """What was found, by the number of its source."""

    def __init__(self, cited: Sequence[CheckedSource]) -> None:
        self._numbers = {source.url: source.number for source in cited if source.url}
        self._first = len(cited) + 1
        self._passages: dict[int, dict[str, Passage]] = {}
        """Of the sources that the text does not cite, by their ids."""

    def put(self, hits: Sequence[Hit]) -> tuple[int, ...]:
        """Keep ``hits``; return the numbers of their sources, each once."""
        return tuple(dict.fromkeys(map(self._put, hits)))

    def _put(self, hit: Hit) -> int:
        number = self._numbers.setdefault(hit.url, self._first + len(self._passages))
        if number >= self._first:
            kept = self._passages.setdefault(number, {})
            kept.update((passage.id, passage) for passage in hit.passages)
        return number

    def sources(self) -> Sequence[CheckedSource]:
        """Return the sources that the text does not cite."""
        return [_source(number, [*kept.values()]) for number, kept in self._passages.items()]

    def texts(self) -> Mapping[int, ReadSource]:
        """Return what was found in each of them."""
        return {number: ReadSource([*kept.values()]) for number, kept in self._passages.items()}


def _source(number: int, passages: Sequence[Passage]) -> CheckedSource:
    page = passages[0]
    return CheckedSource(
        number=number,
        url=page.url,
        title=page.title,
        status=ReadStatus.PROVIDED,
        characters=max(passage.end for passage in passages),
        retrieved_at=page.retrieved_at,
        content_hash=page.content_hash,
        found=True,
    )


def listed(sources: Sequence[CheckedSource], used: Iterable[int]) -> Mapping[int, CheckedSource]:
    """Return the ``sources`` to list, by the numbers they had: found ones only where ``used``.

    Those that are left are numbered anew, from 1.
    """
    needed = set(used)
    told = [source for source in sources if not source.found or source.number in needed]
    return {
        source.number: source.model_copy(update={"number": number})
        for number, source in enumerate(told, 1)
    }
